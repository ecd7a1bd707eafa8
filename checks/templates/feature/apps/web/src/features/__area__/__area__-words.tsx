import { t } from '@lingui/core/macro'
import { __Record__Status } from '@guildhall/contract/features/__area__'
import { StatusBadge } from '../../ui/display/status-badge.tsx'

const statusWords = (): Record<__Record__Status, string> => ({ planned: t`Planned`, active: t`Active`, done: t`Done` })
const tones = { planned: 'neutral', active: 'good', done: 'accent' } as const

export const statusOptions = () => __Record__Status.options.map((value) => ({ value, label: statusWords()[value] }))

export const __Record__StatusBadge = ({ status }: { status: __Record__Status }) => (
  <StatusBadge tone={tones[status]}>{statusWords()[status]}</StatusBadge>
)
