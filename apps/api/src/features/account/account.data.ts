import { data } from '../../platform/procedures.ts'
import { accounts } from './account.accounts.data.ts'
import { audit } from './account.audit.data.ts'
import { grants } from './account.grants.data.ts'
import { noteLogin } from './account.login.queries.ts'
import { organisation } from './account.organisation.data.ts'
import { meQuery, mergePreferences } from './account.queries.ts'
import { roles } from './account.roles.data.ts'

export const accountData = data.account.router({
  updateLogin: data.account.updateLogin.handler(async ({ context, errors }) => {
    const { services, caller } = context
    if (!caller) throw errors.UNAUTHORIZED()
    const profile = await services.tokens.userInfo(caller.bearer)
    const status = await noteLogin(services.database, caller.token, profile, services.config.SIGN_UP)
    services.identities.forget(caller.token)
    if (status === 'active') return
    if (status === 'suspended') throw errors.FORBIDDEN({ data: { reason: 'suspended', detail: 'This account is suspended.' } })
    if (status) throw errors.FORBIDDEN({ data: { reason: 'pending', detail: 'Your account waits for the organisation to accept it.' } })
    throw errors.FORBIDDEN({ data: { reason: 'other_organisation', detail: 'You belong to an organisation that is not served here.' } })
  }),
  me: data.account.me.handler(async ({ context, errors }) => {
    const [row] = await context.read(meQuery())
    if (!row) throw errors.FORBIDDEN({ data: { reason: 'no_account' } })
    return row.me
  }),
  updatePreferences: data.account.updatePreferences.handler(({ input, context }) => context.inTx((db) => mergePreferences(db, input))),

  accounts,
  roles,
  grants,
  audit,
  organisation,
})
