import { compose } from '@guildhall/db'
import type { ActorDb } from '@guildhall/db'
import type { Me, Preferences } from '@guildhall/contract/features/account'
import { sql } from 'kysely'

/** The signed-in account with the person whom it is or acts for, organisation and reach, as one JSON value. */
export const meQuery = () =>
  compose
    .selectFrom('app.accounts as a')
    .innerJoin('app.organisations as o', 'o.org_id', 'a.org_id')
    .leftJoin('app.people as p', (join) => join.onRef('p.org_id', '=', 'a.org_id').on('p.id', '=', sql<string>`(select app.person_id())`))
    .leftJoin('app.chapters as c', (join) => join.onRef('c.org_id', '=', 'p.org_id').onRef('c.id', '=', 'p.home_chapter_id'))
    .where('a.id', '=', sql<string>`(select app.account_id())`)
    .select(
      sql<Me>`json_build_object(
        'account', json_build_object('id', a.id, 'email', a.email, 'name', a.name, 'preferences', a.preferences, 'version', a.version,
          'lastLoginAt', to_json(a.last_login_at)),
        'person', case when p.id is not null then json_build_object('id', p.id, 'displayName', p.display_name, 'pictureId', p.picture_id,
          'homeChapter', case when c.id is not null then json_build_object('id', c.id, 'name', c.name, 'code', c.code) end) end,
        'organisation', json_build_object('id', o.org_id, 'name', o.name, 'logoId', (select f.id from app.files f
            where f.org_id = o.org_id and f.record_type = 'organisation' and f.record_id = o.org_id and f.use = 'picture' and f.removed_at is null), 'locale', o.locale, 'timezone', o.timezone, 'currency', o.currency),
        'permissions', (select coalesce(json_agg(json_build_object('permission', r.permission, 'everywhere', r.everywhere,
            'chapters', r.chapters, 'groups', r.groups, 'records', r.records) order by r.permission), '[]')
          from app.permissions() r where r.everywhere or r.chapters <> '{}' or r.groups <> '{}' or r.records <> '{}'))`.as('me'),
    )

/** Changes the preferences that were given, keeps the rest. */
export async function mergePreferences(db: ActorDb, change: Preferences): Promise<Preferences> {
  const row = await db
    .updateTable('app.accounts')
    .set({ preferences: sql`preferences || ${JSON.stringify(change)}::jsonb` })
    .where('id', '=', sql<string>`(select app.account_id())`)
    .returning('preferences')
    .executeTakeFirstOrThrow()
  // eslint-disable-next-line @typescript-eslint/consistent-type-assertions -- written only here, through the contract's schema
  return row.preferences as Preferences
}
