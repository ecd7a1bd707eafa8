import { ActionIcon } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconStar, IconStarFilled } from '@tabler/icons-react'
import type { PinnedEntry } from './menu-api.ts'
import { usePins } from './menu-api.ts'

/** A star that keeps a page or a record at the top of the menu. */
export function PinButton({ entry, name }: { entry: PinnedEntry; name: string }) {
  const { ready, has, toggle } = usePins()
  if (!ready) return null
  const pinned = has(entry)
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={t`Pin ${name}`}
      aria-pressed={pinned}
      onClick={() => void toggle(entry)}
    >
      {pinned ? <IconStarFilled size={18} aria-hidden /> : <IconStar size={18} stroke={1.5} aria-hidden />}
    </ActionIcon>
  )
}
