import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'
import { issuedInvoice } from './payments.testing.ts'

type Payment = { id: string; version: number }
type Totals = { items: { currency: string; payments: number; received: number; refunded: number }[]; differences: number | null }
const totalsOf = async (client: Client, query = '') => (await client.get(`/data/payments/totals${query}`)).body as Totals
const filterOf = (field: string, op: string, value: unknown) =>
  encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op, value }] }] }))

test('what a list of payments comes to follows its filter and what its reader may see', async ({
  api,
  admin,
  chapter,
  organisation,
  person,
}) => {
  const org = await organisation()
  const owner = await person({ org, grants: [{ role: 'org-owner' }] })
  const west = await chapter(org, 'West')
  const bea = await person({ org, chapterId: west })
  const cy = await person({ org })
  const treasurer = api.as(await person({ org, chapterId: west, grants: [{ role: 'finance', chapterId: west }] }))
  const boss = api.as(owner)
  const pay = async (personId: string | null, amount: number, method = 'cash') => {
    const invoiceId = await issuedInvoice(api, owner, { amount, personId })
    const made = await boss.post('/data/payments', {
      ...{ method, receivedOn: '2026-11-20', money: { amount, currency: 'EUR' } },
      allocations: [{ invoiceId, amount }],
    })
    expect(made.status, made.text).toBe(201)
    return made.body as Payment
  }
  expect(await totalsOf(boss)).toEqual({ items: [], differences: 0 })
  const inWest = await pay(bea.personId, 6_000)
  await pay(cy.personId, 2_500, 'bank_transfer')
  const byMistake = await pay(cy.personId, 9_900)
  const match = ({ version }: Payment) => ({ 'if-match': `"${version}"` })
  expect((await boss.post(`/data/payments/${byMistake.id}/reverse`, { reason: 'Twice' }, match(byMistake))).status).toBe(200)
  const back = { amount: 1_000, reason: 'Moved away' }
  expect((await boss.post(`/actions/payments/${inWest.id}/refund`, back, { ...match(inWest), ...boss.proof })).status).toBe(200)
  // Two at the provider: one of this payment, one of none that is known here, and one that is resolved.
  await admin.query(
    `insert into app.payment_differences (org_id, kind, provider_ref, payment_id, resolved_at) values
       ($1, 'amount', 'pi_1', $2, null), ($1, 'unknown_here', 'pi_2', null, null), ($1, 'unknown_here', 'pi_3', null, now())`,
    [org.id, inWest.id],
  )

  const all = { currency: 'EUR', payments: 2, received: 8_500, refunded: 1_000 }
  const ofWest = { currency: 'EUR', payments: 1, received: 6_000, refunded: 1_000 }
  expect(await totalsOf(boss)).toEqual({ items: [all], differences: 2 })
  expect(await totalsOf(boss, `?chapterId=${west}`)).toEqual({ items: [ofWest], differences: 1 })
  expect(await totalsOf(boss, `?filter=${filterOf('method', 'in', ['bank_transfer'])}`)).toEqual({
    items: [{ ...all, payments: 1, received: 2_500, refunded: 0 }],
    differences: 0,
  })
  expect(await totalsOf(boss, `?filter=${filterOf('state', 'in', ['reversed'])}`)).toEqual({ items: [], differences: 0 })
  // Others see what they may list, and no differences.
  expect(await totalsOf(treasurer)).toEqual({ items: [ofWest], differences: null })
  expect(await totalsOf(api.as(bea))).toEqual({ items: [ofWest], differences: null })
  expect(await totalsOf(api.as(await person({ org })))).toEqual({ items: [], differences: null })
  expect((await boss.get('/data/payments/totals?filter=x')).status).toBe(400)
})
