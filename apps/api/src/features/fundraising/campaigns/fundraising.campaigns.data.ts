import { toStore } from '@guildhall/contract/formatted-document'
import type { Campaign, CampaignChange, NewCampaign } from '@guildhall/contract/features/fundraising'
import type { ActorDb } from '@guildhall/db'
import { mustSeeMentioned } from '../../../platform/formatted-text/mentions.ts'
import { readFilter } from '../../../platform/lists/filters.ts'
import { listPage } from '../../../platform/lists/list-page.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'
import { fault, mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { mustSeeChapter } from '../../chapters/chapters.references.public.ts'
import { mustSeeFunds, openFunds, todayOf, usualCurrency } from '../fundraising.references.queries.ts'
import { campaignOf, campaignQuery, campaignsList, findCampaign } from './fundraising.campaigns.queries.ts'
import { factsOf, faultOfCampaign, fundNeeded, isOver, unset } from './fundraising.campaigns.rules.ts'
import { insertCampaign, mustBeCover, mustBeFree, saveFunds, setStatus, updateCampaign } from './fundraising.campaigns.writes.queries.ts'
import { findFigures } from './fundraising.figures.queries.ts'
import { overviewQuery } from './fundraising.overview.queries.ts'
import { overviewOf } from './fundraising.overview.rules.ts'

const { fundraising } = data

const address = ({ services }: CallerContext) => services.config.PUBLIC_URL

export const campaignsData = {
  list: fundraising.list.handler(({ input, context }) =>
    listPage(context, campaignsList({ ...input, filter: readFilter(input.filter) }), input),
  ),
  figures: fundraising.figures.handler(({ input, context }) =>
    context.inTx(async (db) => {
      await mustSeeChapter(db, input.chapterId)
      const { since, until = await todayOf(db) } = input
      if (since !== undefined && until < since)
        throw problem('UNPROCESSABLE_CONTENT', fault('until', 'dates', 'The last day comes before the first.'))
      return mustFind(await findFigures(db, input))
    }),
  ),
  get: fundraising.get.handler(async ({ input, context }) =>
    campaignOf(await readOne(context, campaignQuery(input.campaignId)), address(context)),
  ),
  overview: fundraising.overview.handler(async ({ input, context }) => overviewOf(await readOne(context, overviewQuery(input.campaignId)))),

  create: fundraising.create.handler(({ input, context }) => context.inTx((db) => create(db, context, input))),

  update: fundraising.update.handler(({ input: { campaignId, fundIds, ...change }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findCampaign(db, campaignId, address(context)))
      if (!before.may.edit) throw problem('FORBIDDEN')
      await mustSeeMentioned(db, 'story', change.story, before.story)
      await mustBeCover(db, campaignId, change.coverFileId)
      await mustFit(db, { ...change, fundIds }, before)
      await mustBeFree(db, change.slug, campaignId)
      // What it had before stays, and need not be open any more.
      const fundId = change.fundId === before.fund?.id ? undefined : change.fundId
      await mustSeeFunds(db, wanted(fundId, fundIds, before))
      const saved = await updateCampaign(db, { campaignId, version: context.ifMatch }, change, address(context))
      if (fundIds === undefined && change.fundId === undefined) return saved
      await saveFunds(db, context.actor.orgId, saved, fundIds)
      return mustFind(await findCampaign(db, campaignId, address(context)))
    }),
  ),

  move: fundraising.move.handler(({ input: { campaignId, status }, context }) =>
    context.inTx(async (db) => {
      const before = mustFind(await findCampaign(db, campaignId, address(context)))
      if (!before.may.edit) throw problem('FORBIDDEN')
      if (!before.fund) throw problem('UNPROCESSABLE_CONTENT', fundNeeded())
      if (status === 'active' && before.endsOn !== null && before.endsOn < (await todayOf(db)))
        throw problem('UNPROCESSABLE_CONTENT', isOver(before.endsOn))
      return setStatus(db, { campaignId, version: context.ifMatch }, { status }, address(context))
    }),
  ),

  copy: fundraising.copy.handler(({ input: { campaignId, name }, context }) =>
    context.inTx(async (db) => {
      const from = mustFind(await findCampaign(db, campaignId, address(context)))
      const open = await openFunds(db, [...(from.fund ? [from.fund.id] : []), ...from.funds.map(({ id }) => id)])
      return create(db, context, { ...copyOf(from, open), name })
    }),
  ),

  archive: fundraising.archive.handler(({ input, context }) =>
    context.inTx((db) => setStatus(db, { ...input, version: context.ifMatch }, { archived: true }, address(context))),
  ),
  restore: fundraising.restore.handler(({ input, context }) =>
    context.inTx((db) => setStatus(db, { ...input, version: context.ifMatch }, { archived: false }, address(context))),
  ),
}

async function create(db: ActorDb, context: CallerContext, { fundIds, ...input }: NewCampaign): Promise<Campaign> {
  await mustSeeMentioned(db, 'story', input.story)
  await mustBeCover(db, null, input.coverFileId)
  await mustFit(db, { ...input, fundIds })
  await mustBeFree(db, input.slug, null)
  await mustSeeFunds(db, wanted(input.fundId, fundIds))
  const currency = input.currency ?? (await usualCurrency(db))
  const campaignId = await insertCampaign(db, context.actor, { ...input, currency })
  const made = mustFind(await findCampaign(db, campaignId, address(context)))
  if (!fundIds) return made
  await saveFunds(db, context.actor.orgId, made, fundIds)
  return mustFind(await findCampaign(db, campaignId, address(context)))
}

/** What is sent fits together, and the chapters it names are there. */
async function mustFit(db: ActorDb, change: CampaignChange, before?: Campaign): Promise<void> {
  await mustSeeChapter(db, change.chapterId)
  await mustSeeChapter(db, change.shareChapterId, 'shareChapterId')
  const wrong = faultOfCampaign(before ? factsOf(before) : unset, change)
  if (wrong) throw problem('UNPROCESSABLE_CONTENT', wrong)
}

/** The funds that are not there yet; those that were may be archived by now. */
const wanted = (fundId: string | null | undefined, fundIds: readonly string[] = [], before?: Campaign) => [
  { fundId, path: 'fundId' },
  ...fundIds.flatMap((id, nth) => (before?.funds.some((fund) => fund.id === id) ? [] : [{ fundId: id, path: `fundIds.${nth}` }])),
]

/** Texts, amounts and funds of a campaign; not its days, nor its picture, which is its own. */
const copyOf = (from: Campaign, open: ReadonlySet<string>): Omit<NewCampaign, 'name'> => ({
  ...{ kind: from.kind, chapterId: from.chapter?.id ?? null, currency: from.currency, goalKind: from.goalKind, goal: from.goal },
  ...{ visibility: from.visibility, summary: from.summary, story: toStore(from.story), suggested: from.suggested },
  ...{ minAmount: from.minAmount, maxAmount: from.maxAmount, thanks: from.thanks },
  ...{ allowsRecurring: from.allowsRecurring, allowsCoverFees: from.allowsCoverFees },
  fundId: from.fund && open.has(from.fund.id) ? from.fund.id : null,
  fundIds: from.funds.flatMap(({ id }) => (open.has(id) ? [id] : [])),
  ...{ shareChapterId: from.share?.chapter.id ?? null, shareBps: from.share?.bps ?? 0 },
})
