import { VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconLock } from '@tabler/icons-react'
import { Label } from '../../ui/display/status-badge.tsx'
import type { TagRef } from './tags-api.ts'
import classes from './tags.module.css'

export const TagBadge = ({ tag: { name, color, audience } }: { tag: Pick<TagRef, 'name' | 'color' | 'audience'> }) => (
  <Label color={color}>
    {/* In front, where a long name cannot push it out of sight. */}
    {audience === 'officers' && <OfficersOnly />}
    <span>{name}</span>
  </Label>
)

/** Stands beside the name of a tag that members do not see. */
export const OfficersOnly = () => (
  <span title={t`Officers only`} className={classes['officersOnly']}>
    <IconLock size={11} stroke={2} aria-hidden />
    <VisuallyHidden>{t`Officers only`}</VisuallyHidden>
  </span>
)
