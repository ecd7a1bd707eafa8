import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { startRemote } from '../connectors/integrations.remote.testing.ts'
import type { RemoteAnswer, RemoteRequest } from '../connectors/integrations.remote.testing.ts'

type Status = 'confirmed' | 'unconfirmed' | 'unsubscribed'
type Row = {
  id: number
  email: string
  name: string
  status: string
  attribs: Record<string, unknown>
  updated: number
  lists: Map<number, Status>
}

const Fields = z.strictObject({
  email: z.string().optional(),
  name: z.string().optional(),
  status: z.enum(['enabled', 'disabled', 'blocklisted']).optional(),
  lists: z.array(z.int()).optional(),
  attribs: z.record(z.string(), z.unknown()).optional(),
  preconfirm_subscriptions: z.boolean().optional(),
})
const ListAction = z.strictObject({
  ids: z.array(z.int()),
  action: z.enum(['add', 'remove', 'unsubscribe']),
  target_list_ids: z.array(z.int()),
  status: z.enum(['confirmed', 'unconfirmed', 'unsubscribed']).optional(),
})

const said = (status: number, message: string): RemoteAnswer => ({ status, body: { message } })
const data = (value: unknown): RemoteAnswer => ({ status: 200, body: { data: value } })
const isEmail = (text: string) => text.split('@').length === 2 && !/[\s,;]|^@|@$/.test(text)

/** listmonk as its API behaves: rights, pages of 50, validation, one subscriber per address, opt-in mails. */
export async function startListmonk() {
  const lists = [
    { id: 3, uuid: randomUUID(), name: 'Newsletter', type: 'public', optin: 'single' },
    { id: 4, uuid: randomUUID(), name: 'Board', type: 'private', optin: 'double' },
  ]
  const rows = new Map<number, Row>()
  const rights = { query: true, manage: true, patch: true }
  const optins: number[] = []
  let ids = 0
  let clock = Date.parse('2026-11-01T10:00:00Z')

  const taken = (email: string, except?: number) =>
    [...rows.values()].some((row) => row.email.toLowerCase() === email.toLowerCase() && row.id !== except)
  const shown = (row: Row) => ({
    ...{
      id: row.id,
      uuid: `00000000-0000-4000-8000-${String(row.id).padStart(12, '0')}`,
      email: row.email,
      name: row.name,
      status: row.status,
    },
    ...{ attribs: row.attribs, created_at: '2026-11-01T10:00:00Z', updated_at: new Date(row.updated).toISOString() },
    lists: lists.flatMap((list) => (row.lists.has(list.id) ? [{ ...list, subscription_status: row.lists.get(list.id) }] : [])),
  })
  const askOptin = (row: Row, preconfirm: boolean | undefined) => {
    if (
      !preconfirm &&
      [...row.lists].some(([id, status]) => status === 'unconfirmed' && lists.find((list) => list.id === id)?.optin === 'double')
    )
      optins.push(row.id)
  }
  const missing = (id: number) => said(400, `Subscriber (${id}: ) not found`)

  function add(values: Partial<Omit<Row, 'lists' | 'id'>> & { email: string; lists?: Record<number, Status> }): Row {
    const { lists: on = { 3: 'confirmed' }, ...rest } = values
    const row: Row = {
      ...{ id: ++ids, name: '', status: 'enabled', attribs: {}, updated: (clock += 1_000) },
      ...rest,
      lists: new Map(Object.entries(on).map(([id, status]) => [Number(id), status])),
    }
    rows.set(row.id, row)
    return row
  }

  function search({ query }: RemoteRequest): RemoteAnswer {
    if (!rights.query) return said(403, 'Permission denied: subscribers:sql_query')
    const expression = query.get('query') ?? ''
    const after = /^subscribers\.id > (\d+)$/.exec(expression)
    const same = /^LOWER\(subscribers\.email\) = '((?:[^']|'')*)'$/.exec(expression)
    if (!after && !same) return said(400, 'Error preparing subscriber query: syntax error')
    const listIds = query.getAll('list_id').map(Number)
    const found = [...rows.values()]
      .filter((row) => (after ? row.id > Number(after[1]) : row.email.toLowerCase() === same?.[1]?.replaceAll("''", "'")))
      .filter((row) => listIds.length === 0 || listIds.some((id) => row.lists.has(id)))
      .sort((a, b) => (query.get('order') === 'ASC' ? a.id - b.id : b.id - a.id))
    const page = Number(query.get('page') ?? 1)
    const size = Math.min(50, Number(query.get('per_page') ?? 20))
    return data({
      results: found.slice((page - 1) * size, page * size).map(shown),
      query: expression,
      total: found.length,
      per_page: size,
      page,
    })
  }

  function create(body: unknown): RemoteAnswer {
    const read = Fields.safeParse(body)
    if (!read.success || !isEmail(read.data.email ?? '')) return said(400, 'Invalid email.')
    const { email = '', name, status = 'enabled', lists: on = [], attribs = {}, preconfirm_subscriptions: preconfirm } = read.data
    if (taken(email)) return said(409, 'E-mail already exists.')
    const state: Status = status === 'blocklisted' ? 'unsubscribed' : preconfirm ? 'confirmed' : 'unconfirmed'
    const row = add({
      ...{ email: email.toLowerCase(), name: name ?? email.split('@')[0] ?? '', status, attribs },
      lists: Object.fromEntries(on.filter((id) => lists.some((list) => list.id === id)).map((id) => [id, state])),
    })
    askOptin(row, preconfirm)
    return data(shown(row))
  }

  function change(row: Row, body: unknown, isPatch: boolean): RemoteAnswer {
    const read = Fields.safeParse(body)
    if (!read.success) return said(400, 'Invalid fields')
    const { email = isPatch ? row.email : '', name = '', status, lists: on, attribs, preconfirm_subscriptions: preconfirm } = read.data
    if (!isEmail(email)) return said(400, 'Invalid email.')
    if (taken(email, row.id))
      return said(500, 'Error updating subscriber: duplicate key value violates unique constraint "subscribers_email_key"')
    row.email = email
    row.name = name.trim() || row.name
    row.status = status ?? row.status
    row.attribs = isPatch ? { ...row.attribs, ...attribs } : (attribs ?? {})
    row.updated = clock += 1_000
    if (!isPatch || on) {
      const kept = new Map(row.lists)
      row.lists = new Map((on ?? []).map((id) => [id, kept.get(id) ?? (preconfirm ? 'confirmed' : 'unconfirmed')]))
    }
    askOptin(row, preconfirm)
    return data(shown(row))
  }

  function setLists(body: unknown): RemoteAnswer {
    const read = ListAction.safeParse(body)
    if (!read.success) return said(400, 'Invalid action.')
    for (const id of read.data.ids) {
      for (const listId of read.data.target_list_ids) {
        const on = rows.get(id)?.lists
        if (read.data.action === 'remove') on?.delete(listId)
        else if (read.data.action === 'add') on?.set(listId, read.data.status ?? 'unconfirmed')
        else if (on?.has(listId)) on.set(listId, 'unsubscribed')
      }
    }
    return data(true)
  }

  function subscriber(id: number, { method, body }: RemoteRequest): RemoteAnswer {
    const row = rows.get(id)
    if (method === 'DELETE') return data(rows.delete(id) || true)
    if (method === 'PATCH' && !rights.patch) return said(405, 'Method Not Allowed')
    if (!row) return missing(id)
    if (method === 'GET') return data(shown(row))
    return change(row, body, method === 'PATCH')
  }

  const credentials = { user: 'guildhall', token: 'tok-1' }
  const remote = await startRemote((request) => {
    const { method, path, body, authorization, contentType } = request
    const expected = `Basic ${Buffer.from(`${credentials.user}:${credentials.token}`).toString('base64')}`
    if (authorization !== expected) return said(403, 'invalid API credentials')
    if (body !== undefined && contentType !== 'application/json') return said(415, 'Unsupported Media Type')
    if (method !== 'GET' && !rights.manage) return said(403, 'Permission denied: subscribers:manage')
    if (method === 'GET' && path === '/api/lists') return data({ results: lists, total: lists.length, page: 1, per_page: lists.length })
    const list = /^\/api\/lists\/(\d+)$/.exec(path)
    if (method === 'GET' && list) {
      const found = lists.find(({ id }) => id === Number(list[1]))
      return found
        ? data({ ...found, subscriber_count: [...rows.values()].filter((row) => row.lists.has(found.id)).length })
        : said(400, 'List not found')
    }
    if (path === '/api/subscribers' && method === 'GET') return search(request)
    if (path === '/api/subscribers' && method === 'POST') return create(body)
    if (path === '/api/subscribers/lists' && method === 'PUT') return setLists(body)
    const one = /^\/api\/subscribers\/(\d+)$/.exec(path)
    return one ? subscriber(Number(one[1]), request) : said(404, 'Not Found')
  })

  return {
    ...remote,
    ...{ rows, lists, rights, optins, credentials, add },
    settings: { address: remote.url, user: credentials.user, list: '3', topic: '' },
    /** The subscriber with this address, as the list has it. */
    seen: (email: string) => {
      const found = [...rows.values()].filter((row) => row.email === email)
      return found.map(({ id, name, status, attribs, lists: on }) => ({ id, name, status, attribs, list: on.get(3) ?? null }))
    },
    /** What the link in a mail does. */
    unsubscribe: (email: string, blocklist = false) => {
      for (const row of rows.values()) {
        if (row.email !== email) continue
        if (blocklist) row.status = 'blocklisted'
        for (const id of row.lists.keys()) row.lists.set(id, 'unsubscribed')
      }
    },
  }
}
