import { configure, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { MailChoices, NewTopic, PersonTopic, Topic } from '@guildhall/contract/features/communication.topics'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { MyTopics } from './my-topics.tsx'
import { PersonSubscriptions } from './person-subscriptions.tsx'
import { Suppressions } from './suppressions.tsx'

configure({ asyncUtilTimeout: 15_000 })

const topic = (n: number, name: string, more: Partial<Topic> = {}): Topic => ({
  id: uuid(n),
  chapter: null,
  name,
  description: '',
  kind: 'marketing',
  defaultOpt: 'out',
  confirm: false,
  archivedAt: null,
  version: 1,
  counts: { subscribed: 12, pending: 0, unsubscribed: 3 },
  mayChange: true,
  ...more,
})
const mine = (n: number, name: string, more: Partial<PersonTopic> = {}): PersonTopic => ({
  id: uuid(n),
  name,
  description: '',
  kind: 'marketing',
  confirm: false,
  chapter: null,
  state: 'subscribed',
  at: null,
  source: null,
  ...more,
})
const choices = (more: Partial<MailChoices> = {}): MailChoices => ({
  topics: [],
  reach: { refusal: null, essentialToo: false, since: null, until: null },
  essentialOnly: false,
  pausedUntil: null,
  changes: [],
  may: { choose: true, record: false },
  ...more,
})
const { topics, consents, suppressions } = fake.data.communication

test('a topic is created for those who subscribe, and moved up', async () => {
  const stored = [topic(1, 'News'), topic(2, 'Trips')]
  const [made, orders]: [NewTopic[], string[][]] = [[], []]
  renderPath(
    '/communication/topics',
    {
      data: {
        communication: {
          topics: {
            list: topics.list.handler(() => ({ items: [...stored], may: { create: true, createForAll: true } })),
            create: topics.create.handler(({ input }) => {
              made.push(input)
              const created = topic(3, input.name)
              stored.push(created)
              return created
            }),
            reorder: topics.reorder.handler(({ input }) => void orders.push(input.topicIds)),
          },
        },
      },
    },
    { holding: ['messages.write', 'messages.manage'] },
  )
  await userEvent.click(await screen.findByRole('button', { name: 'New topic' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Appeals')
  await userEvent.click(screen.getByRole('checkbox', { name: 'Ask for confirmation by mail' }))
  await userEvent.click(screen.getByRole('button', { name: 'Create topic' }))
  expect(await screen.findByRole('rowheader', { name: 'Appeals' })).toBeVisible()
  expect(made).toMatchObject([{ name: 'Appeals', chapterId: null, kind: 'marketing', defaultOpt: 'out', confirm: true }])
  await userEvent.click(screen.getByRole('button', { name: 'Actions for Trips' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Move up' }))
  await waitFor(() => expect(orders).toEqual([[uuid(2), uuid(1), uuid(3)]]))
})

test('one’s own topics are switched, and all other mail is paused', async () => {
  let now = choices({ topics: [mine(1, 'News'), mine(2, 'Meetings', { kind: 'essential' })] })
  const sent: unknown[] = []
  renderWithApi(<MyTopics personId={uuid(2)} />, {
    data: {
      communication: {
        consents: {
          get: consents.get.handler(() => now),
          choose: consents.choose.handler(({ input }) => {
            sent.push(input.subscribed)
            now = { ...now, topics: now.topics.map((each) => (each.id === input.topicId ? { ...each, state: 'unsubscribed' } : each)) }
            return now
          }),
          prefer: consents.prefer.handler(({ input }) => {
            sent.push(input.pauseWeeks)
            now = { ...now, pausedUntil: '2026-12-20T10:00:00Z' }
            return now
          }),
        },
      },
    },
  })
  await userEvent.click(await screen.findByRole('switch', { name: 'News' }))
  await waitFor(() => expect(screen.getByRole('switch', { name: 'News' })).not.toBeChecked())
  expect(screen.getByRole('switch', { name: /^Meetings/ })).toBeDisabled()
  await userEvent.selectOptions(screen.getByRole('combobox', { name: /Pause all mail/ }), '4')
  await userEvent.click(screen.getByRole('button', { name: 'Pause' }))
  expect(await screen.findByText(/Your mail is paused until Dec/)).toBeVisible()
  expect(sent).toEqual([false, 4])
})

test('the page of a person says why they cannot be written to, and takes down what they said', async () => {
  const now = choices({
    topics: [mine(1, 'News', { state: 'unsubscribed', at: '2026-11-01T10:00:00Z', source: 'link' })],
    reach: { refusal: 'complaint', essentialToo: true, since: '2026-11-02T10:00:00Z', until: null },
    may: { choose: false, record: true },
  })
  const sent: unknown[] = []
  renderWithApi(<PersonSubscriptions person={{ id: uuid(5) }} />, {
    data: {
      communication: {
        consents: {
          get: consents.get.handler(() => now),
          record: consents.record.handler(({ input }) => {
            sent.push(input)
            return now
          }),
        },
      },
    },
  })
  expect(await screen.findByText(/No mail reaches this person/)).toBeVisible()
  expect(screen.getByText(/marked a mail as spam/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Record consent: News' }))
  expect(await screen.findByText(/asked by mail and get nothing until they confirm/)).toBeVisible()
  await userEvent.type(screen.getByRole('textbox', { name: 'Proof' }), 'Form at the party')
  await userEvent.click(screen.getByRole('button', { name: 'Record consent' }))
  await waitFor(() => expect(sent).toEqual([{ personId: uuid(5), topicId: uuid(1), subscribed: true, note: 'Form at the party' }]))
})

test('an address that complained is released once its person asked', async () => {
  let held = true
  const sent: unknown[] = []
  renderWithApi(<Suppressions />, {
    data: {
      communication: {
        suppressions: {
          list: suppressions.list.handler(({ input }) => ({
            items: held && input.address ? [{ reason: 'complaint', source: '', note: '', since: '2026-11-02T10:00:00Z' }] : [],
            counts: { complaint: 1 },
          })),
          release: suppressions.release.handler(({ input }) => {
            sent.push(input.askedByPerson)
            held = false
            return { items: [], counts: {} }
          }),
        },
      },
    },
  })
  await userEvent.type(await screen.findByRole('textbox', { name: 'Address' }), 'ann@example.org')
  await userEvent.click(screen.getByRole('button', { name: 'Look up' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Release address' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Reason' }), 'Asked by telephone')
  await userEvent.click(screen.getByRole('checkbox', { name: 'The person asked for mail again' }))
  const dialog = screen.getByRole('dialog')
  await userEvent.click([...dialog.querySelectorAll('button')].find(({ textContent }) => textContent === 'Release address') ?? dialog)
  expect(await screen.findByText('ann@example.org is not suppressed.')).toBeVisible()
  expect(sent).toEqual([true])
})
