import type { ReportUnit } from './reports.subjects.ts'
import type { StandardQuestion, StandardReport } from './reports.ts'

// What the standard reports answer with, for the API that counts it and the web app that has words for it. docs/users/standard-reports.md says
// what each measure counts.

/** In their order. */
export const standardMeasures = {
  membership: {
    active: 'count',
    grace: 'count',
    suspended: 'count',
    applications: 'count',
    lapsed: 'count',
    cancelled: 'count',
    people: 'count',
    joined: 'count',
    renewed: 'count',
    expired: 'count',
  },
  'joins-and-leaves': { joins: 'count', leaves: 'count', net: 'number' },
  retention: { retained: 'percent', people: 'count', cohort: 'count' },
  'grace-and-renewal': { memberships: 'count', autoRenew: 'count' },
  'members-by-chapter': { members: 'count', alumni: 'count', joins: 'count', leaves: 'count', net: 'number' },
  giving: { raised: 'money', gifts: 'count', donors: 'count', average: 'money', otherCurrency: 'count' },
  'donor-retention': {
    donors: 'count',
    new: 'count',
    kept: 'count',
    returned: 'count',
    lybunt: 'count',
    sybunt: 'count',
    retained: 'percent',
  },
  'top-donors': { raised: 'money', gifts: 'count' },
  funds: { raised: 'money', gifts: 'count' },
  'recurring-giving': { plans: 'count', perYear: 'money', otherCurrency: 'count' },
  'pledges-overdue': { overdue: 'money', instalments: 'count', days: 'days', otherCurrency: 'count' },
  events: { events: 'count', registrations: 'count', attended: 'count', noShow: 'percent', revenue: 'money' },
  attendance: { registrations: 'count', attended: 'count', noShows: 'count', noShow: 'percent' },
  chapters: { members: 'count', growth: 'number', growthRate: 'percent', vacant: 'count', events: 'count', raised: 'money' },
  officers: { offices: 'count' },
  messages: {
    messages: 'count',
    recipients: 'count',
    delivered: 'count',
    opened: 'count',
    openRate: 'percent',
    clicked: 'count',
    clickRate: 'percent',
    bounced: 'count',
    bounceRate: 'percent',
    unsubscribed: 'count',
  },
  'data-quality': { records: 'count', share: 'percent' },
} as const satisfies Record<StandardReport, Record<string, ReportUnit>>

export type StandardMeasure<R extends StandardReport> = keyof (typeof standardMeasures)[R] & string

/** Measures that no list stands behind. */
export const unlisted = ['net', 'growth', 'growthRate'] as const

type By = NonNullable<StandardQuestion['by']>
/** What each can be grouped by, the usual grouping first; null is without one. Any other is answered with the usual one. */
export const standardBy = {
  membership: ['type', 'chapter', 'region'],
  'joins-and-leaves': ['month', 'quarter', 'year', 'chapter', 'region'],
  retention: [null, 'chapter', 'region', 'type'],
  'grace-and-renewal': [null, 'chapter', 'region', 'type'],
  'members-by-chapter': ['chapter', 'region'],
  giving: ['month', 'quarter', 'year', 'chapter', 'region'],
  'donor-retention': [null],
  'top-donors': [null],
  funds: [null],
  'recurring-giving': [null],
  'pledges-overdue': [null],
  events: ['month', 'quarter', 'year', 'chapter', 'region', 'type'],
  attendance: [null],
  chapters: ['chapter', 'region'],
  officers: [null, 'chapter', 'region'],
  messages: [null, 'month', 'quarter', 'year'],
  'data-quality': [null],
} as const satisfies Record<StandardReport, readonly (By | null)[]>

/** Codes of the dimensions that are choices, in their order. */
export const standardChoices = {
  'grace-and-renewal': { stage: ['grace', 'renews30', 'renews60', 'renews90', 'lapsed30'] },
  'recurring-giving': { status: ['active', 'past_due', 'paused', 'pending', 'completed', 'cancelled'] },
  events: { type: ['meeting', 'social', 'training', 'conference', 'fundraiser', 'service', 'other'] },
  officers: { state: ['vacant', 'ends30', 'ends60', 'ends90', 'overrun'] },
  'data-quality': {
    problem: ['withoutEmail', 'withoutPhone', 'withoutChapter', 'withoutBirthDate', 'withoutMemberNo', 'bounced', 'duplicates', 'proposed'],
  },
} as const satisfies Partial<Record<StandardReport, Record<string, readonly string[]>>>
