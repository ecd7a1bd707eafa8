import { isId } from '../../../platform/records/is-id.ts'
import { badRequest } from './integrations.scim.error.rules.ts'
import { withoutSchema } from './integrations.scim.filter.rules.ts'
import { readOperations, resourceOf } from './integrations.scim.user.rules.ts'

export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'

/** Steps of a change of who holds a role, in their order; `all` are the ones who hold it alone. */
export type MemberStep = { kind: 'add' | 'remove' | 'all'; accountIds: string[] }
export type GroupChange = { steps: MemberStep[]; displayName?: string; externalId?: string | null }

const mostMembers = 1_000

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function idsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value]
  if (list.length > mostMembers) throw badRequest('tooMany', `Send at most ${mostMembers} members at once.`)
  return list.map((one) => {
    const id: unknown = isObject(one) ? one['value'] : one
    if (typeof id !== 'string' || !isId(id)) throw badRequest('invalidValue', 'A member is named by the id of a user.')
    return id.toLowerCase()
  })
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value.length > 200) throw badRequest('invalidValue', `${name} must be a text of at most 200 characters.`)
  return value
}

/** A whole group, as it replaces the one that is there. */
export function readGroup(body: unknown): GroupChange {
  const change: GroupChange = { steps: [{ kind: 'all', accountIds: [] }] }
  for (const [name, value] of Object.entries(resourceOf(body, groupSchema))) {
    if (/^members$/i.test(name)) change.steps = [{ kind: 'all', accountIds: value === null ? [] : idsOf(value) }]
    else applyName(change, name, value)
  }
  if (change.displayName === undefined) throw badRequest('invalidValue', 'displayName is required.')
  return change
}

function applyName(change: GroupChange, name: string, value: unknown): void {
  const key = withoutSchema(name).toLowerCase()
  if (key === 'displayname') change.displayName = textOf('displayName', value)
  else if (key === 'externalid') change.externalId = value === null ? null : textOf('externalId', value)
  else if (!['schemas', 'id', 'meta'].includes(key) && !key.startsWith('urn:'))
    throw badRequest('invalidPath', `There is no attribute ${name.slice(0, 60)}.`)
}

/** What a PATCH changes of a group. */
export function readGroupChange(body: unknown): GroupChange {
  const change: GroupChange = { steps: [] }
  for (const { op, path, value } of readOperations(body)) {
    if (path === undefined) {
      if (!isObject(value)) throw badRequest('invalidValue', 'Without a path, value is an object.')
      for (const [name, inner] of Object.entries(value)) {
        if (/^members$/i.test(name)) change.steps.push({ kind: op === 'replace' ? 'all' : 'add', accountIds: idsOf(inner) })
        else applyName(change, name, inner)
      }
      continue
    }
    const plain = withoutSchema(path.trim())
    const one = /^members\[\s*value\s+eq\s+"([^"]{1,60})"\s*\]$/i.exec(plain)?.[1]
    if (one !== undefined) {
      if (op !== 'remove' || !isId(one))
        throw badRequest('invalidPath', 'Only a member named by the id of a user can be removed in this way.')
      change.steps.push({ kind: 'remove', accountIds: [one.toLowerCase()] })
    } else if (/^members$/i.test(plain)) {
      if (op === 'remove' && (value === undefined || value === null)) change.steps.push({ kind: 'all', accountIds: [] })
      else change.steps.push({ kind: op === 'replace' ? 'all' : op, accountIds: idsOf(value) })
    } else if (op === 'remove') {
      if (!/^externalId$/i.test(plain)) throw badRequest('mutability', 'Groups are the standard roles: only their members change.')
      change.externalId = null
    } else applyName(change, plain, value)
  }
  return change
}
