import type { Officer, Position, PositionChange, Vacancy } from '@guildhall/contract/features/chapters'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { statement } from '../../platform/records/statement.ts'
import { officerItem, officersFrom, vacanciesOf } from './chapters.queries.ts'

const positionItem = sql<Position>`json_build_object('id', s.id, 'chapterId', s.chapter_id, 'title', s.title,
  'role', case when r.id is not null then json_build_object('id', r.id, 'key', r.key, 'name', r.name) end,
  'termMonths', s.term_months, 'maxHolders', s.max_holders, 'mandatory', s.mandatory, 'memberOnly', s.member_only,
  'holders', coalesce(n.people, 0), 'version', s.version)`
const positionsFrom = sql`from app.positions s left join app.roles r on r.org_id = s.org_id and r.id = s.role_id left join app.officers_now() n on n.position_id = s.id`

/** Offices of a chapter; no row for a chapter that is not there. */
export const positionsQuery = (chapterId: string) =>
  statement(sql<{ items: Position[] }>`
    select (select coalesce(json_agg(${positionItem} order by s.title_key), '[]') ${positionsFrom} where s.chapter_id = c.id) as items
    from app.chapters c where c.id = ${chapterId}`)

export const vacanciesQuery = (chapterId: string) =>
  statement(
    sql<{ vacancies: Vacancy[] }>`select ${vacanciesOf(sql`c.id`, false)} as vacancies from app.chapters c where c.id = ${chapterId}`,
  )

type Office = { chapterId: string; positionId: string }

export async function findPosition(db: ActorDb, { chapterId, positionId }: Office): Promise<Position | undefined> {
  const { rows } = await sql<{ item: Position }>`
    select ${positionItem} as item ${positionsFrom} where s.id = ${positionId} and s.chapter_id = ${chapterId}`.execute(db)
  return rows[0]?.item
}

/** Id of the new office, or nothing when the chapter has one of that title. */
export async function insertPosition(db: ActorDb, orgId: string, chapterId: string, position: PositionChange & { title: string }) {
  const row = await db
    .insertInto('app.positions')
    .values({ org_id: orgId, chapter_id: chapterId, ...columnsOf('app.positions', position) })
    .onConflict((conflict) => conflict.columns(['org_id', 'chapter_id', 'title_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export const updatePosition = (db: ActorDb, office: Office, version: number, change: PositionChange): Promise<Position> => {
  const key = { id: office.positionId, chapter_id: office.chapterId, version }
  return updateRecord(db, 'app.positions', key, columnsOf('app.positions', change), () => findPosition(db, office))
}

/** How many seats are needed for everybody who holds the office now or later: it cannot have fewer. */
export async function seatsNeeded(db: ActorDb, positionId: string): Promise<number> {
  const { rows } = await sql<{ needed: number }>`
    select coalesce(max(n), 0)::int as needed from (
      select (select count(*) from app.position_holders o where o.position_id = h.position_id
        and o.starts_on <= h.starts_on and (o.ends_on is null or o.ends_on > h.starts_on or o.id = h.id)) as n
      from app.position_holders h where h.position_id = ${positionId} and (h.ends_on is null or h.ends_on >= (select app.today()))) x`.execute(
    db,
  )
  return rows[0]?.needed ?? 0
}

export async function removePosition(db: ActorDb, { chapterId, positionId }: Office): Promise<boolean> {
  const row = await db
    .deleteFrom('app.positions')
    .where('id', '=', positionId)
    .where('chapter_id', '=', chapterId)
    .where((where) =>
      where.not(
        where.exists(where.selectFrom('app.position_holders as h').select('h.id').whereRef('h.position_id', '=', 'app.positions.id')),
      ),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Whether anybody, seen or not, ever held the office. */
export const everHeld = async (db: ActorDb, positionId: string) =>
  (await db.selectFrom('app.position_holders').select('id').where('position_id', '=', positionId).limit(1).executeTakeFirst()) !== undefined

type Term = Office & { holderId: string }

export async function findTerm(db: ActorDb, { chapterId, positionId, holderId }: Term): Promise<Officer | undefined> {
  const { rows } = await sql<{ item: Officer }>`
    select ${officerItem} as item ${officersFrom} where h.id = ${holderId} and s.id = ${positionId} and s.chapter_id = ${chapterId}`.execute(
    db,
  )
  return rows[0]?.item
}

type NewTerm = { positionId: string; personId: string; startsOn: string; endsOn: string | null; note: string }

/** Id of the new term, or nothing when the same person begins it on the same day already. */
export async function insertTerm(db: ActorDb, orgId: string, term: NewTerm): Promise<string | undefined> {
  const row = await db
    .insertInto('app.position_holders')
    .values({ org_id: orgId, ...columnsOf('app.position_holders', term) })
    .onConflict((conflict) => conflict.columns(['org_id', 'position_id', 'person_id', 'starts_on']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

type TermChange = { startsOn?: string | undefined; endsOn?: string | null | undefined; note?: string | undefined }

export const updateTerm = (db: ActorDb, term: Term, version: number, change: TermChange): Promise<Officer> => {
  const key = { id: term.holderId, position_id: term.positionId, version }
  return updateRecord(db, 'app.position_holders', key, columnsOf('app.position_holders', change), () => findTerm(db, term))
}

export async function removeTerm(db: ActorDb, { positionId, holderId }: Term): Promise<boolean> {
  const row = await db
    .deleteFrom('app.position_holders')
    .where('id', '=', holderId)
    .where('position_id', '=', positionId)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export const personVisible = async (db: ActorDb, personId: string) =>
  (await db.selectFrom('app.people').select('id').where('id', '=', personId).where('deleted_at', 'is', null).executeTakeFirst()) !==
  undefined

export async function today(db: ActorDb): Promise<string> {
  const { rows } = await sql<{ today: string }>`select app.today() as today`.execute(db)
  return rows[0]?.today ?? ''
}
