import type { Campaign, CampaignChange } from '@guildhall/contract/features/fundraising'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { fault, problem } from '../../../platform/procedures/problem.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'
import { findCampaign } from './fundraising.campaigns.queries.ts'

type Author = { orgId: string; accountId: string }
type Facts = Omit<CampaignChange, 'fundIds'>

const columns = ({ goal, story, suggested, ...facts }: Facts) => ({
  ...columnsOf('app.campaigns', facts),
  ...(goal !== undefined && { goal_value: goal }),
  ...(story !== undefined && { story: JSON.stringify(story) }),
  ...(suggested !== undefined && { suggested: JSON.stringify(suggested) }),
})

/** Without an address, the database makes one of the name. */
export async function insertCampaign(
  db: ActorDb,
  { orgId, accountId }: Author,
  { slug, ...facts }: Facts & { name: string; currency: string },
): Promise<string> {
  const { name, currency } = facts
  const { id } = await db
    .insertInto('app.campaigns')
    .values({
      ...columns(facts),
      ...{ org_id: orgId, created_by: accountId, name, currency, slug: slug ?? sql<string>`null` },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Guarded = { campaignId: string; version: number }
/** A change of its funds alone raises the version too. */
export const updateCampaign = (db: ActorDb, { campaignId: id, version }: Guarded, facts: Facts, publicUrl: string): Promise<Campaign> =>
  updateRecord(db, 'app.campaigns', { id, version }, { name: sql`name`, ...columns(facts) }, () => findCampaign(db, id, publicUrl))

export const setStatus = (
  db: ActorDb,
  { campaignId: id, version }: Guarded,
  set: { status: Campaign['status'] } | { archived: boolean },
  publicUrl: string,
): Promise<Campaign> =>
  updateRecord(db, 'app.campaigns', { id, version }, 'status' in set ? set : { archived_at: set.archived ? sql`now()` : null }, () =>
    findCampaign(db, id, publicUrl),
  )

/** All that donors may choose instead of the campaign's own fund, in this order; those it has unless stated. */
export async function saveFunds(db: ActorDb, orgId: string, campaign: Campaign, fundIds?: readonly string[]): Promise<void> {
  const wanted = new Set((fundIds ?? campaign.funds.map(({ id }) => id)).map((id) => id.toLowerCase()))
  if (campaign.fund) wanted.delete(campaign.fund.id)
  await db.deleteFrom('app.campaign_funds').where('campaign_id', '=', campaign.id).execute()
  if (wanted.size > 0)
    await db
      .insertInto('app.campaign_funds')
      .values(Array.from(wanted, (fund_id, nth) => ({ org_id: orgId, campaign_id: campaign.id, fund_id, place: nth + 1 })))
      .execute()
}

/** A cover is a picture that was uploaded for this campaign. */
export async function mustBeCover(db: ActorDb, campaignId: string | null, fileId: string | null | undefined): Promise<void> {
  if (!fileId) return
  const { rows } = await sql`select from app.files f
    where f.id = ${fileId} and f.record_type = 'campaign' and f.record_id = ${campaignId}::uuid and f.use = 'picture'`.execute(db)
  if (rows.length === 0)
    throw problem('UNPROCESSABLE_CONTENT', fault('coverFileId', 'campaign_cover', 'Upload a picture for this campaign first.'))
}

/** Of the campaigns that the caller sees; the database refuses an address that any other has. */
export async function mustBeFree(db: ActorDb, slug: string | undefined, campaignId: string | null): Promise<void> {
  if (slug === undefined) return
  const { rows } = await sql`select from app.campaigns c where c.slug = ${slug} and c.id is distinct from ${campaignId}::uuid`.execute(db)
  if (rows.length > 0)
    throw problem('CONFLICT', fault('slug', 'campaign_slug_taken', 'Another campaign has this address. Choose another one.'))
}
