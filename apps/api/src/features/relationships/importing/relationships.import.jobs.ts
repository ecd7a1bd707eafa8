import {
  byPolicy,
  claimsOf,
  distinct,
  error,
  headerOf,
  isRejected,
  recordId,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  warning,
} from '../../imports/imports.plan.public.ts'
import type { Draft, ImportPlan, Mapped, Planned, Planner, Planning, Referred } from '../../imports/imports.plan.public.ts'
import { newId } from '../../../platform/records/new-id.ts'
import {
  brokenRules,
  parentsOf,
  relationshipsHere,
  relationshipsInUse,
  relationshipsOf,
  relationshipsTable,
  typesByWord,
} from './relationships.import.queries.ts'
import { refuse } from './relationships.import.rules.ts'
import type { Edge, FoundEdge, FoundType } from './relationships.import.queries.ts'

type Side = 'from' | 'to'
/** What a side is known by, as rows of other kinds name a person. */
const known: Readonly<Record<string, string>> = {
  RecordId: 'recordId',
  MemberNo: 'memberNo',
  Email: 'email',
  ExternalId: 'externalId',
  Name: 'fullName',
}

type Row = { draft: Draft; label: string; edge: Edge }

/** A list of pairs: who stands in which relationship to whom. What is here already stays as it is. */
export const planRelationships: Planner = async (planning, all) => {
  const { db, orgId, mapped, options, phase } = planning
  const idOf = (draft: Draft) => recordId(textOf(draft, 'relationshipRecordId')) ?? ''
  const here = await relationshipsHere(db, orgId, distinct(all.map((draft) => idOf(draft) || undefined)))
  const drafts = all.filter((draft) => !here.has(idOf(draft)))
  const types = await typesByWord(db, orgId)
  const first = await peopleOf(planning, drafts, 'from')
  const second = await peopleOf(planning, drafts, 'to')
  const labels = new Map(
    drafts.map((draft) => [
      draft,
      [first.get(draft)?.name ?? wordsOf(draft, 'from'), second.get(draft)?.name ?? wordsOf(draft, 'to')].filter(Boolean).join(' → '),
    ]),
  )
  const rows = drafts.flatMap((draft): Row[] => {
    const edge = readEdge(draft, mapped, typeOf(draft, mapped, types), first.get(draft), second.get(draft))
    return edge && !isRejected(draft) ? [{ draft, edge, label: labels.get(draft) ?? '' }] : []
  })
  const found = await relationshipsOf(
    db,
    orgId,
    rows.map(({ edge }) => edge),
  )
  const claims = claimsOf(await planning.earlier(rows.map(({ edge }) => keyOf(edge))))
  const byDraft = new Map(rows.map((row) => [row.draft, { ...row, same: sameAs(row.edge, found) }]))
  const fresh = [...byDraft.values()].filter(({ draft, edge, same }) => !refuseSecond(draft, claims, keyOf(edge)) && !same)
  const broken = await brokenRules(
    db,
    fresh.map(({ draft, edge }) => ({ line: draft.line, ...columnsOf(edge) })),
    // In a run they have been written.
    phase === 'check' && fresh.length > 0
      ? (
          await above(
            planning,
            fresh.map(({ edge }) => edge),
          )
        ).map(columnsOf)
      : [],
  )

  return all.map((draft): Planned => {
    const label = labels.get(draft) ?? textOf(draft, 'relationshipType') ?? ''
    if (here.has(idOf(draft))) {
      const id = idOf(draft)
      return { ...byPolicy(options, draft, `edge::${id}`, { id, changes: [] }, () => ({ id, changes: [] })), label }
    }
    const row = byDraft.get(draft)
    if (!row || isRejected(draft)) return { ...rejected(draft), label }
    const { edge, same } = row
    const rule = broken.get(draft.line)
    if (rule) refuse(draft, mapped, rule)
    if (same && (same.startsOn ?? '') !== (edge.startsOn ?? '') && edge.startsOn !== null)
      warning(
        draft,
        'relationship_kept',
        'This relationship is there with another first day, which stays.',
        'Change it on the page of the person if it is wrong.',
        {
          column: headerOf(mapped, 'startsOn'),
          value: edge.startsOn,
        },
      )
    const planned = byPolicy(options, draft, keyOf(edge), same ? { id: same.id, changes: [] } : null, () => {
      const id = newId()
      const after = { ...columnsOf(edge), note: textOf(draft, 'note') ?? '' }
      return { id, changes: [{ table: 'relationships', key: { id }, before: null, after }] }
    })
    return { ...planned, label }
  })
}

/** Keys begin with the second person, so that all that stands above somebody in this file is found. */
const keyOf = ({ typeId, fromId, toId, startsOn, endsOn }: Edge) => `edge:${toId}:${typeId}:${fromId}:${startsOn ?? ''}:${endsOn ?? ''}`
const edgeOf = (key: string): Edge | null => {
  const [, toId, typeId, fromId, startsOn, endsOn] = key.split(':')
  return toId && typeId && fromId ? { typeId, fromId, toId, startsOn: startsOn || null, endsOn: endsOn || null } : null
}
const columnsOf = ({ typeId, fromId, toId, startsOn, endsOn }: Edge) => ({
  type_id: typeId,
  from_person_id: fromId,
  to_person_id: toId,
  starts_on: startsOn,
  ends_on: endsOn,
})

/** The one that is there already: the open one, or of those that are over the one with the same days. */
const sameAs = (edge: Edge, found: readonly FoundEdge[]): FoundEdge | undefined =>
  found
    .filter(({ typeId, fromId, toId }) => typeId === edge.typeId && fromId === edge.fromId && toId === edge.toId)
    .find(({ state, endsOn, startsOn }) =>
      edge.endsOn === null
        ? state === 'active' || state === 'proposed'
        : endsOn === edge.endsOn && (startsOn ?? '') === (edge.startsOn ?? ''),
    )

/** Rows of this file that stand above these pairs: with them, and with what is here, a circle would close. */
async function above({ db, orgId, earlierUnder }: Planning, edges: readonly Edge[]): Promise<Edge[]> {
  const seen = new Set<string>()
  const found = new Map<string, Edge>()
  let people = [...new Set(edges.flatMap(({ fromId, toId }) => [fromId, toId]))]
  // Nobody has so many above them; what is refused in the run alone is said there.
  for (let steps = 0; people.length > 0 && steps < 200; steps++) {
    for (const person of people) seen.add(person)
    const lines = await earlierUnder(people.map((person) => `edge:${person}:`))
    for (const { key } of lines) {
      const edge = edgeOf(key)
      if (edge) found.set(key, edge)
    }
    const next = [...lines.flatMap(({ key }) => edgeOf(key)?.fromId ?? []), ...(await parentsOf(db, orgId, people))]
    people = [...new Set(next)].filter((person) => !seen.has(person))
  }
  return [...found.values()]
}

/** The people of one side: each side is a row of its own that names a person, whose findings are those of this row. */
async function peopleOf(planning: Planning, drafts: readonly Draft[], side: Side): Promise<Map<Draft, Referred>> {
  const targetOf = (target: string) => (target.startsWith(side) ? known[target.slice(side.length)] : undefined) ?? 'ignore'
  const mapped = { ...planning.mapped, targets: planning.mapped.targets.map(targetOf) }
  const shadows = new Map(drafts.map((draft): [Draft, Draft] => [shadowOf(draft, side), draft]))
  const found = await planning.lookUps.people({ ...planning, mapped }, [...shadows.keys()])
  const people = new Map<Draft, Referred>()
  for (const [shadow, draft] of shadows) {
    const person = found.get(shadow)
    if (person) people.set(draft, person)
    draft.findings.push(...shadow.findings)
  }
  return people
}

function shadowOf(draft: Draft, side: Side): Draft {
  const said = (name: string) => textOf(draft, `${side}${name}`)
  const [email, external] = [said('Email'), said('ExternalId')]
  const [, system, id] = /^([a-z0-9_-]{1,40}):(.+)$/.exec(external ?? '') ?? []
  const fields = Object.fromEntries(
    (['RecordId', 'MemberNo', 'Name'] as const).flatMap((name) => {
      const value = said(name)
      return value === undefined ? [] : [[known[name] ?? name, value]]
    }),
  )
  return {
    ...draft,
    fields,
    emails: email === undefined ? [] : [email],
    externalIds: external === undefined ? {} : system && id ? { [system]: id.trim() } : { default: external },
    links: {},
    findings: [],
  }
}
const wordsOf = (draft: Draft, side: Side) =>
  ['MemberNo', 'Email', 'ExternalId', 'Name'].map((name) => textOf(draft, `${side}${name}`)).find((word) => word !== undefined)

function typeOf(draft: Draft, mapped: Mapped, types: ReadonlyMap<string, FoundType>): FoundType | undefined {
  requireFields(draft, mapped, { relationshipType: 'type of relationship' })
  const word = textOf(draft, 'relationshipType')
  const type = types.get(word?.toLowerCase() ?? '')
  if (word !== undefined && !type)
    error(
      draft,
      'unknown_relationship_type',
      `There is no type of relationship "${word}".`,
      'Create the type first, or correct the name.',
      {
        column: headerOf(mapped, 'relationshipType'),
        value: word,
        params: { type: word },
      },
    )
  return type
}

function readEdge(
  draft: Draft,
  mapped: Mapped,
  type: FoundType | undefined,
  from: Referred | undefined,
  to: Referred | undefined,
): Edge | null {
  const state = textOf(draft, 'relationshipState')
  if (state === 'proposed' || state === 'rejected')
    error(
      draft,
      'relationship_state',
      'Only relationships that are or were active are imported.',
      'Correct the status, or leave this row out.',
      {
        column: headerOf(mapped, 'relationshipState'),
        value: state,
      },
    )
  if (state === 'ended') requireFields(draft, mapped, { endsOn: 'last day' })
  if (from && to && from.id === to.id)
    error(draft, 'related_to_oneself', 'Both sides of this row are the same person.', 'Correct one of them.')
  if (!type || !from || !to) return null
  return {
    typeId: type.id,
    fromId: from.id,
    toId: to.id,
    startsOn: textOf(draft, 'startsOn') ?? null,
    endsOn: textOf(draft, 'endsOn') ?? null,
  }
}

export const relationshipsImport: ImportPlan = {
  plan: planRelationships,
  tables: [relationshipsTable],
  root: 'relationships',
  shared: {},
  inUse: relationshipsInUse,
}
