import { actionsContract, dataContract } from '@guildhall/contract'
import { expect } from 'vitest'
import { test as base } from '../../testing.ts'
import type { Client, TestPerson } from '../../testing.ts'
import { project } from '../../platform/sign-in/provider-testing.ts'
import { issuedInvoice } from './payments.testing.ts'

type Stage = {
  boss: TestPerson
  other: TestPerson
  client: Client
  payment: string
  refund(headers?: Record<string, string>, client?: Client): Promise<{ status: number; body: never }>
  refunded(): Promise<number>
}

/** A payment of €42.00 by hand, of which €10.00 are to be given back. */
const test = base.extend<{ stage: Stage }>({
  stage: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    const boss = await person({ org, grants: [{ role: 'org-owner' }] })
    const other = await person({ org, grants: [{ role: 'org-owner' }] })
    const client = api.as(boss)
    const invoice = await issuedInvoice(api, boss, { amount: 4_200, personId: other.personId })
    const made = await client.post('/data/payments', {
      ...{ method: 'cash', receivedOn: '2026-11-20', money: { amount: 4_200, currency: 'EUR' } },
      allocations: [{ invoiceId: invoice, amount: 4_200 }],
    })
    const { id } = made.body as { id: string }
    const versionOf = async () => ((await client.get(`/data/payments/${id}`)).body as { version: number }).version
    await use({
      ...{ boss, other, client, payment: id },
      refund: async (headers = {}, by = client) =>
        by.post(
          `/actions/payments/${id}/refund`,
          { amount: 1_000, reason: 'Moved away' },
          { 'if-match': `"${await versionOf()}"`, ...headers },
        ),
      async refunded() {
        const { rows } = await admin.query<{ sum: number }>('select refunded_amount::int as sum from app.payments where id = $1', [id])
        return rows[0]?.sum ?? -1
      },
    })
  },
})
const tooLongAgo = { status: 403, body: { reason: 'recent_sign_in' } }

test('a refund needs a sign-in within ten minutes, proven by an id token of the same person', async ({ issuer, stage }) => {
  const { boss, other, refund, refunded } = stage
  const proof = (secondsAgo: number, claims?: Record<string, unknown>) => issuer.proof(boss.subject, secondsAgo, claims)
  expect(await refund()).toMatchObject(tooLongAgo)
  expect(await refund(await proof(603))).toMatchObject(tooLongAgo)
  expect(await refund(await proof(24 * 3600))).toMatchObject(tooLongAgo)
  expect(await refund(await proof(-120))).toMatchObject(tooLongAgo)
  expect(await refund(other.proof)).toMatchObject(tooLongAgo)
  expect(await refund(await proof(0, { aud: 'another-client' }))).toMatchObject(tooLongAgo)
  expect(await refund(await proof(0, { aud: ['guildhall-web', 'another-client'], azp: 'another-client' }))).toMatchObject(tooLongAgo)
  expect(await refund(await proof(0, { iss: 'https://evil.example' }))).toMatchObject(tooLongAgo)
  const [header, claims] = (await proof(0))['sign-in-proof'].split('.')
  for (const forged of ['nonsense', '', `${header}.${claims}.`, `${header}.${claims}.${'A'.repeat(342)}`])
    expect(await refund({ 'sign-in-proof': forged })).toMatchObject(tooLongAgo)
  // The access token itself is no proof: renewals go on for a day.
  expect(await refund({ 'sign-in-proof': boss.token })).toMatchObject({ status: 403, body: { reason: 'sign_in_time_unknown' } })
  expect(await refund(await proof(0, { auth_time: undefined }))).toMatchObject({ status: 403, body: { reason: 'sign_in_time_unknown' } })
  expect(await refund(await proof(0, { auth_time: String(Math.floor(Date.now() / 1000)) }))).toMatchObject({ status: 403 })
  expect(await refunded()).toBe(0)
  expect(await refund(await proof(590))).toMatchObject({ status: 200, body: { state: 'partly_refunded' } })
  expect(await refunded()).toBe(1_000)
})

test('an access token that says itself when somebody signed in is proof enough', async ({ issuer, variant, stage }) => {
  const { boss, refund, refunded } = stage
  const server = await variant({})
  const as = async (secondsAgo: number) => {
    const auth_time = Math.floor(Date.now() / 1000) - secondsAgo
    const claims = { sub: boss.subject, 'urn:zitadel:iam:user:resourceowner:id': boss.orgId, auth_time }
    return server.as(await issuer.sign(claims, { typ: 'at+jwt' }))
  }
  expect(await refund({}, await as(700))).toMatchObject(tooLongAgo)
  expect(await refunded()).toBe(0)
  expect(await refund({}, await as(60))).toMatchObject({ status: 200 })
  // Of a token that does not name its type nobody can tell that it is no id token.
  const untyped = { sub: boss.subject, aud: ['guildhall-web', project], auth_time: Math.floor(Date.now() / 1000) }
  expect(await refund({}, server.as(await issuer.sign(untyped)))).toMatchObject({ status: 401 })
  expect(await refunded()).toBe(1_000)
})

test('a sign-in before a sign-out at the provider counts no more', async ({ api, admin, issuer, stage }) => {
  const { boss, refund } = stage
  await admin.query(`update app.accounts set tokens_valid_after = now() - interval '1 minute' where id = $1`, [boss.accountId])
  api.services.identities.forgetSubject(issuer.url, boss.subject)
  expect(await refund(await issuer.proof(boss.subject, 120))).toMatchObject(tooLongAgo)
  expect(await refund(await issuer.proof(boss.subject, 30))).toMatchObject({ status: 200 })
})

test('repeated under the same key, it is answered only to who could ask for it now', async ({ stage }) => {
  const { boss, client, payment, refunded } = stage
  const { version } = (await client.get(`/data/payments/${payment}`)).body as { version: number }
  const send = (more: Record<string, string> = {}) =>
    client.post(
      `/actions/payments/${payment}/refund`,
      { amount: 1_000, reason: 'Moved away' },
      { 'if-match': `"${version}"`, 'idempotency-key': 'refund-once-only', ...more },
    )
  // A refusal uses no key up.
  expect(await send()).toMatchObject(tooLongAgo)
  expect(await send(boss.proof)).toMatchObject({ status: 200 })
  expect(await send(boss.proof)).toMatchObject({ status: 200 })
  expect(await send()).toMatchObject(tooLongAgo)
  expect(await refunded()).toBe(1_000)
})

test('everything that gives money back asks for it', async ({ api, stage }) => {
  const declared = [actionsContract.payments.refund, dataContract.events.registrations.refund]
  for (const procedure of declared) expect(procedure['~orpc'].meta.recentSignIn, procedure['~orpc'].route.path).toBe(true)
  const seat = `/data/registrations/${stage.payment}/refund`
  expect(await api.as(stage.boss).post(seat, {})).toMatchObject(tooLongAgo)
  expect(await api.as(stage.boss).post(seat, {}, stage.boss.proof)).not.toMatchObject({ body: { reason: 'recent_sign_in' } })
})

test('the control: without the guard money goes back on a sign-in of any age', async ({ stage }) => {
  const { meta } = actionsContract.payments.refund['~orpc']
  expect(await stage.refund()).toMatchObject(tooLongAgo)
  meta.recentSignIn = false
  try {
    expect(await stage.refund()).toMatchObject({ status: 200 })
  } finally {
    meta.recentSignIn = true
  }
  expect(await stage.refunded()).toBe(1_000)
})
