import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod'
import { startRemote } from '../connectors/integrations.remote.testing.ts'
import type { RemoteAnswer, RemoteRequest } from '../connectors/integrations.remote.testing.ts'

const Status = z.enum(['subscribed', 'unsubscribed', 'cleaned', 'pending', 'transactional'])
type Row = {
  contact: string
  email: string
  status: z.infer<typeof Status> | 'archived'
  merge: Record<string, string | number | object>
  tags: Set<string>
  changed: number
  /** The person ended it, so that only they start again. */
  isOwnWord: boolean
}
const Merge = z.record(z.string(), z.union([z.string(), z.number()]))
const MemberBody = z.strictObject({
  email_address: z.string().optional(),
  status: Status.optional(),
  status_if_new: Status.optional(),
  merge_fields: Merge.optional(),
})
const Batch = z.strictObject({
  members: z.array(
    z.strictObject({ email_address: z.string(), status: Status, merge_fields: Merge.optional(), tags: z.array(z.string()).optional() }),
  ),
  update_existing: z.boolean().optional(),
})
const Tags = z.strictObject({ tags: z.array(z.strictObject({ name: z.string().min(1), status: z.enum(['active', 'inactive']) })).min(1) })

const problem = (status: number, title: string, detail: string): RemoteAnswer => ({
  status,
  headers: { 'content-type': 'application/problem+json; charset=utf-8' },
  body: { type: 'https://mailchimp.com/developer/marketing/docs/errors/', title, status, detail, instance: randomUUID() },
})
const notFound = () => problem(404, 'Resource Not Found', 'The requested resource could not be found.')
const invalid = (detail: string) => problem(400, 'Invalid Resource', detail)
// eslint-disable-next-line no-restricted-syntax -- Mailchimp's names, no secret
const hashOf = (email: string) => createHash('md5').update(email.toLowerCase()).digest('hex')
/** Of the first address that a contact had. */
export const contactIdOf = (email: string) => hashOf(`contact ${email}`)
const second = (at: number) => new Date(Math.floor(at / 1_000) * 1_000).toISOString().replace('.000Z', '+00:00')

/** Mailchimp's Marketing API 3.0 as it behaves: parts, seconds, one member per address, what it refuses, ten requests at once. */
export async function startMailchimp() {
  const key = `${'0123456789abcdef'.repeat(2)}-us6`
  const list = { id: 'a1b2c3d4e5', name: 'Friends' }
  const mergeFields = [
    { merge_id: 1, tag: 'FNAME', name: 'First Name', type: 'text', required: true },
    { merge_id: 2, tag: 'LNAME', name: 'Last Name', type: 'text', required: false },
    { merge_id: 3, tag: 'ADDRESS', name: 'Address', type: 'address', required: false },
    { merge_id: 4, tag: 'MEMBERNO', name: 'Member number', type: 'number', required: false },
  ]
  const rows = new Map<string, Row>()
  const forgotten = new Set<string>()
  const clock = { now: Date.parse('2026-11-01T10:00:00Z'), step: 1_000 }
  let atOnce = 0

  const touch = (row: Row) => {
    row.changed = clock.now += clock.step
    return row
  }
  function add(values: Partial<Omit<Row, 'tags' | 'contact'>> & { email: string; tags?: string[] }): Row {
    const row = touch({
      ...{ status: 'subscribed' as const, merge: {}, changed: 0, isOwnWord: false },
      contact: contactIdOf(values.email),
      ...values,
      tags: new Set(values.tags),
    })
    rows.set(hashOf(row.email), row)
    return row
  }
  const shown = (row: Row) => ({
    ...{
      id: hashOf(row.email),
      contact_id: row.contact,
      email_address: row.email,
      unique_email_id: hashOf(row.email).slice(0, 10),
      status: row.status,
      email_type: 'html',
    },
    merge_fields: Object.fromEntries(mergeFields.map(({ tag }) => [tag, row.merge[tag] ?? ''])),
    ...{
      last_changed: second(row.changed),
      tags_count: row.tags.size,
      tags: [...row.tags].map((name, id) => ({ id, name })),
      list_id: list.id,
    },
  })
  const ok = (row: Row): RemoteAnswer => ({ status: 200, body: shown(row) })

  /** A member is named by the hash of the address or by the id of the contact. */
  const hashIn = (id: string) => [...rows.entries()].find(([, { contact }]) => contact === id)?.[0] ?? id

  /** What Mailchimp says before it takes a new address or a status. */
  function refusal(
    email: string,
    status: string | undefined,
    row: Row | undefined,
    merge: z.infer<typeof Merge> = {},
  ): RemoteAnswer | null {
    if (!/^[^\s@]+@[^\s@]+\.[a-z]+$/i.test(email) || email.startsWith('fake'))
      return invalid(`${email} looks fake or invalid, please enter a real email address.`)
    if (!row && forgotten.has(hashOf(email)))
      return problem(
        400,
        'Forgotten Email Not Subscribed',
        `${email} was permanently deleted and cannot be re-imported. The contact must re-subscribe to get back on the list.`,
      )
    if (status === 'subscribed' && row?.isOwnWord && row.status !== 'subscribed')
      return problem(
        400,
        'Member In Compliance State',
        `${email} is in a compliance state due to unsubscribe, bounce, or compliance review and cannot be subscribed.`,
      )
    if (!/^\d*$/.test(String(merge['MEMBERNO'] ?? ''))) return invalid('Your merge fields were invalid.')
    return null
  }

  function find({ query }: RemoteRequest): RemoteAnswer {
    const count = Number(query.get('count') ?? 10)
    const since = query.get('since_last_changed')
    if (count > 1_000 || (since !== null && Number.isNaN(Date.parse(since))))
      return invalid('The resource submitted could not be validated.')
    const found = [...rows.values()]
      .filter(
        (row) => row.status === (query.get('status') ?? row.status) && (row.status !== 'archived' || query.get('status') === 'archived'),
      )
      .filter((row) => since === null || Date.parse(second(row.changed)) > Date.parse(since))
    if (query.get('sort_field') === 'last_changed') found.sort((a, b) => Date.parse(second(a.changed)) - Date.parse(second(b.changed)))
    const offset = Number(query.get('offset') ?? 0)
    return { status: 200, body: { members: found.slice(offset, offset + count).map(shown), list_id: list.id, total_items: found.length } }
  }

  function batch(body: unknown): RemoteAnswer {
    const read = Batch.safeParse(body)
    if (!read.success || read.data.members.length > 500) return invalid('The resource submitted could not be validated.')
    const made: Row[] = []
    const errors: object[] = []
    for (const { email_address: email, status, merge_fields: merge, tags = [] } of read.data.members) {
      const row = rows.get(hashOf(email))
      const refused = refusal(email, status, undefined, merge)
      if (row && row.status !== 'archived')
        errors.push({
          email_address: email,
          error: `${email} is already a list member, do you want to update?`,
          error_code: 'ERROR_CONTACT_EXISTS',
        })
      else if (refused || row)
        errors.push({
          email_address: email,
          error: JSON.stringify(refused?.body ?? ''),
          error_code: row ? 'ERROR_CONTACT_EXISTS' : 'ERROR_GENERIC',
        })
      else made.push(add({ email, status, merge: merge ?? {}, tags }))
    }
    return {
      status: 200,
      body: { new_members: made.map(shown), updated_members: [], errors, total_created: made.length, error_count: errors.length },
    }
  }

  function write(id: string, request: RemoteRequest): RemoteAnswer {
    const read = MemberBody.safeParse(request.body)
    if (!read.success) return invalid('The resource submitted could not be validated.')
    const { email_address: email, status, status_if_new: ifNew, merge_fields: merge = {} } = read.data
    const row = rows.get(id)
    if (!row && request.method === 'PATCH') return notFound()
    if (!row && (!email || hashOf(email) !== id || !(status ?? ifNew))) return invalid('The resource submitted could not be validated.')
    if (request.query.get('skip_merge_validation') !== 'true' && !(merge['FNAME'] ?? row?.merge['FNAME']))
      return invalid('Your merge fields were invalid.')
    const refused = refusal(email ?? row?.email ?? '', status ?? (row ? undefined : ifNew), row, merge)
    if (refused) return refused
    if (!row) return ok(add({ email: email ?? '', status: status ?? ifNew ?? 'pending', merge }))
    if (email && hashOf(email) !== id) {
      if (rows.has(hashOf(email)))
        return problem(400, 'Member Exists', `${email} is already a list member. Use PUT to insert or update list members.`)
      rows.delete(id)
      rows.set(hashOf(email), row)
      row.email = email
    }
    row.status = status ?? row.status
    row.merge = { ...row.merge, ...merge }
    return ok(touch(row))
  }

  function setTags(row: Row, body: unknown): RemoteAnswer {
    const read = Tags.safeParse(body)
    if (!read.success) return invalid('The resource submitted could not be validated.')
    // Tags are no change of the member there.
    for (const { name, status } of read.data.tags) row.tags[status === 'active' ? 'add' : 'delete'](name)
    return { status: 204 }
  }

  function member(id: string, rest: string, request: RemoteRequest): RemoteAnswer {
    const { method } = request
    const row = rows.get(id)
    if (rest === '' && (method === 'PUT' || method === 'PATCH')) return write(id, request)
    if (!row) return notFound()
    if (rest === '' && method === 'GET') return ok(row)
    if (rest === '/tags' && method === 'POST') return setTags(row, request.body)
    if (rest === '/actions/delete-permanent' && method === 'POST') {
      rows.delete(id)
      forgotten.add(id)
      return { status: 204 }
    }
    if (rest === '' && method === 'DELETE') {
      if (row.status === 'archived')
        return problem(405, 'Method Not Allowed', 'This list member cannot be removed. Please contact support.')
      row.status = 'archived'
      touch(row)
      return { status: 204 }
    }
    return notFound()
  }

  function answer(request: RemoteRequest): RemoteAnswer {
    const { method, path, authorization } = request
    const [user, given] = Buffer.from(authorization.replace(/^Basic /, ''), 'base64')
      .toString('utf8')
      .split(':')
    if (!user || given !== key)
      return problem(401, 'API Key Invalid', "Your API key may be invalid, or you've attempted to access the wrong datacenter.")
    const info = { ...list, stats: { member_count: [...rows.values()].filter(({ status }) => status === 'subscribed').length } }
    if (path === '/3.0/lists' && method === 'GET') return { status: 200, body: { lists: [info], total_items: 1 } }
    if (!path.startsWith(`/3.0/lists/${list.id}`)) return notFound()
    const rest = path.slice(`/3.0/lists/${list.id}`.length)
    if (rest === '' && method === 'GET') return { status: 200, body: info }
    if (rest === '' && method === 'POST') return batch(request.body)
    if (rest === '/merge-fields' && method === 'GET')
      return { status: 200, body: { merge_fields: mergeFields, total_items: mergeFields.length } }
    if (rest === '/members' && method === 'GET') return find(request)
    const one = /^\/members\/([0-9a-f]{32})(.*)$/.exec(rest)
    return one ? member(hashIn(one[1] ?? ''), one[2] ?? '', request) : notFound()
  }

  const remote = await startRemote(async (request) => {
    atOnce += 1
    try {
      await new Promise((resolve) => setImmediate(resolve))
      return atOnce > 10
        ? problem(429, 'Too Many Requests', 'You have exceeded the limit of 10 simultaneous connections.')
        : answer(request)
    } finally {
      atOnce -= 1
    }
  })
  return {
    ...remote,
    ...{ rows, forgotten, clock, key, list, add },
    settings: { address: `${remote.url}/3.0`, list: list.id, topic: '' },
    seen: (email: string) => {
      const row = rows.get(hashOf(email))
      return row && { status: row.status, merge: row.merge, tags: [...row.tags].sort() }
    },
    /** What the person does in their profile there. */
    changeAddress: (email: string, becomes: string) => {
      const row = rows.get(hashOf(email))
      if (!row) return
      rows.delete(hashOf(email))
      rows.set(hashOf(becomes), touch(row))
      row.email = becomes
    },
    /** What the link in a mail does. */
    unsubscribe: (email: string) => {
      const row = rows.get(hashOf(email))
      if (row) Object.assign(touch(row), { status: 'unsubscribed', isOwnWord: true })
    },
  }
}
