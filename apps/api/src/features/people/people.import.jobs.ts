import {
  byPolicy,
  claimsOf,
  distinct,
  error,
  externalIdHeader,
  headerOf,
  isRejected,
  labelOf,
  mergeFix,
  reaches,
  reachesAll,
  recordId,
  refuseClosed,
  rejected,
  tagsOf,
  textOf,
  unknown,
  warning,
} from '../imports/imports.plan.public.ts'
import type { Draft, ImportPlan, Planned, Planner, Planning } from '../imports/imports.plan.public.ts'
import { matchPeople, peopleInUse, peopleStates, peopleTables } from './people.import.queries.ts'
import type { PersonState } from './people.import.queries.ts'
import { ensureTag, removeUnusedTags, tagsInUse, tagsShape } from '../tags/tags.public.ts'
import type { RowChange } from '../../platform/records/row-changes.ts'
import {
  changedPerson,
  chooseMatch,
  completePerson,
  fillGaps,
  newPerson,
  personKeys,
  marksOf,
  refuseUnclear,
} from './people.import.rules.ts'
import type { PersonExtras } from './people.import.rules.ts'

/** People with all that stands in their row: names, contact data, chapter, tags, links. */
export const planPeople: Planner = async (planning, drafts) => {
  const { db, orgId, accountId, mapped, options, reach, today } = planning
  for (const draft of drafts) {
    completePerson(draft, mapped)
    if (!recordId(textOf(draft, 'recordId')) && !textOf(draft, 'givenName') && !textOf(draft, 'familyName') && !isRejected(draft))
      error(draft, 'missing', 'This row has no name.', 'Fill in a given or a family name.', { params: { field: 'name' } })
  }
  const usable = drafts.filter((draft) => !isRejected(draft))
  const keys = new Map(drafts.map((draft) => [draft, personKeys(draft, options.matchBy)]))
  const matches = Map.groupBy(
    await matchPeople(
      db,
      orgId,
      usable.flatMap((draft) => {
        const key = keys.get(draft)
        return key ? [{ at: draft.line, ...key.lookup }] : []
      }),
    ),
    (match) => match.at,
  )
  const chosen = new Map(usable.map((draft) => [draft, chooseMatch(matches.get(draft.line) ?? [], keys.get(draft)?.lookup ?? nothingTold)]))
  // A row that is merged means whoever the earlier one became.
  for (const draft of usable) {
    const into = planning.mergeInto.get(draft.line)
    if (into) chosen.set(draft, { id: into.id, name: '', by: 'memberNo' })
  }
  const doubles = await planning.doubles(usable.map(({ line }) => line))
  const ids = [...new Set([...chosen.values()].flatMap((one) => ('id' in one ? [one.id] : [])))]
  const states = await peopleStates(db, orgId, ids)
  const chapters = await planning.lookUps.chapters(db, orgId, distinct(usable.map((draft) => textOf(draft, 'chapterCode'))))
  const tags = await tagsOf(db, orgId, usable)
  const claims = claimsOf(await planning.earlier([...ids.map((id) => `id:${id}`), ...[...keys.values()].map(({ claim }) => claim)]))

  const office = reachesAll(reach, 'people.write') && reachesAll(reach, 'people.sensitive')
  const sensitiveHere = (chapterId: string | null) => reaches(reach, 'people.sensitive', chapterId)

  return drafts.map((draft): Planned => {
    const choice = chosen.get(draft)
    const claim = keys.get(draft)?.claim ?? ''
    if (!choice || isRejected(draft)) return rejected(draft)
    const word = textOf(draft, 'chapterCode')
    const chapter = word === undefined ? undefined : chapters.get(word)
    const chapterId = word === undefined ? options.defaultChapterId : (chapter?.id ?? null)
    const chapterColumn = { column: headerOf(mapped, 'chapterCode'), value: word }
    const until = textOf(draft, 'memberUntil')
    if (word !== undefined && !chapter) unknown(draft, mapped, 'chapterCode', 'chapter', 'Import the chapter first, or correct the code.')
    // A row of an export that names an archived record leaves it alone.
    if ('archived' in choice && choice.record !== null)
      return { draft, outcome: 'unchanged', key: `id:${choice.record}`, entityId: choice.record, changes: [], label: choice.name }
    refuseUnclear(draft, choice, headerOf(mapped, 'memberNo'))
    if (isRejected(draft)) return rejected(draft)

    const state = 'id' in choice ? states.get(choice.id) : undefined
    const memberNo = textOf(draft, 'memberNo')
    const unassigned =
      !office && memberNo !== undefined && memberNo.toLowerCase() !== String(state?.person['member_no'] ?? '').toLowerCase()
    if (unassigned) delete draft.fields['memberNo']
    const unassignedIds = Object.entries(draft.externalIds).filter(
      ([system, id]) => !office && !state?.externalIds.some((held) => held.system === system && held.externalId === id),
    )
    if (unassignedIds.length > 0) draft.externalIds = {}
    const extras: PersonExtras = {
      accountId,
      today,
      defaultStartsOn: options.defaultStartsOn,
      chapterId,
      sensitive: sensitiveHere(chapterId),
      tagIds: draft.tags.map((name) => tags.idOf(name)),
      mapped,
    }
    const changes = state ? changedPerson(draft, state, extras).map((change) => tags.named(change)) : []
    // Whoever changes nothing needs no right to.
    const idle = state !== undefined && changes.length === 0
    const joins = !state || changes.some(({ table }) => table === 'affiliations')
    if (chapter?.closed && joins && !(until && until < today))
      error(
        draft,
        'chapter_closed',
        `The chapter "${chapter.name}" is closed.`,
        'Give another chapter, or the day on which the membership ended.',
        { ...chapterColumn, params: { chapter: chapter.name } },
      )
    if (state && !idle && !state.editable)
      error(
        draft,
        'not_your_person',
        'This person belongs to a chapter outside yours.',
        'Ask an administrator to import this row, or for a transfer.',
      )
    if (chapterId && !idle && !reaches(reach, 'people.write', chapterId))
      error(draft, 'not_your_chapter', 'This chapter is not one of yours.', 'Ask an administrator to import this row.', chapterColumn)
    if (!state && !chapterId && !reachesAll(reach, 'people.write'))
      error(draft, 'chapter_needed', 'This row has no chapter.', 'Give a chapter of yours.', chapterColumn)
    if (!state && !textOf(draft, 'givenName') && !textOf(draft, 'familyName'))
      error(draft, 'missing', 'This row has no name.', 'Fill in a given or a family name.', { params: { field: 'name' } })
    const key = state ? `id:${state.id}` : claim
    const merged = planning.mergeInto.get(draft.line)
    const first = merged || isRejected(draft) ? null : (claims.take(key, draft.line) ?? doubles.get(draft.line) ?? null)
    if (first !== null && options.doubles === 'merge' && planning.phase === 'check') {
      warning(draft, 'merged_row', `Row ${first} means the same person. Both become one.`, mergeFix, {
        params: { row: first, differing: '' },
      })
      return { draft, outcome: 'update', key: null, entityId: null, changes: [], sameAs: first }
    }
    if (first !== null)
      error(draft, 'duplicate_row', `Row ${first} of this file means the same.`, 'Keep one of the two rows, or choose to merge doubles.', {
        params: { row: first },
      })
    if (isRejected(draft)) return { ...rejected(draft), ...(first === null ? {} : { sameAs: first }) }
    if (merged && state) sayMerged(draft, merged.line, fillGaps(draft, state, chapterId))
    // A person without anything of their own is known by name only: the next file could mean someone else.
    if ('by' in choice && choice.by === 'name')
      warning(draft, 'matched_by_name', 'Only the name says who this is.', 'Add a member number, an e-mail address or a birth date.')

    if (state?.own && textOf(draft, 'note') !== undefined)
      warning(draft, 'own_note', 'What officers note about you is not yours to change.', 'Remove the note from this row.', {
        column: headerOf(mapped, 'note'),
      })

    if (unassigned)
      warning(draft, 'member_no_office', 'The office assigns member numbers, so this one is left out.', 'Ask the office to assign it.', {
        column: headerOf(mapped, 'memberNo'),
        value: memberNo,
      })
    for (const [system, id] of unassignedIds)
      warning(draft, 'external_id_office', 'The office assigns external ids, so this one is left out.', 'Ask the office to assign it.', {
        column: externalIdHeader(mapped, system),
        value: id,
      })

    // Filling the gaps of the row before took values out of this one.
    const found = state
      ? { id: state.id, changes: merged ? changedPerson(draft, state, extras).map((change) => tags.named(change)) : changes }
      : null
    if (state && found && found.changes.length > 0 && (merged || options.onMatch !== 'skip')) {
      refuseClosed(draft, state.person['lifecycle'])
      if (!state.decides && found.changes.some((change) => endsMembership(change, state)))
        error(
          draft,
          'not_home_chapter',
          'Status and day of death of this person are decided in the home chapter.',
          'Ask an officer there, or leave both out of this row.',
        )
    }
    const planned = byPolicy(merged ? { ...options, onMatch: 'update' } : options, draft, key, found, () => newPerson(draft, extras))
    return {
      ...touched(planned, planning, tags.take, state?.tagIds ?? []),
      label: state?.name ?? labelOf('people', draft),
      ...(merged ? { sameAs: merged.line } : {}),
    }
  })
}

const nothingTold = { memberNo: null, externalIds: {} }

/** What ends a membership, or takes a death back. */
const endsMembership = ({ table, after }: RowChange, { person }: PersonState): boolean =>
  (table === 'people' &&
    after?.['lifecycle'] !== undefined &&
    (after['lifecycle'] === 'former' || after['lifecycle'] === 'deceased' || person['lifecycle'] === 'deceased')) ||
  (table === 'person_private' && after?.['deceased_on'] !== undefined)

/** Whoever the import touches gets its tag, and only they: a row that changes nothing leaves no trace. */
function touched(
  planned: Planned,
  planning: Planning,
  takeTags: (changes: readonly RowChange[]) => RowChange[],
  present: readonly string[],
): Planned {
  const { entityId } = planned
  if ((planned.outcome !== 'create' && planned.outcome !== 'update') || entityId === null) return planned
  const mark = planning.importTagId
  const marked =
    mark && !present.includes(mark) ? [{ table: 'person_tags', key: { person_id: entityId, tag_id: mark }, before: null, after: {} }] : []
  // Once a person is there, further rows that mean them are found by their id.
  const key = planning.phase === 'run' ? `id:${entityId}` : planned.key
  return { ...planned, key, changes: [...takeTags(planned.changes), ...planned.changes, ...marked] }
}

/** Says what a second row for the same person could not settle. */
function sayMerged(draft: Draft, first: number, differing: readonly string[]): void {
  const both = differing.length > 0 ? ` The two rows differ in ${differing.join(', ')}; row ${first} counts.` : ''
  warning(draft, 'merged_row', `Merged with row ${first}.${both}`, both ? 'Correct the person by hand if the other value is right.' : '', {
    params: { row: first, differing: differing.join(', ') },
  })
}

/** What can be imported of people. */
export const peopleImport: ImportPlan = {
  plan: planPeople,
  tables: [
    tagsShape,
    peopleTables.people,
    peopleTables.affiliations,
    peopleTables.emails,
    peopleTables.phones,
    peopleTables.externalIds,
    peopleTables.contacts,
    peopleTables.private,
    peopleTables.officeNotes,
    peopleTables.personTags,
  ],
  root: 'people',
  shared: { tags: { removeUnused: removeUnusedTags, inUse: tagsInUse } },
  inUse: peopleInUse,
  ensureTag,
  marksOf,
}
