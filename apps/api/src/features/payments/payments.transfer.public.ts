import { createElement as h } from 'react'
import { facts } from '../../platform/public-pages/page-parts.ts'
import type { Texts } from '../../platform/texts/texts.ts'
import type { TransferDetails } from './payments.queries.ts'

export type { TransferDetails } from './payments.queries.ts'

/** The account for transfers on a public page. The reference tells whoever records the payment what it is for. */
export const transferView = (i18n: Texts, transfer: TransferDetails, { title, reference }: { title: string; reference: string }) =>
  h(
    'section',
    null,
    h('h2', null, title),
    facts([
      [i18n._('Account holder'), transfer.accountHolder],
      [i18n._('Account number'), transfer.accountNumber],
      [i18n._('Bank code'), transfer.bankCode],
      [i18n._('Bank'), transfer.bankName],
      [i18n._('Reference'), reference],
    ]),
    transfer.transferNote === '' ? null : h('p', null, transfer.transferNote),
  )
