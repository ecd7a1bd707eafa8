import type { Account } from '@guildhall/contract/features/account'
import type { ActorDb } from '@guildhall/db'
import { readFilter } from '../../platform/lists/filters.ts'
import { listPage } from '../../platform/lists/list-page.ts'
import { revokeLinks } from '../../platform/links/signed-links.ts'
import { sendMail } from '../../platform/mail/send-mail.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import {
  accountOfAddress,
  accountOfPerson,
  accountQuery,
  accountsList,
  activateAccount,
  declineAccount,
  findAccount,
  insertInvitation,
  linkAccount,
  personThere,
  removeInvitation,
  renewInvitation,
  suspendAccount,
} from './account.accounts.queries.ts'
import { insertGrant, missingOf } from './account.grants.queries.ts'
import { invitationMail } from './account.jobs.ts'

const { accounts: procedures } = data.account

export const accounts = procedures.router({
  list: procedures.list.handler(({ input, context }) =>
    listPage(context, accountsList({ ...input, filter: readFilter(input.filter) }), input),
  ),

  get: procedures.get.handler(async ({ input, context }) => {
    const row = await readOne(context, accountQuery(input.accountId))
    return row.account
  }),

  invite: procedures.invite.handler(({ input: { email, name, personId, roleIds }, context }) =>
    context.inTx(async (db) => {
      const { orgId } = context.actor
      const known = await accountOfAddress(db, email)
      if (known)
        throw problem('CONFLICT', fault('email', 'account_exists', 'There is an account with this address already.', { current: known }))
      if (personId) await checkPerson(db, personId, null)
      const accountId = await insertInvitation(db, orgId, { email, name: name ?? '', personId: personId ?? null })
      for (const roleId of new Set(roleIds)) {
        const field = await missingOf(db, { accountId, roleId, scopeKind: 'org' })
        if (field) throw problem('UNPROCESSABLE_CONTENT', fault('roleIds', 'record_not_found', 'There is no such role.'))
        await insertGrant(db, context.actor, { accountId, roleId, scopeKind: 'org' })
      }
      await mailInvitation(db, accountId)
      return mustFind(await findAccount(db, accountId))
    }),
  ),

  inviteAgain: procedures.inviteAgain.handler(({ input: { accountId }, context }) =>
    context.inTx(async (db) => {
      mustBeInvited(mustFind(await findAccount(db, accountId)))
      const account = await renewInvitation(db, { accountId, version: context.ifMatch })
      await revokeLinks(db, 'invitations', { type: 'account', id: accountId })
      await mailInvitation(db, accountId)
      return account
    }),
  ),

  revokeInvitation: procedures.revokeInvitation.handler(({ input: { accountId }, context }) =>
    context.inTx(async (db) => {
      mustBeInvited(mustFind(await findAccount(db, accountId)))
      await revokeLinks(db, 'invitations', { type: 'account', id: accountId })
      await removeInvitation(db, { accountId, version: context.ifMatch })
    }),
  ),

  suspend: procedures.suspend.handler(({ input: { accountId }, context }) =>
    context.inTx(async (db) => {
      const account = mustFind(await findAccount(db, accountId))
      if (account.status === 'suspended')
        throw problem('CONFLICT', { reason: 'already_suspended', detail: 'This account is already suspended.' })
      return suspendAccount(db, { accountId, version: context.ifMatch })
    }),
  ),

  activate: procedures.activate.handler(({ input: { accountId }, context }) =>
    context.inTx(async (db) => {
      const account = mustFind(await findAccount(db, accountId))
      if (account.status !== 'suspended' && account.status !== 'pending_link') {
        throw problem('CONFLICT', { reason: 'account_active', detail: 'This account is neither suspended nor waiting.' })
      }
      return activateAccount(db, { accountId, version: context.ifMatch })
    }),
  ),

  decline: procedures.decline.handler(({ input: { accountId }, context }) =>
    context.inTx(async (db) => {
      const account = mustFind(await findAccount(db, accountId))
      if (account.status !== 'pending_link') {
        throw problem('CONFLICT', { reason: 'not_pending', detail: 'This account is not awaiting approval.' })
      }
      await declineAccount(db, { accountId, version: context.ifMatch })
    }),
  ),

  link: procedures.link.handler(({ input: { accountId, personId }, context }) =>
    context.inTx(async (db) => {
      mustFind(await findAccount(db, accountId))
      await checkPerson(db, personId, accountId)
      return linkAccount(db, { accountId, version: context.ifMatch }, personId)
    }),
  ),

  unlink: procedures.unlink.handler(({ input: { accountId }, context }) =>
    context.inTx(async (db) => {
      const account = mustFind(await findAccount(db, accountId))
      if (!account.person) throw problem('CONFLICT', { reason: 'not_linked', detail: 'No person is linked to this account.' })
      return linkAccount(db, { accountId, version: context.ifMatch }, null)
    }),
  ),
})

const mailInvitation = (db: ActorDb, accountId: string) =>
  sendMail(db, invitationMail, { to: { accountId }, params: { account: accountId } })

function mustBeInvited({ status, lastLoginAt }: Account): void {
  if (status !== 'invited' || lastLoginAt !== null)
    throw problem('CONFLICT', { reason: 'not_invited_account', detail: 'Somebody has signed in with this account already.' })
}

/** A person is there and is not some other account. */
async function checkPerson(db: ActorDb, personId: string, accountId: string | null): Promise<void> {
  if (!(await personThere(db, personId)))
    throw problem('UNPROCESSABLE_CONTENT', fault('personId', 'person_not_found', 'There is no such person.'))
  const other = await accountOfPerson(db, personId)
  if (!other || other.id === accountId) return
  throw problem(
    'CONFLICT',
    fault('personId', 'person_linked', `This person is already linked to the account of ${other.name || other.email || 'someone else'}.`, {
      params: { account: other.name || other.email || '' },
    }),
  )
}
