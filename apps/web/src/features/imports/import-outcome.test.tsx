import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { expect, test } from 'vitest'
import { fake } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { ImportView } from './import-view.tsx'

const id = (last: number) => `01920000-0000-7000-8000-00000000000${last}`
const none = { create: 0, update: 0, unchanged: 0, skip: 0, reject: 0 }
const checked: Import = {
  id: id(1),
  kind: 'chapters',
  fileName: 'chapters.csv',
  fileSize: 10,
  status: 'checked',
  rowsTotal: 3,
  counts: { check: { ...none, update: 1, skip: 2 }, run: null, undo: null },
  error: null,
  tag: null,
  createdBy: { id: id(2), name: 'Sam', isMe: true },
  createdAt: '2026-11-01T00:00:00Z',
  finishedAt: null,
  undoUntil: null,
  version: 1,
  format: { type: 'csv', encoding: 'utf-8', separator: ',', headerRow: 1, dateOrder: null, sheet: null },
  columns: [],
  sample: [],
  options: {
    matchBy: [],
    doubles: 'reject',
    onNew: 'create',
    onMatch: 'update',
    tag: null,
    defaultChapterId: null,
    defaultStartsOn: null,
    phoneCountry: null,
    values: {},
    newChoices: 'reject',
  },
  findings: [],
  missing: [],
  unrecognized: [],
  savedMapping: null,
  sameFile: [],
  job: null,
  changes: {
    check: [
      { kind: 'parentCode:change', rows: 2 },
      { kind: 'city:add', rows: 1 },
    ],
    run: null,
    undo: null,
  },
  waiting: 2,
}
const moved = (line: number, name: string): ImportRow => ({
  line,
  outcome: 'skip',
  entityId: id(line),
  name,
  accepted: false,
  sameAs: null,
  changes: [
    { field: 'parentCode', how: 'change', before: 'North', after: 'South', hidden: false },
    { field: 'level', how: 'change', before: 'chapter', after: 'club', hidden: false },
  ],
  findings: [
    {
      level: 'warning',
      code: 'not_accepted',
      column: null,
      value: null,
      params: { chapter: name, people: 7, phase: 'check' },
      message: 'The server’s own words.',
      fix: '',
    },
  ],
})
const plain: ImportRow = {
  line: 4,
  outcome: 'update',
  entityId: id(4),
  name: 'Dale',
  accepted: null,
  sameAs: null,
  changes: [
    { field: 'city', how: 'add', before: null, after: 'Bonn', hidden: false },
    { field: 'contactEmail', how: 'change', before: null, after: null, hidden: true },
  ],
  findings: [],
}
const page = (items: ImportRow[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

test('changes of chapters are shown one by one, with what they were and how many people they concern, and wait for a tick', async () => {
  const user = userEvent.setup()
  const accepted: (number[] | undefined)[] = []
  let now = checked
  renderWithApi(<ImportView importId={checked.id} onOpen={() => undefined} />, {
    data: {
      imports: {
        get: fake.data.imports.get.handler(() => now),
        rows: fake.data.imports.rows.handler(({ input }) =>
          page(input.waiting ? [moved(2, 'City'), moved(3, 'Town')].slice(2 - now.waiting) : [plain]),
        ),
      },
    },
    actions: {
      imports: {
        accept: fake.actions.imports.accept.handler(({ input }) => {
          accepted.push(input.lines)
          now = {
            ...checked,
            version: 2,
            waiting: input.lines ? 1 : 0,
            counts: { ...checked.counts, check: { ...none, update: 2, skip: 1 } },
          }
          return now
        }),
      },
    },
  })
  const tick = await screen.findByRole('checkbox', { name: 'Accept the changes to City (row 2)' })
  expect(tick).not.toBeChecked()
  const [first] = within(screen.getByRole('list', { name: 'Changes to existing chapters' })).getAllByRole('listitem')
  expect(first).toHaveTextContent('Parent chapter: North → South')
  expect(first).toHaveTextContent('Level: Chapter → Club')
  expect(first).toHaveTextContent('with 7 people')
  expect(screen.getByRole('button', { name: 'Import 1 row' })).toBeEnabled()
  await user.click(tick)
  await user.click(screen.getByRole('button', { name: 'Accept 1 selected change' }))
  expect(await screen.findByRole('button', { name: 'Import 2 rows' })).toBeEnabled()
  expect(accepted).toEqual([[2]])
})

test('rows say whom they mean and what changes, and are narrowed by kind of change, outcome and name', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  renderWithApi(<ImportView importId={checked.id} onOpen={() => undefined} />, {
    data: {
      imports: {
        get: fake.data.imports.get.handler(() => ({ ...checked, waiting: 0 })),
        rows: fake.data.imports.rows.handler(({ input: { importId: _, limit: __, ...question } }) => {
          asked.push(question)
          return page([plain])
        }),
      },
    },
  })
  const row = await screen.findByRole('row', { name: /Dale/ })
  expect(row).toHaveTextContent('City added: Bonn')
  expect(row).toHaveTextContent('E-mail: changed; you do not have the right to see it')
  expect(within(row).getByRole('link', { name: 'Dale' })).toHaveAttribute('href', `/chapter/${id(4)}`)
  await user.click(screen.getByRole('button', { name: 'Chapter moved · 2' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Changed')
  await user.type(screen.getByRole('searchbox', { name: 'Search by name or row number' }), 'dal')
  await expect.poll(() => asked.at(-1)).toEqual({ phase: 'check', kind: 'parentCode:change', outcome: 'update', q: 'dal' })
})

test.each([
  [{ reject: 3 }, 0, 'No row can be imported'],
  [{ unchanged: 3 }, 0, 'This file would change nothing'],
  [{ skip: 2, unchanged: 1 }, 2, 'Changes are waiting for your approval'],
])('a check that would write nothing says why: %o', async (counts, waiting, title) => {
  renderWithApi(<ImportView importId={checked.id} onOpen={() => undefined} />, {
    data: {
      imports: {
        get: fake.data.imports.get.handler(() => ({ ...checked, waiting, counts: { ...checked.counts, check: { ...none, ...counts } } })),
        rows: fake.data.imports.rows.handler(() => page([])),
      },
    },
  })
  expect(await screen.findByRole('heading', { name: title })).toBeVisible()
})

const created: ImportRow = { ...plain, outcome: 'create', changes: [], findings: [] }
const badAddress: ImportRow['findings'] = [
  { level: 'error', code: 'not_an_email', column: 'Mail', value: 'x', message: 'The server’s own words.', fix: 'And its fix.' },
]

function renderRows(rows: ImportRow[], findings = rows.filter((row) => row.findings.length > 0)) {
  renderWithApi(<ImportView importId={checked.id} onOpen={() => undefined} />, {
    data: {
      imports: {
        get: fake.data.imports.get.handler(() => ({
          ...checked,
          waiting: 0,
          changes: { ...checked.changes, check: [] },
          counts: { ...checked.counts, check: { ...none, create: 3 } },
        })),
        rows: fake.data.imports.rows.handler(({ input }) => page(input.withFindings ? findings : rows)),
      },
    },
  })
}

test('a check without messages opens on all rows; one with messages opens on them', async () => {
  renderRows([created])
  expect(await screen.findByRole('row', { name: /Dale/ })).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Show' })).toHaveValue('all')
})

test('a message that several rows in a row share is shown once, with how many have it', async () => {
  renderRows([2, 3, 4].map((line) => ({ ...created, line, outcome: 'reject', findings: badAddress })))
  expect(await screen.findByText('Mail:')).toBeVisible()
  expect(screen.getAllByText(/This is not an e-mail address/)).toHaveLength(1)
  expect(screen.getByText('The next 2 rows have the same message.')).toBeVisible()
  expect(screen.getAllByRole('row')).toHaveLength(4)
  expect(screen.getByRole('combobox', { name: 'Show' })).toHaveValue('findings')
})
