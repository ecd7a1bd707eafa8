import { sql } from 'kysely'
import { amountField } from '../../../platform/lists/money-cell.ts'
import { chapterOf, choice, day, number, on, record, recordOf, several, words, yesNo } from './reports.sources.queries.ts'
import type { Sources } from './reports.sources.queries.ts'

// Money is that of the organisation's currency; gifts, plans and payments that do not count are tests of the payment provider.

const place = (alias: string, column = 'chapter_id') =>
  sql`left join app.chapters h on h.org_id = ${sql.ref(`${alias}.org_id`)} and h.id = ${sql.ref(`${alias}.${column}`)}`
const person = (alias: string) =>
  sql`left join app.people p on p.org_id = ${sql.ref(`${alias}.org_id`)} and p.id = ${sql.ref(`${alias}.person_id`)} and p.deleted_at is null and p.lifecycle <> 'erased'`
const perYear = sql`(case when i.status in ('active', 'past_due') then i.amount * case i.interval when 'month' then 12 when 'quarter' then 4 else 1 end else 0 end)`
const received = sql<boolean>`(y.counts and y.state in ('settled', 'partly_refunded', 'refunded'))`

export const moneySources: Sources<'gifts' | 'pledges' | 'recurringGifts' | 'invoices' | 'payments'> = {
  gifts: ({ currency }) => {
    const own = sql<boolean>`(g.currency = ${currency})`
    return {
      from: sql`from app.gifts g`,
      where: [sql`g.counted_amount > 0`],
      id: sql`g.id`,
      chapter: sql`g.chapter_id`,
      person: sql`g.person_id`,
      day: sql`g.day`,
      fields: {
        status: choice('gifts', 'status', sql`g.status`),
        campaign: record('campaign', sql`g.campaign_id`),
        fund: several({
          of: 'fund',
          join: sql`left join app.gift_allocations f on f.org_id = g.org_id and f.gift_id = g.id`,
          column: sql`f.fund_id`,
          has: (which) => sql`exists (select from app.gift_allocations z where z.org_id = g.org_id and z.gift_id = g.id and ${which})`,
          within: sql`z.fund_id`,
          // A gift may be meant for several: each has its part.
          measures: {
            raised: { of: 'sum', value: sql`f.settled_amount`, counts: own },
            average: { of: 'average', value: sql`f.settled_amount`, counts: own },
          },
        }),
        method: choice('gifts', 'method', sql`g.method`),
        chapter: chapterOf(sql`g.chapter_id`),
        isRecurring: yesNo(sql`(g.plan_id is not null)`),
        amount: number(sql`g.amount`, amountField(sql`g.amount`, sql`g.currency`)),
        on: day(sql`g.day`),
      },
      measures: {
        gifts: { of: 'rows' },
        donors: { of: 'different', column: sql`g.donor_key` },
        raised: { of: 'sum', value: sql`g.counted_amount`, counts: own },
        average: { of: 'average', value: sql`g.counted_amount`, counts: own },
      },
      joins: sql`${person('g')} ${place('g')}`,
      record: recordOf({
        kind: 'gift',
        id: sql`g.id`,
        personId: sql`p.id`,
        name: sql`coalesce(nullif(g.donor_name, ''), p.display_name)`,
        chapter: 'h',
        detail: sql`g.method`,
        on: sql`g.day`,
        amount: { amount: sql`g.counted_amount`, currency: sql`g.currency` },
      }),
    }
  },
  pledges: ({ currency, today }) => {
    const own = sql<boolean>`(l.currency = ${currency} and l.status <> 'cancelled')`
    return {
      from: sql`from app.pledges l`,
      where: [],
      id: sql`l.id`,
      chapter: sql`l.chapter_id`,
      person: sql`l.person_id`,
      day: sql`l.pledged_on`,
      fields: {
        status: choice('pledges', 'status', sql`l.status`),
        campaign: record('campaign', sql`l.campaign_id`),
        chapter: chapterOf(sql`l.chapter_id`),
        isOverdue: yesNo(sql`(l.status = 'open' and coalesce(l.next_due_on < ${on(today)}, false))`),
        pledgedOn: day(sql`l.pledged_on`),
      },
      measures: {
        pledges: { of: 'rows' },
        pledged: { of: 'sum', value: sql`l.amount`, counts: own },
        paid: { of: 'sum', value: sql`l.paid_amount`, counts: own },
        outstanding: { of: 'sum', value: sql`l.open_amount`, counts: own },
      },
      joins: sql`${person('l')} ${place('l')}`,
      record: recordOf({
        kind: 'pledge',
        id: sql`l.id`,
        personId: sql`p.id`,
        name: sql`p.display_name`,
        chapter: 'h',
        detail: sql`l.status`,
        on: sql`l.pledged_on`,
        amount: { amount: sql`l.amount`, currency: sql`l.currency` },
      }),
    }
  },
  recurringGifts: ({ currency }) => ({
    from: sql`from app.recurring_plans i`,
    where: [sql`i.counts`, sql`i.status <> 'pending'`],
    id: sql`i.id`,
    chapter: sql`i.chapter_id`,
    person: sql`i.person_id`,
    day: sql`i.started_on`,
    fields: {
      status: choice('recurringGifts', 'status', sql`i.status`),
      campaign: record('campaign', sql`i.campaign_id`),
      chapter: chapterOf(sql`i.chapter_id`),
      interval: choice('recurringGifts', 'interval', sql`i.interval`),
      startedOn: day(sql`i.started_on`),
    },
    measures: { plans: { of: 'rows' }, perYear: { of: 'sum', value: perYear, counts: sql`(i.currency = ${currency})` } },
    joins: sql`${person('i')} ${place('i')}`,
    record: recordOf({
      kind: 'plan',
      id: sql`i.id`,
      personId: sql`p.id`,
      name: sql`coalesce(p.display_name, i.donor_name)`,
      chapter: 'h',
      detail: sql`i.interval`,
      on: sql`i.started_on`,
      amount: { amount: sql`i.amount`, currency: sql`i.currency` },
    }),
  }),
  invoices: ({ currency, today }) => {
    const own = sql<boolean>`(i.currency = ${currency})`
    return {
      from: sql`from app.invoices i`,
      where: [sql`i.kind = 'invoice'`, sql`i.state in ('issued', 'partly_paid', 'paid', 'credited')`],
      id: sql`i.id`,
      chapter: sql`i.books_chapter_id`,
      person: sql`i.person_id`,
      day: sql`i.issued_on`,
      fields: {
        status: choice('invoices', 'status', sql`i.state`),
        chapter: chapterOf(sql`i.books_chapter_id`),
        isOverdue: yesNo(sql`(i.state in ('issued', 'partly_paid') and i.due_on < ${on(today)})`),
        issuedOn: day(sql`i.issued_on`),
        dueOn: day(sql`i.due_on`),
      },
      measures: {
        invoices: { of: 'rows' },
        total: { of: 'sum', value: sql`(i.total_amount - i.credited_amount)`, counts: own },
        paid: { of: 'sum', value: sql`i.paid_amount`, counts: own },
        outstanding: { of: 'sum', value: sql`i.balance_amount`, counts: own },
      },
      joins: sql`${person('i')} ${place('i', 'books_chapter_id')}`,
      record: recordOf({
        kind: 'invoice',
        id: sql`i.id`,
        personId: sql`p.id`,
        name: sql`coalesce(i.number, i.foreign_number)`,
        chapter: 'h',
        detail: sql`coalesce(i.billing ->> 'name', p.display_name)`,
        on: sql`i.issued_on`,
        amount: { amount: sql`i.total_amount - i.credited_amount`, currency: sql`i.currency` },
      }),
    }
  },
  payments: ({ currency }) => {
    const own = sql<boolean>`(y.currency = ${currency})`
    return {
      from: sql`from app.payments y`,
      where: [received],
      id: sql`y.id`,
      chapter: sql`y.books_chapter_id`,
      person: sql`y.person_id`,
      day: sql`y.received_on`,
      fields: {
        status: choice('payments', 'status', sql`y.state`),
        method: words(sql`y.method`),
        purpose: choice('payments', 'purpose', sql`case when y.gift_id is null then 'invoice' else 'gift' end`),
        chapter: chapterOf(sql`y.books_chapter_id`),
        on: day(sql`y.received_on`),
      },
      measures: {
        payments: { of: 'rows' },
        received: { of: 'sum', value: sql`y.amount`, counts: own },
        refunded: { of: 'sum', value: sql`y.refunded_amount`, counts: sql`(${own} and y.refunded_amount > 0)` },
      },
      joins: sql`${person('y')} ${place('y', 'books_chapter_id')}`,
      record: recordOf({
        kind: 'payment',
        id: sql`y.id`,
        personId: sql`p.id`,
        name: sql`coalesce(p.display_name, nullif(y.reference, ''), y.method)`,
        chapter: 'h',
        detail: sql`y.method`,
        on: sql`y.received_on`,
        amount: { amount: sql`y.amount`, currency: sql`y.currency` },
      }),
    }
  },
}
