import { AccountStatus } from '@guildhall/contract/features/account'
import type { Account, AccountRow } from '@guildhall/contract/features/account'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { choiceField, contains, dateField, filterWhere, flagField, idValues } from '../../platform/lists/filters.ts'
import type { FilterCatalogue, FilterField } from '../../platform/lists/filters.ts'
import { chapterRef, isCurrent, orNull, personRef } from '../../platform/lists/json-refs.ts'
import { mustTouch, updateRecord } from '../../platform/records/update-record.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { statement } from '../../platform/records/statement.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { readSort } from '../../platform/lists/sort.ts'
import { grantItem, grantsFrom } from './account.grants.queries.ts'

// `a` is the account, `p` its person, left joined.

/** Roles that an account holds today: from the identity provider, grants and offices. */
const holds = (role: RawBuilder<unknown>): RawBuilder<SqlBool> => sql`(${role}.key = any (a.idp_roles)
  or exists (select from app.grants g where g.org_id = a.org_id and g.account_id = a.id and g.role_id = ${role}.id and ${isCurrent('g')})
  or exists (select from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    where h.org_id = a.org_id and h.person_id = a.person_id and s.role_id = ${role}.id and ${isCurrent('h')}))`

const rowFields = sql`'id', a.id, 'email', a.email, 'emailVerified', a.email_verified, 'name', a.name, 'status', a.status, 'person', ${orNull('p', personRef)},
  'providerRoles', a.idp_roles, 'roles', (select coalesce(json_agg(r.name order by r.name), '[]') from app.roles r where ${holds(sql`r`)}),
  'accessMessage', a.access_message, 'invitedUntil', case when a.status = 'invited' then to_json(a.invited_until) end, 'lastLoginAt', a.last_login_at, 'createdAt', a.created_at, 'version', a.version`
const accountsFrom = sql`from app.accounts a left join app.people p on p.org_id = a.org_id and p.id = a.person_id`

const roleField: FilterField = {
  ops: ['is', 'isNot', 'in', 'notIn'],
  where(op, value, refuse) {
    const found = sql<SqlBool>`exists (select from app.roles r where r.id = any (${idValues(value, refuse)}::uuid[]) and ${holds(sql`r`)})`
    return op === 'is' || op === 'in' ? found : sql`not ${found}`
  },
}
const catalogue: FilterCatalogue = {
  status: choiceField(sql`a.status`, AccountStatus.options),
  role: roleField,
  linked: flagField(sql`(a.person_id is not null)`),
  lastLoginAt: dateField(sql`a.last_login_at`),
  createdAt: dateField(sql`a.created_at`),
}
const sorts = ['name', 'lastLoginAt', 'createdAt'] as const
const orders: Record<(typeof sorts)[number], RawBuilder<unknown>[]> = {
  name: [sql`a.sort_name`, sql`a.id`],
  lastLoginAt: [sql`coalesce(a.last_login_at, '-infinity')`, sql`a.id`],
  createdAt: [sql`a.created_at`, sql`a.id`],
}

/** Accounts by name or address, for those who keep them. */
export function accountsList({
  q,
  filter,
  sort,
}: {
  q?: string | undefined
  filter?: Filter | undefined
  sort?: string | undefined
}): List<AccountRow> {
  const { by, descending } = readSort(sort, sorts, 'name')
  const words = q?.trim() ?? ''
  const filtered = filterWhere(filter, catalogue)
  // Those of API keys are listed with their keys.
  const where: RawBuilder<SqlBool>[] = [sql`(select app.everywhere('account.manage'))`, sql`a.kind = 'person'`]
  if (words) where.push(sql`(${contains(sql`a.name`, words)} or ${contains(sql`a.email`, words)})`)
  if (filtered) where.push(filtered)
  return {
    key: ['accounts', words, filter ?? null, by],
    item: sql<AccountRow>`json_build_object(${rowFields})`,
    from: accountsFrom,
    where,
    order: orders[by],
    descending,
  }
}

/** One account with all that gives it rights. */
export const accountQuery = (accountId: string) =>
  statement(sql<{ account: Account }>`
    select json_build_object(${rowFields}, 'locale', a.locale,
      'grants', (select coalesce(json_agg(${grantItem} order by g.starts_on desc, g.id), '[]') ${grantsFrom} where g.account_id = a.id),
      'offices', (select coalesce(json_agg(json_build_object('positionId', s.id, 'title', s.title, 'role', json_build_object('id', r.id, 'key', r.key, 'name', r.name),
          'chapter', ${chapterRef('c')}, 'endsOn', h.ends_on) order by s.title_key), '[]')
        from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
        join app.roles r on r.org_id = s.org_id and r.id = s.role_id join app.chapters c on c.org_id = s.org_id and c.id = s.chapter_id
        where h.org_id = a.org_id and h.person_id = a.person_id and ${isCurrent('h')}),
      'may', json_build_object('suspend', m.manages and a.id <> (select app.account_id()), 'link', m.manages, 'grant', m.manages and a.id <> (select app.account_id()))) as account
    ${accountsFrom} cross join (select app.everywhere('account.manage') as manages) m
    where a.id = ${accountId} and a.kind = 'person'`)

export async function findAccount(db: ActorDb, accountId: string): Promise<Account | undefined> {
  const { rows } = await db.executeQuery(accountQuery(accountId).compile())
  return rows[0]?.account
}

type Guarded = { accountId: string; version: number }
const updateAccount = (
  db: ActorDb,
  { accountId, version }: Guarded,
  set: { status?: RawBuilder<unknown> | 'suspended'; person_id?: string | null; invited_until?: RawBuilder<string> },
) => updateRecord(db, 'app.accounts', { id: accountId, version }, set, () => findAccount(db, accountId))

export const suspendAccount = (db: ActorDb, account: Guarded) => updateAccount(db, account, { status: 'suspended' })

export async function declineAccount(db: ActorDb, { accountId, version }: Guarded): Promise<void> {
  const gone = db.deleteFrom('app.accounts').where('id', '=', accountId).where('version', '=', version).where('status', '=', 'pending_link')
  await mustTouch((await gone.returning('id').executeTakeFirst()) !== undefined, () => findAccount(db, accountId), version)
}

const fortnight = sql<string>`now() + interval '14 days'`

/** An invitation that begins anew. */
export const renewInvitation = (db: ActorDb, account: Guarded) => updateAccount(db, account, { invited_until: fortnight })

export async function removeInvitation(db: ActorDb, { accountId, version }: Guarded): Promise<void> {
  const gone = db
    .deleteFrom('app.accounts')
    .where('id', '=', accountId)
    .where('version', '=', version)
    .where('status', '=', 'invited')
    .where('last_login_at', 'is', null)
  await mustTouch((await gone.returning('id').executeTakeFirst()) !== undefined, () => findAccount(db, accountId), version)
}

/** Back to waiting for the first sign-in when there was none. */
export const activateAccount = (db: ActorDb, account: Guarded) =>
  updateAccount(db, account, { status: sql`case when subject is null then 'invited' else 'active' end` })

export const linkAccount = (db: ActorDb, account: Guarded, personId: string | null) =>
  updateAccount(db, account, {
    person_id: personId,
    ...(personId !== null && { status: sql`case status when 'pending_link' then 'active' else status end` }),
  })

export const accountOfPerson = (db: ActorDb, personId: string) =>
  db.selectFrom('app.accounts').select(['id', 'name', 'email']).where('person_id', '=', personId).executeTakeFirst()
export const accountOfAddress = (db: ActorDb, email: string) =>
  db
    .selectFrom('app.accounts')
    .select(['id', 'status'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst()
export const personThere = async (db: ActorDb, personId: string) =>
  (await db.selectFrom('app.people').select('id').where('id', '=', personId).where('deleted_at', 'is', null).executeTakeFirst()) !==
  undefined

export async function insertInvitation(
  db: ActorDb,
  orgId: string,
  invited: { email: string; name: string; personId: string | null },
): Promise<string> {
  const { id } = await db
    .insertInto('app.accounts')
    .values({ org_id: orgId, ...columnsOf('app.accounts', invited), status: 'invited', invited_until: fortnight })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
