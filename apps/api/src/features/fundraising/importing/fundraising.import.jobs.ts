import {
  amountOf,
  byPolicy,
  claimsOf,
  currencyOf,
  distinct,
  error,
  headerOf,
  isRejected,
  labelOf,
  peopleOrNames,
  reaches,
  readLines,
  recordId,
  referredWords,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
} from '../../imports/imports.plan.public.ts'
import type { Draft, ImportPlan, Mapped, Planned, Planner, Planning, Referred } from '../../imports/imports.plan.public.ts'
import { newId } from '../../../platform/records/new-id.ts'
import { giftsHere, giftsInUse, giftsOf, giftsTable, namedForGifts } from './fundraising.import.queries.ts'
import type { FoundCampaign, FoundFund, Named } from './fundraising.import.queries.ts'

type Allocation = { fund: FoundFund; amount: number }
/** What a row says, as far as it can be read. */
type Row = {
  draft: Draft
  label: string
  person: Referred | undefined
  donor: string
  campaign: FoundCampaign | undefined
  currency: string
  amount: number | undefined
  on: string | undefined
  allocations: Allocation[]
}
type Whole = Row & { amount: number; on: string }
const isWhole = (row: Row): row is Whole => row.amount !== undefined && row.on !== undefined && !isRejected(row.draft)

/** The id of a gift where it came from: what the row says, or its record in an export of another organisation. */
const foreignIdOf = (draft: Draft) => textOf(draft, 'foreignId') ?? recordId(textOf(draft, 'giftRecordId')) ?? ''

/** What a row is known by: its id in the other system, else who gave how much on which day for what. */
function keyOf({ draft, person, donor, campaign, currency, amount, on }: Whole): string {
  const foreign = foreignIdOf(draft)
  if (foreign !== '') return `gift:${foreign}`
  const who = person?.id ?? donor.toLowerCase()
  return `gift::${JSON.stringify([on, amount, currency, who, campaign?.id ?? '', textOf(draft, 'reference') ?? ''])}`
}

/** Gifts that another system or a spreadsheet kept. Those that are here, as an export lists them, stay as they are. */
export const planGifts: Planner = async (planning, all) => {
  const { db, orgId, mapped, options, reach } = planning
  const here = await giftsHere(db, orgId, distinct(all.map((draft) => recordId(textOf(draft, 'giftRecordId')) ?? undefined)))
  const isHere = (draft: Draft) => here.has(recordId(textOf(draft, 'giftRecordId')) ?? '')
  const drafts = all.filter((draft) => !isHere(draft))
  const named = await namedForGifts(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'campaign')?.toLowerCase())))
  const people = await peopleOrNames(planning, drafts, ['donorName', 'fullName', 'familyName'])
  const rows = drafts.map((draft) => readRow(draft, planning, named, people.get(draft)))
  const whole = rows.filter(isWhole)
  const found = Map.groupBy(
    await giftsOf(
      db,
      orgId,
      whole.map(({ draft, person, donor, campaign, currency, amount, on }) => ({
        ...{ line: draft.line, foreignId: foreignIdOf(draft) },
        ...{ personId: person?.id ?? null, donor, amount, currency, receivedOn: on },
        ...{ campaignId: campaign?.id ?? null, reference: textOf(draft, 'reference') ?? '' },
      })),
    ),
    ({ line }) => line,
  )
  const claims = claimsOf(await planning.earlier(whole.map(keyOf)))

  const byDraft = new Map(rows.map((row) => [row.draft, row]))
  return all.map((draft): Planned => {
    const row = byDraft.get(draft)
    const id = recordId(textOf(draft, 'giftRecordId')) ?? ''
    if (!row)
      return { ...byPolicy(options, draft, `gift:${id}`, { id, changes: [] }, () => ({ id, changes: [] })), label: labelOf('gifts', draft) }
    const { label } = row
    if (!isWhole(row)) return { ...rejected(draft), label }
    const key = keyOf(row)
    const [same] = found.get(draft.line) ?? []
    if (refuseSecond(draft, claims, key)) return { ...rejected(draft), label }
    if (same && !same.exact) takenBy(draft, mapped)
    if (!same) {
      const chapter = row.campaign ? row.campaign.chapterId : (row.allocations[0]?.fund.chapterId ?? null)
      if (!reaches(reach, 'gifts.manage', chapter))
        error(draft, 'not_allowed', 'These gifts are not yours to manage.', 'Ask somebody who manages gifts to import this row.')
      refuseFunds(row, mapped)
    }
    if (isRejected(draft)) return { ...rejected(draft), label }
    const planned = byPolicy(options, draft, key, same ? { id: same.id, changes: [] } : null, () => {
      const id = newId()
      const after = {
        person_id: row.person?.id ?? null,
        donor_name: row.person ? '' : row.donor.slice(0, 150),
        donor_email: row.person ? '' : (draft.emails[0] ?? ''),
        campaign_id: row.campaign?.id ?? null,
        amount: row.amount,
        currency: row.currency,
        received_on: row.on,
        method: textOf(draft, 'method') ?? 'other',
        reference: textOf(draft, 'reference') ?? '',
        is_anonymous: draft.fields['isAnonymous'] === true,
        tribute_kind: textOf(draft, 'tributeName') === undefined ? null : (textOf(draft, 'tributeKind') ?? 'honour'),
        tribute_name: textOf(draft, 'tributeName') ?? '',
        message: textOf(draft, 'message') ?? '',
        note: textOf(draft, 'note') ?? '',
        foreign_id: foreignIdOf(draft),
        allocations: row.allocations.map(({ fund, amount }) => ({ fund_id: fund.id, amount })),
      }
      return { id, changes: [{ table: 'gifts', key: { id }, before: null, after }] }
    })
    return { ...planned, label }
  })
}

/** Reads a row, noting all that is wrong with it. */
function readRow(draft: Draft, { mapped, today }: Planning, named: Named, person: Referred | undefined): Row {
  requireFields(draft, mapped, { receivedOn: 'day', amount: 'amount' })
  const campaign = campaignOf(draft, mapped, named)
  const currency = currencyOf(draft, mapped, campaign?.currency ?? named.currency)
  const amount = amountOf(draft, mapped, 'amount', currency)
  const on = textOf(draft, 'receivedOn')
  if (amount === 0)
    error(draft, 'not_an_amount', 'A gift of nothing is none.', 'Correct the amount, or leave this row out.', {
      column: headerOf(mapped, 'amount'),
      value: textOf(draft, 'amount'),
      params: { currency },
    })
  if (campaign && campaign.currency !== currency)
    error(
      draft,
      'campaign_currency',
      `The campaign ${campaign.name} takes gifts in ${campaign.currency}.`,
      'Correct the currency, or leave the campaign empty.',
      {
        column: headerOf(mapped, 'currency'),
        value: currency,
        params: { campaign: campaign.name, currency: campaign.currency },
      },
    )
  if ((on ?? '') > today)
    error(draft, 'day_in_future', 'This day has not come yet.', 'Correct the date, or choose another date order.', {
      column: headerOf(mapped, 'receivedOn'),
      value: on,
      params: { field: 'receivedOn' },
    })
  if (textOf(draft, 'tributeKind') !== undefined) requireFields(draft, mapped, { tributeName: 'name of whom the gift honours' })
  const given = [textOf(draft, 'givenName'), textOf(draft, 'familyName')].filter(Boolean).join(' ')
  const donor = person?.name ?? textOf(draft, 'donorName') ?? textOf(draft, 'fullName') ?? given
  return {
    ...{ draft, person, donor, campaign, currency, amount, on },
    label: [donor || referredWords(draft), on, textOf(draft, 'amount')].filter(Boolean).join(' · '),
    allocations: amount === undefined ? [] : allocationsOf(draft, mapped, named, { amount, currency, campaign }),
  }
}

function campaignOf(draft: Draft, mapped: Mapped, { campaigns }: Named): FoundCampaign | undefined {
  const word = textOf(draft, 'campaign')
  const [campaign, second] = campaigns.get(word?.toLowerCase() ?? '') ?? []
  const about = { column: headerOf(mapped, 'campaign'), value: word, params: { campaign: word ?? '' } }
  if (second)
    error(draft, 'ambiguous_campaign', `Several campaigns are called "${word ?? ''}".`, 'Give each of them another name first.', about)
  else if (word !== undefined && !campaign)
    error(draft, 'unknown_campaign', `There is no campaign "${word}".`, 'Create the campaign first, or correct the name.', about)
  else if (campaign?.isDraft)
    error(draft, 'campaign_draft', `The campaign ${campaign.name} is a draft.`, 'Start the campaign first, or leave it empty.', about)
  return second ? undefined : campaign
}

/** The funds of a row: one by its name, or several with what each has; else the fund of the campaign. */
function allocationsOf(
  draft: Draft,
  mapped: Mapped,
  { funds }: Named,
  gift: { amount: number; currency: string; campaign: FoundCampaign | undefined },
): Allocation[] {
  const word = textOf(draft, 'fund')
  const about = (name: string) => ({ column: headerOf(mapped, 'fund'), value: word, params: { fund: name } })
  const unknown = (name: string) =>
    error(draft, 'unknown_fund', `There is no fund "${name}".`, 'Create the fund first, or correct the name.', about(name))
  if (word === undefined) {
    const fund = gift.campaign?.fund
    if (fund) return [{ fund, amount: gift.amount }]
    // A campaign that does not exist was reported already.
    if (gift.campaign || textOf(draft, 'campaign') === undefined) requireFields(draft, mapped, { fund: 'fund' })
    return []
  }
  const only = funds.get(word.toLowerCase())
  if (only) return [{ fund: only, amount: gift.amount }]
  const lines = readLines(word, gift.currency)
  if (!lines) {
    unknown(word)
    return []
  }
  const allocations = lines.flatMap(({ text, amount }): Allocation[] => {
    const fund = funds.get(text.toLowerCase())
    if (!fund) unknown(text)
    return fund ? [{ fund, amount }] : []
  })
  const sum = allocations.reduce((all, { amount }) => all + amount, 0)
  if (allocations.length === lines.length && sum !== gift.amount)
    error(draft, 'funds_differ', 'The funds do not add up to the gift.', 'Correct the amounts of the funds, or that of the gift.', {
      column: headerOf(mapped, 'fund'),
      value: word,
    })
  return allocations
}

const refuseFunds = ({ draft, allocations }: Row, mapped: Mapped) => {
  for (const { fund } of allocations)
    if (!fund.isOpen)
      error(draft, 'archived_fund', `The fund ${fund.name} is archived.`, 'Restore the fund first, or choose another one.', {
        column: headerOf(mapped, 'fund'),
        value: fund.name,
        params: { fund: fund.name },
      })
}

const takenBy = (draft: Draft, mapped: Mapped) =>
  error(
    draft,
    'gift_taken',
    `There is a gift ${foreignIdOf(draft)} already, of another donor or amount.`,
    'Correct the id. A gift that was imported is changed on its page.',
    { column: headerOf(mapped, 'foreignId'), value: foreignIdOf(draft), params: { id: foreignIdOf(draft) } },
  )

export const giftsImport: ImportPlan = {
  plan: planGifts,
  tables: [giftsTable],
  root: 'gifts',
  shared: {},
  inUse: giftsInUse,
}
