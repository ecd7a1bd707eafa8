import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely, RawBuilder, SqlBool } from 'kysely'
import { isCurrent } from '../../../platform/lists/json-refs.ts'
import type { Equals, UserField } from './integrations.scim.filter.rules.ts'
import type { UserValues } from './integrations.scim.user.rules.ts'

/** As whom a token acts; `accountId` is null where its owner may not sign in any more. */
export type OpenedScim = {
  orgId: string
  connectionId: string
  state: string
  settings: { subjectIsExternalId?: boolean }
  accountId: string | null
  idpRoles: string[]
}
export async function openScim(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<OpenedScim | undefined> {
  const { rows } = await sql<{ opened: OpenedScim | null }>`select app.open_scim(${idpOrg ?? null}, ${secretHash}) as opened`.execute(db)
  return rows[0]?.opened ?? undefined
}

/** Whether the owner of the connection may do what a provider asks. */
export async function mayKeepAccounts(db: ActorDb, connectionId: string): Promise<boolean> {
  const { rows } = await sql<{
    may: boolean
  }>`select app.everywhere('account.manage') and ${connectionId}::uuid = any (app.managed_connections()) as may`.execute(db)
  return rows[0]?.may ?? false
}

export const noteScimUse = (db: ActorDb, connectionId: string) => sql`select app.note_scim_use(${connectionId})`.execute(db)

// `o` is the role of a group, `g` a grant of it.

/** The standard roles but the owner's, which no provider gives, and those that only mean something in a chapter or group. */
const groupKeys = ['org-admin', 'safeguarding', 'event-manager', 'finance', 'communications', 'member']
export const isGroup = sql<SqlBool>`not o.custom and o.key in (${sql.join(groupKeys.map((key) => sql.lit(key)))})`
export const isHeld = sql<SqlBool>`g.scope_kind = 'org' and ${isCurrent('g')}`

// Users ---------------------------------------------------------------------------------------------------------------------------------
// `a` is the account, `r` what the provider has said of it, left joined.

export type StoredUser = UserValues & {
  id: string
  version: string
  createdAt: string
  updatedAt: string
  /** Roles in the whole organisation that are groups here. */
  groups: { value: string; display: string }[]
}

export const usersFrom = (connectionId: string) => sql`from app.accounts a
  left join app.external_refs r on r.org_id = a.org_id and r.connection_id = ${connectionId} and r.account_id = a.id`

/**
 * Accounts that a provider may know of: those it brought, and those it may take over because their address is certain. An account that somebody opened with
 * an address that nobody has verified is not taken for the one with this address, and one that asks for access has not been let in.
 */
export const isKnown = sql<SqlBool>`a.kind = 'person' and a.status <> 'pending_link' and case when r.id is null
  then a.email is not null and (a.email_verified or (a.status = 'invited' and a.subject is null)) else r.state = 'tied' end`

const said = (field: string) => sql`r.agreed ->> ${sql.lit(field)}`
const userItem = sql<StoredUser>`json_build_object('id', a.id, 'userName', coalesce(${said('userName')}, a.email), 'externalId', ${said('externalId')},
  'displayName', coalesce(${said('displayName')}, nullif(a.name, '')), 'givenName', ${said('givenName')}, 'familyName', ${said('familyName')},
  'email', coalesce(${said('email')}, a.email), 'active', a.status <> 'suspended',
  'version', concat(a.version, '.', coalesce(r.theirs_version, '0')), 'createdAt', a.created_at, 'updatedAt', greatest(a.updated_at, r.agreed_at),
  'groups', (select coalesce(json_agg(json_build_object('value', o.id, 'display', o.name) order by o.name), '[]') from app.roles o where ${isGroup} and exists (
    select from app.grants g where g.org_id = a.org_id and g.account_id = a.id and g.role_id = o.id and ${isHeld})))`

const userConditions: Record<UserField, (value: string, connectionId: string) => RawBuilder<SqlBool>> = {
  id: (value) => sql`a.id::text = ${value.toLowerCase()}`,
  userName: (
    value,
    connectionId,
  ) => sql`a.id = any (array(select x.account_id from app.external_refs x where x.connection_id = ${connectionId} and x.entity = 'account'
      and x.external_id = ${keyOf(value)} union all select x.id from app.accounts x where lower(x.email) = lower(${value})))
    and lower(coalesce(${said('userName')}, a.email)) = lower(${value})`,
  externalId: (
    value,
    connectionId,
  ) => sql`a.id = any (array(select x.account_id from app.external_refs x where x.connection_id = ${connectionId} and x.account_id is not null
    and x.agreed ->> 'externalId' = ${value}))`,
  email: (value) => sql`lower(coalesce(${said('email')}, a.email)) = lower(${value})`,
}

/** Names are the same whatever their case. */
export const keyOf = (userName: string): string => userName.toLowerCase()

export type Page = { offset: number; count: number }

export async function listUsers(
  db: ActorDb,
  connectionId: string,
  filter: readonly Equals<UserField>[],
  { offset, count }: Page,
): Promise<{ total: number; users: StoredUser[] }> {
  const where = sql.join([isKnown, ...filter.map(({ field, value }) => userConditions[field](value, connectionId))], sql` and `)
  const found = await sql<{ total: number }>`select count(*)::int as total ${usersFrom(connectionId)} where ${where}`.execute(db)
  const total = found.rows[0]?.total ?? 0
  if (count === 0 || total === 0) return { total, users: [] }
  const { rows } = await sql<{ item: StoredUser }>`select ${userItem} as item ${usersFrom(connectionId)} where ${where}
    order by a.created_at, a.id offset ${offset} limit ${count}`.execute(db)
  return { total, users: rows.map(({ item }) => item) }
}

export async function findUser(db: ActorDb, connectionId: string, accountId: string): Promise<StoredUser | undefined> {
  const { rows } = await sql<{
    item: StoredUser
  }>`select ${userItem} as item ${usersFrom(connectionId)} where a.id = ${accountId} and ${isKnown}`.execute(db)
  return rows[0]?.item
}

/** One change of an account at a time. */
export const holdUser = (db: ActorDb, accountId: string) => sql`select from app.accounts where id = ${accountId} for update`.execute(db)

/** Whether another user has the name; one that the provider has removed has none. */
export async function userNameTaken(db: ActorDb, connectionId: string, userName: string, accountId: string | null): Promise<boolean> {
  const { rows } = await sql<{
    id: string
  }>`select a.id ${usersFrom(connectionId)} where ${isKnown} and ${userConditions.userName(userName, connectionId)}
    and a.id is distinct from ${accountId}::uuid limit 1`.execute(db)
  return rows.length > 0
}

/** The account of somebody whom the provider has removed and brings again: the same external id, or the same name where neither had one. */
export async function findRemoved(db: ActorDb, connectionId: string, { externalId, userName }: UserValues): Promise<string | undefined> {
  const { rows } = await sql<{
    id: string
  }>`select r.account_id as id from app.external_refs r where r.connection_id = ${connectionId} and r.account_id is not null and r.state = 'gone'
    and (r.agreed ->> 'externalId' = ${externalId} or (${externalId}::text is null and r.agreed ->> 'externalId' is null and lower(r.agreed ->> 'userName') = lower(${userName})))
    order by r.agreed_at desc limit 1`.execute(db)
  return rows[0]?.id
}

/** Whether an account is suspended because the provider said so. */
export async function isSuspendedByProvider(db: ActorDb, connectionId: string, accountId: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select r.agreed ->> 'suspended' = 'true' as is from app.external_refs r
    where r.connection_id = ${connectionId} and r.account_id = ${accountId}`.execute(db)
  return rows[0]?.is ?? false
}

/** Keeps what the provider says of an account; `suspended`: and that it is the provider that suspended it. */
export async function tieUser(
  db: ActorDb,
  { orgId, connectionId }: OpenedScim,
  accountId: string,
  { active: _, ...values }: UserValues,
  suspended: boolean,
): Promise<void> {
  const agreed = JSON.stringify({ ...values, suspended })
  await sql`insert into app.external_refs (org_id, connection_id, entity, account_id, external_id, agreed, theirs_version, state)
    values (${orgId}, ${connectionId}, 'account', ${accountId}, ${keyOf(values.userName)}, ${agreed}::jsonb, '1', 'tied')
    on conflict (org_id, connection_id, record_id) do update set external_id = excluded.external_id, agreed = excluded.agreed, agreed_at = now(), state = 'tied',
      theirs_version = coalesce(app.external_refs.theirs_version::int, 0) + 1
    where (app.external_refs.agreed, app.external_refs.state, app.external_refs.external_id) is distinct from (excluded.agreed, excluded.state, excluded.external_id)`.execute(
    db,
  )
}

/** The provider has the account no more; its name is free for somebody else. */
export async function untieUser(db: ActorDb, connectionId: string, accountId: string): Promise<void> {
  await sql`update app.external_refs set state = 'gone', agreed_at = now(), external_id = 'removed:' || id::text
    where connection_id = ${connectionId} and account_id = ${accountId}`.execute(db)
}

/**
 * The address and, where the provider's external ids are how it signs people in, whose account it is. Only of accounts that the provider brought, that nobody has
 * signed in with, and that hold nothing which the owner of the connection does not hold.
 */
export const claimAccount = (
  db: ActorDb,
  connectionId: string,
  accountId: string,
  { email, issuer, subject }: { email: string | null; issuer: string | null; subject: string | null },
) => sql`select app.claim_account(${connectionId}, ${accountId}, ${email}, ${issuer}, ${subject})`.execute(db)
