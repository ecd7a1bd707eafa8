import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const paymentsSlots: FeatureSlots = {
  financeTabs: [
    {
      key: 'payments',
      label: msg`Payments`,
      order: 40,
      content: lazy(async () => ({ default: (await import('./list/chapter-payments.tsx')).ChapterPayments })),
    },
  ],
  invoiceParts: [
    {
      key: 'payments',
      label: msg`Payments`,
      order: 10,
      may: ({ invoice }) => invoice.kind === 'invoice' && invoice.state !== 'draft',
      content: lazy(async () => ({ default: (await import('./invoice-payments.tsx')).InvoicePayments })),
    },
  ],
  accountTabs: [
    {
      key: 'payments',
      label: msg`Payments`,
      order: 67,
      may: (_, can) => can('finance.manage'),
      content: lazy(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTab })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./payments-palette.tsx')).PaymentsPaletteSource }))],
  historyWords: [
    {
      entities: {
        refunds: { noun: msg`Refund`, onPerson: msg`Refund` },
        payment_methods: { noun: msg`Saved card`, onPerson: msg`Saved card` },
        payment_settings: { noun: msg`Bank account for transfers` },
      },
      fields: {
        accountHolder: msg`Account holder`,
        accountNumber: msg`Account number`,
        bankCode: msg`Bank code`,
        bankName: msg`Bank`,
        transferNote: msg`Note for payers`,
        reversalReason: msg`Reason for reversal`,
        refundedAmount: msg`Refunded`,
        receivedOn: msg`Received on`,
      },
    },
  ],
}
