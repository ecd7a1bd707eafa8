import { withNames } from '@guildhall/contract/formatted-document'
import { CampaignKind, CampaignStatus } from '@guildhall/contract/features/fundraising'
import type { Campaign, CampaignRow } from '@guildhall/contract/features/fundraising'
import { publicGivingPath } from '@guildhall/contract/public-paths'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { namesSeen } from '../../../platform/formatted-text/mentions.ts'
import type { NamesSeen } from '../../../platform/formatted-text/mentions.ts'
import { choiceField, dateField, filterWhere, flagField, textField } from '../../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../../platform/lists/filters.ts'
import { chapterRef, mayInChapter, orNull } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { matchRank } from '../../../platform/lists/match-rank.ts'
import { amountField } from '../../../platform/lists/money-cell.ts'
import { readSort } from '../../../platform/lists/sort.ts'
import { statement } from '../../../platform/records/statement.ts'
import { chapterField } from '../../chapters/chapters.references.public.ts'
import { namedRef } from '../fundraising.references.queries.ts'

// In these pieces `r` is the campaign, `c` its chapter and `t` what it came to, both left joined.

export const campaignsFrom = sql`from app.campaigns r left join app.chapters c on c.org_id = r.org_id and c.id = r.chapter_id
  left join app.campaign_totals t on t.org_id = r.org_id and t.campaign_id = r.id`

const sum = (column: string) => sql`coalesce(${sql.ref(`t.${column}`)}, 0)`
export const raised = sum('counted_amount')
const [gifts, donors, recurring] = [sum('gifts'), sum('donors'), sum('recurring_amount')]
const totals = sql`json_build_object('settled', ${sum('settled_amount')}, 'refunded', ${sum('refunded_amount')}, 'raised', ${raised}, 'pledged', ${sum('pledged_amount')},
  'gifts', ${gifts}, 'donors', ${donors}, 'recurring', ${recurring}, 'recurringGifts', ${sum('plans')},
  'averageGift', case when ${gifts} > 0 then round(${raised}::numeric / ${gifts})::bigint end, 'lastGiftAt', t.last_gift_at)`
/** How far it is towards its goal, in the goal's unit. */
export const reached = sql`(case r.goal_kind when 'amount' then ${raised} when 'gifts' then ${gifts} when 'donors' then ${donors} else ${recurring} end)`

const rowFields = sql`'id', r.id, 'name', r.name, 'slug', r.slug, 'kind', r.kind, 'status', r.status, 'visibility', r.visibility, 'chapter', ${orNull('c', chapterRef)},
  'currency', r.currency, 'goalKind', r.goal_kind, 'goal', r.goal_value, 'reached', ${reached}, 'startsOn', r.starts_on, 'endsOn', r.ends_on, 'summary', r.summary,
  'coverFileId', r.cover_file_id, 'coverAlt', r.cover_alt, 'totals', ${totals}, 'archivedAt', r.archived_at, 'createdAt', r.created_at, 'version', r.version`
export const campaignRow = sql<CampaignRow>`json_build_object(${rowFields})`

const funds = sql`(select coalesce(json_agg(${namedRef('f')} order by x.place, f.sort_name, f.id), '[]')
  from app.campaign_funds x join app.funds f on f.org_id = x.org_id and f.id = x.fund_id where x.org_id = r.org_id and x.campaign_id = r.id)`
/** Whether anybody gives to it now. */
export const takesGifts = sql<SqlBool>`(r.status = 'active' and r.archived_at is null and coalesce(r.starts_on <= (select app.today()), true) and coalesce(r.ends_on >= (select app.today()), true))`
const mayHere = (permission: string) => mayInChapter(permission, sql`r.chapter_id`)

type Stored = Omit<Campaign, 'givingUrl'>
type Found = { campaign: Stored; names: NamesSeen }
/** A campaign with everything its page shows; `campaignOf` makes the answer of it. */
export const campaignQuery = (campaignId: string) =>
  statement(sql<Found>`
    select ${namesSeen(sql`r.story`)} as names, (jsonb_build_object(${rowFields}) || jsonb_build_object('story', r.story, 'suggested', r.suggested, 'minAmount', r.min_amount,
      'maxAmount', r.max_amount, 'allowsRecurring', r.allows_recurring, 'allowsCoverFees', r.allows_cover_fees,
      'fund', (select ${namedRef('f')} from app.funds f where f.org_id = r.org_id and f.id = r.fund_id), 'funds', ${funds}, 'thanks', r.thanks,
      'share', (select json_build_object('chapter', ${chapterRef('s')}, 'bps', r.share_bps) from app.chapters s where s.org_id = r.org_id and s.id = r.share_chapter_id),
      'updatedAt', r.updated_at, 'may', json_build_object('edit', ${mayHere('fundraising.manage')}, 'give', ${takesGifts},
        'record', ${mayHere('gifts.record')} and r.status <> 'draft' and r.archived_at is null,
        'seeGifts', ${mayHere('gifts.read')}, 'manageGifts', ${mayHere('gifts.manage')}))) as campaign ${campaignsFrom} where r.id = ${campaignId}`)

export const campaignOf = ({ campaign, names }: Found, publicUrl: string): Campaign => ({
  ...campaign,
  story: withNames(campaign.story, names),
  givingUrl: givingUrl(publicUrl, campaign.slug),
})
/** Where anybody gives. */
export const givingUrl = (publicUrl: string, slug: string) => `${publicUrl.replace(/\/$/, '')}${publicGivingPath(slug)}`

export const slugQuery = (campaignId: string) =>
  statement(sql<{ slug: string }>`select r.slug from app.campaigns r where r.id = ${campaignId}`)

export async function findCampaign(db: ActorDb, campaignId: string, publicUrl: string): Promise<Campaign | undefined> {
  const { rows } = await db.executeQuery(campaignQuery(campaignId).compile())
  return rows[0] && campaignOf(rows[0], publicUrl)
}

// Lists -------------------------------------------------------------------------------------------------------------------------------

const catalogue: FilterCatalogue = {
  name: textField(sql`r.name`),
  status: choiceField(sql`r.status`, CampaignStatus.options),
  kind: choiceField(sql`r.kind`, CampaignKind.options),
  chapter: chapterField(sql`r.chapter_id`),
  startsOn: dateField(sql`r.starts_on`),
  endsOn: dateField(sql`r.ends_on`),
  raised: amountField(raised, sql`r.currency`),
  createdAt: dateField(sql`r.created_at`),
  archived: flagField(sql`(r.archived_at is not null)`),
}
const sorts = ['name', 'status', 'startsOn', 'endsOn', 'raised', 'createdAt', 'match'] as const
const orders = {
  name: sql`r.sort_name`,
  status: sql`r.status`,
  startsOn: sql`coalesce(r.starts_on, '0001-01-01')`,
  endsOn: sql`coalesce(r.ends_on, '9999-12-31')`,
  raised,
  createdAt: sql`r.created_at`,
}

type Question = { q?: string | undefined; filter?: Filter | undefined; sort?: string | undefined }

/** Words in the name and the summary, accent-blind; archived ones only when the filter speaks of them. */
export function campaignsList({ q, filter, sort }: Question): List<CampaignRow> {
  const words = q?.trim() ?? ''
  const { by, descending } = readSort(sort, sorts, 'name')
  const filtered = filterWhere(filter, catalogue)
  const asksArchived = filter?.and.some(({ or }) => or.some(({ field }) => field === 'archived')) ?? false
  const where: RawBuilder<SqlBool>[] = []
  if (words) where.push(sql`r.id in (select app.search_campaigns(${words}))`)
  if (filtered) where.push(filtered)
  if (!asksArchived) where.push(sql`r.archived_at is null`)
  const byName = [orders.name, sql`r.id`]
  return {
    key: ['campaigns', words, filter ?? null, by],
    item: campaignRow,
    from: campaignsFrom,
    where,
    // What does not search has no best match, and goes by name.
    order: by !== 'match' ? [orders[by], sql`r.id`] : words ? [matchRank(sql`r.name`, words), ...byName] : byName,
    descending,
  }
}
