import { IconAlertTriangle, IconCircleCheck, IconCircleOff, IconLoader, IconPlayerPause } from '@tabler/icons-react'
import type { Icon } from '@tabler/icons-react'
import type { ConnectionState } from '@guildhall/contract/features/integrations'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { connectionStates } from '../words/state-words.ts'
import classes from './catalogue.module.css'

const icons: Record<ConnectionState, Icon> = {
  connecting: IconLoader,
  connected: IconCircleCheck,
  degraded: IconAlertTriangle,
  paused: IconPlayerPause,
  error: IconAlertTriangle,
  disconnected: IconCircleOff,
}

/** How a connection is, always in a word. */
export function ConnectionStatus({ state }: { state: ConnectionState }) {
  const { label, tone } = connectionStates()[state]
  const Light = icons[state]
  return (
    <StatusBadge tone={tone}>
      <span className={classes['light']}>
        <Light size={14} stroke={2} aria-hidden /> {label}
      </span>
    </StatusBadge>
  )
}
