import type { Holding, HistoryEntry, Membership, Person, PersonChange } from '@guildhall/contract/features/people'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type * as z from 'zod'
import { chapterRef, mayInChapter, personRef, whenOf } from '../../platform/lists/json-refs.ts'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { statement } from '../../platform/records/statement.ts'
import { homeChapterJoin, jsonList, ofPerson, personChildren, personColumns, tagsOf } from './list/people.columns.queries.ts'
import { fieldValues } from '../fields/fields.public.ts'
import { historyItems } from './people.history.queries.ts'
import { isOffice, personMay, seesOfficeNote, unlessArchived } from './rights/people.rights.queries.ts'

const membershipColumns = sql`a.id, ${chapterRef('q')} as chapter, a.kind, a.starts_on as "startsOn", a.ends_on as "endsOn", a.is_primary as "isPrimary",
  ${whenOf('a')} as "when", ${mayInChapter('people.write', sql`a.chapter_id`)} as "mayEdit", a.version`
const membershipFrom = sql`from app.affiliations a join app.chapters q on q.org_id = a.org_id and q.id = a.chapter_id`
const membershipOrder = sql`order by a.ends_on desc nulls first, a.is_primary desc, a.starts_on desc, a.id`

const holdingColumns = sql`h.id, s.id as "positionId", s.title, ${chapterRef('q')} as chapter, h.starts_on as "startsOn", h.ends_on as "endsOn",
  ${whenOf('h')} as "when", h.note, h.version`
const holdingFrom = sql`from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
  join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id`
const holdingOrder = sql`order by h.ends_on desc nulls first, h.starts_on desc, h.id`

const membershipsOf = jsonList(sql`select ${membershipColumns} ${membershipFrom} where ${ofPerson('a')} ${membershipOrder}`)
const holdingsOf = jsonList(sql`select ${holdingColumns} ${holdingFrom} where ${ofPerson('h')} ${holdingOrder}`)

const person: RawBuilder<Person> = sql`(select row_to_json(item) from (select ${personColumns}, p.middle_name as "middleName", p.former_names as "formerNames", p.pronouns, p.bio,
  p.language, p.do_not_contact as "doNotContact", coalesce(p.minor_until > (select app.today()), false) as "isMinor",
  p.deleted_at + interval '30 days' as "restorableUntil",
  (select ${personRef('w')} from app.people w where w.org_id = p.org_id and w.id = p.merged_into) as "mergedInto", ${personChildren.emails} as emails, ${personChildren.phones} as phones,
  ${personChildren.externalIds} as "externalIds",
  ${personChildren.contact} as contact, ${personChildren.private} as private,
  case when ${seesOfficeNote} then coalesce(${personChildren.officeNote}, '') end as "officeNote", ${membershipsOf} as memberships, ${holdingsOf} as positions,
  ${personChildren.groups} as groups, ${tagsOf} as tags, ${fieldValues('people', 'p.org_id', 'p.id')} as fields, ${personMay} as may) item)`

/** The whole person in one statement; no row when there is none to see. */
export const personQuery = (personId: string) =>
  statement(
    sql<{ person: Person }>`select ${person} as person from app.people p ${homeChapterJoin} where p.id = ${personId} and ${unlessArchived}`,
  )

export const overviewQuery = (personId: string) =>
  statement(sql<{
    person: Person
    recentChanges: HistoryEntry[]
  }>`select ${person} as person, ${historyItems(sql`p.id`, {}, 10)} as "recentChanges"
    from app.people p ${homeChapterJoin} where p.id = ${personId} and ${unlessArchived}`)

export async function findPerson(db: ActorDb, personId: string): Promise<Person | undefined> {
  const { rows } = await db.executeQuery(personQuery(personId).compile())
  return rows[0]?.person
}

/** What a read about a person says of them, so that erased ones are told from those who are not there. */
type Known = Pick<Person, 'lifecycle'>

export const membershipsQuery = (personId: string) =>
  statement(
    sql<
      Known & { items: Membership[] }
    >`select p.lifecycle, ${membershipsOf} as items from app.people p where p.id = ${personId} and ${unlessArchived}`,
  )

export const holdingsQuery = (personId: string) =>
  statement(
    sql<
      Known & { items: z.infer<typeof Holding>[] }
    >`select p.lifecycle, ${holdingsOf} as items from app.people p where p.id = ${personId} and ${unlessArchived}`,
  )

export async function findMembership(db: ActorDb, personId: string, membershipId: string): Promise<Membership | undefined> {
  const { rows } = await sql<{
    item: Membership
  }>`select (select row_to_json(item) from (select ${membershipColumns}) item) as item ${membershipFrom}
    where a.id = ${membershipId} and a.person_id = ${personId}`.execute(db)
  return rows[0]?.item
}

// Writing -----------------------------------------------------------------------------------------------------------------------------

/** Columns of a change; a text that was emptied is null where the table has no empty one. */
type PersonFacts = Omit<PersonChange, 'fields'>
const personFacts = ({ memberNo, language, ...same }: PersonFacts) =>
  columnsOf('app.people', { ...same, memberNo: memberNo === '' ? null : memberNo, language: language === '' ? null : language })

export async function insertPerson(db: ActorDb, actor: { orgId: string; accountId: string }, facts: PersonFacts): Promise<string> {
  const { id } = await db
    .insertInto('app.people')
    .values({ org_id: actor.orgId, created_by: actor.accountId, ...personFacts(facts) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `touch`: what belongs to the person changes too, which is a change of the person. */
export const updatePerson = (db: ActorDb, personId: string, version: number, change: PersonFacts, touch = false): Promise<Person> =>
  updateRecord(db, 'app.people', { id: personId, version }, { ...(touch ? { bio: sql`bio` } : {}), ...personFacts(change) }, () =>
    findPerson(db, personId),
  )

export async function archivePerson(db: ActorDb, personId: string): Promise<boolean> {
  const row =
    await sql`update app.people p set deleted_at = now() where p.id = ${personId} and p.deleted_at is null returning p.id`.execute(db)
  return row.rows.length > 0
}

/** Within 30 days; later the archive is final. */
export async function restorePerson(db: ActorDb, personId: string): Promise<boolean> {
  const row =
    await sql`update app.people p set deleted_at = null where p.id = ${personId} and p.deleted_at > now() - interval '30 days' returning p.id`.execute(
      db,
    )
  return row.rows.length > 0
}

/** Whether the caller assigns member numbers. */
export async function isOfficeNow(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select ${isOffice} as may`.execute(db)
  return rows[0]?.may ?? false
}

/** Whether the caller may write people anywhere, and so enter one without a chapter. */
export async function mayWriteEverywhere(db: ActorDb): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select app.everywhere('people.write') as may`.execute(db)
  return rows[0]?.may ?? false
}
