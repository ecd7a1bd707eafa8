import type { Field } from '@guildhall/contract/features/fields'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { isCurrent } from '../../../platform/lists/json-refs.ts'
import type { ExportField, ExportSource } from '../../../platform/lists/export-source.ts'
import { openDuesCell } from '../../finance/finance.people.public.ts'
import { givingCells } from '../../fundraising/people/fundraising.people.public.ts'
import { standingCell } from '../../membership/membership.people.public.ts'
import { fieldCells } from '../../fields/fields.public.ts'
import { furtherColumns, homeChapterJoin, ofPerson } from './people.columns.queries.ts'
import { peopleWhere, sortKey } from './people.list.queries.ts'
import { mayWith } from '../../../platform/lists/people-rights.ts'
import { readOrder } from '../people.rules.ts'

const field = (key: string, header: string, cell: RawBuilder<unknown>, kind: ExportField['kind'] = 'text'): ExportField => ({
  key,
  header,
  kind,
  cell,
})
const column = (name: string) => sql.ref(`p.${name}`)
const contact = (name: string) => sql`(select ${sql.ref(`k.${name}`)} from app.person_contacts k where ${ofPerson('k')})`
const sensitive = (name: string) => sql`(select ${sql.ref(`v.${name}`)} from app.person_private v where ${ofPerson('v')})`
/** Of the membership in the chapter that the person is shown with: the one that counts now, or the last. */
const membership = (
  name: string,
) => sql`(select ${sql.ref(`a.${name}`)} from app.affiliations a where ${ofPerson('a')} and a.chapter_id = p.home_chapter_id
  order by a.is_primary desc, a.ends_on desc nulls first, a.starts_on desc, a.id limit 1)`
const several = (text: RawBuilder<unknown>, from: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
  sql`(select coalesce(json_agg(${text} order by ${order}), '[]') from ${from})`

// Headers are those that an import knows again.
const fields: readonly ExportField[] = [
  field('displayName', 'Display name', column('display_name')),
  field('givenName', 'Given name', column('given_name')),
  field('middleName', 'Middle name', column('middle_name')),
  field('familyName', 'Family name', column('family_name')),
  field('suffix', 'Suffix', column('suffix')),
  field('preferredName', 'Preferred name', column('preferred_name')),
  field('formerNames', 'Former name', sql`to_json(p.former_names)`),
  field('pronouns', 'Pronouns', column('pronouns')),
  field('memberNo', 'Member number', column('member_no')),
  // Records that were merged or erased stand for nobody.
  field('lifecycle', 'Lifecycle', sql`nullif(nullif(p.lifecycle, 'merged'), 'erased')`),
  field('homeChapter', 'Chapter', sql`c.name`),
  field('homeChapterCode', 'Chapter code', sql`c.code`),
  field('affiliationKind', 'Affiliation', membership('kind')),
  field('memberSince', 'Member since', membership('starts_on'), 'date'),
  field('memberUntil', 'Member until', membership('ends_on'), 'date'),
  field(
    'chapters',
    'All chapters',
    several(
      sql`q.name`,
      sql`app.affiliations a join app.chapters q on q.org_id = a.org_id and q.id = a.chapter_id
    where ${ofPerson('a')} and ${isCurrent('a')}`,
      sql`a.is_primary desc, q.name`,
    ),
  ),
  field('joinedOn', 'Joined on', column('joined_on'), 'date'),
  field('gradYear', 'Graduation year', column('grad_year'), 'number'),
  field('employer', 'Employer', column('employer')),
  field('jobTitle', 'Job title', column('job_title')),
  field('primaryEmail', 'Email', furtherColumns.primaryEmail),
  field(
    'emails',
    'All e-mails',
    several(sql`e.address`, sql`app.person_emails e where ${ofPerson('e')}`, sql`e.is_primary desc, e.created_at, e.id`),
  ),
  field('primaryPhone', 'Phone', furtherColumns.primaryPhone, 'phone'),
  field(
    'phones',
    'All phones',
    several(sql`f.number`, sql`app.person_phones f where ${ofPerson('f')}`, sql`f.is_primary desc, f.created_at, f.id`),
  ),
  field(
    'externalIds',
    'External ids',
    several(sql`x.system || ':' || x.external_id`, sql`app.person_external_ids x where ${ofPerson('x')}`, sql`x.system`),
  ),
  field('street', 'Street', contact('street')),
  field('postalCode', 'Postal code', contact('postal_code')),
  field('city', 'City', contact('city')),
  field('region', 'Region', contact('region')),
  field('country', 'Country', contact('country')),
  field('website', 'Website', contact('website')),
  field(
    'tags',
    'Tags',
    several(
      sql`t.name`,
      sql`app.person_tags pt join app.tags t on t.org_id = pt.org_id and t.id = pt.tag_id where ${ofPerson('pt')}`,
      sql`t.name_key`,
    ),
    'words',
  ),
  field(
    'positions',
    'Offices',
    several(
      sql`s.title || ', ' || q.name`,
      sql`app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id where ${ofPerson('h')} and ${isCurrent('h')}`,
      sql`q.depth, s.title_key`,
    ),
  ),
  field(
    'groups',
    'Groups',
    several(
      sql`g.name`,
      sql`app.group_members m join app.groups g on g.org_id = m.org_id and g.id = m.group_id
    where ${ofPerson('m')} and m.status = 'active' and ${isCurrent('m')}`,
      sql`g.sort_name`,
    ),
  ),
  field('membershipType', 'Type of membership', standingCell(sql`y.name`)),
  field('membershipStatus', 'Status of membership', standingCell(sql`s.status`)),
  field('termStart', 'Term start', standingCell(sql`s.starts_on`), 'date'),
  field('termEnd', 'Term end', standingCell(sql`s.ends_on`), 'date'),
  field('autoRenew', 'Auto-renewal', standingCell(sql`s.auto_renew`), 'flag'),
  field('dues', 'Open dues', openDuesCell),
  field('givenLifetime', 'Lifetime giving', givingCells.lifetime, 'number'),
  field('givenThisYear', 'Given this year', givingCells.thisYear, 'number'),
  field('lastGiftOn', 'Last gift', givingCells.lastOn, 'date'),
  field('birthDate', 'Birth date', sensitive('birth_date'), 'date'),
  field('gender', 'Gender', sensitive('gender')),
  field('deceasedOn', 'Deceased on', sensitive('deceased_on'), 'date'),
  field('note', 'Office note', sql`(select n.note from app.person_office_notes n where ${ofPerson('n')})`),
  field('bio', 'Bio', column('bio')),
  field('language', 'Language', column('language')),
  field('doNotContact', 'Do not contact', column('do_not_contact'), 'flag'),
  field('archivedAt', 'Archived at', column('deleted_at'), 'instant'),
  field('createdAt', 'Created at', column('created_at'), 'instant'),
  field('updatedAt', 'Updated at', column('updated_at'), 'instant'),
  field('id', 'Record id', column('id')),
]

/** People, of whom a chapter's officer exports those of the own chapters. */
const peopleExportWith = (own: readonly Field[]): ExportSource => ({
  fields: [...fields, ...fieldCells('people', own, 'p.org_id', 'p.id')],
  may: () => sql`((select app.everywhere('people.export')) or (select app.scope('people.export')) <> '{}')`,
  rows({ selection, sort }) {
    const order = readOrder(sort, own)
    const { descending } = order
    const { key, nullable, type } = sortKey(order)
    const all = 'ids' in selection ? {} : selection.all
    const chosen =
      'ids' in selection ? sql<boolean>`p.id = any (${selection.ids}::uuid[])` : sql<boolean>`p.id <> all (${selection.except}::uuid[])`
    return {
      id: sql`p.id`,
      from: sql`from app.people p ${homeChapterJoin}`,
      where: [peopleWhere({ ...all, fields: own }), chosen, mayWith('people.export')],
      order: [nullable ? sql`coalesce(${key}, ${last(type, descending)})` : key, sql`p.id`],
      descending,
    }
  },
})

/** A key beyond all others. */
const last = (type: string, descending: boolean) =>
  type === 'text' ? sql.lit(descending ? '' : String.fromCodePoint(0x10ffff)) : sql.lit(descending ? '-infinity' : 'infinity')

export const peopleExport: ExportSource = { ...peopleExportWith([]), withFields: { of: 'people', add: peopleExportWith } }
