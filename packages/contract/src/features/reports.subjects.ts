import * as z from 'zod'
import type { Permission } from '../permissions.ts'

// What reports can ask about. Each subject is a list whose rows its reader may see; fields are what it is filtered and grouped by, measures
// what is counted of it. The API holds the SQL of each (reports.subjects.queries.ts), the web app the words; both fail to compile without them.

/** `day` fields are grouped by day, week, month, quarter or year; `chapter` ones by the chapter or by the chapter at a level of the tree. */
export type ReportFieldKind = 'choice' | 'record' | 'chapter' | 'day' | 'number' | 'yesNo' | 'text'
export type ReportUnit = 'count' | 'money' | 'percent' | 'days' | 'number'

/**
 * `group: false` ones are only filtered by, `sensitive` ones only grouped by: a filter would tell of a few people what grouping keeps back. `needs`: asking
 * takes this permission somewhere, and whom the reader does not hold it over is counted as unknown.
 */
export type ReportField = {
  kind: ReportFieldKind
  options?: readonly string[]
  of?: 'tag' | 'membershipType' | 'group' | 'event' | 'campaign' | 'fund' | 'topic' | 'relationshipType'
  group?: false
  sensitive?: true
  needs?: Permission
}
type Measure = { unit: ReportUnit }
/** `needs`: held somewhere, or nothing is answered; which rows count is for the database to say. */
type Subject = {
  category: ReportCategory
  needs: Permission
  fields: Record<string, ReportField>
  measures: Record<string, Measure>
  day: string | null
  asOf?: true
}
export type ReportCategory = 'membership' | 'giving' | 'events' | 'chapters' | 'communication' | 'quality'
export const reportCategories = [
  'membership',
  'giving',
  'events',
  'chapters',
  'communication',
  'quality',
] as const satisfies readonly ReportCategory[]

const count = { unit: 'count' } as const
const money = { unit: 'money' } as const
const percent = { unit: 'percent' } as const

export const ReportSubject = z.enum([
  'people',
  'affiliations',
  'memberships',
  'terms',
  'offices',
  'chapters',
  'groupMembers',
  'events',
  'registrations',
  'gifts',
  'pledges',
  'recurringGifts',
  'invoices',
  'payments',
  'messages',
  'relationships',
])
export type ReportSubject = z.infer<typeof ReportSubject>

/**
 * `day` is the field that the range of a question is about. `asOf` ones can be asked about any day up to today, and count what was so on it; without one,
 * everything that was ever recorded. Money is counted in the organisation's currency only, and tests of payments never are.
 */
export const reportSubjects = {
  people: {
    category: 'membership',
    needs: 'people.directory',
    day: 'joinedOn',
    fields: {
      lifecycle: { kind: 'choice', options: ['prospect', 'active', 'alumni', 'former', 'deceased'] },
      chapter: { kind: 'chapter' },
      joinedOn: { kind: 'day' },
      graduationYear: { kind: 'number' },
      ageGroup: {
        kind: 'choice',
        options: ['under18', '18to25', '26to35', '36to50', '51to65', 'over65'],
        sensitive: true,
        needs: 'people.sensitive',
      },
      country: { kind: 'text', sensitive: true, needs: 'people.contact' },
      language: { kind: 'text' },
      hasEmail: { kind: 'yesNo', needs: 'people.contact' },
      hasAccount: { kind: 'yesNo', needs: 'account.manage' },
      tag: { kind: 'record', of: 'tag' },
    },
    measures: { people: count },
  },
  affiliations: {
    category: 'membership',
    needs: 'people.directory',
    day: 'startedOn',
    asOf: true,
    fields: {
      kind: { kind: 'choice', options: ['member', 'alumni', 'advisor', 'friend', 'applicant'] },
      chapter: { kind: 'chapter' },
      isPrimary: { kind: 'yesNo' },
      startedOn: { kind: 'day' },
      endedOn: { kind: 'day' },
    },
    measures: { affiliations: count, people: count },
  },
  memberships: {
    category: 'membership',
    needs: 'memberships.read',
    day: 'startsOn',
    asOf: true,
    fields: {
      status: {
        kind: 'choice',
        options: [
          'applied',
          'awaiting_approval',
          'awaiting_payment',
          'active',
          'grace',
          'lapsed',
          'cancelled',
          'suspended',
          'declined',
          'withdrawn',
        ],
      },
      type: { kind: 'record', of: 'membershipType' },
      chapter: { kind: 'chapter' },
      startsOn: { kind: 'day' },
      endsOn: { kind: 'day' },
      autoRenew: { kind: 'yesNo' },
    },
    measures: { memberships: count, people: count },
  },
  terms: {
    category: 'membership',
    needs: 'memberships.read',
    day: 'startsOn',
    fields: {
      status: { kind: 'choice', options: ['open', 'settled', 'void'] },
      type: { kind: 'record', of: 'membershipType' },
      chapter: { kind: 'chapter' },
      startsOn: { kind: 'day' },
      endsOn: { kind: 'day' },
      settledOn: { kind: 'day' },
    },
    measures: { terms: count, price: money },
  },
  offices: {
    category: 'chapters',
    needs: 'people.directory',
    day: 'startsOn',
    asOf: true,
    fields: {
      position: { kind: 'text' },
      chapter: { kind: 'chapter' },
      startsOn: { kind: 'day' },
      endsOn: { kind: 'day' },
    },
    measures: { terms: count, people: count },
  },
  chapters: {
    category: 'chapters',
    needs: 'people.directory',
    day: 'foundedOn',
    fields: {
      status: { kind: 'choice', options: ['prospective', 'active', 'probation', 'suspended', 'dormant', 'closed'] },
      kind: { kind: 'choice', options: ['national', 'region', 'district', 'chapter', 'club'] },
      chapter: { kind: 'chapter' },
      foundedOn: { kind: 'day' },
      city: { kind: 'text' },
    },
    measures: { chapters: count, members: count },
  },
  groupMembers: {
    category: 'membership',
    needs: 'groups.read',
    day: 'joinedOn',
    fields: {
      group: { kind: 'record', of: 'group' },
      kind: { kind: 'choice', options: ['committee', 'subcommittee', 'interest', 'cohort', 'team', 'list'] },
      role: { kind: 'choice', options: ['leader', 'moderator', 'member'] },
      status: { kind: 'choice', options: ['invited', 'requested', 'active', 'declined', 'removed'] },
      chapter: { kind: 'chapter' },
      joinedOn: { kind: 'day' },
    },
    measures: { members: count, people: count },
  },
  events: {
    category: 'events',
    needs: 'events.read',
    day: 'startsOn',
    fields: {
      status: { kind: 'choice', options: ['draft', 'published', 'cancelled', 'archived'] },
      kind: { kind: 'choice', options: ['meeting', 'social', 'training', 'conference', 'fundraiser', 'service', 'other'] },
      format: { kind: 'choice', options: ['in_person', 'online', 'hybrid'] },
      chapter: { kind: 'chapter' },
      startsOn: { kind: 'day' },
    },
    measures: { events: count, registrations: count, attended: count },
  },
  registrations: {
    category: 'events',
    needs: 'events.manage',
    day: 'startsOn',
    fields: {
      status: {
        kind: 'choice',
        options: ['pending_approval', 'pending_payment', 'confirmed', 'waitlisted', 'offered', 'cancelled', 'rejected', 'checked_in'],
      },
      event: { kind: 'record', of: 'event' },
      chapter: { kind: 'chapter' },
      attended: { kind: 'yesNo' },
      startsOn: { kind: 'day' },
      registeredOn: { kind: 'day' },
    },
    measures: { registrations: count, people: count, attended: count, noShow: percent, revenue: money },
  },
  gifts: {
    category: 'giving',
    needs: 'gifts.read',
    day: 'on',
    fields: {
      status: { kind: 'choice', options: ['settled', 'partly_refunded'] },
      campaign: { kind: 'record', of: 'campaign' },
      fund: { kind: 'record', of: 'fund' },
      method: { kind: 'choice', options: ['card', 'bank_transfer', 'cash', 'cheque', 'other'] },
      chapter: { kind: 'chapter' },
      isRecurring: { kind: 'yesNo' },
      amount: { kind: 'number', group: false },
      on: { kind: 'day' },
    },
    measures: { gifts: count, donors: count, raised: money, average: money },
  },
  pledges: {
    category: 'giving',
    needs: 'gifts.read',
    day: 'pledgedOn',
    fields: {
      status: { kind: 'choice', options: ['open', 'fulfilled', 'cancelled'] },
      campaign: { kind: 'record', of: 'campaign' },
      chapter: { kind: 'chapter' },
      isOverdue: { kind: 'yesNo' },
      pledgedOn: { kind: 'day' },
    },
    measures: { pledges: count, pledged: money, paid: money, outstanding: money },
  },
  recurringGifts: {
    category: 'giving',
    needs: 'gifts.read',
    day: 'startedOn',
    fields: {
      status: { kind: 'choice', options: ['active', 'past_due', 'paused', 'cancelled', 'completed'] },
      campaign: { kind: 'record', of: 'campaign' },
      chapter: { kind: 'chapter' },
      interval: { kind: 'choice', options: ['month', 'quarter', 'year'] },
      startedOn: { kind: 'day' },
    },
    measures: { plans: count, perYear: money },
  },
  invoices: {
    category: 'membership',
    needs: 'finance.read',
    day: 'issuedOn',
    fields: {
      status: { kind: 'choice', options: ['issued', 'partly_paid', 'paid', 'credited'] },
      chapter: { kind: 'chapter' },
      isOverdue: { kind: 'yesNo' },
      issuedOn: { kind: 'day' },
      dueOn: { kind: 'day' },
    },
    measures: { invoices: count, total: money, paid: money, outstanding: money },
  },
  payments: {
    category: 'giving',
    needs: 'finance.read',
    day: 'on',
    fields: {
      status: { kind: 'choice', options: ['settled', 'partly_refunded', 'refunded'] },
      method: { kind: 'text' },
      purpose: { kind: 'choice', options: ['gift', 'invoice'] },
      chapter: { kind: 'chapter' },
      on: { kind: 'day' },
    },
    measures: { payments: count, received: money, refunded: money },
  },
  messages: {
    category: 'communication',
    needs: 'messages.write',
    day: 'sentOn',
    fields: {
      status: { kind: 'choice', options: ['draft', 'in_review', 'scheduled', 'sending', 'paused', 'sent', 'cancelled', 'failed'] },
      topic: { kind: 'record', of: 'topic' },
      chapter: { kind: 'chapter' },
      sentOn: { kind: 'day' },
    },
    measures: {
      messages: count,
      recipients: count,
      delivered: count,
      opened: percent,
      clicked: percent,
      bounced: percent,
      unsubscribed: count,
    },
  },
  relationships: {
    category: 'membership',
    needs: 'relationships.read',
    day: 'startsOn',
    asOf: true,
    fields: {
      type: { kind: 'record', of: 'relationshipType' },
      state: { kind: 'choice', options: ['proposed', 'active', 'ended', 'rejected'] },
      chapter: { kind: 'chapter' },
      isVerified: { kind: 'yesNo' },
      startsOn: { kind: 'day' },
    },
    measures: { relationships: count, people: count },
  },
} as const satisfies Record<ReportSubject, Subject>
