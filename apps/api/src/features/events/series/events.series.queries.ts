import type { Event, SeriesScope } from '@guildhall/contract/features/events'
import { clockIn } from '@guildhall/contract/moments'
import { ruleOf } from '@guildhall/contract/repeats'
import type { Repeats } from '@guildhall/contract/repeats'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { daysAhead, daysOfRule } from './events.series.rules.ts'
import { findEvent } from '../events.queries.ts'

/** Makes a published event the first of a series, with those that come within the horizon. */
export async function startSeries(db: ActorDb, event: Event, repeats: Repeats): Promise<Event> {
  const startsOn = event.startsLocal.slice(0, 10)
  const { days, made } = daysAhead(repeats, startsOn, clockIn(event.timezone, new Date()).date)
  await sql`select app.start_series(${event.id}, ${ruleOf(repeats, startsOn)}, ${repeats.untilOn}, ${days}::date[], ${made})`.execute(db)
  return mustFind(await findEvent(db, event.id))
}

export const endSeries = (db: ActorDb, eventId: string) => sql`select app.end_series(${eventId})`.execute(db)

/** An event that was changed by itself is left alone when its series is changed. */
export const standApart = (db: ActorDb, eventId: string) =>
  db.updateTable('app.events').set({ series_exception: true }).where('id', '=', eventId).where('series_exception', '=', false).execute()

/** Events that a change of one is for as well: those of its series that have not begun, and were not changed apart from it. */
export async function othersOf(db: ActorDb, { id, seriesId, startsAt }: Event, scope: SeriesScope) {
  if (!seriesId || scope === 'this') return []
  const { rows } = await sql<{ id: string; version: number; startsLocal: string }>`
    select e.id, e.version, to_char(e.starts_local, 'YYYY-MM-DD"T"HH24:MI:SS') as "startsLocal" from app.events e
    where e.series_id = ${seriesId} and e.id <> ${id} and e.status in ('draft', 'published') and not e.series_exception and e.starts_at > now()
      ${scope === 'following' ? sql`and e.starts_at > ${startsAt}` : sql``} order by e.starts_at limit 400`.execute(db)
  return rows
}

/** The dates of a series that are still to come, from one event on or all of them, with how many registrations are live. */
export async function datesAhead(db: ActorDb, { seriesId, startsAt }: Event, scope: SeriesScope) {
  const { rows } = await sql<{ id: string; version: number; startsLocal: string; registrations: number; exception: boolean }>`
    select e.id, e.version, to_char(e.starts_local, 'YYYY-MM-DD"T"HH24:MI:SS') as "startsLocal", e.series_exception as exception,
      n.taken + n.waiting + n.pending_approval as registrations
    from app.events e join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
    where e.series_id = ${seriesId} and e.status = 'published' and e.starts_at > now()
      ${scope === 'following' ? sql`and e.starts_at >= ${startsAt}` : sql``} order by e.starts_at, e.id limit 400`.execute(db)
  return rows
}

type Split = { firstId: string; repeats: Repeats; startsOn: string; timezone: string; stay: readonly string[]; alone: readonly string[] }
/** Begins a new series with events that are there already, and makes those that its rule has besides. */
export async function splitSeries(db: ActorDb, { firstId, repeats, startsOn, timezone, stay, alone }: Split): Promise<void> {
  const { days, made } = daysAhead(repeats, startsOn, clockIn(timezone, new Date()).date)
  await sql`select app.split_series(${firstId}, ${ruleOf(repeats, startsOn)}, ${repeats.untilOn}, ${days}::date[], ${made}, ${[...stay]}::uuid[], ${[...alone]}::uuid[])`.execute(
    db,
  )
}

/** By the worker: the next events of each series of an organisation, up to the horizon; how many were made. */
export async function growSeries(db: Kysely<Schema>, orgId: string): Promise<number> {
  const { rows } = await sql<{ id: string; rule: string; starts_on: string; until_on: string; today: string }>`
    select s.id, s.rule, to_char(s.starts_local, 'YYYY-MM-DD') as starts_on, s.until_on::text, (now() at time zone s.timezone)::date::text as today
    from app.series_due(${orgId}, current_date + 180) s`.execute(db)
  let grown = 0
  for (const series of rows) {
    const { days, made } = daysOfRule(series.rule, series.until_on, series.starts_on, series.today)
    const { rows: counted } = await sql<{ count: number }>`select app.run_series(${orgId}, ${series.id}, ${days}::date[], ${made}) as count`.execute(db)
    grown += counted[0]?.count ?? 0
  }
  return grown
} // prettier-ignore
