import { t } from '@lingui/core/macro'
import type { reportSubjects, ReportSubject } from '@guildhall/contract/features/reports.subjects'

type Subjects = typeof reportSubjects
type FieldWords = { [Subject in ReportSubject]: Record<keyof Subjects[Subject]['fields'], string> }

/** What the fields of each subject are called. */
const fieldWords = (): FieldWords => ({
  people: {
    lifecycle: t`Status`,
    chapter: t`Home chapter`,
    joinedOn: t`Joined on`,
    graduationYear: t`Graduation year`,
    ageGroup: t`Age group`,
    country: t`Country`,
    language: t`Language`,
    hasEmail: t`Has an e-mail address`,
    hasAccount: t`Has an account`,
    tag: t`Tag`,
  },
  affiliations: {
    kind: t`Kind`,
    chapter: t`Chapter`,
    isPrimary: t`Home chapter`,
    startedOn: t`Started on`,
    endedOn: t`Ended on`,
  },
  memberships: {
    status: t`Status`,
    type: t`Membership type`,
    chapter: t`Chapter`,
    startsOn: t`First day`,
    endsOn: t`Last day`,
    autoRenew: t`Renews automatically`,
  },
  terms: {
    status: t`Status`,
    type: t`Membership type`,
    chapter: t`Chapter`,
    startsOn: t`First day`,
    endsOn: t`Last day`,
    settledOn: t`Settled on`,
  },
  offices: {
    position: t`Office`,
    chapter: t`Chapter`,
    startsOn: t`First day`,
    endsOn: t`Last day`,
  },
  chapters: {
    status: t`Status`,
    kind: t`Level`,
    chapter: t`Chapter`,
    foundedOn: t`Founded on`,
    city: t`City`,
  },
  groupMembers: {
    group: t`Group`,
    kind: t`Kind of group`,
    role: t`Role`,
    status: t`Status`,
    chapter: t`Chapter`,
    joinedOn: t`Joined on`,
  },
  events: {
    status: t`Status`,
    kind: t`Kind`,
    format: t`Place or online`,
    chapter: t`Chapter`,
    startsOn: t`Day of the event`,
  },
  registrations: {
    status: t`Status`,
    event: t`Event`,
    chapter: t`Chapter`,
    attended: t`Attended`,
    startsOn: t`Day of the event`,
    registeredOn: t`Registered on`,
  },
  gifts: {
    status: t`Status`,
    campaign: t`Campaign`,
    fund: t`Fund`,
    method: t`Method`,
    chapter: t`Chapter`,
    isRecurring: t`Recurring`,
    amount: t`Amount`,
    on: t`Day of the gift`,
  },
  pledges: {
    status: t`Status`,
    campaign: t`Campaign`,
    chapter: t`Chapter`,
    isOverdue: t`Overdue`,
    pledgedOn: t`Pledged on`,
  },
  recurringGifts: {
    status: t`Status`,
    campaign: t`Campaign`,
    chapter: t`Chapter`,
    interval: t`Interval`,
    startedOn: t`Started on`,
  },
  invoices: {
    status: t`Status`,
    chapter: t`Chapter`,
    isOverdue: t`Overdue`,
    issuedOn: t`Issued on`,
    dueOn: t`Due on`,
  },
  payments: {
    status: t`Status`,
    method: t`Method`,
    purpose: t`Purpose`,
    chapter: t`Chapter`,
    on: t`Day of the payment`,
  },
  messages: {
    status: t`Status`,
    topic: t`Topic`,
    chapter: t`Chapter`,
    sentOn: t`Sent on`,
  },
  relationships: {
    type: t`Type`,
    state: t`Status`,
    chapter: t`Chapter`,
    isVerified: t`Verified`,
    startsOn: t`First day`,
  },
})

/** A field that is no longer there keeps its key. */
export const fieldWord = (subject: ReportSubject, field: string): string => {
  const words: Readonly<Record<string, string>> = fieldWords()[subject]
  return words[field] ?? field
}
