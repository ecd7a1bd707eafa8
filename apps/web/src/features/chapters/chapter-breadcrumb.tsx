import { t } from '@lingui/core/macro'
import { ChapterLink } from '../../platform/records/record-links.tsx'
import type { Chapter } from './chapters-api.ts'
import classes from './chapters.module.css'

/** From the top of the tree down to the parent. */
export function Breadcrumb({ ancestors }: { ancestors: Chapter['ancestors'] }) {
  if (ancestors.length === 0) return null
  return (
    <nav aria-label={t`Place in the tree`}>
      <ol className={classes['breadcrumb']}>
        {ancestors.map(({ id, name }) => (
          <li key={id}>
            <ChapterLink chapter={{ id, name }} />
          </li>
        ))}
      </ol>
    </nav>
  )
}
