import type { FollowUp } from '@guildhall/contract/features/communication.automations'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import { chapterRef, orNull, personRef } from '../../../platform/lists/json-refs.ts'
import type { List } from '../../../platform/lists/list-page.ts'
import { updateRecord } from '../../../platform/records/update-record.ts'

const accountPerson = (account: 'f.account_id' | 'f.done_by') =>
  sql`(select ${personRef('q')} from app.accounts a join app.people q on q.org_id = a.org_id and q.id = a.person_id where a.org_id = f.org_id and a.id = ${sql.ref(account)})`
const item = sql<FollowUp>`json_build_object('id', f.id, 'person', ${orNull('p', personRef)}, 'chapter', ${orNull('c', chapterRef)}, 'assignee', ${accountPerson('f.account_id')},
  'mine', f.account_id is not distinct from (select app.account_id()), 'title', f.title, 'note', f.note, 'dueOn', f.due_on,
  'automation', (select json_build_object('id', u.id, 'name', u.name) from app.automation_runs r join app.automations u on u.org_id = r.org_id and u.id = r.automation_id where r.org_id = f.org_id and r.id = f.run_id),
  'doneAt', f.done_at, 'doneBy', ${accountPerson('f.done_by')}, 'createdAt', f.created_at, 'version', f.version)`
const from = sql`from app.follow_ups f left join app.people p on p.org_id = f.org_id and p.id = f.person_id left join app.chapters c on c.org_id = f.org_id and c.id = f.chapter_id`

export const followUpsList = ({ state, mine }: { state: 'open' | 'done'; mine?: boolean | undefined }): List<FollowUp> => ({
  key: ['follow-ups', state, mine],
  item,
  from,
  where: [
    state === 'open' ? sql`f.done_at is null` : sql`f.done_at is not null`,
    ...(mine ? [sql<SqlBool>`(f.account_id is null or f.account_id = (select app.account_id()))`] : []),
  ],
  order: state === 'open' ? [sql`coalesce(f.due_on, 'infinity')`, sql`f.id`] : [sql`f.done_at`, sql`f.id`],
  descending: state === 'done',
})

async function findFollowUp(db: ActorDb, id: string): Promise<FollowUp | undefined> {
  const { rows } = await sql<{ item: FollowUp }>`select ${item} as item ${from} where f.id = ${id}`.execute(db)
  return rows[0]?.item
}

export const setDone = (
  db: ActorDb,
  { followUpId: id, version, accountId }: { followUpId: string; version: number; accountId: string },
  done: boolean,
): Promise<FollowUp> =>
  updateRecord(db, 'app.follow_ups', { id, version }, { done_at: done ? sql`now()` : null, done_by: done ? accountId : null }, () =>
    findFollowUp(db, id),
  )
