import * as z from 'zod'
import { exampleOf, shaped } from '../connectors/integrations.connector.rules.ts'
import type { Remote, TheirField } from '../connectors/integrations.connector.rules.ts'
import type { TheirConsent } from '../connectors/integrations.consent.rules.ts'
import { wordList, wordsOf } from '../connectors/integrations.pushes.rules.ts'

// What listmonk answers (https://listmonk.app/docs/apis/apis): everything within `data`, faults as { message }.

const ListmonkList = z.object({
  id: z.int(),
  uuid: z.string(),
  name: z.string(),
  optin: z.string(),
  subscriber_count: z.number().optional(),
})
export type ListmonkList = z.infer<typeof ListmonkList>
const Subscriber = z.object({
  id: z.int(),
  email: z.string(),
  name: z.string(),
  status: z.string(),
  updated_at: z.string().max(100),
  attribs: z.record(z.string(), z.unknown()).nullish(),
  lists: z.array(z.object({ id: z.int(), subscription_status: z.string().nullish(), optin: z.string().optional() })).nullish(),
})
export type Subscriber = z.infer<typeof Subscriber>

const readData = <T>(shape: z.ZodType<T>, body: unknown) => shaped(z.object({ data: shape }), body, 'listmonk').data
export const readList = (body: unknown) => readData(ListmonkList, body)
export const readLists = (body: unknown) => readData(z.object({ results: z.array(ListmonkList) }), body).results
export const readSubscriber = (body: unknown) => readData(Subscriber, body)
export const readSubscribers = (body: unknown) => readData(z.object({ results: z.array(Subscriber), total: z.int() }), body)

/** Fields that every subscriber has; the others are attributes. */
const own = ['email', 'name', 'subscribed']
const attributePrefix = 'attribs.'
/** Attributes whose value is a list of words there. */
const isWordList = (name: string) => /^tags?$|_tags$/.test(name)

function attributeText(value: unknown): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value.trim()
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value))
    return wordList(value.flatMap((one: unknown) => (typeof one === 'string' || typeof one === 'number' ? String(one) : [])))
  return null
}
const isPlain = (value: unknown) => value === null || typeof value !== 'object' || Array.isArray(value)

/** Whether a subscriber gets what is sent to a list. On a list with double opt-in an unconfirmed subscription is a question. */
export function consentOn(subscriber: Subscriber, listId: number): TheirConsent {
  if (subscriber.status === 'blocklisted') return 'blocked'
  const on = subscriber.lists?.find(({ id }) => id === listId)
  if (!on) return null
  if (on.subscription_status === 'unsubscribed') return 'no'
  if (subscriber.status === 'disabled') return 'pending'
  return on.subscription_status === 'confirmed' || on.optin !== 'double' ? 'yes' : 'pending'
}

export function valuesOf(subscriber: Subscriber, listId: number): Record<string, string | null> {
  const attributes = Object.entries(subscriber.attribs ?? {}).flatMap(([name, value]) =>
    isPlain(value) ? [[`${attributePrefix}${name}`, attributeText(value)] as const] : [],
  )
  return {
    email: subscriber.email.trim().toLowerCase(),
    name: subscriber.name.trim() || null,
    subscribed: consentOn(subscriber, listId),
    ...Object.fromEntries(attributes),
  }
}

export const remoteOf = (subscriber: Subscriber, listId: number): Remote => ({
  externalId: String(subscriber.id),
  version: subscriber.updated_at,
  values: valuesOf(subscriber, listId),
})

/** The values of a push as listmonk takes them: attributes are merged with those that are there, and an empty one is set to null. */
export function subscriberBody(values: Readonly<Record<string, string | null>>): {
  email?: string
  name?: string
  attribs?: Record<string, unknown>
} {
  const attribs = Object.entries(values)
    .filter(([key]) => key.startsWith(attributePrefix))
    .map(([key, value]) => {
      const name = key.slice(attributePrefix.length)
      return [name, isWordList(name) ? wordsOf(value) : value] as const
    })
  return {
    ...(values['email'] && { email: values['email'] }),
    ...(values['name'] && { name: values['name'] }),
    ...(attribs.length > 0 && { attribs: Object.fromEntries(attribs) }),
  }
}

/** Attributes that a new list has not got yet, so that a first connection has something to map to. */
const usual = ['first_name', 'last_name', 'city', 'country', 'member_no', 'lifecycle', 'tags']

export function fieldsOf(sample: readonly Subscriber[], listId: number): TheirField[] {
  const found = sample.map((subscriber) => valuesOf(subscriber, listId))
  const attributes = found.flatMap((values) => Object.keys(values).filter((key) => key.startsWith(attributePrefix) && key.length <= 200))
  const keys = new Set([...own, ...attributes, ...usual.map((name) => `${attributePrefix}${name}`)])
  return [...keys].map((key) => ({
    key,
    label: key.startsWith(attributePrefix) ? key.slice(attributePrefix.length) : null,
    example: exampleOf(found.map((values) => values[key]).find((value) => value)),
    isKey: key === 'email',
  }))
}

/** A text within an expression of listmonk's search, which is SQL. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** Cursor of a pass: the list, and the last subscriber that was read. */
export function readCursor(cursor: string): { listId: number; after: number } {
  const [listId, after] = cursor.split(':').map(Number)
  return { listId: listId ?? 0, after: after ?? 0 }
}
