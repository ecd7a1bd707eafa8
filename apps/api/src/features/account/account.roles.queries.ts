import type { NewRole, Role } from '@guildhall/contract/features/account'
import { permissions } from '@guildhall/contract/permissions'
import type { Permission } from '@guildhall/contract/permissions'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { isCurrent } from '../../platform/lists/json-refs.ts'
import { statement } from '../../platform/records/statement.ts'

type Row = Omit<Role, 'permissions'> & { permissions: string[] }
const isPermission = (name: string): name is Permission => Object.hasOwn(permissions, name)

const rolesFrom = sql<Row>`
  select r.id, r.key, r.name, r.description, r.custom,
    (select coalesce(json_agg(p.permission order by p.permission), '[]') from app.role_permissions p where p.org_id = r.org_id and p.role_id = r.id) as permissions,
    (select count(*)::int from app.grants g where g.org_id = r.org_id and g.role_id = r.id and ${isCurrent('g')}) as grants,
    (select count(*)::int from app.positions s where s.org_id = r.org_id and s.role_id = r.id) as offices,
    (select app.everywhere('account.manage')) and app.role_within_reach(r.id, 'org', null) as "mayGrant",
    r.id = any ((select app.changeable_roles())::uuid[]) as "mayChange"
  from app.roles r`

/** The standard roles first. */
export const rolesQuery = () => statement(sql<Row>`${rolesFrom} order by r.custom, r.name`)

/** Each permission with what it allows, in words. */
export const toRole = ({ permissions: names, ...role }: Row): Role => ({
  ...role,
  permissions: names.filter(isPermission).map((name) => ({ name, allows: permissions[name] })),
})

export async function findRole(db: ActorDb, roleId: string): Promise<Role | undefined> {
  const { rows } = await sql<Row>`${rolesFrom} where r.id = ${roleId}`.execute(db)
  return rows[0] && toRole(rows[0])
}

/** Which of these permissions the caller does not hold in the whole organisation. */
export async function beyondReach(db: ActorDb, wanted: readonly Permission[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from unnest(${[...wanted]}::text[]) name
    where name <> all ((select app.held_everywhere())::text[])`.execute(db)
  return rows.map(({ name }) => name)
}

/** Its key is made of the name, since the sign-in service may give a role by its key. */
export async function insertRole(db: ActorDb, orgId: string, { name, description, permissions: wanted }: NewRole): Promise<string> {
  const { id } = await db
    .insertInto('app.roles')
    .values({ org_id: orgId, key: await freeKey(db, name), name, description, custom: true })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addPermissions(db, orgId, id, wanted)
  return id
}

type RoleChange = { [Key in keyof NewRole]?: NewRole[Key] | undefined }

export async function updateRole(
  db: ActorDb,
  orgId: string,
  roleId: string,
  { permissions: wanted, name, description }: RoleChange,
): Promise<void> {
  const facts = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
  if (Object.keys(facts).length > 0) await db.updateTable('app.roles').set(facts).where('id', '=', roleId).execute()
  if (!wanted) return
  await sql`delete from app.role_permissions where role_id = ${roleId} and permission <> all (${wanted}::text[])`.execute(db)
  await addPermissions(db, orgId, roleId, wanted)
}

export async function wasEverGiven(db: ActorDb, roleId: string): Promise<boolean> {
  const { rows } = await sql<{ given: boolean }>`select exists (select from app.grants where role_id = ${roleId})
    or exists (select from app.positions where role_id = ${roleId}) as given`.execute(db)
  return rows[0]?.given ?? false
}

export const removeRole = (db: ActorDb, roleId: string) => db.deleteFrom('app.roles').where('id', '=', roleId).execute()

export const nameIsTaken = async (db: ActorDb, name: string, but: string | null): Promise<boolean> => {
  const { rows } = await sql<{ id: string }>`
    select id from app.roles where app.fold(name) = app.fold(${name}) and id is distinct from ${but}::uuid`.execute(db)
  return rows.length > 0
}

async function addPermissions(db: ActorDb, orgId: string, roleId: string, wanted: readonly Permission[]) {
  await sql`insert into app.role_permissions (org_id, role_id, permission)
    select ${orgId}, ${roleId}, name from (select distinct unnest(${[...wanted]}::text[]) as name) w
    where not exists (select from app.role_permissions p where p.role_id = ${roleId} and p.permission = w.name)`.execute(db)
}

async function freeKey(db: ActorDb, name: string): Promise<string> {
  const { rows } = await sql<{ key: string }>`
    with base as (select left('role-' || coalesce(nullif(btrim(regexp_replace(app.fold(${name}), '[^a-z0-9]+', '-', 'g'), '-'), ''), 'own'), 34) as key)
    select k as key from base, lateral (select base.key || case when n = 1 then '' else '-' || n end as k from generate_series(1, 1000) n) t
    where not exists (select from app.roles r where r.key = k) limit 1`.execute(db)
  return rows[0]?.key ?? 'role-own'
}
