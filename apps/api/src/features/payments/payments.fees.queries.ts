import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { ProviderFee, ProviderPayout } from '../../platform/payments/payment-provider.ts'

type Rows = Kysely<Schema>

/** What the provider keeps of a payment: each movement once. Without that of the payment itself it is asked again later. */
export async function noteFees(tx: Rows, orgId: string, paymentId: string, fees: readonly ProviderFee[]): Promise<void> {
  const said = fees.map(({ transactionId, kind, money, at }) => ({ transaction: transactionId, kind, ...money, at }))
  await sql`select app.note_payment_fees(${orgId}, ${paymentId}, ${JSON.stringify(said)}::jsonb)`.execute(tx)
}

/** The organisation whose account it is, and since when its payouts are read; undefined where several share the account. */
export async function payoutsToRead(
  db: Rows,
  idpOrg: string | undefined,
  provider: string,
): Promise<{ orgId: string; since: string } | undefined> {
  const { rows } = await sql<{ orgId: string; since: string }>`
    select r.org_id as "orgId", to_json(r.since) #>> '{}' as since from app.payouts_to_read(${idpOrg ?? null}, ${provider}) r`.execute(db)
  return rows[0]
}

export async function notePayouts(
  db: Rows,
  orgId: string,
  provider: string,
  payouts: readonly (ProviderPayout & { counts: boolean })[],
): Promise<void> {
  const said = payouts.map(({ id, state, money, arrivesOn, madeAt, counts }) => ({
    ...{ ref: id, state, ...money },
    ...{ arrives_on: arrivesOn, made_at: madeAt, counts },
  }))
  await sql`select app.note_payouts(${orgId}, ${provider}, ${JSON.stringify(said)}::jsonb)`.execute(db)
}
