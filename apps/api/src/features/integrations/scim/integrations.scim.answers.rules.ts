import { createHash } from 'node:crypto'
import { ScimError, badRequest } from './integrations.scim.error.rules.ts'
import { groupSchema } from './integrations.scim.group.rules.ts'
import type { StoredGroup } from './integrations.scim.groups.queries.ts'
import type { StoredUser } from './integrations.scim.queries.ts'
import { userSchema } from './integrations.scim.user.rules.ts'

export type Resource = { schemas: string[]; id: string; meta: { version: string; location: string; [more: string]: string } } & Record<
  string,
  unknown
>

/** `base` is the address of /scim/v2. */
export function userResource(base: string, user: StoredUser): Resource {
  const { givenName, familyName, displayName } = user
  const formatted = displayName ?? ([givenName, familyName].filter(Boolean).join(' ') || null)
  return {
    schemas: [userSchema],
    id: user.id,
    ...(user.externalId !== null && { externalId: user.externalId }),
    userName: user.userName,
    ...(formatted !== null && {
      name: { formatted, ...(givenName !== null && { givenName }), ...(familyName !== null && { familyName }) },
      displayName: formatted,
    }),
    active: user.active,
    emails: user.email === null ? [] : [{ value: user.email, type: 'work', primary: true }],
    groups: user.groups.map(({ value, display }) => ({ value, display, $ref: `${base}/Groups/${value}` })),
    meta: {
      resourceType: 'User',
      created: instant(user.createdAt),
      lastModified: instant(user.updatedAt),
      location: `${base}/Users/${user.id}`,
      version: `W/"${user.version}"`,
    },
  }
}

export function groupResource(base: string, group: StoredGroup): Resource {
  const members = group.members?.map(({ value, display }) => ({ value, display, type: 'User', $ref: `${base}/Users/${value}` }))
  const version = createHash('sha256')
    .update(JSON.stringify([group.displayName, group.externalId, group.members]))
    .digest('base64url')
  return {
    schemas: [groupSchema],
    id: group.id,
    ...(group.externalId !== null && { externalId: group.externalId }),
    displayName: group.displayName,
    ...(members && { members }),
    meta: { resourceType: 'Group', location: `${base}/Groups/${group.id}`, version: `W/"${version.slice(0, 22)}"` },
  }
}

/** As providers expect moments: of UTC. */
const instant = (text: string) => new Date(text).toISOString()

export const listAnswer = (resources: readonly unknown[], total: number, startIndex: number) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
})

// What a request asks -------------------------------------------------------------------------------------------------------------------

export const mostAtOnce = 200
const usualCount = 100

/** One page: `startIndex` counts from one, and what is out of bounds is brought into them, as RFC 7644 asks. */
export function pageOf(query: Readonly<Record<string, unknown>>): { startIndex: number; offset: number; count: number } {
  const startIndex = Math.max(1, wholeNumber('startIndex', query['startIndex']) ?? 1)
  const count = Math.min(mostAtOnce, Math.max(0, wholeNumber('count', query['count']) ?? usualCount))
  return { startIndex, offset: startIndex - 1, count }
}

function wholeNumber(name: string, value: unknown): number | undefined {
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string' || !/^-?\d{1,9}$/.test(value)) throw badRequest('invalidValue', `${name} must be a whole number.`)
  return Number(value)
}

/** A parameter that is given once at most. */
export function parameter(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = query[name]
  if (value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw badRequest('invalidValue', `Give ${name} once.`)
  return value
}

const always = ['schemas', 'id', 'meta']

/** Which attributes somebody wants: of those named only, or all but those named. */
export function projection(query: Readonly<Record<string, unknown>>): { has(name: string): boolean; of(resource: Resource): unknown } {
  const wanted = namesIn(parameter(query, 'attributes'))
  const unwanted = namesIn(parameter(query, 'excludedAttributes'))
  if (wanted && unwanted) throw badRequest('invalidValue', 'Give attributes or excludedAttributes.')
  const has = (name: string) => {
    const key = name.toLowerCase()
    return always.includes(key) || (wanted ? wanted.has(key) : !unwanted?.has(key))
  }
  return { has, of: (resource) => Object.fromEntries(Object.entries(resource).filter(([name]) => has(name))) }
}

const namesIn = (list: string | undefined): Set<string> | undefined =>
  list === undefined
    ? undefined
    : new Set(
        list.split(',').map((name) => {
          const plain = name.trim().toLowerCase()
          const own = plain.startsWith('urn:') ? (plain.split(':').at(-1) ?? '') : plain
          return own.split('.')[0] ?? ''
        }),
      )

/** Whether a header of If-Match or If-None-Match names this version. */
export function names(header: string | string[] | undefined, version: string): boolean {
  const bare = (tag: string) => tag.trim().replace(/^W\//, '')
  return (Array.isArray(header) ? header.join(',') : (header ?? ''))
    .split(',')
    .some((tag) => tag.trim() === '*' || bare(tag) === bare(version))
}

/** Refuses a change of something that has changed since the caller read it; who sends no If-Match takes it as it is. */
export function mustMatch(header: string | string[] | undefined, version: string): void {
  if (header !== undefined && !names(header, version)) throw new ScimError(412, 'The resource has changed since it was read.')
}
