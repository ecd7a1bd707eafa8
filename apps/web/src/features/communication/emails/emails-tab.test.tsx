import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { Message, MessageChange, MessageReport, Preflight } from '@guildhall/contract/features/communication.messages'
import { documentOf } from '@guildhall/contract/formatted-document'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const counts = {
  ...{ recipients: 0, queued: 0, sent: 0, delivered: 0, softBounces: 0, hardBounces: 0, complaints: 0, failed: 0, unknown: 0 },
  ...{ skipped: 0, cancelled: 0, left: 0, opened: 0, clicked: 0, unsubscribed: 0 },
}
const may = {
  ...{ edit: true, remove: true, submit: true, schedule: true, approve: false, decline: false },
  ...{ withdraw: false, takeBack: false, pause: false, resume: false, cancel: false, retry: false },
}
const nothing = Object.fromEntries(Object.keys(may).map((name) => [name, false])) as typeof may
const draft: Message = {
  ...{ id: uuid(1), name: 'News of May', subject: 'News', preheader: '', status: 'draft', version: 1, chapter: null, group: null },
  topic: { id: uuid(50), name: 'Newsletter', kind: 'marketing' },
  ...{ sendAt: null, startedAt: null, finishedAt: null, createdBy: 'Ana', archivedAt: null, fromName: '', replyTo: null, pace: null },
  ...{ createdAt: '2026-11-01T10:00:00Z', updatedAt: '2026-11-01T10:00:00Z', submittedBy: null, submittedAt: null },
  ...{ approvedBy: null, approvedAt: null, note: '', failure: '', counts, may, automation: null },
  body: { blocks: [{ type: 'text', text: documentOf('Dear members') }] },
  audience: { include: [{ kind: 'group', id: uuid(60) }], exclude: [] },
}
const report: MessageReport = { counts, skipped: [], countsClicks: true, countsOpens: false, hours: [], links: [], chapters: [] }
const page = <Item,>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

type Told = { message?: Partial<Message>; report?: Partial<MessageReport>; check?: Partial<Preflight> }

/** One message that is kept, and what was done with it. */
function kept(told: Told = {}) {
  let message = { ...draft, ...told.message }
  const saved: MessageChange[] = []
  const done: string[] = []
  const { messages } = fake.data.communication
  const becomes = (name: string, status: Message['status'], more: Partial<Message> = {}) => {
    done.push(name)
    message = { ...message, ...more, status, version: message.version + 1, may: { ...nothing, takeBack: status === 'scheduled' } }
    return message
  }
  const handlers = {
    data: {
      communication: {
        messages: {
          list: messages.list.handler(() => page([message])),
          get: messages.get.handler(() => message),
          update: messages.update.handler(({ input: { messageId: _id, ...change } }) => {
            saved.push(change)
            message = { ...message, subject: change.subject ?? message.subject, version: message.version + 1 }
            return message
          }),
          report: messages.report.handler(() => ({ ...report, ...told.report, counts: message.counts })),
          deliveries: messages.deliveries.handler(() =>
            page([
              {
                ...{ id: uuid(80), person: null, address: 'kim@example.org', state: 'hard_bounce' as const, skipReason: null },
                ...{ sentAt: null, settledAt: null, openedAt: null, clickedAt: null, unsubscribedAt: null },
              },
            ]),
          ),
          sendNow: messages.sendNow.handler(() => becomes('sendNow', 'scheduled', { sendAt: new Date(Date.now() + 60_000).toISOString() })),
          submit: messages.submit.handler(() => becomes('submit', 'in_review')),
          takeBack: messages.takeBack.handler(() => becomes('takeBack', 'draft', { may })),
        },
        topics: { list: fake.data.communication.topics.list.handler(() => ({ items: [], may: { create: false, createForAll: false } })) },
      },
    },
    actions: {
      communication: {
        messages: {
          preflight: fake.actions.communication.messages.preflight.handler(() => ({
            ...{ recipients: 12, skipped: 0, findings: [] },
            ...told.check,
          })),
        },
        messagePreview: fake.actions.communication.messagePreview.handler(({ input }) => ({
          ...{ subject: input.subject, html: '<html><head></head><body></body></html>', text: '', person: null, missing: [], findings: [] },
          gone: { pictures: [], events: [] },
        })),
      },
    },
  }
  const open = () =>
    renderPath(`/communication/emails?message=${draft.id}`, handlers, { holding: ['messages.write', 'messages.send', 'people.export'] })
  return { saved, done, handlers, open }
}
const check = () => userEvent.click(screen.getByRole('button', { name: 'Check and send' }))

test('a draft saves itself, is checked, sent and taken back', async () => {
  const { saved, done, open } = kept({
    check: { findings: [{ code: 'skipped', severity: 'info', params: { reason: 'unsubscribed', people: 3 } }] },
  })
  open()
  const subject = await screen.findByRole('textbox', { name: 'Subject' })
  await userEvent.type(subject, ' of May')
  await waitFor(() => expect(saved).toEqual([{ subject: 'News of May' }]))
  expect(await screen.findByText('Saved')).toBeVisible()
  await check()
  const dialog = within(await screen.findByRole('dialog', { name: 'Check and send' }))
  expect(await dialog.findByText('12 people will get this message.')).toBeVisible()
  expect(dialog.getByText(/3 people are left out/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Send' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(done).toEqual(['sendNow', 'takeBack']))
})

test('what has to be put right keeps it from being sent', async () => {
  const { open } = kept({ check: { findings: [{ code: 'no_topic', severity: 'error', params: {} }] } })
  open()
  await screen.findByRole('textbox', { name: 'Subject' })
  await check()
  const dialog = within(await screen.findByRole('dialog', { name: 'Check and send' }))
  expect(await dialog.findByText('Has to be put right:')).toBeVisible()
  expect(dialog.getByRole('button', { name: 'Send' })).toBeDisabled()
})

test('above the limit it asks for approval', async () => {
  const { done, open } = kept({
    check: { findings: [{ code: 'needs_review', severity: 'info', params: { recipients: 900, limit: 500 } }] },
  })
  open()
  await screen.findByRole('textbox', { name: 'Subject' })
  await check()
  const dialog = within(await screen.findByRole('dialog', { name: 'Check and send' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Ask for approval' }))
  await waitFor(() => expect(done).toEqual(['submit']))
})

test('what became of a message, and the recipients behind a figure', async () => {
  const { open } = kept({
    message: { status: 'sent', may: nothing, counts: { ...counts, recipients: 10, sent: 7, hardBounces: 1, left: 8, skipped: 2 } },
    report: { skipped: [{ reason: 'no_address', people: 2 }] },
  })
  open()
  expect(await screen.findByText('What became of it')).toBeVisible()
  expect(screen.getByText('No e-mail address')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: /^Recipients/ }))
  expect(await screen.findByText('Somebody you do not see')).toBeVisible()
  expect(screen.getByText('kim@example.org')).toBeVisible()
})

test('the mail of an automation leads to it, and is not archived by hand', async () => {
  kept({ message: { status: 'sent', may: nothing, automation: { id: uuid(90), name: 'Welcome' } } }).open()
  const link = await screen.findByRole('link', { name: 'Welcome' })
  expect(link).toHaveAttribute('href', expect.stringContaining(`automation=${uuid(90)}`))
  await userEvent.click(screen.getByRole('button', { name: 'More' }))
  expect(await screen.findByRole('menuitem', { name: 'Make a copy' })).toBeVisible()
  expect(screen.queryByRole('menuitem', { name: 'Archive' })).toBeNull()
})

test('a draft is deleted only when that is confirmed', async () => {
  kept().open()
  await userEvent.click(await screen.findByRole('button', { name: 'More' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete this draft' }))
  expect(within(await screen.findByRole('dialog', { name: 'Delete News of May' })).getByText(/Nobody can bring it back/)).toBeVisible()
})

test('a message that was stopped says why', async () => {
  kept({ message: { status: 'paused', failure: 'complaints', may: { ...nothing, resume: true } } }).open()
  expect(await screen.findByText(/Too many recipients marked mail of the organisation as spam/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Go on' })).toBeVisible()
})

test('a message that grew beyond what one person may send says so', async () => {
  kept({ message: { status: 'in_review', failure: 'review', may: { ...nothing, approve: true } } }).open()
  expect(await screen.findByText(/more recipients than one person alone may write to/)).toBeVisible()
})

test('a small message that was sent between two looks is counted all the same', async () => {
  const sent = { ...counts, recipients: 3, sent: 3, left: 3 }
  const { handlers } = kept({ message: { status: 'sent', finishedAt: new Date().toISOString(), may: nothing, counts } })
  let looks = 0
  const { messages } = fake.data.communication
  handlers.data.communication.messages.report = messages.report.handler(() => ({ ...report, counts: looks++ === 0 ? counts : sent }))
  renderPath(`/communication/emails?message=${draft.id}`, handlers, { holding: ['messages.write'] })
  expect(await screen.findByText('What became of it')).toBeVisible()
})
