import type { __Record__ } from '@guildhall/contract/features/__area__'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const garden: __Record__ = {
  id: uuid(31),
  name: 'Garden',
  status: 'planned',
  chapter: null,
  archivedAt: null,
  createdAt: '2026-01-01T00:00:00Z',
  version: 1,
  description: 'Behind the hall.',
  updatedAt: '2026-01-01T00:00:00Z',
  may: { edit: true },
}
const { __area__ } = fake.data
const views = { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } }
const list = __area__.list.handler(({ input }) => {
  const items = input.q === undefined || garden.name.includes(input.q) ? [garden] : []
  return { items, nextCursor: null, total: items.length, totalIsExact: true }
})

test('the list searches, and opens a record', async () => {
  const user = userEvent.setup()
  const { router } = renderPath('/__list_url__', { data: { lists: views, __area__: { list, get: __area__.get.handler(() => garden) } } })
  expect(await screen.findByText('1 __record_words__')).toBeVisible()
  await user.type(screen.getByRole('searchbox', { name: 'Search __records_words__' }), 'xyz')
  expect(await screen.findByText('No __record_words__ matches')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }))
  await user.click(await within(screen.getByRole('table')).findByRole('link', { name: 'Garden' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Garden' })).toBeVisible()
  expect(router.state.location.pathname).toBe(`/__record_url__/${garden.id}`)
})

test('a field is changed in place, and can be taken back', async () => {
  const user = userEvent.setup()
  let now = garden
  const update = __area__.update.handler(({ input: { name = now.name } }) => (now = { ...now, name, version: now.version + 1 }))
  renderPath(`/__record_url__/${garden.id}`, { data: { __area__: { get: __area__.get.handler(() => now), update } } })
  await user.click(await screen.findByRole('button', { name: 'Edit Name' }))
  await user.clear(screen.getByRole('textbox', { name: 'Name' }))
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Orchard{Enter}')
  expect(await screen.findByRole('heading', { level: 1, name: 'Orchard' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Garden' })).toBeVisible()
})

test('who may only read is offered no change and no history', async () => {
  renderPath(`/__record_url__/${garden.id}`, {
    data: { __area__: { get: __area__.get.handler(() => ({ ...garden, may: { edit: false } })) } },
  })
  expect(await screen.findByText('Behind the hall.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^(Edit|Archive)/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'History' })).toBeNull()
})
