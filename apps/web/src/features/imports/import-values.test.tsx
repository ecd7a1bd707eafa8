import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Field } from '@guildhall/contract/features/fields'
import type { Import } from '@guildhall/contract/features/imports'
import { expect, test } from 'vitest'
import { fake } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { ImportView } from './import-view.tsx'

const id = (last: number) => `01920000-0000-7000-8000-00000000000${last}`
const column = (header: string, target: string) => ({ header, samples: [], target, guess: target, suggestions: [] })
const uploaded: Import = {
  id: id(1),
  kind: 'groups',
  fileName: 'groups.xlsx',
  fileSize: 10,
  status: 'uploaded',
  rowsTotal: null,
  counts: { check: null, run: null, undo: null },
  error: null,
  tag: null,
  createdBy: { id: id(2), name: 'Sam', isMe: true },
  createdAt: '2026-11-01T00:00:00Z',
  finishedAt: null,
  undoUntil: null,
  version: 1,
  format: { type: 'xlsx', encoding: 'utf-8', separator: ',', headerRow: 1, dateOrder: 'ymd', sheet: 'Groups' },
  columns: [column('Code', 'code'), column('Name', 'name'), column('Art', 'kind')],
  sample: [],
  sheets: [
    { name: 'Groups', rows: 4, hidden: false },
    { name: 'Codes', rows: null, hidden: true },
  ],
  options: {
    matchBy: [],
    onNew: 'create',
    onMatch: 'update',
    doubles: 'reject',
    tag: null,
    defaultChapterId: null,
    defaultStartsOn: null,
    phoneCountry: null,
    values: {},
    newChoices: 'reject',
  },
  findings: [],
  missing: [],
  unrecognized: [
    {
      field: 'kind',
      header: 'Art',
      targets: ['committee', 'team'],
      whole: false,
      values: [
        { value: 'Subproject', key: 'subproject', rows: 1200, target: null, suggestion: null },
        { value: 'Main committee', key: 'main committee', rows: 1, target: null, suggestion: 'committee' },
      ],
    },
  ],
  savedMapping: null,
  sameFile: [],
  job: null,
  changes: { check: null, run: null, undo: null },
  waiting: 0,
}

const size: Field = {
  ...{ id: id(7), recordType: 'groups', key: 'size', label: 'Size of the room', help: '', type: 'choice', required: false, pattern: '' },
  ...{
    section: '',
    audience: 'everyone',
    ownEditable: false,
    sensitive: false,
    searchable: false,
    reach: 'all',
    archivedAt: null,
    choices: [],
    version: 1,
  },
}

test('a column maps to a field of the organisation, and unknown choices are created where that is asked for', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  let item: Import = { ...uploaded, unrecognized: [] }
  renderWithApi(<ImportView importId={uploaded.id} onOpen={() => undefined} />, {
    data: {
      imports: { get: fake.data.imports.get.handler(() => item) },
      fields: { list: fake.data.fields.list.handler(({ input }) => ({ items: input.recordType === 'groups' ? [size] : [] })) },
    },
    actions: {
      imports: {
        configure: fake.actions.imports.configure.handler(({ input }) => {
          sent.push({ ...(input.mapping && { mapping: input.mapping }), ...(input.options && { options: input.options }) })
          const columns = item.columns.map((one, index) => ({ ...one, target: input.mapping?.[index] ?? one.target }))
          return (item = { ...item, columns, version: item.version + 1 })
        }),
      },
    },
  })
  await screen.findAllByRole('option', { name: 'Size of the room' })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Art maps to' }), 'Size of the room')
  await expect.poll(() => sent.at(-1)).toEqual({ mapping: ['code', 'name', 'field:size'] })
  await user.selectOptions(await screen.findByRole('combobox', { name: 'Unknown choices of a field' }), 'Create the choice')
  await expect.poll(() => sent.at(-1)).toEqual({ options: { newChoices: 'create' } })
})

function show() {
  const sent: unknown[] = []
  let item = uploaded
  renderWithApi(<ImportView importId={uploaded.id} onOpen={() => undefined} />, {
    data: { imports: { get: fake.data.imports.get.handler(() => item) } },
    actions: {
      imports: {
        configure: fake.actions.imports.configure.handler(({ input }) => {
          sent.push({ ...(input.options && { options: input.options }), ...(input.format && { format: input.format }) })
          const values = { ...item.options.values, ...input.options?.values }
          item = {
            ...item,
            version: item.version + 1,
            format: { ...item.format, sheet: input.format?.sheet ?? item.format.sheet },
            options: { ...item.options, values },
            unrecognized: item.unrecognized.map((one) => ({
              ...one,
              values: one.values.map((value) => ({ ...value, target: values[one.field]?.[value.key] ?? null })),
            })),
          }
          return item
        }),
      },
    },
  })
  return sent
}

test('what a value maps to is chosen once for all its rows, and can be taken back', async () => {
  const user = userEvent.setup()
  const sent = show()
  const row = within(await screen.findByRole('row', { name: /Subproject/ }))
  expect(row.getByText('1,200 rows')).toBeVisible()
  const select = row.getByRole('combobox', { name: 'Subproject maps to' })
  expect(select).toHaveDisplayValue('Reject its rows')
  await user.selectOptions(select, 'Team')
  await expect.poll(() => sent.at(-1)).toEqual({ options: { values: { kind: { subproject: 'team' } } } })
  const other = screen.getByRole('combobox', { name: 'Main committee maps to' })
  await user.selectOptions(other, 'Committee (suggested)')
  await expect.poll(() => sent.at(-1)).toEqual({ options: { values: { kind: { subproject: 'team', 'main committee': 'committee' } } } })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Subproject maps to' }), 'Leave empty')
  await expect.poll(() => sent.at(-1)).toEqual({ options: { values: { kind: { subproject: '', 'main committee': 'committee' } } } })
  await user.selectOptions(screen.getByRole('combobox', { name: 'Subproject maps to' }), 'Reject its rows')
  await expect.poll(() => sent.at(-1)).toEqual({ options: { values: { kind: { 'main committee': 'committee' } } } })
})

test('another sheet of a workbook can be chosen; hidden ones say so', async () => {
  const user = userEvent.setup()
  const sent = show()
  const select = await screen.findByRole('combobox', { name: 'Sheet' })
  expect(
    within(select)
      .getAllByRole('option')
      .map((option) => option.textContent),
  ).toEqual(['Groups (4 rows)', 'Codes, hidden'])
  await user.selectOptions(select, 'Codes, hidden')
  await expect.poll(() => sent.at(-1)).toEqual({ format: { sheet: 'Codes' } })
})
