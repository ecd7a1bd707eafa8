import type pg from 'pg'
import { organisationName } from './chapters.ts'
import { isoOf } from './days.ts'
import { drawnId } from './random.ts'
import type { World } from './world.ts'

/**
 * A few of the payments were made by card, one of which was given back in part and one disputed, and the account for transfers. Recomputed by the same
 * functions as anywhere: what invoices are paid with follows from it. Older than the comparison with the provider looks, which has never heard of them.
 */
export async function addPayments(client: pg.Client, world: World): Promise<number> {
  await client.query(
    `insert into app.payment_settings (org_id, id, account_holder, account_number, bank_code, bank_name, transfer_note, updated_at)
     values ($1, ${drawnId("'account for transfers'")}, $3, 'DE02 1203 0000 0000 2020 51', 'BYLADEM1001', 'Demo Bank', 'Transfers take one to two working days.', $2)`,
    [world.orgId, isoOf(world.today), `The ${organisationName}`],
  )
  const { rows } = await client.query<{ id: string; amount: string }>(
    `select p.id, p.amount from app.payments p
     where p.org_id = $1 and p.person_id is not null and p.created_at between $2::timestamptz - interval '400 days' and $2::timestamptz - interval '45 days'
       and exists (select from app.payment_allocations a join app.invoices i on i.org_id = a.org_id and i.id = a.invoice_id
         where a.org_id = p.org_id and a.payment_id = p.id and i.state = 'paid' and i.credited_amount = 0
           and not exists (select from app.invoice_lines l where l.org_id = i.org_id and l.invoice_id = i.id and l.subject_type is not null))
     order by p.created_at desc, p.id limit 8`,
    [world.orgId, isoOf(world.today)],
  )
  for (const [index, { id, amount }] of rows.entries()) {
    await client.query(
      `update app.payments p set kind = 'checkout', provider = 'stripe', method = 'card', provider_ref = $3, provider_session = $4, is_test = true, received_on = null, reference = '',
         invoice_id = (select a.invoice_id from app.payment_allocations a where a.org_id = p.org_id and a.payment_id = p.id order by a.id limit 1),
         dispute_id = case when $5 then 'du_demo' end, dispute_state = case when $5 then 'open' end
       where p.org_id = $1 and p.id = $2`,
      [world.orgId, id, `pi_demo_${index}`, `cs_demo_${index}`, index === 3],
    )
    if (index === 1)
      await client.query(
        `insert into app.refunds (org_id, id, payment_id, amount, currency, reason, state, provider_refund, settled_at, created_at, updated_at)
         select p.org_id, ${drawnId("'refund'")}, p.id, $3, p.currency, 'Paid the rate of the former chapter', 'settled', 're_demo', p.settled_at + interval '3 days', p.settled_at + interval '3 days', p.settled_at + interval '3 days'
         from app.payments p where p.org_id = $1 and p.id = $2`,
        [world.orgId, id, Math.max(1, Math.floor(Number(amount) / 3))],
      )
    await client.query('select app_private.count_refunds($1, $2)', [world.orgId, id])
    await client.query('update app.payments p set state = app_private.payment_state(p) where p.org_id = $1 and p.id = $2', [
      world.orgId,
      id,
    ])
    await client.query('select app_private.recompute_invoice($1, i.id) from (select app_private.apply_payment($1, $2) as id) i', [
      ...[world.orgId, id],
    ])
  }
  return rows.length
}
