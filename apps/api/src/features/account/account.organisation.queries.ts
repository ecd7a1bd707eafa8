import type { Organisation, OrganisationChange } from '@guildhall/contract/features/account'
import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import { columnsOf } from '../../platform/records/columns.ts'
import { updateRecord } from '../../platform/records/update-record.ts'
import { statement } from '../../platform/records/statement.ts'

export const organisationQuery = () =>
  statement(sql<{ organisation: Organisation }>`
    select json_build_object('id', o.org_id, 'slug', o.slug, 'name', o.name, 'locale', o.locale, 'timezone', o.timezone, 'currency', o.currency,
      'directoryReach', o.directory_reach, 'majorityAge', o.majority_age, 'eventReminderHours', o.event_reminder_hours, 'contactEmail', o.contact_email, 'publicChapters', o.public_chapters, 'brandColor', o.brand_color,
      'mayEdit', (select app.everywhere('organisation.manage')), 'version', o.version, 'createdAt', o.created_at, 'updatedAt', o.updated_at) as organisation
    from app.organisations o`)

export async function findOrganisation(db: ActorDb): Promise<Organisation | undefined> {
  const { rows } = await db.executeQuery(organisationQuery().compile())
  return rows[0]?.organisation
}

export const updateOrganisation = (db: ActorDb, version: number, change: OrganisationChange): Promise<Organisation> =>
  updateRecord(db, 'app.organisations', { version }, columnsOf('app.organisations', change), () => findOrganisation(db))
