import { countAttempt, placesOf } from '../../platform/limits/attempts.ts'
import { linkRefused } from '../../platform/links/signed-links.ts'
import { mailAdministrators } from '../../platform/mail/send-mail.ts'
import { problem } from '../../platform/procedures/problem.ts'
import { data, refused } from '../../platform/procedures/procedures.ts'
import { signedIn } from '../../platform/sign-in/identity.ts'
import { accounts } from './account.accounts.data.ts'
import { audit } from './account.audit.data.ts'
import { grants } from './account.grants.data.ts'
import { accessRequestMail } from './account.jobs.ts'
import { acceptInvitation, noteLogin, requestAccess } from './account.login.queries.ts'
import { mails } from './mail/account.mail.data.ts'
import { organisation } from './account.organisation.data.ts'
import { meQuery, mergePreferences } from './account.queries.ts'
import { roles } from './account.roles.data.ts'

export const accountData = data.account.router({
  updateLogin: data.account.updateLogin.handler(async ({ context }) => {
    const { services } = context
    const caller = signedIn(context.caller)
    const { SIGN_UP: signUp, SIGN_UP_ROLE: signUpRole } = services.config
    const profile = await services.tokens.userInfo(caller)
    const status = await noteLogin(services.database, caller, profile, { signUp, signUpRole })
    services.identities.forget(caller.token)
    if (status === null) throw elsewhere()
    if (status === 'unknown') throw refused('no_account')
    if (status === 'suspended') throw refused('suspended')
    if (status === 'pending_link') throw refused('pending')
  }),
  requestAccess: data.account.requestAccess.handler(async ({ input, context }) => {
    const { database, identities, tokens, config } = context.services
    const caller = signedIn(context.caller)
    const profile = await tokens.userInfo(caller)
    const request = await database.withoutActor(async (db) => {
      const made = await requestAccess(db, database, caller.token, profile, input.message ?? '')
      if (!made?.asked) return made
      if (!(await countAttempt(db, made.orgId, 'access', placesOf(context.ip, config.ACTOR_KEY)))) {
        throw problem('TOO_MANY_REQUESTS', {
          reason: 'access_limit',
          detail: 'Too many people asked for access within an hour. Try again later.',
        })
      }
      await mailAdministrators(db, made.orgId, accessRequestMail, {
        params: { account: made.accountId },
        dedupeKey: `access-request:${made.accountId}`,
      })
      return made
    })
    identities.forget(caller.token)
    if (!request) throw elsewhere()
    if (request.status === 'suspended') throw refused('suspended')
    if (request.status !== 'pending_link') {
      throw problem('CONFLICT', { reason: 'has_account', detail: 'You have an account already; load the page again.' })
    }
  }),
  acceptInvitation: data.account.acceptInvitation.handler(async ({ input, context }) => {
    const { database, identities, tokens } = context.services
    const caller = signedIn(context.caller)
    const profile = await tokens.userInfo(caller)
    const outcome = await database.withoutActor((db) => acceptInvitation(db, database, caller.token, profile, input.token))
    identities.forget(caller.token)
    if (outcome === 'elsewhere') throw elsewhere()
    if (outcome === 'suspended') throw refused('suspended')
    if (outcome === 'active')
      throw problem('CONFLICT', { reason: 'has_account', detail: 'You have an account already; load the page again.' })
    if (outcome === 'expired')
      throw problem('GONE', { reason: 'invitation_expired', detail: 'This invitation has expired. Ask for a new one.' })
    if (outcome !== 'accepted') throw linkRefused()
  }),
  me: data.account.me.handler(async ({ context }) => {
    const [row] = await context.read(meQuery())
    if (!row) throw refused('no_account')
    return row.me
  }),
  changes: data.account.changes.handler(async ({ input, context, signal }) => {
    const { services } = context
    const caller = signedIn(context.caller)
    // Should the stream not end by itself, its connection does.
    context.whileAllowed(() => services.tokens.isValid(caller.bearer))
    // A connection that would be kept for the next request would keep a server from stopping.
    context.setHeader('connection', 'close')
    // nginx would collect what is to be passed on at once.
    context.setHeader('x-accel-buffering', 'no')
    return services.changes.follow(caller, signal, { watched: watchedIn(input), actingFor: context.actor.actingFor })
  }),
  updatePreferences: data.account.updatePreferences.handler(({ input, context }) => context.inTx((db) => mergePreferences(db, input))),

  accounts,
  roles,
  grants,
  audit,
  mails,
  organisation,
})

/** One record at a time: the one that is looked at. */
type Looked = { eventId?: string | undefined; campaignId?: string | undefined; connectionId?: string | undefined }
function watchedIn({ eventId, campaignId, connectionId }: Looked) {
  if (eventId) return { kind: 'event' as const, id: eventId }
  if (campaignId) return { kind: 'campaign' as const, id: campaignId }
  return connectionId ? { kind: 'connection' as const, id: connectionId } : undefined
}

const elsewhere = () =>
  problem('FORBIDDEN', { reason: 'other_organisation', detail: 'You belong to an organisation that is not served here.' })
