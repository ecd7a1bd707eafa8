import { createHash } from 'node:crypto'
import * as z from 'zod'
import { connectorError, exampleOf, shaped } from '../connectors/integrations.connector.rules.ts'
import type { Remote, RowError, TheirField } from '../connectors/integrations.connector.rules.ts'
import type { TheirConsent } from '../connectors/integrations.consent.rules.ts'
import { wordList, wordsOf } from '../connectors/integrations.pushes.rules.ts'

// What the Marketing API answers (https://mailchimp.com/developer/marketing/api); faults are problem+json.

const Audience = z.object({ id: z.string(), name: z.string(), stats: z.object({ member_count: z.number() }).optional() })
export type Audience = z.infer<typeof Audience>
const Member = z.object({
  id: z.string().max(100),
  contact_id: z.string().max(100).optional(),
  email_address: z.string(),
  status: z.string(),
  last_changed: z.string(),
  merge_fields: z.record(z.string(), z.unknown()).optional(),
  tags: z.array(z.object({ name: z.string() })).optional(),
})
export type Member = z.infer<typeof Member>
// A pass goes on from when they changed.
const isMoment = ({ last_changed: at }: Member) => !Number.isNaN(Date.parse(at))
const Members = z.object({ members: z.array(Member.refine(isMoment)), total_items: z.int() })
const MergeFields = z.object({ merge_fields: z.array(z.object({ tag: z.string(), name: z.string(), type: z.string() })) })
const BatchAnswer = z.object({
  new_members: z.array(Member),
  errors: z.array(z.object({ email_address: z.string(), error: z.string().default(''), error_code: z.string().default('') })),
})
const Problem = z.object({ title: z.string().default(''), detail: z.string().default('') })
type Problem = z.infer<typeof Problem>

const readAs = <T>(shape: z.ZodType<T>, body: unknown) => shaped(shape, body, 'Mailchimp')
export const readAudience = (body: unknown) => readAs(Audience, body)
export const readAudiences = (body: unknown) => readAs(z.object({ lists: z.array(Audience) }), body).lists
export const readMember = (body: unknown) => readAs(Member, body)
export const readMembers = (body: unknown) => readAs(Members, body)
export const readMergeFields = (body: unknown) => readAs(MergeFields, body).merge_fields
export const readBatch = (body: unknown) => readAs(BatchAnswer, body)
export const readProblem = (body: unknown): Problem => Problem.catch({ title: '', detail: '' }).parse(body)

/** A key ends with the data centre that answers it: …-us6. */
export function apiAddress(key: string, address: string): string {
  if (address !== '') return address.replace(/\/{1,9}$/, '')
  const centre = /-([a-z]{2,4}\d{1,3})$/.exec(key)?.[1]
  if (!centre) throw connectorError('unauthorized', { message: 'A key of Mailchimp ends with its data centre, such as -us6.' })
  return `https://${centre}.api.mailchimp.com/3.0`
}

/** A member by the address. */
export const memberId = (email: string): string =>
  // eslint-disable-next-line no-restricted-syntax -- Mailchimp's names, no secret
  createHash('md5').update(email.trim().toLowerCase()).digest('hex')

/** `cleaned`: mail bounces; that is no word of the person. `transactional`: known there, and never subscribed. */
export function consentOf(status: string): TheirConsent {
  if (status === 'subscribed') return 'yes'
  if (status === 'unsubscribed') return 'no'
  return status === 'cleaned' || status === 'pending' ? 'pending' : null
}

const isMergeTag = (key: string) => !['email', 'subscribed', 'tags'].includes(key)
const mergeText = (value: unknown): string | null => {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? null : text
}
export const valuesOf = (member: Member): Record<string, string | null> => ({
  // Addresses have parts; they are left out.
  ...Object.fromEntries(
    Object.entries(member.merge_fields ?? {}).flatMap(([tag, value]) =>
      typeof value === 'object' ? [] : [[tag, mergeText(value)] as const],
    ),
  ),
  email: member.email_address.trim().toLowerCase(),
  subscribed: consentOf(member.status),
  tags: wordList((member.tags ?? []).map(({ name }) => name)),
})
/** What stays the same when the address changes, here or there. */
export const contactOf = (member: Member): string => member.contact_id || member.id
export const remoteOf = (member: Member): Remote => ({
  externalId: contactOf(member),
  version: member.last_changed,
  values: valuesOf(member),
  ...(member.status === 'archived' && { isGone: true }),
})

/** Merge fields of a push; Mailchimp empties a field by an empty text. Null where none is pushed. */
export function mergeFieldsOf(values: Readonly<Record<string, string | null>>): Record<string, string> | null {
  const fields = Object.entries(values).filter(([key]) => isMergeTag(key))
  return fields.length === 0 ? null : Object.fromEntries(fields.map(([tag, value]) => [tag, value ?? '']))
}

type TagChange = { name: string; status: 'active' | 'inactive' }
/** What makes the tags of a member the ones wanted; `keep` leaves those alone that only the other side has. */
export function tagChanges(member: Member, wanted: string | null, keep: boolean): TagChange[] {
  const held = (member.tags ?? []).map(({ name }) => name)
  const words = wordsOf(wanted)
  return [
    ...words.filter((name) => !held.includes(name)).map((name): TagChange => ({ name, status: 'active' })),
    ...held.filter((name) => !keep && !words.includes(name)).map((name): TagChange => ({ name, status: 'inactive' })),
  ]
}

export function fieldsOf(merge: readonly { tag: string; name: string; type: string }[], sample: readonly Member[]): TheirField[] {
  const found = sample.map(valuesOf)
  const fields = [
    ...['email', 'subscribed', 'tags'].map((key) => ({ key, label: null })),
    ...merge.filter(({ type }) => type !== 'address').map(({ tag, name }) => ({ key: tag, label: name })),
  ]
  return fields.map(({ key, label }) => ({
    ...{ key, label, isKey: key === 'email' },
    example: exampleOf(found.map((values) => values[key]).find((value) => value)),
  }))
}

/** Why a member was not taken, from what Mailchimp says of it. */
export function rowFault({ title, detail }: Problem): RowError {
  const said = `${title} ${detail}`
  if (/compliance state/i.test(said))
    return {
      code: 'compliance_state',
      message: 'This person ended it at Mailchimp, or mail to them bounced: only they can subscribe there again.',
    }
  if (/permanently deleted|forgotten email/i.test(said))
    return {
      code: 'forgotten_there',
      message: 'This address was deleted for good at Mailchimp: only the person can subscribe there again.',
    }
  if (/member exists|already a list member/i.test(said))
    return { code: 'address_taken', message: 'Another member has this e-mail address.' }
  if (/fake or invalid|valid email/i.test(said)) return { code: 'refused_there', message: 'Mailchimp does not accept this e-mail address.' }
  return { code: 'refused_there', message: 'Mailchimp does not accept these values.' }
}
