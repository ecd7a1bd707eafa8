import { t } from '@lingui/core/macro'
import type { RefundState } from '@guildhall/contract/features/events'
import type { Tone } from '../../../ui/display/status-badge.tsx'

export const refundStates = ['due', 'in_progress', 'by_hand', 'failed', 'refunded'] as const satisfies readonly RefundState[]

export const refundWords = (): Record<RefundState, { label: string; tone: Tone }> => ({
  due: { label: t`Waiting`, tone: 'info' },
  in_progress: { label: t`In progress`, tone: 'info' },
  by_hand: { label: t`Refund by hand`, tone: 'warning' },
  failed: { label: t`Failed`, tone: 'bad' },
  refunded: { label: t`Refunded`, tone: 'good' },
})
