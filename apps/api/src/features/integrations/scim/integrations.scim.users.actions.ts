import type { ActorDb } from '@guildhall/db'
import { insertProvisioned, renameAccount, setSuspended } from '../../account/account.provisioning.public.ts'
import { mustMatch } from './integrations.scim.answers.rules.ts'
import { ScimError, badRequest, notFound } from './integrations.scim.error.rules.ts'
import {
  claimAccount,
  findRemoved,
  findUser,
  holdUser,
  isSuspendedByProvider,
  tieUser,
  untieUser,
  userNameTaken,
} from './integrations.scim.queries.ts'
import type { OpenedScim, StoredUser } from './integrations.scim.queries.ts'
import { changedUser, nameOf } from './integrations.scim.user.rules.ts'
import type { UserChange, UserValues } from './integrations.scim.user.rules.ts'

/** In whose name something is done, and at which identity provider people sign in. */
export type Scim = OpenedScim & { accountId: string; issuer: string; base: string }
type Match = string | string[] | undefined

/** A new account, or the one of somebody who comes again. */
export async function createUser(db: ActorDb, scim: Scim, values: UserValues): Promise<StoredUser> {
  const { connectionId, orgId } = scim
  const { email } = values
  if (email === null) throw badRequest('invalidValue', 'An account needs an e-mail address.')
  const removed = await findRemoved(db, connectionId, values)
  if (await userNameTaken(db, connectionId, values.userName, removed ?? null)) throw taken()
  const accountId = removed ?? (await insertProvisioned(db, orgId, { email, name: nameOf(values) }))
  return writeUser(db, scim, accountId, values)
}

/** `next` says what the user is after the change; what the address or external id of somebody is who has signed in is theirs. */
export async function changeUser(
  db: ActorDb,
  scim: Scim,
  accountId: string,
  match: Match,
  next: (before: UserValues) => UserValues,
): Promise<StoredUser> {
  const before = await heldUser(db, scim, accountId, match)
  const values = next(before)
  if (values.email === null) throw badRequest('invalidValue', 'An account needs an e-mail address.')
  if (
    values.userName.toLowerCase() !== before.userName.toLowerCase() &&
    (await userNameTaken(db, scim.connectionId, values.userName, accountId))
  )
    throw taken()
  return writeUser(db, scim, accountId, values)
}

export const patched = (change: UserChange) => (before: UserValues) => changedUser(before, change)

/** Suspended, and unknown to the provider from here on. The account stays, with everything that it has done. */
export async function removeUser(db: ActorDb, scim: Scim, accountId: string, match: Match): Promise<void> {
  const user = await heldUser(db, scim, accountId, match)
  await tieUser(db, scim, accountId, valuesOf(user), await suspendAsSaid(db, scim, accountId, true))
  await untieUser(db, scim.connectionId, accountId)
}

async function heldUser(db: ActorDb, { connectionId }: Scim, accountId: string, match: Match): Promise<StoredUser> {
  await holdUser(db, accountId)
  const user = await findUser(db, connectionId, accountId)
  if (!user) throw notFound(accountId)
  mustMatch(match, `W/"${user.version}"`)
  return user
}

async function writeUser(db: ActorDb, scim: Scim, accountId: string, values: UserValues): Promise<StoredUser> {
  const { connectionId, issuer, settings } = scim
  await tieUser(db, scim, accountId, values, await suspendAsSaid(db, scim, accountId, !values.active))
  const subject = settings.subjectIsExternalId === false ? null : values.externalId
  await claimAccount(db, connectionId, accountId, { email: values.email, issuer: subject === null ? null : issuer, subject })
  await renameAccount(db, accountId, nameOf(values))
  const user = await findUser(db, connectionId, accountId)
  if (!user) throw new Error('a user that was written just now is not there')
  return user
}

/** The provider brings back only whom it suspended: who was locked out here stays so, whatever it writes every hour. Whether a suspension is the provider's. */
async function suspendAsSaid(db: ActorDb, { connectionId }: Scim, accountId: string, isSuspended: boolean): Promise<boolean> {
  const isTheirs = await isSuspendedByProvider(db, connectionId, accountId)
  if (isSuspended) return (await setSuspended(db, accountId, true)) || isTheirs
  if (isTheirs) await setSuspended(db, accountId, false)
  return false
}

const valuesOf = ({ userName, externalId, displayName, givenName, familyName, email, active }: StoredUser): UserValues => ({
  ...{ userName, externalId, displayName, givenName, familyName, email, active },
})

const taken = () => new ScimError(409, 'Another account has this userName.', 'uniqueness')
