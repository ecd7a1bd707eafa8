import { plural, t } from '@lingui/core/macro'
import type { ReportQuestion, StandardReport } from '@guildhall/contract/features/reports'
import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import { optionWords } from './option-words.ts'
import { standardMeasure } from './standard-measures.ts'

/** What tells a record of a list apart: a code in words, days as a number, or the organisation's own text. */
export function detailText(question: ReportQuestion, detail: string): string {
  const word = question.kind === 'own' ? ownDetail(question.subject, detail) : standardDetail(question.report, detail)
  return word ?? detail
}

type Words = Readonly<Record<string, string>>
const wordIn = (lists: readonly Words[], detail: string): string | undefined =>
  lists.find((words) => Object.hasOwn(words, detail))?.[detail]

/** A code of one of the subject's choices. */
const ownDetail = (subject: ReportSubject, detail: string) => wordIn(Object.values<Words>(optionWords()[subject]), detail)

/** Each report says something else of its rows. */
function standardDetail(report: StandardReport, detail: string): string | undefined {
  const { affiliations, events, gifts, memberships, people, recurringGifts } = optionWords()
  const word = (...lists: readonly Words[]) => wordIn(lists, detail)
  switch (report) {
    case 'membership':
      return word(memberships.status)
    case 'grace-and-renewal':
      return word({ autoRenew: t`Renews automatically`, byHand: t`Renewed by hand` })
    case 'members-by-chapter':
      return word(affiliations.kind)
    case 'giving':
    case 'top-donors':
    case 'funds':
      return word(gifts.method)
    case 'donor-retention':
      return standardMeasure(report, detail)?.label
    case 'recurring-giving':
      return word(recurringGifts.interval)
    case 'pledges-overdue':
      return /^\d{1,5}$/.test(detail) ? plural(Number(detail), { one: '# day overdue', other: '# days overdue' }) : undefined
    case 'events':
      return word(events.kind)
    case 'chapters':
      return word(affiliations.kind, events.kind, gifts.method)
    case 'messages':
      return word(deliveryWords())
    case 'data-quality':
      return word(people.lifecycle)
    case 'joins-and-leaves':
    case 'retention':
    case 'attendance':
    case 'officers':
      return undefined
  }
}

const deliveryWords = () => ({
  queued: t`Waiting`,
  sent: t`Sent`,
  delivered: t`Delivered`,
  soft_bounce: t`Delayed`,
  hard_bounce: t`Bounced`,
  complaint: t`Complaint`,
  failed: t`Failed`,
  unknown: t`Unknown`,
})
