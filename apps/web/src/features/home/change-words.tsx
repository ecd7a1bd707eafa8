import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useHistoryWords } from '../../platform/activity/history-words.ts'
import type { HomeData } from './home-api.ts'

type Change = HomeData['recentChanges'][number]

/** One line about a change, linked to what it is about. */
export function ChangeWords({ change }: { change: Change }): ReactNode {
  const { nouns } = useHistoryWords()
  const words = whatHappened(change, nouns.get(change.entity) ?? change.entity)
  const { person, chapter, group } = change
  if (person) {
    return (
      <>
        <Link to="/person/$personId/{-$tab}" params={{ personId: person.id, tab: undefined }}>
          {person.displayName}
        </Link>
        : {words}
      </>
    )
  }
  if (chapter) {
    return (
      <>
        <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: chapter.id, tab: undefined, subtab: undefined }}>
          {chapter.name}
        </Link>
        : {words}
      </>
    )
  }
  if (group) {
    return (
      <>
        <Link to="/groups/$groupId" params={{ groupId: group.id }}>
          {group.name}
        </Link>
        : {words}
      </>
    )
  }
  return words
}

function whatHappened({ action }: Change, thing: string): string {
  switch (action) {
    case 'create':
      return t`${thing} added`
    case 'update':
      return t`${thing} changed`
    case 'delete':
      return t`${thing} removed`
    case 'export':
      return t`Exported`
    case 'import':
      return t`Imported`
    case 'undo':
      return t`Undone`
    case 'sign_in':
      return t`Signed in`
  }
}
