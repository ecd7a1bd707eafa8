import type {
  EventSurvey,
  EventSurveyResults,
  NewSurveyAnswer,
  SurveyAnswer,
  SurveyQuestion,
} from '@guildhall/contract/features/events.survey'
import type { ActorDb, Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'
import { savePart } from '../events.writes.queries.ts'

const questions = sql`(select coalesce(json_agg(json_build_object('id', q.id, 'text', q.text, 'kind', q.kind, 'required', q.required, 'options', to_json(q.options)) order by q.place, q.id), '[]')
  from app.event_survey_questions q where q.org_id = e.org_id and q.event_id = e.id and q.archived_at is null)`
const found = (eventId: string) => sql<{ survey: EventSurvey }>`
  select json_build_object('enabled', coalesce(v.enabled, false), 'questions', ${questions}, 'mine', case when v.enabled then app.my_survey(e.id) end) as survey
  from app.events e left join app.event_surveys v on v.org_id = e.org_id and v.event_id = e.id where e.id = ${eventId}`
export const surveyQuery = (eventId: string) => statement(found(eventId))
export async function findSurvey(db: ActorDb, eventId: string): Promise<EventSurvey | undefined> {
  return (await found(eventId).execute(db)).rows[0]?.survey
}

type Wanted = { enabled: boolean; questions: readonly (Omit<SurveyQuestion, 'id'> & { id?: string | undefined })[] }
export async function saveSurvey(db: ActorDb, orgId: string, eventId: string, { enabled, questions: asked }: Wanted): Promise<void> {
  await sql`insert into app.event_surveys (org_id, event_id, enabled) values (${orgId}, ${eventId}, ${enabled})
    on conflict (org_id, event_id) do update set enabled = excluded.enabled`.execute(db)
  await savePart(db, orgId, eventId, 'app.event_survey_questions', 'questions', asked)
}

export async function copySurvey(db: ActorDb, orgId: string, fromId: string, toId: string): Promise<void> {
  const from = await findSurvey(db, fromId)
  if (!from || (!from.enabled && from.questions.length === 0)) return
  await saveSurvey(db, orgId, toId, { enabled: from.enabled, questions: from.questions.map(({ id: _, ...question }) => question) })
}

export const answerSurvey = (db: ActorDb, eventId: string, given: NewSurveyAnswer) =>
  sql`select app.answer_survey(${eventId}::uuid, ${JSON.stringify(given)}::jsonb)`.execute(db)

/** With so many texts of each kind. */
export const resultsQuery = (eventId: string, most: number) =>
  statement(sql<{ results: EventSurveyResults }>`select app.event_survey_results(${eventId}::uuid, ${most}) as results`)

// By a link: functions of the database that are open to everybody, and let through whoever has the link.

export type LinkedSurvey = {
  title: string
  questions: SurveyQuestion[]
  open: boolean
  mayAnswer: boolean
  answer: SurveyAnswer | null
}
export async function surveyByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string): Promise<LinkedSurvey | undefined> {
  const { rows } = await sql<{ found: LinkedSurvey | null }>`select app.survey_by_link(${idpOrg ?? null}, ${secretHash}) as found`.execute(
    db,
  )
  return rows[0]?.found ?? undefined
}
export async function answerSurveyByLink(db: Kysely<Schema>, idpOrg: string | undefined, secretHash: string, given: NewSurveyAnswer) {
  const { rows } = await sql<{
    done: boolean
  }>`select app.answer_survey_by_link(${idpOrg ?? null}, ${secretHash}, ${JSON.stringify(given)}::jsonb) as done`.execute(db)
  return rows[0]?.done ?? false
}
