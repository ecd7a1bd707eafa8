import * as z from 'zod'
import { badRequest } from './integrations.scim.error.rules.ts'
import { withoutSchema } from './integrations.scim.filter.rules.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** What is kept of a user; everything else that RFC 7643 has is read and left alone. */
export type UserValues = {
  userName: string
  externalId: string | null
  displayName: string | null
  givenName: string | null
  familyName: string | null
  email: string | null
  active: boolean
}
export type UserChange = Partial<UserValues>

/** Attributes of RFC 7643 that accounts do not have, and those that are only read. */
const ignored = new Set([
  ...[
    'schemas',
    'id',
    'meta',
    'groups',
    'nickname',
    'profileurl',
    'title',
    'usertype',
    'preferredlanguage',
    'locale',
    'timezone',
    'password',
  ],
  ...['phonenumbers', 'ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509certificates'],
  ...['name.middlename', 'name.honorificprefix', 'name.honorificsuffix'],
])

const fieldOf: Readonly<Record<string, keyof UserValues>> = {
  username: 'userName',
  externalid: 'externalId',
  displayname: 'displayName',
  'name.formatted': 'displayName',
  'name.givenname': 'givenName',
  'name.familyname': 'familyName',
  'emails.value': 'email',
  active: 'active',
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A whole user, as it is created or replaced: what is missing is empty. */
export function readUser(body: unknown): UserValues {
  const { change, said } = readAttributes(resourceOf(body, userSchema))
  if (change.userName === undefined) throw badRequest('invalidValue', 'userName is required.')
  return {
    externalId: null,
    givenName: null,
    familyName: null,
    active: true,
    ...change,
    userName: change.userName,
    displayName: change.displayName ?? said.formatted ?? null,
    email: change.email ?? (isAddress(change.userName) ? change.userName : null),
  }
}

/** The body with its attributes, where it is one of this schema. */
export function resourceOf(body: unknown, schema: string): Record<string, unknown> {
  if (!isObject(body)) throw badRequest('invalidSyntax', 'Send one JSON object.')
  const { schemas } = body
  if (!Array.isArray(schemas) || !schemas.includes(schema)) throw badRequest('invalidSyntax', `schemas must name ${schema}.`)
  return body
}

/** Attributes by name, however they are nested; `said` is what counts only where nothing better is said. */
function readAttributes(attributes: Record<string, unknown>): { change: UserChange; said: { formatted?: string | null } } {
  const change: UserChange = {}
  const said: { formatted?: string | null } = {}
  for (const [name, value] of Object.entries(attributes)) {
    const path = pathOf(name)
    if (path.name === 'name' && path.sub === undefined && isObject(value)) {
      for (const [sub, inner] of Object.entries(value)) {
        if (sub.toLowerCase() === 'formatted') said.formatted = textOf('displayName', inner)
        else apply(change, { name: 'name', sub: sub.toLowerCase(), where: undefined }, inner)
      }
    } else apply(change, path, value)
  }
  return { change, said }
}

type Path = { name: string; sub: string | undefined; where: string | undefined }

/** `attribute`, `attribute.part` or `attribute[filter].part`, in small letters. */
function pathOf(text: string): Path {
  const path = withoutSchema(text.trim())
  if (/^urn:/i.test(path)) return { name: 'urn', sub: undefined, where: undefined }
  const open = path.indexOf('[')
  const close = path.lastIndexOf(']')
  const where =
    open > 0 && close > open
      ? path
          .slice(open + 1, close)
          .trim()
          .toLowerCase()
      : undefined
  const plain = where === undefined ? path : path.slice(0, open) + path.slice(close + 1)
  const [name = '', sub, ...more] = plain.toLowerCase().split('.')
  if (!/^[a-z$][a-z0-9_$-]*$/.test(name) || more.length > 0 || (sub !== undefined && !/^[a-z0-9_$-]+$/.test(sub)))
    throw badRequest('invalidPath', `${text.slice(0, 100)} is not the path of an attribute.`)
  return { name, sub, where }
}

/** Of several addresses only the one for work, or the first, is ours. */
const isOurAddress = (where: string | undefined) => where === undefined || /^(type eq "work"|primary eq "?true"?)$/.test(where)

function apply(change: UserChange, { name, sub, where }: Path, value: unknown): void {
  if (name === 'urn' || ignored.has(name)) return
  if (name === 'emails') {
    if (!isOurAddress(where) || (sub !== undefined && sub !== 'value')) return
    change.email = sub === 'value' ? addressOf(value) : addressAmong(where === undefined ? value : [value])
    return
  }
  const key = sub === undefined ? name : `${name}.${sub}`
  if (ignored.has(key)) return
  const field = Object.hasOwn(fieldOf, key) ? fieldOf[key] : undefined
  if (field === undefined) throw badRequest('invalidPath', `There is no attribute ${key.slice(0, 60)}.`)
  if (field === 'active') change.active = switchOf(value)
  else if (field === 'userName') change.userName = userNameOf(value)
  else if (field !== 'email') change[field] = textOf(field, value)
}

const longestName = 200

function textOf(field: string, value: unknown): string | null {
  if (value === null) return null
  if (typeof value !== 'string') throw badRequest('invalidValue', `${field} must be a text.`)
  const text = value.normalize('NFC').trim()
  if (text.length > longestName) throw badRequest('invalidValue', `${field} has more than ${longestName} characters.`)
  if (/\p{Cc}/u.test(text)) throw badRequest('invalidValue', `${field} holds control characters.`)
  return text === '' ? null : text
}

function userNameOf(value: unknown): string {
  const text = textOf('userName', value)
  if (text === null) throw badRequest('invalidValue', 'userName is required.')
  return text
}

/** Some providers write "False". */
function switchOf(value: unknown): boolean {
  const said = typeof value === 'string' ? value.toLowerCase() : value
  if (said === true || said === 'true') return true
  if (said === false || said === 'false') return false
  throw badRequest('invalidValue', 'active must be true or false.')
}

const isAddress = (text: string) => text.length <= 320 && z.email().safeParse(text).success

function addressOf(value: unknown): string | null {
  const text = textOf('emails', value)
  if (text !== null && !isAddress(text)) throw badRequest('invalidValue', 'emails must hold e-mail addresses.')
  return text
}

const mostAddresses = 20

/** The main one of several, else the one for work, else the first. */
function addressAmong(value: unknown): string | null {
  const list: unknown[] = Array.isArray(value) ? value : value === null ? [] : [value]
  if (list.length > mostAddresses) throw badRequest('invalidValue', `emails holds more than ${mostAddresses} addresses.`)
  const addresses = list.map((one) => {
    const { value: address = null, type, primary } = isObject(one) ? one : { value: one }
    return { address: addressOf(address), isMain: primary === true || primary === 'True' || primary === 'true', isForWork: type === 'work' }
  })
  const best = addresses.find(({ isMain }) => isMain) ?? addresses.find(({ isForWork }) => isForWork) ?? addresses[0]
  return best?.address ?? null
}

// Changes -------------------------------------------------------------------------------------------------------------------------------

export type Operation = { op: 'add' | 'replace' | 'remove'; path: string | undefined; value: unknown }
const mostOperations = 100

/** Operations of a PATCH, in their order. Names and verbs are written in whatever case a provider likes. */
export function readOperations(body: unknown): Operation[] {
  const entries = Object.entries(resourceOf(body, patchSchema)).filter(([name]) => name.toLowerCase() !== 'schemas')
  const [first, ...more] = entries
  const list = first?.[1]
  if (first?.[0].toLowerCase() !== 'operations' || more.length > 0 || !Array.isArray(list) || list.length === 0)
    throw badRequest('invalidSyntax', 'Send a list of Operations.')
  if (list.length > mostOperations) throw badRequest('tooMany', `Send at most ${mostOperations} operations at once.`)
  return list.map((one: unknown) => {
    if (!isObject(one)) throw badRequest('invalidSyntax', 'An operation is an object.')
    const unknown = Object.keys(one).find((key) => !['op', 'path', 'value'].includes(key))
    if (unknown !== undefined) throw badRequest('invalidSyntax', `An operation has no ${unknown.slice(0, 60)}.`)
    const { op, path, value } = one
    const verb = typeof op === 'string' ? op.toLowerCase() : ''
    if (verb !== 'add' && verb !== 'replace' && verb !== 'remove') throw badRequest('invalidSyntax', 'op must be add, replace or remove.')
    if (path !== undefined && path !== null && typeof path !== 'string') throw badRequest('invalidPath', 'path must be a text.')
    if (verb === 'remove' && (path === undefined || path === null || path === '')) throw badRequest('noTarget', 'Say what to remove.')
    return { op: verb, path: path === null || path === '' ? undefined : path, value }
  })
}

/** What a PATCH changes of a user. */
export function readUserChange(body: unknown): UserChange {
  const change: UserChange = {}
  for (const { op, path, value } of readOperations(body)) {
    if (path === undefined) {
      if (!isObject(value)) throw badRequest('invalidValue', 'Without a path, value is an object.')
      const { change: more, said } = readAttributes(value)
      Object.assign(change, said.formatted === undefined ? {} : { displayName: said.formatted }, more)
    } else if (op === 'remove') removed(change, pathOf(path))
    else if (pathOf(path).name === 'name' && pathOf(path).sub === undefined) Object.assign(change, readAttributes({ name: value }).change)
    else apply(change, pathOf(path), value)
  }
  return change
}

function removed(change: UserChange, path: Path): void {
  const key = path.sub === undefined ? path.name : `${path.name}.${path.sub}`
  if (key === 'username' || key === 'active') throw badRequest('mutability', `${key} cannot be removed.`)
  if (path.name === 'name' && path.sub === undefined) Object.assign(change, { displayName: null, givenName: null, familyName: null })
  else apply(change, path, null)
}

/** A user after a change; an account without an address can be neither invited nor found. */
export function changedUser(before: UserValues, change: UserChange): UserValues {
  return { ...before, ...change }
}

/** How an account is called after what its provider says. */
export const nameOf = ({ displayName, givenName, familyName }: UserValues): string =>
  displayName ?? [givenName, familyName].filter(Boolean).join(' ')
