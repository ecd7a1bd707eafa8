import { problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { beginOwnGift } from '../../payments/payments.public.ts'
import { giftOfAttempt, ownPerson } from './fundraising.giving.queries.ts'

/** Giving by card while signed in. Asked again with the same attempt, it answers the same gift. */
export const giveByCard = actions.fundraising.gifts.give.handler(async ({ input, context }) => {
  const { campaignId, money, coverFee, fundId, interval, isAnonymous, tribute, message, attempt } = input
  const { services } = context
  const { giftId, begun } = await context.inTx(async (db) => {
    const person = await ownPerson(db)
    if (person === null)
      throw problem('CONFLICT', { reason: 'account_cannot_give', detail: 'Your account belongs to nobody in the directory yet.' })
    const begun = await beginOwnGift(services, db, person, {
      ...{ campaign_id: campaignId, attempt, amount: money.amount, currency: money.currency, covers_fees: coverFee, fund_id: fundId },
      ...{ interval, is_anonymous: isAnonymous, tribute_kind: tribute?.kind ?? null, tribute_name: tribute?.name ?? '', message },
    })
    return { giftId: await giftOfAttempt(db, attempt), begun }
  })
  if (giftId === undefined) throw problem('NOT_FOUND')
  const back = `${services.config.PUBLIC_URL.replace(/\/$/, '')}/fundraising/${campaignId}?given=${giftId}`
  return { giftId, url: await begun.open({ success: back, cancelled: `${back}&cancelled=1` }) }
})
