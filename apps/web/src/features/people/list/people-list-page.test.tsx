import type { Field } from '@guildhall/contract/features/fields'
import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { PeopleListInput } from '@guildhall/contract/features/people'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { personRow, wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { rememberRow } from '../../../ui/list/use-return-to-row.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const ada = personRow(11, 'Ada', 'Byron')
const rene = personRow(12, 'René', 'Müller', { lifecycle: 'alumni' })
const job = (id: string) => ({
  id,
  kind: 'bulk' as const,
  title: 'Tag',
  status: 'done' as const,
  done: 2,
  total: 2,
  result: {},
  error: null,
  createdAt: '2026-01-02T10:00:00Z',
  startedAt: null,
  finishedAt: null,
})
const noViews = { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } }
const noneAlike = fake.data.people.duplicates.handler(() => ({ items: [] }))

/** Ada and René, found by anything in their names; remembers what was asked. */
function directory(rows = [ada, rene]) {
  const asked: PeopleListInput[] = []
  const list = fake.data.people.list.handler(({ input }) => {
    asked.push(input)
    const items = rows.filter(({ displayName }) => displayName.toLowerCase().includes((input.q ?? '').toLowerCase()))
    return { items, nextCursor: null, total: items.length, totalIsExact: true }
  })
  const overview = fake.data.people.overview.handler(({ input }) => {
    const row = rows.find(({ id }) => id === input.personId) ?? ada
    return { person: { ...wholePerson(11, row.givenName, row.familyName), id: row.id }, recentChanges: [] }
  })
  return { asked, people: { list, overview } }
}

/** As one paste: a form that is drawn anew for every letter makes a busy machine slow. */
async function fill(user: ReturnType<typeof userEvent.setup>, field: HTMLElement, text: string) {
  await user.click(field)
  await user.paste(text)
}

test('the list shows who there is and how many', async () => {
  const { people } = directory()
  renderPath('/members', { data: { people, lists: noViews } })
  expect(await screen.findByRole('link', { name: 'Ada Byron' })).toHaveAttribute('href', `/person/${ada.id}`)
  expect(screen.getByText('2 people')).toBeVisible()
})

test('what is typed is searched by the server and stands in the address', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory()
  const { router } = renderPath('/members', { data: { people, lists: noViews } })
  await user.type(await screen.findByRole('searchbox', { name: 'Search members' }), 'rené')
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Ada Byron' })).not.toBeInTheDocument())
  expect(asked.at(-1)?.q).toBe('rené')
  expect(router.state.location.search).toMatchObject({ q: 'rené' })
})

test('a filter narrows the list, is a chip and is explained in words', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory()
  renderPath('/members', { data: { people, lists: noViews } })
  await user.click(await screen.findByRole('button', { name: 'Filter' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Status' }))
  await user.click(await screen.findByRole('checkbox', { name: 'Alumni' }))
  await user.click(screen.getByRole('button', { name: 'Apply' }))
  expect(await screen.findByRole('button', { name: 'Status is any of Alumni' })).toBeVisible()
  await waitFor(() =>
    expect(JSON.parse(asked.at(-1)?.filter ?? '{}')).toEqual({ and: [{ or: [{ field: 'lifecycle', op: 'in', value: ['alumni'] }] }] }),
  )
  await user.click(screen.getByRole('button', { name: 'Display' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'This list in words' }))
  expect(screen.getByText(/People of whom all of this is true: Status is any of Alumni/)).toBeVisible()
})

test('a filter of the address is dropped when it makes no sense', async () => {
  const { people, asked } = directory()
  renderPath('/members?filter=nonsense&sort=-joinedOn', { data: { people, lists: noViews } })
  await screen.findByRole('link', { name: 'Ada Byron' })
  expect(asked[0]).toMatchObject({ sort: '-joinedOn' })
  expect(asked[0]?.filter).toBeUndefined()
})

test('the head of a column sorts, a second time the other way round', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory()
  renderPath('/members', { data: { people, lists: noViews } })
  await screen.findByRole('link', { name: 'Ada Byron' })
  await user.click(screen.getByRole('button', { name: 'Joined' }))
  await waitFor(() => expect(asked.at(-1)?.sort).toBe('joinedOn'))
  await user.click(await screen.findByRole('button', { name: 'Joined' }))
  await waitFor(() => expect(asked.at(-1)?.sort).toBe('-joinedOn'))
})

test('nobody found offers to clear search and filters', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  renderPath('/members?q=zzz', { data: { people, lists: noViews } })
  expect(await screen.findByRole('heading', { name: 'Nobody matches “zzz”' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Clear search and filters' }))
  expect(await screen.findByRole('link', { name: 'Ada Byron' })).toBeVisible()
})

test('a row opens the person beside the list, and the next one follows', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const { router } = renderPath('/members', { data: { people, lists: noViews } })
  const row = (await screen.findByRole('link', { name: 'Ada Byron' })).closest('tr')
  await user.click(within(row ?? document.body).getByText('Active'))
  const panel = await screen.findByRole('complementary', { name: 'Ada Byron' })
  expect(within(panel).getByRole('link', { name: 'ada@example.org' })).toBeVisible()
  expect(router.state.location.search).toMatchObject({ panel: `person:${ada.id}` })
  await user.click(within(panel).getByRole('button', { name: 'Next' }))
  expect(await screen.findByRole('complementary', { name: 'René Müller' })).toBeVisible()
})

test('typing in the search goes on when the panel closes because of it', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  renderPath('/members', { data: { people, lists: noViews } })
  const row = (await screen.findByRole('link', { name: 'Ada Byron' })).closest('tr')
  await user.click(within(row ?? document.body).getByText('Active'))
  await screen.findByRole('complementary', { name: 'Ada Byron' })
  const search = screen.getByRole('searchbox', { name: 'Search members' })
  await user.type(search, 'a')
  await waitFor(() => expect(screen.queryByRole('complementary')).not.toBeInTheDocument())
  expect(search).toHaveFocus()
})

test('Escape in the list closes the panel, a second time the selection', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  renderPath('/members', { data: { people, lists: noViews } })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Byron' }))
  const row = screen.getByRole('link', { name: 'Ada Byron' }).closest('tr')
  row?.focus()
  await user.keyboard(' ')
  await screen.findByRole('complementary', { name: 'Ada Byron' })
  await screen.findByRole('region', { name: 'Selected rows' })
  row?.focus()
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('complementary')).not.toBeInTheDocument())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Selected rows' })).not.toBeInTheDocument())
})

test('several people are tagged after a count, and that is undone', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const done: string[] = []
  const counts = { matched: 2, changed: 2, unchanged: 0, refused: 0 }
  const tags = {
    list: fake.data.tags.list.handler(() => ({
      items: [
        { id: uuid(70), name: 'Donor', color: 'green', audience: 'officers', uses: { person: 3 }, createdAt: '2026-01-02T10:00:00Z' },
      ],
    })),
  }
  const bulk = {
    preview: fake.actions.people.bulk.preview.handler(() => ({
      ...counts,
      sample: [{ id: ada.id, name: ada.displayName }],
      refusedSample: [],
    })),
    run: fake.actions.people.bulk.run.handler(({ input }) => {
      done.push(JSON.stringify(input))
      return { job: job(uuid(71)), counts, undoableUntil: '2027-01-01T00:00:00Z' }
    }),
  }
  const lists = {
    bulk: {
      undo: fake.actions.lists.bulk.undo.handler(({ input }) => {
        done.push(`undo ${input.jobId}`)
        return { job: job(uuid(72)), counts, undoableUntil: null }
      }),
    },
  }
  renderPath('/members', { data: { people, tags, lists: noViews }, actions: { people: { bulk }, lists } })
  await screen.findByRole('link', { name: 'Ada Byron' })
  await user.click(screen.getByRole('checkbox', { name: 'Select Ada Byron' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select René Müller' }))
  const bar = screen.getByRole('region', { name: 'Selected rows' })
  await user.click(within(bar).getByRole('button', { name: 'Tag' }))
  await user.click(await screen.findByLabelText('Tag'))
  await user.click(await screen.findByRole('option', { name: /Donor/ }))
  expect(await screen.findByText('2 people would change.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Tag 2 people' }))
  expect(await screen.findByText('2 people tagged “Donor”')).toBeVisible()
  expect(JSON.parse(done[0] ?? '')).toEqual({ selection: { ids: [ada.id, rene.id] }, change: { do: 'tag', tagId: uuid(70) } })
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(done[1]).toBe(`undo ${uuid(71)}`))
})

test('renewal invoices say of everybody who gets none why', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const bulk = {
    preview: fake.actions.people.bulk.preview.handler(() => ({
      matched: 2,
      changed: 1,
      unchanged: 1,
      refused: 0,
      sample: [{ id: ada.id, name: ada.displayName }],
      refusedSample: [],
      unchangedWhy: [{ reason: 'leaving', total: 1, first: [{ id: rene.id, name: rene.displayName }] }],
    })),
  }
  renderPath('/members', { data: { people, lists: noViews }, actions: { people: { bulk } } })
  await screen.findByRole('link', { name: 'Ada Byron' })
  await user.click(screen.getByRole('checkbox', { name: 'Select Ada Byron' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select René Müller' }))
  await user.click(within(await screen.findByRole('region', { name: 'Selected rows' })).getByRole('button', { name: 'Renewal invoices' }))
  const dialog = await screen.findByRole('dialog')
  expect(await within(dialog).findByText('1 membership is cancelled for a later day.')).toBeVisible()
  expect(within(dialog).getByText(rene.displayName)).toBeVisible()
})

test('a field of the organisation is given choices for the selected people', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const langs: Field = {
    id: uuid(90),
    recordType: 'people',
    key: 'langs',
    label: 'Languages',
    help: '',
    type: 'choices',
    required: false,
    pattern: '',
    section: '',
    audience: 'everyone',
    ownEditable: false,
    sensitive: false,
    searchable: false,
    reach: 'all',
    archivedAt: null,
    choices: [{ id: uuid(91), label: 'French', color: 'gray', retired: false }],
    version: 1,
  }
  const counts = { matched: 1, changed: 1, unchanged: 0, refused: 0 }
  const done: unknown[] = []
  const bulk = {
    preview: fake.actions.people.bulk.preview.handler(() => ({ ...counts, sample: [], refusedSample: [] })),
    run: fake.actions.people.bulk.run.handler(({ input }) => {
      done.push(input.change)
      return { job: job(uuid(71)), counts, undoableUntil: '2027-01-01T00:00:00Z' }
    }),
  }
  const fields = { list: fake.data.fields.list.handler(() => ({ items: [langs] })) }
  renderPath('/members', { data: { people, fields, lists: noViews }, actions: { people: { bulk } } })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Byron' }))
  await user.click(within(screen.getByRole('region', { name: 'Selected rows' })).getByRole('button', { name: 'Field' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Change a field of 1 person' }))
  await user.selectOptions(await dialog.findByRole('combobox', { name: 'Field' }), 'Languages')
  expect(dialog.getByRole('combobox', { name: 'Change' })).toHaveDisplayValue('Add choices')
  await user.click(dialog.getByRole('checkbox', { name: 'French' }))
  await user.click(await dialog.findByRole('button', { name: 'Change 1 person' }))
  expect(await screen.findByText('“Languages” of 1 person changed')).toBeVisible()
  expect(done).toEqual([{ do: 'addChoices', fieldId: uuid(90), choiceIds: [uuid(91)] }])
})

test('all that match are selected by the filter, not by their ids', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const seen: string[] = []
  const bulk = {
    preview: fake.actions.people.bulk.preview.handler(({ input }) => {
      seen.push(JSON.stringify(input.selection))
      return { matched: 500, changed: 500, unchanged: 0, refused: 0, sample: [], refusedSample: [] }
    }),
  }
  const many = fake.data.people.list.handler(() => ({ items: [ada, rene], nextCursor: null, total: 500, totalIsExact: true }))
  renderPath('/members?q=a', { data: { people: { ...people, list: many }, lists: noViews }, actions: { people: { bulk } } })
  await user.click(await screen.findByRole('checkbox', { name: 'Select Ada Byron' }))
  await user.click(screen.getByRole('button', { name: 'Select all 500 matching' }))
  await user.click(screen.getByRole('checkbox', { name: 'Select René Müller' }))
  await user.click(screen.getByRole('button', { name: 'Archive' }))
  expect(await screen.findByRole('dialog', { name: 'Archive 499 people' })).toBeVisible()
  await waitFor(() => expect(JSON.parse(seen[0] ?? '')).toEqual({ all: { q: 'a' }, except: [rene.id] }))
})

test('a new member needs a name; what is wrong is said beside its field', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  renderPath('/members?new=1', { data: { people: { ...people, duplicates: noneAlike }, lists: noViews } })
  await user.click(await screen.findByRole('button', { name: 'Create member' }))
  expect(await screen.findByLabelText('Family name')).toBeInvalid()
  expect(screen.getByText('Enter a given or family name.')).toBeVisible()
  await fill(user, screen.getByLabelText('Family name'), 'Noether')
  await fill(user, screen.getByLabelText(/^E-mail/), 'emmy.example.org')
  await user.tab()
  expect(await screen.findByText('Enter an address like name@example.org.')).toBeVisible()
})

test('a new member is entered with what was typed and opens beside the list', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const created: unknown[] = []
  const create = fake.data.people.create.handler(({ input }) => {
    created.push(input)
    return wholePerson(13, input.givenName ?? '', input.familyName ?? '')
  })
  const { router } = renderPath('/members?new=1', { data: { people: { ...people, create, duplicates: noneAlike }, lists: noViews } })
  await fill(user, await screen.findByLabelText('Given name'), 'Emmy')
  await fill(user, screen.getByLabelText('Family name'), 'Noether')
  await fill(user, screen.getByLabelText(/^E-mail/), 'emmy@example.org')
  await user.click(screen.getByRole('button', { name: 'Create member' }))
  await waitFor(() =>
    expect(created[0]).toMatchObject({
      givenName: 'Emmy',
      familyName: 'Noether',
      emails: [{ address: 'emmy@example.org', isPrimary: true }],
    }),
  )
  expect(await screen.findByText('Emmy Noether entered')).toBeVisible()
  await waitFor(() => expect(router.state.location.search).toMatchObject({ panel: `person:${uuid(13)}` }))
})

test('what only the server knows to be wrong lands in its field', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const create = fake.data.people.create.handler(({ errors }) => {
    throw errors.CONFLICT({
      data: { errors: [{ path: 'emails.0.address', code: 'duplicate', message: 'Somebody else has this address.' }] },
    })
  })
  renderPath('/members?new=1', { data: { people: { ...people, create, duplicates: noneAlike }, lists: noViews } })
  await fill(user, await screen.findByLabelText('Given name'), 'Emmy')
  await fill(user, screen.getByLabelText(/^E-mail/), 'ada@example.org')
  await user.click(screen.getByRole('button', { name: 'Create member' }))
  expect(await screen.findByText('Somebody else has this address.')).toBeVisible()
  expect(screen.getByLabelText(/^E-mail/)).toHaveValue('ada@example.org')
})

test('people who may be the same are offered while one types', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const duplicates = fake.data.people.duplicates.handler(() => ({
    items: [
      {
        person: {
          id: ada.id,
          displayName: 'Ada Byron',
          memberNo: 'M-11',
          lifecycle: 'active' as const,
          homeChapter: null,
          archived: false,
        },
        reasons: ['name' as const],
        score: 0.9,
      },
    ],
  }))
  renderPath('/members?new=1', { data: { people: { ...people, duplicates }, lists: noViews } })
  const dialog = await screen.findByRole('dialog')
  await fill(user, await within(dialog).findByLabelText('Given name'), 'Ada')
  await fill(user, within(dialog).getByLabelText('Family name'), 'Biron')
  expect(await within(dialog).findByRole('link', { name: 'Ada Byron' })).toBeVisible()
  expect(within(dialog).getByText(/like name/)).toBeVisible()
})

test('a view is saved under a name and chosen', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const saved: { id: string; name: string; spec: object }[] = []
  const view = (name: string, spec: object) => ({
    id: uuid(80),
    list: 'people' as const,
    name,
    spec,
    sharedWith: 'me' as const,
    mine: true,
    owner: 'Olive Owner',
    version: 1,
    createdAt: '2026-01-02T10:00:00Z',
    updatedAt: '2026-01-02T10:00:00Z',
  })
  const views = {
    list: fake.data.lists.views.list.handler(() => ({ items: saved.map(({ name, spec }) => view(name, spec)) })),
    create: fake.data.lists.views.create.handler(({ input }) => {
      saved.push({ id: uuid(80), name: input.name, spec: input.spec })
      return view(input.name, input.spec)
    }),
  }
  const { router } = renderPath('/members?q=rené', { data: { people, lists: { views } } })
  await user.click(await screen.findByRole('button', { name: 'Save as view' }))
  await user.type(await screen.findByLabelText('Name'), 'All of René')
  await user.click(screen.getByRole('button', { name: 'Save view' }))
  expect(await screen.findByRole('button', { name: 'All of René' })).toHaveAttribute('aria-current', 'true')
  expect(saved[0]?.spec).toMatchObject({ q: 'rené' })
  expect(router.state.location.search).toEqual({ view: uuid(80) })
  expect(screen.getByRole('searchbox')).toHaveValue('rené')
})

test('a view that is gone says so and shows everybody', async () => {
  const { people } = directory()
  renderPath(`/members?view=${uuid(81)}`, { data: { people, lists: noViews } })
  expect(await screen.findByText(/The view of this link was removed/)).toBeVisible()
  expect(await screen.findByRole('link', { name: 'Ada Byron' })).toBeVisible()
})

test('an export of more than a thousand rows asks what it is for', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const many = fake.data.people.list.handler(() => ({ items: [ada, rene], nextCursor: null, total: 2400, totalIsExact: true }))
  const sent: unknown[] = []
  const exports = {
    list: fake.data.lists.exports.list.handler(() => ({ items: [] })),
    columns: fake.data.lists.exports.columns.handler(() => ({ items: [{ key: 'displayName', header: 'Name', kind: 'text' as const }] })),
  }
  const create = fake.actions.lists.exports.create.handler(({ input }) => {
    sent.push(input)
    return {
      id: uuid(90),
      list: 'people',
      format: 'csv',
      reason: '',
      rows: null,
      job: { ...job(uuid(91)), kind: 'export', status: 'failed', error: { reason: 'storage', detail: 'Said by the server.' } },
      createdAt: '2026-01-02T10:00:00Z',
      expiresAt: '2026-01-09T10:00:00Z',
      downloadable: false,
    }
  })
  renderPath('/members', {
    data: { people: { ...people, list: many }, lists: { ...noViews, exports } },
    actions: { lists: { exports: { create } } },
  })
  await screen.findByRole('link', { name: 'Ada Byron' })
  await user.click(screen.getByRole('button', { name: 'Export' }))
  await user.click(await screen.findByRole('button', { name: 'Export 2,400 rows' }))
  expect(await screen.findByText('Say what the export is for.')).toBeVisible()
  await user.type(screen.getByLabelText('What is it for?'), 'Newsletter')
  await user.click(screen.getByRole('button', { name: 'Export 2,400 rows' }))
  await waitFor(() =>
    expect(sent[0]).toMatchObject({ columns: ['displayName'], selection: { all: {}, except: [] }, reason: 'Newsletter', format: 'csv' }),
  )
  expect(await screen.findByText(/^The export failed: The server has no space left for files/)).toBeVisible()
})

test('a member sees the directory, but no contact columns and nothing to change', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory()
  renderPath('/members', { data: { people, lists: noViews } }, { holding: ['people.directory', 'groups.read'] })
  await screen.findByRole('link', { name: 'Ada Byron' })
  expect(asked[0]?.columns ?? '').not.toContain('primaryEmail')
  for (const name of ['New member', 'Import', 'Export']) expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Tags' })).toBeVisible())
  expect(screen.queryByRole('checkbox', { name: 'E-mail' })).not.toBeInTheDocument()
})

test('a guest is told whom the directory is for', async () => {
  renderPath('/members', {}, { holding: [] })
  expect(await screen.findByRole('heading', { name: 'The directory is for members' })).toBeVisible()
})

test('a failing server is named with a way to try again', async () => {
  const list = fake.data.people.list.handler(({ errors }) => {
    throw errors.SERVICE_UNAVAILABLE()
  })
  renderPath('/members', { data: { people: { list }, lists: noViews } })
  expect(await screen.findByRole('heading', { name: 'The members could not be loaded' })).toBeVisible()
  expect(screen.getByRole('button', { name: 'Try again' })).toBeVisible()
})

test('a column is drawn wider with the keys, and the address keeps it', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  const { router } = renderPath('/members', { data: { people, lists: noViews } })
  await screen.findByRole('link', { name: 'Ada Byron' })
  screen.getByRole('separator', { name: 'Width of Status' }).focus()
  await user.keyboard('{ArrowRight}')
  await waitFor(() => expect(router.state.location.search).toMatchObject({ widths: { lifecycle: 128 } }))
})

test('coming back to the list with a form open leaves the focus in the form', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  rememberRow('Members', ada.id)
  renderPath('/members?new=1', { data: { people: { ...people, duplicates: noneAlike }, lists: noViews } })
  await user.click(await screen.findByLabelText('Family name'))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(screen.getByLabelText('Family name')).toHaveFocus()
})

test('a fact of a row is changed where it stands and taken back', async () => {
  const user = userEvent.setup()
  const { people } = directory()
  let now = { ...wholePerson(11, 'Ada', 'Byron'), lifecycle: 'active' as 'active' | 'alumni' }
  const get = fake.data.people.get.handler(() => now)
  const update = fake.data.people.update.handler(
    ({ input }) => (now = { ...now, lifecycle: input.lifecycle === 'alumni' ? 'alumni' : 'active' }),
  )
  renderPath('/members', { data: { people: { ...people, get, update }, lists: noViews } })
  await user.click(await screen.findByRole('button', { name: 'Edit Status of Ada Byron' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Status of Ada Byron' }), 'alumni')
  await user.keyboard('{Enter}')
  await screen.findByText('Status of Ada Byron changed')
  expect(now.lifecycle).toBe('alumni')
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(now.lifecycle).toBe('active'))
})

test('rows are not ticked by those who can do nothing with them, and a click on a figure narrows the list down', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory()
  const summary = fake.data.people.summary.handler(() => ({
    lifecycles: [{ lifecycle: 'alumni' as const, people: 1 }],
    joins: [{ month: '2026-11', people: 1 }],
  }))
  renderPath('/members', { data: { people: { ...people, summary }, lists: noViews } }, { holding: ['people.directory'] })
  await screen.findByRole('link', { name: 'Ada Byron' })
  expect(screen.queryByRole('checkbox', { name: 'Select Ada Byron' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Edit Status of Ada Byron' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Display' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Status and joins' }))
  await user.keyboard('{Escape}')
  await user.click(await screen.findByRole('button', { name: /Alumni/ }))
  await waitFor(() => expect(asked.at(-1)?.filter).toContain('"value":["alumni"]'))
})

test('who has read as many people as an account may in an hour is told so in place of the list', async () => {
  const list = fake.data.people.list.handler(({ errors }) => {
    throw errors.TOO_MANY_REQUESTS({
      data: { reason: 'people_per_hour', detail: 'Said by the server.', params: { perHour: 3_000, againInSeconds: 1_700 } },
    })
  })
  renderPath('/members', { data: { people: { list }, lists: noViews } })
  expect(await screen.findByText('Your account may read 3,000 people an hour. Try again in 29 minutes.')).toBeVisible()
})

const lapsing = personRow(13, 'Lin', 'Song', {
  membership: {
    id: uuid(70),
    type: { id: uuid(71), name: 'Full member' },
    status: 'active',
    startsOn: '2025-12-04',
    endsOn: '2026-12-03',
    autoRenew: false,
  },
  dues: { state: 'overdue', open: [{ amount: 6000, currency: 'EUR' }], dueOn: '2026-11-01' },
})

test('those who read memberships and dues have views of terms that end, with what is owed', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory([lapsing])
  renderPath('/members', { data: { people, lists: noViews } }, { holding: ['people.directory', 'memberships.read', 'finance.read'] })
  await user.click(await screen.findByRole('button', { name: 'Lapsing in 30 days' }))
  await waitFor(() => expect(asked.at(-1)).toMatchObject({ sort: 'termEnd', columns: expect.stringContaining('membership') as string }))
  const { and } = JSON.parse(asked.at(-1)?.filter ?? '{}') as { and: { or: { field: string; value: string[] }[] }[] }
  expect(and.map(({ or }) => or[0]?.field)).toEqual(['membershipStatus', 'termEnd'])
  const [from = '', to = ''] = and[1]?.or[0]?.value ?? []
  expect((Date.parse(to) - Date.parse(from)) / 86_400_000).toBe(30)
  expect(await screen.findByRole('row', { name: /Lin Song.*Full member.*Dec 3, 2026.*Active.*Off.*€60.00 Overdue/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Lapsed' }))
  await waitFor(() => expect(asked.at(-1)?.sort).toBe('-termEnd'))
})

test('others find neither views, columns nor filters of memberships and dues', async () => {
  const user = userEvent.setup()
  const { people, asked } = directory()
  renderPath('/members', { data: { people, lists: noViews } }, { holding: ['people.directory'] })
  await screen.findByRole('link', { name: 'Ada Byron' })
  expect(screen.queryByRole('button', { name: 'Lapsed' })).not.toBeInTheDocument()
  await user.click(screen.getByRole('button', { name: 'Filter' }))
  await screen.findByRole('menuitem', { name: 'Affiliation' })
  for (const name of ['Membership type', 'Term end', 'Auto-renewal', 'Dues'])
    expect(screen.queryByRole('menuitem', { name })).not.toBeInTheDocument()
  expect(asked[0]?.columns ?? '').not.toContain('membership')
})
