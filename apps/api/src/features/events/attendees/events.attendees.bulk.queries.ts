import type { RegistrationBulkChange } from '@guildhall/contract/features/events'
import type { Selection } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { BulkTargets, BulkWork } from '../../../platform/lists/bulk.ts'
import { checksIn, manages } from '../events.queries.ts'
import { registrationsWhere } from './events.attendees.queries.ts'
import { registrationsFrom } from '../events.registrations.queries.ts'

type Condition = RawBuilder<SqlBool>

/** The registrations that a selection means; refuses a filter that cannot be asked. */
export const selectedRegistrations = (selection: Selection): Condition =>
  'ids' in selection
    ? sql<SqlBool>`r.id = any (${selection.ids}::uuid[])`
    : sql<SqlBool>`(${sql.join(
        [...registrationsWhere(selection.all), sql<SqlBool>`r.id <> all (${selection.except}::uuid[])`].map((one) => sql`(${one})`),
        sql` and `,
      )})`

/** What cannot be done with a registration counts as refused, so that nobody takes it for done. Guests follow their host. */
const may: Record<RegistrationBulkChange['do'], Condition> = {
  approve: sql`${manages} and r.host_id is null and r.status in ('pending_approval', 'confirmed', 'checked_in')`,
  reject: sql`${manages} and r.host_id is null and r.status in ('pending_approval', 'rejected')`,
  cancel: sql`${manages} and r.status <> 'checked_in'`,
  check_in: sql`${checksIn} and e.status = 'published' and r.status in ('confirmed', 'checked_in')`,
  undo_check_in: sql`${checksIn} and r.status in ('confirmed', 'checked_in')`,
}
const differs: Record<RegistrationBulkChange['do'], Condition> = {
  approve: sql`(r.status = 'pending_approval')`,
  reject: sql`(r.status = 'pending_approval')`,
  cancel: sql`(r.status not in ('cancelled', 'rejected'))`,
  check_in: sql`(r.status = 'confirmed')`,
  undo_check_in: sql`(r.status = 'checked_in')`,
}

export const registrationTargets = (selection: Selection, change: RegistrationBulkChange): BulkTargets => ({
  from: registrationsFrom,
  id: sql`r.id`,
  name: sql`r.name`,
  sort: sql`r.sort_name`,
  where: selectedRegistrations(selection),
  may: may[change.do],
  differs: differs[change.do],
})

const one: Record<RegistrationBulkChange['do'], (change: RegistrationBulkChange, jobId: string) => RawBuilder<unknown>> = {
  approve: () => sql`app.decide_registration(r.id, true, '')`,
  reject: (change) => sql`app.decide_registration(r.id, false, ${'reason' in change ? change.reason : ''})`,
  cancel: (change) => sql`app.cancel_registration(r.id, ${'reason' in change ? change.reason : ''})`,
  check_in: (_, jobId) => sql`app.check_in(r.event_id, r.id, jsonb_build_object('clientId', ${`${jobId}:`}::text || r.id))`,
  undo_check_in: () => sql`app.undo_check_in((select k.id from app.check_ins k where k.org_id = r.org_id and k.registration_id = r.id
    and k.list = '' and k.undone_at is null))`,
}

/** In the order in which they registered, so that seats go to whoever came first. */
export async function applyRegistrationBulk(
  db: ActorDb,
  { jobId, change }: BulkWork<RegistrationBulkChange>,
  ids: readonly string[],
): Promise<number> {
  const { rows } = await sql`select ${one[change.do](change, jobId)} from (select x.org_id, x.event_id, x.id from app.registrations x
    where x.id = any (${[...ids]}::uuid[]) order by x.event_id, x.created_at, x.id) r`.execute(db)
  return rows.length
}
