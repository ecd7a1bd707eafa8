import type { ActorDb } from '@guildhall/db'
import { giveRole, removeRole } from '../../account/account.provisioning.public.ts'
import { groupResource, mustMatch } from './integrations.scim.answers.rules.ts'
import { ScimError, badRequest, notFound } from './integrations.scim.error.rules.ts'
import type { GroupChange, MemberStep } from './integrations.scim.group.rules.ts'
import { holdGroup, knownAmong, listGroups, nameGroup } from './integrations.scim.groups.queries.ts'
import type { StoredGroup } from './integrations.scim.groups.queries.ts'
import type { Scim } from './integrations.scim.users.actions.ts'

/** Groups are roles of the whole organisation: they are there already, and only who holds one changes. */
export async function changeGroup(
  db: ActorDb,
  scim: Scim,
  roleId: string,
  match: string | string[] | undefined,
  { steps, displayName, externalId }: GroupChange,
): Promise<StoredGroup> {
  await holdGroup(db, scim, roleId)
  const before = await findGroup(db, scim, roleId)
  mustMatch(match, groupResource(scim.base, before).meta.version)
  if (displayName !== undefined && displayName.toLowerCase() !== before.displayName.toLowerCase())
    throw badRequest('mutability', 'Groups are the standard roles: they keep their names.')
  if (externalId !== undefined) await nameGroup(db, scim, roleId, externalId)
  let held = new Set(before.members?.map(({ value }) => value))
  for (const step of steps) held = await takeStep(db, scim, roleId, held, step)
  return findGroup(db, scim, roleId)
}

export async function findGroup(db: ActorDb, { connectionId }: Scim, roleId: string): Promise<StoredGroup> {
  const [group] = await listGroups(db, connectionId, [{ field: 'id', value: roleId }], true)
  if (!group) throw notFound(roleId)
  return group
}

async function takeStep(
  db: ActorDb,
  scim: Scim,
  roleId: string,
  held: ReadonlySet<string>,
  { kind, accountIds }: MemberStep,
): Promise<Set<string>> {
  const named = new Set(accountIds)
  const added = kind === 'remove' ? [] : accountIds.filter((id) => !held.has(id))
  const gone = kind === 'add' ? [] : [...held].filter((id) => named.has(id) === (kind === 'remove'))
  const known = await knownAmong(db, scim.connectionId, added)
  const stranger = added.find((id) => !known.has(id))
  if (stranger !== undefined) throw badRequest('invalidValue', `There is no user ${stranger}.`)
  if (gone.length > 0) await removeRole(db, roleId, gone)
  if (added.length > 0) await giveRole(db, scim, roleId, added)
  const without = new Set(gone)
  return new Set([...held, ...added].filter((id) => !without.has(id)))
}

/** Providers that push groups find ours by name first; those they would make are refused. */
export async function refuseGroup(db: ActorDb, { connectionId }: Scim, { displayName = '' }: GroupChange): Promise<never> {
  const found = await listGroups(db, connectionId, [{ field: 'displayName', value: displayName }], false)
  throw found.length > 0
    ? new ScimError(409, 'There is such a group already; link to it.', 'uniqueness')
    : new ScimError(403, 'Groups are the standard roles of the organisation; no others can be made.')
}
