import type { AudienceDefinition, AudiencePart } from '@guildhall/contract/features/communication.audiences'

/** A part as it is being put together: a record may still be missing. */
export type DraftPart = { key: string; part: AudiencePart }
export type Side = 'include' | 'exclude'
export type Draft = Record<Side, DraftPart[]>

const keyed = (part: AudiencePart): DraftPart => ({ key: crypto.randomUUID(), part })

export const draftOf = ({ include, exclude }: AudienceDefinition): Draft => ({ include: include.map(keyed), exclude: exclude.map(keyed) })

export const blankPart = (kind: AudiencePart['kind']): DraftPart => {
  switch (kind) {
    case 'people':
      return keyed({ kind })
    case 'persons':
      return keyed({ kind, ids: [] })
    case 'chapter':
      return keyed({ kind, id: '', below: true })
    case 'event':
      return keyed({ kind, id: '', statuses: ['confirmed', 'checked_in'] })
    case 'group':
    case 'audience':
      return keyed({ kind, id: '' })
  }
}

const isComplete = ({ part }: DraftPart): boolean => {
  switch (part.kind) {
    case 'people':
      return true
    case 'persons':
      return part.ids.length > 0
    case 'event':
      return part.id !== '' && part.statuses.length > 0
    case 'chapter':
    case 'group':
    case 'audience':
      return part.id !== ''
  }
}

/** What is asked so far, without parts that name nothing yet. */
export const definitionOf = ({ include, exclude }: Draft): AudienceDefinition => ({
  include: include.filter(isComplete).map(({ part }) => part),
  exclude: exclude.filter(isComplete).map(({ part }) => part),
})

/** The draft of a part that the definition counts as so many. */
export const nthPart = (parts: readonly DraftPart[], nth: number): DraftPart | undefined => parts.filter(isComplete)[nth]
