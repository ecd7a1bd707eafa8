/** Columns that the generator fills, in order; the database fills the others. */
export const columns = {
  chapters: ['id', 'parent_id', 'name', 'code', 'level', 'status', 'about', 'city', 'contact_email', 'website', 'timezone', 'chartered_on', 'public_page', 'created_at', 'updated_at'],
  positions: ['id', 'chapter_id', 'title', 'role_id', 'term_months', 'max_holders', 'mandatory', 'member_only', 'created_at', 'updated_at'],
  tags: ['id', 'name', 'color', 'audience', 'created_at'],
  groups: ['id', 'chapter_id', 'parent_id', 'code', 'name', 'kind', 'description', 'about', 'visibility', 'join_policy', 'archived_at', 'created_at', 'updated_at'],
  people: ['id', 'member_no', 'given_name', 'middle_name', 'family_name', 'suffix', 'preferred_name', 'former_names', 'pronouns', 'lifecycle', 'home_chapter_id', 'joined_on', 'grad_year', 'employer', 'job_title', 'bio', 'language', 'do_not_contact', 'minor_until', 'created_at', 'updated_at'],
  person_emails: ['id', 'person_id', 'address', 'label', 'is_primary', 'visible_to', 'created_at'],
  person_phones: ['id', 'person_id', 'number', 'label', 'is_primary', 'visible_to', 'created_at'],
  person_contacts: ['person_id', 'street', 'city', 'postal_code', 'country', 'website', 'visible_to'],
  person_external_ids: ['id', 'person_id', 'system', 'external_id', 'created_at'],
  person_private: ['person_id', 'birth_date', 'gender', 'deceased_on'],
  person_tags: ['person_id', 'tag_id', 'created_at'],
  affiliations: ['id', 'person_id', 'chapter_id', 'kind', 'starts_on', 'ends_on', 'is_primary', 'created_at', 'updated_at'],
  position_holders: ['id', 'position_id', 'person_id', 'starts_on', 'ends_on', 'note', 'created_at', 'updated_at'],
  group_members: ['id', 'group_id', 'person_id', 'role', 'title', 'rank', 'status', 'starts_on', 'ends_on', 'created_at', 'updated_at'],
  accounts: ['id', 'issuer', 'subject', 'email', 'email_verified', 'name', 'person_id', 'status', 'idp_roles', 'last_login_at', 'created_at', 'updated_at'],
  grants: ['id', 'account_id', 'role_id', 'scope_kind', 'starts_on', 'reason', 'granted_by', 'created_at', 'updated_at'],
} as const satisfies Record<string, readonly string[]> // prettier-ignore

export type Table = keyof typeof columns
export type Value = string | number | boolean | null | readonly string[]

/** Rows on their way into the tables, already in the text form of COPY. Every table begins with the organisation. */
export type Sheet = {
  add(table: Table, values: readonly Value[]): void
  /** Hands over what was added since the last time, tables in an order in which their references exist. */
  take(): { table: Table; text: string; rows: number }[]
}

export function newSheet(orgId: string): Sheet {
  let lines = new Map<Table, string[]>()
  return {
    add(table, values) {
      if (values.length !== columns[table].length)
        throw new Error(`A row of ${table} has ${values.length} values for ${columns[table].length} columns.`)
      let list = lines.get(table)
      if (!list) lines.set(table, (list = []))
      list.push(`${orgId}\t${values.map(copyText).join('\t')}\n`)
    },
    take() {
      const taken = lines
      lines = new Map()
      return tables.flatMap((table) => {
        const list = taken.get(table)
        return list ? [{ table, text: list.join(''), rows: list.length }] : []
      })
    },
  }
}

// The keys of an object literal keep its order; their type is lost in Object.keys.
const tables = Object.keys(columns).filter((key): key is Table => key in columns)

function copyText(value: Value): string {
  if (value === null) return '\\N'
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number') return String(value)
  const text = typeof value === 'string' ? value : `{${value.map((item) => `"${item.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
  return /[\\\t\n\r]/.test(text) ? text.replace(/\\/g, '\\\\').replace(/\t/g, '\\t').replace(/\n/g, '\\n').replace(/\r/g, '\\r') : text
}
