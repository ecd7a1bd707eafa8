import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { NewMessage, PersonMessage } from '@guildhall/contract/features/communication.messages'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { lecture } from '../../events/events-testing.ts'
import { personRow, wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const { communication } = fake.data
const none = { items: [], nextCursor: null, total: 0, totalIsExact: true }
const noViews = { views: { list: fake.data.lists.views.list.handler(() => ({ items: [] })) } }

/** Remembers what e-mails were begun with. */
function writing() {
  const begun: NewMessage[] = []
  const handlers = {
    messages: {
      create: communication.messages.create.handler(({ input, errors }) => {
        begun.push(input)
        throw errors.FORBIDDEN() // What follows is another page.
      }),
      ofPerson: communication.messages.ofPerson.handler(() => ({
        ...none,
        items: [
          { ...row(1), state: 'sent' as const, clicked: true },
          { ...row(2), state: 'skipped' as const, skipReason: 'unsubscribed' },
        ],
      })),
    },
    templates: { list: communication.templates.list.handler(() => none) },
    consents: {
      reach: communication.consents.reach.handler(() => ({ refusal: 'hard_bounce', essentialToo: true, since: null, until: null })),
    },
  }
  return { begun, communication: handlers }
}
const row = (n: number): PersonMessage => ({
  ...{ id: uuid(n), messageId: uuid(n + 100), subject: `News ${n}`, topic: 'Newsletter', state: 'sent', skipReason: null },
  ...{ at: '2026-11-01T10:00:00Z', opened: false, clicked: false },
})
const holding = ['people.directory', 'people.contact', 'messages.write'] as const

test('Write on a person begins an e-mail to them, and says what keeps mail from them', async () => {
  const { begun, communication } = writing()
  const people = { overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })) }
  renderPath(`/person/${uuid(11)}`, { data: { people, communication } }, { holding })
  await userEvent.click(await screen.findByRole('button', { name: 'Write' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New e-mail' }))
  expect(await dialog.findByRole('note')).toHaveTextContent(
    'No mail reaches this person. Mail to this address came back: it does not exist.',
  )
  expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('To Ada Byron')
  await userEvent.click(dialog.getByRole('button', { name: 'Start writing' }))
  await waitFor(() => expect(begun[0]?.audience).toEqual({ include: [{ kind: 'persons', ids: [uuid(11)] }], exclude: [] }))
})

test('whoever writes no messages still has the address', async () => {
  const people = { overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })) }
  renderPath(`/person/${uuid(11)}`, { data: { people } }, { holding: ['people.directory', 'people.contact'] })
  expect(await screen.findByRole('link', { name: 'Write' })).toHaveAttribute('href', expect.stringMatching(/^mailto:/))
})

test('the tab Messages of a person says what arrived and why something did not', async () => {
  const { communication } = writing()
  const people = { overview: fake.data.people.overview.handler(() => ({ person: wholePerson(11, 'Ada', 'Byron'), recentChanges: [] })) }
  renderPath(`/person/${uuid(11)}/messages`, { data: { people, communication } }, { holding })
  const list = within(await screen.findByRole('list', { name: 'Messages' }))
  expect(list.getByRole('link', { name: 'News 1' })).toHaveAttribute('href', `/communication/emails?message=${uuid(101)}`)
  expect(list.getByText(/Newsletter · Clicked/)).toBeVisible()
  expect(list.getByText(/Unsubscribed from this topic/)).toBeVisible()
})

test('E-mail writes to the people who are ticked, or to all that the list shows', async () => {
  const { begun, communication } = writing()
  const rows = [personRow(11, 'Ada', 'Byron'), personRow(12, 'René', 'Müller'), personRow(13, 'Kim', 'Lee')]
  const people = { list: fake.data.people.list.handler(() => ({ ...none, items: rows, total: 3 })) }
  renderPath('/members?q=a', { data: { people, communication, lists: noViews } }, { holding })
  const write = async () => {
    const bar = await screen.findByRole('region', { name: 'Selected rows' })
    expect(await within(bar).findByRole('button', { name: 'E-mail' })).toBeVisible()
    await userEvent.keyboard('w')
    const dialog = within(await screen.findByRole('dialog', { name: 'New e-mail' }))
    await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Hello')
    await userEvent.click(dialog.getByRole('button', { name: 'Start writing' }))
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  }
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select Ada Byron' }))
  await write()
  await waitFor(() => expect(begun[0]?.audience).toEqual({ include: [{ kind: 'persons', ids: [rows[0]?.id] }], exclude: [] }))
  await userEvent.keyboard('{Control>}a{/Control}')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select René Müller' }))
  await write()
  await waitFor(() =>
    expect(begun[1]?.audience).toEqual({ include: [{ kind: 'people', q: 'a' }], exclude: [{ kind: 'persons', ids: [rows[1]?.id] }] }),
  )
})

test('the tab E-mails of an event has what was written to its registrations, and begins another one', async () => {
  const { begun, communication } = writing()
  const asked: unknown[] = []
  const list = fake.data.communication.messages.list.handler(({ input }) => {
    asked.push(JSON.parse(input.filter ?? '{}'))
    return none
  })
  const events = { get: fake.data.events.get.handler(() => lecture) }
  renderPath(
    `/event/${lecture.id}`,
    { data: { events, communication: { ...communication, messages: { ...communication.messages, list } } } },
    { holding: ['messages.write'] },
  )
  await userEvent.click(await screen.findByRole('link', { name: 'E-mails' }))
  expect(await screen.findByText('No e-mails yet')).toBeVisible()
  expect(asked).toContainEqual({ and: [{ or: [{ field: 'event', op: 'is', value: lecture.id }] }] })
  await userEvent.click(screen.getByRole('button', { name: 'New e-mail' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'New e-mail' }))
  await userEvent.type(dialog.getByRole('textbox', { name: 'Name' }), 'Where to park')
  await userEvent.click(dialog.getByRole('button', { name: 'Start writing' }))
  const include = [{ kind: 'event', id: lecture.id, statuses: ['confirmed', 'checked_in'] }]
  await waitFor(() => expect(begun[0]?.audience).toEqual({ include, exclude: [] }))
})
