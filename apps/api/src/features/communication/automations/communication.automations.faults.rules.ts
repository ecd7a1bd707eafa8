import type { Automation, AutomationFault } from '@guildhall/contract/features/communication.automations'

type Checked = Pick<Automation, 'trigger' | 'steps' | 'names'>

/** What stands in the way of activating an automation, in the order of its steps. */
export function faultsOf({ trigger, steps, names }: Checked): AutomationFault[] {
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
        if (step.templateId === null) found('no_template')
        if (step.topicId === null) found('no_topic')
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
