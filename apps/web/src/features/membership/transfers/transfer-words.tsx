import { t } from '@lingui/core/macro'
import type { Transfer, TransferState } from '@guildhall/contract/features/membership'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'

/** What stands still: a chapter that has approved is named, so that everybody sees whom it waits for. */
export function TransferBadge({ transfer: { state, from, to } }: { transfer: Pick<Transfer, 'state' | 'from' | 'to'> }) {
  const left = from.name
  const joined = to.name
  const words: Record<TransferState, string> = {
    requested: t`Awaiting both chapters`,
    source_ok: t`Awaiting ${joined}`,
    target_ok: t`Awaiting ${left}`,
    approved: t`Approved`,
    completed: t`Completed`,
    rejected: t`Rejected`,
    withdrawn: t`Withdrawn`,
  }
  return <StatusBadge tone={tones[state]}>{words[state]}</StatusBadge>
}

const tones: Record<TransferState, Tone> = {
  requested: 'info',
  source_ok: 'info',
  target_ok: 'info',
  approved: 'good',
  completed: 'good',
  rejected: 'bad',
  withdrawn: 'neutral',
}
