import type { StandardReport } from '@guildhall/contract/features/reports'
import type { StandardAnswerer } from '../reports.engine.rules.ts'
import { officers, scorecard } from './reports.chapters.queries.ts'
import { attendance, eventsReport } from './reports.events.queries.ts'
import { answererOf } from './reports.facts.queries.ts'
import { donorRetention, funds, giving, pledgesOverdue, recurringGiving, topDonors } from './reports.giving.queries.ts'
import { joinsAndLeaves, membersByChapter } from './reports.joins.queries.ts'
import { graceAndRenewal, membership } from './reports.membership.queries.ts'
import { messagesReport } from './reports.messages.queries.ts'
import { dataQuality } from './reports.quality.queries.ts'
import { retention } from './reports.retention.queries.ts'

/** The reports that come with the product, by key. */
export const standardAnswerers: Record<StandardReport, StandardAnswerer> = {
  membership: answererOf(membership),
  'joins-and-leaves': answererOf(joinsAndLeaves),
  retention: answererOf(retention),
  'grace-and-renewal': answererOf(graceAndRenewal),
  'members-by-chapter': answererOf(membersByChapter),
  giving: answererOf(giving),
  'donor-retention': answererOf(donorRetention),
  'top-donors': answererOf(topDonors),
  funds: answererOf(funds),
  'recurring-giving': answererOf(recurringGiving),
  'pledges-overdue': answererOf(pledgesOverdue),
  events: answererOf(eventsReport),
  attendance: answererOf(attendance),
  chapters: answererOf(scorecard),
  officers: answererOf(officers),
  messages: answererOf(messagesReport),
  'data-quality': answererOf(dataQuality),
}
