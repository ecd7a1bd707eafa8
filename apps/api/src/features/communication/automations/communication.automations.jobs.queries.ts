import { AutomationSteps } from '@guildhall/contract/features/communication.automations'
import type { AutomationExit, AutomationStep, AutomationWho } from '@guildhall/contract/features/communication.automations'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { kindOf } from '../../../platform/notify.ts'
import type { Move, RunAt, RunFacts } from './communication.automations.rules.ts'

type Rows = Kysely<Schema>

export type AtWork = {
  org: string
  automation: string
  account: string | null
  version: number
  zone: string
  definition: { trigger: { on: string }; who: AutomationWho | null; steps: AutomationStep[]; exits: AutomationExit[] }
}
export async function automationsAtWork(db: Rows): Promise<AtWork[]> {
  const { rows } = await sql<AtWork>`select org, automation, account, version, zone, definition from app.automations_at_work()`.execute(db)
  return rows.map((row) => ({ ...row, definition: { ...row.definition, steps: AutomationSteps.parse(row.definition.steps) } }))
}

export async function mayStillSend(db: ActorDb, automation: string): Promise<boolean> {
  const { rows } = await sql<{ sends: boolean }>`select app.automation_sends(${automation}) as sends`.execute(db)
  return rows[0]?.sends ?? false
}

type Halt = 'sender_gone' | 'filter_broken' | 'mail_broken'
export const haltAutomation = async (db: Rows, { org, automation }: AtWork, why: Halt): Promise<void> => {
  await sql`select app.halt_automation(${org}, ${automation}, ${why})`.execute(db)
}

export type Found = { personId: string; occasion: string; subjectId: string | null; termEndsOn: string | null }
export async function findEntrants(db: Rows, { org, automation }: AtWork, most: number): Promise<Found[]> {
  const { rows } =
    await sql<Found>`select person_id as "personId", occasion, subject_id as "subjectId", term_ends_on::text as "termEndsOn" from app.find_entrants(${org}, ${automation}, ${most})`.execute(
      db,
    )
  return rows
}

export async function enter(db: Rows, { org, automation }: AtWork, found: readonly (Found & { meant: boolean })[]): Promise<number> {
  const { rows } = await sql<{
    entered: number
  }>`select app.enter_automation(${org}, ${automation}, ${JSON.stringify(found)}::jsonb) as entered`.execute(db)
  return rows[0]?.entered ?? 0
}

export type Due = RunAt & { personId: string }
export async function dueRuns(db: Rows, { org, automation }: AtWork, most: number): Promise<Due[]> {
  const { rows } =
    await sql<Due>`select run_id as "runId", person_id as "personId", step from app.due_runs(${org}, ${automation}, ${most})`.execute(db)
  return rows
}

type Held = Due & { version: number; facts: RunFacts }
export async function lockRuns(db: Rows, { org, automation }: AtWork, runs: readonly string[]): Promise<(Held & { now: Date })[]> {
  const { rows } = await sql<Held & { seconds: number }>`select run_id as "runId", person_id as "personId", step, version, facts,
      extract(epoch from now())::float8 as seconds from app.lock_runs(${org}, ${automation}, ${[...runs]}::uuid[])`.execute(db)
  return rows.map(({ seconds, ...run }) => ({ ...run, now: new Date(seconds * 1_000) }))
}

export async function takeSteps(db: Rows, { org, automation }: AtWork, moves: readonly Move[]): Promise<number> {
  const { rows } = await sql<{
    made: number
  }>`select app.step_runs(${org}, ${automation}, ${JSON.stringify(moves)}::jsonb, ${JSON.stringify(kindOf('follow-up'))}::jsonb) as made`.execute(
    db,
  )
  return rows[0]?.made ?? 0
}
