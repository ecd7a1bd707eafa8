import type { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { Texts } from '../../../platform/texts/texts.ts'

type Subjects = typeof reportSubjects
type FieldWords = { [Subject in ReportSubject]: Record<keyof Subjects[Subject]['fields'], string> }

/** What the fields of each subject are called. */
const fieldWords = (i18n: Texts): FieldWords => ({
  people: {
    lifecycle: i18n._('Status'),
    chapter: i18n._('Home chapter'),
    joinedOn: i18n._('Joined on'),
    graduationYear: i18n._('Graduation year'),
    ageGroup: i18n._('Age group'),
    country: i18n._('Country'),
    language: i18n._('Language'),
    hasEmail: i18n._('Has an e-mail address'),
    hasAccount: i18n._('Has an account'),
    tag: i18n._('Tag'),
  },
  affiliations: {
    kind: i18n._('Kind'),
    chapter: i18n._('Chapter'),
    isPrimary: i18n._('Home chapter'),
    startedOn: i18n._('Started on'),
    endedOn: i18n._('Ended on'),
  },
  memberships: {
    status: i18n._('Status'),
    type: i18n._('Membership type'),
    chapter: i18n._('Chapter'),
    startsOn: i18n._('First day'),
    endsOn: i18n._('Last day'),
    autoRenew: i18n._('Renews automatically'),
  },
  terms: {
    status: i18n._('Status'),
    type: i18n._('Membership type'),
    chapter: i18n._('Chapter'),
    startsOn: i18n._('First day'),
    endsOn: i18n._('Last day'),
    settledOn: i18n._('Settled on'),
  },
  offices: {
    position: i18n._('Office'),
    chapter: i18n._('Chapter'),
    startsOn: i18n._('First day'),
    endsOn: i18n._('Last day'),
  },
  chapters: {
    status: i18n._('Status'),
    kind: i18n._('Level'),
    chapter: i18n._('Chapter'),
    foundedOn: i18n._('Founded on'),
    city: i18n._('City'),
  },
  groupMembers: {
    group: i18n._('Group'),
    kind: i18n._('Kind of group'),
    role: i18n._('Role'),
    status: i18n._('Status'),
    chapter: i18n._('Chapter'),
    joinedOn: i18n._('Joined on'),
  },
  events: {
    status: i18n._('Status'),
    kind: i18n._('Kind'),
    format: i18n._('Place or online'),
    chapter: i18n._('Chapter'),
    startsOn: i18n._('Day of the event'),
  },
  registrations: {
    status: i18n._('Status'),
    event: i18n._('Event'),
    chapter: i18n._('Chapter'),
    attended: i18n._('Attended'),
    startsOn: i18n._('Day of the event'),
    registeredOn: i18n._('Registered on'),
  },
  gifts: {
    status: i18n._('Status'),
    campaign: i18n._('Campaign'),
    fund: i18n._('Fund'),
    method: i18n._('Method'),
    chapter: i18n._('Chapter'),
    isRecurring: i18n._('Recurring'),
    amount: i18n._('Amount'),
    on: i18n._('Day of the gift'),
  },
  pledges: {
    status: i18n._('Status'),
    campaign: i18n._('Campaign'),
    chapter: i18n._('Chapter'),
    isOverdue: i18n._('Overdue'),
    pledgedOn: i18n._('Pledged on'),
  },
  recurringGifts: {
    status: i18n._('Status'),
    campaign: i18n._('Campaign'),
    chapter: i18n._('Chapter'),
    interval: i18n._('Interval'),
    startedOn: i18n._('Started on'),
  },
  invoices: {
    status: i18n._('Status'),
    chapter: i18n._('Chapter'),
    isOverdue: i18n._('Overdue'),
    issuedOn: i18n._('Issued on'),
    dueOn: i18n._('Due on'),
  },
  payments: {
    status: i18n._('Status'),
    method: i18n._('Method'),
    purpose: i18n._('Purpose'),
    chapter: i18n._('Chapter'),
    on: i18n._('Day of the payment'),
  },
  messages: {
    status: i18n._('Status'),
    topic: i18n._('Topic'),
    chapter: i18n._('Chapter'),
    sentOn: i18n._('Sent on'),
  },
  relationships: {
    type: i18n._('Type'),
    state: i18n._('Status'),
    chapter: i18n._('Chapter'),
    isVerified: i18n._('Verified'),
    startsOn: i18n._('First day'),
  },
})

/** A field that is no longer there keeps its key. */
export const fieldWord = (i18n: Texts, subject: ReportSubject, field: string): string => {
  const words: Readonly<Record<string, string>> = fieldWords(i18n)[subject]
  return words[field] ?? field
}
