import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { HomeData } from './home-api.ts'

type Change = HomeData['recentChanges'][number]

/** One line about a change, linked to what it is about. */
export function changeWords(change: Change): ReactNode {
  const words = whatHappened(change)
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

function whatHappened({ action, entity }: Change): string {
  const thing = thingOf(entity)
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

function thingOf(entity: string): string {
  const things: Record<string, string> = {
    people: t`Person`,
    person_emails: t`E-mail address`,
    person_phones: t`Telephone number`,
    person_contacts: t`Contact data`,
    person_private: t`Private data`,
    person_office_notes: t`Office note`,
    person_tags: t`Tag`,
    tags: t`Tag`,
    affiliations: t`Membership`,
    chapters: t`Chapter`,
    positions: t`Office`,
    position_holders: t`Officer`,
    groups: t`Group`,
    group_members: t`Group membership`,
    organisations: t`Organisation`,
    accounts: t`Account`,
    roles: t`Role`,
    grants: t`Right`,
  }
  return things[entity] ?? entity
}
