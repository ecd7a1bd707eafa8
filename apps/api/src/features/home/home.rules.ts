import type { HomeScope } from '@guildhall/contract/features/home'

/** Where the caller is an officer: everywhere, or in these chapters with what is below them, highest first. */
export type Offices = { everywhere: boolean; chapters: { id: string }[]; asked: boolean }
export type Scope = { kind: 'me' } | { kind: 'organisation' } | { kind: 'chapter'; chapterId: string }

/**
 * What home is about: the scope asked for where it is the caller's, else the widest of theirs. `asked` says whether the chapter asked for
 * is in their reach.
 */
export function scopeOf(wanted: { scope?: HomeScope | undefined; chapterId?: string | undefined }, offices: Offices): Scope {
  const top = offices.chapters[0]
  const own: Scope = top ? { kind: 'chapter', chapterId: top.id } : { kind: 'me' }
  if (wanted.scope === 'me') return { kind: 'me' }
  if (wanted.scope === 'chapter' && wanted.chapterId && offices.asked) return { kind: 'chapter', chapterId: wanted.chapterId }
  if (wanted.scope === 'chapter') return own
  return offices.everywhere ? { kind: 'organisation' } : own
}
