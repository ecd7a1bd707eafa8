import type { ProcedureMeta } from '@guildhall/contract/base'
import { actionsContract, dataContract } from '@guildhall/contract'
import type { Actor } from '@guildhall/db'
import { implement, os } from '@orpc/server'
import { setTimeout } from 'node:timers/promises'
import { actorOf, holdBack, refusalOf, signedIn } from '../sign-in/identity.ts'
import type { Caller, Refusal } from '../sign-in/identity.ts'
import { mustBeRecent, proofHeader } from '../sign-in/recent-sign-in.ts'
import { admitKey } from './admit-key.ts'
import { actingHeader, actingNotAllowed, actsFor, mayActFor } from './acting.ts'
import { replayable } from './idempotency.ts'
import { outlastingRestarts } from '../limits/patience.ts'
import { peopleAskedFor, peopleIn } from '../limits/people-reading.ts'
import { problem } from './problem.ts'
import { countTokenUse, countUse, tooMany } from '../limits/rate-limits.ts'
import type { CallerContext, RequestContext } from './context.ts'

const nobody: Actor = { orgId: '00000000-0000-0000-0000-000000000000', accountId: '00000000-0000-0000-0000-000000000000', idpRoles: [] }

/** The one middleware: who calls, which version they edited, once only, and what the answer's ETag is. */
const admit = os
  .$context<RequestContext>()
  .$meta<Partial<ProcedureMeta>>({})
  .middleware(async ({ context, procedure, next }, input) => {
    const { services, requestId } = context
    const { meta, route } = procedure['~orpc']
    const identify = () => services.identities.identify(context.header('authorization'))
    const caller = meta.needs === 'public' ? null : await outlastingRestarts(identify, () => true)
    if (meta.needs !== 'public' && !caller) throw problem('UNAUTHORIZED')
    if (caller?.key) {
      context.usedKey(caller.key)
      const refusal = refusalOf(caller)
      if (refusal) throw refused(refusal)
      await admitKey(context, caller.key, meta)
    } else if (caller && refusalOf(caller) === 'signed_out') {
      const wait = holdBack(caller, services.provider.clockAhead())
      if (wait > 0) await setTimeout(wait)
      throw refused('signed_out')
    }
    const actingFor = actsFor(context.header(actingHeader), meta)
    const self = caller && meta.needs !== 'token' ? activeActor(caller) : null
    const actor = self && actingFor !== undefined ? { ...self, actingFor } : self
    if (caller && actor) {
      context.note({ account: actor.accountId, org: actor.orgId, ...(actingFor !== undefined && { actingFor }) })
      context.admitted(caller)
    }
    if (actor?.actingFor !== undefined) {
      const { actingFor: personId } = actor
      const may = await outlastingRestarts(
        () => mayActFor(services.database, actor, personId),
        () => true,
      )
      if (!may) throw actingNotAllowed()
    }

    let hasCommitted = false
    const bound: CallerContext = {
      ...context,
      caller,
      actor: actor ?? nobody,
      read: (query) => services.database.read(bound.actor, query),
      inTx: async (run, options) => {
        const result = await services.database.asActor(bound.actor, run, { requestId, ...options })
        hasCommitted = true
        return result
      },
      ifMatch: meta.ifMatch ? readIfMatch(context.header('if-match')) : 0,
    }

    if (meta.recentSignIn && caller)
      await outlastingRestarts(
        () => mustBeRecent(services, signedIn(caller), context.header(proofHeader)),
        () => true,
      )

    if (meta.perHour && caller) {
      const { perHour } = meta
      const operation = route.operationId ?? ''
      const count = () =>
        actor
          ? countUse(services.database, { orgId: actor.orgId, operation, who: actor.accountId, perHour })
          : countTokenUse(services.database, signedIn(caller).token, operation, perHour)
      const wait = await outlastingRestarts(count, () => true)
      if (wait > 0) {
        context.setHeader('retry-after', String(wait))
        throw tooMany(wait)
      }
    }

    const key = meta.idempotent && actor ? context.header('idempotency-key') : undefined
    const once = async (name: string) => {
      const asked = { key: name, operation: route.operationId ?? '', input, once: meta.upload === true }
      const answer = await replayable(bound, asked, async (inOneTx) => next({ context: inOneTx }))
      if (!answer.isReplay) return answer
      const now = await context.readRecord(procedure['~orpc'].outputSchema, answer.output, context)
      return { ...answer, ...now }
    }
    const attempt = async () => (key ? once(key) : next({ context: bound }))
    const reading = meta.readsPeople && actor ? await services.reading.begin(actor, peopleAskedFor(input, meta.readsPeople)) : undefined
    const isRepeatable = key !== undefined || route.method === 'GET' || route.method === 'PUT'
    let people = 0
    try {
      const result = await outlastingRestarts(
        attempt,
        (lost) => !meta.upload && (isRepeatable || (actor !== null && !hasCommitted && !lost.mayHaveCommitted)),
      )
      people = peopleIn(result.output)
      const version = versionOf(result.output)
      if (version !== null) context.setHeader('etag', `"${version}"`)
      return result
    } finally {
      reading?.end(people)
    }
  })

function activeActor(caller: Caller): Actor {
  const refusal = refusalOf(caller)
  if (refusal) throw refused(refusal)
  if (!caller.account) throw refused('no_account')
  return actorOf(caller.account, caller)
}

/** The answer to somebody who is signed in but may not act. */
export function refused(refusal: Refusal) {
  switch (refusal) {
    case 'signed_out':
      return problem('UNAUTHORIZED', { reason: 'signed_out', detail: 'You were signed out; sign in again.' })
    case 'no_account':
      return problem('FORBIDDEN', { reason: 'no_account', detail: 'You have no account here yet; ask the organisation to let you in.' })
    case 'suspended':
      return problem('FORBIDDEN', {
        reason: 'suspended',
        detail: 'This account is suspended. The organisation’s office can tell you more.',
      })
    case 'key_revoked':
      return problem('UNAUTHORIZED', { reason: 'key_revoked', detail: 'This API key is revoked.' })
    case 'key_expired':
      return problem('UNAUTHORIZED', { reason: 'key_expired', detail: 'This API key has expired; an administrator can make a new one.' })
    case 'pending':
      return problem('FORBIDDEN', { reason: 'pending', detail: 'Your account waits for the organisation to accept it.' })
  }
}

/** Accepts `"3"`, `W/"3"` and plain 3. */
function readIfMatch(header: string | undefined): number {
  if (header === undefined) throw problem('PRECONDITION_REQUIRED')
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(header.trim())?.[1]
  if (!version) throw problem('BAD_REQUEST', { reason: 'if_match', detail: 'If-Match must hold one version, such as "3".' })
  return Number(version)
}

function versionOf(output: unknown): number | null {
  return typeof output === 'object' && output !== null && 'version' in output && typeof output.version === 'number' ? output.version : null
}

/** Answers are checked where they leave (api-handler.ts), once. */
const settings = { initialOutputValidationIndex: Number.NaN }

/** Implements the data API: rows only, PostgreSQL and nothing else. */
export const data = implement(dataContract).$config(settings).$context<RequestContext>().use(admit)
/** Implements the actions API: may start jobs, use files and reach outside through `context.services`. */
export const actions = implement(actionsContract).$config(settings).$context<RequestContext>().use(admit)
