import type { ActorDb } from '@guildhall/db'
import { listPage } from '../../../platform/lists/list-page.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { data } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { findSettings } from '../fundraising.settings.queries.ts'
import { findGift } from '../gifts/fundraising.gifts.queries.ts'
import { mustHoldGift } from '../gifts/fundraising.gifts.writes.queries.ts'
import { mailThanks, noteThanks, undoThanks, waitingList } from './fundraising.thanks.queries.ts'
import { draftOf, filledIn, longestSubject } from './fundraising.thanks.rules.ts'

const { thanks } = data.fundraising.gifts

export const thanksData = thanks.router({
  list: thanks.list.handler(async ({ input, context }) => {
    const page = await listPage(context, waitingList(input), input)
    const { settings, brand, i18n } = await context.inTx(async (db) => ({
      settings: mustFind(await findSettings(db)),
      ...(await letterheadOf(db, context.actor.orgId)),
    }))
    const { thankYouSubject, thankYouBody } = draftOf(i18n, settings)
    const items = page.items.map(({ gift, days, firstName, canMail }) => {
      const amount = i18n.money(gift.money.amount, gift.money.currency)
      const facts = { firstName, amount, campaign: gift.campaign?.name ?? brand.name, organisation: brand.name }
      const [subject, body] = [filledIn(thankYouSubject, facts).slice(0, longestSubject), filledIn(thankYouBody, facts)]
      return { gift, days, late: days > settings.thankYouDays, subject, body, canMail }
    })
    return { ...page, items }
  }),

  note: thanks.note.handler(({ input: { giftId, how }, context }) =>
    context.inTx(async (db) => {
      await mustBeThankable(db, giftId, context.ifMatch)
      await noteThanks(db, giftId, how)
      return mustFind(await findGift(db, giftId))
    }),
  ),

  undo: thanks.undo.handler(({ input: { giftId }, context }) =>
    context.inTx(async (db) => {
      const { thanked, may } = mustFind(await findGift(db, giftId))
      if (!may.edit) throw problem('FORBIDDEN')
      await mustHoldGift(db, giftId, context.ifMatch)
      if (!thanked) throw problem('CONFLICT', { reason: 'gift_not_thanked', detail: 'Nobody has thanked for this gift.' })
      if (thanked.how === 'mail')
        throw problem('CONFLICT', { reason: 'gift_thanks_mailed', detail: 'These thanks were mailed, which cannot be undone.' })
      await undoThanks(db, giftId)
      return mustFind(await findGift(db, giftId))
    }),
  ),

  mail: thanks.mail.handler(({ input: { giftId, ...letter }, context }) =>
    context.inTx(async (db) => {
      await mustBeThankable(db, giftId, context.ifMatch)
      if ((await mailThanks(db, giftId, letter)) === 0)
        throw problem('CONFLICT', {
          reason: 'gift_donor_unreachable',
          detail: 'This donor cannot be mailed. Thank them another way and note it.',
        })
      return mustFind(await findGift(db, giftId))
    }),
  ),
})

/** The gift is as the caller knows it, counts, and nobody has thanked for it. */
async function mustBeThankable(db: ActorDb, giftId: string, version: number): Promise<void> {
  const gift = mustFind(await findGift(db, giftId))
  if (!gift.may.edit) throw problem('FORBIDDEN')
  await mustHoldGift(db, giftId, version)
  if (gift.thanked) throw problem('CONFLICT', { reason: 'gift_thanked', detail: 'Somebody has already thanked for this gift.' })
  if (!gift.may.thank)
    throw problem('CONFLICT', {
      reason: 'gift_not_settled',
      detail: 'Thank for a gift once it has arrived, and not when it was given back.',
    })
}
