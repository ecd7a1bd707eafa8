import type { StandardReport } from '@guildhall/contract/features/reports'
import { counts, during, keyOf, rowsIn, text } from './reports.replay.rows.testing.ts'
import type { Fact, Replayed, Row } from './reports.replay.rows.testing.ts'

const euro = 'EUR'
const worth = (gift: Row): number =>
  gift['counts'] && (gift['status'] === 'settled' || gift['status'] === 'partly_refunded')
    ? Number(gift['amount']) - Number(gift['refunded_amount'])
    : 0
const donorOf = (gift: Row) => (gift['person_id'] === null ? text(gift['donor_key']) : text(gift['person_id']))
const given = (replayed: Replayed) =>
  rowsIn(replayed, 'gifts').filter(
    (gift) => worth(gift) > 0 && during(replayed, gift['received_on']) && counts(replayed, gift['chapter_id']),
  )

function giving(replayed: Replayed): Fact[] {
  return given(replayed).flatMap((gift): Fact[] => {
    const keys = [keyOf(replayed, { day: text(gift['received_on']), chapter: gift['chapter_id'] })]
    if (gift['currency'] !== euro) return [{ measure: 'otherCurrency', keys, n: 1 }]
    return [
      { measure: 'raised', keys, n: worth(gift) },
      { measure: 'gifts', keys, n: 1 },
      { measure: 'donors', keys, n: 1, once: donorOf(gift) },
    ]
  })
}

function topDonors(replayed: Replayed): Fact[] {
  return given(replayed)
    .filter(({ currency }) => currency === euro)
    .flatMap((gift) => {
      const keys = [gift['person_id'] === null ? `other:${donorOf(gift)}` : donorOf(gift)]
      return [
        { measure: 'raised', keys, n: worth(gift) },
        { measure: 'gifts', keys, n: 1 },
      ]
    })
}

function funds(replayed: Replayed): Fact[] {
  return given(replayed)
    .filter(({ currency }) => currency === euro)
    .flatMap((gift) =>
      rowsIn(replayed, 'gift_allocations')
        .filter((part) => part['gift_id'] === gift['id'] && Number(part['settled_amount']) > 0)
        .flatMap((part) => {
          const keys = [text(part['fund_id']), gift['campaign_id'] === null ? null : text(gift['campaign_id'])]
          return [
            { measure: 'raised', keys, n: Number(part['settled_amount']) },
            { measure: 'gifts', keys, n: 1 },
          ]
        }),
    )
}

function donorRetention(replayed: Replayed): Fact[] {
  const years = new Map<string, Set<number>>()
  for (const gift of rowsIn(replayed, 'gifts')) {
    if (worth(gift) === 0 || gift['person_id'] === null || gift['currency'] !== euro || !counts(replayed, gift['chapter_id'])) continue
    const of = years.get(text(gift['person_id'])) ?? new Set()
    years.set(text(gift['person_id']), of.add(Number(text(gift['received_on']).slice(0, 4))))
  }
  const last = Number(replayed.today.slice(0, 4))
  const facts: Fact[] = []
  for (const gave of years.values()) {
    const first = Math.min(...gave)
    for (let year = last - 9; year <= last; year++) {
      const one = (measure: string) => facts.push({ measure, keys: [`${year}-01-01`], n: 1 })
      if (gave.has(year)) {
        one('donors')
        one(first === year ? 'new' : gave.has(year - 1) ? 'kept' : 'returned')
      } else if (gave.has(year - 1)) one('lybunt')
      else if (first < year) one('sybunt')
    }
  }
  return facts
}

const perYear: Record<string, number> = { month: 12, quarter: 4, year: 1 }

function recurring(replayed: Replayed): Fact[] {
  return rowsIn(replayed, 'recurring_plans')
    .filter((plan) => plan['counts'] && counts(replayed, plan['chapter_id']))
    .flatMap((plan) => {
      const keys = [text(plan['status'])]
      if (plan['currency'] !== euro) return [{ measure: 'otherCurrency', keys, n: 1 }]
      return [
        { measure: 'plans', keys, n: 1 },
        { measure: 'perYear', keys, n: Number(plan['amount']) * (perYear[text(plan['interval'])] ?? 0) },
      ]
    })
}

function overdue(replayed: Replayed): Fact[] {
  return rowsIn(replayed, 'pledge_instalments').flatMap((part) => {
    const pledge = rowsIn(replayed, 'pledges').find(({ id }) => id === part['pledge_id'])
    if (
      !pledge ||
      pledge['status'] !== 'open' ||
      part['state'] !== 'due' ||
      text(part['due_on']) >= replayed.today ||
      !counts(replayed, pledge['chapter_id'])
    )
      return []
    const keys = [text(pledge['person_id'])]
    if (pledge['currency'] !== euro) return [{ measure: 'otherCurrency', keys, n: 1 }]
    return [
      { measure: 'overdue', keys, n: Number(part['amount']) },
      { measure: 'instalments', keys, n: 1 },
    ]
  })
}

export const givingOf = {
  giving,
  'top-donors': topDonors,
  funds,
  'donor-retention': donorRetention,
  'recurring-giving': recurring,
  'pledges-overdue': overdue,
} satisfies Partial<Record<StandardReport, (replayed: Replayed) => Fact[]>>
