import { t } from '@lingui/core/macro'
import type { reportSubjects, ReportSubject } from '@guildhall/contract/features/reports.subjects'

type Subjects = typeof reportSubjects
/** What a measure is called, and how it is counted. */
export type MeasureWord = { label: string; definition: string }
type MeasureWords = { [Subject in ReportSubject]: Record<keyof Subjects[Subject]['measures'], MeasureWord> }

const people = () => t`Different people among the rows: somebody with several is counted once.`

const measureWords = (): MeasureWords => ({
  people: {
    people: { label: t`People`, definition: t`People in the directory that you may see. Merged and erased records are left out.` },
  },
  affiliations: {
    affiliations: { label: t`Affiliations`, definition: t`Times somebody belongs to a chapter, as a member or otherwise.` },
    people: { label: t`People`, definition: people() },
  },
  memberships: {
    memberships: { label: t`Memberships`, definition: t`Memberships with the chosen status. One person can hold several.` },
    people: { label: t`People`, definition: people() },
  },
  terms: {
    terms: { label: t`Terms`, definition: t`Periods of membership, each with its own first and last day. A renewal is a new term.` },
    price: { label: t`Price`, definition: t`What the terms cost, before credits and refunds.` },
  },
  offices: {
    terms: { label: t`Terms of office`, definition: t`Times somebody holds an office in a chapter.` },
    people: { label: t`People`, definition: people() },
  },
  chapters: {
    chapters: { label: t`Chapters`, definition: t`Chapters that you may see.` },
    members: { label: t`Members`, definition: t`People who belong to the chapter itself as members today, without those below it.` },
  },
  groupMembers: {
    members: { label: t`Group members`, definition: t`Times somebody belongs to a group.` },
    people: { label: t`People`, definition: people() },
  },
  events: {
    events: { label: t`Events`, definition: t`Events by the day on which they begin.` },
    registrations: { label: t`Registrations`, definition: t`Seats that are taken: going, checked in, offered or awaiting payment.` },
    attended: { label: t`Attended`, definition: t`Registrations that were checked in.` },
  },
  registrations: {
    registrations: { label: t`Registrations`, definition: t`Registrations with the chosen status.` },
    people: { label: t`People`, definition: people() },
    attended: { label: t`Attended`, definition: t`Registrations that were checked in.` },
    noShow: {
      label: t`No-show rate`,
      definition: t`Of those who were going to events that are over, the share who were not checked in. Only events with check-in count.`,
    },
    revenue: { label: t`Revenue`, definition: t`What was paid for the registrations, less refunds.` },
  },
  gifts: {
    gifts: { label: t`Gifts`, definition: t`Gifts that arrived. Test gifts are left out.` },
    donors: { label: t`Donors`, definition: t`Different people who gave. Gifts of unknown donors count as one each.` },
    raised: { label: t`Raised`, definition: t`What arrived, less refunds, in the currency of the organisation.` },
    average: { label: t`Average gift`, definition: t`What was raised, divided by the number of gifts.` },
  },
  pledges: {
    pledges: { label: t`Pledges`, definition: t`Promises to give, by the day on which they were made.` },
    pledged: { label: t`Pledged`, definition: t`What was promised in all.` },
    paid: { label: t`Paid`, definition: t`What has been paid of the pledges so far.` },
    outstanding: { label: t`Outstanding`, definition: t`What was promised and is not paid yet.` },
  },
  recurringGifts: {
    plans: { label: t`Recurring gifts`, definition: t`Agreements to give again and again.` },
    perYear: { label: t`Per year`, definition: t`What they bring in a year if none of them stops.` },
  },
  invoices: {
    invoices: { label: t`Invoices`, definition: t`Invoices that were issued, without credit notes.` },
    total: { label: t`Total`, definition: t`What the invoices charge, with tax.` },
    paid: { label: t`Paid`, definition: t`What has been paid of them so far.` },
    outstanding: { label: t`Outstanding`, definition: t`What is still to be paid, after credits.` },
  },
  payments: {
    payments: { label: t`Payments`, definition: t`Payments that arrived. Test payments are left out.` },
    received: { label: t`Received`, definition: t`What arrived, before refunds.` },
    refunded: { label: t`Refunded`, definition: t`What was given back of it.` },
  },
  messages: {
    messages: { label: t`Messages`, definition: t`E-mails that were sent to an audience.` },
    recipients: { label: t`Recipients`, definition: t`People the messages were written to.` },
    delivered: { label: t`Delivered`, definition: t`Mails that the servers of the recipients accepted.` },
    opened: {
      label: t`Open rate`,
      definition: t`Of the mails that were delivered, the share that was opened. Some mail programs open every mail by themselves.`,
    },
    clicked: { label: t`Click rate`, definition: t`Of the mails that were delivered, the share in which a link was followed.` },
    bounced: { label: t`Bounce rate`, definition: t`Of the mails that were sent, the share that came back.` },
    unsubscribed: { label: t`Unsubscribed`, definition: t`People who unsubscribed by a link in one of the messages.` },
  },
  relationships: {
    relationships: { label: t`Relationships`, definition: t`Pairs of people that you may see.` },
    people: { label: t`People`, definition: t`Different people on either side.` },
  },
})

export const measuresOf = (subject: ReportSubject): Readonly<Record<string, MeasureWord>> => measureWords()[subject]
