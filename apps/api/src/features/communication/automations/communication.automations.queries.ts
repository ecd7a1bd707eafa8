import type {
  Automation,
  AutomationChange,
  AutomationLogEntry,
  AutomationNamed,
  AutomationRecipe,
  AutomationRow,
  AutomationRun,
  AutomationStatus,
  AutomationStepCounts,
  AutomationWho,
  NewAutomation,
} from '@guildhall/contract/features/communication.automations'
import type { PersonRef } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { chapterRef, faceRef, mayInChapter, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { mustFind } from '../../../platform/procedures/problem.ts'
import { columnsOf } from '../../../platform/records/columns.ts'
import { statement } from '../../../platform/records/statement.ts'
import { mustTouch, updateRecord } from '../../../platform/records/update-record.ts'
import { peopleSelection } from '../../people/list/people.selection.public.ts'
import { countsOf } from '../sending/communication.messages.queries.ts'
import type { Mails } from './communication.automations.faults.rules.ts'

// In these pieces `u` is the automation, `c` its chapter, `r` a run of it and `p` the person whom the run is about.

const from = sql`from app.automations u left join app.chapters c on c.org_id = u.org_id and c.id = u.chapter_id`
const rowFields = sql`'id', u.id, 'name', u.name, 'description', u.description, 'chapter', ${orNull('c', chapterRef)}, 'status', u.status, 'pauseReason', u.pause_reason,
  'trigger', u.trigger, 'recipe', u.recipe, 'activatedAt', u.activated_at, 'createdAt', u.created_at, 'updatedAt', u.updated_at, 'version', u.version,
  'people', (select json_build_object('inside', count(*) filter (where r.state = 'active'), 'ended', count(*) filter (where r.state <> 'active'))
    from app.automation_runs r where r.org_id = u.org_id and r.automation_id = u.id and r.state <> 'outside')`

export function automationsList({ q, status }: { q?: string | undefined; status?: AutomationStatus | undefined }): List<AutomationRow> {
  const words = q?.trim() ?? ''
  return {
    key: ['automations', words, status],
    item: sql`json_build_object(${rowFields})`,
    from,
    where: [
      status ? sql`u.status = ${status}` : sql`u.status <> 'archived'`,
      ...(words ? [sql<SqlBool>`app.fold(u.name) like app.like_pattern(app.fold(${words}))`] : []),
    ],
    order: [sql`app.fold(u.name) collate "C"`, sql`u.id`],
  }
}

const idsOf = (kind: string, field: string) =>
  sql`(select (s ->> ${sql.lit(field)})::uuid from jsonb_array_elements(u.steps) s where s ->> 'kind' = ${sql.lit(kind)} and s ->> ${sql.lit(field)} is not null)`
const names: RawBuilder<AutomationNamed[]> =
  sql`(select coalesce(json_agg(json_build_object('id', n.id, 'kind', n.kind, 'name', n.name)), '[]') from (
  select e.id, 'event' as kind, e.title as name from app.events e where e.id = (u.trigger ->> 'eventId')::uuid
  union all select t.id, 'tag', t.name from app.tags t where t.id = (u.trigger ->> 'tagId')::uuid or t.id in ${idsOf('tag', 'tagId')}
  union all select p.id, 'person', p.display_name from app.people p where p.id in ${idsOf('task', 'assigneeId')} and p.deleted_at is null and p.lifecycle not in ('merged', 'erased')
  union all select t.id, 'template', t.name from app.message_templates t where t.id in ${idsOf('mail', 'templateId')}
  union all select t.id, 'topic', t.name from app.topics t where t.id in ${idsOf('mail', 'topicId')}) n)`
/** What its mails are made of; a topic fits that is of the organisation, or of a chapter that the automation belongs to. */
const mails: RawBuilder<Mails> = sql`json_build_object(
  'templates', (select coalesce(json_agg(json_build_object('id', t.id, 'version', t.version, 'isArchived', t.archived_at is not null, 'subject', t.subject, 'preheader', t.preheader, 'body', t.body)), '[]')
    from app.message_templates t where t.id in ${idsOf('mail', 'templateId')}),
  'topics', (select coalesce(json_agg(json_build_object('id', t.id, 'isArchived', t.archived_at is not null, 'fits', t.chapter_id is null
      or exists (select from app.chapter_ancestors n where n.org_id = t.org_id and n.ancestor_id = t.chapter_id and n.chapter_id = u.chapter_id))), '[]')
    from app.topics t where t.id in ${idsOf('mail', 'topicId')}))`

export type StoredAutomation = Omit<Automation, 'faults'> & { mails: Mails }
export const automationQuery = (id: string) =>
  statement(sql<{
    item: StoredAutomation
  }>`select json_build_object(${rowFields}, 'who', u.who, 'steps', u.steps, 'exits', to_json(u.exits), 'reentry', u.reentry,
    'activatedBy', (select ${personRef('p')} from app.accounts a join app.people p on p.org_id = a.org_id and p.id = a.person_id where a.org_id = u.org_id and a.id = u.activated_by),
    'entersFrom', u.enters_from, 'names', ${names}, 'mails', ${mails},
    'may', json_build_object('change', ${mayInChapter('messages.write', sql`u.chapter_id`)}, 'activate', ${mayInChapter('messages.send', sql`u.chapter_id`)})) as item
  ${from} where u.id = ${id}`)

export async function findAutomation(db: ActorDb, id: string): Promise<StoredAutomation | undefined> {
  const { rows } = await db.executeQuery(automationQuery(id).compile())
  return rows[0]?.item
}

type Made = Omit<NewAutomation, 'chapterId'> & { chapterId: string | null; recipe?: AutomationRecipe }
export async function insertAutomation(
  db: ActorDb,
  { orgId, accountId }: { orgId: string; accountId: string },
  automation: Made,
): Promise<string> {
  const { trigger, who, steps, recipe = null, ...others } = automation
  const { id } = await db
    .insertInto('app.automations')
    .values({
      ...columnsOf('app.automations', others),
      org_id: orgId,
      created_by: accountId,
      recipe,
      trigger: JSON.stringify(trigger),
      who: who && JSON.stringify(who),
      steps: JSON.stringify(steps),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Mirrors the policy: templates of the organisation are kept by those who manage messages, those of a chapter by its writers. */
export async function mayAddTemplates(db: ActorDb, chapterId: string | null): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select case when ${chapterId}::uuid is null then app.everywhere('messages.manage')
    else app.everywhere('messages.write') or ${chapterId}::uuid = any (app.scope('messages.write')) end as may`.execute(db)
  return rows[0]?.may ?? false
}

/** The first topic of the organisation of this kind; people who never chose are subscribed to it. */
export async function topicForRecipe(db: ActorDb, kind: 'essential' | 'marketing'): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`select t.id from app.topics t
    where t.kind = ${kind} and t.default_opt = 'in' and t.chapter_id is null and t.archived_at is null order by t.position, t.name_key, t.id limit 1`.execute(
    db,
  )
  return rows[0]?.id ?? null
}

type Guarded = { automationId: string; version: number }
export const updateAutomation = (
  db: ActorDb,
  { automationId: id, version }: Guarded,
  change: AutomationChange,
): Promise<StoredAutomation> => {
  const { trigger, who, steps, ...others } = change
  return updateRecord(
    db,
    'app.automations',
    { id, version },
    {
      ...columnsOf('app.automations', others),
      ...(trigger && { trigger: JSON.stringify(trigger) }),
      ...(who !== undefined && { who: who && JSON.stringify(who) }),
      ...(steps && { steps: JSON.stringify(steps) }),
    },
    () => findAutomation(db, id),
  )
}

type Wanted = { to: 'active' | 'paused' | 'archived'; since?: number | undefined; endsRuns?: boolean }
export async function moveAutomation(
  db: ActorDb,
  { automationId, version }: Guarded,
  { to, since, endsRuns = false }: Wanted,
): Promise<StoredAutomation> {
  const { rows } = await sql<{
    moved: boolean
  }>`select app.move_automation(${automationId}, ${version}, ${to}, ${since ?? null}, ${endsRuns}) as moved`.execute(db)
  await mustTouch(rows[0]?.moved, () => findAutomation(db, automationId), version)
  return mustFind(await findAutomation(db, automationId))
}

// Whom it concerns ----------------------------------------------------------------------------------------------------------------------

/** Of these people, those whom the actor sees and who meet the filter. */
export async function whoMeets(db: ActorDb, people: readonly string[], who: AutomationWho | null): Promise<Set<string>> {
  const condition = who ? await peopleSelection(db, who) : sql<SqlBool>`true`
  const { rows } = await sql<{
    id: string
  }>`select p.id from app.people p where p.id = any (${[...people]}::uuid[]) and ${condition}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

type Preview = { total: number; people: z.infer<typeof PersonRef>[] }
export async function previewEntrants(db: ActorDb, automationId: string, who: AutomationWho | null, since: number): Promise<Preview> {
  const condition = who ? await peopleSelection(db, who) : sql<SqlBool>`true`
  const { rows } =
    await sql<Preview>`with found as materialized (select p.* from app.people p where p.id in (select e.person_id from app.automation_entrants(${automationId}, ${since}) e) and ${condition})
    select (select count(*)::int from found) as total,
      (select coalesce(json_agg(${faceRef('p')} order by p.sort_name, p.id), '[]') from (select * from found order by sort_name, id limit 10) p) as people`.execute(
      db,
    )
  return rows[0] ?? { total: 0, people: [] }
}

/** What of these the actor does not see, by their place in the list. */
export async function hiddenOf(db: ActorDb, named: readonly { kind: AutomationNamed['kind']; id: string }[]): Promise<number[]> {
  if (named.length === 0) return []
  const { rows } = await sql<{
    nth: number
  }>`select x.nth::int as nth from unnest(${named.map(({ kind }) => kind)}::text[], ${named.map(({ id }) => id)}::uuid[]) with ordinality x (kind, id, nth)
    where not case x.kind when 'event' then exists (select from app.events e where e.id = x.id) when 'tag' then exists (select from app.tags t where t.id = x.id)
      when 'template' then exists (select from app.message_templates t where t.id = x.id) when 'topic' then exists (select from app.topics t where t.id = x.id) else exists (select from app.people p where p.id = x.id and p.deleted_at is null and p.lifecycle not in ('merged', 'erased')) end order by x.nth`.execute(
    db,
  )
  return rows.map(({ nth }) => nth - 1)
}

// Runs and their log --------------------------------------------------------------------------------------------------------------------

/** What became of mails is counted beside them, one message for each edition of a step. */
export const stepCountsQuery = (automationId: string) =>
  statement(sql<{
    items: AutomationStepCounts[]
  }>`with k as (select c.automation_step as step, jsonb_object_agg(c.what, c.n) as n from (select m.automation_step, x.what, sum(x.n) as n from app.messages m
        join app.message_counts x on x.org_id = m.org_id and x.message_id = m.id where m.automation_id = ${automationId} group by m.automation_step, x.what) c group by c.automation_step)
    select coalesce(json_agg(json_build_object('step', x.step, 'reached', x.reached, 'done', x.reached - x.skipped, 'skipped', x.skipped,
      'here', (select count(*) from app.automation_runs r where r.automation_id = ${automationId} and r.state = 'active' and r.waits = x.step),
      'mail', case when k.step is not null then ${countsOf} end,
      'messageId', (select m.id from app.messages m where m.automation_id = ${automationId} and m.automation_step = x.step order by m.started_at desc, m.id desc limit 1))), '[]') as items
    from (select l.step, count(*) as reached, count(*) filter (where l.kind = 'skipped') as skipped from app.automation_log l
      where l.automation_id = ${automationId} and l.step <> 'end' group by l.step) x left join k on k.step = x.step`)

const runFields = sql<AutomationRun>`json_build_object('id', r.id, 'automation', json_build_object('id', u.id, 'name', u.name), 'person', ${personRef('p')}, 'state', r.state,
  'step', coalesce(r.waits, r.step), 'nextAt', r.next_at, 'endedBy', r.ended_by, 'enteredAt', r.entered_at, 'endedAt', r.ended_at)`
const runsFrom = sql`from app.automation_runs r join app.automations u on u.org_id = r.org_id and u.id = r.automation_id join app.people p on p.org_id = r.org_id and p.id = r.person_id`

export const runsList = (
  automationId: string,
  { state, step }: { state?: string | undefined; step?: string | undefined },
): List<AutomationRun> => ({
  key: ['automation-runs', automationId, state, step],
  item: runFields,
  from: runsFrom,
  where: [
    sql`r.automation_id = ${automationId}`,
    state ? sql`r.state = ${state}` : sql`r.state <> 'outside'`,
    ...(step ? [sql<SqlBool>`r.state = 'active' and coalesce(r.waits, r.step) = ${step}`] : []),
  ],
  order: [sql`r.entered_at`, sql`r.id`],
  descending: true,
})

/** Whom nobody reaches by messages is answered like whoever is not there. */
export const personRunsQuery = (personId: string) =>
  statement(sql<{ items: AutomationRun[] }>`select coalesce(json_agg(x.item order by x.entered_at desc, x.id desc), '[]') as items
    from (select ${runFields} as item, r.entered_at, r.id ${runsFrom} where r.person_id = ${personId} and r.state <> 'outside' order by r.entered_at desc, r.id desc limit 100) x
    having exists (select from app.people p where p.id = ${personId} and ((select app.everywhere('messages.write'))
      or exists (select from app.people_within('messages.write') w where w.org_id = p.org_id and w.person_id = p.id)))`)

export const runQuery = (runId: string) =>
  statement(sql<{ item: AutomationRun }>`select ${runFields} as item ${runsFrom} where r.id = ${runId} and r.state <> 'outside'`)

/** Who unsubscribed between the step and its mail leaving was skipped all the same, so what the mail itself says counts. */
export const runLogQuery = (runId: string) =>
  statement(sql<{
    items: AutomationLogEntry[]
  }>`select coalesce(json_agg(json_build_object('step', l.step, 'kind', case when d.state = 'skipped' then 'skipped' else l.kind end,
      'reason', coalesce(d.skip_reason, l.detail ->> 'reason', l.detail ->> 'rule'), 'until', l.detail ->> 'until', 'mail', d.state, 'at', l.at) order by l.at, l.step = 'end'), '[]') as items
    from app.automation_log l left join app.message_deliveries d on d.org_id = l.org_id and d.run_id = l.run_id and d.step = l.step where l.run_id = ${runId}`)

export async function stopRun(db: ActorDb, runId: string): Promise<AutomationRun> {
  const read = async () => (await db.executeQuery(runQuery(runId).compile())).rows[0]?.item
  mustFind(await read())
  const { rows } = await sql<{ stopped: boolean }>`select app.stop_automation_run(${runId}) as stopped`.execute(db)
  await mustTouch(rows[0]?.stopped, read)
  return mustFind(await read())
}
