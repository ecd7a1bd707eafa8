import { createElement as h } from 'react'
import { facts } from '../../../platform/public-pages/page-parts.ts'
import type { View } from '../../../platform/public-pages/page-view.ts'
import type { PublicPage } from '../../../platform/public-pages/public-pages.ts'
import type { Texts } from '../../../platform/texts/texts.ts'
import { payInstalmentByLink } from '../../payments/payments.public.ts'
import { transferView } from '../../payments/payments.transfer.public.ts'
import { instalmentByLink } from './fundraising.pledges.queries.ts'
import type { LinkedInstalment } from './fundraising.pledges.queries.ts'

/** An instalment of a pledge, to be paid with the link in a reminder: opening it changes nothing, its button begins the payment. */
export const pledgePage: PublicPage = {
  kind: 'link',
  purpose: 'pledges',
  async show({ db, idpOrg, secretHash, i18n, brand, takesCards }) {
    const instalment = await instalmentByLink(db, idpOrg, secretHash)
    return instalment && instalmentView(i18n, { instalment, takesCards, organisation: brand.name })
  },
  async act({ db, idpOrg, secretHash, i18n, brand, token, publicUrl, services, takesCards }) {
    const instalment = await instalmentByLink(db, idpOrg, secretHash)
    if (!instalment || !isDue(instalment)) return overView(i18n, instalment)
    const begun = await payInstalmentByLink(services, db, { idpOrg, secretHash })
    if (!begun) return instalmentView(i18n, { instalment, takesCards, organisation: brand.name })
    const back = `${publicUrl}/public/pledges/${token}`
    return async () => {
      const url = await begun.open({ success: back, cancelled: back })
      return {
        title: titleOf(i18n, instalment),
        body: h(
          'div',
          null,
          summary(i18n, instalment),
          h('p', null, i18n._('You pay on the page of our payment provider and are led back here.')),
          h('p', null, h('a', { className: 'button', href: url, rel: 'noreferrer' }, i18n._('Continue to payment'))),
        ),
      }
    }
  },
}

const isDue = ({ state, pledgeStatus }: LinkedInstalment) => state === 'due' && pledgeStatus === 'open'
const titleOf = (i18n: Texts, { campaign, fund }: LinkedInstalment) => i18n._('Your pledge to {campaign}', { campaign: campaign ?? fund })
const summary = (i18n: Texts, { amount, currency, dueOn }: LinkedInstalment) =>
  facts([
    [i18n._('Amount due'), i18n.money(amount, currency)],
    [i18n._('Due on'), i18n.date(dueOn)],
  ])

type Shown = { instalment: LinkedInstalment; takesCards: boolean; organisation: string }
function instalmentView(i18n: Texts, { instalment, takesCards, organisation }: Shown): View {
  if (!isDue(instalment)) return overView(i18n, instalment)
  const { campaign, fund, isWaiting, transfer } = instalment
  return {
    title: titleOf(i18n, instalment),
    body: h(
      'div',
      null,
      summary(i18n, instalment),
      isWaiting ? h('p', { role: 'status' }, i18n._('Have you just paid? It can take a minute until the payment is confirmed.')) : null,
      takesCards
        ? h('form', { method: 'post' }, h('button', { type: 'submit', className: 'button' }, i18n._('Pay by card')))
        : transfer
          ? null
          : h('p', null, i18n._('Pay by bank transfer. {organisation} can tell you how.', { organisation })),
      transfer ? transferView(i18n, transfer, { title: i18n._('Pay by bank transfer'), reference: campaign ?? fund }) : null,
    ),
  }
}

const overView = (i18n: Texts, instalment: LinkedInstalment | undefined): View => ({
  title: i18n._('Nothing to pay'),
  body: h(
    'p',
    null,
    instalment?.state === 'paid'
      ? i18n._('We received {money}. Thank you for your gift.', { money: i18n.money(instalment.amount, instalment.currency) })
      : i18n._('This instalment is no longer due.'),
  ),
})
