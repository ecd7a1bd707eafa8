import type { Right } from './grid.ts'
import { rights } from './rights.ts'

/** Whom a column is for. */
const audiences = {
  /** Ids, versions and what follows from other columns for searches: says nothing by itself, or what the column it follows from says. */
  none: null,
  /** Whoever sees the person sees it. */
  directory: null,
  contact: rights.seeContact,
  externalId: rights.seeExternalIds,
  sensitive: rights.seeSensitive,
  officeNote: rights.seeOfficeNotes,
  officersTag: rights.writePeople,
} as const satisfies Record<string, Right | null>
export type Audience = keyof typeof audiences
export const rightOf = (audience: Audience): Right | null => audiences[audience]

/** A column that is not for everybody, with two values that a person may have in it. */
type Hidden = { to: Exclude<Audience, 'none' | 'directory'>; values: readonly [string, string] }
export type Field = 'none' | 'directory' | Hidden

const contact = (one: string, other: string): Hidden => ({ to: 'contact', values: [one, other] })
const externalId = (one: string, other: string): Hidden => ({ to: 'externalId', values: [one, other] })
const sensitive = (one: string, other: string): Hidden => ({ to: 'sensitive', values: [one, other] })

/**
 * Every column of every table about people, and whom it is for. A column that is added and not named here fails the test beside it; one that is for
 * some readers only is tried on all the others, in every way out.
 */
export const personFields = {
  people: {
    org_id: 'none',
    id: 'none',
    member_no: 'directory',
    member_no_key: 'none',
    given_name: 'directory',
    middle_name: 'directory',
    family_name: 'directory',
    suffix: 'directory',
    picture_id: 'directory',
    preferred_name: 'directory',
    former_names: 'directory',
    pronouns: 'directory',
    display_name: 'directory',
    sort_name: 'none',
    search: 'none',
    lifecycle: 'directory',
    home_chapter_id: 'directory',
    joined_on: 'directory',
    grad_year: 'directory',
    employer: 'directory',
    job_title: 'directory',
    bio: 'directory',
    language: 'directory',
    do_not_contact: 'directory',
    minor_until: 'none',
    created_by: 'none',
    version: 'none',
    created_at: 'directory',
    updated_at: 'directory',
    deleted_at: 'directory',
    merged_into: 'directory',
  },
  person_emails: {
    org_id: 'none',
    id: 'none',
    person_id: 'none',
    address: contact('probe.one@hidden.example', 'other.two@hidden.example'),
    address_key: 'none',
    local_key: 'none',
    label: contact('Probelabel', 'Otherlabel'),
    is_primary: contact('true', 'false'),
    visible_to: 'none',
    created_at: contact('2019-01-01', '2021-01-01'),
  },
  person_phones: {
    org_id: 'none',
    id: 'none',
    person_id: 'none',
    number: contact('+493055512345', '+493055567890'),
    digits: 'none',
    label: contact('Probelabel', 'Otherlabel'),
    is_primary: contact('true', 'false'),
    visible_to: 'none',
    created_at: contact('2019-01-01', '2021-01-01'),
  },
  person_contacts: {
    org_id: 'none',
    person_id: 'none',
    street: contact('Probestreet 1', 'Otherstreet 2'),
    city: contact('Probetown', 'Othertown'),
    region: contact('Proberegion', 'Otherregion'),
    postal_code: contact('PR0B3', '0TH3R'),
    country: contact('Probeland', 'Otherland'),
    website: contact('https://probe.example', 'https://other.example'),
    links: contact('{"mastodon":"probe"}', '{"mastodon":"other"}'),
    visible_to: 'none',
  },
  person_external_ids: {
    org_id: 'none',
    id: 'none',
    person_id: 'none',
    system: externalId('probesystem', 'othersystem'),
    external_id: externalId('Probeid-1', 'Otherid-2'),
    created_at: 'none',
  },
  person_private: {
    org_id: 'none',
    person_id: 'none',
    birth_date: sensitive('1970-03-03', '1971-11-22'),
    birthday: 'none',
    gender: sensitive('Probegender', 'Othergender'),
    deceased_on: sensitive('2025-01-01', '2024-02-02'),
  },
  person_office_notes: { org_id: 'none', person_id: 'none', note: { to: 'officeNote', values: ['Probenote', 'Othernote'] } },
  // Shown to whom they speak of, and by what is published.
  public_names: { org_id: 'none', person_id: 'none', agreed_at: 'none', with_picture: 'none' },
  // Read by nobody but the holder and those who keep the record; what it shows others is what its holder agreed to.
  member_cards: {
    org_id: 'none',
    id: 'none',
    person_id: 'none',
    state: 'none',
    valid_until: 'none',
    reason: 'none',
    created_at: 'none',
    ended_at: 'none',
  },
  person_tags: { org_id: 'none', person_id: 'none', tag_id: { to: 'officersTag', values: ['tag', 'otherTag'] }, created_at: 'none' },
  affiliations: {
    org_id: 'none',
    id: 'none',
    person_id: 'none',
    chapter_id: 'directory',
    kind: 'directory',
    starts_on: 'directory',
    ends_on: 'directory',
    is_primary: 'directory',
    version: 'none',
    created_at: 'none',
    updated_at: 'none',
  },
} as const satisfies Record<string, Record<string, Field>>

export type HiddenField = Hidden & { table: string; column: string }
export const hiddenFields: HiddenField[] = Object.entries<Record<string, Field>>(personFields).flatMap(([table, columns]) =>
  Object.entries(columns).flatMap(([column, field]) => (typeof field === 'object' ? [{ table, column, ...field }] : [])),
)
