import { qrSvg } from '../../../platform/pdf/qr-svg.ts'
import { mustFind, problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { givingUrl, slugQuery } from '../campaigns/fundraising.campaigns.queries.ts'
import { readOne } from '../../../platform/records/statement.ts'
import { giveByCard } from '../giving/fundraising.giving.actions.ts'
import { findGift } from './fundraising.gifts.queries.ts'
import { mailReceipt } from './fundraising.gifts.writes.queries.ts'

const { gifts } = actions.fundraising

export const giftsActions = gifts.router({
  give: giveByCard,

  receipt: gifts.receipt.handler(({ input: { giftId }, context }) =>
    context.inTx(async (db) => {
      const gift = mustFind(await findGift(db, giftId))
      if (!gift.may.edit) throw problem('FORBIDDEN')
      const mails = await mailReceipt(db, giftId)
      if (mails === 0)
        throw problem('CONFLICT', {
          reason: 'gift_receipt_not_mailed',
          detail: 'Only the receipt of a gift that has arrived can be mailed, and only to a donor with an address.',
        })
      return { mails }
    }),
  ),

  code: gifts.code.handler(async ({ input: { campaignId }, context }) => {
    const { slug } = await readOne(context, slugQuery(campaignId))
    return new File([qrSvg(givingUrl(context.services.config.PUBLIC_URL, slug))], `${slug}.svg`, { type: 'image/svg+xml' })
  }),
})
