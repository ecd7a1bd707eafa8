import type { SyncDirection } from '@guildhall/contract/features/integrations'
import { IconArrowLeft, IconArrowRight, IconArrowsLeftRight } from '@tabler/icons-react'
import classes from './mapping.module.css'

const arrows = { in: IconArrowRight, out: IconArrowLeft, both: IconArrowsLeftRight } as const

/** The other side stands first, so what comes in points away from it. */
export function DirectionArrow({ direction }: { direction: SyncDirection }) {
  const Arrow = arrows[direction]
  return <Arrow size={18} stroke={1.5} aria-hidden className={classes['arrow']} />
}
