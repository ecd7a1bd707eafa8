import { demoIdpOrgId } from '@guildhall/db/demo'
import { openAdmin } from '@guildhall/db/admin'
import type { Charge, Customer, Dispute, Intent, Method, PaymentState, Refund } from './payment-store.ts'

type Paid = {
  id: string
  payment: string
  org: string
  at: number
  amount: number
  currency: string
  customer: string | null
  method: string | null
  settled: boolean
  refund: string | null
  refundId: string | null
  refunded: number
  dispute: string | null
}
type Card = Omit<Method, 'behaviour'> & { person: string; org: string; email: string | null; declines: boolean }

/**
 * Lets the companion know the payments and saved cards of the demo organisation, as if they had been made there: so they can be refunded, recurring
 * gifts go on being charged, and the nightly comparison finds nothing.
 */
export const keepDemoPayments = (adminUrl: string, { state, save }: { state: PaymentState; save: () => void }): Promise<void> =>
  openAdmin(adminUrl, async (query) => {
    const seconds = (at: string) => `extract(epoch from ${at})::int`
    const cards = await query<Card>(
      `select m.provider_method as id, ${seconds('m.created_at')} as created, m.provider_customer as customer, m.brand, m.last4, m.exp_month as "expMonth", m.exp_year as "expYear", m.person_id as person, m.org_id as org,
         (select e.address from app.person_emails e where e.org_id = m.org_id and e.person_id = m.person_id and e.is_primary limit 1) as email,
         exists (select from app.payments p where p.org_id = m.org_id and p.provider_customer = m.provider_customer and p.state = 'failed') as declines
       from app.payment_methods m join app.organisations o on o.org_id = m.org_id and o.idp_org_id = $1 order by m.created_at, m.id`,
      [demoIdpOrgId],
    )
    const paid = await query<Paid>(
      `select p.provider_ref as id, p.id as payment, p.org_id as org, ${seconds('p.created_at')} as at, p.amount::float as amount, lower(p.currency) as currency, p.provider_customer as customer,
         case when p.kind = 'charge' then (select m.provider_method from app.payment_methods m where m.org_id = p.org_id and m.provider_customer = p.provider_customer order by m.id limit 1) end as method,
         p.settled_at is not null as settled, r.provider_refund as refund, r.id as "refundId", p.refunded_amount::float as refunded, p.dispute_id as dispute
       from app.payments p join app.organisations o on o.org_id = p.org_id and o.idp_org_id = $1
       left join app.refunds r on r.org_id = p.org_id and r.payment_id = p.id and r.provider_refund is not null where p.provider_ref is not null order by p.created_at, p.id`,
      [demoIdpOrgId],
    )
    state.customers.push(
      ...cards.map(({ customer, created, email, person, org }): Customer => ({
        ...{ id: customer ?? '', created, email },
        metadata: { guildhall_person: person, guildhall_org: org },
      })),
    )
    state.methods.push(
      ...cards.map(({ id, created, customer, brand, last4, expMonth, expYear, declines }): Method => ({
        ...{ id, created, customer, brand, last4, expMonth, expYear },
        behaviour: declines ? 'declines' : 'pays',
      })),
    )
    const chargeOf = ({ id, settled }: Paid) => (settled ? id.replace('pi_', 'ch_') : null)
    state.intents.push(
      ...paid.map((one): Intent => ({
        ...{
          id: one.id,
          created: one.at,
          amount: one.amount,
          currency: one.currency,
          text: null,
          customer: one.customer,
          method: one.method,
        },
        ...{ save: false, disputeAt: null, charge: chargeOf(one), status: one.settled ? 'succeeded' : 'canceled' },
        error: one.settled ? null : { code: 'card_declined', message: 'Your card was declined.' },
        metadata: { guildhall_payment: one.payment, guildhall_org: one.org },
      })),
    )
    state.charges.push(
      ...paid.flatMap((one): Charge[] => {
        const id = chargeOf(one)
        return id === null ? [] : [{ id, created: one.at, intent: one.id, amount: one.amount, disputed: one.dispute !== null }]
      }),
    )
    state.refunds.push(
      ...paid.flatMap((one): Refund[] => {
        const charge = chargeOf(one)
        return one.refund === null || charge === null
          ? []
          : [
              {
                ...{ id: one.refund, created: one.at, intent: one.id, charge, amount: one.refunded, status: 'succeeded' },
                metadata: { guildhall_refund: one.refundId ?? '', guildhall_org: one.org },
              },
            ]
      }),
    )
    state.disputes.push(
      ...paid.flatMap((one): Dispute[] => {
        const charge = chargeOf(one)
        return one.dispute === null || charge === null
          ? []
          : [{ id: one.dispute, created: one.at, intent: one.id, charge, amount: one.amount, status: 'needs_response' }]
      }),
    )
    save()
  })
