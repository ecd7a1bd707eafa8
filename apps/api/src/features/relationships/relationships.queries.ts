import { RelationshipState } from '@guildhall/contract/features/relationships'
import type { NewRelationship, Relationship, RelationshipChange, RelationshipListInput } from '@guildhall/contract/features/relationships'
import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { choiceField, filterWhere, idField } from '../../platform/lists/filters.ts'
import type { FilterCatalogue } from '../../platform/lists/filters.ts'
import { chapterRef, orNull } from '../../platform/lists/json-refs.ts'
import type { List } from '../../platform/lists/list-page.ts'
import { kindOf } from '../../platform/notify.ts'
import { statement } from '../../platform/records/statement.ts'

// `r` is the relationship, `t` its type, `f` and `s` the first and the second person, `fn` and `sn` their names for the other of the two.

/** Without what the caller may do, which is asked once for a page. */
export type Stored = Omit<Relationship, 'may' | 'lapsesOn'>

const typeRef = sql`json_build_object('id', t.id, 'key', t.key, 'name', t.name, 'forwardLabel', t.forward_label, 'inverseLabel', t.inverse_label)`
const side = (person: string, named: string, chapter: string, id: string) => {
  const either = (column: string) => sql`coalesce(${sql.ref(`${person}.${column}`)}, ${sql.ref(`${named}.${column}`)})`
  return sql`json_build_object('id', ${sql.ref(`r.${id}`)}, 'displayName', coalesce(${either('display_name')}, ''), 'pictureId', ${either('picture_id')},
    'chapter', ${orNull(chapter, chapterRef)})`
}
/** An officer by name, where the reader may see who it is. */
const officer = (column: string) =>
  sql`(select n.name from app.account_name(${sql.ref(`r.${column}`)}) n where n.person_id is null or exists (select from app.people w where w.id = n.person_id))`

const item = sql<Stored>`json_build_object('id', r.id, 'type', ${typeRef},
  'from', ${side('f', 'fn', 'fc', 'from_person_id')}, 'to', ${side('s', 'sn', 'sc', 'to_person_id')},
  'state', r.state, 'startsOn', r.starts_on, 'endsOn', r.ends_on, 'note', r.note, 'proposedBy', ${officer('proposed_by')},
  'verifiedBy', ${officer('verified_by')}, 'verifiedAt', r.verified_at, 'createdAt', r.created_at, 'version', r.version)`
/** The two are told each other's name also where the directory hides it. */
const from = sql`from app.relationships r
  join app.relationship_types t on t.org_id = r.org_id and t.id = r.type_id
  left join app.people f on f.org_id = r.org_id and f.id = r.from_person_id
  left join app.people s on s.org_id = r.org_id and s.id = r.to_person_id
  left join app.chapters fc on fc.org_id = f.org_id and fc.id = f.home_chapter_id
  left join app.chapters sc on sc.org_id = s.org_id and sc.id = s.home_chapter_id
  left join lateral (select * from app.related_names(array[r.from_person_id]) where f.id is null) fn on true
  left join lateral (select * from app.related_names(array[r.to_person_id]) where s.id is null) sn on true`

const catalogue: FilterCatalogue = {
  type: idField(sql`r.type_id`),
  state: choiceField(sql`r.state`, RelationshipState.options),
}

/** `filter` is for exports, which ask in the way of every list. */
export function relationshipsList(input: z.infer<typeof RelationshipListInput>, filter?: Filter): List<Stored> {
  const { personId, typeId, state, mineToAnswer } = input
  const where: RawBuilder<SqlBool>[] = []
  if (personId) where.push(sql`(r.from_person_id = ${personId} or r.to_person_id = ${personId})`)
  if (typeId) where.push(sql`r.type_id = ${typeId}`)
  if (state) where.push(sql`r.state = ${state}`)
  if (mineToAnswer) where.push(sql`r.state = 'proposed' and r.id in (select app.relationships_to_answer())`)
  const filtered = filterWhere(filter, catalogue)
  if (filtered) where.push(filtered)
  return {
    key: ['relationships', personId ?? null, typeId ?? null, state ?? null, mineToAnswer ?? false],
    item,
    from,
    where,
    order: [sql`r.id`],
    descending: true,
  }
}

export const relationshipQuery = (relationshipId: string) =>
  statement(sql<{ item: Stored }>`select ${item} as item ${from} where r.id = ${relationshipId}`)

type Rights = Relationship['may'] & { id: string; lapsesOn: string | null }
const rights = (ids: readonly string[]) => sql<Rights>`
  select x.id, x.answers as answer, x.verifies as verify, x.edits as edit, x.ends as end, x.reopens as reopen, x.lapses_on as "lapsesOn"
  from app.relationship_rights(${[...ids]}::uuid[]) x`
export const rightsQuery = (ids: readonly string[]) => statement(rights(ids))

/** The relationships with what the caller may do with each. */
export function withRights(items: readonly Stored[], found: readonly Rights[]): Relationship[] {
  const byId = new Map(found.map(({ id, lapsesOn, ...may }) => [id, { lapsesOn, may }]))
  const none = { answer: false, verify: false, edit: false, end: false, reopen: false }
  return items.map((one) => ({ ...one, ...(byId.get(one.id) ?? { lapsesOn: null, may: none }) }))
}

export async function findRelationship(db: ActorDb, relationshipId: string): Promise<Relationship | undefined> {
  const { rows } = await db.executeQuery(relationshipQuery(relationshipId).compile())
  if (!rows[0]) return undefined
  return withRights([rows[0].item], (await rights([relationshipId]).execute(db)).rows)[0]
}

// Acts: what may be done is decided by functions of the database, which hold the type while they look.

export async function proposeRelationship(db: ActorDb, input: NewRelationship): Promise<string> {
  const { typeId: type_id, fromPersonId: from_person_id, toPersonId: to_person_id, startsOn: starts_on, note } = input
  const said = JSON.stringify({ type_id, from_person_id, to_person_id, starts_on, note })
  const { rows } = await sql<{ id: string }>`select app.propose_relationship(${said}::jsonb) as id`.execute(db)
  return rows[0]?.id ?? ''
}

const act = async (db: ActorDb, call: RawBuilder<unknown>): Promise<boolean> => {
  const { rows } = await sql<{ done: boolean }>`select ${call} as done`.execute(db)
  return rows[0]?.done ?? false
}
export const changeRelationship = (db: ActorDb, id: string, { startsOn, note }: RelationshipChange, version: number) =>
  act(db, sql`app.change_relationship(${id}, ${JSON.stringify({ starts_on: startsOn, note })}::jsonb, ${version})`)
export const answerRelationship = (db: ActorDb, id: string, agreed: boolean, version: number) =>
  act(db, sql`app.answer_relationship(${id}, ${agreed}, ${version})`)
export const verifyRelationship = (db: ActorDb, id: string, version: number) => act(db, sql`app.verify_relationship(${id}, ${version})`)
export const endRelationship = (db: ActorDb, id: string, endsOn: string | undefined, version: number) =>
  act(db, sql`app.end_relationship(${id}, ${endsOn ?? null}::date, ${version})`)
export const reopenRelationship = (db: ActorDb, id: string, version: number) => act(db, sql`app.reopen_relationship(${id}, ${version})`)

/** Those who answer are told of a proposal, and who proposed it of the answer. */
export async function tellOfRelationship(db: ActorDb, id: string, kind: 'relationship-request' | 'relationship-answer'): Promise<void> {
  await sql`select app.tell_of_relationship(${id}, ${JSON.stringify(kindOf(kind))}::jsonb)`.execute(db)
}
