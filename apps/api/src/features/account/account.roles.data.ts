import type { ActorDb } from '@guildhall/db'
import type { Permission } from '@guildhall/contract/permissions'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import {
  beyondReach,
  findRole,
  insertRole,
  nameIsTaken,
  removeRole,
  rolesQuery,
  toRole,
  updateRole,
  wasEverGiven,
} from './account.roles.queries.ts'

const api = data.account.roles

export const roles = api.router({
  list: api.list.handler(async ({ context }) => ({ items: (await context.read(rolesQuery())).map(toRole) })),

  create: api.create.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await check(db, input, null)
      return mustFind(await findRole(db, await insertRole(db, context.actor.orgId, input)))
    }),
  ),

  update: api.update.handler(({ input: { roleId, ...change }, context }) =>
    context.inTx(async (db) => {
      await changeable(db, roleId)
      await check(db, change, roleId)
      await updateRole(db, context.actor.orgId, roleId, change)
      return mustFind(await findRole(db, roleId))
    }),
  ),

  remove: api.remove.handler(({ input: { roleId }, context }) =>
    context.inTx(async (db) => {
      await changeable(db, roleId)
      if (await wasEverGiven(db, roleId)) {
        throw problem('CONFLICT', {
          reason: 'role_in_use',
          detail: 'This role was given to somebody, or an office carries it; the record of that stays.',
        })
      }
      await removeRole(db, roleId)
    }),
  ),
})

async function changeable(db: ActorDb, roleId: string) {
  const role = mustFind(await findRole(db, roleId))
  if (role.mayChange) return
  throw problem('FORBIDDEN', {
    reason: role.custom ? 'own_rights' : 'standard_role',
    detail: role.custom
      ? 'Nobody changes a role they hold, or one that allows more than they hold.'
      : 'The standard roles cannot be changed.',
  })
}

async function check(
  db: ActorDb,
  { name, permissions = [] }: { name?: string | undefined; permissions?: Permission[] | undefined },
  roleId: string | null,
) {
  if (name !== undefined && (await nameIsTaken(db, name, roleId)))
    throw problem('CONFLICT', fault('name', 'role_name_taken', 'There is already a role with this name.'))
  const beyond = await beyondReach(db, permissions)
  if (beyond.length > 0)
    throw problem(
      'FORBIDDEN',
      fault('permissions', 'beyond_reach', `Nobody gives more than they hold: ${beyond.join(', ')}.`, { params: { permissions: beyond } }),
    )
}
