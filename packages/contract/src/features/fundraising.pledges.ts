import * as z from 'zod'
import { act, get, post } from '../base.ts'
import { CalendarDate, ChapterRef, Id, Instant, ListInput, Money, PersonRef, Version, lines, page, text } from '../shapes.ts'
import { FundRef, GiftMoney } from './fundraising.ts'
import { CampaignRef, GiftInterval } from './fundraising.gifts.ts'

const tag = 'Fundraising'

export const PledgeStatus = z.enum(['open', 'fulfilled', 'cancelled'])
export type PledgeStatus = z.infer<typeof PledgeStatus>
export const InstalmentState = z.enum(['due', 'overdue', 'paid', 'waived'])
export type InstalmentState = z.infer<typeof InstalmentState>
export const Instalment = z.object({
  id: Id,
  dueOn: CalendarDate,
  amount: z.int(),
  state: InstalmentState,
  giftId: Id.nullable().describe('The gift that paid it'),
})
export type Instalment = z.infer<typeof Instalment>

export const Pledge = z.object({
  id: Id,
  person: PersonRef.nullable(),
  campaign: CampaignRef.nullable(),
  fund: FundRef,
  chapter: ChapterRef.nullable(),
  money: Money,
  paid: Money,
  overdue: Money,
  status: PledgeStatus,
  pledgedOn: CalendarDate,
  nextDueOn: CalendarDate.nullable(),
  note: z.string(),
  instalments: z.array(Instalment),
  createdAt: Instant,
  version: Version,
  may: z.object({ edit: z.boolean(), pay: z.boolean().describe('Whether it is yours, so that you pay its instalments by card') }),
})
export type Pledge = z.infer<typeof Pledge>

/** What pledges can be filtered by. */
export const pledgesFilterFields = {
  status: { kind: 'choice', options: PledgeStatus.options },
  campaign: { kind: 'id', of: 'campaign' },
  fund: { kind: 'id', of: 'fund' },
  nextDueOn: { kind: 'date' },
  money: { kind: 'number' },
  overdue: { kind: 'flag' },
} as const

export const PledgeListInput = ListInput.extend({
  campaignId: Id.optional(),
  personId: Id.optional(),
  chapterId: Id.optional().describe('Of this chapter and those below it'),
  q: z.string().max(200).optional().describe('The person'),
  sort: z.string().max(40).optional().describe('created, nextDueOn or money; -created unless stated'),
}).meta({ examples: [{ filter: '{"and":[{"or":[{"field":"overdue","op":"is","value":true}]}]}' }] })

export const NewPledge = z
  .strictObject({
    personId: Id,
    campaignId: Id.nullable().default(null),
    fundId: Id.nullable().default(null).describe('The campaign’s unless stated'),
    money: GiftMoney,
    pledgedOn: CalendarDate,
    firstDueOn: CalendarDate,
    instalments: z.int().min(1).max(60).default(1).describe('They always add up to the pledge'),
    interval: GiftInterval.default('month'),
    note: lines(500).default(''),
  })
  .meta({
    examples: [
      {
        personId: '01920000-0000-7000-8000-000000000021',
        money: { amount: 100_000, currency: 'EUR' },
        pledgedOn: '2026-11-20',
        firstDueOn: '2026-12-01',
        instalments: 12,
      },
    ],
  })
export type NewPledge = z.input<typeof NewPledge>
const OnePledge = z.strictObject({ pledgeId: Id })

export const fundraisingPledgesData = {
  list: get('/pledges', 'listPledges', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 50,
    tag,
    summary: 'Pledges that you may see, your own among them; the newest first unless stated',
  })
    .input(PledgeListInput)
    .output(page(Pledge)),
  get: get('/pledges/{pledgeId}', 'getPledge', {
    needs: 'signed-in',
    whileActing: true,
    readsPeople: 1,
    tag,
    summary: 'A pledge with its instalments',
  })
    .input(OnePledge)
    .output(Pledge),
  create: post('/pledges', 'createPledge', { needs: 'gifts.manage', tag, summary: 'Record a pledge and its instalments' })
    .input(NewPledge)
    .output(Pledge),
  waive: act('/pledges/{pledgeId}/instalments/{instalmentId}/waive', 'waiveInstalment', {
    needs: 'gifts.manage',
    tag,
    summary: 'Waive an instalment that will not be paid, or make it due again',
  })
    .input(OnePledge.extend({ instalmentId: Id, waived: z.boolean() }).meta({ examples: [{ waived: true }] }))
    .output(Pledge),
  cancel: act('/pledges/{pledgeId}/cancel', 'cancelPledge', {
    needs: 'gifts.manage',
    tag,
    summary: 'Cancel what is left of a pledge',
  })
    .input(OnePledge.extend({ reason: text(300).default('') }).meta({ examples: [{ reason: 'Moved away' }] }))
    .output(Pledge),
  remind: act('/pledges/{pledgeId}/remind', 'remindPledge', {
    needs: 'gifts.manage',
    perHour: 300,
    tag,
    summary: 'Mail a friendly reminder of the instalment that is due',
  })
    .input(OnePledge)
    .output(Pledge),
}

export const fundraisingPledgesActions = {
  pay: post('/pledges/{pledgeId}/instalments/{instalmentId}/pay', 'payInstalment', {
    needs: 'signed-in',
    tag,
    status: 200,
    // Repeating it answers the same page; a key would keep a transaction open while the provider is asked.
    idempotent: false,
    perHour: 60,
    summary: 'Begin to pay an instalment of your own pledge by card: the address of the page to pay on',
  })
    .input(OnePledge.extend({ instalmentId: Id }))
    .output(z.object({ giftId: Id, url: z.url() })),
}
