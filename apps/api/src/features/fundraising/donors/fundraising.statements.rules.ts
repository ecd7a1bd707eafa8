import type { GivingStatement } from '@guildhall/contract/features/fundraising.donors'
import type { BillDocument } from '../../../platform/pdf/documents.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { pages, recipient, sender } from '../../finance/papers/finance.papers.public.ts'
import type { GivingPaper } from './fundraising.statements.queries.ts'

/** Lines that a statement lists; its totals are always those of all gifts. */
const mostGifts = 500

export const statementOf = ({ since, until, totals, gifts }: GivingPaper, person: GivingStatement['person']): GivingStatement => ({
  ...{ since, until, person },
  totals: totals.map(({ amount, currency }) => ({ amount, currency })),
  gifts: gifts.slice(0, mostGifts).map(({ giftId, on, campaign, funds, receipt, amount, currency }) => ({
    ...{ giftId, on, receipt, campaign: campaign ?? funds ?? '' },
    money: { amount, currency },
  })),
})

export const statementFile = ({ since, until }: Pick<GivingPaper, 'since' | 'until'>): string => `gifts-${since}-${until}.pdf`
export const statementTitle = (i18n: Texts, { since, until }: Pick<GivingPaper, 'since' | 'until'>): string =>
  since.endsWith('-01-01') && until === `${since.slice(0, 4)}-12-31`
    ? i18n._('Gifts in {year}', { year: since.slice(0, 4) })
    : i18n._('Gifts from {since} to {until}', { since: i18n.date(since), until: i18n.date(until) })

export function statementDocument(i18n: Texts, paper: GivingPaper): BillDocument {
  const { gifts, totals } = paper
  const more = gifts.length - mostGifts
  return {
    kind: 'bill',
    language: i18n.language,
    title: statementTitle(i18n, paper),
    from: sender(i18n, paper.seller),
    to: recipient(paper.billing),
    facts: [
      { term: i18n._('Period'), value: i18n._('{since} to {until}', { since: i18n.date(paper.since), until: i18n.date(paper.until) }) },
    ],
    columns: [i18n._('Gift'), i18n._('Receipt'), i18n._('Amount')],
    rows: [
      ...gifts
        .slice(0, mostGifts)
        .map(({ on, campaign, funds, receipt, amount, currency }) => [
          [i18n.date(on), campaign ?? funds ?? ''].filter(Boolean).join(' · '),
          receipt ?? '',
          i18n.money(amount, currency),
        ]),
      ...(more > 0 ? [[i18n._('{more, plural, one {# more gift} other {# more gifts}}', { more }), '', '']] : []),
    ],
    totals: totals
      .slice(0, 10)
      .map(({ amount, currency }) => ({ term: i18n._('Total'), value: i18n.money(amount, currency), strong: true })),
    notes: [
      totals.length === 0
        ? i18n._('No gifts in this period.')
        : i18n._('Refunds are deducted. Gifts that were refunded in full are left out.'),
    ],
    foot: [],
    footer: pages(i18n),
  }
}
