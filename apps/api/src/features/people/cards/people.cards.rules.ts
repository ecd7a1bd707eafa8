import type { MemberCard } from '@guildhall/contract/features/people'
import type { PdfDocument } from '../../../platform/pdf/documents.ts'
import type { Texts } from '../../../platform/texts/texts.ts'

/** The card on paper; its code is that of the card on the screen. Null where the card is not valid. */
export function cardDocument(i18n: Texts, { organisation, holder, membership, card }: MemberCard): PdfDocument | null {
  if (!card?.address || !membership) return null
  return {
    kind: 'card',
    language: i18n.language,
    organisation: organisation.name,
    color: organisation.color,
    onColor: organisation.onColor,
    title: i18n._('Member card'),
    name: holder.displayName,
    facts: [
      { term: i18n._('Chapter'), value: membership.chapter.name },
      ...(holder.memberNo ? [{ term: i18n._('Member no.'), value: holder.memberNo }] : []),
      { term: i18n._('Valid until'), value: i18n.date(card.validUntil) },
    ],
    address: card.address,
    note: i18n._('Scan to check this card'),
  }
}
