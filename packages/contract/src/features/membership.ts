import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { CalendarDate, ChapterRef, Cursor, Id, Instant, Limit, Money, PersonRef, Version, lines, page, text } from '../shapes.ts'

const tag = 'Membership'

// Types -----------------------------------------------------------------------------------------------------------------------------

export const MembershipPeriod = z
  .enum(['rolling', 'fixed', 'lifetime'])
  .describe('rolling: so many months from the first day; fixed: a year that starts on one day of the calendar; lifetime: no end')
export type MembershipPeriod = z.infer<typeof MembershipPeriod>
export const MembershipOpenTo = z
  .enum(['everyone', 'members', 'officers'])
  .describe('Who may choose it: everyone signed in, people who have or had a membership, or officers for them')
export type MembershipOpenTo = z.infer<typeof MembershipOpenTo>

export const MembershipLeaving = z
  .enum(['any_time', 'end_of_term'])
  .describe('When members can leave by themselves; officers end a membership at any time')
export type MembershipLeaving = z.infer<typeof MembershipLeaving>

const Rules = {
  name: text(100, 1),
  description: lines(500),
  period: MembershipPeriod,
  months: z.int().min(1).max(120).nullable().describe('Of a rolling period; 12 of a fixed one; null of a lifetime'),
  startsMonth: z.int().min(1).max(12).nullable().describe('Month in which a fixed period starts'),
  startsDay: z.int().min(1).max(28).nullable().describe('Day of the month on which a fixed period starts'),
  rolloverDays: z.int().min(0).max(366).describe('Who joins so few days before the next fixed period has that one too'),
  price: Money.refine(({ amount }) => amount >= 0).describe('Of one period; 0 is free'),
  graceDays: z.int().min(0).max(180).describe('Days after its end on which a membership still counts'),
  renewalDays: z.int().min(0).max(180).describe('Days before its end from which it can be renewed'),
  needsApproval: z.boolean(),
  chapterShareBps: z.int().min(0).max(10_000).describe('Share of the price for the chapter, in hundredths of a percent'),
  openTo: MembershipOpenTo,
  leaving: MembershipLeaving,
  questions: z.array(text(200, 1)).max(5).describe('Asked of people who apply'),
}

export const MembershipType = z.object({
  id: Id,
  ...z.object(Rules).shape,
  price: Money,
  archivedAt: Instant.nullable(),
  version: Version,
})
export type MembershipType = z.infer<typeof MembershipType>
export const NewMembershipType = z
  .strictObject({ ...z.strictObject(Rules).partial().shape, name: Rules.name, period: Rules.period, price: Rules.price })
  .meta({ examples: [{ name: 'Full member', period: 'rolling', months: 12, price: { amount: 6000, currency: 'EUR' } }] })
export type NewMembershipType = z.infer<typeof NewMembershipType>
export const MembershipTypeChange = z
  .strictObject(Rules)
  .partial()
  .meta({ examples: [{ graceDays: 14 }] })
export type MembershipTypeChange = z.infer<typeof MembershipTypeChange>
const OneType = z.strictObject({ typeId: Id })

const Renewals = z.object({
  total: z.int().describe('Renewals within a year that are not charged yet; 100,001 stands for more'),
  amount: z.int().describe('Sum of their prices, in the currency of the type'),
  chapters: z.int().describe('Share of the chapters in it'),
  first: z
    .array(
      z.object({
        person: PersonRef,
        opensOn: CalendarDate,
        amount: z.int(),
        endsOn: CalendarDate.nullable(),
        graceUntil: CalendarDate.nullable(),
      }),
    )
    .describe('The ten that open first'),
})
export const MembershipTypePreview = z.object({
  before: Renewals,
  after: Renewals,
  currencies: z.object({ before: z.string(), after: z.string() }),
  waiting: z.int().describe('Applications that await approval, and stay so'),
  offered: z.int().describe('Open terms that keep their price and rules'),
})
export type MembershipTypePreview = z.infer<typeof MembershipTypePreview>

// Memberships -----------------------------------------------------------------------------------------------------------------------

export const MembershipStatus = z.enum([
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
])
export type MembershipStatus = z.infer<typeof MembershipStatus>

/** What can count of somebody; applications that came to nothing do not. */
export const MembershipStanding = MembershipStatus.exclude(['declined', 'withdrawn'])
export type MembershipStanding = z.infer<typeof MembershipStanding>

export const MembershipOfRow = z
  .object({
    id: Id,
    type: z.object({ id: Id, name: z.string() }),
    status: MembershipStanding.describe('The status, or the override while there is one'),
    startsOn: CalendarDate.nullable().describe('First day of the last paid term'),
    endsOn: CalendarDate.nullable().describe('Last day of the last paid term; null for a lifetime'),
    autoRenew: z.boolean(),
  })
  .describe('The membership that counts: an active one before one in grace, before one that is over')
export type MembershipOfRow = z.infer<typeof MembershipOfRow>

export const MembershipTerm = z.object({
  id: Id,
  status: z.enum(['open', 'settled', 'void']).describe('open: offered, not paid yet; void: its money went back'),
  startsOn: CalendarDate.nullable(),
  endsOn: CalendarDate.nullable().describe('Null of a lifetime and of a term that is not settled'),
  settledOn: CalendarDate.nullable(),
  price: Money,
})
export type MembershipTerm = z.infer<typeof MembershipTerm>

export const MembershipOverride = z.object({
  status: z.enum(['active', 'grace', 'lapsed', 'suspended']),
  until: CalendarDate.describe('Last day on which it counts'),
  reason: z.string(),
})

export const MembershipMay = z
  .object({
    decide: z.boolean().describe('Approve or decline'),
    renew: z.boolean(),
    cancel: z.boolean(),
    suspend: z.boolean(),
    resume: z.boolean(),
    change: z.boolean().describe('Change type and chapter, set an override'),
    changeType: z.boolean().describe('Change the type, as a member to one that can be joined without approval'),
    autoRenew: z.boolean(),
    withdraw: z.boolean(),
    leaveNow: z.boolean().describe('Cancel today, and not only at the end of the term'),
    keep: z.boolean().describe('Take a cancellation for a later day back'),
  })
  .describe('What the caller may do with it; screens offer nothing else')

export const HeldMembership = z.object({
  id: Id,
  person: PersonRef,
  type: z.object({ id: Id, name: z.string() }),
  chapter: ChapterRef.nullable(),
  status: MembershipStatus,
  counts: MembershipStatus.describe('The status, or the override while there is one'),
  override: MembershipOverride.nullable(),
  autoRenew: z.boolean(),
  startsOn: CalendarDate.nullable().describe('First day of the first term'),
  endsOn: CalendarDate.nullable().describe('Last day of the last settled term; null for a lifetime'),
  graceUntil: CalendarDate.nullable(),
  leavesOn: CalendarDate.nullable().describe('Last day of a membership that was cancelled ahead'),
  paidOn: CalendarDate.nullable().describe('When the last term was settled'),
  owed: Money.nullable().describe('Price of the term that is open'),
  answers: z.array(z.object({ question: z.string(), answer: z.string() })),
  reason: z.string().describe('Why it was declined, cancelled or suspended'),
  appliedAt: Instant,
  decidedAt: Instant.nullable(),
  may: MembershipMay,
  version: Version,
})
export type HeldMembership = z.infer<typeof HeldMembership>
export const HeldMembershipDetail = HeldMembership.extend({ terms: z.array(MembershipTerm).describe('Newest first; at most 100') })
export type HeldMembershipDetail = z.infer<typeof HeldMembershipDetail>

const MembershipChange = z.strictObject({ typeId: Id, chapterId: Id.nullable() }).partial()
const Outlook = z.object({
  status: MembershipStatus,
  endsOn: CalendarDate.nullable().describe('Last day that is paid for'),
  next: z
    .object({
      amount: z.int(),
      currency: z.string(),
      chapterShare: z.int().describe('Of the amount, for the chapter of the membership'),
      on: CalendarDate.describe('Day on which it is charged'),
      startsOn: CalendarDate.nullable().describe('First day of the term; null where it starts on the day of payment'),
      endsOn: CalendarDate.nullable().describe('Last day of the term; null of a lifetime and where the first day is not known'),
    })
    .nullable()
    .describe('The term that is charged next; null where none is charged without somebody renewing it'),
})
export const MembershipChangePreview = z.object({
  before: Outlook,
  after: Outlook,
  invoices: z
    .array(
      z.object({
        number: z.string().nullable().describe('Null of a draft'),
        total: Money,
        paid: z.int().describe('Of the total, in its currency'),
        effect: z.enum(['void', 'stays']).describe('stays: it was paid in part, or the change leaves it alone'),
      }),
    )
    .describe('Unpaid invoices for the next term'),
})
export type MembershipChangePreview = z.infer<typeof MembershipChangePreview>

export const MembershipListInput = z
  .strictObject({
    status: MembershipStatus.optional(),
    typeId: Id.optional(),
    chapterId: Id.optional().describe('With the chapters below it'),
    endsBy: CalendarDate.optional().describe('Whose last term ends on this day or before'),
    mineToDecide: z.boolean().optional().describe('Only applications that you may decide'),
    overridden: z.boolean().optional().describe('Only those with an override'),
    cursor: Cursor.optional(),
    limit: Limit.optional(),
  })
  .meta({ examples: [{ status: 'awaiting_approval' }] })

const Answers = z.array(z.strictObject({ question: text(200, 1), answer: lines(2000) })).max(5)
export const MembershipApplication = z
  .strictObject({ typeId: Id, chapterId: Id.nullable(), answers: Answers.default([]), autoRenew: z.boolean().default(true) })
  .meta({ examples: [{ typeId: '01920000-0000-7000-8000-000000000007', chapterId: null }] })
export const NewMembershipOfPerson = z
  .strictObject({ personId: Id, typeId: Id, chapterId: Id.nullable(), autoRenew: z.boolean().default(true) })
  .meta({
    examples: [{ personId: '01920000-0000-7000-8000-000000000002', typeId: '01920000-0000-7000-8000-000000000007', chapterId: null }],
  })
const OneMembership = z.strictObject({ membershipId: Id })
const WithReason = OneMembership.extend({ reason: text(500) })

export const MembershipRun = z.object({
  overridesEnded: z.int(),
  toGrace: z.int(),
  lapsed: z.int(),
  renewalsOpened: z.int(),
  renewedFree: z.int(),
  invoices: z.int(),
  continues: z.boolean().meta({ description: 'Whether the rest is done in the background' }),
})
export type MembershipRun = z.infer<typeof MembershipRun>

// Lifecycles that were set by hand ----------------------------------------------------------------------------------------------------

export const LifecycleOverride = z.object({
  person: PersonRef,
  lifecycle: z.enum(['prospect', 'active', 'alumni', 'former']).describe('Set by hand, against what the memberships say'),
  until: CalendarDate.describe('Last day on which it holds'),
  reason: z.string(),
  setBy: z.string().nullable().describe('Who set it, by name; null where the name may not be seen'),
  setAt: Instant,
  may: z.object({ end: z.boolean() }),
})
export type LifecycleOverride = z.infer<typeof LifecycleOverride>
export const LifecycleOverrideListInput = z
  .strictObject({
    personId: Id.optional(),
    chapterId: Id.optional().describe('Of people who belong to it, with the chapters below it'),
    cursor: Cursor.optional(),
    limit: Limit.optional(),
  })
  .meta({ examples: [{}] })

// Transfers -------------------------------------------------------------------------------------------------------------------------

export const TransferState = z
  .enum(['requested', 'source_ok', 'target_ok', 'approved', 'completed', 'rejected', 'withdrawn'])
  .describe('source_ok, target_ok: one chapter has approved it; approved: both have, and the day is still to come')
export type TransferState = z.infer<typeof TransferState>

export const Transfer = z.object({
  id: Id,
  person: PersonRef,
  from: ChapterRef,
  to: ChapterRef,
  state: TransferState,
  movesOn: CalendarDate.describe('First day in the new chapter that was asked for'),
  note: z.string(),
  reason: z.string().describe('Why it was rejected'),
  requestedAt: Instant,
  sourceAt: Instant.nullable().describe('When the chapter that the person leaves approved it'),
  targetAt: Instant.nullable().describe('When the chapter that the person goes to approved it'),
  completedOn: CalendarDate.nullable(),
  may: z.object({ approve: z.boolean(), reject: z.boolean(), withdraw: z.boolean() }),
  version: Version,
})
export type Transfer = z.infer<typeof Transfer>

export const NewTransfer = z
  .strictObject({
    personId: Id.optional().describe('Yourself without one'),
    toChapterId: Id,
    movesOn: CalendarDate.describe('From today to a year from now'),
    note: lines(1000).default(''),
  })
  .meta({ examples: [{ toChapterId: '01920000-0000-7000-8000-000000000003', movesOn: '2026-12-01', note: 'Moved to Lyon' }] })
export const TransferListInput = z.strictObject({
  open: z.boolean().optional().describe('Only those that have not ended'),
  chapterId: Id.optional().describe('From or to it, with the chapters below it'),
  mineToDecide: z.boolean().optional().describe('Only those that you can approve'),
  cursor: Cursor.optional(),
  limit: Limit.optional(),
})
const OneTransfer = z.strictObject({ transferId: Id })

export const membershipData = {
  lifecycles: {
    list: get('/lifecycle-overrides', 'listLifecycleOverrides', {
      needs: 'memberships.read',
      tag,
      summary: 'Lifecycles that were set by hand against what memberships say, those that end first at the top',
      readsPeople: 50,
    })
      .input(LifecycleOverrideListInput)
      .output(page(LifecycleOverride)),
    end: del('/people/{personId}/lifecycle-override', 'endLifecycleOverride', {
      needs: 'memberships.manage',
      tag,
      summary: 'End a lifecycle that was set by hand today; the memberships decide again',
    }).input(z.strictObject({ personId: Id })),
  },
  transfers: {
    list: get('/transfers', 'listTransfers', {
      needs: 'memberships.read',
      tag,
      summary: 'Transfers between chapters that you may see, the newest first',
      readsPeople: 50,
    })
      .input(TransferListInput)
      .output(page(Transfer)),
    ofPerson: get('/people/{personId}/transfers', 'listTransfersOfPerson', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Transfers of a person between chapters, the newest first',
    })
      .input(z.strictObject({ personId: Id }))
      .output(z.object({ items: z.array(Transfer), may: z.object({ request: z.boolean() }) })),
    request: post('/transfers', 'requestTransfer', {
      needs: 'signed-in',
      tag,
      perHour: 20,
      summary: 'Ask for a transfer to another chapter, for yourself or, as an officer of either chapter, for a member',
      description: 'A chapter that you decide for has approved it with that. Officers of both chapters are told.',
    })
      .input(NewTransfer)
      .output(Transfer),
    approve: act('/transfers/{transferId}/approve', 'approveTransfer', {
      needs: 'memberships.manage',
      tag,
      summary: 'Approve a transfer for each chapter that you decide for; approved by both, it takes place on its day',
    })
      .input(OneTransfer)
      .output(Transfer),
    reject: act('/transfers/{transferId}/reject', 'rejectTransfer', {
      needs: 'memberships.manage',
      tag,
      summary: 'Reject a transfer that has not taken place, with a reason',
    })
      .input(OneTransfer.extend({ reason: text(500, 1) }).meta({ examples: [{ reason: 'Dues are open' }] }))
      .output(Transfer),
    withdraw: act('/transfers/{transferId}/withdraw', 'withdrawTransfer', {
      needs: 'signed-in',
      tag,
      summary: 'Withdraw a transfer that you asked for, before it takes place',
    })
      .input(OneTransfer)
      .output(Transfer),
  },
  types: {
    list: get('/membership-types', 'listMembershipTypes', {
      needs: 'signed-in',
      whileActing: true,
      tag,
      summary: 'Membership types with their prices and rules',
    })
      .input(z.strictObject({ archived: z.boolean().optional() }))
      .output(z.object({ items: z.array(MembershipType) })),
    create: post('/membership-types', 'createMembershipType', { needs: 'memberships.manage', tag, summary: 'Add a membership type' })
      .input(NewMembershipType)
      .output(MembershipType),
    update: patch('/membership-types/{typeId}', 'updateMembershipType', {
      needs: 'memberships.manage',
      tag,
      summary: 'Change a membership type; terms that exist keep their price and rules',
    })
      .input(MembershipTypeChange.extend(OneType.shape))
      .output(MembershipType),
    preview: post('/membership-types/{typeId}/preview', 'previewMembershipType', {
      needs: 'memberships.manage',
      tag,
      status: 200,
      perHour: 600,
      summary: 'What a change of a membership type would charge whom and when; nothing is changed',
    })
      .input(MembershipTypeChange.extend(OneType.shape))
      .output(MembershipTypePreview),
    archive: act('/membership-types/{typeId}/archive', 'archiveMembershipType', {
      needs: 'memberships.manage',
      tag,
      summary: 'Archive a membership type: nobody can choose or renew it',
    })
      .input(OneType)
      .output(MembershipType),
    restore: act('/membership-types/{typeId}/restore', 'restoreMembershipType', {
      needs: 'memberships.manage',
      tag,
      summary: 'Restore an archived membership type',
    })
      .input(OneType)
      .output(MembershipType),
  },
  list: get('/memberships', 'listHeldMemberships', {
    needs: 'memberships.read',
    tag,
    summary: 'Memberships and applications that you may see, the newest first',
    readsPeople: 50,
  })
    .input(MembershipListInput)
    .output(page(HeldMembership)),
  ofPerson: get('/people/{personId}/held-memberships', 'listHeldMembershipsOfPerson', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Memberships of a person with their terms, the newest first',
  })
    .input(z.strictObject({ personId: Id }))
    .output(z.object({ items: z.array(HeldMembershipDetail), may: z.object({ add: z.boolean() }) })),
  mine: get('/memberships/mine', 'listMyMemberships', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Your memberships with their terms, and the types that you can choose',
  }).output(z.object({ items: z.array(HeldMembershipDetail), types: z.array(MembershipType) })),
  get: get('/memberships/{membershipId}', 'getHeldMembership', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'A membership with its terms',
  })
    .input(OneMembership)
    .output(HeldMembershipDetail),
  apply: post('/memberships/applications', 'applyForMembership', {
    needs: 'signed-in',
    tag,
    perHour: 20,
    summary: 'Apply for a membership for yourself',
    description: 'An account without a person gets one with the name and address of the account.',
  })
    .input(MembershipApplication)
    .output(HeldMembershipDetail),
  add: post('/memberships', 'addHeldMembership', {
    needs: 'memberships.manage',
    tag,
    summary: 'Give a person a membership; it counts once its first term is paid, at once when it is free',
  })
    .input(NewMembershipOfPerson)
    .output(HeldMembershipDetail),
  update: patch('/memberships/{membershipId}', 'updateHeldMembership', {
    needs: 'signed-in',
    tag,
    summary: 'Change auto-renewal, or type and chapter from the next term on; an unpaid invoice for that term is replaced',
  })
    .input(
      MembershipChange.extend({ autoRenew: z.boolean().optional() })
        .extend(OneMembership.shape)
        .meta({ examples: [{ membershipId: '01920000-0000-7000-8000-000000000008', autoRenew: false }] }),
    )
    .output(HeldMembershipDetail),
  preview: post('/memberships/{membershipId}/preview', 'previewHeldMembership', {
    needs: 'signed-in',
    tag,
    status: 200,
    perHour: 600,
    summary: 'What another type or chapter would charge and when, and what becomes of unpaid invoices; nothing is changed',
  })
    .input(
      MembershipChange.extend(OneMembership.shape).meta({
        examples: [{ membershipId: '01920000-0000-7000-8000-000000000008', typeId: '01920000-0000-7000-8000-000000000007' }],
      }),
    )
    .output(MembershipChangePreview),
  approve: act('/memberships/{membershipId}/approve', 'approveMembership', {
    needs: 'memberships.manage',
    tag,
    summary: 'Approve an application; what officers of a chapter apply for is decided by the chapter above',
  })
    .input(OneMembership)
    .output(HeldMembershipDetail),
  decline: act('/memberships/{membershipId}/decline', 'declineMembership', {
    needs: 'memberships.manage',
    tag,
    summary: 'Decline an application',
  })
    .input(WithReason)
    .output(HeldMembershipDetail),
  withdraw: act('/memberships/{membershipId}/withdraw', 'withdrawMembership', {
    needs: 'signed-in',
    tag,
    summary: 'Withdraw an application that is not approved or not paid yet',
  })
    .input(OneMembership)
    .output(HeldMembershipDetail),
  renew: post('/memberships/{membershipId}/renew', 'renewMembership', {
    needs: 'signed-in',
    tag,
    status: 200,
    summary: 'Open the next term: it starts the day after the running one once it is paid, at once when it is free',
  })
    .input(OneMembership)
    .output(HeldMembershipDetail),
  cancel: act('/memberships/{membershipId}/cancel', 'cancelMembership', {
    needs: 'signed-in',
    tag,
    summary: 'Cancel a membership today or for a later day; its unpaid renewal is void',
  })
    .input(
      WithReason.extend({ lastDay: CalendarDate.optional().describe('Its last day; without one it ends today') }).meta({
        examples: [{ membershipId: '01920000-0000-7000-8000-000000000008', reason: 'Moved away' }],
      }),
    )
    .output(HeldMembershipDetail),
  keep: act('/memberships/{membershipId}/keep', 'keepMembership', {
    needs: 'signed-in',
    tag,
    summary: 'Take the cancellation of a membership for a later day back',
  })
    .input(OneMembership)
    .output(HeldMembershipDetail),
  suspend: act('/memberships/{membershipId}/suspend', 'suspendMembership', {
    needs: 'memberships.manage',
    tag,
    summary: 'Pause a membership',
  })
    .input(WithReason)
    .output(HeldMembershipDetail),
  resume: act('/memberships/{membershipId}/resume', 'resumeMembership', {
    needs: 'memberships.manage',
    tag,
    summary: 'End the pause of a membership',
  })
    .input(OneMembership)
    .output(HeldMembershipDetail),
  override: act('/memberships/{membershipId}/override', 'overrideMembership', {
    needs: 'memberships.manage',
    tag,
    summary: 'Let another status count until a day, for a reason; null ends that',
  })
    .input(
      OneMembership.extend({
        override: z.strictObject({ status: MembershipOverride.shape.status, until: CalendarDate, reason: text(500, 1) }).nullable(),
      }).meta({
        examples: [
          {
            membershipId: '01920000-0000-7000-8000-000000000008',
            override: { status: 'active', until: '2099-12-31', reason: 'Paid in cash, receipt follows' },
          },
        ],
      }),
    )
    .output(HeldMembershipDetail),
  figures: get('/memberships/figures', 'countMemberships', {
    needs: 'memberships.read',
    tag,
    summary: 'How many memberships end soon, are in their grace period, and have lapsed this month; 10,001 stands for more',
  })
    .input(z.strictObject({ chapterId: Id.optional().describe('With the chapters below it') }))
    .output(z.object({ ending: z.int().describe('Within 30 days'), grace: z.int(), lapsed: z.int().describe('This month') })),
  run: post('/memberships/run', 'runMemberships', {
    needs: 'memberships.manage',
    tag,
    status: 200,
    perHour: 20,
    summary: 'Do now what the calendar does every night: end terms and grace, open renewals',
  }).output(MembershipRun),
}
