import type { Actor } from '@guildhall/db'
import { jobActor } from '../../../platform/jobs/job-progress.ts'
import type { JobHandler } from '../../../platform/jobs/jobs.ts'
import { toProblem } from '../../../platform/procedures/problem.ts'
import type { Services } from '../../../platform/services.ts'
import {
  automationsAtWork,
  dueRuns,
  enter,
  findEntrants,
  haltAutomation,
  lockRuns,
  mayStillSend,
  takeSteps,
} from './communication.automations.jobs.queries.ts'
import type { AtWork, Due } from './communication.automations.jobs.queries.ts'
import { mailFaults } from './communication.automations.faults.rules.ts'
import { findAutomation, whoMeets } from './communication.automations.queries.ts'
import { decide, isEntryTime } from './communication.automations.rules.ts'

/** So many people in one transaction. */
const portion = 200
/** So many portions of one automation in a round, so that none keeps the others waiting. */
const portionsARound = 25

/**
 * Every minute, for each active automation: whoever it has happened to enters, and runs whose time has come take their next step. People are looked up
 * as the account that activated it, so that it never reaches further than that account. A portion is a transaction: what was cut off has not happened.
 */
export const automationJobs =
  ({ database, log }: Services): JobHandler =>
  async (_data, { signal }) => {
    for (const work of await database.withoutActor(automationsAtWork)) {
      signal.throwIfAborted()
      const actor = work.account && (await jobActor(database, work.org, work.account))
      if (!actor || !(await database.asActor(actor, (db) => mayStillSend(db, work.automation)))) {
        await database.withoutActor((db) => haltAutomation(db, work, 'sender_gone'))
        log.warn({ automation: work.automation }, 'an automation was paused: the person who activated it may no longer send')
        continue
      }
      try {
        await letEnter(database, work, actor, signal)
        await goOn({ database, log }, work, actor, signal)
      } catch (error) {
        // What a filter says is refused like in a request.
        const status = toProblem(error)?.status ?? 500
        if (status !== 400 && status !== 422) throw error
        await database.withoutActor((db) => haltAutomation(db, work, 'filter_broken'))
        log.warn({ automation: work.automation }, 'an automation was paused: a filter of it is not known any more')
      }
    }
  }

type Database = Services['database']

async function letEnter(database: Database, work: AtWork, actor: Actor, signal: AbortSignal): Promise<void> {
  if (!isEntryTime(work.definition.trigger.on, new Date(), work.zone)) return
  for (let round = 0; round < portionsARound; round++) {
    signal.throwIfAborted()
    const found = await database.withoutActor((db) => findEntrants(db, work, portion))
    if (found.length === 0) return
    const people = found.map(({ personId }) => personId)
    const meant = await database.asActor(actor, (db) => whoMeets(db, people, work.definition.who))
    const looked = found.map((one) => ({ ...one, meant: meant.has(one.personId) }))
    await database.withoutActor((db) => enter(db, work, looked))
    if (found.length < portion) return
  }
}

async function goOn({ database, log }: Pick<Services, 'database' | 'log'>, work: AtWork, actor: Actor, signal: AbortSignal): Promise<void> {
  for (let round = 0; round < portionsARound; round++) {
    signal.throwIfAborted()
    const due = await database.withoutActor((db) => dueRuns(db, work, portion))
    if (due.length === 0) return
    const versions = await mailsToSend(database, work, actor, due)
    if (!versions) {
      await database.withoutActor((db) => haltAutomation(db, work, 'mail_broken'))
      log.warn({ automation: work.automation }, 'an automation was paused: a mail of it cannot be sent as it is')
      return
    }
    const meeting = await whoMeetsConditions(database, work, actor, due)
    const made = await database.withoutActor(async (db) => {
      const held = await lockRuns(
        db,
        work,
        due.map(({ runId }) => runId),
      )
      // Changed since it was read: the next round reads it anew.
      const moves = held
        .filter(({ version }) => version === work.version)
        .map(({ facts, now, ...run }) => decide(work.definition, run, facts, meeting.has(run.runId), now, work.zone, versions))
      return moves.length === 0 ? 0 : takeSteps(db, work, moves)
    })
    if (made === 0) return
  }
}

/**
 * Versions of the templates of mail steps that runs stand before, as the person who activated the automation sees them; undefined where one of these mails cannot
 * be sent as it is, so that nobody goes past it without getting it.
 */
async function mailsToSend(
  database: Database,
  { automation, definition }: AtWork,
  actor: Actor,
  due: readonly Due[],
): Promise<Map<string, number> | undefined> {
  const steps = definition.steps.flatMap((step) => (step.kind === 'mail' && due.some((run) => run.step === step.id) ? [step] : []))
  const versions = new Map<string, number>()
  if (steps.length === 0) return versions
  const { mails } = (await database.asActor(actor, (db) => findAutomation(db, automation))) ?? { mails: { templates: [], topics: [] } }
  for (const step of steps) {
    const template = mails.templates.find(({ id }) => id === step.templateId)
    if (!template || mailFaults(step, mails).length > 0) return undefined
    versions.set(step.id, template.version)
  }
  return versions
}

/** Runs that stand before a condition whose filter their person meets. */
async function whoMeetsConditions(database: Database, { definition }: AtWork, actor: Actor, due: readonly Due[]): Promise<Set<string>> {
  const meeting = new Set<string>()
  for (const step of definition.steps) {
    if (step.kind !== 'condition' || step.is !== 'filter') continue
    const before = due.filter((run) => run.step === step.id)
    if (before.length === 0) continue
    const people = before.map(({ personId }) => personId)
    const who = step.filter ? { filter: step.filter } : null
    const meet = await database.asActor(actor, (db) => whoMeets(db, people, who))
    for (const { runId, personId } of before) if (meet.has(personId)) meeting.add(runId)
  }
  return meeting
}
