import type { StandardReport } from '@guildhall/contract/features/reports'
import { dayFrom, yearsFrom } from './reports.random.testing.ts'
import { counts, during, inTheYear, keyOf, rowsIn, text } from './reports.replay.rows.testing.ts'
import type { Fact, Replayed, Row } from './reports.replay.rows.testing.ts'

type Standing = { row: Row; status: string; endsOn: string; graceUntil: string }
const never = '9999-12-31'

/** Memberships as they were on the day. */
function standings(replayed: Replayed): Standing[] {
  const { day, isNow } = replayed
  return rowsIn(replayed, 'memberships')
    .filter(({ chapter_id }) => counts(replayed, chapter_id))
    .flatMap((row): Standing[] => {
      if (isNow)
        return [
          {
            row,
            status: text(row['override_status'] ?? row['status']),
            endsOn: text(row['ends_on']) || never,
            graceUntil: text(row['grace_until']) || never,
          },
        ]
      const begun = rowsIn(replayed, 'membership_terms').filter(
        (term) => term['membership_id'] === row['id'] && text(term['starts_on']) <= day,
      )
      if (begun.length === 0) return []
      let [endsOn, graceUntil] = ['', '']
      for (const term of begun) {
        const last = text(term['ends_on']) || never
        const grace = last === never ? never : dayFrom(last, Number(term['grace_days']))
        if (last > endsOn) endsOn = last
        if (grace > graceUntil) graceUntil = grace
      }
      const gone = row['status'] === 'cancelled' && text(row['cancelled_on']) <= day
      return [{ row, endsOn, graceUntil, status: gone ? 'cancelled' : endsOn >= day ? 'active' : graceUntil >= day ? 'grace' : 'lapsed' }]
    })
}

const applied = ['applied', 'awaiting_approval', 'awaiting_payment']

function membershipOf(replayed: Replayed): Fact[] {
  const facts = standings(replayed).flatMap(({ row, status, graceUntil }): Fact[] => {
    const keys = [keyOf(replayed, { chapter: row['chapter_id'], type: row['type_id'] })]
    const one = (measure: string): Fact => ({ measure, keys, n: 1 })
    const measure = applied.includes(status) ? 'applications' : status
    return [
      ...(replayed.isNow || (measure !== 'suspended' && measure !== 'applications') ? [one(measure)] : []),
      ...(status === 'active' || status === 'grace' ? [{ ...one('people'), once: text(row['person_id']) }] : []),
      ...(status === 'lapsed' && graceUntil >= yearsFrom(replayed.day, -1) && graceUntil < replayed.day ? [one('expired')] : []),
    ]
  })
  for (const term of rowsIn(replayed, 'membership_terms')) {
    const row = rowsIn(replayed, 'memberships').find(({ id }) => id === term['membership_id'])
    if (!row || !counts(replayed, row['chapter_id']) || !inTheYear(replayed, term['starts_on'])) continue
    const measure = term['starts_on'] === row['starts_on'] ? 'joined' : 'renewed'
    facts.push({ measure, keys: [keyOf(replayed, { chapter: row['chapter_id'], type: row['type_id'] })], n: 1 })
  }
  return facts
}

function graceOf(replayed: Replayed): Fact[] {
  const { day, by } = replayed
  return standings(replayed).flatMap(({ row, status, endsOn, graceUntil }) => {
    const stage =
      status === 'grace'
        ? 'grace'
        : status === 'active' && endsOn >= day
          ? [30, 60, 90].map((days) => (endsOn <= dayFrom(day, days) ? `renews${days}` : '')).find((found) => found !== '')
          : status === 'lapsed' && graceUntil >= dayFrom(day, -30) && graceUntil < day
            ? 'lapsed30'
            : undefined
    if (!stage) return []
    const keys = [stage, ...(by === null ? [] : [keyOf(replayed, { chapter: row['chapter_id'], type: row['type_id'] })])]
    return [{ measure: 'memberships', keys, n: 1 }, ...(row['auto_renew'] ? [{ measure: 'autoRenew', keys, n: 1 }] : [])]
  })
}

function joinsOf(replayed: Replayed): Fact[] {
  return rowsIn(replayed, 'affiliations')
    .filter(({ kind, chapter_id }) => kind === 'member' && counts(replayed, chapter_id))
    .flatMap(({ chapter_id, starts_on, ends_on }) => [
      ...(during(replayed, starts_on)
        ? [{ measure: 'joins', keys: [keyOf(replayed, { chapter: chapter_id, day: text(starts_on) })], n: 1 }]
        : []),
      ...(during(replayed, ends_on)
        ? [{ measure: 'leaves', keys: [keyOf(replayed, { chapter: chapter_id, day: text(ends_on) })], n: 1 }]
        : []),
    ])
}

export function belongingOf(replayed: Replayed): Fact[] {
  const { day } = replayed
  return rowsIn(replayed, 'affiliations')
    .filter(({ chapter_id }) => counts(replayed, chapter_id))
    .flatMap(({ kind, chapter_id, starts_on, ends_on }) => {
      const keys = [keyOf(replayed, { chapter: chapter_id })]
      const belongs = text(starts_on) <= day && (ends_on === null || text(ends_on) >= day)
      const left = ends_on !== null && text(ends_on) >= yearsFrom(day, -1) && text(ends_on) < day
      return [
        ...(belongs && kind === 'member' ? ['members'] : []),
        ...(belongs && kind === 'alumni' ? ['alumni'] : []),
        ...(kind === 'member' && inTheYear(replayed, starts_on) ? ['joins'] : []),
        ...(kind === 'member' && left ? ['leaves'] : []),
      ].map((measure) => ({ measure, keys, n: 1 }))
    })
}

function retentionOf(replayed: Replayed): Fact[] {
  const all = rowsIn(replayed, 'memberships').filter((row) => row['starts_on'] !== null)
  const seen = all.filter(({ chapter_id }) => replayed.reach === null || replayed.reach.has(text(chapter_id)))
  const facts: Fact[] = []
  for (const person of new Set(seen.map((row) => text(row['person_id'])))) {
    const [first] = seen
      .filter((row) => row['person_id'] === person)
      .sort((a, b) => `${text(a['starts_on'])} ${text(a['id'])}`.localeCompare(`${text(b['starts_on'])} ${text(b['id'])}`))
    if (!first || !during(replayed, first['starts_on']) || !counts(replayed, first['chapter_id'])) continue
    const start = text(first['starts_on'])
    for (let years = 0; yearsFrom(start, years) <= replayed.today; years++) {
      const on = yearsFrom(start, years)
      const runs = rowsIn(replayed, 'membership_terms').some((term) => {
        const membership = seen.find(({ id }) => id === term['membership_id'])
        if (!membership || term['person_id'] !== person || text(term['starts_on']) > on) return false
        if (term['ends_on'] !== null && dayFrom(text(term['ends_on']), Number(term['grace_days'])) < on) return false
        return membership['status'] !== 'cancelled' || text(membership['cancelled_on']) > on
      })
      const group =
        replayed.by === null ? `${start.slice(0, 4)}-01-01` : keyOf(replayed, { chapter: first['chapter_id'], type: first['type_id'] })
      const keys = [group, String(years)]
      facts.push({ measure: 'cohort', keys, n: 1 }, ...(runs ? [{ measure: 'people', keys, n: 1 }] : []))
    }
  }
  return facts
}

export const membershipFacts = {
  membership: membershipOf,
  'grace-and-renewal': graceOf,
  'joins-and-leaves': joinsOf,
  'members-by-chapter': belongingOf,
  retention: retentionOf,
} satisfies Partial<Record<StandardReport, (replayed: Replayed) => Fact[]>>
