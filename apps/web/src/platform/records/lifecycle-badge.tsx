import { t } from '@lingui/core/macro'
import type { Person } from '@guildhall/contract/features/people'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'

type Lifecycle = Person['lifecycle']

export const lifecycleWords = (): Record<Lifecycle, string> => ({
  prospect: t`Prospect`,
  active: t`Active`,
  alumni: t`Alumni`,
  former: t`Former`,
  deceased: t`Deceased`,
  merged: t`Merged`,
  erased: t`Erased`,
})

const tones: Record<Lifecycle, Tone> = {
  prospect: 'info',
  active: 'good',
  alumni: 'accent',
  former: 'neutral',
  deceased: 'neutral',
  merged: 'neutral',
  erased: 'neutral',
}

export const LifecycleBadge = ({ lifecycle }: { lifecycle: Lifecycle }) => (
  <StatusBadge tone={tones[lifecycle]}>{lifecycleWords()[lifecycle]}</StatusBadge>
)
