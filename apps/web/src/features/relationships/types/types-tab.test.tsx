import { configure, screen, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { RelationshipType } from '@guildhall/contract/features/relationships'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { guardian, lineage } from '../lines/lines-testing.ts'

configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const { relationships } = fake.data
const guarded: RelationshipType = { ...guardian, maxParents: 4, grants: 'manage', approval: 'office', active: 1200 }

function open(more: Record<string, object> = {}) {
  const stored = [guarded, lineage]
  const put = (now: RelationshipType) => {
    const place = stored.findIndex(({ id }) => id === now.id)
    if (place === -1) stored.push(now)
    else stored[place] = now
    return now
  }
  renderPath(
    '/account-management/relationship-types',
    {
      data: {
        relationships: {
          types: relationships.types.handler(({ input }) => ({
            items: stored.filter(({ archivedAt }) => (archivedAt !== null) === input.archived),
          })),
          ...more,
        },
      },
    },
    { holding: ['organisation.manage'] },
  )
  return { put }
}
const act = async (user: ReturnType<typeof userEvent.setup>, type: string, what: string) => {
  await user.click(await screen.findByRole('button', { name: `Actions for ${type}` }))
  await user.click(await screen.findByRole('menuitem', { name: what }))
}

test('types stand with what they are called, their rules and how many are active', async () => {
  open()
  const row = (await screen.findByRole('rowheader', { name: /^Guardian and child/ })).closest('tr')
  expect(row).toHaveTextContent('Guardian, Child')
  expect(row).toHaveTextContent('No circles · Guardian at a time: at most 4 · Guardian acts for the Child · For minors only')
  expect(row).toHaveTextContent('An officer')
  expect(row).toHaveTextContent('1,200')
})

test('a type is created by its key', async () => {
  const user = userEvent.setup()
  const sent: unknown[] = []
  const { put } = open({
    createType: relationships.createType.handler(({ input }) => {
      sent.push(input)
      return put({ ...lineage, ...input, id: uuid(79), maxParents: input.maxParents ?? null, active: 0 })
    }),
  })
  await user.click(await screen.findByRole('button', { name: 'New relationship type' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New relationship type' }))
  await user.type(await dialog.findByRole('textbox', { name: 'Name' }), 'Godparent and godchild')
  await user.type(dialog.getByRole('textbox', { name: 'Key' }), 'Godparent')
  await user.type(dialog.getByRole('textbox', { name: 'First person is called' }), 'Godparent')
  await user.type(dialog.getByRole('textbox', { name: 'Second person is called' }), 'Godchild')
  await user.click(dialog.getByRole('button', { name: 'Create relationship type' }))
  expect(await dialog.findByText('Use small letters, digits and hyphens, beginning with a letter.')).toBeVisible()
  await user.clear(dialog.getByRole('textbox', { name: 'Key' }))
  await user.type(dialog.getByRole('textbox', { name: 'Key' }), 'godparent')
  await user.click(dialog.getByRole('button', { name: 'Create relationship type' }))
  expect(await screen.findByRole('rowheader', { name: /^Godparent and godchild/ })).toBeVisible()
  expect(sent).toEqual([
    {
      ...{ key: 'godparent', name: 'Godparent and godchild', forwardLabel: 'Godparent', inverseLabel: 'Godchild' },
      ...{ acyclic: true, maxParents: null, grants: 'none', approval: 'other', isMinorsOnly: false },
    },
  ])
})

test('a rule that relationships break is refused in words, and what opens a record needs somebody to agree', async () => {
  const user = userEvent.setup()
  open({
    updateType: relationships.updateType.handler(({ errors }) => {
      throw errors.CONFLICT({ data: { reason: 'relationship_type_parents', params: {} } })
    }),
  })
  await act(user, 'Guardian and child', 'Change')
  const dialog = within(await screen.findByRole('dialog', { name: 'Change relationship type' }))
  const approval = await dialog.findByRole('combobox', { name: 'Who agrees to a proposal' })
  await user.selectOptions(approval, 'Nobody: active at once')
  await user.click(dialog.getByRole('button', { name: 'Save relationship type' }))
  expect(await dialog.findByText(/needs approval/)).toBeVisible()
  await user.selectOptions(approval, 'An officer')
  const most = dialog.getByRole('textbox', { name: 'First persons at a time, at most' })
  await user.clear(most)
  await user.type(most, '1')
  await user.click(dialog.getByRole('button', { name: 'Save relationship type' }))
  expect(await dialog.findByText('Somebody already has more than that. End some of their relationships first.')).toBeVisible()
})

test('a type is archived, with Undo, and archived ones are shown behind a switch', async () => {
  const user = userEvent.setup()
  const { put } = open({
    archiveType: relationships.archiveType.handler(() => put({ ...lineage, archivedAt: '2026-11-21T10:00:00Z', version: 2 })),
    restoreType: relationships.restoreType.handler(() => put({ ...lineage, version: 3 })),
  })
  await act(user, 'Big and little', 'Archive')
  expect(await screen.findByText('“Big and little” archived')).toBeVisible()
  expect(screen.queryByRole('rowheader', { name: /^Big and little/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('switch', { name: 'Show archived' }))
  expect(await screen.findByRole('rowheader', { name: /Big and little Archived/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('“Big and little” restored')).toBeVisible()
})
