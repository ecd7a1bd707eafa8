import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { refusal } from '../reasons.ts'
import { CalendarDate, ChapterRef, Cursor, Filter, Id, Instant, Limit, PersonRef, Version, lines, page, text } from '../shapes.ts'
import { DeliveryState, MessageCounts } from './communication.messages.ts'

const tag = 'Communication'

// What an automation is -------------------------------------------------------------------------------------------------------------

export const AutomationTrigger = z
  .discriminatedUnion('on', [
    z.strictObject({ on: z.literal('joined') }),
    z.strictObject({ on: z.literal('renewal_due'), days: z.int().min(0).max(180).describe('Days before the last day of the term') }),
    z.strictObject({ on: z.literal('lapsed') }),
    z.strictObject({ on: z.literal('registered'), eventId: Id.nullable().default(null).describe('Null is any event') }),
    z.strictObject({ on: z.literal('attended'), eventId: Id.nullable().default(null).describe('Null is any event') }),
    z.strictObject({ on: z.literal('birthday') }),
    z.strictObject({ on: z.literal('tag_added'), tagId: Id }),
  ])
  .describe(
    'joined: a membership became active; renewal_due: its term ends in so many days; lapsed: it lapsed; registered: a seat at an event was confirmed; attended: they were checked in; birthday: it is today; tag_added: they were given a tag',
  )
export type AutomationTrigger = z.infer<typeof AutomationTrigger>

const stepIdPattern = /^[a-z0-9]{1,12}$/
const stepId = z.string().regex(stepIdPattern).describe('Stays its own while steps around it change')
const WaitStep = z.strictObject({
  id: stepId,
  kind: z.literal('wait'),
  days: z.int().min(0).max(365).default(0),
  hours: z.int().min(0).max(23).default(0),
  at: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
    .nullable()
    .default(null)
    .describe('And then until clocks of the organisation show this time'),
})
const ConditionStep = z.strictObject({
  id: stepId,
  kind: z.literal('condition'),
  is: z.enum(['member', 'filter']).describe('member: is a member today; filter: meets the filter of the people list'),
  filter: Filter.optional(),
  otherwise: z.enum(['exit', 'skip']).default('exit').describe('skip: goes on after the next step'),
})
const MailStep = z.strictObject({
  id: stepId,
  kind: z.literal('mail'),
  templateId: Id.nullable().default(null).describe('What it says: the template as it is when the step comes'),
  topicId: Id.nullable().default(null).describe('What it is about: decides whom consent lets it reach, and whether it is essential'),
})
const TagStep = z.strictObject({ id: stepId, kind: z.literal('tag'), tagId: Id, does: z.enum(['add', 'remove']).default('add') })
const TaskStep = z.strictObject({
  id: stepId,
  kind: z.literal('task'),
  title: text(120, 1),
  note: lines(1000).default(''),
  dueDays: z.int().min(0).max(90).default(7),
  assigneeId: Id.nullable().default(null).describe('Person who is to do it; null is anyone who writes messages for the person’s chapter'),
})
export const AutomationStep = z.discriminatedUnion('kind', [WaitStep, ConditionStep, MailStep, TagStep, TaskStep])
export type AutomationStep = z.infer<typeof AutomationStep>

export const AutomationSteps = z
  .array(AutomationStep)
  .max(30)
  .refine(
    (steps) => new Set(steps.map(({ id }) => id)).size === steps.length,
    refusal('automation_steps_twice', 'Give each step an id of its own.'),
  )

export const AutomationExit = z
  .enum(['renewed', 'unsubscribed', 'left', 'cancelled', 'tag_removed'])
  .describe(
    'renewed: their membership goes on; unsubscribed: from what its mails are about; left: they are no member any more; cancelled: the registration that let them enter; tag_removed: the tag that let them enter',
  )
export type AutomationExit = z.infer<typeof AutomationExit>
export const AutomationReentry = z.enum(['once', 'term', 'always']).describe('term: once for each term of their membership')
export type AutomationReentry = z.infer<typeof AutomationReentry>
export const AutomationStatus = z.enum(['draft', 'active', 'paused', 'archived'])
export type AutomationStatus = z.infer<typeof AutomationStatus>
export const AutomationRecipe = z.enum(['welcome', 'renewal', 'win-back', 'after-event'])
export type AutomationRecipe = z.infer<typeof AutomationRecipe>
const PauseReason = z
  .enum(['by_hand', 'sender_gone', 'filter_broken', 'mail_broken', 'complaints'])
  .describe(
    'sender_gone: the person who activated it may no longer send there; filter_broken: a filter names what is gone; mail_broken: a mail cannot be sent as it is, and faults say why; complaints: too many recipients reported mail of the organisation as spam',
  )

/** Filter of the people list that people must meet when they enter. */
const Who = z.strictObject({ filter: Filter.optional(), q: z.string().max(200).optional() })
export type AutomationWho = z.infer<typeof Who>

const Facts = {
  name: text(100, 1),
  description: lines(1000),
  trigger: AutomationTrigger,
  who: Who.nullable(),
  steps: AutomationSteps,
  exits: z.array(AutomationExit).max(5),
  reentry: AutomationReentry,
}

// What is shown ---------------------------------------------------------------------------------------------------------------------

export const AutomationRow = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  chapter: ChapterRef.nullable().describe('Whose people it concerns, with those below it; null is the whole organisation'),
  status: AutomationStatus,
  pauseReason: PauseReason.nullable(),
  trigger: AutomationTrigger,
  recipe: AutomationRecipe.nullable(),
  people: z.object({ inside: z.int(), ended: z.int() }).describe('How many are in it, and how many have been'),
  activatedAt: Instant.nullable(),
  createdAt: Instant,
  updatedAt: Instant,
  version: Version,
})
export type AutomationRow = z.infer<typeof AutomationRow>

export const AutomationNamed = z.object({ id: Id, kind: z.enum(['event', 'tag', 'person', 'template', 'topic']), name: z.string() })
export type AutomationNamed = z.infer<typeof AutomationNamed>

/** What stands in the way of activating it, at which step. */
export const AutomationFault = z.object({
  step: z.string().nullable(),
  code: z.enum([
    'no_steps',
    'wait_empty',
    'no_filter',
    'no_template',
    'template_archived',
    'template_empty',
    'template_fields',
    'no_topic',
    'topic_archived',
    'topic_elsewhere',
    'tag_gone',
    'event_gone',
    'assignee_gone',
  ]),
  detail: z.string().optional().describe('Fields that the template names and nobody knows'),
})
export type AutomationFault = z.infer<typeof AutomationFault>

export const Automation = AutomationRow.extend({
  who: Who.nullable(),
  steps: AutomationSteps,
  exits: z.array(AutomationExit),
  reentry: AutomationReentry,
  activatedBy: PersonRef.nullable().describe('With whose rights it runs'),
  entersFrom: CalendarDate.nullable().describe('What happened before that day lets nobody enter'),
  names: z.array(AutomationNamed).describe('Records that it names; those you cannot see are missing'),
  faults: z.array(AutomationFault),
  may: z.object({ change: z.boolean(), activate: z.boolean() }),
})
export type Automation = z.infer<typeof Automation>

export const AutomationStepCounts = z.object({
  step: z.string().describe('Id of a step, or enter'),
  reached: z.int().describe('Runs that have come to it'),
  done: z.int(),
  skipped: z.int(),
  here: z.int().describe('Runs that wait in it now'),
  mail: MessageCounts.nullable().describe(
    'What became of its mails, in all its editions; null for steps that send none, and before the first',
  ),
  messageId: Id.nullable().describe('The mail as it was last sent; its report has links and recipients'),
})
export type AutomationStepCounts = z.infer<typeof AutomationStepCounts>

export const AutomationRunState = z.enum(['active', 'done', 'exited', 'failed', 'stopped'])
export type AutomationRunState = z.infer<typeof AutomationRunState>
const AutomationRun = z.object({
  id: Id,
  automation: z.object({ id: Id, name: z.string() }),
  person: PersonRef,
  state: AutomationRunState,
  step: z.string().nullable().describe('The step that it waits in or that comes next'),
  nextAt: Instant.nullable(),
  endedBy: z.string().nullable().describe('Rule that ended it'),
  enteredAt: Instant,
  endedAt: Instant.nullable(),
})
export type AutomationRun = z.infer<typeof AutomationRun>

export const AutomationLogKind = z.enum([
  'entered',
  'waited',
  'held',
  'mailed',
  'skipped',
  'tagged',
  'untagged',
  'assigned',
  'exited',
  'done',
  'failed',
  'stopped',
])
export type AutomationLogKind = z.infer<typeof AutomationLogKind>
export const AutomationLogEntry = z.object({
  step: z.string().describe('Id of a step, enter or end'),
  kind: AutomationLogKind,
  reason: z.string().nullable().describe('Why nothing was done, or which rule ended it'),
  until: Instant.nullable().describe('Until when it waits'),
  mail: DeliveryState.nullable().describe('What became of the mail of this step'),
  at: Instant,
})
export type AutomationLogEntry = z.infer<typeof AutomationLogEntry>

export const FollowUp = z.object({
  id: Id,
  person: PersonRef.nullable().describe('Null where you do not see the person'),
  chapter: ChapterRef.nullable(),
  assignee: PersonRef.nullable().describe('Null is everybody who writes messages for the chapter'),
  mine: z.boolean(),
  title: z.string(),
  note: z.string(),
  dueOn: CalendarDate.nullable(),
  automation: z.object({ id: Id, name: z.string() }).nullable(),
  doneAt: Instant.nullable(),
  doneBy: PersonRef.nullable(),
  createdAt: Instant,
  version: Version,
})
export type FollowUp = z.infer<typeof FollowUp>

// Procedures ------------------------------------------------------------------------------------------------------------------------

const OneAutomation = z.strictObject({ automationId: Id })
export const NewAutomation = z
  .strictObject({
    ...Facts,
    description: Facts.description.default(''),
    who: Facts.who.default(null),
    steps: Facts.steps.default([]),
    exits: Facts.exits.default([]),
    reentry: Facts.reentry.default('once'),
    chapterId: Id.nullable().default(null),
  })
  .meta({ examples: [{ name: 'Welcome', trigger: { on: 'joined' }, steps: [{ id: 'a', kind: 'wait', days: 1 }] }] })
export type NewAutomation = z.infer<typeof NewAutomation>
export const AutomationChange = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ name: 'Welcome to all' }] })
export type AutomationChange = z.infer<typeof AutomationChange>
const needs = 'messages.write' as const
const since = z.int().min(1).max(365).describe('Lets enter also to whom it happened in so many days before today')

export const automations = {
  list: get('/automations', 'listAutomations', {
    needs,
    tag,
    summary: 'Automations of the organisation and of chapters for which you write messages, by name',
  })
    .input(
      z
        .strictObject({
          q: z.string().max(200).optional(),
          status: AutomationStatus.optional().describe('Without it all but archived ones'),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        })
        .meta({ examples: [{ status: 'active' }] }),
    )
    .output(page(AutomationRow)),
  create: post('/automations', 'createAutomation', { needs, tag, summary: 'Create an automation as a draft' })
    .input(NewAutomation)
    .output(Automation),
  fromRecipe: post('/automations/recipes', 'createAutomationFromRecipe', {
    needs,
    tag,
    summary: 'Create a draft from a ready recipe, with its templates where you may add them',
  })
    .input(
      z
        .strictObject({ recipe: AutomationRecipe, chapterId: Id.nullable().default(null), language: z.string().max(35).optional() })
        .meta({ examples: [{ recipe: 'welcome' }] }),
    )
    .output(Automation),
  get: get('/automations/{automationId}', 'getAutomation', {
    needs,
    tag,
    summary: 'One automation, with what stands in the way of activating it',
  })
    .input(OneAutomation)
    .output(Automation),
  update: patch('/automations/{automationId}', 'updateAutomation', {
    needs,
    tag,
    summary: 'Change an automation; what is left out stays. While it is active only name and description change',
  })
    .input(AutomationChange.extend(OneAutomation.shape))
    .output(Automation),
  activate: act('/automations/{automationId}/activate', 'activateAutomation', {
    needs: 'messages.send',
    tag,
    summary: 'Activate an automation: anyone it happens to from now on enters, and those in it go on',
  })
    .input(OneAutomation.extend({ since: since.optional(), endsRuns: z.boolean().default(false).describe('Ends who is in it instead') }))
    .output(Automation),
  pause: act('/automations/{automationId}/pause', 'pauseAutomation', {
    needs,
    tag,
    summary: 'Pause an automation: nobody enters, and nobody goes on',
  })
    .input(OneAutomation)
    .output(Automation),
  archive: act('/automations/{automationId}/archive', 'archiveAutomation', {
    needs,
    tag,
    summary: 'Archive an automation and end who is in it',
  })
    .input(OneAutomation)
    .output(Automation),
  preview: get('/automations/{automationId}/preview', 'previewAutomation', {
    needs,
    tag,
    summary: 'Who would enter it today, or with since, for what happened in so many days before',
    readsPeople: 10,
  })
    .input(OneAutomation.extend({ since: since.optional() }))
    .output(z.object({ total: z.int(), people: z.array(PersonRef).describe('The first ten by name') })),
  steps: get('/automations/{automationId}/steps', 'countAutomationSteps', {
    needs,
    tag,
    summary: 'How many have come to each step, and what it did',
  })
    .input(OneAutomation)
    .output(z.object({ items: z.array(AutomationStepCounts) })),
  runs: get('/automations/{automationId}/runs', 'listAutomationRuns', {
    needs,
    tag,
    summary: 'Who is and was in an automation, newest first',
    readsPeople: 50,
  })
    .input(
      OneAutomation.extend({
        state: AutomationRunState.optional(),
        step: z.string().regex(stepIdPattern).optional().describe('Only who waits in this step'),
        cursor: Cursor.optional(),
        limit: Limit.optional(),
      }),
    )
    .output(page(AutomationRun)),
  log: get('/automation-runs/{automationRunId}/log', 'readAutomationLog', {
    needs,
    tag,
    summary: 'What an automation did for one person, step by step',
  })
    .input(z.strictObject({ automationRunId: Id }))
    .output(z.object({ items: z.array(AutomationLogEntry) })),
  stop: post('/automation-runs/{automationRunId}/stop', 'stopAutomationRun', {
    needs,
    tag,
    status: 200,
    summary: 'Stop an automation for one person',
  })
    .input(z.strictObject({ automationRunId: Id }))
    .output(AutomationRun),
  ofPerson: get('/people/{personId}/automations', 'listAutomationsOfPerson', {
    needs,
    tag,
    summary: 'Automations that a person is or was in, newest first',
  })
    .input(z.strictObject({ personId: Id }))
    .output(z.object({ items: z.array(AutomationRun) })),
}

const OneFollowUp = z.strictObject({ followUpId: Id })
export const followUps = {
  list: get('/follow-ups', 'listFollowUps', {
    needs: 'signed-in',
    tag,
    summary: 'What is to be done about people: yours, and those of chapters for which you write messages; by due date',
    readsPeople: 50,
  })
    .input(
      z
        .strictObject({
          state: z.enum(['open', 'done']).default('open'),
          mine: z.boolean().optional().describe('Only those assigned to you, and those assigned to nobody'),
          cursor: Cursor.optional(),
          limit: Limit.optional(),
        })
        .meta({ examples: [{ state: 'open' }] }),
    )
    .output(page(FollowUp)),
  done: act('/follow-ups/{followUpId}/done', 'finishFollowUp', { needs: 'signed-in', tag, summary: 'Mark a follow-up as done' })
    .input(OneFollowUp)
    .output(FollowUp),
  reopen: act('/follow-ups/{followUpId}/reopen', 'reopenFollowUp', {
    needs: 'signed-in',
    tag,
    summary: 'Mark a follow-up as not done after all',
  })
    .input(OneFollowUp)
    .output(FollowUp),
}
