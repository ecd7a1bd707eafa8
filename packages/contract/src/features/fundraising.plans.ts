import * as z from 'zod'
import { act, get } from '../base.ts'
import { CalendarDate, ChapterRef, Id, Instant, ListInput, Money, PersonRef, Version, page, text } from '../shapes.ts'
import { FundRef, GiftMoney } from './fundraising.ts'
import { CampaignRef, GiftInterval } from './fundraising.gifts.ts'

const tag = 'Fundraising'

export const PlanStatus = z.enum(['pending', 'active', 'past_due', 'paused', 'cancelled', 'completed'])
export type PlanStatus = z.infer<typeof PlanStatus>

export const Plan = z.object({
  id: Id,
  donor: PersonRef.nullable(),
  donorName: z.string(),
  campaign: CampaignRef.nullable(),
  fund: FundRef,
  chapter: ChapterRef.nullable(),
  money: Money,
  interval: GiftInterval,
  status: PlanStatus,
  startedOn: CalendarDate.nullable(),
  nextOn: CalendarDate.nullable().describe('When it is charged next'),
  retryOn: CalendarDate.nullable().describe('When a charge that failed is tried again'),
  failures: z.int(),
  pausedUntil: CalendarDate.nullable(),
  endsOn: CalendarDate.nullable(),
  given: Money.describe('What it has brought so far, less refunds'),
  gifts: z.int(),
  card: z.object({ brand: z.string(), last4: z.string(), expMonth: z.int(), expYear: z.int() }).nullable(),
  stoppedAt: Instant.nullable(),
  stoppedBy: z.enum(['donor', 'office', 'failures']).nullable(),
  stopReason: z.string(),
  createdAt: Instant,
  version: Version,
  may: z.object({ change: z.boolean(), stop: z.boolean() }),
})
export type Plan = z.infer<typeof Plan>

/** What recurring gifts can be filtered by. */
export const plansFilterFields = {
  status: { kind: 'choice', options: PlanStatus.options },
  interval: { kind: 'choice', options: GiftInterval.options },
  campaign: { kind: 'id', of: 'campaign' },
  fund: { kind: 'id', of: 'fund' },
  nextOn: { kind: 'date' },
  money: { kind: 'number' },
} as const

export const PlanListInput = ListInput.extend({
  campaignId: Id.optional(),
  personId: Id.optional(),
  chapterId: Id.optional().describe('Of this chapter and those below it'),
  q: z.string().max(200).optional().describe('The donor'),
  sort: z.string().max(40).optional().describe('created, nextOn or money; -created unless stated'),
}).meta({ examples: [{ filter: '{"and":[{"or":[{"field":"status","op":"in","value":["past_due"]}]}]}' }] })
const OnePlan = z.strictObject({ planId: Id })

export const fundraisingPlansData = {
  list: get('/recurring-gifts', 'listRecurringGifts', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 50,
    tag,
    summary: 'Recurring gifts that you may see, your own among them; the newest first unless stated',
  })
    .input(PlanListInput)
    .output(page(Plan)),
  get: get('/recurring-gifts/{planId}', 'getRecurringGift', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 1,
    tag,
    summary: 'A recurring gift',
  })
    .input(OnePlan)
    .output(Plan),
  change: act('/recurring-gifts/{planId}/change', 'changeRecurringGift', {
    needs: 'signed-in',
    tag,
    summary: 'Change the amount of a recurring gift from the next time on: your own, or with gifts.manage',
  })
    .input(OnePlan.extend({ money: GiftMoney }).meta({ examples: [{ money: { amount: 3000, currency: 'EUR' } }] }))
    .output(Plan),
  pause: act('/recurring-gifts/{planId}/pause', 'pauseRecurringGift', {
    needs: 'signed-in',
    tag,
    summary: 'Pause a recurring gift, until a day or until it is resumed',
  })
    .input(OnePlan.extend({ until: CalendarDate.nullable().default(null) }).meta({ examples: [{ until: '2027-03-01' }] }))
    .output(Plan),
  resume: act('/recurring-gifts/{planId}/resume', 'resumeRecurringGift', {
    needs: 'signed-in',
    tag,
    summary: 'Resume a paused recurring gift',
  })
    .input(OnePlan)
    .output(Plan),
  stop: act('/recurring-gifts/{planId}/stop', 'stopRecurringGift', {
    needs: 'signed-in',
    tag,
    summary: 'Stop a recurring gift for good; what was given stays given',
  })
    .input(OnePlan.extend({ reason: text(300).default('') }).meta({ examples: [{ reason: 'Asked by telephone' }] }))
    .output(Plan),
  retry: act('/recurring-gifts/{planId}/retry', 'retryRecurringGift', {
    needs: 'gifts.manage',
    perHour: 60,
    tag,
    summary: 'Try a charge that failed again now instead of on the day planned',
  })
    .input(OnePlan)
    .output(Plan),
}
