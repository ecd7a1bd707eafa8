import type { Principal } from '@guildhall/db/cast-testing'
import { areaKinds } from './areas.ts'
import type { Right } from './grid.ts'
import { rights } from './rights.ts'

/** What a text of the stage is: each kind has its own right of who may see it, wherever it turns up. */
export const kinds = {
  directory: rights.seePeople,
  shown: rights.seeShownContact,
  contact: rights.seeContact,
  private: rights.seeSensitive,
  officeNote: rights.seeOfficeNotes,
  officersNote: rights.seeOfficeNotes,
  orgNote: rights.seeNotes,
  ownNote: rights.nobodyElse,
  externalId: rights.seeExternalIds,
  keptValue: rights.seeExternalIds,
  openField: rights.account,
  minor: rights.seeMinors,
  chapter: rights.account,
  file: rights.account,
  office: rights.account,
  term: rights.seePeople,
  tag: rights.seeOfficersTags,
  memberTag: rights.seeTags,
  group: rights.seeGroups,
  openGroup: rights.account,
  privateGroup: rights.seeGroups,
  secretGroup: rights.seeSecretGroups,
  comment: rights.seeRoster,
  roster: rights.seeRoster,
  privateRoster: rights.seePrivateRoster,
  account: rights.seeAccounts,
  grant: rights.seeGrants,
  mail: rights.seeMails,
  message: rights.readMessages,
  view: rights.nobodyElse,
  sharedView: rights.seeSharedViews,
  job: rights.nobodyElse,
  export: rights.seeExportReasons,
  import: rights.seeImports,
  mapping: rights.seeMappings,
  recording: rights.watchRecordings,
  ...areaKinds,
} as const satisfies Record<string, Right>
export type Kind = keyof typeof kinds

/** The text that marks a row: survives lower-casing, sorting and e-mail addresses, and stands nowhere else. */
export const canaryOf = (kind: Kind, at: string) => marked(kind, at)
/** The same of an area, whose kinds are checked where canaries are read. */
export const marked = (kind: string, at: string) => `qz7${kind}7${at}7zq`

export type Canary = { kind: Kind; at: string }

const kindOf = (name: string) => Object.keys(kinds).find((each): each is Kind => each.toLowerCase() === name.toLowerCase())

/** A kind that a policy line names. */
export function knownKind(name: string): Kind {
  const kind = kindOf(name)
  if (!kind) throw new Error(`There is no kind of canary called ${name}.`)
  return kind
}

/** Every canary in a text. */
export function canariesIn(text: string): Canary[] {
  const found = new Map<string, Canary>()
  for (const [whole, kind = '', at = ''] of text.matchAll(/qz7([a-z]+)7([a-z]+)7zq/gi)) {
    const known = kindOf(kind)
    if (!known) throw new Error(`${whole} marks nothing`)
    found.set(whole.toLowerCase(), { kind: known, at: at.toLowerCase() })
  }
  return [...found.values()]
}

/** Where the principals' own people are at home. */
const homes: Partial<Record<string, 'west' | 'east'>> = { former: 'west', member: 'west', officer: 'west', leader: 'east' }

/** Kinds that are about somebody and not for them. */
const officersOnly: ReadonlySet<Kind> = new Set(['officeNote', 'officersNote', 'orgNote', 'externalId', 'keptValue'])

/** Whether a principal may meet a canary anywhere at all. */
export function maySee(principal: Principal, { kind, at }: Canary): boolean {
  if (principal === 'stranger') return at === 'foreign' || at === 'stranger'
  if (at === 'foreign' || at === 'stranger') return false
  const right: Right = kinds[kind]
  // What is one's own, one sees; save what is for officers.
  if (at === principal && kind !== 'tag') return !officersOnly.has(kind) || right.has(principal, 'own')
  const place = at === 'west' || at === 'below' || at === 'east' ? at : (homes[at] ?? 'org')
  return right.has(principal, right.columns.includes(place) ? place : 'org')
}
