import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Audience, AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

const everybody: Audience = {
  ...{ id: uuid(81), name: 'Everybody', description: 'For the newsletter', chapter: null, group: null, lastUsedAt: null, archivedAt: null },
  ...{ createdAt: '2026-01-02T10:00:00Z', updatedAt: '2026-01-02T10:00:00Z', version: 3, names: [] },
  ...{ scope: { chapterId: null, groupId: null }, definition: { include: [{ kind: 'people' }], exclude: [] } },
}
const olive = { id: uuid(2), displayName: 'Olive Owner' }

function open(path: string, items: Audience[]) {
  const asked: unknown[] = []
  const { audiences } = fake.data.communication
  const counts = (definition: AudienceDefinition) =>
    definition.exclude.length > 0
      ? { total: 0, reachable: 0, refused: [] }
      : { total: 1204, reachable: 1150, refused: [{ reason: 'unsubscribed' as const, people: 54 }] }
  renderPath(path, {
    data: {
      communication: {
        audiences: {
          list: audiences.list.handler(() => ({ items, nextCursor: null, total: items.length, totalIsExact: true })),
          size: audiences.size.handler(() => ({ total: 1204 })),
          get: audiences.get.handler(() => everybody),
          count: audiences.count.handler(({ input }) => counts(input.definition)),
          people: audiences.people.handler(({ input }) => {
            asked.push({ show: input.show })
            const items = [{ person: olive, chapter: null, email: 'olive@example.org', refusal: 'unsubscribed' as const }]
            return { items, nextCursor: null, total: null, totalIsExact: false }
          }),
          create: audiences.create.handler(({ input }) => {
            asked.push(input)
            return { ...everybody, name: input.name }
          }),
          archive: audiences.archive.handler(() => ({ ...everybody, version: 4, archivedAt: '2026-01-03T10:00:00Z' })),
        },
      },
    },
  })
  return asked
}

test('saved audiences say whom they are for and how many people they find', async () => {
  const user = userEvent.setup()
  const lastUsedAt = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString()
  open('/communication/audiences', [everybody, { ...everybody, id: uuid(82), name: 'Alumni', lastUsedAt }])
  const row = within(await screen.findByRole('row', { name: /Everybody/ }))
  expect(row.getByText('Whole organisation')).toBeVisible()
  expect(await row.findByText('1,204 people')).toBeVisible()
  expect(row.getByText('Never')).toBeVisible()
  expect(within(screen.getByRole('row', { name: /Alumni/ })).getByText('3 days ago')).toBeVisible()
  expect(screen.getByRole('columnheader', { name: 'Last used' })).toBeVisible()
  await user.click(row.getByRole('button', { name: 'Archive Everybody' }))
  expect(await screen.findByText('“Everybody” archived')).toBeVisible()
})

test('a new audience is put together from parts, counted, looked into and saved', async () => {
  const user = userEvent.setup()
  const asked = open('/communication/audiences', [])
  expect(await screen.findByText('No audiences yet')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'New audience' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New audience' }))
  expect(dialog.getByText('This audience is empty: nobody is included yet.')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Add to “Include”' }))
  await user.click(await screen.findByRole('menuitem', { name: 'People by filter' }))
  expect(await dialog.findByText('Everybody, until you add a filter.')).toBeVisible()
  expect(await dialog.findByRole('button', { name: '1,204 people' })).toBeVisible()
  expect(dialog.getByRole('button', { name: '1,150 can be written to' })).toBeVisible()
  await user.click(dialog.getByRole('button', { name: '54 unsubscribed' }))
  const people = within(await screen.findByRole('dialog', { name: 'People in this audience' }))
  expect(await people.findByText('olive@example.org')).toBeVisible()
  expect(asked).toEqual([{ show: 'unsubscribed' }])
  await user.click(people.getByRole('button', { name: 'Close' }))
  await user.type(dialog.getByRole('textbox', { name: 'Name' }), 'All of us')
  await user.click(dialog.getByRole('button', { name: 'Create audience' }))
  expect(await screen.findByText('“All of us” created')).toBeVisible()
  expect(asked[1]).toMatchObject({ name: 'All of us', definition: { include: [{ kind: 'people' }], exclude: [] } })
})

test('the list of people hands over whom it shows', async () => {
  const people = encodeURIComponent(JSON.stringify({ q: 'smith' }))
  open(`/communication/audiences?people=${people}`, [])
  const dialog = within(await screen.findByRole('dialog', { name: 'New audience' }))
  expect(await dialog.findByRole('searchbox', { name: 'Search members' })).toHaveValue('smith')
})
