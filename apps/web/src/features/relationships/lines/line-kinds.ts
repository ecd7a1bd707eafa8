import { t } from '@lingui/core/macro'
import { chaptersLine } from '@guildhall/contract/features/relationships.lines'
import type { RelationshipType } from '@guildhall/contract/features/relationships'

/** What can be read as lines. `type` is absent of chapters. */
export type LineKind = { key: string; name: string; type: RelationshipType | undefined }

/** The first of these that the organisation has is what the report opens with. */
const usual = ['lineage', 'mentor', 'recruiter', 'guardian']

export const kindsOf = (types: readonly RelationshipType[]): LineKind[] => [
  ...types.map((type) => ({ key: type.key, name: type.name, type })),
  { key: chaptersLine, name: t`Chapters and subchapters`, type: undefined },
]

export function chosenKind(types: readonly RelationshipType[], asked: string | undefined) {
  const kinds = kindsOf(types)
  const found = kinds.find(({ key }) => key === asked)
  const first = usual.flatMap((key) => kinds.find((kind) => kind.key === key) ?? [])[0] ?? kinds[0]
  const kind = found ?? first ?? { key: chaptersLine, name: t`Chapters and subchapters`, type: undefined }
  return { kinds, kind, isUnknown: asked !== undefined && found === undefined }
}
