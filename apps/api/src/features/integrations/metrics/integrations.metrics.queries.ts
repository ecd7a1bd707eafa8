import type { MetricAlert, MetricAnnotation, MetricType, NewMetricAlert } from '@guildhall/contract/features/integrations.metrics'
import type { ConnectorKey } from '@guildhall/contract/features/integrations'
import type { Actor, ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder } from 'kysely'
import type * as z from 'zod'
import { isId } from '../../../platform/records/is-id.ts'
import { statement } from '../../../platform/records/statement.ts'

/** `value` is the sum of `count` measurements (one, unless said): 3 errors, or 900 milliseconds of 3 requests. */
export type MetricMeasurement = { type: MetricType; at?: Date; value: number; count?: number; direction?: 'in' | 'out' }
/** What a whole hour comes to; a count of 0 removes it. */
export type MeasuredHour = { type: MetricType; hour: Date; value: number; count: number; direction?: 'in' | 'out' }

/** Adds measurements to the hours and days of a connection, in the caller's transaction: the worker's, or that of somebody who manages it. */
export async function addPoints(db: Kysely<Schema>, connectionId: string, points: readonly MetricMeasurement[]): Promise<void> {
  if (points.length > 0) await sql`select app.add_metric_points(${connectionId}, ${JSON.stringify(points)}::jsonb)`.execute(db)
}

/** Replaces hours, and their days with them: for figures that are counted anew from our own tables. */
export async function setPoints(db: Kysely<Schema>, connectionId: string, hours: readonly MeasuredHour[]): Promise<void> {
  if (hours.length > 0) await sql`select app.set_metric_points(${connectionId}, ${JSON.stringify(hours)}::jsonb)`.execute(db)
}

// Reading -------------------------------------------------------------------------------------------------------------------------------

/** An hour or a day of one direction. */
export type Measured = {
  /** Instant of an hour, date of a day. */
  at: string
  direction: '' | 'in' | 'out'
  total: number
  measured: number
  greatest: number
  last: number
  /** Milliseconds. */
  lastAt: number
}
export type Subject = {
  id: string
  slug: string
  name: string
  connector: ConnectorKey
  /** Day by the organisation's calendar from which on it is measured: of what was here before, earlier than the connection. */
  madeOn: string
  timezone: string
  currency: string
  now: string
  today: string
  mayManage: boolean
}

const called = (name: string) => (isId(name) ? sql`c.id = ${name}::uuid` : sql`c.slug = ${name}`)
const subject = sql<Subject>`jsonb_build_object('id', c.id, 'slug', c.slug, 'name', c.name, 'connector', c.connector, 'madeOn', least((c.created_at at time zone o.timezone)::date,
    (select min(m.day) from app.metric_days m where m.org_id = c.org_id and m.connection_id = c.id)),
  'timezone', o.timezone, 'currency', o.currency, 'now', to_json(now()), 'today', (now() at time zone o.timezone)::date, 'mayManage', c.id = any ((select app.managed_connections())::uuid[]))`
/** As an array, since there are hundreds; `measuredOf` reads it. */
const measured = (at: RawBuilder<unknown>) =>
  sql`json_build_array(${at}, m.direction, m.total, m.measured, m.greatest, m.last, round(extract(epoch from m.last_at) * 1000))`
type Row = [at: string, direction: Measured['direction'], total: number, measured: number, greatest: number, last: number, lastAt: number]
export const measuredOf = ([at, direction, total, count, greatest, last, lastAt]: Row): Measured => ({
  ...{ at, direction, total, measured: count, greatest, last, lastAt },
})

type Range = { from: string; to: string }
const rowsIn = (hourly: boolean, { from, to }: Range, type: string) =>
  hourly
    ? sql`(select coalesce(json_agg(${measured(sql`m.hour`)} order by m.hour), '[]') from app.metric_hours m where m.org_id = c.org_id and m.connection_id = c.id and m.type = ${type}
        and m.hour >= (${from}::date - 1)::timestamp at time zone o.timezone and m.hour < (${to}::date + 2)::timestamp at time zone o.timezone
        and (m.hour at time zone o.timezone)::date between ${from}::date and ${to}::date)`
    : sql`(select coalesce(json_agg(${measured(sql`m.day`)} order by m.day), '[]') from app.metric_days m where m.org_id = c.org_id and m.connection_id = c.id and m.type = ${type}
        and m.day between ${from}::date and ${to}::date)`

export type MetricRows = { subject: Subject; rows: Row[]; before: Row[]; annotations: MetricAnnotation[] }

/** One metric of a connection by its id or name, in one trip; nothing where the caller sees no such connection. */
export const metricQuery = (
  name: string,
  type: string,
  { hourly, range, before }: { hourly: boolean; range: Range; before: Range | null },
) =>
  statement(sql<MetricRows>`select ${subject} as subject, ${rowsIn(hourly, range, type)} as rows, ${before ? rowsIn(hourly, before, type) : sql`'[]'::json`} as before,
    (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'at', to_json(a.at), 'text', a.text, 'event', a.event, 'by', n.name) order by a.at, a.id), '[]')
      from (select x.* from app.metric_annotations x where x.org_id = c.org_id and x.connection_id = c.id and x.at >= ${range.from}::timestamp at time zone o.timezone
        and x.at < (${range.to}::date + 1)::timestamp at time zone o.timezone order by x.at desc, x.id desc limit 200) a left join app.account_name(a.account_id) n on true) as annotations
    from app.connections c join app.organisations o on o.org_id = c.org_id where ${called(name)}`)

/** Every day of the last 30 of every metric of a connection. */
export const overviewQuery = (name: string) =>
  statement(sql<{ subject: Subject; rows: Record<string, Row[]> }>`select ${subject} as subject,
    (select coalesce(json_object_agg(t.type, t.rows), '{}') from (select m.type, json_agg(${measured(sql`m.day`)} order by m.day) as rows from app.metric_days m
      where m.org_id = c.org_id and m.connection_id = c.id and m.day > (now() at time zone o.timezone)::date - 30 and m.day <= (now() at time zone o.timezone)::date group by m.type) t) as rows
    from app.connections c join app.organisations o on o.org_id = c.org_id where ${called(name)}`)

/** Names in addresses of connections that the caller sees. */
export const knownQuery = () => statement(sql<{ slug: string }>`select c.slug from app.connections c order by c.slug limit 50`)

/** The connection, as its id or nothing. */
export async function findSubject(db: ActorDb, connectionId: string): Promise<Subject | undefined> {
  const { rows } = await sql<{
    subject: Subject
  }>`select ${subject} as subject from app.connections c join app.organisations o on o.org_id = c.org_id
    where c.id = ${connectionId}`.execute(db)
  return rows[0]?.subject
}

// Notes -----------------------------------------------------------------------------------------------------------------------------------

export async function insertAnnotation(db: ActorDb, actor: Actor, connectionId: string, { at, text }: { at: string; text: string }) {
  const { rows } = await sql<{ id: string }>`insert into app.metric_annotations (org_id, connection_id, at, text, account_id)
    values (${actor.orgId}, ${connectionId}, ${at}, ${text}, ${actor.accountId}) returning id`.execute(db)
  return rows[0]
}

/** Only what somebody noted: what happened stays. */
export async function deleteAnnotation(db: ActorDb, connectionId: string, annotationId: string): Promise<boolean> {
  const { rows } =
    await sql`delete from app.metric_annotations a where a.connection_id = ${connectionId} and a.id = ${annotationId} and a.event is null returning 1`.execute(
      db,
    )
  return rows.length > 0
}

// Alerts ------------------------------------------------------------------------------------------------------------------------------------

export const maxAlerts = 50

const alertItem = sql<MetricAlert>`jsonb_build_object('id', a.id, 'connectionId', a.connection_id, 'metricType', a.type, 'above', a.above, 'below', a.below, 'firedAt', to_json(a.fired_at), 'version', a.version)`

export async function findAlerts(db: ActorDb, connectionId: string): Promise<MetricAlert[]> {
  const { rows } = await sql<{
    item: MetricAlert
  }>`select ${alertItem} as item from app.metric_alerts a where a.connection_id = ${connectionId} order by a.id limit ${maxAlerts}`.execute(
    db,
  )
  return rows.map(({ item }) => item)
}

export async function findAlert(db: ActorDb, connectionId: string, alertId: string): Promise<MetricAlert | undefined> {
  const { rows } = await sql<{
    item: MetricAlert
  }>`select ${alertItem} as item from app.metric_alerts a where a.connection_id = ${connectionId} and a.id = ${alertId}`.execute(db)
  return rows[0]?.item
}

/** Nothing where they have it already, or as many as anybody may. */
export async function insertAlert(
  db: ActorDb,
  actor: Actor,
  { connectionId, metricType, above, below }: z.output<typeof NewMetricAlert>,
): Promise<MetricAlert | 'exists' | 'full'> {
  const { rows } = await sql<{
    item: MetricAlert
  }>`insert into app.metric_alerts as a (org_id, connection_id, account_id, type, above, below)
    select ${actor.orgId}, ${connectionId}, ${actor.accountId}, ${metricType}, ${above}::numeric, ${below}::numeric
    where (select count(*) from app.metric_alerts x where x.connection_id = ${connectionId}) < ${maxAlerts} on conflict do nothing returning ${alertItem} as item`.execute(
    db,
  )
  return rows[0]?.item ?? ((await findAlerts(db, connectionId)).length < maxAlerts ? 'exists' : 'full')
}

export async function deleteAlert(db: ActorDb, connectionId: string, alertId: string, version: number): Promise<boolean> {
  const { rows } =
    await sql`delete from app.metric_alerts a where a.connection_id = ${connectionId} and a.id = ${alertId} and a.version = ${version} returning 1`.execute(
      db,
    )
  return rows.length > 0
}

// For the worker ----------------------------------------------------------------------------------------------------------------------------

export type Late = { connectionId: string; accountId: string | null; name: string; hours: number; since: string }

/** Measures how old the data is and keeps the promise; answers the connections that break it. */
export async function keepFreshness(db: Kysely<Schema>, orgId: string, at: Date, connectors: readonly string[]): Promise<Late[]> {
  const { rows } =
    await sql<Late>`select f.connection_id as "connectionId", f.account_id as "accountId", f.name, f.hours, to_json(f.since) #>> '{}' as since
    from app.keep_freshness(${orgId}, ${at}, ${[...connectors]}::text[]) f`.execute(db)
  return rows
}

export type Crossing = { alertId: string; accountId: string; isCrossed: boolean; value: number }

type When = { at: Date; after: string | null }
/** Alerts that have gone over their limit, or came back: the next thousand of them. */
export async function findCrossings(
  db: Kysely<Schema>,
  orgId: string,
  { at, after }: When,
  meanings: Record<string, string>,
): Promise<Crossing[]> {
  const { rows } =
    await sql<Crossing>`select a.alert_id as "alertId", a.account_id as "accountId", a.is_crossed as "isCrossed", a.value::float8 as value
    from app.crossed_alerts(${orgId}, ${at}, ${JSON.stringify(meanings)}::jsonb, ${after}) a`.execute(db)
  return rows
}

export type Crossed = { connectionId: string; name: string; currency: string; type: MetricType; above: number | null; below: number | null }

/** As its owner, who may have lost sight of the connection: notes that they are told, or that it is back. Nothing where that is noted already. */
export async function noteCrossing(db: ActorDb, alertId: string, at: Date | null): Promise<Crossed | undefined> {
  const { rows } =
    await sql<Crossed>`update app.metric_alerts a set fired_at = ${at} from app.connections c join app.organisations o on o.org_id = c.org_id
    where a.id = ${alertId} and (a.fired_at is null) = ${at !== null} and c.org_id = a.org_id and c.id = a.connection_id
    returning c.id as "connectionId", c.name, o.currency, a.type, a.above::float8 as above, a.below::float8 as below`.execute(db)
  return rows[0]
}

/** Whether the account still sees the connection. */
export async function seesConnection(db: ActorDb, connectionId: string): Promise<boolean> {
  const { rows } = await sql<{ seen: boolean }>`select app.connection_is_seen(${connectionId}) as seen`.execute(db)
  return rows[0]?.seen ?? false
}

export const purgeHours = (db: Kysely<Schema>, orgId: string) => sql`select app.purge_metric_hours(${orgId})`.execute(db)
