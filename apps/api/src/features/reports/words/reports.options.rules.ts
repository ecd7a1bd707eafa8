import type { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { Texts } from '../../../platform/texts/texts.ts'

type Subjects = typeof reportSubjects
type Options<Subject extends ReportSubject> = {
  [
    Field in keyof Subjects[Subject]['fields'] as Subjects[Subject]['fields'][Field] extends { options: readonly string[] } ? Field : never
  ]: Subjects[Subject]['fields'][Field] extends { options: readonly (infer Option extends string)[] } ? Record<Option, string> : never
}
/** Every option of every choice, and the codes that some fields of text hold. */
type OptionWords = { [Subject in ReportSubject]: Options<Subject> & Readonly<Record<string, Readonly<Record<string, string>>>> }

const received = (i18n: Texts) => ({
  settled: i18n._('Received'),
  partly_refunded: i18n._('Partly refunded'),
  refunded: i18n._('Refunded'),
})
const ways = (i18n: Texts) => ({
  card: i18n._('Card'),
  bank_transfer: i18n._('Bank transfer'),
  cash: i18n._('Cash'),
  cheque: i18n._('Cheque'),
  other: i18n._('Other'),
})

const optionWords = (i18n: Texts): OptionWords => ({
  people: {
    lifecycle: {
      prospect: i18n._('Prospect'),
      active: i18n._('Active'),
      alumni: i18n._('Alumni'),
      former: i18n._('Former'),
      deceased: i18n._('Deceased'),
    },
    ageGroup: {
      under18: i18n._('Under 18'),
      '18to25': i18n._('18 to 25'),
      '26to35': i18n._('26 to 35'),
      '36to50': i18n._('36 to 50'),
      '51to65': i18n._('51 to 65'),
      over65: i18n._('Over 65'),
    },
  },
  affiliations: {
    kind: {
      member: i18n._('Member'),
      alumni: i18n._('Alumni'),
      advisor: i18n._('Advisor'),
      friend: i18n._('Friend'),
      applicant: i18n._('Applicant'),
    },
  },
  memberships: {
    status: {
      applied: i18n._('Applied'),
      awaiting_approval: i18n._('Awaiting approval'),
      awaiting_payment: i18n._('Awaiting payment'),
      active: i18n._('Active'),
      grace: i18n._('In grace period'),
      lapsed: i18n._('Lapsed'),
      cancelled: i18n._('Cancelled'),
      suspended: i18n._('Paused'),
      declined: i18n._('Declined'),
      withdrawn: i18n._('Withdrawn'),
    },
  },
  terms: { status: { open: i18n._('Open'), settled: i18n._('Settled'), void: i18n._('Void') } },
  offices: {},
  chapters: {
    status: {
      prospective: i18n._('Prospective'),
      active: i18n._('Active'),
      probation: i18n._('On probation'),
      suspended: i18n._('Suspended'),
      dormant: i18n._('Dormant'),
      closed: i18n._('Closed'),
    },
    kind: {
      national: i18n._('National body'),
      region: i18n._('Region'),
      district: i18n._('District'),
      chapter: i18n._('Chapter'),
      club: i18n._('Club'),
    },
  },
  groupMembers: {
    kind: {
      committee: i18n._('Committee'),
      subcommittee: i18n._('Subcommittee'),
      interest: i18n._('Interest group'),
      cohort: i18n._('Cohort'),
      team: i18n._('Team'),
      list: i18n._('List'),
    },
    role: { leader: i18n._('Leader'), moderator: i18n._('Moderator'), member: i18n._('Member') },
    status: {
      active: i18n._('Member'),
      requested: i18n._('Asked to join'),
      invited: i18n._('Invited'),
      declined: i18n._('Declined'),
      removed: i18n._('Removed'),
    },
  },
  events: {
    status: { draft: i18n._('Draft'), published: i18n._('Published'), cancelled: i18n._('Cancelled'), archived: i18n._('Archived') },
    kind: {
      meeting: i18n._('Meeting'),
      social: i18n._('Social'),
      training: i18n._('Training'),
      conference: i18n._('Conference'),
      fundraiser: i18n._('Fundraiser'),
      service: i18n._('Service'),
      other: i18n._('Other'),
    },
    format: { in_person: i18n._('In person'), online: i18n._('Online'), hybrid: i18n._('Hybrid') },
  },
  registrations: {
    status: {
      pending_approval: i18n._('Awaiting approval'),
      pending_payment: i18n._('Awaiting payment'),
      confirmed: i18n._('Going'),
      waitlisted: i18n._('On the waiting list'),
      offered: i18n._('Seat offered'),
      cancelled: i18n._('Cancelled'),
      rejected: i18n._('Not admitted'),
      checked_in: i18n._('Checked in'),
    },
  },
  gifts: { status: received(i18n), method: ways(i18n) },
  pledges: { status: { open: i18n._('Open'), fulfilled: i18n._('Fulfilled'), cancelled: i18n._('Cancelled') } },
  recurringGifts: {
    status: {
      active: i18n._('Active'),
      past_due: i18n._('Payment failed'),
      paused: i18n._('Paused'),
      cancelled: i18n._('Stopped'),
      completed: i18n._('Completed'),
    },
    interval: { month: i18n._('Monthly'), quarter: i18n._('Quarterly'), year: i18n._('Yearly') },
  },
  invoices: {
    status: { issued: i18n._('Issued'), partly_paid: i18n._('Partly paid'), paid: i18n._('Paid'), credited: i18n._('Credited') },
  },
  payments: { status: received(i18n), method: ways(i18n), purpose: { gift: i18n._('Gift'), invoice: i18n._('Invoice') } },
  messages: {
    status: {
      draft: i18n._('Draft'),
      in_review: i18n._('In review'),
      scheduled: i18n._('Scheduled'),
      sending: i18n._('Sending'),
      paused: i18n._('Paused'),
      sent: i18n._('Sent'),
      cancelled: i18n._('Cancelled'),
      failed: i18n._('Failed'),
    },
  },
  relationships: {
    state: { proposed: i18n._('Proposed'), active: i18n._('Active'), ended: i18n._('Ended'), rejected: i18n._('Rejected') },
  },
})

/** A code of a choice in words; one that has none stays as it is. */
export function optionWord(i18n: Texts, subject: ReportSubject, field: string, code: string): string {
  const words: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = optionWords(i18n)[subject]
  return words[field]?.[code] ?? code
}
