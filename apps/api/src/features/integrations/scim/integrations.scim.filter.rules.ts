import { badRequest } from './integrations.scim.error.rules.ts'

/** `field eq value`; the only comparison that providers ask to find what they have sent. */
export type Equals<Field extends string> = { field: Field; value: string }
export type UserField = 'id' | 'userName' | 'externalId' | 'email'
export type GroupField = 'id' | 'displayName' | 'externalId' | 'member'

const userFields = new Map<string, UserField>([
  ['id', 'id'],
  ['username', 'userName'],
  ['externalid', 'externalId'],
  ['emails', 'email'],
  ['emails.value', 'email'],
  ['emails[type eq "work"].value', 'email'],
])
const groupFields = new Map<string, GroupField>([
  ['id', 'id'],
  ['displayname', 'displayName'],
  ['externalid', 'externalId'],
  ['members', 'member'],
  ['members.value', 'member'],
])

export const userFilter = (text: string | undefined) => readFilter(text, userFields)
export const groupFilter = (text: string | undefined) => readFilter(text, groupFields)

const longest = 1_000
const most = 4

/** `a eq "x" and b eq "y"`. */
function readFilter<Field extends string>(text: string | undefined, fields: ReadonlyMap<string, Field>): Equals<Field>[] {
  if (text === undefined) return []
  if (text.length > longest) throw badRequest('invalidFilter', 'This filter is too long.')
  const found: Equals<Field>[] = []
  let rest = text.trim()
  for (;;) {
    const { field, value, after } = readEquals(rest)
    const known = fields.get(withoutSchema(field).toLowerCase())
    if (!known) throw badRequest('invalidFilter', `Filter by one of: ${[...new Set(fields.values())].join(', ')}.`)
    found.push({ field: known, value })
    if (after === '') return found
    if (!/^and\s/i.test(after) || found.length >= most) throw badRequest('invalidFilter', 'Comparisons are joined by "and", four at most.')
    rest = after.slice(4).trim()
  }
}

function readEquals(text: string): { field: string; value: string; after: string } {
  const refused = badRequest('invalidFilter', 'Only comparisons such as userName eq "name@example.org" are supported.')
  // A field may hold a comparison of its own in brackets.
  const bracket = text.indexOf(']')
  const open = text.indexOf('[')
  const from = open >= 0 && bracket > open && !text.slice(0, open).includes(' ') ? bracket : 0
  const space = text.indexOf(' ', from)
  if (space < 1) throw refused
  const field = text.slice(0, space)
  const said = text.slice(space).trim()
  if (!/^eq\s/i.test(said)) throw refused
  const value = said.slice(3).trim()
  if (!value.startsWith('"')) throw refused
  const end = endOfText(value)
  if (end < 0) throw refused
  return { field, value: unquoted(value.slice(0, end + 1), refused), after: value.slice(end + 1).trim() }
}

/** Position of the quote that ends a JSON text. */
function endOfText(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return -1
}

function unquoted(text: string, refused: Error): string {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'string') return value
  } catch {
    throw refused
  }
  throw refused
}

/** Names may be written with the schema that they are of. */
export const withoutSchema = (name: string): string => name.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(?:User|Group):/i, '')
