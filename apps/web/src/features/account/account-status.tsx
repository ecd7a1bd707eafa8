import { t } from '@lingui/core/macro'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'
import type { AccountRow } from './account-api.ts'

const statusWords = (): Record<AccountRow['status'], string> => ({
  invited: t`Invited`,
  active: t`Active`,
  pending_link: t`Awaiting approval`,
  suspended: t`Suspended`,
})
const tones: Record<AccountRow['status'], Tone> = { invited: 'info', active: 'good', pending_link: 'warning', suspended: 'bad' }
export const AccountStatusBadge = ({ status }: Pick<AccountRow, 'status'>) => (
  <StatusBadge tone={tones[status]}>{statusWords()[status]}</StatusBadge>
)
