import type { reportSubjects } from '@guildhall/contract/features/reports.subjects'
import type { ReportSubject } from '@guildhall/contract/features/reports.subjects'
import type { Texts } from '../../../platform/texts/texts.ts'

type Subjects = typeof reportSubjects
/** What a measure is called, and how it is counted. */
export type MeasureWord = { label: string; definition: string }
type MeasureWords = { [Subject in ReportSubject]: Record<keyof Subjects[Subject]['measures'], MeasureWord> }

const people = (i18n: Texts) => i18n._('Different people among the rows: somebody with several is counted once.')

const measureWords = (i18n: Texts): MeasureWords => ({
  people: {
    people: {
      label: i18n._('People'),
      definition: i18n._('People in the directory that you may see. Merged and erased records are left out.'),
    },
  },
  affiliations: {
    affiliations: { label: i18n._('Affiliations'), definition: i18n._('Times somebody belongs to a chapter, as a member or otherwise.') },
    people: { label: i18n._('People'), definition: people(i18n) },
  },
  memberships: {
    memberships: { label: i18n._('Memberships'), definition: i18n._('Memberships with the chosen status. One person can hold several.') },
    people: { label: i18n._('People'), definition: people(i18n) },
  },
  terms: {
    terms: {
      label: i18n._('Terms'),
      definition: i18n._('Periods of membership, each with its own first and last day. A renewal is a new term.'),
    },
    price: { label: i18n._('Price'), definition: i18n._('What the terms cost, before credits and refunds.') },
  },
  offices: {
    terms: { label: i18n._('Terms of office'), definition: i18n._('Times somebody holds an office in a chapter.') },
    people: { label: i18n._('People'), definition: people(i18n) },
  },
  chapters: {
    chapters: { label: i18n._('Chapters'), definition: i18n._('Chapters that you may see.') },
    members: {
      label: i18n._('Members'),
      definition: i18n._('People who belong to the chapter itself as members today, without those below it.'),
    },
  },
  groupMembers: {
    members: { label: i18n._('Group members'), definition: i18n._('Times somebody belongs to a group.') },
    people: { label: i18n._('People'), definition: people(i18n) },
  },
  events: {
    events: { label: i18n._('Events'), definition: i18n._('Events by the day on which they begin.') },
    registrations: {
      label: i18n._('Registrations'),
      definition: i18n._('Seats that are taken: going, checked in, offered or awaiting payment.'),
    },
    attended: { label: i18n._('Attended'), definition: i18n._('Registrations that were checked in.') },
  },
  registrations: {
    registrations: { label: i18n._('Registrations'), definition: i18n._('Registrations with the chosen status.') },
    people: { label: i18n._('People'), definition: people(i18n) },
    attended: { label: i18n._('Attended'), definition: i18n._('Registrations that were checked in.') },
    noShow: {
      label: i18n._('No-show rate'),
      definition: i18n._(
        'Of those who were going to events that are over, the share who were not checked in. Only events with check-in count.',
      ),
    },
    revenue: { label: i18n._('Revenue'), definition: i18n._('What was paid for the registrations, less refunds.') },
  },
  gifts: {
    gifts: { label: i18n._('Gifts'), definition: i18n._('Gifts that arrived. Test gifts are left out.') },
    donors: { label: i18n._('Donors'), definition: i18n._('Different people who gave. Gifts of unknown donors count as one each.') },
    raised: { label: i18n._('Raised'), definition: i18n._('What arrived, less refunds, in the currency of the organisation.') },
    average: { label: i18n._('Average gift'), definition: i18n._('What was raised, divided by the number of gifts.') },
  },
  pledges: {
    pledges: { label: i18n._('Pledges'), definition: i18n._('Promises to give, by the day on which they were made.') },
    pledged: { label: i18n._('Pledged'), definition: i18n._('What was promised in all.') },
    paid: { label: i18n._('Paid'), definition: i18n._('What has been paid of the pledges so far.') },
    outstanding: { label: i18n._('Outstanding'), definition: i18n._('What was promised and is not paid yet.') },
  },
  recurringGifts: {
    plans: { label: i18n._('Recurring gifts'), definition: i18n._('Agreements to give again and again.') },
    perYear: { label: i18n._('Per year'), definition: i18n._('What they bring in a year if none of them stops.') },
  },
  invoices: {
    invoices: { label: i18n._('Invoices'), definition: i18n._('Invoices that were issued, without credit notes.') },
    total: { label: i18n._('Total'), definition: i18n._('What the invoices charge, with tax.') },
    paid: { label: i18n._('Paid'), definition: i18n._('What has been paid of them so far.') },
    outstanding: { label: i18n._('Outstanding'), definition: i18n._('What is still to be paid, after credits.') },
  },
  payments: {
    payments: { label: i18n._('Payments'), definition: i18n._('Payments that arrived. Test payments are left out.') },
    received: { label: i18n._('Received'), definition: i18n._('What arrived, before refunds.') },
    refunded: { label: i18n._('Refunded'), definition: i18n._('What was given back of it.') },
  },
  messages: {
    messages: { label: i18n._('Messages'), definition: i18n._('E-mails that were sent to an audience.') },
    recipients: { label: i18n._('Recipients'), definition: i18n._('People the messages were written to.') },
    delivered: { label: i18n._('Delivered'), definition: i18n._('Mails that the servers of the recipients accepted.') },
    opened: {
      label: i18n._('Open rate'),
      definition: i18n._('Of the mails that were delivered, the share that was opened. Some mail programs open every mail by themselves.'),
    },
    clicked: {
      label: i18n._('Click rate'),
      definition: i18n._('Of the mails that were delivered, the share in which a link was followed.'),
    },
    bounced: { label: i18n._('Bounce rate'), definition: i18n._('Of the mails that were sent, the share that came back.') },
    unsubscribed: { label: i18n._('Unsubscribed'), definition: i18n._('People who unsubscribed by a link in one of the messages.') },
  },
  relationships: {
    relationships: { label: i18n._('Relationships'), definition: i18n._('Pairs of people that you may see.') },
    people: { label: i18n._('People'), definition: i18n._('Different people on either side.') },
  },
})

export const measuresOf = (i18n: Texts, subject: ReportSubject): Readonly<Record<string, MeasureWord>> => measureWords(i18n)[subject]
