import { randomUUID } from 'node:crypto'
import type {
  Automation,
  AutomationLogEntry,
  AutomationRun,
  AutomationStepCounts,
} from '@guildhall/contract/features/communication.automations'
import type { MessageTemplate } from '@guildhall/contract/features/communication.templates'
import { expect } from 'vitest'
import type { Client } from '../../../testing.ts'
import { textBody, topicOf } from '../sending/communication.sending.testing.ts'
import { test as base } from './communication.automations.testing.ts'

type Mails = {
  topicId: string
  template: MessageTemplate
  step: { id: string; kind: 'mail'; templateId: string; topicId: string }
  addTemplate(more?: object, by?: Client): Promise<MessageTemplate>
  /** One that entered a running automation. */
  enter(more?: { email?: string; givenName?: string }): Promise<string>
  entries(run: AutomationRun | undefined): Promise<AutomationLogEntry[]>
  counts(automation: Automation, step?: string): Promise<AutomationStepCounts | undefined>
}
export const test = base.extend<{ mails: Mails }>({
  mails: async ({ admin, club }, use) => {
    const topicId = await topicOf(admin, club.org)
    const addTemplate = async (more = {}, by = club.boss): Promise<MessageTemplate> => {
      const facts = {
        name: 'Hello',
        subject: 'Welcome, {{first_name | friend}}',
        body: textBody('{{salutation}}, you are one of {{organisation}}.'),
      }
      const made = await by.post('/data/message-templates', { ...facts, ...more })
      expect(made).toMatchObject({ status: 201 })
      return made.body
    }
    const template = await addTemplate()
    await use({
      ...{ topicId, template, addTemplate, step: { id: 'hello', kind: 'mail', templateId: template.id, topicId } },
      async enter(more = {}) {
        const { personId } = await club.join({ email: `${randomUUID()}@home.example`, ...more })
        await club.give(personId)
        return personId ?? ''
      },
      async entries(run) {
        const { body }: { body: { items: AutomationLogEntry[] } } = await club.boss.get(`/data/automation-runs/${run?.id ?? ''}/log`)
        return body.items
      },
      async counts({ id }, step = 'hello') {
        const { body }: { body: { items: AutomationStepCounts[] } } = await club.boss.get(`/data/automations/${id}/steps`)
        return body.items.find((one) => one.step === step)
      },
    })
  },
})

export const wait = { id: 'wait', kind: 'wait', days: 3 }
export const match = (version: number) => ({ 'if-match': `"${version}"` })
