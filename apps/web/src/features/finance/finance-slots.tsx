import { msg } from '@lingui/core/macro'
import { lazy } from 'react'
import type { FeatureSlots } from '../../platform/navigation/slots.tsx'

export const financeSlots: FeatureSlots = {
  personTabs: [
    {
      key: 'invoices',
      label: msg`Invoices`,
      order: 35,
      may: (_, can) => can('finance.read'),
      content: lazy(async () => ({ default: (await import('./person-invoices.tsx')).PersonInvoicesTab })),
    },
  ],
  chapterTabs: [
    {
      key: 'finance',
      label: msg`Finance`,
      order: 65,
      may: ({ chapter }, can) => can('finance.read', { chapterId: chapter.id }),
      content: lazy(async () => ({ default: (await import('./chapter-finance.tsx')).ChapterFinance })),
      divided: true,
    },
  ],
  accountTabs: [
    {
      key: 'finance',
      label: msg`Finance`,
      order: 66,
      may: (_, can) => can('finance.manage'),
      content: lazy(async () => ({ default: (await import('./settings-tab.tsx')).FinanceSettingsTab })),
    },
  ],
  paletteSources: [lazy(async () => ({ default: (await import('./finance-palette.tsx')).FinancePaletteSource }))],
  timelineTexts: [
    {
      category: 'dues',
      label: msg`Dues`,
      order: 18,
      kinds: ['invoice-issued', 'credit-note-issued', 'invoice-paid', 'invoice-voided', 'payment-refunded'],
      entry: lazy(async () => ({ default: (await import('./finance-timeline.tsx')).DuesEntry })),
    },
  ],
  historyWords: [
    {
      entities: {
        invoices: { noun: msg`Invoice`, onPerson: msg`Invoice` },
        receipts: { noun: msg`Receipt`, onPerson: msg`Receipt` },
        payments: { noun: msg`Payment`, onPerson: msg`Payment` },
        dues_rates: { noun: msg`Dues rate` },
        finance_settings: { noun: msg`Finance settings` },
      },
      fields: {
        dueOn: msg`Due`,
        issuedOn: msg`Issued on`,
        paidAmount: msg`Paid`,
        creditedAmount: msg`Credited`,
        totalAmount: msg`Total`,
        voidReason: msg`Reason for voiding`,
        dueDays: msg`Due after (days)`,
        chargedTo: msg`Charged to`,
        invoiceFormat: msg`Invoice number`,
        creditNoteFormat: msg`Credit note number`,
        receiptFormat: msg`Receipt number`,
        invoiceStart: msg`First invoice of the year`,
        creditNoteStart: msg`First credit note of the year`,
        receiptStart: msg`First receipt of the year`,
        reminderDays: msg`Reminders after (days)`,
        legalName: msg`Legal name`,
        taxId: msg`Tax number`,
        invoiceFooter: msg`Invoice footer`,
      },
    },
  ],
}
