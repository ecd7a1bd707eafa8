import {
  byPolicy,
  claimsOf,
  columnsOf,
  difference,
  distinct,
  error,
  isRejected,
  reaches,
  referredWords,
  refuseClosed,
  refuseSecond,
  rejected,
  requireFields,
  textOf,
  unknown,
  warning,
} from '../imports/imports.plan.public.ts'
import type { ImportPlan, Planned, Planner } from '../imports/imports.plan.public.ts'
import { chapterTables, holdersInUse, officeKey, officeStates, officesInUse, removeUnusedOffices } from './chapters.import.queries.ts'
import type { OfficeState } from './chapters.import.queries.ts'
import { newId } from '../../platform/records/new-id.ts'
import type { RowChange } from '../../platform/records/row-changes.ts'
import { seatsNeeded } from './chapters.import.seats.rules.ts'

/** Who holds or held which office, by person, title, chapter and first day. An office that is not there yet is made. */
export const planPositions: Planner = async (planning, drafts) => {
  const { db, orgId, mapped, options, reach } = planning
  const chapters = await planning.lookUps.chapters(db, orgId, distinct(drafts.map((draft) => textOf(draft, 'chapterCode'))))
  const people = await planning.lookUps.people(planning, drafts)
  const offices = await officeStates(
    db,
    orgId,
    drafts.flatMap((draft) => {
      const chapterId = chapters.get(textOf(draft, 'chapterCode') ?? '')?.id
      const title = textOf(draft, 'title')
      return chapterId && title ? [{ chapterId, title }] : []
    }),
  )
  const startOf = (draft: (typeof drafts)[number]) => textOf(draft, 'startsOn') ?? options.defaultStartsOn ?? undefined
  const keyOf = (draft: (typeof drafts)[number]) =>
    ['at', people.get(draft)?.id, textOf(draft, 'title')?.toLowerCase(), textOf(draft, 'chapterCode'), startOf(draft)].join(':')
  const claims = claimsOf(await planning.earlier(drafts.map(keyOf)))

  return drafts.map((draft): Planned => {
    requireFields(draft, mapped, {
      title: 'title',
      chapterCode: 'chapter',
      ...(startOf(draft) ? {} : { startsOn: 'start' }),
    })
    const chapter = chapters.get(textOf(draft, 'chapterCode') ?? '')
    const person = people.get(draft)
    const [chapterId, personId] = [chapter?.id, person?.id]
    const label = [person?.name ?? referredWords(draft), textOf(draft, 'title'), chapter?.name ?? textOf(draft, 'chapterCode')]
      .filter(Boolean)
      .join(' · ')
    if (!chapterId && textOf(draft, 'chapterCode'))
      unknown(draft, mapped, 'chapterCode', 'chapter', 'Import the chapter first, or correct the code.')
    const [title, startsOn] = [textOf(draft, 'title'), startOf(draft)]
    if (isRejected(draft) || !chapterId || !personId || !title || !startsOn) return { ...rejected(draft), label }
    if (!reaches(reach, 'positions.appoint', chapterId)) {
      error(draft, 'not_your_chapter', 'This chapter is not one of yours.', 'Ask an administrator to import this row.', {
        value: textOf(draft, 'chapterCode'),
      })
      return { ...rejected(draft), label }
    }
    const key = keyOf(draft)
    if (refuseSecond(draft, claims, key)) return { ...rejected(draft), label }

    const wanted = { ...columnsOf(draft, { endsOn: 'ends_on', note: 'note' }), starts_on: startsOn }
    const office = offices.get(officeKey(chapterId, title))
    const holder = office?.holders.find((one) => one.personId === personId && one.startsOn === startsOn)
    const change = holder && difference({ starts_on: holder.startsOn, ends_on: holder.endsOn, note: holder.note }, wanted)
    if (!holder || change) refuseClosed(draft, person?.lifecycle)
    if (isRejected(draft)) return { ...rejected(draft), label }
    const found = holder
      ? { id: holder.id, changes: change ? [{ table: 'position_holders', key: { id: holder.id }, ...change }] : [] }
      : null
    const planned = byPolicy(options, draft, key, found, () => {
      const changes: RowChange[] = []
      const target = office ?? newOffice(chapterId, title)
      if (!office) {
        offices.set(officeKey(chapterId, title), target)
        changes.push({ table: 'positions', key: { id: target.id }, before: null, after: { chapter_id: chapterId, title, max_holders: 1 } })
      }
      const id = newId()
      changes.push({
        table: 'position_holders',
        key: { id },
        before: null,
        after: { ...wanted, position_id: target.id, person_id: personId },
      })
      target.holders.push({ id, personId, startsOn, endsOn: textOf(draft, 'endsOn') ?? null, note: '' })
      return { id, changes }
    })
    const target = offices.get(officeKey(chapterId, title))
    if (target && (planned.outcome === 'create' || planned.outcome === 'update')) {
      if (holder) holder.endsOn = textOf(draft, 'endsOn') ?? holder.endsOn
      const seats = seatsNeeded(target.holders)
      if (seats > target.seats) {
        warning(
          draft,
          'more_seats',
          `${title} is held by ${seats} at a time, so the office gets ${seats} seats.`,
          'Correct the dates if only one held it at a time.',
          { params: { title, seats } },
        )
        planned.changes.push({
          table: 'positions',
          key: { id: target.id },
          before: { max_holders: target.seats },
          after: { max_holders: seats },
        })
        target.seats = seats
      }
    }
    return { ...planned, label }
  })
}

const newOffice = (chapterId: string, title: string): OfficeState => ({
  id: newId(),
  chapterId,
  titleKey: title.toLowerCase(),
  seats: 1,
  holders: [],
})

export const positionsImport: ImportPlan = {
  plan: planPositions,
  tables: [chapterTables.positions, chapterTables.positionHolders],
  root: 'position_holders',
  shared: { positions: { removeUnused: removeUnusedOffices, inUse: officesInUse } },
  inUse: holdersInUse,
}
