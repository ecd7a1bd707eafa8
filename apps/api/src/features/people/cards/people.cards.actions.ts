import { renderPdf } from '../../../platform/pdf/render-pdf.ts'
import { problem } from '../../../platform/procedures/problem.ts'
import { actions } from '../../../platform/procedures/procedures.ts'
import { letterheadOf } from '../../../platform/public-pages/brand.ts'
import { readCard } from './people.cards.data.ts'

/** The card on paper, in the organisation's language; its code is that of the card on the screen. */
export const printCard = actions.people.printCard.handler(async ({ input: { personId }, context }) => {
  const { organisation, holder, membership, card, i18n } = await context.inTx(async (db) => ({
    ...(await readCard(db, context, personId)),
    ...(await letterheadOf(db, context.actor.orgId)),
  }))
  if (!card?.address || !membership)
    throw problem('CONFLICT', { reason: 'card_none', detail: 'There is no valid member card. Issue one first.' })
  const facts = [
    { term: i18n._('Chapter'), value: membership.chapter.name },
    ...(holder.memberNo ? [{ term: i18n._('Member no.'), value: holder.memberNo }] : []),
    { term: i18n._('Valid until'), value: i18n.date(card.validUntil) },
  ]
  const document = await renderPdf({
    kind: 'card',
    language: i18n.language,
    organisation: organisation.name,
    color: organisation.color,
    onColor: organisation.onColor,
    title: i18n._('Member card'),
    name: holder.displayName,
    facts,
    address: card.address,
    note: i18n._('Scan to check this card'),
  })
  return new File([new Uint8Array(document)], 'member-card.pdf', { type: 'application/pdf' })
})
