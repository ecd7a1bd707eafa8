import type { WebhookEndpoint, WebhookEventType } from '@guildhall/contract/features/integrations.webhooks'
import type { Actor, ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'

// In these pieces `e` is the endpoint, `h` how it answers.

const countedTo = sql.lit(1_001)
const endpointItem = sql<WebhookEndpoint>`json_build_object('id', e.id, 'name', e.name, 'url', e.url, 'eventTypes', e.event_types, 'state', e.state,
  'secrets', (select coalesce(json_agg(json_build_object('hint', s.hint, 'expiresAt', s.expires_at) order by s.expires_at desc nulls first), '[]')
    from app.webhook_secrets s where s.org_id = e.org_id and s.endpoint_id = e.id and (s.expires_at is null or s.expires_at > now())),
  'failingSince', h.failing_since, 'lastDeliveredAt', h.last_delivered_at,
  'waiting', (select count(*)::int from (select from app.webhook_deliveries d where d.org_id = e.org_id and d.endpoint_id = e.id and d.state = 'waiting' limit ${countedTo}) d),
  'dead', (select count(*)::int from (
    select from app.webhook_deliveries d where d.org_id = e.org_id and d.endpoint_id = e.id and d.state = 'dead' and d.event_type <> 'ping' limit ${countedTo}) d),
  'strip', (select json_agg(json_build_object('day', (select app.today()) - 13 + n, 'delivered', coalesce(w.delivered, 0), 'failed', coalesce(w.failed, 0)) order by n)
    from generate_series(0, 13) n left join app.webhook_days w on w.org_id = e.org_id and w.endpoint_id = e.id and w.day = (select app.today()) - 13 + n),
  'createdAt', e.created_at, 'version', e.version)`
const endpoints = sql`from app.webhook_endpoints e left join app.webhook_health h on h.org_id = e.org_id and h.endpoint_id = e.id`

export const endpointsQuery = () =>
  statement(sql<{ item: WebhookEndpoint }>`select ${endpointItem} as item ${endpoints} order by lower(e.name), e.id limit 50`)

export const endpointQuery = (endpointId: string) =>
  statement(sql<{ item: WebhookEndpoint }>`select ${endpointItem} as item ${endpoints} where e.id = ${endpointId}`)

export async function findEndpoint(db: ActorDb, endpointId: string): Promise<WebhookEndpoint | undefined> {
  const { rows } = await db.executeQuery(endpointQuery(endpointId).compile())
  return rows[0]?.item
}

type EndpointFields = { name: string; url: string; eventTypes: readonly WebhookEventType[] }
export async function insertEndpoint(db: ActorDb, { orgId, accountId }: Actor, { name, url, eventTypes }: EndpointFields): Promise<string> {
  const { id } = await db
    .insertInto('app.webhook_endpoints')
    .values({ org_id: orgId, name, url, event_types: [...eventTypes], created_by: accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Key = { endpointId: string; version: number }
type EndpointChange = { name?: string | undefined; url?: string | undefined; eventTypes?: string[] | undefined }
export const updateEndpoint = (db: ActorDb, { endpointId, version }: Key, change: EndpointChange) =>
  updateRecord(db, 'app.webhook_endpoints', { id: endpointId, version }, columnsOf('app.webhook_endpoints', change), () =>
    findEndpoint(db, endpointId),
  )

export const setEndpointState = (db: ActorDb, { endpointId, version }: Key, state: 'active' | 'paused') =>
  updateRecord(db, 'app.webhook_endpoints', { id: endpointId, version }, { state }, () => findEndpoint(db, endpointId))

/** The endpoint's version rises with its secret. */
export const noteNewSecret = (db: ActorDb, { endpointId, version }: Key) =>
  updateRecord(db, 'app.webhook_endpoints', { id: endpointId, version }, { secret_changed_at: sql`now()` }, () =>
    findEndpoint(db, endpointId),
  )

/** The one in use signs for a day more, one that was on its way out no longer. */
export async function retireSecrets(db: ActorDb, endpointId: string): Promise<void> {
  await sql`delete from app.webhook_secrets s where s.endpoint_id = ${endpointId} and s.expires_at is not null`.execute(db)
  await sql`update app.webhook_secrets s set expires_at = now() + interval '24 hours' where s.endpoint_id = ${endpointId} and s.expires_at is null`.execute(
    db,
  )
}

export async function insertSecret(
  db: ActorDb,
  { orgId }: Actor,
  endpointId: string,
  { sealed, hint }: { sealed: Buffer; hint: string },
): Promise<void> {
  await db.insertInto('app.webhook_secrets').values({ org_id: orgId, endpoint_id: endpointId, sealed, hint }).execute()
}

export async function removeEndpoint(db: ActorDb, { endpointId, version }: Key): Promise<boolean> {
  const { rows } = await sql<{ isGone: boolean }>`select app.remove_webhook_endpoint(${endpointId}, ${version}) as "isGone"`.execute(db)
  return rows[0]?.isGone ?? false
}
