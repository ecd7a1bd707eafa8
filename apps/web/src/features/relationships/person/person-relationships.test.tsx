import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, expect, test } from 'vitest'
import type { Relationship, RelationshipGraph } from '@guildhall/contract/features/relationships'
import type { Permission } from '@guildhall/contract/permissions'
import { acting } from '../../../platform/api/acting.ts'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { personRow, wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { guardian, lineage, pageOf, person, relationship, types } from '../lines/lines-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
beforeAll(() => import('./person-relationships.tsx'), 180_000)
afterEach(() => {
  notifications.clean()
  acting.set(null)
})

const { relationships } = fake.data
const [ada, ben, cleo, dan] = [person(11, 'Ada Byron'), person(12, 'Ben Ito'), person(13, 'Cleo Park'), person(14, 'Dan Low')]
const above = relationship(501, dan, ada)
const below = relationship(502, ada, ben, { note: '', verifiedBy: null, verifiedAt: null })
const over = relationship(503, ada, cleo, {
  state: 'ended',
  endsOn: '2025-06-30',
  may: { answer: false, verify: false, edit: true, end: false, reopen: true },
})
const alone: RelationshipGraph = { people: [{ person: { id: ada.id, displayName: ada.name }, isCentre: true }], links: [], isCut: false }

type More = { rows?: Relationship[]; graph?: RelationshipGraph; fakes?: Record<string, object>; holding?: readonly Permission[] }

/** The tab of Ada Byron, with what the server holds of her. */
function open({ rows = [above, below, over], graph = alone, fakes = {}, holding }: More = {}) {
  const stored = [...rows]
  const asked: object[] = []
  const view = renderPath(
    `/person/${ada.id}/relationships`,
    {
      data: {
        people: {
          overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })),
          neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: null })),
          list: fake.data.people.list.handler(() => pageOf([personRow(12, 'Ben', 'Ito'), personRow(14, 'Dan', 'Low')])),
        },
        relationships: {
          types,
          graph: relationships.graph.handler(() => graph),
          list: relationships.list.handler(({ input }) => {
            asked.push(input)
            return pageOf(stored.filter((one) => (input.mineToAnswer ? one.may.answer : one.state === input.state)))
          }),
          ...fakes,
        },
      },
    },
    holding ? { holding } : {},
  )
  const put = (now: Relationship) => {
    const place = stored.findIndex(({ id }) => id === now.id)
    if (place === -1) stored.push(now)
    else stored[place] = now
    return now
  }
  return { ...view, put, asked }
}

const act = async (user: ReturnType<typeof userEvent.setup>, other: string, what: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${other}` }))
  await user.click(await screen.findByRole('menuitem', { name: what }))
}

test('relationships stand by type with who the other is, since when, who verified them and the note', async () => {
  open()
  const list = await screen.findByRole('list', { name: 'Big and little' })
  const [first, second] = within(list).getAllByRole('listitem')
  expect(first).toHaveTextContent('Dan LowBig')
  expect(first).toHaveTextContent('Bern · Since Oct 1, 2024 · Verified by Olive Owner')
  expect(first).toHaveTextContent('Met at the camp')
  expect(second).toHaveTextContent('Ben ItoLittle')
  expect(second).not.toHaveTextContent('Verified')
  expect(screen.getByRole('link', { name: 'Show as tree: Big and little' })).toHaveAttribute(
    'href',
    `/reports/parent-child?kind=lineage&root=${ada.id}`,
  )
})

test('those that have ended are asked for and shown behind a switch', async () => {
  const user = userEvent.setup()
  const { asked } = open()
  await screen.findByRole('link', { name: 'Ben Ito' })
  expect(screen.queryByRole('link', { name: 'Cleo Park' })).not.toBeInTheDocument()
  expect(asked).not.toContainEqual(expect.objectContaining({ state: 'ended' }))
  await user.click(screen.getByRole('switch', { name: 'Show ended and rejected' }))
  const row = (await screen.findByRole('link', { name: 'Cleo Park' })).closest('li')
  expect(row).toHaveTextContent('Until Jun 30, 2025')
  expect(row).toHaveTextContent('Ended')
})

test('nobody to show is said', async () => {
  open({ rows: [] })
  expect(await screen.findByRole('heading', { name: 'No active relationships' })).toBeVisible()
})

test('a failure is said, with another try', async () => {
  const user = userEvent.setup()
  let fails = true
  open({
    fakes: {
      list: relationships.list.handler(({ input, errors }) => {
        if (fails) throw errors.SERVICE_UNAVAILABLE()
        return pageOf(input.state === 'active' ? [below] : [])
      }),
    },
  })
  expect(await screen.findByText('The relationships could not be loaded')).toBeVisible()
  fails = false
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('link', { name: 'Ben Ito' })).toBeVisible()
})

test('the picture has the person in the middle, and a link for everybody around them', async () => {
  const graph: RelationshipGraph = {
    people: [ada, ben, dan].map(({ id, name }) => ({ person: { id, displayName: name }, isCentre: id === ada.id })),
    links: [above, below].map(({ id, from, to, type }) => ({
      ...{ relationshipId: id, fromPersonId: from.id, toPersonId: to.id, typeId: type.id },
      ...{ label: type.forwardLabel, isActive: true },
    })),
    isCut: false,
  }
  open({ graph })
  const picture = await screen.findByRole('group', { name: 'People around Ada Byron' })
  expect(await within(picture).findByRole('link', { name: /Ben Ito, Little/ })).toHaveAttribute('href', `/person/${ben.id}/relationships`)
  expect(within(picture).getByRole('link', { name: /Dan Low, Big/ })).toBeInTheDocument()
  expect(within(picture).queryByRole('link', { name: /Ada Byron/ })).not.toBeInTheDocument()
})

test('an officer records a relationship in either direction', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const made = relationship(504, dan, ada)
  const { put } = open({
    rows: [],
    fakes: {
      create: relationships.create.handler(({ input }) => {
        sent.push(input)
        return put(made)
      }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add relationship' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New relationship of Ada Byron' }))
  await user.selectOptions(await dialog.findByRole('combobox', { name: 'Type' }), 'Big and little')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Ada Byron is the' }), 'Little')
  await user.click(dialog.getByLabelText('Big'))
  await user.click(await screen.findByRole('option', { name: /Dan Low/ }))
  await user.type(dialog.getByLabelText('Since'), '2024-10-01')
  await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'Met at the camp')
  await user.click(dialog.getByRole('button', { name: 'Add relationship' }))
  expect(await screen.findByText('Dan Low, Big of Ada Byron: added')).toBeVisible()
  expect(sent).toEqual([{ typeId: lineage.id, fromPersonId: dan.id, toPersonId: ada.id, startsOn: '2024-10-01', note: 'Met at the camp' }])
  expect(await screen.findByRole('link', { name: 'Dan Low' })).toBeVisible()
})

test('a circle is refused with its path, and what was typed stays', async () => {
  const user = userEvent.setup()
  open({
    fakes: {
      create: relationships.create.handler(({ errors }) => {
        throw errors.CONFLICT({ data: { reason: 'relationship_cycle', params: { path: 'Ada Byron → Ben Ito → Ada Byron' } } })
      }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Add relationship' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New relationship of Ada Byron' }))
  await user.selectOptions(await dialog.findByRole('combobox', { name: 'Type' }), 'Big and little')
  await user.selectOptions(dialog.getByRole('combobox', { name: 'Ada Byron is the' }), 'Little')
  await user.click(dialog.getByLabelText('Big'))
  await user.click(await screen.findByRole('option', { name: /Ben Ito/ }))
  await user.click(dialog.getByRole('button', { name: 'Add relationship' }))
  expect(await dialog.findByRole('alert')).toHaveTextContent('This would form a circle: Ada Byron → Ben Ito → Ada Byron.')
  expect(dialog.getByLabelText('Big')).toHaveValue('Ben Ito')
})

test('a first day and a note are changed', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const { put } = open({
    fakes: {
      update: relationships.update.handler(({ input }) => {
        sent.push(input)
        return put({ ...above, startsOn: input.startsOn ?? null, note: input.note ?? '', version: 2 })
      }),
    },
  })
  await act(user, 'Dan Low and Ada Byron', 'Edit')
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit relationship' }))
  const since = await dialog.findByLabelText('Since')
  await user.clear(since)
  await user.type(since, '2023-10-01')
  await user.click(dialog.getByRole('button', { name: 'Save relationship' }))
  expect(await screen.findByText(/Since Oct 1, 2023/)).toBeVisible()
  expect(sent).toEqual([{ relationshipId: above.id, startsOn: '2023-10-01', note: 'Met at the camp' }])
})

test('an officer verifies one that nobody has verified', async () => {
  const user = userEvent.setup()
  const { put } = open({
    fakes: {
      verify: relationships.verify.handler(() =>
        put({ ...below, verifiedBy: 'Olive Owner', verifiedAt: '2026-11-20T10:00:00Z', version: 2 }),
      ),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Actions for Dan Low and Ada Byron' }))
  await screen.findByRole('menuitem', { name: 'Edit' })
  expect(screen.queryByRole('menuitem', { name: 'Verify' })).not.toBeInTheDocument()
  await user.keyboard('{Escape}')
  await act(user, 'Ada Byron and Ben Ito', 'Verify')
  expect(await screen.findByText('Ada Byron, Big of Ben Ito: verified')).toBeVisible()
})

test('one ends on a day, and Undo makes it active again', async () => {
  const user = userEvent.setup()
  const calls: unknown[] = []
  const { put } = open({
    fakes: {
      end: relationships.end.handler(({ input }) => {
        calls.push(['end', input.endsOn])
        return put({ ...below, state: 'ended', endsOn: input.endsOn ?? null, version: 2 })
      }),
      reopen: relationships.reopen.handler(({ input }) => {
        calls.push(['reopen', input.relationshipId])
        return put({ ...below, version: 3 })
      }),
    },
  })
  await act(user, 'Ada Byron and Ben Ito', 'End relationship')
  const dialog = within(await screen.findByRole('dialog', { name: 'End relationship' }))
  const last = await dialog.findByLabelText('Last day')
  await user.clear(last)
  await user.type(last, '2026-05-31')
  await user.click(dialog.getByRole('button', { name: 'End relationship' }))
  expect(await screen.findByText('Ada Byron, Big of Ben Ito: ended')).toBeVisible()
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Ben Ito' })).not.toBeInTheDocument())
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('link', { name: 'Ben Ito' })).toBeVisible()
  expect(calls).toEqual([
    ['end', '2026-05-31'],
    ['reopen', below.id],
  ])
})

test('one’s own proposal is withdrawn, with Undo', async () => {
  const user = userEvent.setup()
  const own = relationship(505, ada, ben, {
    ...{ state: 'proposed', proposedBy: 'Ada Byron', verifiedBy: null, verifiedAt: null },
    may: { answer: false, verify: false, edit: true, end: true, reopen: false },
  })
  const { put } = open({
    rows: [own],
    fakes: {
      end: relationships.end.handler(() => put({ ...own, state: 'rejected', version: 2 })),
      reopen: relationships.reopen.handler(() => put({ ...own, version: 3 })),
    },
  })
  expect(await screen.findByText(/Proposed by Ada Byron/)).toBeVisible()
  await act(user, 'Ada Byron and Ben Ito', 'Withdraw')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Ben Ito' })).not.toBeInTheDocument())
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByRole('link', { name: 'Ben Ito' })).toBeVisible()
})

test('a proposal that waits for the reader stands on top, with Accept and Reject', async () => {
  const proposal = relationship(506, dan, ada, {
    ...{ type: guardian, state: 'proposed', proposedBy: 'Dan Low', verifiedBy: null, verifiedAt: null },
    may: { answer: true, verify: false, edit: false, end: false, reopen: false },
  })
  open({ rows: [proposal, below] })
  const queue = await screen.findByRole('list', { name: 'Relationships to confirm' })
  expect(queue).toHaveTextContent('Guardian and child, proposed by Dan Low')
  expect(within(queue).getByRole('button', { name: 'Accept: Dan Low, Guardian of Ada Byron' })).toBeVisible()
  expect(within(queue).getByRole('button', { name: 'Reject: Dan Low, Guardian of Ada Byron' })).toBeVisible()
  expect(screen.queryByRole('list', { name: 'Guardian and child' })).not.toBeInTheDocument()
})

test('a member proposes a relationship between the two, and is told who will be asked', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const olive = me([]).person
  open({
    rows: [],
    holding: ['people.directory'],
    fakes: {
      types: relationships.types.handler(() => ({ items: [{ ...lineage, approval: 'other' as const }] })),
      create: relationships.create.handler(({ input }) => {
        sent.push(input)
        return relationship(507, ada, { ...person(2, 'Olive Owner') }, { state: 'proposed' })
      }),
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Propose relationship' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New relationship of Ada Byron' }))
  expect(await dialog.findByText('Little: Olive Owner (you)')).toBeVisible()
  expect(dialog.getByText('Ada Byron is asked to agree.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Propose relationship' }))
  await waitFor(() => expect(sent).toMatchObject([{ fromPersonId: ada.id, toPersonId: olive?.id }]))
})

test('who acts for somebody reads only', async () => {
  acting.set(uuid(20))
  open()
  await screen.findByRole('link', { name: 'Ben Ito' })
  expect(screen.queryByRole('button', { name: /relationship/ })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: /^Actions for/ })).not.toBeInTheDocument()
})
