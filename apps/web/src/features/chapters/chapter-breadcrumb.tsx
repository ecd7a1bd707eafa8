import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
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

export const ChapterLink = ({ chapter }: { chapter: { id: string; name: string } }) => (
  <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: chapter.id, tab: undefined, subtab: undefined }}>
    {chapter.name}
  </Link>
)

export const PersonLink = ({ person }: { person: { id: string; displayName: string } }) => (
  <Link to="/person/$personId/{-$tab}" params={{ personId: person.id, tab: undefined }}>
    {person.displayName}
  </Link>
)
