import { listPage } from '../../platform/lists/list-page.ts'
import { mustTouch } from '../../platform/records/update-record.ts'
import { readOne } from '../../platform/records/statement.ts'
import { fault, mustFind, problem } from '../../platform/procedures/problem.ts'
import { data } from '../../platform/procedures/procedures.ts'
import { officersList } from './chapters.members.queries.ts'
import {
  everHeld,
  findPosition,
  findTerm,
  insertPosition,
  insertTerm,
  personVisible,
  positionsQuery,
  removePosition,
  removeTerm,
  seatsNeeded,
  today,
  updatePosition,
  updateTerm,
  vacanciesQuery,
} from './chapters.positions.queries.ts'
import { lastDayOfTerm } from './chapters.rules.ts'
import { chapterState } from './chapters.writes.queries.ts'

const { chapters } = data

export const officers = chapters.officers.handler(async ({ input, context }) => {
  const page = await listPage(context, officersList(input), input)
  const first = input.cursor === undefined
  const wantsVacancies = first && (input.when ?? 'current') === 'current' && !input.q
  if (!wantsVacancies && page.items.length > 0) return { ...page, vacancies: [] }
  const found = await readOne(context, vacanciesQuery(input.chapterId))
  return { ...page, vacancies: wantsVacancies ? found.vacancies : [] }
})

const titleFault = (title: string) => {
  return fault('title', 'duplicate_title', `This chapter already has the office ${title}.`, { params: { title } })
}

export const positions = chapters.positions.router({
  list: chapters.positions.list.handler(async ({ input, context }) => {
    return readOne(context, positionsQuery(input.chapterId))
  }),

  create: chapters.positions.create.handler(({ input: { chapterId, ...position }, context }) =>
    context.inTx(async (db) => {
      mustFind(await chapterState(db, chapterId))
      const positionId = await insertPosition(db, context.actor.orgId, chapterId, position)
      if (!positionId) throw problem('CONFLICT', titleFault(position.title))
      return mustFind(await findPosition(db, { chapterId, positionId }))
    }),
  ),

  update: chapters.positions.update.handler(({ input: { chapterId, positionId, ...change }, context }) =>
    context.inTx(async (db) => {
      const office = { chapterId, positionId }
      if (change.maxHolders !== undefined) {
        const needed = await seatsNeeded(db, positionId)
        if (needed > change.maxHolders)
          throw problem(
            'CONFLICT',
            fault('maxHolders', 'seats_in_use', `${needed} people hold it at once, so it needs ${needed} seats.`, { params: { needed } }),
          )
      }
      return updatePosition(db, office, context.ifMatch, change)
    }),
  ),

  remove: chapters.positions.remove.handler(({ input, context }) =>
    context.inTx(async (db) => {
      if (await removePosition(db, input)) return
      mustFind(await findPosition(db, input))
      if (await everHeld(db, input.positionId)) {
        throw problem('CONFLICT', { reason: 'position_held', detail: 'Someone holds or held this office; its history would go with it.' })
      }
      throw problem('FORBIDDEN')
    }),
  ),

  appoint: chapters.positions.appoint.handler(({ input: { chapterId, positionId, personId, note, ...dates }, context }) =>
    context.inTx(async (db) => {
      const position = mustFind(await findPosition(db, { chapterId, positionId }))
      if ((await chapterState(db, chapterId))?.status === 'closed') {
        throw problem('CONFLICT', { reason: 'chapter_closed', detail: 'This chapter is closed.' })
      }
      if (!(await personVisible(db, personId)))
        throw problem('UNPROCESSABLE_CONTENT', fault('personId', 'person_not_found', 'There is no such person.'))
      const startsOn = dates.startsOn ?? (await today(db))
      const endsOn =
        dates.endsOn === undefined && position.termMonths ? lastDayOfTerm(startsOn, position.termMonths) : (dates.endsOn ?? null)
      if (endsOn !== null && endsOn < startsOn) throw problem('UNPROCESSABLE_CONTENT', datesFault)
      const holderId = await insertTerm(db, context.actor.orgId, { positionId, personId, startsOn, endsOn, note: note ?? '' })
      if (!holderId) throw problem('CONFLICT', { reason: 'duplicate_term', detail: 'This person begins this term on that day already.' })
      return mustFind(await findTerm(db, { chapterId, positionId, holderId }))
    }),
  ),

  updateHolder: chapters.positions.updateHolder.handler(({ input: { chapterId, positionId, holderId, ...change }, context }) =>
    context.inTx(async (db) => {
      const term = { chapterId, positionId, holderId }
      const before = mustFind(await findTerm(db, term))
      const endsOn = change.endsOn === undefined ? before.endsOn : change.endsOn
      if (endsOn !== null && endsOn < (change.startsOn ?? before.startsOn)) throw problem('UNPROCESSABLE_CONTENT', datesFault)
      return updateTerm(db, term, context.ifMatch, change)
    }),
  ),

  removeHolder: chapters.positions.removeHolder.handler(({ input, context }) =>
    context.inTx(async (db) => {
      mustFind(await findTerm(db, input))
      await mustTouch(await removeTerm(db, input), () => findTerm(db, input))
    }),
  ),
})

const datesFault = fault('endsOn', 'dates', 'Enter a day on or after the first.', { detail: 'The last day cannot be before the first.' })
