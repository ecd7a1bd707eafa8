import type {
  Automation,
  AutomationChange,
  AutomationNamed,
  AutomationRecipe,
  AutomationStep,
  AutomationTrigger,
} from '@guildhall/contract/features/communication.automations'
import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../../platform/lists/list-page.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { languageFor, textsIn } from '../../../platform/texts/texts.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { insertTemplate } from '../templates/communication.templates.queries.ts'
import { faultsOf } from './communication.automations.faults.rules.ts'
import {
  automationQuery,
  automationsList,
  findAutomation,
  hiddenOf,
  insertAutomation,
  mayAddTemplates,
  moveAutomation,
  personRunsQuery,
  previewEntrants,
  runLogQuery,
  runQuery,
  runsList,
  stepCountsQuery,
  stopRun,
  topicForRecipe,
  updateAutomation,
  whoMeets,
} from './communication.automations.queries.ts'
import type { StoredAutomation } from './communication.automations.queries.ts'
import { recipeOf } from './communication.automations.recipes.rules.ts'
import { followUpsList, setDone } from './communication.followups.queries.ts'

const { automations, followUps } = data.communication

function shown({ mails, ...automation }: StoredAutomation): Automation {
  return { ...automation, faults: faultsOf({ ...automation, mails }) }
}

type Named = { kind: AutomationNamed['kind']; id: string; path: string }
function namedIn({
  trigger,
  steps = [],
}: {
  trigger?: AutomationTrigger | undefined
  steps?: readonly AutomationStep[] | undefined
}): Named[] {
  const named: Named[] = []
  if (trigger && 'eventId' in trigger && trigger.eventId) named.push({ kind: 'event', id: trigger.eventId, path: 'trigger.eventId' })
  if (trigger?.on === 'tag_added') named.push({ kind: 'tag', id: trigger.tagId, path: 'trigger.tagId' })
  for (const [nth, step] of steps.entries()) {
    if (step.kind === 'tag') named.push({ kind: 'tag', id: step.tagId, path: `steps.${nth}.tagId` })
    if (step.kind === 'mail' && step.templateId) named.push({ kind: 'template', id: step.templateId, path: `steps.${nth}.templateId` })
    if (step.kind === 'mail' && step.topicId) named.push({ kind: 'topic', id: step.topicId, path: `steps.${nth}.topicId` })
    if (step.kind === 'task' && step.assigneeId) named.push({ kind: 'person', id: step.assigneeId, path: `steps.${nth}.assigneeId` })
  }
  return named
}

/** What is saved newly names only what whoever saves it sees, and filters that are known. */
async function mustBeUsable(db: ActorDb, change: AutomationChange, before?: StoredAutomation): Promise<void> {
  const known = new Set(before ? namedIn(before).map(({ id }) => id) : [])
  const named = namedIn(change).filter(({ id }) => !known.has(id))
  for (const nth of await hiddenOf(db, named))
    throw problem(
      'UNPROCESSABLE_CONTENT',
      fault(
        named[nth]?.path ?? 'steps',
        'automation_part_hidden',
        'This names a record that is gone or that you cannot see. Choose another one.',
      ),
    )
  if (change.who) await whoMeets(db, [], change.who)
  for (const step of change.steps ?? []) if (step.kind === 'condition' && step.filter) await whoMeets(db, [], { filter: step.filter })
}

const asActivated = async (db: ActorDb, automationId: string): Promise<void> => {
  const automation = mustFind(await findAutomation(db, automationId))
  const [first] = faultsOf(automation)
  if (first && automation.may.activate)
    throw problem('CONFLICT', { reason: 'automation_not_ready', detail: `The automation is not ready: ${first.code}.` })
}

type FromRecipe = { recipe: AutomationRecipe; chapterId: string | null; language?: string | undefined }
/**
 * A draft whose mails are templates of its place, and about a topic that suits them where there is one. Who may not add templates there, or finds no such topic,
 * chooses them at the step.
 */
async function fromRecipe(db: ActorDb, actor: CallerContext['actor'], { recipe, chapterId, language }: FromRecipe): Promise<string> {
  const { brand } = await letterheadOf(db, actor.orgId)
  const { mails, topic, steps, ...made } = recipeOf(recipe, textsIn(languageFor(language, brand.locale)))
  const topicId = await topicForRecipe(db, topic)
  const adds = await mayAddTemplates(db, chapterId)
  const filled: AutomationStep[] = []
  for (const step of steps) {
    const says = step.kind === 'mail' ? mails[step.id] : undefined
    const templateId = says && adds ? await insertTemplate(db, actor, { ...says, chapterId, groupId: null }) : null
    filled.push(step.kind === 'mail' ? { ...step, templateId, topicId } : step)
  }
  return insertAutomation(db, actor, { ...made, steps: filled, chapterId })
}

const automationsRouter = automations.router({
  list: automations.list.handler(({ input, context }) => listPage(context, automationsList(input), input)),
  get: automations.get.handler(async ({ input, context }) => shown((await readOne(context, automationQuery(input.automationId))).item)),
  create: automations.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      await mustBeUsable(db, input)
      return shown(mustFind(await findAutomation(db, await insertAutomation(db, context.actor, input))))
    }),
  ),
  fromRecipe: automations.fromRecipe.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      return shown(mustFind(await findAutomation(db, await fromRecipe(db, context.actor, input))))
    }),
  ),
  update: automations.update.handler(({ input: { automationId, ...change }, context }) =>
    context.inTx(async (db) => {
      await mustBeUsable(db, change, mustFind(await findAutomation(db, automationId)))
      return shown(await updateAutomation(db, { automationId, version: context.ifMatch }, change))
    }),
  ),
  activate: automations.activate.handler(({ input: { automationId, ...wanted }, context }) =>
    context.inTx(async (db) => {
      await asActivated(db, automationId)
      return shown(await moveAutomation(db, { automationId, version: context.ifMatch }, { to: 'active', ...wanted }))
    }),
  ),
  pause: automations.pause.handler(({ input, context }) =>
    context.inTx(async (db) => shown(await moveAutomation(db, { ...input, version: context.ifMatch }, { to: 'paused' }))),
  ),
  archive: automations.archive.handler(({ input, context }) =>
    context.inTx(async (db) => shown(await moveAutomation(db, { ...input, version: context.ifMatch }, { to: 'archived' }))),
  ),
  preview: automations.preview.handler(({ input, context }) =>
    context.inTx(async (db) => {
      const { who } = mustFind(await findAutomation(db, input.automationId))
      return previewEntrants(db, input.automationId, who, input.since ?? 0)
    }),
  ),
  steps: automations.steps.handler(async ({ input, context }) => {
    await readOne(context, automationQuery(input.automationId))
    return readOne(context, stepCountsQuery(input.automationId))
  }),
  runs: automations.runs.handler(async ({ input, context }) => {
    await readOne(context, automationQuery(input.automationId))
    return listPage(context, runsList(input.automationId, input), input)
  }),
  log: automations.log.handler(async ({ input, context }) => {
    await readOne(context, runQuery(input.automationRunId))
    return readOne(context, runLogQuery(input.automationRunId))
  }),
  stop: automations.stop.handler(({ input, context }) => context.inTx((db) => stopRun(db, input.automationRunId))),
  ofPerson: automations.ofPerson.handler(({ input, context }) => readOne(context, personRunsQuery(input.personId))),
})

export { automationsRouter as automations }

export const followUpsRouter = followUps.router({
  list: followUps.list.handler(({ input, context }) => listPage(context, followUpsList(input), input)),
  done: followUps.done.handler(({ input, context }) =>
    context.inTx((db) => setDone(db, { ...input, version: context.ifMatch, accountId: context.actor.accountId }, true)),
  ),
  reopen: followUps.reopen.handler(({ input, context }) =>
    context.inTx((db) => setDone(db, { ...input, version: context.ifMatch, accountId: context.actor.accountId }, false)),
  ),
})
