import type { TimelineEntry, TimelineKind } from '@guildhall/contract/features/timeline'
import { useLingui } from '@lingui/react'
import { t } from '@lingui/core/macro'
import { IconReceipt } from '@tabler/icons-react'
import { TimelineLine } from '../../platform/activity/timeline-line.tsx'

/** What happened to an invoice: "Invoice 2026-00042 issued: Full member, €60.00". */
export function DuesEntry({ entry }: { entry: TimelineEntry }) {
  const { i18n } = useLingui()
  const { kind, subject, params } = entry
  const { currency = '', reason = '' } = params
  const amount = currency
    ? new Intl.NumberFormat(i18n.locales ?? i18n.locale, { style: 'currency', currency }).format(Number(params['amount']))
    : ''
  const detail = [params['for'], amount].filter(Boolean).join(', ')
  return (
    <TimelineLine entry={entry} icon={IconReceipt}>
      {words(kind, subject?.name ?? '', { detail, amount, reason })}
    </TimelineLine>
  )
}

type Facts = { detail: string; amount: string; reason: string }

function words(kind: TimelineKind, number: string, { detail, amount, reason }: Facts): string | null {
  switch (kind) {
    case 'invoice-issued':
      return t`Invoice ${number} issued: ${detail}`
    case 'credit-note-issued':
      return t`Credit note ${number} issued: ${detail}`
    case 'invoice-paid':
      return t`Invoice ${number} paid: ${detail}`
    case 'invoice-voided':
      return reason ? t`Invoice ${number} voided: ${reason}` : t`Invoice ${number} voided`
    case 'payment-refunded':
      return t`${amount} refunded`
    default:
      return null
  }
}
