import { t } from '@lingui/core/macro'
import type { reportSubjects, ReportSubject } from '@guildhall/contract/features/reports.subjects'

type Subjects = typeof reportSubjects
type Options<Subject extends ReportSubject> = {
  [
    Field in keyof Subjects[Subject]['fields'] as Subjects[Subject]['fields'][Field] extends { options: readonly string[] } ? Field : never
  ]: Subjects[Subject]['fields'][Field] extends { options: readonly (infer Option extends string)[] } ? Record<Option, string> : never
}
/** Every option of every choice, and the codes that some fields of text hold. */
type OptionWords = { [Subject in ReportSubject]: Options<Subject> & Readonly<Record<string, Readonly<Record<string, string>>>> }

const received = () => ({ settled: t`Received`, partly_refunded: t`Partly refunded`, refunded: t`Refunded` })
const ways = () => ({ card: t`Card`, bank_transfer: t`Bank transfer`, cash: t`Cash`, cheque: t`Cheque`, other: t`Other` })

export const optionWords = (): OptionWords => ({
  people: {
    lifecycle: { prospect: t`Prospect`, active: t`Active`, alumni: t`Alumni`, former: t`Former`, deceased: t`Deceased` },
    ageGroup: {
      under18: t`Under 18`,
      '18to25': t`18 to 25`,
      '26to35': t`26 to 35`,
      '36to50': t`36 to 50`,
      '51to65': t`51 to 65`,
      over65: t`Over 65`,
    },
  },
  affiliations: {
    kind: { member: t`Member`, alumni: t`Alumni`, advisor: t`Advisor`, friend: t`Friend`, applicant: t`Applicant` },
  },
  memberships: {
    status: {
      applied: t`Applied`,
      awaiting_approval: t`Awaiting approval`,
      awaiting_payment: t`Awaiting payment`,
      active: t`Active`,
      grace: t`In grace period`,
      lapsed: t`Lapsed`,
      cancelled: t`Cancelled`,
      suspended: t`Paused`,
      declined: t`Declined`,
      withdrawn: t`Withdrawn`,
    },
  },
  terms: { status: { open: t`Open`, settled: t`Settled`, void: t`Void` } },
  offices: {},
  chapters: {
    status: {
      prospective: t`Prospective`,
      active: t`Active`,
      probation: t`On probation`,
      suspended: t`Suspended`,
      dormant: t`Dormant`,
      closed: t`Closed`,
    },
    kind: { national: t`National body`, region: t`Region`, district: t`District`, chapter: t`Chapter`, club: t`Club` },
  },
  groupMembers: {
    kind: {
      committee: t`Committee`,
      subcommittee: t`Subcommittee`,
      interest: t`Interest group`,
      cohort: t`Cohort`,
      team: t`Team`,
      list: t`List`,
    },
    role: { leader: t`Leader`, moderator: t`Moderator`, member: t`Member` },
    status: { active: t`Member`, requested: t`Asked to join`, invited: t`Invited`, declined: t`Declined`, removed: t`Removed` },
  },
  events: {
    status: { draft: t`Draft`, published: t`Published`, cancelled: t`Cancelled`, archived: t`Archived` },
    kind: {
      meeting: t`Meeting`,
      social: t`Social`,
      training: t`Training`,
      conference: t`Conference`,
      fundraiser: t`Fundraiser`,
      service: t`Service`,
      other: t`Other`,
    },
    format: { in_person: t`In person`, online: t`Online`, hybrid: t`Hybrid` },
  },
  registrations: {
    status: {
      pending_approval: t`Awaiting approval`,
      pending_payment: t`Awaiting payment`,
      confirmed: t`Going`,
      waitlisted: t`On the waiting list`,
      offered: t`Seat offered`,
      cancelled: t`Cancelled`,
      rejected: t`Not admitted`,
      checked_in: t`Checked in`,
    },
  },
  gifts: { status: received(), method: ways() },
  pledges: { status: { open: t`Open`, fulfilled: t`Fulfilled`, cancelled: t`Cancelled` } },
  recurringGifts: {
    status: { active: t`Active`, past_due: t`Payment failed`, paused: t`Paused`, cancelled: t`Stopped`, completed: t`Completed` },
    interval: { month: t`Monthly`, quarter: t`Quarterly`, year: t`Yearly` },
  },
  invoices: { status: { issued: t`Issued`, partly_paid: t`Partly paid`, paid: t`Paid`, credited: t`Credited` } },
  payments: { status: received(), method: ways(), purpose: { gift: t`Gift`, invoice: t`Invoice` } },
  messages: {
    status: {
      draft: t`Draft`,
      in_review: t`In review`,
      scheduled: t`Scheduled`,
      sending: t`Sending`,
      paused: t`Paused`,
      sent: t`Sent`,
      cancelled: t`Cancelled`,
      failed: t`Failed`,
    },
  },
  relationships: { state: { proposed: t`Proposed`, active: t`Active`, ended: t`Ended`, rejected: t`Rejected` } },
})

/** The options of a field, as a filter offers them; none where its values are free. */
export function optionsOf(subject: ReportSubject, field: string): { value: string; label: string }[] {
  const words = optionWords()[subject][field]
  return words ? Object.entries(words).map(([value, label]) => ({ value, label })) : []
}
