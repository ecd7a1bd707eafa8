import type { ScimAccess } from '@guildhall/contract/features/integrations.scim'
import { randomBytes } from 'node:crypto'
import { hashOf } from '../../../platform/links/signed-links.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { findScimAccess, writeScimToken } from './integrations.scim.access.queries.ts'
import type { StoredScimAccess } from './integrations.scim.access.queries.ts'

const { scim } = data.integrations

export const scimData = scim.router({
  access: scim.access.handler(({ input: { connectionId }, context }) =>
    context.inTx(async (db) => shown(context, mustFind(await findScimAccess(db, connectionId)))),
  ),

  makeToken: scim.makeToken.handler(({ input: { connectionId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findScimAccess(db, connectionId))
      // Told by its beginning, so that a token that stands where it should not is found.
      const token = `ghscim_${randomBytes(32).toString('base64url')}`
      await writeScimToken(db, context.actor, connectionId, { secretHash: hashOf(token), hint: token.slice(-4) })
      return { token, ...shown(context, mustFind(await findScimAccess(db, connectionId))) }
    }),
  ),
})

const shown = ({ services: { config } }: CallerContext, access: StoredScimAccess): ScimAccess => ({
  address: new URL('/scim/v2', config.PUBLIC_URL).href,
  ...access,
})
