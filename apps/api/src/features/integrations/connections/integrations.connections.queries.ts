import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { Connection, ConnectorCategory, NewConnection } from '@guildhall/contract/features/integrations'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import { isId } from '../../../platform/records/is-id.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import type { Settings } from './integrations.settings.rules.ts'

// `c` is the connection, `h` its chapter, `f` its figures, `m.manages` whether the caller may manage it.

const manages = sql`(c.id = any ((select app.managed_connections())::uuid[]))`
/** Name of an account, where the reader may see who it is. */
export const accountName = (column: string): RawBuilder<string | null> =>
  sql`(select n.name from app.account_name(${sql.ref(column)}) n where n.person_id is null or exists (select from app.people w where w.id = n.person_id))`

const item = sql<Connection>`json_build_object('id', c.id, 'connector', c.connector, 'slug', c.slug, 'name', c.name, 'chapter', ${orNull('h', chapterRef)},
  'state', c.state, 'failure', c.failure, 'settings', case when ${manages} then c.settings else '{}' end,
  'secrets', (select coalesce(json_agg(json_build_object('name', s.name, 'setAt', s.set_at) order by s.name), '[]')
    from app.connection_secrets s where s.org_id = c.org_id and s.connection_id = c.id),
  'owner', ${accountName('c.owner_account_id')}, 'syncs', c.syncs, 'everyMinutes', c.every_minutes, 'freshHours', c.fresh_hours,
  'lastRunAt', c.last_run_at, 'lastSuccessAt', c.last_success_at, 'nextRunAt', c.next_run_at,
  'records', coalesce(f.records, 0), 'openErrors', coalesce(f.open_errors, 0), 'waiting', coalesce(f.waiting, 0),
  'needsDryRun', c.syncs and c.dry_run_of is distinct from c.mapping_version, 'strip', coalesce(f.strip, '[]'),
  'createdAt', c.created_at, 'version', c.version, 'may', json_build_object('manage', ${manages}))`

/** Troubled ones first, those that are over last. */
const order = sql`order by array_position(array['error', 'degraded', 'connecting', 'connected', 'paused', 'disconnected'], c.state), lower(c.name), c.id`
const shown = (where: RawBuilder<unknown>) => sql<{ item: Connection }>`
  with chosen as materialized (select * from app.connections c where ${where} ${order} limit 200)
  select ${item} as item from chosen c
  left join app.chapters h on h.org_id = c.org_id and h.id = c.chapter_id
  left join app.connection_figures(array(select x.id from chosen x)) f on f.connection_id = c.id
  ${order}`

export const connectionsQuery = (category?: ConnectorCategory) => statement(shown(category ? sql`c.category = ${category}` : sql`true`))
/** By its id, or by its name in addresses. What looks like an id is one: a connection could be called like the id of another. */
export const connectionQuery = (idOrSlug: string) =>
  statement(shown(isId(idOrSlug) ? sql`c.id = ${idOrSlug}::uuid` : sql`c.slug = ${idOrSlug}`))

export async function findConnection(db: ActorDb, connectionId: string): Promise<Connection | undefined> {
  const { rows } = await db.executeQuery(connectionQuery(connectionId).compile())
  return rows[0]?.item
}

export async function insertConnection(
  db: ActorDb,
  { orgId, accountId }: Actor,
  { connector, name, chapterId, everyMinutes, freshHours }: NewConnection,
  settings: Settings,
) {
  const { category, isSingle, directions, matchBy } = connectors[connector]
  const { rows } = await sql<{ id: string }>`
    insert into app.connections (org_id, connector, category, name, chapter_id, settings, owner_account_id, created_by, is_single, syncs, every_minutes, fresh_hours, match_by)
    values (${orgId}, ${connector}, ${category}, ${name}, ${chapterId}, ${JSON.stringify(settings)}::jsonb, ${accountId}, ${accountId}, ${isSingle}, ${directions !== null},
      ${everyMinutes}, ${freshHours}, ${matchBy[0] ?? null})
    returning id`.execute(db)
  return rows[0]?.id ?? ''
}

type Change = {
  name?: string | undefined
  settings?: Settings | undefined
  hasSecrets: boolean
  everyMinutes?: number | null | undefined
  freshHours?: number | null | undefined
  ownerAccountId?: string | undefined
}

/** New settings or secrets let one that stopped be tried again. */
export const updateConnection = (
  db: ActorDb,
  connectionId: string,
  version: number,
  { name, settings, hasSecrets, everyMinutes, freshHours, ownerAccountId }: Change,
) =>
  updateRecord(
    db,
    'app.connections',
    { id: connectionId, version },
    {
      ...(name === undefined ? {} : { name }),
      ...(settings === undefined ? {} : { settings: sql`${JSON.stringify(settings)}::jsonb` }),
      ...(hasSecrets ? { settings_at: sql`clock_timestamp()` } : {}),
      ...(settings || hasSecrets
        ? {
            state: sql`case when state in ('error', 'disconnected') then 'connecting' else state end`,
            failure: sql`case when state = 'degraded' then failure end`,
          }
        : {}),
      ...(everyMinutes === undefined
        ? {}
        : {
            every_minutes: everyMinutes,
            next_run_at: sql`case when ${everyMinutes}::int is not null and state in ('connected', 'degraded') then greatest(now(), coalesce(last_run_at, now()) + make_interval(mins => ${everyMinutes}::int)) end`,
          }),
      ...(freshHours === undefined ? {} : { fresh_hours: freshHours }),
      ...(ownerAccountId === undefined ? {} : { owner_account_id: ownerAccountId }),
    },
    () => findConnection(db, connectionId),
  )

type States = Connection['state'] | 'connecting'
const states = {
  paused: sql`state = 'paused', next_run_at = null`,
  connected: sql`state = 'connected', failure = null, failed_runs = 0, next_run_at = case when every_minutes is not null then now() end`,
  // Examples of their fields are data of people.
  disconnected: sql`state = 'disconnected', failure = null, failed_runs = 0, next_run_at = null, their_fields = '[]'`,
} as const

/** Into another state from one of these; whether it was in one of them, and of this version. */
export async function turnConnection(
  db: ActorDb,
  connectionId: string,
  version: number,
  from: readonly States[],
  to: keyof typeof states,
): Promise<boolean> {
  const { rows } =
    await sql`update app.connections set ${states[to]} where id = ${connectionId} and version = ${version} and state = any (${[...from]}) returning 1`.execute(
      db,
    )
  return rows.length > 0
}

/** The worker looks before each of its steps whether its run is still wanted. */
export async function cancelRuns(db: ActorDb, connectionId: string): Promise<void> {
  await sql`update app.sync_runs set state = 'cancelled', finished_at = now() where connection_id = ${connectionId} and state in ('queued', 'running')`.execute(
    db,
  )
}

/** Runs by a mapping or settings that hold no more: nobody wants what they would still write, and the next run must not go on there. */
export async function cancelOutdatedRuns(db: ActorDb, connectionId: string): Promise<void> {
  await sql`update app.sync_runs r set state = 'cancelled', finished_at = now() from app.connections c
    where c.org_id = r.org_id and c.id = r.connection_id and c.id = ${connectionId} and r.state in ('queued', 'running') and r.mapping_version <> c.mapping_version`.execute(
    db,
  )
}

export async function forgetSecrets(db: ActorDb, connectionId: string): Promise<void> {
  await sql`delete from app.connection_secrets where connection_id = ${connectionId}`.execute(db)
}
