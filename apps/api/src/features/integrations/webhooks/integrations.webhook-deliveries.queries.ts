import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDeliveryState,
  WebhookEventType,
} from '@guildhall/contract/features/integrations.webhooks'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'
import type * as z from 'zod'
import type { List } from '../../../platform/lists/list-page.ts'

// As those who manage webhooks see them: `d` is the delivery, `v` its event -----------------------------------------------------------

const deliveryFields = sql`'id', d.id, 'eventType', d.event_type, 'state', d.state, 'recordId', case when d.event_type <> 'ping' then v.record_id end,
  'attempts', d.attempts, 'status', d.status, 'failure', d.failure, 'nextAttemptAt', case when d.state = 'waiting' then d.next_attempt_at end,
  'createdAt', d.created_at, 'deliveredAt', d.delivered_at`
const deliveries = sql`from app.webhook_deliveries d join app.webhook_events v on v.org_id = d.org_id and v.id = d.event_id`

type Wanted = { endpointId: string; state?: z.infer<typeof WebhookDeliveryState> | undefined; eventType?: WebhookEventType | undefined }
export const deliveriesList = ({ endpointId, state, eventType }: Wanted): List<WebhookDelivery> => ({
  key: ['webhook-deliveries', endpointId, state ?? null, eventType ?? null],
  item: sql<WebhookDelivery>`json_build_object(${deliveryFields})`,
  from: deliveries,
  where: [
    sql<SqlBool>`d.endpoint_id = ${endpointId}`,
    ...(state ? [sql<SqlBool>`d.state = ${sql.lit(state)}`] : []),
    ...(eventType ? [sql<SqlBool>`d.event_type = ${eventType}`] : []),
  ],
  order: [sql`d.id`],
  descending: true,
})

export async function findDelivery(db: ActorDb, endpointId: string, deliveryId: string): Promise<WebhookDelivery | undefined> {
  const { rows } = await sql<{ item: WebhookDelivery }>`
    select json_build_object(${deliveryFields}) as item ${deliveries} where d.endpoint_id = ${endpointId} and d.id = ${deliveryId}`.execute(
    db,
  )
  return rows[0]?.item
}

type StoredDelivery = WebhookDelivery & {
  occurredAt: string
  data: Record<string, unknown>
  triedAt: string | null
  tries: z.infer<typeof WebhookAttempt>[]
}
export async function findDeliveryDetail(db: ActorDb, endpointId: string, deliveryId: string): Promise<StoredDelivery | undefined> {
  const { rows } = await sql<{ item: StoredDelivery }>`
    select json_build_object(${deliveryFields}, 'occurredAt', v.occurred_at, 'data', v.data, 'triedAt', d.tried_at,
      'tries', (select coalesce(json_agg(json_build_object('at', a.at, 'status', a.status, 'failure', a.failure, 'milliseconds', a.milliseconds, 'answer', a.answer)
          order by a.id desc), '[]')
        from (select * from app.webhook_attempts a where a.org_id = d.org_id and a.delivery_id = d.id order by a.id desc limit 20) a)) as item
    ${deliveries} where d.endpoint_id = ${endpointId} and d.id = ${deliveryId}`.execute(db)
  return rows[0]?.item
}

/** The id of the delivery of a test event; undefined where there is no such endpoint. */
export async function insertPing(db: ActorDb, endpointId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select app.ping_webhook(${endpointId}) as id`.execute(db)
  return rows[0]?.id ?? undefined
}

type Again = { endpointId: string; deliveryIds?: readonly string[] | undefined; deadSince?: string | undefined }
export async function replayDeliveries(db: ActorDb, { endpointId, deliveryIds, deadSince }: Again): Promise<number> {
  const { rows } = await sql<{ replayed: number }>`
    select app.replay_webhooks(${endpointId}, ${deliveryIds ? [...deliveryIds] : null}::uuid[], ${deadSince ?? null}::timestamptz) as replayed`.execute(
    db,
  )
  return rows[0]?.replayed ?? 0
}

// As the worker sends them --------------------------------------------------------------------------------------------------------------

type Rows = Kysely<Schema>

/** Makes deliveries of events; of how many events. */
export async function fanOut(db: Rows, most: number): Promise<number> {
  const { rows } = await sql<{ seen: number }>`select app.fan_out_webhooks(${most}) as seen`.execute(db)
  return rows[0]?.seen ?? 0
}

/** An endpoint that this worker alone sends to, until its lease ends. */
export type Lane = { orgId: string; endpointId: string; lane: string; atOnce: number }
export async function takeLanes(db: Rows, most: number, lease: string): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    select org_id as "orgId", endpoint_id as "endpointId", lane, at_once as "atOnce" from app.take_webhook_lanes(${most}, ${lease}::interval)`.execute(
    db,
  )
  return rows
}

export type Taken = {
  id: string
  attempt: number
  url: string
  type: string
  occurredAt: string
  data: Record<string, unknown>
  /** Sealed, in Base64. */
  secrets: string[]
}
export async function takeDeliveries(db: Rows, { orgId, endpointId, lane }: Lane, most: number, lease: string): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
    select id, attempt, url, type, occurred_at as "occurredAt", data, secrets
    from app.take_webhooks(${orgId}, ${endpointId}, ${lane}, ${most}, ${lease}::interval)`.execute(db)
  return rows
}

export type Result = {
  id: string
  attempt: number
  at: string
  status: number | null
  failure: string | null
  milliseconds: number
  answer: string
}
export const settleDeliveries = (db: Rows, { orgId, endpointId, lane }: Lane, results: readonly Result[]) =>
  sql`select app.settle_webhooks(${orgId}, ${endpointId}, ${lane}, ${JSON.stringify(results)}::jsonb)`.execute(db)

export const leaveLane = (db: Rows, { orgId, endpointId, lane }: Lane) =>
  sql`select app.leave_webhook_lane(${orgId}, ${endpointId}, ${lane})`.execute(db)

export const sweepWebhooks = (db: Rows, most: number) => sql`select app.sweep_webhooks(${most})`.execute(db)

/** Keeps back what is older than a backup that was restored; how many deliveries. */
export async function holdDeliveries(db: Rows, before: Date): Promise<number> {
  const { rows } = await sql<{ held: number }>`select app.hold_webhooks(${before.toISOString()}) as held`.execute(db)
  return rows[0]?.held ?? 0
}
