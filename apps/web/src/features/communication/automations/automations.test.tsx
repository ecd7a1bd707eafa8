import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import type { Automation, AutomationLogEntry, AutomationStepCounts } from '@guildhall/contract/features/communication.automations'
import type { MessageTemplate } from '@guildhall/contract/features/communication.templates'
import type { Topic } from '@guildhall/contract/features/communication.topics'
import { documentOf } from '@guildhall/contract/formatted-document'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const at = '2026-11-01T10:00:00Z'
const automation: Automation = {
  ...{ id: uuid(1), name: 'Welcome', description: '', chapter: null, status: 'draft', pauseReason: null, recipe: null, version: 3 },
  ...{
    trigger: { on: 'joined' },
    who: null,
    steps: [],
    exits: [],
    reentry: 'once',
    activatedBy: null,
    activatedAt: null,
    entersFrom: null,
  },
  ...{ people: { inside: 0, ended: 0 }, names: [], faults: [], may: { change: true, activate: true }, createdAt: at, updatedAt: at },
}
const template: MessageTemplate = {
  ...{ id: uuid(10), name: 'Hello', subject: 'Welcome', preheader: '', version: 1, chapter: null, group: null, archivedAt: null },
  ...{ outline: [], updatedAt: at, may: { edit: true }, body: { blocks: [{ type: 'text', text: documentOf('Good to have you') }] } },
}
const topic: Topic = {
  ...{ id: uuid(20), chapter: null, name: 'Membership', description: '', kind: 'essential', defaultOpt: 'in', confirm: false },
  ...{ archivedAt: null, version: 1, counts: null, mayChange: false },
}
const elsewhere: Topic = { ...topic, id: uuid(21), name: 'Evenings in Bergen', chapter: { id: uuid(40), name: 'Bergen', code: 'BGO' } }
const person = { id: uuid(30), displayName: 'Ada Byron', pictureId: null, memberNo: null }
const mailStep = { id: 'hello', kind: 'mail', templateId: template.id, topicId: topic.id } as const
const page = <Item,>(items: Item[]) => ({ items, nextCursor: null, total: items.length, totalIsExact: true })

type Told = { automation?: Partial<Automation>; counts?: AutomationStepCounts[]; log?: AutomationLogEntry[] }
function kept(told: Told = {}) {
  let stored = { ...automation, ...told.automation }
  const saved: Automation['steps'][] = []
  const { automations, templates, topics } = fake.data.communication
  const handlers = {
    data: {
      communication: {
        automations: {
          get: automations.get.handler(() => stored),
          steps: automations.steps.handler(() => ({ items: told.counts ?? [] })),
          runs: automations.runs.handler(() =>
            page([
              {
                ...{ id: uuid(50), automation: { id: automation.id, name: 'Welcome' }, person, state: 'done' as const, step: null },
                ...{ nextAt: null, endedBy: null, enteredAt: at, endedAt: at },
              },
            ]),
          ),
          log: automations.log.handler(() => ({ items: told.log ?? [] })),
          update: automations.update.handler(({ input }) => {
            saved.push(input.steps ?? [])
            stored = { ...stored, steps: input.steps ?? [], version: stored.version + 1 }
            return stored
          }),
        },
        templates: {
          list: templates.list.handler(() => page([template])),
          get: templates.get.handler(() => template),
        },
        topics: { list: topics.list.handler(() => ({ items: [topic, elsewhere], may: { create: false, createForAll: false } })) },
      },
    },
    actions: {
      communication: {
        messagePreview: fake.actions.communication.messagePreview.handler(({ input }) => ({
          ...{ subject: input.subject, html: '<html><head></head><body>Good to have you</body></html>', text: 'Good to have you, Ada' },
          ...{ person, missing: [], findings: [], gone: { pictures: [], events: [] } },
        })),
      },
    },
  }
  return { saved, handlers }
}
const open = ({ handlers }: ReturnType<typeof kept>) =>
  renderPath(`/communication/automations?automation=${automation.id}`, handlers, { holding: ['messages.write', 'messages.send'] })

test('a mail step is a template and a topic, seen as somebody would get it before it is saved', async () => {
  const user = userEvent.setup()
  const stage = kept()
  open(stage)
  await user.click(await screen.findByRole('button', { name: 'Add step' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Mail' }))
  const dialog = await screen.findByRole('dialog', { name: 'Mail' })
  await user.click(within(dialog).getByRole('button', { name: 'Add step' }))
  const missing = await within(dialog).findByRole('alert')
  expect(missing).toHaveTextContent('Choose a template.Choose a topic.')

  await user.click(within(dialog).getByRole('combobox', { name: 'Template' }))
  await user.click(await screen.findByRole('option', { name: 'Hello' }))
  const topics = within(dialog).getByRole('combobox', { name: 'Topic' })
  // A topic of a chapter is none of the whole organisation.
  expect(within(topics).queryByRole('option', { name: 'Evenings in Bergen' })).toBeNull()
  await user.selectOptions(topics, 'Membership')
  await user.click(within(dialog).getByRole('button', { name: 'Preview' }))
  const preview = await within(dialog).findByRole('region', { name: 'Preview' })
  await user.click(within(preview).getByRole('radio', { name: 'Plain text' }))
  expect(await within(preview).findByText('Good to have you, Ada')).toBeVisible()
  await user.click(within(dialog).getByRole('button', { name: 'Add step' }))
  await waitFor(() => expect(stage.saved).toEqual([[{ id: 'step1', kind: 'mail', templateId: template.id, topicId: topic.id }]]))
})

test('what keeps a mail from being sent stands at its step, where it is put right', async () => {
  const user = userEvent.setup()
  const stage = kept({
    automation: {
      status: 'paused',
      pauseReason: 'mail_broken',
      steps: [mailStep, { ...mailStep, id: 'again', templateId: null }],
      names: [{ id: template.id, kind: 'template', name: 'Hello' }],
      faults: [
        { step: 'hello', code: 'template_fields', detail: 'nickname' },
        { step: 'again', code: 'no_template' },
      ],
    },
  })
  open(stage)
  expect(await screen.findByText(/a mail could not be sent/)).toBeVisible()
  expect(screen.getByText('The template has unknown merge fields: nickname')).toBeVisible()
  expect(screen.getByText('Choose a template.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Activate' })).toBeDisabled()
  await user.click(screen.getByRole('button', { name: 'Edit step: Send Hello' }))
  const dialog = await screen.findByRole('dialog', { name: 'Mail' })
  expect(await within(dialog).findByDisplayValue('Hello')).toBeVisible()
  await waitFor(() => expect(within(dialog).getByRole('combobox', { name: 'Topic' })).toHaveDisplayValue('Membership'))
})

test('each mail step has its figures, and the log of a person says what became of the mail', async () => {
  const user = userEvent.setup()
  const none = { queued: 0, sent: 0, failed: 0, unknown: 0, cancelled: 0 }
  const mail = { ...none, recipients: 14, delivered: 9, softBounces: 1, hardBounces: 1, complaints: 0, skipped: 3, left: 11, opened: 7, clicked: 4, unsubscribed: 2 } // prettier-ignore
  const entry = (step: string, kind: AutomationLogEntry['kind'], more: Partial<AutomationLogEntry> = {}): AutomationLogEntry => ({
    ...{ step, kind, reason: null, until: null, mail: null, at },
    ...more,
  })
  open(
    kept({
      automation: {
        status: 'active',
        activatedAt: at,
        steps: [mailStep, { ...mailStep, id: 'again' }],
        names: [{ id: template.id, kind: 'template', name: 'Hello' }],
      },
      counts: [{ step: 'hello', reached: 14, done: 11, skipped: 3, here: 0, mail, messageId: uuid(60) }],
      log: [
        entry('enter', 'entered'),
        entry('hello', 'mailed', { mail: 'delivered' }),
        entry('again', 'skipped', { mail: 'skipped', reason: 'too_many' }),
        entry('end', 'done'),
      ],
    }),
  )
  const figures = (await screen.findByText('Sent', { selector: 'dt' })).closest('dl')
  expect(figures).toHaveTextContent('Sent11Delivered9Opened (indicative)7Clicked4Bounced2Marked as spam0Unsubscribed2')
  expect(screen.getByRole('link', { name: /Mail as last sent/ })).toHaveAttribute('href', expect.stringContaining(`message=${uuid(60)}`))
  await user.click(await screen.findByRole('button', { name: 'Log of Ada Byron' }))
  const log = await screen.findByRole('list', { name: 'Log' })
  expect(await within(log).findByText(/Mail: Send Hello \(Delivered\)/)).toBeVisible()
  expect(within(log).getByText(/Skipped: Send Hello \(Had enough messages this week\)/)).toBeVisible()
})
