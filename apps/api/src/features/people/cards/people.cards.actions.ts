import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { issuerOf, readCard } from './people.cards.public.ts'
import { cardDocument } from './people.cards.rules.ts'

/** The card on paper, in the organisation's language. */
export const printCard = actions.people.printCard.handler(async ({ input: { personId }, context }) => {
  const document = await context.inTx(async (db) => {
    const card = await readCard(db, issuerOf(context), personId)
    const { i18n } = await letterheadOf(db, context.actor.orgId)
    return cardDocument(i18n, card)
  })
  if (!document) throw problem('CONFLICT', { reason: 'card_none', detail: 'There is no valid member card. Issue one first.' })
  return new File([new Uint8Array(await renderPdf(document))], 'member-card.pdf', { type: 'application/pdf' })
})
