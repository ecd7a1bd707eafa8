import { reportSubjects, ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { ReportField } from '@guildhall/contract/features/reports.subjects'
import type { ReportAnswer, ReportCheck } from '@guildhall/contract/features/reports'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client, TestOrganisation } from '../../testing.ts'
import { plantReports } from './reports.testing.ts'

type Answered = { status: number; body: ReportAnswer }
const ask = async (as: Client, question: Record<string, unknown>): Promise<ReportAnswer> => {
  const { status, body }: Answered = await as.post('/data/reports/ask', { question: { kind: 'own', ...question } })
  expect({ status, question, body: status === 200 ? null : body }).toEqual({ status: 200, question, body: null })
  return body
}
const there = `p.deleted_at is null and p.lifecycle not in ('merged', 'erased')`

/** Counted anew by SQL that shares nothing with the engine: the field it is grouped by, then its measures. */
const counted: Record<ReportSubject, { field: string; measures: string[]; from: string; key: string; figures: string }> = {
  people: {
    ...{ field: 'lifecycle', measures: ['people'], key: 'p.lifecycle', figures: 'count(*)' },
    from: `app.people p where p.org_id = $1 and ${there}`,
  },
  affiliations: {
    ...{ field: 'kind', measures: ['affiliations', 'people'], key: 'a.kind', figures: 'count(*), count(distinct a.person_id)' },
    from: `app.affiliations a join app.people p using (org_id) where a.org_id = $1 and p.id = a.person_id and ${there}`,
  },
  memberships: {
    ...{ field: 'type', measures: ['memberships', 'people'], key: 'm.type_id::text', figures: 'count(*), count(distinct m.person_id)' },
    from: `app.memberships m join app.people p using (org_id) where m.org_id = $1 and p.id = m.person_id and ${there}`,
  },
  terms: {
    ...{
      field: 'status',
      measures: ['terms', 'price'],
      key: 't.status',
      figures: `count(*), coalesce(sum(t.price_amount) filter (where t.price_currency = 'EUR'), 0)`,
    },
    from: `app.membership_terms t join app.people p using (org_id) where t.org_id = $1 and p.id = t.person_id and ${there}`,
  },
  offices: {
    ...{ field: 'position', measures: ['terms', 'people'], key: 'o.title', figures: 'count(*), count(distinct h.person_id)' },
    from: `app.position_holders h join app.positions o on o.id = h.position_id join app.people p on p.id = h.person_id where h.org_id = $1 and ${there}`,
  },
  chapters: {
    ...{ field: 'kind', measures: ['chapters', 'members'], key: 'c.level', figures: 'count(*), coalesce(sum(n.people), 0)' },
    from: `app.chapters c left join app.chapter_counts n on n.chapter_id = c.id and n.kind = 'member' where c.org_id = $1`,
  },
  groupMembers: {
    ...{ field: 'group', measures: ['members', 'people'], key: 'm.group_id::text', figures: 'count(*), count(distinct m.person_id)' },
    from: `app.group_members m join app.people p on p.id = m.person_id where m.org_id = $1 and ${there}`,
  },
  events: {
    ...{ field: 'format', measures: ['events', 'registrations', 'attended'], key: 'e.mode' },
    figures: `count(*), (select count(*) from app.registrations r join app.events x on x.id = r.event_id where x.org_id = $1 and x.template_name is null and r.status in ('confirmed', 'checked_in') and x.mode = coalesce(e.mode, x.mode)),
      (select count(*) from app.registrations r join app.events x on x.id = r.event_id where x.org_id = $1 and x.template_name is null and r.status = 'checked_in' and x.mode = coalesce(e.mode, x.mode))`,
    from: `app.events e where e.org_id = $1 and e.template_name is null`,
  },
  registrations: {
    ...{ field: 'status', measures: ['registrations', 'people', 'attended', 'noShow', 'revenue'], key: 'r.status' },
    figures: `count(*), count(distinct r.person_id) filter (where r.status in ('confirmed', 'checked_in')), count(*) filter (where r.status = 'checked_in'),
      round(100.0 * count(*) filter (where r.status = 'confirmed' and e.ends_at < now() and d.n > 0) / nullif(count(*) filter (where r.status in ('confirmed', 'checked_in') and e.ends_at < now() and d.n > 0), 0), 2)::float8,
      coalesce(sum(r.price_amount) filter (where r.status in ('confirmed', 'checked_in') and r.price_currency = 'EUR'), 0)`,
    from: `app.registrations r join app.events e on e.id = r.event_id
      left join (select x.event_id, count(*) as n from app.registrations x where x.status = 'checked_in' group by 1) d on d.event_id = e.id where r.org_id = $1 and e.template_name is null`,
  },
  gifts: {
    ...{ field: 'method', measures: ['gifts', 'donors', 'raised', 'average'], key: 'g.method' },
    figures: `count(*), count(distinct case when g.person_id is not null then g.person_id::text when g.donor_name <> '' then app.fold(g.donor_name) else g.id::text end),
      coalesce(sum(g.amount - g.refunded_amount) filter (where g.currency = 'EUR'), 0), round(avg(g.amount - g.refunded_amount) filter (where g.currency = 'EUR'))`,
    from: `app.gifts g where g.org_id = $1 and g.counts and not g.is_test and g.status in ('settled', 'partly_refunded')`,
  },
  pledges: {
    ...{ field: 'status', measures: ['pledges', 'pledged', 'paid', 'outstanding'], key: 'l.status' },
    figures: `count(*), coalesce(sum(l.amount) filter (where l.currency = 'EUR' and l.status <> 'cancelled'), 0), coalesce(sum(l.paid_amount) filter (where l.currency = 'EUR' and l.status <> 'cancelled'), 0),
      coalesce(sum(l.open_amount) filter (where l.currency = 'EUR' and l.status <> 'cancelled'), 0)`,
    from: `app.pledges l where l.org_id = $1`,
  },
  recurringGifts: {
    ...{ field: 'interval', measures: ['plans', 'perYear'], key: 'i.interval' },
    figures: `count(*), coalesce(sum(i.amount * case i.interval when 'month' then 12 when 'quarter' then 4 else 1 end) filter (where i.currency = 'EUR' and i.status in ('active', 'past_due')), 0)`,
    from: `app.recurring_plans i where i.org_id = $1 and not i.is_test and i.status <> 'pending'`,
  },
  invoices: {
    ...{ field: 'status', measures: ['invoices', 'total', 'paid', 'outstanding'], key: 'i.state' },
    figures: `count(*), ${['i.total_amount - i.credited_amount', 'i.paid_amount', 'i.total_amount - i.credited_amount - i.paid_amount'].map((sum) => `coalesce(sum(${sum}) filter (where i.currency = 'EUR'), 0)`).join(', ')}`,
    from: `app.invoices i where i.org_id = $1 and i.kind = 'invoice' and i.state not in ('draft', 'void')`,
  },
  payments: {
    ...{
      field: 'purpose',
      measures: ['payments', 'received', 'refunded'],
      key: `case when y.gift_id is null then 'invoice' else 'gift' end`,
    },
    figures: `count(*), coalesce(sum(y.amount) filter (where y.currency = 'EUR'), 0), coalesce(sum(y.refunded_amount) filter (where y.currency = 'EUR'), 0)`,
    from: `app.payments y where y.org_id = $1 and not y.is_test and y.state in ('settled', 'partly_refunded', 'refunded')`,
  },
  messages: {
    ...{ field: 'topic', measures: ['messages', 'recipients', 'delivered', 'opened', 'bounced', 'unsubscribed'], key: 'm.topic_id::text' },
    figures: `count(*), sum(m.gone), sum(m.gone - m.bounced), round(100.0 * sum(m.opened) filter (where m.gone > m.bounced) / nullif(sum(m.gone - m.bounced) filter (where m.gone > m.bounced), 0), 2)::float8,
      round(100.0 * sum(m.bounced) / nullif(sum(m.gone), 0), 2)::float8, sum(m.unsubscribed)`,
    from: `(select x.topic_id, x.org_id, coalesce((select sum(k.n) from app.message_counts k where k.message_id = x.id and k.what in ('sent', 'delivered', 'soft_bounce', 'hard_bounce')), 0) as gone,
        coalesce((select sum(k.n) from app.message_counts k where k.message_id = x.id and k.what like '%bounce'), 0) as bounced, coalesce((select k.n from app.message_counts k where k.message_id = x.id and k.what = 'opened'), 0) as opened,
        coalesce((select k.n from app.message_counts k where k.message_id = x.id and k.what = 'unsubscribed'), 0) as unsubscribed from app.messages x) m where m.org_id = $1`,
  },
  relationships: {
    ...{ field: 'state', measures: ['relationships', 'people'], key: 'r.state', figures: 'count(*), count(distinct r.to_person_id)' },
    from: `app.relationships r join app.people p on p.id = r.to_person_id join app.people f on f.id = r.from_person_id
      where r.org_id = $1 and ${there} and ${there.replaceAll('p.', 'f.')}`,
  },
}

async function independent(admin: pg.Pool, org: TestOrganisation, subject: ReportSubject): Promise<Map<string, (number | null)[]>> {
  const { from, key, figures } = counted[subject]
  const { rows } = await admin.query<unknown[]>({
    text: `select case when grouping(${key}) = 1 then 'total' else 'of ' || ${key} end, ${figures} from ${from} group by grouping sets ((${key}), ())`,
    values: [org.id],
    rowMode: 'array',
  })
  return new Map(rows.map(([name, ...values]) => [String(name), values.map((value) => (value === null ? null : Number(value)))]))
}

describe('a question', () => {
  test('about each subject is answered as SQL that shares nothing with it counts', async ({ api, admin, organisation, person }) => {
    for (const seed of [0.1, 0.7]) {
      const org = await organisation()
      await plantReports(admin, org, seed)
      const as = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
      for (const subject of ReportSubject.options) {
        const { field, measures } = counted[subject]
        const got = new Map<string, (number | null)[]>()
        const [first = '', ...others] = measures
        // At most four at a time, the first with each, so that no group is missing.
        for (const some of [others.slice(0, 3), others.slice(3)].filter((part, nth) => nth === 0 || part.length > 0)) {
          const { total, rows } = await ask(as, { subject, measures: [first, ...some], groupBy: [{ field }] })
          for (const [name, values] of [
            ['total', total] as const,
            ...rows.map(({ keys, values: figures }) => [`of ${keys[0]?.value ?? ''}`, figures] as const),
          ])
            got.set(name, [...(got.get(name) ?? []), ...values.slice(got.has(name) ? 1 : 0)])
        }
        const wanted = await independent(admin, org, subject)
        expect({ subject, rows: Object.fromEntries([...got].sort()) }).toEqual({ subject, rows: Object.fromEntries([...wanted].sort()) })
        expect(got.size, subject).toBeGreaterThan(2)
      }
    }
  })

  test('grouped by any field adds up to its total, and its list comes to it', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    await plantReports(admin, org, 0.4)
    for (const subject of ReportSubject.options) {
      // How often one account may check is limited.
      const as = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
      const { fields, measures, day } = reportSubjects[subject]
      const keys = Object.keys(measures)
      for (const [field, { kind, group, sensitive }] of Object.entries<ReportField>(fields)) {
        if (group === false) continue
        const question = {
          kind: 'own',
          subject,
          measures: keys.slice(0, 4),
          groupBy: [{ field, ...(kind === 'day' && { bucket: 'quarter' }) }],
        }
        const answer = await ask(as, question)
        for (const [at, { key, unit }] of answer.measures.entries()) {
          const isSum = unit !== 'percent' && !['people', 'donors', 'average'].includes(key)
          const sum = answer.rows.reduce((all, { values }) => all + (values[at] ?? 0), 0)
          // A gift meant for two funds, or somebody with two tags, stands in two rows.
          if (isSum && !sensitive && field !== 'tag' && (field !== 'fund' || key === 'raised'))
            expect({ subject, field, key, sum }).toEqual({ subject, field, key, sum: answer.total[at] })
          for (const row of [undefined, answer.rows.at(-1)]) {
            const figure = { question, measure: key, keys: row?.keys.map(({ value }) => value) ?? [] }
            const checked: { status: number; body: ReportCheck } = await as.post('/data/reports/check', figure)
            expect({ figure, status: checked.status, ...checked.body }).toMatchObject({ figure, status: 200, matches: true })
            if (unit === 'count' && !row?.isHidden)
              expect({ figure, list: checked.body.list }).toEqual({ figure, list: row ? row.values[at] : answer.total[at] })
          }
        }
      }
      expect(Object.hasOwn(fields, day), subject).toBe(true)
    }
  })
})
