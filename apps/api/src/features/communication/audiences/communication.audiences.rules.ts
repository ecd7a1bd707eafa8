import type { AudienceDefinition, AudiencePart } from '@guildhall/contract/features/communication.audiences'
import { peopleFilterFields } from '@guildhall/contract/features/people'
import type { Filter, FilterCondition } from '@guildhall/contract/shapes'

/** Saved audiences within saved audiences. */
export const audienceDepth = 5
/** Parts of an audience with those of the audiences in it. */
export const audiencePartLimit = 200

export const partsOf = ({ include, exclude }: AudienceDefinition): { part: AudiencePart; path: string }[] => [
  ...include.map((part, nth) => ({ part, path: `definition.include.${nth}` })),
  ...exclude.map((part, nth) => ({ part, path: `definition.exclude.${nth}` })),
]

export type ReferenceKind = 'chapter' | 'group' | 'event' | 'tag' | 'membershipType'
export type Reference = { kind: ReferenceKind; id: string }

/** Records whose rows a part reads: who does not see all of them would reach too few people, or, by an exclusion, too many. */
export function referencesOf(part: AudiencePart): Reference[] {
  switch (part.kind) {
    case 'people':
      return filterReferences(part.filter)
    case 'chapter':
    case 'group':
    case 'event':
      return [{ kind: part.kind, id: part.id }]
    case 'persons':
    case 'audience':
      return []
  }
}

const filterReferences = (filter: Filter | undefined): Reference[] =>
  (filter?.and ?? []).flatMap(({ or }) => or.flatMap((condition) => conditionReferences(condition)))

function conditionReferences({ field, value }: FilterCondition): Reference[] {
  const known = Object.entries(peopleFilterFields).find(([name]) => name === field)?.[1]
  if (known?.kind !== 'id') return []
  const ids = Array.isArray(value) ? value : [value]
  return ids.flatMap((id) => (typeof id === 'string' ? [{ kind: known.of, id }] : []))
}
