import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { HistoryEntry, Person } from '../people-api.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const path = `/person/${uuid(11)}`
const entry = (field: string, before: unknown, after: unknown): HistoryEntry => ({
  seq: 5,
  at: '2026-11-20T10:00:00Z',
  actor: { accountId: uuid(1), name: 'Sam Secretary', personId: null },
  action: 'update',
  entity: 'people',
  entityId: uuid(11),
  subject: null,
  changes: [{ field, before, after }],
  actingFor: null,
  via: null,
})

/** One person who is kept, with versions as the server keeps them; `meanwhile` is changed by somebody else before the first save. */
function record(stored: Person, { meanwhile, changes = [] }: { meanwhile?: Partial<Person>; changes?: HistoryEntry[] } = {}) {
  let now = stored
  let foreign = meanwhile
  const sent: unknown[] = []
  const people = {
    overview: fake.data.people.overview.handler(() => ({ person: now, recentChanges: changes })),
    neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: { id: uuid(12), displayName: 'René Müller' } })),
    update: fake.data.people.update.handler(({ input: { personId: _, ...change }, errors }) => {
      if (foreign) {
        now = { ...now, ...foreign, version: now.version + 1 }
        foreign = undefined
        throw errors.PRECONDITION_FAILED({ data: { current: now } })
      }
      sent.push(change)
      now = Object.assign({}, now, change, { version: now.version + 1 })
      return now
    }),
    archive: fake.data.people.archive.handler(() => {
      now = { ...now, archivedAt: '2026-11-21T10:00:00Z' }
    }),
    restore: fake.data.people.restore.handler(() => (now = { ...now, archivedAt: null })),
  }
  return { sent, data: { people }, read: () => now }
}

const edit = async (user: ReturnType<typeof userEvent.setup>, label: string, text: string) => {
  await user.click(await screen.findByRole('button', { name: `Edit ${label}` }))
  const field = screen.getByRole('textbox', { name: label })
  await user.clear(field)
  await user.type(field, `${text}{Enter}`)
}

test('the overview shows the person, how to reach them and where they belong', async () => {
  const { data } = record(wholePerson(11, 'Ada', 'Byron', { preferredName: 'Countess', jobTitle: 'Analyst' }))
  renderPath(path, { data })
  expect(await screen.findByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible()
  expect(await screen.findByText('Analyst')).toBeVisible()
  expect(screen.getByRole('link', { name: 'ada@example.org' })).toBeVisible()
  expect(screen.getByText('Home chapter')).toBeVisible()
  expect(document.title).toBe('Ada Byron · Guildhall')
})

test('a fact is changed in place and taken back', async () => {
  const user = userEvent.setup()
  const { data, sent, read } = record(wholePerson(11, 'Ada', 'Byron', { jobTitle: 'Analyst' }))
  renderPath(path, { data })
  await edit(user, 'Job title', 'Engineer')
  expect(await screen.findByText('Job title of Ada Byron changed')).toBeVisible()
  expect(sent).toEqual([{ jobTitle: 'Engineer' }])
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(read().jobTitle).toBe('Analyst'))
})

test('a refusal stands beside the field and keeps what was typed', async () => {
  const user = userEvent.setup()
  const { data } = record(wholePerson(11, 'Ada', 'Byron'))
  const update = fake.data.people.update.handler(({ errors }) => {
    throw errors.CONFLICT({ data: { errors: [{ path: 'memberNo', code: 'taken', message: 'Somebody else has this number.' }] } })
  })
  renderPath(path, { data: { people: { ...data.people, update } } })
  await edit(user, 'Member number', 'M-99')
  expect(await screen.findByText('Somebody else has this number.')).toBeVisible()
  expect(screen.getByRole('textbox', { name: 'Member number' })).toHaveValue('M-99')
})

test('when somebody else changed the same fact, both are shown and mine can be kept', async () => {
  const user = userEvent.setup()
  const changes = [entry('job_title', 'Analyst', 'Director')]
  const { data, read } = record(wholePerson(11, 'Ada', 'Byron', { jobTitle: 'Analyst' }), { meanwhile: { jobTitle: 'Director' }, changes })
  renderPath(path, { data })
  await edit(user, 'Job title', 'Engineer')
  const dialog = await screen.findByRole('dialog', { name: 'Job title was changed by someone else' })
  expect(within(dialog).getByText(/Changed by Sam Secretary/)).toBeVisible()
  expect(within(dialog).getByText('Director')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Keep mine' }))
  await waitFor(() => expect(read().jobTitle).toBe('Engineer'))
})

test('the other value can be taken instead', async () => {
  const user = userEvent.setup()
  const { data, read, sent } = record(wholePerson(11, 'Ada', 'Byron', { jobTitle: 'Analyst' }), { meanwhile: { jobTitle: 'Director' } })
  renderPath(path, { data })
  await edit(user, 'Job title', 'Engineer')
  await user.click(await screen.findByRole('button', { name: 'Use theirs' }))
  expect(await screen.findByText('Director')).toBeVisible()
  expect(read().jobTitle).toBe('Director')
  expect(sent).toEqual([])
})

test('a change of another fact meanwhile does not stand in the way', async () => {
  const user = userEvent.setup()
  const { data, read } = record(wholePerson(11, 'Ada', 'Byron', { jobTitle: 'Analyst' }), { meanwhile: { employer: 'Babbage & Co' } })
  renderPath(path, { data })
  await edit(user, 'Job title', 'Engineer')
  expect(await screen.findByText('Job title of Ada Byron changed')).toBeVisible()
  expect(read()).toMatchObject({ jobTitle: 'Engineer', employer: 'Babbage & Co' })
})

test('archiving says so and is undone', async () => {
  const user = userEvent.setup()
  const { data, read } = record(wholePerson(11, 'Ada', 'Byron'))
  renderPath(path, { data })
  await user.click(await screen.findByRole('button', { name: 'More actions' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Archive' }))
  expect(await screen.findByText('Ada Byron archived')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(read().archivedAt).toBeNull())
})

test('a tag is put on at once and can be taken back', async () => {
  const user = userEvent.setup()
  const { data } = record(wholePerson(11, 'Ada', 'Byron'))
  const sets: string[][] = []
  const tag = { id: uuid(70), name: 'Donor', color: 'green' as const, audience: 'officers' as const }
  const tags = {
    list: fake.data.tags.list.handler(() => ({ items: [{ ...tag, uses: { person: 3 }, createdAt: '2026-01-02T10:00:00Z' }] })),
  }
  const setTags = fake.data.people.setTags.handler(({ input }) => {
    sets.push(input.tagIds)
    return { tags: input.tagIds.map(() => tag) }
  })
  renderPath(path, { data: { people: { ...data.people, setTags }, tags } })
  await user.click(await screen.findByRole('button', { name: 'Add a tag' }))
  await user.click(await screen.findByLabelText('Tag'))
  await user.click(await screen.findByRole('option', { name: /Donor/ }))
  expect(await screen.findByText('Ada Byron tagged “Donor”')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(sets).toEqual([[tag.id], []]))
})

test('a membership is ended today', async () => {
  const user = userEvent.setup()
  const person = wholePerson(11, 'Ada', 'Byron')
  const { data } = record(person)
  const ended: unknown[] = []
  const updateMembership = fake.data.people.updateMembership.handler(({ input }) => {
    ended.push(input.endsOn)
    const [membership] = person.memberships
    if (!membership) throw new Error('she belongs to one')
    return { ...membership, endsOn: input.endsOn ?? null }
  })
  renderPath(`${path}/memberships`, { data: { people: { ...data.people, updateMembership } } })
  await user.click(await screen.findByRole('button', { name: 'Actions for Bern' }))
  await user.click(await screen.findByRole('menuitem', { name: 'End today' }))
  expect(await screen.findByText('Membership in Bern ends today')).toBeVisible()
  expect(ended).toEqual([new Date().toISOString().slice(0, 10)])
})

test('an officer is told who adds a person of other chapters, and why a membership does not come back', async () => {
  const user = userEvent.setup()
  const whole = wholePerson(11, 'Ada', 'Byron')
  const person = { ...whole, may: { ...whole.may, edit: false } }
  const { data } = record(person)
  const updateMembership = fake.data.people.updateMembership.handler(({ errors }) => {
    throw errors.FORBIDDEN({ data: { reason: 'affiliations_reach', detail: 'Said by the server.' } })
  })
  renderPath(`${path}/memberships`, { data: { people: { ...data.people, updateMembership } } })
  expect(await screen.findByText(/Ask an administrator to add them to one/)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add to a chapter' })).toBeNull()
  await user.click(await screen.findByRole('button', { name: 'Actions for Bern' }))
  await user.click(await screen.findByRole('menuitem', { name: 'End today' }))
  expect(await screen.findByText(/Ask an administrator to make this change\.$/)).toBeVisible()
})

test('the history says what was before and after, and by whom', async () => {
  const { data } = record(wholePerson(11, 'Ada', 'Byron'))
  const history = fake.data.people.history.handler(() => ({ items: [entry('lifecycle', 'active', 'alumni')], nextCursor: null }))
  renderPath(`${path}/history`, { data: { people: { ...data.people, history } } })
  expect(await screen.findByText('Facts changed')).toBeVisible()
  expect(screen.getByText(/Sam Secretary/)).toBeVisible()
  const change = within(screen.getByRole('definition'))
  expect(change.getByText('Active')).toBeVisible()
  expect(change.getByText('Alumni')).toBeVisible()
})

test('the history says for whom somebody acted', async () => {
  const { data } = record(wholePerson(11, 'Ada', 'Byron'))
  const items = [
    { ...entry('lifecycle', 'active', 'alumni'), actingFor: 'Ada Byron' },
    { ...entry('city', 'Bern', 'Lyon'), seq: 2, actingFor: '' },
  ]
  const history = fake.data.people.history.handler(() => ({ items, nextCursor: null }))
  renderPath(`${path}/history`, { data: { people: { ...data.people, history } } })
  expect(await screen.findByText(/Sam Secretary for Ada Byron/)).toBeVisible()
  expect(screen.getByText(/Sam Secretary for somebody else/)).toBeVisible()
})

test('who changed a fact is told on demand', async () => {
  const user = userEvent.setup()
  const { data } = record(wholePerson(11, 'Ada', 'Byron', { jobTitle: 'Director' }))
  const history = fake.data.people.history.handler(() => ({ items: [entry('job_title', 'Analyst', 'Director')], nextCursor: null }))
  renderPath(path, { data: { people: { ...data.people, history } } })
  await user.click(await screen.findByRole('switch', { name: 'Who changed it' }))
  expect(await screen.findByText(/Sam Secretary/)).toBeVisible()
})

test('an unknown section gives way to the overview', async () => {
  const { data } = record(wholePerson(11, 'Ada', 'Byron'))
  const { router } = renderPath(`${path}/nonsense`, { data })
  expect(await screen.findByRole('heading', { name: 'Facts' })).toBeVisible()
  await waitFor(() => expect(router.state.location.pathname).toBe(path))
})

test('somebody who does not exist, or may not be seen, is not found', async () => {
  const overview = fake.data.people.overview.handler(({ errors }) => {
    throw errors.NOT_FOUND()
  })
  renderPath(path, { data: { people: { overview } } })
  expect(await screen.findByRole('heading', { level: 1, name: /find this page/ })).toBeVisible()
})

test('somebody whose data was erased is named as such', async () => {
  const overview = fake.data.people.overview.handler(({ errors }) => {
    throw errors.GONE()
  })
  renderPath(path, { data: { people: { overview } } })
  expect(await screen.findByRole('heading', { level: 1, name: 'Erased person' })).toBeVisible()
})

test('a member sees no contact data of others and nothing to change', async () => {
  const { may } = wholePerson(11, 'Ada', 'Byron')
  const none = Object.fromEntries(Object.keys(may).map((key) => [key, false]))
  const { data } = record({ ...wholePerson(11, 'Ada', 'Byron', { emails: [] }), may: { ...may, ...none } })
  renderPath(path, { data }, { holding: ['people.directory'] })
  expect(await screen.findByText(/Contact data is shown to officers/)).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Edit/ })).not.toBeInTheDocument()
  expect(screen.queryByRole('button', { name: 'More actions' })).not.toBeInTheDocument()
  expect(screen.queryByRole('link', { name: 'History' })).not.toBeInTheDocument()
})

test('the record of somebody who died says so and offers nothing but the status, to whoever decides it', async () => {
  const person = wholePerson(11, 'Ada', 'Byron', { lifecycle: 'deceased' })
  const may = { ...person.may, edit: false, editContact: false, archive: false, setMemberNo: false, appoint: false }
  const { unmount } = renderPath(path, record({ ...person, may }))
  expect(
    await screen.findByText('This person is deceased, so the record is read-only. If that is a mistake, change the status.'),
  ).toBeVisible()
  expect(await screen.findByRole('button', { name: 'Edit Status' })).toBeVisible()
  expect(screen.getAllByRole('button', { name: /^(Edit|Add|Archive|Make|Remove)/ })).toHaveLength(1)
  unmount()
  renderPath(`${path}/memberships`, record({ ...person, may: { ...may, decide: false } }))
  expect(await screen.findByText('This person is deceased, so the record is read-only.')).toBeVisible()
  expect(await screen.findByRole('heading', { name: /^Chapters/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add to a chapter' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Actions for Bern' })).toBeNull()
})

test('an officer is told who assigns member numbers and offered no status that the home chapter decides', async () => {
  const user = userEvent.setup()
  const person = wholePerson(11, 'Ada', 'Byron')
  renderPath(path, record({ ...person, may: { ...person.may, setMemberNo: false, decide: false, archive: false } }))
  expect(await screen.findByText('The office assigns member numbers.')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Edit Member number' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Edit Status' }))
  const names = within(screen.getByRole('combobox', { name: 'Status' }))
    .getAllByRole('option')
    .map(({ textContent }) => textContent)
  expect(names).toEqual(['Prospect', 'Active', 'Alumni'])
})

test('an office note is written by whoever may, with a word on who sees it; without the right there is no sign of it', async () => {
  const user = userEvent.setup()
  const person = wholePerson(11, 'Ada', 'Byron')
  const noted = { ...person, officeNote: 'Call first', may: { ...person.may, seeOfficeNote: true, editOfficeNote: true } }
  const notes: string[] = []
  const setOfficeNote = fake.data.people.setOfficeNote.handler(({ input: { note } }) => {
    notes.push(note)
    return { note }
  })
  const { unmount } = renderPath(path, { data: { people: { ...record(noted).data.people, setOfficeNote } } })
  expect(await screen.findByText('Ada Byron cannot see this note.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Edit Note' }))
  const field = screen.getByRole('textbox', { name: 'Note' })
  await user.clear(field)
  await user.type(field, 'Call later')
  await user.tab()
  await waitFor(() => expect(notes).toEqual(['Call later']))
  unmount()
  renderPath(path, record(person))
  expect(await screen.findByRole('heading', { name: 'Facts' })).toBeVisible()
  expect(screen.queryByText('Office note')).toBeNull()
})

test('external ids are added and removed by the office, read by others, and absent where there are none', async () => {
  const user = userEvent.setup()
  const person = wholePerson(11, 'Ada', 'Byron', { externalIds: [{ system: 'stripe', externalId: 'c_8' }] })
  const calls: string[] = []
  const setExternalId = fake.data.people.setExternalId.handler(({ input: { system, externalId } }) => {
    calls.push(`${system}=${externalId}`)
    return { system, externalId }
  })
  const removeExternalId = fake.data.people.removeExternalId.handler(({ input: { system } }) => void calls.push(`-${system}`))
  const { unmount } = renderPath(path, { data: { people: { ...record(person).data.people, setExternalId, removeExternalId } } })
  await user.click(await screen.findByRole('button', { name: 'Add an external id' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add an external id' })
  await user.type(within(dialog).getByRole('textbox', { name: 'System' }), 'Civi CRM')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await within(dialog).findByText('Enter the id.')).toBeVisible()
  await user.type(within(dialog).getByRole('textbox', { name: 'External id' }), '57')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(calls).toEqual(['civi-crm=57']))
  await user.click(await screen.findByRole('button', { name: 'Remove stripe' }))
  await waitFor(() => expect(calls).toEqual(['civi-crm=57', '-stripe']))
  unmount()
  const reader = { ...person, may: { ...person.may, setMemberNo: false } }
  const { unmount: leave } = renderPath(path, record(reader))
  expect(await screen.findByText('c_8')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Add an external id' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Remove stripe' })).toBeNull()
  leave()
  renderPath(path, record({ ...reader, externalIds: [] }))
  expect(await screen.findByRole('heading', { name: 'Facts' })).toBeVisible()
  expect(screen.queryByText('External ids')).toBeNull()
})

test('the old address of a merged person leads to the record that stands for them', async () => {
  const merged = {
    ...wholePerson(11, 'Ada', 'Byron'),
    lifecycle: 'merged' as const,
    mergedInto: { id: uuid(12), displayName: 'Ada Lovelace' },
  }
  const overview = fake.data.people.overview.handler(({ input }) => ({
    person: input.personId === uuid(11) ? merged : wholePerson(12, 'Ada', 'Lovelace'),
    recentChanges: [],
  }))
  const { people } = record(merged).data
  const { router } = renderPath(path, { data: { people: { ...people, overview } } })
  await screen.findByRole('heading', { level: 1, name: 'Ada Lovelace' })
  expect(router.state.location.pathname).toBe(`/person/${uuid(12)}`)
})
