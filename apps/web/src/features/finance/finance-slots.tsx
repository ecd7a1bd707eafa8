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
  historyWords: [
    {
      entities: {
        invoices: { noun: msg`Invoice`, onPerson: msg`Invoice` },
        receipts: { noun: msg`Receipt`, onPerson: msg`Receipt` },
        payments: { noun: msg`Payment`, onPerson: msg`Payment` },
        dues_rates: { noun: msg`Dues rate` },
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
      },
    },
  ],
}
