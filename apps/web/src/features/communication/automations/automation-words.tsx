import { plural, t } from '@lingui/core/macro'
import type {
  AutomationExit,
  AutomationFault,
  AutomationReentry,
  AutomationRecipe,
} from '@guildhall/contract/features/communication.automations'
import { skipReasons } from '@guildhall/contract/features/communication.messages'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import { skipText } from '../emails/messages-words.ts'
import type {
  Automation,
  AutomationLogKind,
  AutomationRow,
  AutomationRun,
  AutomationRunState,
  AutomationStep,
  AutomationTrigger,
} from './automations-api.ts'

export const triggerWords = (): Record<AutomationTrigger['on'], string> => ({
  joined: t`A membership becomes active`,
  renewal_due: t`A renewal is due`,
  lapsed: t`A membership lapses`,
  registered: t`Somebody registers for an event`,
  attended: t`Somebody attends an event`,
  birthday: t`A birthday`,
  tag_added: t`A tag is added`,
})

type Named = Pick<Automation, 'names'>
const nameOf = ({ names }: Named, id: string | null) => names.find((named) => named.id === id)?.name ?? t`Not found`

/** The trigger in one line, with what it is about where that is known. */
export function triggerText(trigger: AutomationTrigger, named?: Named): string {
  switch (trigger.on) {
    case 'renewal_due':
      return plural(trigger.days, { one: '# day before the membership ends', other: '# days before the membership ends' })
    case 'registered': {
      if (!named || trigger.eventId === null) return t`Somebody registers for any event`
      const event = nameOf(named, trigger.eventId)
      return t`Somebody registers for ${event}`
    }
    case 'attended': {
      if (!named || trigger.eventId === null) return t`Somebody attends any event`
      const event = nameOf(named, trigger.eventId)
      return t`Somebody attends ${event}`
    }
    case 'tag_added': {
      if (!named) return t`A tag is added`
      const tag = nameOf(named, trigger.tagId)
      return t`The tag ${tag} is added`
    }
    case 'joined':
    case 'lapsed':
    case 'birthday':
      return triggerWords()[trigger.on]
  }
}

export const stepKindWords = (): Record<AutomationStep['kind'], string> => ({
  wait: t`Wait`,
  condition: t`Condition`,
  mail: t`Mail`,
  tag: t`Tag`,
  task: t`Follow-up`,
})

export function stepText(step: AutomationStep, named: Named): string {
  switch (step.kind) {
    case 'wait':
      return waitText(step)
    case 'condition':
      return step.otherwise === 'exit'
        ? step.is === 'member'
          ? t`Go on only while they are a member`
          : t`Go on only if they match the filter`
        : step.is === 'member'
          ? t`Next step only for members`
          : t`Next step only if they match the filter`
    case 'mail':
      return step.templateId === null ? t`Send a mail: no template chosen` : t`Send ${nameOf(named, step.templateId)}`
    case 'tag': {
      const tag = nameOf(named, step.tagId)
      return step.does === 'add' ? t`Add the tag ${tag}` : t`Remove the tag ${tag}`
    }
    case 'task':
      return step.title
  }
}

function waitText({ days, hours, at }: Extract<AutomationStep, { kind: 'wait' }>): string {
  const long = [
    ...(days > 0 ? [plural(days, { one: '# day', other: '# days' })] : []),
    ...(hours > 0 ? [plural(hours, { one: '# hour', other: '# hours' })] : []),
  ].join(', ')
  if (at === null) return long === '' ? t`Wait: no time chosen` : t`Wait ${long}`
  return long === '' ? t`Wait until ${at}` : t`Wait ${long}, then until ${at}`
}

export const exitWords = (): Record<AutomationExit, string> => ({
  renewed: t`They renew`,
  unsubscribed: t`They unsubscribe`,
  left: t`They leave the organisation`,
  cancelled: t`Their registration is cancelled`,
  tag_removed: t`The tag is removed`,
})
export const reentryWords = (): Record<AutomationReentry, string> => ({
  once: t`Once per person`,
  term: t`Once per membership term`,
  always: t`Every time`,
})
export const recipeWords = (): Record<AutomationRecipe, string> => ({
  welcome: t`Welcome series`,
  renewal: t`Renewal reminders`,
  'win-back': t`Win back lapsed members`,
  'after-event': t`Thanks after an event`,
})
export const faultWords = (): Record<AutomationFault['code'], string> => ({
  no_steps: t`Add at least one step.`,
  wait_empty: t`Choose how long to wait.`,
  no_filter: t`Choose whom the condition is about.`,
  no_template: t`Choose a template.`,
  template_archived: t`This template is archived. Choose another.`,
  template_empty: t`The template has no subject or no text. Complete it, or choose another.`,
  template_fields: t`The template has unknown merge fields:`,
  no_topic: t`Choose a topic.`,
  topic_archived: t`This topic is archived. Choose another.`,
  topic_elsewhere: t`This topic belongs to another chapter. Choose another.`,
  tag_gone: t`This tag is gone. Choose another.`,
  event_gone: t`This event is gone. Choose another.`,
  assignee_gone: t`This person is gone. Choose somebody else.`,
})

export const statusWords = (): Record<AutomationRow['status'], string> => ({
  draft: t`Draft`,
  active: t`Active`,
  paused: t`Paused`,
  archived: t`Archived`,
})
const tones: Record<AutomationRow['status'], Tone> = { draft: 'neutral', active: 'good', paused: 'warning', archived: 'neutral' }
export const AutomationBadge = ({ status }: { status: AutomationRow['status'] }) => (
  <StatusBadge tone={tones[status]}>{statusWords()[status]}</StatusBadge>
)
export const pauseWords = (): Record<NonNullable<AutomationRow['pauseReason']>, string> => ({
  by_hand: t`Paused: nobody enters, and nobody goes on.`,
  sender_gone: t`Paused by itself: the person who activated it may no longer send here. Activate it again to run it with your rights.`,
  filter_broken: t`Paused by itself: a filter names something that is gone.`,
  mail_broken: t`Paused by itself: a mail could not be sent. Correct the step, then activate it again; everybody who waits there gets the mail then.`,
  complaints: t`Paused by itself: too many recipients marked mail of the organisation as spam. Activate it again once the reason is found.`,
})

export const runWords = (): Record<AutomationRunState, string> => ({
  active: t`In it`,
  done: t`Finished`,
  exited: t`Left early`,
  failed: t`Failed`,
  stopped: t`Stopped`,
})

/** Why a run ended, or of a step why it did nothing; what the server may say besides is told in general. */
export function reasonText(reason: string, ofStep = false): string {
  if (ofStep && skipReasons.some((one) => one === reason)) return skipText(reason)
  const words: Record<string, string> = {
    ...exitWords(),
    gone: t`Not in the organisation or chapter any more`,
    condition: t`The condition was not met`,
    by_hand: t`Stopped by hand`,
    archived: t`The automation was archived`,
    active: t`Ended when the automation was activated again`,
    tag_gone: t`The tag is gone`,
  }
  return words[reason] ?? t`Something went wrong`
}

export const logWords = (): Record<AutomationLogKind, string> => ({
  entered: t`Entered`,
  waited: t`Waiting`,
  held: t`Condition met`,
  mailed: t`Mail`,
  skipped: t`Skipped`,
  tagged: t`Tag added`,
  untagged: t`Tag removed`,
  assigned: t`Follow-up added`,
  exited: t`Left early`,
  done: t`Finished`,
  failed: t`Failed`,
  stopped: t`Stopped`,
})

const runTones: Record<AutomationRunState, Tone> = { active: 'info', done: 'good', exited: 'neutral', failed: 'bad', stopped: 'neutral' }
export const RunBadge = ({ run: { state } }: { run: Pick<AutomationRun, 'state'> }) => (
  <StatusBadge tone={runTones[state]}>{runWords()[state]}</StatusBadge>
)
