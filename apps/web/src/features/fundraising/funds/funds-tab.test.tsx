import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Fund, NewFund } from '@guildhall/contract/features/fundraising'
import { ORPCError } from '@orpc/client'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answers, fund, views } from '../fundraising-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
const { fundraising } = fake.data
const at = '/fundraising/all/funds'

function stored(...first: Fund[]) {
  let funds = first
  const made: NewFund[] = []
  const put = (fundId: string, change: Partial<Fund>) => {
    funds = funds.map((one) => (one.id === fundId ? { ...one, ...change, version: one.version + 1 } : one))
    return funds.find(({ id }) => id === fundId) ?? fund
  }
  const calls = {
    list: fundraising.funds.list.handler(({ input }) => ({
      items: funds.filter((one) => (one.archivedAt !== null) === (input.archived ?? false)),
    })),
    create: fundraising.funds.create.handler(({ input }) => {
      made.push(input)
      const created: Fund = { ...fund, id: uuid(49), name: input.name, code: input.code ?? '', description: '', settled: [], gifts: 0 }
      funds = [...funds, created]
      return created
    }),
    update: fundraising.funds.update.handler(({ input: { fundId, name } }) => put(fundId, { ...(name && { name }) })),
    archive: fundraising.funds.archive.handler(({ input }) => put(input.fundId, { archivedAt: '2026-11-24T10:00:00Z' })),
    restore: fundraising.funds.restore.handler(({ input }) => put(input.fundId, { archivedAt: null })),
  }
  return { made, handlers: { lists: views, fundraising: { ...answers(), funds: calls } } }
}

test('funds lead to the gifts they have, are added and changed', async () => {
  const user = userEvent.setup()
  const { made, handlers } = stored(fund)
  renderPath(at, { data: handlers })
  const row = await screen.findByRole('row', { name: /General fund/ })
  expect(within(row).getByText('4100')).toBeVisible()
  expect(within(row).getByRole('link', { name: '€4,000.00' })).toHaveAttribute(
    'href',
    expect.stringContaining('/fundraising/all/donations'),
  )
  await user.click(screen.getByRole('button', { name: 'New fund' }))
  const dialog = await screen.findByRole('dialog', { name: 'New fund' })
  await user.click(within(dialog).getByRole('button', { name: 'Create fund' }))
  expect(within(dialog).getByRole('textbox', { name: 'Name' })).toBeInvalid()
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Library')
  await user.click(within(dialog).getByRole('button', { name: 'Create fund' }))
  expect(await screen.findByRole('row', { name: /Library/ })).toBeVisible()
  expect(made).toEqual([{ name: 'Library', code: '', description: '', chapterId: null }])
  await user.click(screen.getByRole('button', { name: 'Actions for Library' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  const editing = await screen.findByRole('dialog', { name: 'Edit Library' })
  await user.type(within(editing).getByRole('textbox', { name: 'Name' }), ' roof')
  await user.click(within(editing).getByRole('button', { name: 'Save fund' }))
  expect(await screen.findByRole('row', { name: /Library roof/ })).toBeVisible()
})

test('a fund is archived with Undo, and found among those archived', async () => {
  const user = userEvent.setup()
  renderPath(at, { data: stored(fund).handlers })
  await user.click(await screen.findByRole('button', { name: 'Actions for General fund' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  expect(await screen.findByText('No funds yet')).toBeVisible()
  await user.click(screen.getByRole('switch', { name: 'Show archived' }))
  expect(await screen.findByRole('row', { name: /General fund/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('No fund is archived')).toBeVisible()
})

test('what the server refuses is said, and the fund stays', async () => {
  const user = userEvent.setup()
  const { handlers } = stored(fund)
  const archive = fundraising.funds.archive.handler(() => {
    throw new ORPCError('CONFLICT', { status: 409 })
  })
  renderPath(at, { data: { ...handlers, fundraising: { ...handlers.fundraising, funds: { ...handlers.fundraising.funds, archive } } } })
  await user.click(await screen.findByRole('button', { name: 'Actions for General fund' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  expect(await screen.findByText('General fund could not be archived.')).toBeVisible()
  expect(screen.getByRole('row', { name: /General fund/ })).toBeVisible()
})

test('whoever may not manage funds only reads them', async () => {
  renderPath(at, { data: stored({ ...fund, may: { edit: false } }).handlers }, { holding: ['fundraising.read', 'gifts.read'] })
  expect(await screen.findByRole('row', { name: /General fund/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'New fund' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Actions for General fund' })).toBeNull()
})
