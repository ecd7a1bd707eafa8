import { createElement as h } from 'react'
import type { PublicPage } from '../../platform/public-pages/public-pages.ts'
import type { View } from '../../platform/public-pages/page-view.ts'
import type { Texts } from '../../platform/texts/texts.ts'
import { openCheckout } from './payments.checkout.actions.ts'
import { beginCheckoutByLink, invoiceToPay, transferByLink } from './payments.queries.ts'
import type { InvoiceToPay } from './payments.queries.ts'
import { countingOf } from './payments.rules.ts'
import { transferView } from './payments.transfer.public.ts'

/**
 * An invoice to be paid by whoever has its link, without signing in. The form begins the payment and answers with the way to the provider's page: a form
 * may not lead elsewhere by itself.
 */
export const payPage: PublicPage = {
  kind: 'link',
  purpose: 'pay',
  async show({ db, idpOrg, secretHash, i18n, brand, services }) {
    const invoice = await invoiceToPay(db, idpOrg, secretHash)
    if (!invoice) return undefined
    if (!isOpen(invoice)) return settledView(i18n, invoice)
    const transfer = await transferByLink(db, idpOrg, secretHash)
    return {
      title: i18n._('Pay invoice {number}', { number: invoice.number ?? '' }),
      body: h(
        'div',
        null,
        summary(i18n, invoice),
        invoice.isWaiting
          ? h('p', { role: 'status' }, i18n._('Have you just paid? It can take a minute until the payment is confirmed.'))
          : null,
        services.payments
          ? h('form', { method: 'post' }, h('button', { type: 'submit', className: 'button' }, i18n._('Pay by card')))
          : transfer
            ? null
            : h('p', null, i18n._('Pay this invoice by bank transfer. {organisation} can tell you how.', { organisation: brand.name })),
        transfer ? transferView(i18n, transfer, { title: i18n._('Pay by bank transfer'), reference: invoice.number ?? '' }) : null,
      ),
    }
  },
  async act({ db, idpOrg, secretHash, i18n, token, publicUrl, services }) {
    const invoice = await invoiceToPay(db, idpOrg, secretHash)
    if (!invoice || !isOpen(invoice)) return settledView(i18n, invoice)
    const begun = services.payments && (await beginCheckoutByLink(db, { idpOrg, secretHash }, countingOf(services)))
    if (!begun) return settledView(i18n, invoice)
    const back = `${publicUrl}/public/pay/${token}`
    return async () => {
      const url = await openCheckout(services, begun, null, { success: back, cancelled: back })
      return {
        title: i18n._('Pay invoice {number}', { number: invoice.number ?? '' }),
        body: h(
          'div',
          null,
          summary(i18n, invoice),
          h('p', null, i18n._('You pay on the page of our payment provider and are led back here.')),
          h('p', null, h('a', { className: 'button', href: url, rel: 'noreferrer' }, i18n._('Continue to payment'))),
        ),
      }
    }
  },
}

const isOpen = ({ state, amount }: InvoiceToPay) => (state === 'issued' || state === 'partly_paid') && amount > 0

const summary = (i18n: Texts, { reason, amount, currency, dueOn }: InvoiceToPay) =>
  h(
    'dl',
    null,
    ...(reason === '' ? [] : [h('dt', { key: 'for' }, i18n._('For')), h('dd', { key: 'reason' }, reason)]),
    h('dt', { key: 'amount' }, i18n._('Amount due')),
    h('dd', { key: 'money' }, i18n.money(amount, currency)),
    ...(dueOn === null ? [] : [h('dt', { key: 'due' }, i18n._('Due on')), h('dd', { key: 'day' }, i18n.date(dueOn))]),
  )

const settledView = (i18n: Texts, invoice: InvoiceToPay | undefined): View => ({
  title: i18n._('Nothing to pay'),
  body: h(
    'p',
    null,
    invoice?.state === 'paid'
      ? i18n._('Invoice {number} is paid. Thank you.', { number: invoice.number ?? '' })
      : i18n._('This invoice does not have to be paid any more.'),
  ),
})
