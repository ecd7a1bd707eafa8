import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { TagPicker } from './tag-picker.tsx'
import type { TagRef } from './tags-api.ts'
import classes from './tags.module.css'

/** The tag that many records are to be given, or to lose. */
export function BulkTag({ onChange, mayMake = true }: { onChange: (tag: TagRef | undefined) => void; mayMake?: boolean }) {
  const [tag, setTag] = useState<TagRef | null>(null)
  return (
    <div className={classes['tight']}>
      <TagPicker
        autoFocus
        value={tag}
        mayMake={mayMake}
        onChange={(chosen) => {
          setTag(chosen)
          onChange(chosen ?? undefined)
        }}
      />
      <AppLink href="/account-management/tags" className={classes['dim']}>{t`Manage tags`}</AppLink>
    </div>
  )
}
