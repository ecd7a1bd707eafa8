import { asDay, asId, asOneOf, asText, searchParams } from '../../platform/navigation/search-params.ts'

/** Of the parent-child report. */
export const LinesSearch = searchParams({
  /** Key of a type of relationship, or `chapters`. */
  kind: asText(40),
  view: asOneOf('pairs', 'roots', 'problems', 'statistics'),
  root: asId,
  asOf: asDay,
  chapter: asId,
  generation: asText(2),
  depth: asText(2),
  problem: asText(40),
  q: asText(200),
  /** The record of the tree whose panel is open. */
  open: asId,
  /** How the tree is shown and which way it grows. */
  show: asOneOf('both', 'table', 'picture'),
  grow: asOneOf('down'),
  /** Of the path between two people. */
  from: asId,
  to: asId,
})
export type LinesSearch = ReturnType<typeof LinesSearch>
