import type { Automation, AutomationFault, AutomationStep } from '@guildhall/contract/features/communication.automations'
import type { MessageContent } from '@guildhall/contract/message-blocks'
import { contentFindings } from '../sending/communication.checks.rules.ts'

/** A template or topic that a mail step names, as far as the reader sees it. */
type MailTemplate = MessageContent & { id: string; version: number; isArchived: boolean }
/** `fits`: it is of the organisation, or of a chapter that the automation belongs to. */
type MailTopic = { id: string; isArchived: boolean; fits: boolean }
export type Mails = { templates: readonly MailTemplate[]; topics: readonly MailTopic[] }
type Checked = Pick<Automation, 'trigger' | 'steps' | 'names'> & { mails: Mails }
type Fault = Omit<AutomationFault, 'step'>

/** What stands in the way of activating an automation, in the order of its steps. */
export function faultsOf({ trigger, steps, names, mails }: Checked): AutomationFault[] {
  const isThere = (id: string) => names.some((named) => named.id === id)
  const faults: AutomationFault[] = []
  if (steps.length === 0) faults.push({ step: null, code: 'no_steps' })
  if ('eventId' in trigger && trigger.eventId && !isThere(trigger.eventId)) faults.push({ step: null, code: 'event_gone' })
  if (trigger.on === 'tag_added' && !isThere(trigger.tagId)) faults.push({ step: null, code: 'tag_gone' })
  for (const step of steps) {
    const found = (code: AutomationFault['code']) => faults.push({ step: step.id, code })
    switch (step.kind) {
      case 'wait':
        if (step.days === 0 && step.hours === 0 && step.at === null) found('wait_empty')
        break
      case 'condition':
        if (step.is === 'filter' && !step.filter?.and.length) found('no_filter')
        break
      case 'mail':
        faults.push(...mailFaults(step, mails).map((fault) => ({ step: step.id, ...fault })))
        break
      case 'tag':
        if (!isThere(step.tagId)) found('tag_gone')
        break
      case 'task':
        if (step.assigneeId !== null && !isThere(step.assigneeId)) found('assignee_gone')
        break
    }
  }
  return faults
}

type MailStep = Extract<AutomationStep, { kind: 'mail' }>

/** Why a mail step cannot send as it is. */
export function mailFaults({ templateId, topicId }: MailStep, { templates, topics }: Mails): Fault[] {
  const template = templates.find(({ id }) => id === templateId)
  const topic = topics.find(({ id }) => id === topicId)
  return [
    ...(template ? templateFaults(template) : [{ code: 'no_template' } as const]),
    ...(!topic
      ? [{ code: 'no_topic' } as const]
      : topic.isArchived
        ? [{ code: 'topic_archived' } as const]
        : topic.fits
          ? []
          : [{ code: 'topic_elsewhere' } as const]),
  ]
}

function templateFaults({ isArchived, ...content }: MailTemplate): Fault[] {
  if (isArchived) return [{ code: 'template_archived' }]
  // The topic is looked at by itself.
  const wrong = contentFindings({ ...content, topic: null }).filter(({ severity }) => severity === 'error')
  const unknown = wrong
    .filter(({ code }) => code === 'unknown_field' || code === 'broken_field')
    .map(({ params }) => String(params['field']))
  return [
    ...(wrong.some(({ code }) => code === 'no_subject' || code === 'no_text') ? [{ code: 'template_empty' } as const] : []),
    ...(unknown.length > 0 ? [{ code: 'template_fields', detail: [...new Set(unknown)].join(', ') } as const] : []),
  ]
}
