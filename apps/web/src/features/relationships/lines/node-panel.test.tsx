import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, expect, test } from 'vitest'
import type { Permission } from '@guildhall/contract/permissions'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { personRow } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { adasLine, pageOf, person, relationship, treeOfNodes, types } from './lines-testing.ts'

beforeAll(() => import('./lines-page.tsx'), 180_000)

const { relationships } = fake.data
const [ada, ben, cleo] = [person(11, 'Ada Byron'), person(12, 'Ben Ito'), person(13, 'Cleo Park')]
const bensPlace = relationship(1012, ada, ben)

type Fakes = Record<string, object>
function open(recordId: string, more: Fakes = {}, holding?: readonly Permission[]) {
  let tries = 0
  return renderPath(
    `/reports/parent-child?kind=lineage&show=table&open=${recordId}`,
    {
      data: {
        people: { list: fake.data.people.list.handler(() => pageOf([personRow(16, 'Fay', 'Orr'), personRow(13, 'Cleo', 'Park')])) },
        relationships: {
          types,
          get: relationships.get.handler(() => ({ ...bensPlace, version: 1 + tries++ })),
          lines: { tree: relationships.lines.tree.handler(() => treeOfNodes(adasLine)) },
          ...more,
        },
      },
    },
    holding ? { holding } : {},
  )
}

test('a node is told of in a panel: its path, its figures and what puts it there', async () => {
  const user = userEvent.setup()
  const { router } = open(ben.id)
  const panel = within(await screen.findByRole('complementary', { name: 'Ben Ito' }))
  expect(within(panel.getByRole('navigation', { name: 'Path' })).getByRole('button', { name: 'Ada Byron' })).toBeVisible()
  expect(panel.getByRole('link', { name: 'Open person' })).toHaveAttribute('href', `/person/${ben.id}`)
  expect(panel.getByText('Descendants').closest('div')).toHaveTextContent('Descendants2')
  expect(await panel.findByText('Met at the camp')).toBeVisible()
  expect(panel.getByText('Verified by').closest('div')).toHaveTextContent('Olive Owner')
  await user.click(panel.getByRole('button', { name: 'Show the line of Ben Ito' }))
  await waitFor(() => expect(router.state.location.search).toMatchObject({ root: ben.id }))
})

test('who may not manage relationships reads them only', async () => {
  open(ben.id, {}, ['people.directory', 'reports.read', 'relationships.read'])
  const panel = within(await screen.findByRole('complementary', { name: 'Ben Ito' }))
  await panel.findByText('Met at the camp')
  expect(panel.queryByRole('button', { name: 'Move below another person' })).toBeNull()
})

test('somebody is moved below another person, and back', async () => {
  const user = userEvent.setup()
  const calls: unknown[] = []
  open(ben.id, {
    end: relationships.end.handler(({ input }) => {
      calls.push(['end', input.relationshipId, input.endsOn])
      return { ...bensPlace, state: 'ended' as const, endsOn: input.endsOn ?? null, version: 2 }
    }),
    create: relationships.create.handler(({ input }) => {
      calls.push(['create', input.fromPersonId, input.toPersonId, input.startsOn])
      return relationship(1600, cleo, ben)
    }),
    reopen: relationships.reopen.handler(({ input }) => {
      calls.push(['reopen', input.relationshipId])
      return bensPlace
    }),
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Ben Ito' }))
  await user.click(await panel.findByRole('button', { name: 'Move below another person' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Move Ben Ito' }))
  expect(dialog.getByText('2 descendants move along. The relationship with the person above ends.')).toBeVisible()
  await user.click(await dialog.findByLabelText('New Big'))
  await user.click(await screen.findByRole('option', { name: /Cleo Park/ }))
  const since = dialog.getByLabelText('Since')
  await user.clear(since)
  await user.type(since, '2025-03-01')
  await user.click(dialog.getByRole('button', { name: 'Move' }))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(calls).toHaveLength(4))
  expect(calls).toEqual([
    ['end', bensPlace.id, '2025-02-28'],
    ['create', cleo.id, ben.id, '2025-03-01'],
    ['end', uuid(1600), '2025-03-01'],
    ['reopen', bensPlace.id],
  ])
})

test('a move that would form a circle is refused with its path, and all stays as it was', async () => {
  const user = userEvent.setup()
  const calls: string[] = []
  open(ben.id, {
    end: relationships.end.handler(() => {
      calls.push('end')
      return { ...bensPlace, state: 'ended' as const, version: 2 }
    }),
    create: relationships.create.handler(({ errors }) => {
      calls.push('create')
      throw errors.CONFLICT({ data: { reason: 'relationship_cycle', params: { path: 'Fay Orr → Cleo Park → Ben Ito → Fay Orr' } } })
    }),
    reopen: relationships.reopen.handler(() => {
      calls.push('reopen')
      return bensPlace
    }),
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Ben Ito' }))
  await user.click(await panel.findByRole('button', { name: 'Move below another person' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Move Ben Ito' }))
  await user.click(await dialog.findByLabelText('New Big'))
  await user.click(await screen.findByRole('option', { name: /Fay Orr/ }))
  await user.click(dialog.getByRole('button', { name: 'Move' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('Fay Orr → Cleo Park → Ben Ito → Fay Orr')
  expect(calls).toEqual(['end', 'create', 'reopen'])
})

test('a relationship ends on a day, with Undo', async () => {
  const user = userEvent.setup()
  const calls: unknown[] = []
  open(ben.id, {
    end: relationships.end.handler(({ input }) => {
      calls.push(input.endsOn)
      return { ...bensPlace, state: 'ended' as const, endsOn: '2026-05-31', version: 2 }
    }),
    reopen: relationships.reopen.handler(() => {
      calls.push('reopen')
      return bensPlace
    }),
  })
  const panel = within(await screen.findByRole('complementary', { name: 'Ben Ito' }))
  await user.click(await panel.findByRole('button', { name: 'End relationship' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'End relationship' }))
  const last = await dialog.findByLabelText('Last day')
  await user.clear(last)
  await user.type(last, '2026-05-31')
  await user.click(dialog.getByRole('button', { name: 'End relationship' }))
  expect(await screen.findByText('Ben Ito no longer stands below Ada Byron')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(calls).toEqual(['2026-05-31', 'reopen']))
})

test('somebody who stands in another line is said not to be in this one', async () => {
  open(uuid(77))
  const panel = within(await screen.findByRole('complementary', { name: 'Entry' }))
  expect(await panel.findByRole('heading', { name: 'Not in this tree' })).toBeVisible()
})
