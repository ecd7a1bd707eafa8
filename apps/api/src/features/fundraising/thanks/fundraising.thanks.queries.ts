import type { GiftRow, ThankedHow } from '@guildhall/contract/features/fundraising.gifts'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { giftRow, giftsFrom } from '../gifts/fundraising.gifts.queries.ts'

export type Waiting = { gift: GiftRow; days: number; firstName: string; canMail: boolean }

/** Gifts that came and that nobody has thanked for. */
const isUnthanked = sql<SqlBool>`g.thanked_at is null and g.counts and g.status in ('settled', 'partly_refunded')`
/** The charges of a recurring gift follow a first one, and imports tell of other years: thanks for one of these are written only when somebody asks for it. */
const isQueued = sql<SqlBool>`g.source not in ('plan', 'import')`

/** Where the caller may thank, the oldest first; of one gift only its own. */
export const waitingList = ({ campaignId, giftId }: { campaignId?: string | undefined; giftId?: string | undefined }): List<Waiting> => ({
  key: ['gifts_to_thank', campaignId ?? null, giftId ?? null],
  item: sql`json_build_object('gift', ${giftRow}, 'days', greatest(0, (select app.today()) - g.received_on),
    'firstName', coalesce(nullif(p.preferred_name, ''), nullif(p.given_name, ''), g.donor_name), 'canMail', app.can_mail_donor(g.id))`,
  from: giftsFrom,
  where: [
    isUnthanked,
    giftId ? sql<SqlBool>`g.id = ${giftId}` : isQueued,
    mayInChapter('gifts.manage', sql`g.chapter_id`),
    ...(campaignId ? [sql<SqlBool>`g.campaign_id = ${campaignId}`] : []),
  ],
  order: [sql`g.received_on`, sql`g.id`],
})

/** False where nobody need be thanked any more. */
export async function noteThanks(db: ActorDb, giftId: string, how: ThankedHow): Promise<boolean> {
  const { rows } = await sql<{ thanked: number }>`select app.thank_gifts(array[${giftId}::uuid], ${how}) as thanked`.execute(db)
  return (rows[0]?.thanked ?? 0) > 0
}

/** Nobody has thanked for it after all. */
export async function undoThanks(db: ActorDb, giftId: string): Promise<void> {
  await sql`select app.thank_gifts(array[${giftId}::uuid], null)`.execute(db)
}

/** How many mails that makes: none where nobody can be mailed. It notes that the donor was thanked by mail. */
export async function mailThanks(db: ActorDb, giftId: string, { subject, body }: { subject: string; body: string }): Promise<number> {
  const { rows } = await sql<{ mails: number }>`select app.mail_thanks(${giftId}, ${subject}, ${body}) as mails`.execute(db)
  return rows[0]?.mails ?? 0
}
