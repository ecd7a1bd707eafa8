import * as z from 'zod'
import { act, get, patch, post } from '../base.ts'
import { FormattedText, formattedText } from '../formatted-text.ts'
import { refusal } from '../reasons.ts'
import { CalendarDate, ChapterRef, Currency, Id, Instant, ListInput, Money, Version, lines, page, text } from '../shapes.ts'

const tag = 'Fundraising'

/** Amounts that somebody gives or wants to raise: never nothing, and so small that thousands of them still add up exactly. */
export const mostMoney = 1_000_000_000_000
const Positive = z.int().min(1).max(mostMoney)
export const GiftMoney = Money.extend({ amount: Positive })

// Funds -----------------------------------------------------------------------------------------------------------------------------

export const FundRef = z.object({ id: Id, name: z.string() })
export type FundRef = z.infer<typeof FundRef>
export const Fund = FundRef.extend({
  code: z.string().describe('What accounting calls it'),
  description: z.string(),
  chapter: ChapterRef.nullable().describe('Null for the whole organisation'),
  settled: z.array(Money).describe('What gifts brought it, less refunds, by currency'),
  gifts: z.int(),
  archivedAt: Instant.nullable(),
  version: Version,
  may: z.object({ edit: z.boolean() }),
})
export type Fund = z.infer<typeof Fund>
const FundFacts = { name: text(150, 1), code: text(40), description: lines(2000), chapterId: Id.nullable() }
export const NewFund = z
  .strictObject({ ...z.strictObject(FundFacts).partial().shape, name: FundFacts.name })
  .meta({ examples: [{ name: 'Scholarships', code: '4100' }] })
export type NewFund = z.infer<typeof NewFund>
export const FundChange = z
  .strictObject(FundFacts)
  .partial()
  .meta({ examples: [{ description: 'Grants for students' }] })
export type FundChange = z.infer<typeof FundChange>
const OneFund = z.strictObject({ fundId: Id })

// Campaigns -------------------------------------------------------------------------------------------------------------------------

export const CampaignStatus = z.enum(['draft', 'active', 'paused', 'ended'])
export type CampaignStatus = z.infer<typeof CampaignStatus>
export const CampaignKind = z.enum(['appeal', 'crowdfund', 'memorial', 'membership'])
export type CampaignKind = z.infer<typeof CampaignKind>
export const GoalKind = z.enum(['amount', 'gifts', 'donors', 'recurring'])
export type GoalKind = z.infer<typeof GoalKind>
export const CampaignVisibility = z.enum(['public', 'unlisted', 'members'])
export type CampaignVisibility = z.infer<typeof CampaignVisibility>

/** What a campaign came to. Pledged, settled and refunded stand apart; only settled less refunded is raised. Test payments never count. */
export const CampaignTotals = z.object({
  settled: z.int().describe('What was given, before refunds, in the smallest unit of the campaign’s currency'),
  refunded: z.int(),
  raised: z.int().describe('Settled less refunded'),
  pledged: z.int().describe('Promised in open pledges and not paid yet'),
  gifts: z.int(),
  donors: z.int(),
  recurring: z.int().describe('What active recurring gifts come to in a month'),
  recurringGifts: z.int().describe('How many of them'),
  averageGift: z.int().nullable(),
  lastGiftAt: Instant.nullable(),
})
export type CampaignTotals = z.infer<typeof CampaignTotals>

export const CampaignsListInput = ListInput.extend({
  filter: ListInput.shape.filter.describe(
    'JSON of conditions on name, status, kind, chapter (with those below), startsOn, endsOn, raised (whole units), createdAt and archived',
  ),
  sort: ListInput.shape.sort.describe('name (default), status, startsOn, endsOn, raised, createdAt, match; "-" in front reverses it'),
}).meta({ examples: [{ q: 'spring', sort: '-createdAt' }] })

export const CampaignRow = z.object({
  id: Id,
  name: z.string(),
  slug: z.string().describe('In the address of its page: /public/giving/{slug}'),
  kind: CampaignKind,
  status: CampaignStatus,
  visibility: CampaignVisibility,
  chapter: ChapterRef.nullable().describe('Null for the whole organisation'),
  currency: z.string(),
  goalKind: GoalKind,
  goal: z.int().nullable().describe('Minor units where the goal is an amount, or what recurring gifts come to in a month; else a count'),
  reached: z.int().describe('How far it is towards the goal, in the same unit'),
  startsOn: CalendarDate.nullable(),
  endsOn: CalendarDate.nullable(),
  summary: z.string(),
  coverFileId: Id.nullable().describe('Its picture, for getPicture'),
  coverAlt: z.string(),
  totals: CampaignTotals,
  archivedAt: Instant.nullable(),
  createdAt: Instant,
  version: Version,
})
export type CampaignRow = z.infer<typeof CampaignRow>

export const SuggestedAmount = z.strictObject({
  amount: Positive,
  words: text(80).describe('What it makes possible: “feeds a family for a week”'),
})
export type SuggestedAmount = z.infer<typeof SuggestedAmount>

export const Campaign = CampaignRow.extend({
  story: FormattedText,
  suggested: z.array(SuggestedAmount),
  minAmount: z.int(),
  maxAmount: z.int().nullable(),
  allowsRecurring: z.boolean(),
  allowsCoverFees: z.boolean(),
  fund: FundRef.nullable().describe('Where gifts go unless the donor chooses another fund'),
  funds: z.array(FundRef).describe('Which funds donors may choose instead'),
  thanks: z.string().describe('What donors read when they have given, on the page and in the mail'),
  share: z
    .object({ chapter: ChapterRef, bps: z.int() })
    .nullable()
    .describe('What a chapter has of each gift, in hundredths of a percent; donors see it'),
  givingUrl: z.url().describe('The page on which anybody gives'),
  updatedAt: Instant,
  may: z.object({
    edit: z.boolean(),
    give: z.boolean().describe('Takes gifts now'),
    record: z.boolean().describe('Offline gifts'),
    seeGifts: z.boolean(),
    manageGifts: z.boolean(),
  }),
})
export type Campaign = z.infer<typeof Campaign>

const slug = z
  .string()
  .max(80)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'Use small letters, digits and single hyphens.')
const Facts = {
  name: text(150, 1),
  slug: slug.describe('Made from the name unless stated'),
  kind: CampaignKind,
  chapterId: Id.nullable(),
  currency: Currency.describe('The organisation’s unless stated; fixed after the first gift'),
  goalKind: GoalKind,
  goal: Positive.nullable(),
  startsOn: CalendarDate.nullable(),
  endsOn: CalendarDate.nullable(),
  visibility: CampaignVisibility,
  summary: text(300),
  story: formattedText(),
  coverFileId: Id.nullable().describe('A picture uploaded with setPicture for this campaign'),
  coverAlt: text(300),
  suggested: z.array(SuggestedAmount).max(6),
  minAmount: Positive,
  maxAmount: Positive.nullable(),
  allowsRecurring: z.boolean(),
  allowsCoverFees: z.boolean(),
  fundId: Id.nullable(),
  fundIds: z.array(Id).max(20).describe('Which funds donors may choose instead of the default one'),
  thanks: lines(1000),
  shareChapterId: Id.nullable(),
  shareBps: z.int().min(0).max(10_000),
}
const datesInOrder = refusal('dates', 'The last day comes before the first.')
const inOrder = ({ startsOn, endsOn }: { startsOn?: string | null | undefined; endsOn?: string | null | undefined }) =>
  !startsOn || !endsOn || startsOn <= endsOn
export const NewCampaign = z
  .strictObject({ ...z.strictObject(Facts).partial().shape, name: Facts.name })
  .refine(inOrder, { ...datesInOrder, path: ['endsOn'] })
  .meta({ examples: [{ name: 'Spring appeal', goalKind: 'amount', goal: 2_500_000, endsOn: '2027-05-31' }] })
export type NewCampaign = z.infer<typeof NewCampaign>
export const CampaignChange = z
  .strictObject(Facts)
  .partial()
  .meta({ examples: [{ goal: 3_000_000 }] })
export type CampaignChange = z.infer<typeof CampaignChange>
const OneCampaign = z.strictObject({ campaignId: Id })

export const CampaignOverview = z.object({
  campaign: CampaignRow,
  line: z
    .array(
      z.object({
        day: CalendarDate,
        raised: z.int().describe('Since the beginning, up to this day'),
        before: z.int().nullable().describe('The same a year earlier'),
      }),
    )
    .describe('One point for each day with gifts, at most 400; weeks where there are more'),
  sizes: z.array(z.object({ from: z.int(), to: z.int().nullable(), gifts: z.int() })).describe('How many gifts of which size'),
  funds: z.array(z.object({ fund: FundRef, raised: z.int() })),
  latest: z
    .array(
      z.object({
        id: Id.nullable().describe('Null for who may not see gifts'),
        name: z.string().nullable().describe('Null where the donor is anonymous or not yours to see'),
        money: Money,
        at: Instant,
        isRecurring: z.boolean(),
      }),
    )
    .describe('The latest twenty gifts'),
  milestones: z
    .array(z.object({ percent: z.int(), reachedOn: CalendarDate.nullable() }))
    .describe('A quarter, half, three quarters and all of the goal'),
  daysLeft: z.int().nullable(),
})
export type CampaignOverview = z.infer<typeof CampaignOverview>

/** What all campaigns came to, in the organisation’s currency. */
export const FundraisingFigures = z.object({
  currency: z.string(),
  raised: z.int(),
  settled: z.int(),
  refunded: z.int(),
  pledged: z.int(),
  gifts: z.int(),
  donors: z.int(),
  averageGift: z.int().nullable(),
  recurring: z.int().describe('What active recurring gifts come to in a month'),
  retained: z.number().nullable().describe('Which part of last year’s donors gave this year; 0 to 1'),
  before: z
    .object({
      raised: z.int(),
      gifts: z.int(),
      donors: z.int(),
      recurring: z.int().describe('What recurring gifts came to in a month when the period began'),
      retained: z.number().nullable().describe('Which part of the donors of the year before last gave last year'),
    })
    .describe('The same of the period before, of equal length'),
})
export type FundraisingFigures = z.infer<typeof FundraisingFigures>
const Period = { since: CalendarDate.optional().describe('The first of January unless stated'), until: CalendarDate.optional() }

export const fundraisingCampaigns = {
  list: get('/campaigns', 'listCampaigns', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Campaigns that you may see, a page at a time; archived ones only with the filter archived',
  })
    .input(CampaignsListInput)
    .output(page(CampaignRow)),
  figures: get('/fundraising/figures', 'getFundraisingFigures', {
    needs: 'fundraising.read',
    tag,
    summary: 'What gifts came to in a period, in a chapter and those below it, with the period before',
  })
    .input(z.strictObject({ ...Period, chapterId: Id.optional() }))
    .output(FundraisingFigures),
  create: post('/campaigns', 'createCampaign', { needs: 'fundraising.manage', tag, summary: 'Create a campaign, as a draft' })
    .input(NewCampaign)
    .output(Campaign),
  get: get('/campaigns/{campaignId}', 'getCampaign', {
    needs: 'fundraising.read',
    whileActing: true,
    tag,
    summary: 'A campaign, what it came to, and what you may do with it',
  })
    .input(OneCampaign)
    .output(Campaign),
  overview: get('/campaigns/{campaignId}/overview', 'getCampaignOverview', {
    needs: 'fundraising.read',
    whileActing: true,
    tag,
    readsPeople: 20,
    summary: 'How a campaign goes: the line towards its goal and that of a year before, sizes, funds, and the latest gifts',
  })
    .input(OneCampaign)
    .output(CampaignOverview),
  update: patch('/campaigns/{campaignId}', 'updateCampaign', {
    needs: 'fundraising.manage',
    tag,
    summary: 'Change a campaign; what is left out stays',
  })
    .input(CampaignChange.extend(OneCampaign.shape).refine(inOrder, { ...datesInOrder, path: ['endsOn'] }))
    .output(Campaign),
  move: act('/campaigns/{campaignId}/status', 'moveCampaign', {
    needs: 'fundraising.manage',
    tag,
    summary: 'Start, pause, resume or end a campaign',
  })
    .input(OneCampaign.extend({ status: CampaignStatus.exclude(['draft']) }).meta({ examples: [{ status: 'active' }] }))
    .output(Campaign),
  copy: post('/campaigns/{campaignId}/copy', 'copyCampaign', {
    needs: 'fundraising.manage',
    tag,
    summary: 'Make a draft with the texts, amounts and funds of a campaign',
  })
    .input(OneCampaign.extend({ name: text(150, 1) }).meta({ examples: [{ name: 'Spring appeal 2027' }] }))
    .output(Campaign),
  archive: act('/campaigns/{campaignId}/archive', 'archiveCampaign', {
    needs: 'fundraising.manage',
    tag,
    summary: 'Archive a campaign; it keeps its gifts and its history',
  })
    .input(OneCampaign)
    .output(Campaign),
  restore: act('/campaigns/{campaignId}/restore', 'restoreCampaign', {
    needs: 'fundraising.manage',
    tag,
    summary: 'Restore an archived campaign',
  })
    .input(OneCampaign)
    .output(Campaign),
}

export const fundraisingFunds = {
  list: get('/funds', 'listFunds', { needs: 'fundraising.read', whileActing: true, tag, summary: 'Funds, by name' })
    .input(z.strictObject({ archived: z.boolean().optional() }))
    .output(z.object({ items: z.array(Fund).describe('At most 500') })),
  create: post('/funds', 'createFund', { needs: 'fundraising.manage', tag, summary: 'Add a fund' }).input(NewFund).output(Fund),
  update: patch('/funds/{fundId}', 'updateFund', { needs: 'fundraising.manage', tag, summary: 'Change a fund' })
    .input(FundChange.extend(OneFund.shape))
    .output(Fund),
  archive: act('/funds/{fundId}/archive', 'archiveFund', {
    needs: 'fundraising.manage',
    tag,
    summary: 'Archive a fund: it takes no new gifts and keeps what it has',
  })
    .input(OneFund)
    .output(Fund),
  restore: act('/funds/{fundId}/restore', 'restoreFund', { needs: 'fundraising.manage', tag, summary: 'Restore an archived fund' })
    .input(OneFund)
    .output(Fund),
}

// Settings --------------------------------------------------------------------------------------------------------------------------

const SettingsFacts = {
  feeBps: z.int().min(0).max(2000).describe('What the payment provider takes of a gift, in hundredths of a percent; donors may cover it'),
  feeFixed: z.int().min(0).max(100_000).describe('What it takes on top for each gift, in the smallest unit'),
  maxAmount: Positive.nullable().describe('No single gift by card is larger'),
  thankYouDays: z.int().min(1).max(90).describe('Within how many days every donor should be thanked by a person'),
  thankYouSubject: text(150, 1),
  thankYouBody: lines(2000, 1).describe('The draft; {first_name}, {amount}, {campaign} and {organisation} are filled in'),
}
export const FundraisingSettings = z.object({
  feeBps: z.int(),
  feeFixed: z.int(),
  maxAmount: z.int().nullable(),
  thankYouDays: z.int(),
  thankYouSubject: z.string(),
  thankYouBody: z.string(),
  takesCards: z.boolean().describe('Whether a payment provider is configured'),
  mayEdit: z.boolean(),
  version: Version,
})
export type FundraisingSettings = z.infer<typeof FundraisingSettings>
export const FundraisingSettingsChange = z
  .strictObject(SettingsFacts)
  .partial()
  .meta({ examples: [{ feeBps: 140, feeFixed: 25 }] })
export type FundraisingSettingsChange = z.infer<typeof FundraisingSettingsChange>

export const fundraisingSettings = {
  get: get('/fundraising-settings', 'getFundraisingSettings', {
    needs: 'fundraising.read',
    tag,
    summary: 'Fees that donors may cover, the largest gift, and how donors are thanked',
  }).output(FundraisingSettings),
  update: patch('/fundraising-settings', 'updateFundraisingSettings', {
    needs: 'gifts.manage',
    tag,
    summary: 'Change the settings of fundraising',
  })
    .input(FundraisingSettingsChange)
    .output(FundraisingSettings),
}
