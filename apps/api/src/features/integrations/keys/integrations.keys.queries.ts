import type { ApiKey, ApiKeyActivity, ApiKeyUse, NewApiKey } from '@guildhall/contract/features/integrations.keys'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { kindOf } from '../../../platform/notify.ts'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'

// `k` is the key, `c` its chapter, `m` who made it.

const states: Record<ApiKey['state'], RawBuilder<SqlBool>> = {
  revoked: sql`k.revoked_at is not null`,
  expired: sql`(k.revoked_at is null and k.expires_at <= now())`,
  active: sql`(k.revoked_at is null and k.expires_at > now())`,
}

const keyItem = sql<ApiKey>`json_build_object('id', k.id, 'name', k.name, 'purpose', k.purpose, 'perMinute', k.per_minute, 'prefix', k.prefix,
  'permissions', k.permissions, 'chapter', ${orNull('c', chapterRef)}, 'expiresAt', k.expires_at,
  'state', case when ${states.revoked} then 'revoked' when ${states.expired} then 'expired' else 'active' end,
  'accountId', k.account_id, 'createdBy', m.name, 'createdAt', k.created_at, 'lastUsedAt', k.last_used_at, 'revokedAt', k.revoked_at, 'version', k.version)`
const keysFrom = sql`from app.api_keys k left join app.chapters c on c.org_id = k.org_id and c.id = k.chapter_id left join app.account_name(k.created_by) m on true`

/** The newest first. */
export const keysList = (state: ApiKey['state'] | undefined): List<ApiKey> => ({
  key: ['api-keys', state ?? null],
  item: keyItem,
  from: keysFrom,
  where: state ? [states[state]] : [],
  order: [sql`k.created_at`, sql`k.id`],
  descending: true,
})

export const keyQuery = (apiKeyId: string) => statement(sql<{ key: ApiKey }>`select ${keyItem} as key ${keysFrom} where k.id = ${apiKeyId}`)

export async function findKey(db: ActorDb, apiKeyId: string): Promise<ApiKey | undefined> {
  const { rows } = await db.executeQuery(keyQuery(apiKeyId).compile())
  return rows[0]?.key
}

/** Whether the caller makes keys, whether the place is there, and which of the permissions they do not hold in it. */
export async function mayMake(db: ActorDb, { permissions, chapterId }: NewApiKey) {
  const { rows } = await sql<{ may: boolean; place: boolean; beyond: string[] }>`
    select app.everywhere('integrations.manage') as may,
      ${chapterId}::uuid is null or exists (select from app.chapters c where c.id = ${chapterId}::uuid) as place,
      array(select distinct p from unnest(${permissions}::text[]) p
        where not app.everywhere(p) and not coalesce(${chapterId}::uuid = any (app.scope(p)), false) order by p) as beyond`.execute(db)
  return rows[0] ?? { may: false, place: false, beyond: [] }
}

/** Of the secret, only what it can be told and found by. */
export async function insertKey(db: ActorDb, key: NewApiKey, { prefix, secretHash }: { prefix: string; secretHash: string }) {
  const { name, purpose, perMinute, permissions, chapterId, days } = key
  const { rows } = await sql<{
    id: string
  }>`select app.make_api_key(${name}, ${purpose}, ${perMinute}, ${permissions}::text[], ${chapterId}::uuid,
    ${days}, ${prefix}, ${secretHash}) as id`.execute(db)
  const made = rows[0] && (await findKey(db, rows[0].id))
  if (!made) throw new Error('a key that was made is not there')
  return made
}

type Guarded = { apiKeyId: string; version: number }
type KeyChange = { name?: string | undefined; purpose?: string | undefined; perMinute?: number | undefined }

export const updateKey = (db: ActorDb, { apiKeyId, version }: Guarded, change: KeyChange) =>
  updateRecord(db, 'app.api_keys', { id: apiKeyId, version }, columnsOf('app.api_keys', change), () => findKey(db, apiKeyId))

export const revokeKey = (db: ActorDb, { apiKeyId, version }: Guarded) =>
  updateRecord(db, 'app.api_keys', { id: apiKeyId, version }, { revoked_at: sql`now()` }, () => findKey(db, apiKeyId))

/** What a key did, the newest first. */
export const usesList = (apiKeyId: string, failed: boolean): List<ApiKeyUse> => ({
  key: ['api-key-uses', apiKeyId, failed],
  item: sql<ApiKeyUse>`json_build_object('id', u.id, 'at', u.at, 'operation', u.operation, 'method', u.method, 'status', u.status, 'count', u.count)`,
  from: sql`from app.api_key_uses u`,
  where: [sql`u.key_id = ${apiKeyId}`, ...(failed ? [sql<SqlBool>`u.status >= 400`] : [])],
  order: [sql`u.at`, sql`u.id`],
  descending: true,
})

export const activityQuery = (apiKeyId: string) =>
  statement(sql<{ days: ApiKeyActivity['days'] }>`
    select coalesce(json_agg(json_build_object('day', d.day, 'requests', d.requests, 'refused', d.refused) order by d.day), '[]') as days
    from (select (u.at at time zone o.timezone)::date as day, sum(u.count)::int as requests, coalesce(sum(u.count) filter (where u.status >= 400), 0)::int as refused
      from app.api_key_uses u join app.organisations o on o.org_id = u.org_id
      where u.key_id = ${apiKeyId} and u.at > now() - interval '31 days' and (u.at at time zone o.timezone)::date > (select app.today()) - 30
      group by 1) d`)

export const warnOfExpiry = (db: Kysely<Schema>, org: string) =>
  sql`select app.warn_of_key_expiry(${org}, ${JSON.stringify(kindOf('key-expiring'))}::jsonb)`.execute(db)
