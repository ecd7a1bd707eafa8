import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { documentOf } from '@guildhall/contract/formatted-document'
import type { Group } from '@guildhall/contract/features/groups'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { evening } from '../events-testing.ts'
import './events-of.tsx'

const may = { edit: false, manageMembers: false, archive: false, addSubgroup: false, place: false, seeMembers: true, seeHistory: false, join: null, leave: false } // prettier-ignore
const choir: Group = {
  ...{ id: uuid(5), name: 'Choir', code: null, kind: 'interest', chapter: null, parent: null, visibility: 'members', joinPolicy: 'open' },
  ...{ fields: {}, tags: [], members: 2, capacity: null, mine: null, archivedAt: null, createdAt: '2024-01-01T00:00:00Z', version: 1 },
  ...{ about: documentOf(''), website: '', phone: '', leaders: [], subgroups: [], requests: null, may, updatedAt: '2024-01-01T00:00:00Z' },
}

test('the tab of a group lists its events, and a new one begins with the group', async () => {
  const user = userEvent.setup()
  const asked: string[] = []
  const { router } = renderPath(`/groups/${choir.id}?view=events`, {
    data: {
      groups: { get: fake.data.groups.get.handler(() => choir) },
      events: {
        list: fake.data.events.list.handler(({ input }) => {
          asked.push(input.filter ?? '')
          return { items: [evening], nextCursor: null, total: 1, totalIsExact: true }
        }),
      },
    },
  })
  expect(await screen.findByRole('link', { name: 'Winter lecture' }, { timeout: 15_000 })).toBeVisible()
  expect(asked[0]).toContain(choir.id)
  expect(asked[0]).toContain('upcoming')
  await user.click(screen.getByRole('radio', { name: 'Past' }))
  expect(await screen.findByRole('list', { name: /^Past, / })).toBeVisible()
  expect(asked.at(-1)).toContain('past')
  await user.click(screen.getByRole('link', { name: 'New event' }))
  expect(router.state.location.search).toEqual({ group: choir.id })
})
