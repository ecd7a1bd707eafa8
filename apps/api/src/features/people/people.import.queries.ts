import type { ActorDb } from '@guildhall/db'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { TableShape } from '../../platform/records/row-changes.ts'
import { editedUse, readHolds } from '../../platform/records/row-holds.ts'
import type { Hold } from '../../platform/records/row-holds.ts'
import { isMyself, mayDecide, mayWrite, unlessArchived } from './rights/people.rights.queries.ts'

const text = { type: 'text', empty: '' } as const
const optional = { type: 'text' } as const
const date = { type: 'date' } as const
const uuid = { type: 'uuid' } as const

/** Tables of people as an import writes them. */
export const peopleTables = {
  people: {
    table: 'people',
    key: ['id'],
    columns: {
      member_no: optional,
      given_name: text,
      middle_name: text,
      family_name: text,
      suffix: text,
      preferred_name: text,
      former_names: { type: 'text[]', empty: [] },
      pronouns: text,
      lifecycle: { type: 'text', empty: 'active' },
      joined_on: date,
      grad_year: { type: 'int' },
      employer: text,
      job_title: text,
      bio: text,
      language: optional,
      do_not_contact: { type: 'boolean', empty: false },
      created_by: { type: 'uuid' },
      home_chapter_id: { type: 'uuid' },
    },
  },
  emails: {
    table: 'person_emails',
    key: ['id'],
    columns: { person_id: { type: 'uuid' }, address: text, is_primary: { type: 'boolean', empty: false } },
  },
  phones: {
    table: 'person_phones',
    key: ['id'],
    columns: { person_id: { type: 'uuid' }, number: text, is_primary: { type: 'boolean', empty: false } },
  },
  externalIds: {
    table: 'person_external_ids',
    key: ['id'],
    columns: { person_id: { type: 'uuid' }, system: text, external_id: text },
  },
  contacts: {
    table: 'person_contacts',
    key: ['person_id'],
    columns: {
      street: text,
      city: text,
      region: text,
      postal_code: text,
      country: text,
      website: text,
      links: { type: 'jsonb', empty: {} },
    },
  },
  private: {
    table: 'person_private',
    key: ['person_id'],
    columns: { birth_date: date, gender: text, deceased_on: date },
  },
  officeNotes: { table: 'person_office_notes', key: ['person_id'], columns: { note: text } },
  personTags: { table: 'person_tags', key: ['person_id', 'tag_id'], columns: {} },
  affiliations: {
    table: 'affiliations',
    key: ['id'],
    columns: {
      person_id: uuid,
      chapter_id: uuid,
      kind: { type: 'text', empty: 'member' },
      starts_on: date,
      ends_on: date,
      is_primary: { type: 'boolean', empty: false },
    },
  },
} as const satisfies Record<string, TableShape>

/** What a row says about who it means. Empty names compare with everyone's. */
export type PersonKey = {
  at: number
  /** The record itself, as an export names it. */
  recordId: string | null
  memberNo: string | null
  emails: string[]
  /** Ids in other systems, by system. */
  externalIds: Record<string, string>
  /** Handles or addresses of profiles, by service. */
  links: Record<string, string>
  givenName: string
  familyName: string
  birthDate: string | null
  /** Nothing else tells this person apart: compare the bare name. */
  byName: boolean
}
export type PersonMatch = {
  at: number
  by: 'recordId' | 'memberNo' | 'emailAndName' | 'externalId' | 'link' | 'nameAndBirthDate' | 'name'
  id: string
  name: string
  memberNo: string | null
  /** Those that the actor sees, by system. */
  externalIds: Record<string, string>
  lifecycle: string
  archived: boolean
}

/** A handle as it is compared: "https://x.example/@Ann/" is "ann". */
const handle = (value: RawBuilder<unknown>) =>
  sql`lower(ltrim(regexp_replace(rtrim(split_part(btrim(${value}), '?', 1), '/'), '^.*/', ''), '@'))`

/** People whom each key could mean, of those the actor sees; one statement for a whole chunk, two where links alone say who is meant. */
export async function matchPeople(db: ActorDb, orgId: string, keys: readonly PersonKey[]): Promise<PersonMatch[]> {
  if (keys.length === 0) return []
  const sameName = sql`app.fold(p.family_name) = k.family and (app.fold(p.given_name) = k.given or app.fold(p.preferred_name) = k.given)`
  const found = sql`p.id, p.display_name as name, p.member_no as "memberNo",
    coalesce((select jsonb_object_agg(i.system, i.external_id) from app.person_external_ids i where i.org_id = p.org_id and i.person_id = p.id), '{}') as "externalIds", p.lifecycle, p.deleted_at is not null as archived`
  // Kept apart by the offset, so that indexes come first: folding the names of everybody for each chunk takes longer than the rest of an import.
  const named = sql`cross join lateral (select * from app.people p where p.org_id = ${orgId}::uuid and p.deleted_at is null and k.named
    and p.sort_name >= k.prefix collate "C" and p.sort_name < (k.prefix || chr(1114111)) collate "C" offset 0) p`
  const given = sql`k as materialized (
      select x.*, app.fold(x."givenName") as given, app.fold(x."familyName") as family, x."givenName" || x."familyName" <> '' as named,
        left(app.fold(btrim(concat_ws(' ', nullif(x."familyName", ''), x."givenName"))), 200) as prefix
      from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb)
        x (at int, "recordId" uuid, "memberNo" text, emails jsonb, "externalIds" jsonb, links jsonb, "givenName" text, "familyName" text, "birthDate" date, "byName" boolean)
    )`
  const { rows } = await sql<PersonMatch>`
    with ${given}
    select k.at, 'recordId' as by, ${found} from k join app.people p on p.org_id = ${orgId}::uuid and p.id = k."recordId" and ${unlessArchived}
    union all
    select k.at, 'memberNo', ${found} from k cross join lateral (select * from app.people p
      where p.org_id = ${orgId}::uuid and p.member_no_key = lower(k."memberNo") and ${unlessArchived}
      -- Several numbers may differ in their case alone.
      order by p.member_no = k."memberNo" desc, p.deleted_at is not null fetch first row with ties) p
    union all
    select distinct k.at, 'emailAndName', ${found} from k cross join jsonb_array_elements_text(k.emails) e (address)
      cross join lateral (select p.* from app.person_emails m join app.people p on p.org_id = m.org_id and p.id = m.person_id and p.deleted_at is null
        where m.org_id = ${orgId}::uuid and m.address_key = lower(e.address) offset 0) p
      where not k.named or (${sameName})
    union all
    select k.at, 'externalId', ${found} from k cross join jsonb_each_text(k."externalIds") e (system, external_id)
      cross join lateral (select p.* from app.person_external_ids x join app.people p on p.org_id = x.org_id and p.id = x.person_id and p.deleted_at is null
        where x.org_id = ${orgId}::uuid and x.system = e.system and x.external_id = e.external_id offset 0) p
    union all
    select distinct k.at, 'link', ${found} from k ${named}
      join app.person_contacts c on c.org_id = p.org_id and c.person_id = p.id
      cross join jsonb_each_text(k.links) l (service, value)
      where ${sameName} and ${handle(sql`c.links ->> l.service`)} = ${handle(sql`l.value`)}
    union all
    select k.at, 'nameAndBirthDate', ${found} from k ${named}
      join app.person_private v on v.org_id = p.org_id and v.person_id = p.id and v.birth_date = k."birthDate"
      where k."birthDate" is not null and ${sameName}
    union all
    select k.at, 'name', ${found} from k ${named} where k."byName" and ${sameName}`.execute(db)
  const byLinkAlone = keys.filter(({ givenName, familyName, links }) => !givenName && !familyName && Object.keys(links).length > 0)
  if (byLinkAlone.length === 0) return rows
  // No index answers this: the links of everyone are read once for the whole chunk.
  const linked = await sql<PersonMatch>`
    with l as materialized (
      select x.at, e.service, ${handle(sql`e.value`)} as handle
      from jsonb_to_recordset(${JSON.stringify(byLinkAlone)}::jsonb) x (at int, links jsonb) cross join jsonb_each_text(x.links) e (service, value)
    )
    select distinct l.at, 'link' as by, ${found}
    from app.person_contacts c cross join lateral jsonb_each_text(c.links) h (service, value)
    join l on l.service = h.service and l.handle = ${handle(sql`h.value`)}
    join app.people p on p.org_id = c.org_id and p.id = c.person_id and p.deleted_at is null
    where c.org_id = ${orgId}::uuid and c.links <> '{}'`.execute(db)
  return [...rows, ...linked.rows]
}

export type PersonState = {
  id: string
  name: string
  person: Record<string, string | number | boolean | null | string[]>
  editable: boolean
  emails: { address: string; primary: boolean }[]
  phones: { digits: string; primary: boolean }[]
  externalIds: { id: string; system: string; externalId: string }[]
  contact: Record<string, string> | null
  links: Record<string, string>
  private: Record<string, string | null> | null
  officeNote: Record<string, string> | null
  /** Whether what ends a membership is the actor's to decide. */
  decides: boolean
  /** The record is the actor: what the office notes about it is not theirs to see. */
  own: boolean
  tagIds: string[]
  affiliations: { id: string; chapterId: string; kind: string; startsOn: string; endsOn: string | null; primary: boolean }[]
}

/** People with everything an import compares, as far as the actor sees it. */
export async function peopleStates(db: ActorDb, orgId: string, ids: readonly string[]): Promise<Map<string, PersonState>> {
  if (ids.length === 0) return new Map()
  const mine = (table: string) => sql`${sql.table(table)} c where c.org_id = p.org_id and c.person_id = p.id`
  const { rows } = await sql<PersonState>`
    select p.id, p.display_name as name, to_jsonb(p) - array['search', 'sort_name', 'display_name', 'member_no_key'] as person,
      ${mayWrite} as editable,
      coalesce((select jsonb_agg(jsonb_build_object('address', c.address, 'primary', c.is_primary)) from ${mine('app.person_emails')}), '[]') as emails,
      coalesce((select jsonb_agg(jsonb_build_object('digits', c.digits, 'primary', c.is_primary)) from ${mine('app.person_phones')}), '[]') as phones,
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'system', c.system, 'externalId', c.external_id)) from ${mine('app.person_external_ids')}), '[]') as "externalIds",
      (select to_jsonb(c) - 'links' from ${mine('app.person_contacts')}) as contact,
      coalesce((select c.links from ${mine('app.person_contacts')}), '{}') as links,
      (select to_jsonb(c) from ${mine('app.person_private')}) as private,
      (select to_jsonb(c) from ${mine('app.person_office_notes')}) as "officeNote", ${isMyself} as own, ${mayDecide} as decides,
      coalesce((select jsonb_agg(c.tag_id) from ${mine('app.person_tags')}), '[]') as "tagIds",
      coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'chapterId', c.chapter_id, 'kind', c.kind, 'startsOn', c.starts_on,
        'endsOn', c.ends_on, 'primary', c.is_primary) order by c.starts_on) from ${mine('app.affiliations')}), '[]') as affiliations
    from app.people p where p.org_id = ${orgId}::uuid and p.id = any (${ids}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Why people that an import made cannot be removed: someone has worked with them since, and that would be lost too.
 * `own` are the rows of emails, phones and affiliations that the import made itself.
 */
export function peopleInUse(db: ActorDb, orgId: string, ids: readonly string[], own: readonly string[]): Promise<Hold[]> {
  const others = (table: string, name: RawBuilder<unknown>) =>
    sql`select c.id, c.person_id as subject, ${name} as name from ${sql.table(`app.${table}`)} c
      where c.org_id = ${orgId}::uuid and c.person_id = k.id and not c.id = any (${own}::uuid[])`
  const office = sql`(select s.title || ', ' || q.name from app.positions s join app.chapters q on q.org_id = s.org_id and q.id = s.chapter_id
    where s.org_id = c.org_id and s.id = c.position_id)`
  const group = sql`(select g.name from app.groups g where g.org_id = c.org_id and g.id = c.group_id)`
  const chapter = sql`(select q.name from app.chapters q where q.org_id = c.org_id and q.id = c.chapter_id)`
  return readHolds(db, ids, [
    editedUse(orgId, 'people'),
    { why: 'has an account', table: 'accounts', rows: others('accounts', sql`coalesce(c.email, c.name)`) },
    { why: 'holds or held an office', table: 'position_holders', rows: others('position_holders', office) },
    { why: 'is in a group', table: 'group_members', rows: others('group_members', group) },
    { why: 'was given another chapter since', table: 'affiliations', rows: others('affiliations', chapter) },
    { why: 'was given another e-mail address since', table: 'person_emails', rows: others('person_emails', sql`c.address`) },
    { why: 'was given another telephone number since', table: 'person_phones', rows: others('person_phones', sql`c.number`) },
    {
      why: 'was given another external id since',
      table: 'person_external_ids',
      rows: others('person_external_ids', sql`c.system || ':' || c.external_id`),
    },
  ])
}
