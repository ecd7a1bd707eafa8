import { daysFrom, monthsFrom } from '@guildhall/contract/moments'
import type { ReportAnswer } from '@guildhall/contract/features/reports'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import { plantReports } from './reports.testing.ts'

type Span = { starts: string | null; ends: string | null }
const holds = (at: string, { starts, ends }: Span) => (starts === null || starts <= at) && (ends === null || ends >= at)
const tally = (keys: readonly string[]) => {
  const counts: Record<string, number> = {}
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1
  return counts
}
const there = `p.deleted_at is null and p.lifecycle not in ('merged', 'erased')`

test('reports as of twenty days of the past are what a replay of the history says', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  await plantReports(admin, org, 0.8)
  const as = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const rowsOf = async <Row>(text: string) => (await admin.query(text, [org.id])).rows as Row[]
  const affiliations = await rowsOf<Span & { key: string }>(
    `select a.kind as key, a.starts_on::text as starts, a.ends_on::text as ends from app.affiliations a join app.people p on p.id = a.person_id where a.org_id = $1 and ${there}`,
  )
  const offices = await rowsOf<Span & { key: string }>(
    `select o.title as key, h.starts_on::text as starts, h.ends_on::text as ends from app.position_holders h join app.positions o on o.id = h.position_id join app.people p on p.id = h.person_id
     where h.org_id = $1 and ${there}`,
  )
  const relationships = await rowsOf<Span & { key: string; state: string }>(
    `select r.type_id as key, r.state, r.starts_on::text as starts, r.ends_on::text as ends from app.relationships r join app.people p on p.id = r.to_person_id join app.people f on f.id = r.from_person_id
     where r.org_id = $1 and ${there} and ${there.replaceAll('p.', 'f.')}`,
  )
  const memberships = await rowsOf<{
    written: string
    cancelled: string | null
    terms: { starts: string; ends: string | null; grace: number }[]
  }>(
    `select coalesce(case when m.override_until >= current_date then m.override_status end, m.status) as written, case when m.status = 'cancelled' then coalesce(m.cancelled_on, m.ends_on + 1)::text end as cancelled, coalesce((select json_agg(json_build_object('starts', t.starts_on, 'ends', t.ends_on, 'grace', t.grace_days))
       from app.membership_terms t where t.membership_id = m.id and t.status = 'settled'), '[]') as terms
     from app.memberships m join app.people p on p.id = m.person_id where m.org_id = $1 and ${there}`,
  )
  const today = new Date().toISOString().slice(0, 10)
  /** Day by day from the first term on: what was paid for, what ran out, and when somebody left. */
  const statusOn = (at: string, { written, cancelled, terms }: (typeof memberships)[number]): string | null => {
    const begun = terms.filter(({ starts }) => starts <= at)
    if (begun.length === 0) return null
    // Today is what is written, also what somebody has set for some time.
    if (at === today) return written
    if (cancelled !== null && cancelled <= at) return 'cancelled'
    if (begun.some(({ ends }) => ends === null || ends >= at)) return 'active'
    return begun.some(({ ends, grace }) => ends !== null && daysFrom(ends, grace) >= at) ? 'grace' : 'lapsed'
  }

  const days = [today, ...Array.from({ length: 19 }, (_, nth) => daysFrom(today, -37 - nth * 131))]
  for (const asOf of days) {
    const counts = async (subject: string, field: string, measure: string, more: Record<string, unknown> = {}) => {
      const question = { kind: 'own', subject, measures: [measure], groupBy: [{ field }], asOf, ...more }
      const { status, body }: { status: number; body: ReportAnswer } = await as.post('/data/reports/ask', { question })
      expect(status, subject).toBe(200)
      return body
    }
    const now = ({ rows }: ReportAnswer) => Object.fromEntries(rows.map(({ keys, values }) => [keys[0]?.value, values[0]]))
    expect({ asOf, counts: now(await counts('affiliations', 'kind', 'affiliations')) }).toEqual({
      asOf,
      counts: tally(affiliations.filter((row) => holds(asOf, row)).map(({ key }) => key)),
    })
    expect({ asOf, counts: now(await counts('offices', 'position', 'terms')) }).toEqual({
      asOf,
      counts: tally(offices.filter((row) => holds(asOf, row)).map(({ key }) => key)),
    })
    expect({ asOf, counts: now(await counts('relationships', 'type', 'relationships')) }).toEqual({
      asOf,
      counts: tally(relationships.filter((row) => ['active', 'ended'].includes(row.state) && holds(asOf, row)).map(({ key }) => key)),
    })
    const answer = await counts('memberships', 'status', 'memberships', { compare: true })
    const replayed = (at: string) => tally(memberships.flatMap((row) => statusOn(at, row) ?? []))
    const nothing = { active: 0, grace: 0, lapsed: 0, cancelled: 0, suspended: 0 }
    expect({ asOf, counts: { ...nothing, ...now(answer) } }).toEqual({ asOf, counts: { ...nothing, ...replayed(asOf) } })
    const before = Object.fromEntries(answer.rows.map(({ keys, previous }) => [keys[0]?.value, previous?.[0]]))
    expect({ asOf, counts: { ...nothing, ...before } }).toEqual({ asOf, counts: { ...nothing, ...replayed(monthsFrom(asOf, -12)) } })
  }
  expect(
    await as.post('/data/reports/ask', { question: { kind: 'own', subject: 'offices', measures: ['terms'], asOf: daysFrom(today, 3) } }),
  ).toMatchObject({
    status: 422,
    body: { reason: 'report_as_of_future' },
  })
})

test('the year before stands beside the same days a year later', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const as = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const [on, many] of [
    ['2025-02-28', 2],
    ['2024-02-29', 3],
    ['2024-01-15', 4],
    ['2023-12-31', 5],
  ] as const)
    for (let nth = 0; nth < many; nth++)
      await admin.query(`insert into app.people (org_id, given_name, family_name, joined_on) values ($1, 'Given', 'Family', $2)`, [
        org.id,
        on,
      ])
  const question = { kind: 'own', subject: 'people', measures: ['people'], groupBy: [{ field: 'joinedOn' }], compare: true }
  const { body }: { body: ReportAnswer } = await as.post('/data/reports/ask', {
    question: { ...question, range: { since: '2025-01-01', until: '2025-02-28' } },
  })
  expect(body).toMatchObject({ total: [2], previousTotal: [7] })
  expect(body.rows.map(({ keys, values, previous }) => [keys[0]?.value, values[0], previous?.[0]])).toEqual([
    ['2025-01-01', 0, 4],
    ['2025-02-01', 2, 3],
  ])
})
