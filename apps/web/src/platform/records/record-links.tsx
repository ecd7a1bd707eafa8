import { Link } from '@tanstack/react-router'

type Look = { className?: string | undefined }

/** A record's name, which leads to its page. */
export const PersonLink = ({ person, className = '' }: { person: { id: string; displayName: string } } & Look) => (
  <Link to="/person/$personId/{-$tab}" params={{ personId: person.id, tab: undefined }} className={className}>
    {person.displayName}
  </Link>
)

export const ChapterLink = ({ chapter, className = '' }: { chapter: { id: string; name: string } } & Look) => (
  <Link
    to="/chapter/$chapterId/{-$tab}/{-$subtab}"
    params={{ chapterId: chapter.id, tab: undefined, subtab: undefined }}
    className={className}
  >
    {chapter.name}
  </Link>
)

export const GroupLink = ({ group, className = '' }: { group: { id: string; name: string } } & Look) => (
  <Link to="/groups/$groupId" params={{ groupId: group.id }} className={className}>
    {group.name}
  </Link>
)
