import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { wholePerson } from '../../testing/people.ts'
import { renderPath } from '../../testing/render-with-api.tsx'
import type { Tag } from '@guildhall/contract/features/tags'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const tag = (n: number, name: string, audience: Tag['audience'], person = 0): Tag => ({
  id: uuid(n),
  name,
  color: 'gray',
  audience,
  uses: { person, group: person && 1 },
  createdAt: '2026-01-02T10:00:00Z',
})

/** Tags that are kept, and what was sent. */
function kept(...items: Tag[]) {
  const sent: unknown[] = []
  const tags = {
    list: fake.data.tags.list.handler(() => ({ items })),
    create: fake.data.tags.create.handler(({ input }) => {
      sent.push(input)
      const made = { ...tag(90, input.name, input.audience), color: input.color }
      items.push(made)
      return made
    }),
    update: fake.data.tags.update.handler(({ input: { tagId, ...change } }) => {
      sent.push(change)
      const [found = tag(91, '', 'officers')] = items.filter(({ id }) => id === tagId)
      return Object.assign(found, change)
    }),
    remove: fake.data.tags.remove.handler(({ input: { tagId } }) => {
      sent.push(tagId)
      items.splice(
        items.findIndex(({ id }) => id === tagId),
        1,
      )
    }),
  }
  return { sent, tags }
}

test('tags are managed with who sees them, and deleted with how many carry them', async () => {
  const user = userEvent.setup()
  const { sent, tags } = kept(tag(70, 'Mentor', 'members', 3), tag(71, 'Wheelchair access', 'officers', 22))
  renderPath('/account-management/tags', { data: { tags } })
  const row = await screen.findByRole('row', { name: /Wheelchair access/ })
  expect(within(row).getByText('Officers only')).toBeVisible()
  expect(within(row).getByRole('link', { name: '22 people' })).toHaveAttribute('href', expect.stringContaining(uuid(71)))
  expect(within(screen.getByRole('row', { name: /Mentor/ })).getByText('All members')).toBeVisible()

  await user.click(screen.getByRole('button', { name: 'Actions for Mentor' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Change' }))
  await user.click(await screen.findByRole('radio', { name: 'Officers only' }))
  await user.click(screen.getByRole('button', { name: 'Save tag' }))
  await waitFor(() => expect(sent).toEqual([{ name: 'Mentor', color: 'gray', audience: 'officers' }]))

  await user.click(screen.getByRole('button', { name: 'Actions for Wheelchair access' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  expect(await screen.findByText('It will be removed from 23 records. A deleted tag cannot be restored.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Delete tag' }))
  await waitFor(() => expect(screen.queryByRole('row', { name: /Wheelchair access/ })).not.toBeInTheDocument())
  expect(sent.at(-1)).toBe(uuid(71))
})

test('a new tag is for officers unless one says otherwise', async () => {
  const user = userEvent.setup()
  const { sent, tags } = kept()
  renderPath('/account-management/tags', { data: { tags } })
  await user.click(await screen.findByRole('button', { name: 'New tag' }))
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Mentor')
  expect(screen.getByRole('radio', { name: 'Officers only' })).toBeChecked()
  await user.click(screen.getByRole('button', { name: 'Create tag' }))
  await waitFor(() => expect(sent).toEqual([{ name: 'Mentor', color: 'gray', audience: 'officers' }]))
})

test('on a person’s page officers’ tags are marked, and a tag that is made there asks for whom', async () => {
  const user = userEvent.setup()
  const { sent, tags } = kept()
  const person = { ...wholePerson(11, 'Ada', 'Byron'), tags: [tag(70, 'Mentor', 'members'), tag(71, 'Donor', 'officers')] }
  const people = {
    overview: fake.data.people.overview.handler(() => ({ person, recentChanges: [] })),
    neighbours: fake.data.people.neighbours.handler(() => ({ previous: null, next: null })),
    setTags: fake.data.people.setTags.handler(({ input }) => ({
      tags: [...person.tags, ...(input.tagIds.includes(uuid(90)) ? [tag(90, 'Singer', 'members')] : [])],
    })),
  }
  renderPath(`/person/${uuid(11)}`, { data: { people, tags } })
  expect(await screen.findAllByText('Officers only')).toHaveLength(1)
  await user.click(await screen.findByRole('button', { name: 'Add a tag' }))
  await user.type(await screen.findByLabelText('Tag'), 'Singer')
  await user.click(await screen.findByRole('option', { name: 'Create the tag “Singer” for all members' }))
  expect(await screen.findByText('Ada Byron tagged “Singer”')).toBeVisible()
  expect(sent).toEqual([{ name: 'Singer', color: 'gray', audience: 'members' }])
})
