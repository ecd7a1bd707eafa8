import { configure, screen, waitFor, within } from '@testing-library/react'
import { ORPCError } from '@orpc/client'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { Field } from '@guildhall/contract/features/fields'
import { fake, uuid } from '../../testing/fake-api.ts'
import { personRow, wholePerson } from '../../testing/people.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const choice = (n: number, label: string) => ({ id: uuid(n), label, color: 'gray' as const, retired: false })
const field = (n: number, key: string, label: string, more: Partial<Field> = {}): Field => ({
  id: uuid(n),
  recordType: 'people',
  key,
  label,
  help: '',
  type: 'text',
  required: false,
  pattern: '',
  section: '',
  audience: 'everyone',
  ownEditable: false,
  sensitive: false,
  searchable: false,
  reach: 'all',
  archivedAt: null,
  choices: [],
  version: 1,
  ...more,
})
const size = field(1, 'size', 'T-shirt size', { type: 'choice', choices: [choice(11, 'S'), choice(12, 'M')] })

/** Fields that are kept, and what was sent. */
function kept(...items: Field[]) {
  const sent: unknown[] = []
  const fields = {
    list: fake.data.fields.list.handler(() => ({ items })),
    uses: fake.data.fields.uses.handler(() => ({ records: 3, choices: [] })),
    create: fake.data.fields.create.handler(({ input }) => {
      sent.push(input)
      const made = field(90, input.key, input.label, { type: input.type })
      items.push(made)
      return made
    }),
    update: fake.data.fields.update.handler(({ input }) => {
      sent.push(input)
      return size
    }),
    order: fake.data.fields.order.handler(({ input }) => {
      sent.push(input.fieldIds)
      return { items }
    }),
    remove: fake.data.fields.remove.handler(({ input }) => {
      sent.push(input)
      items.splice(0, 1)
    }),
  }
  return { sent, fields }
}

test('a field of choices is created with a preview; its key follows from the label', async () => {
  const { sent, fields } = kept()
  renderPath('/account-management/fields', { data: { fields } }, { holding: ['organisation.manage', 'account.manage'] })
  expect(await screen.findByText('There are no fields yet.')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'New field' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Label'), 'T-shirt size')
  await userEvent.selectOptions(dialog.getByLabelText('Type'), 'One choice')
  await userEvent.type(dialog.getByLabelText('Choice 1'), 'S')
  await userEvent.click(dialog.getByRole('button', { name: 'Add choice' }))
  await userEvent.type(dialog.getByLabelText('Choice 2'), 'M')
  expect(within(dialog.getByRole('group', { name: 'Preview' })).getByRole('option', { name: 'M' })).toBeInTheDocument()
  await userEvent.click(dialog.getByRole('button', { name: 'Create field' }))
  await waitFor(() =>
    expect(sent).toMatchObject([
      { recordType: 'people', key: 'tshirt_size', type: 'choice', audience: 'officers', choices: [{ label: 'S' }, { label: 'M' }] },
    ]),
  )
  expect(await screen.findByRole('rowheader', { name: /T-shirt size/ })).toBeVisible()
})

test('a text of people can be one that the search finds them by, and a number cannot', async () => {
  const { sent, fields } = kept()
  renderPath('/account-management/fields', { data: { fields } }, { holding: ['organisation.manage', 'account.manage'] })
  await userEvent.click(await screen.findByRole('button', { name: 'New field' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.type(dialog.getByLabelText('Label'), 'Motto')
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Search finds people by it' }))
  await userEvent.selectOptions(dialog.getByLabelText('Type'), 'Number')
  expect(dialog.queryByRole('checkbox', { name: 'Search finds people by it' })).toBeNull()
  await userEvent.selectOptions(dialog.getByLabelText('Type'), 'Text')
  await userEvent.click(dialog.getByRole('button', { name: 'Create field' }))
  await waitFor(() => expect(sent).toMatchObject([{ key: 'motto', type: 'text', searchable: true }]))
})

test('fields are put in order, and deleted with the number of values that go too', async () => {
  const { sent, fields } = kept(size, field(2, 'motto', 'Motto'))
  renderPath('/account-management/fields', { data: { fields } }, { holding: ['organisation.manage', 'account.manage'] })
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for Motto' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  await waitFor(() => expect(sent).toEqual([[uuid(2), uuid(1)]]))
  await userEvent.click(screen.getByRole('button', { name: 'Actions for T-shirt size' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByText(/3 values will be deleted with it/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Delete field' }))
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ fieldId: uuid(1), withValues: true }))
})

test('a person’s page shows the fields with a value, and those that may be filled', async () => {
  const { fields } = kept(size, field(2, 'motto', 'Motto', { section: 'Kit' }))
  const changes: unknown[] = []
  const person = wholePerson(1, 'Ann', 'Smith', { fields: { size: uuid(12) } })
  renderPath(
    `/person/${person.id}`,
    {
      data: {
        fields,
        people: {
          overview: fake.data.people.overview.handler(() => ({ person, recentChanges: [] })),
          update: fake.data.people.update.handler(({ input }) => {
            changes.push(input.fields)
            return person
          }),
        },
      },
    },
    { holding: ['people.directory', 'people.write'] },
  )
  expect(await screen.findByText('T-shirt size')).toBeVisible()
  expect(screen.getByText('M')).toBeVisible()
  expect(screen.getByRole('heading', { name: 'Kit' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Edit Motto' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Motto' }), 'Onward{Enter}')
  await waitFor(() => expect(changes).toEqual([{ motto: 'Onward' }]))
})

test('a new group asks for the fields that must be filled', async () => {
  const { fields } = kept(
    field(1, 'motto', 'Motto', { recordType: 'groups', required: true }),
    field(2, 'song', 'Song', { recordType: 'groups' }),
  )
  const created: unknown[] = []
  renderPath(
    '/groups?new=1',
    {
      data: {
        fields,
        groups: {
          list: fake.data.groups.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })),
          create: fake.data.groups.create.handler(({ input }) => {
            created.push(input)
            throw new ORPCError('SERVICE_UNAVAILABLE')
          }),
        },
      },
    },
    { holding: ['groups.manage'] },
  )
  const dialog = within(await screen.findByRole('dialog', { name: 'New group' }))
  await userEvent.type(dialog.getByLabelText('Name'), 'Choir')
  expect(dialog.queryByLabelText(/Song/)).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Create group' }))
  expect(await dialog.findByText('Enter a value for “Motto”.')).toBeVisible()
  await userEvent.type(dialog.getByLabelText('Motto'), 'Onward')
  await userEvent.click(dialog.getByRole('button', { name: 'Create group' }))
  await waitFor(() => expect(created).toMatchObject([{ name: 'Choir', fields: { motto: 'Onward' } }]))
})

test('a list offers fields as columns, and asks for those that are shown', async () => {
  const { fields } = kept(size)
  const asked: unknown[] = []
  renderPath(
    `/members?columns=${encodeURIComponent(JSON.stringify(['name', 'fields.size']))}&sort=fields.size`,
    {
      data: {
        fields,
        people: {
          list: fake.data.people.list.handler(({ input }) => {
            asked.push([input.columns, input.sort])
            return { items: [personRow(1, 'Ann', 'Smith', { fields: { size: uuid(12) } })], nextCursor: null, total: 1, totalIsExact: true }
          }),
        },
      },
    },
    { holding: ['people.directory'] },
  )
  expect(await screen.findByRole('columnheader', { name: /T-shirt size/ })).toBeVisible()
  expect(await screen.findByText('M')).toBeVisible()
  expect(asked).toContainEqual(['fields.size', 'fields.size'])
})
