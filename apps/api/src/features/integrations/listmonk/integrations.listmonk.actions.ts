import type { OutgoingAnswer } from '../../../platform/outgoing/outgoing.ts'
import { askApi } from '../connectors/integrations.connector.actions.ts'
import type { Call } from '../connectors/integrations.connector.actions.ts'
import { connectorError, jsonOf, textSetting } from '../connectors/integrations.connector.rules.ts'
import type { Push, Pushed, Reach, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { pushEach, refused } from '../connectors/integrations.pushes.rules.ts'
import type { RowFault } from '../connectors/integrations.pushes.rules.ts'
import {
  consentOn,
  fieldsOf,
  quoted,
  readCursor,
  readList,
  readLists,
  readSubscriber,
  readSubscribers,
  remoteOf,
  subscriberBody,
  valuesOf,
} from './integrations.listmonk.rules.ts'
import type { ListmonkList, Subscriber } from './integrations.listmonk.rules.ts'

function call(reach: Reach, path: string, how: Call = {}): Promise<OutgoingAnswer> {
  const base = textSetting(reach, 'address')
    .replace(/\/{1,9}$/, '')
    .replace(/\/api$/, '')
  const user = textSetting(reach, 'user')
  return askApi(reach, { base: `${base}/api`, user, secret: reach.secrets['token'] ?? '', timeoutMs: 30_000 }, path, how)
}

const noList = () => connectorError('not_found', { message: 'There is no such list, or the API user may not see it.' })

/** The list by its number, its UUID or its name. */
async function listOf(reach: Reach): Promise<ListmonkList> {
  const named = textSetting(reach, 'list')
  if (/^\d{1,9}$/.test(named)) {
    // listmonk answers 400 for a list that it has not got.
    const answer = await call(reach, `/lists/${named}`, { accepts: [400, 404] })
    if (answer.status >= 400) throw noList()
    return readList(jsonOf(answer))
  }
  const lists = readLists(jsonOf(await call(reach, '/lists', { query: { minimal: 'true', per_page: 'all' } })))
  const same = lists.filter(({ uuid, name }) => [uuid, name].some((text) => text.toLowerCase() === named.toLowerCase()))
  if (same.length > 1) throw connectorError('not_found', { message: 'Several lists have this name; give the number of the list.' })
  return same[0] ?? raise(noList())
}
const raise = (error: Error): never => {
  throw error
}

/** Subscribers by an expression, in order of their numbers. */
async function find(reach: Reach, expression: string, query: Record<string, string> = {}) {
  const paged = { ...query, query: expression, order_by: 'id', order: 'ASC', page: '1', per_page: '50' }
  const answer = await call(reach, '/subscribers', { query: paged, accepts: [403] })
  if (answer.status === 403)
    throw connectorError('unauthorized', { message: 'The API user needs the permissions subscribers:get_all and subscribers:sql_query.' })
  return readSubscribers(jsonOf(answer))
}

/** As it stands; null where it was deleted. */
async function subscriberById(reach: Reach, id: string): Promise<Subscriber | null> {
  const answer = await call(reach, `/subscribers/${encodeURIComponent(id)}`, { accepts: [400, 404] })
  return answer.status >= 400 ? null : readSubscriber(jsonOf(answer))
}
async function subscriberByEmail(reach: Reach, email: string): Promise<Subscriber | null> {
  const { results } = await find(reach, `LOWER(subscribers.email) = ${quoted(email.toLowerCase())}`)
  return results[0] ?? null
}

const setOnList = (reach: Reach, listId: number, subscriberId: number, action: 'add' | 'unsubscribe' | 'remove') =>
  call(reach, '/subscribers/lists', {
    method: 'PUT',
    body: { ids: [subscriberId], action, target_list_ids: [listId], ...(action === 'add' && { status: 'confirmed' }) },
  })

const addressTaken = (row: Push) => refused(row, { code: 'address_taken', message: 'Another subscriber has this e-mail address.' })
const goneThere = (row: Push) => refused(row, { code: 'gone_there', message: 'The subscriber was deleted there.' })
const notTaken = (row: Push) =>
  refused(row, { code: 'refused_there', message: 'listmonk does not accept these values, such as the e-mail address.' })
const held = ({ ourId }: Push, now: Subscriber, listId: number): Pushed => ({
  ourId,
  externalId: String(now.id),
  version: now.updated_at,
  values: valuesOf(now, listId),
})

/** Changes fields and nothing else: no list, and no mail that asks for a confirmation. */
async function change(reach: Reach, row: Push, id: string, body: ReturnType<typeof subscriberBody>): Promise<Subscriber | RowFault> {
  const path = `/subscribers/${encodeURIComponent(id)}`
  const accepts = [400, 404, 405, 409, 500]
  let answer = await call(reach, path, { method: 'PATCH', body: { ...body, preconfirm_subscriptions: true }, accepts })
  if (answer.status === 405) {
    // Versions without PATCH replace all that a subscriber has, the lists included.
    const now = await subscriberById(reach, id)
    if (!now) return goneThere(row)
    const whole = { email: now.email, name: now.name, ...body, status: now.status, attribs: { ...now.attribs, ...body.attribs } }
    answer = await call(reach, path, { method: 'PUT', body: { ...whole, lists: (now.lists ?? []).map((list) => list.id) }, accepts })
  }
  if (answer.status < 400) return readSubscriber(jsonOf(answer))
  // Of an address that somebody else has, listmonk says what its database said.
  if (answer.status === 409 || (answer.status === 500 && /duplicate key/.test(answer.body.toString('utf8')))) return addressTaken(row)
  if (answer.status === 500) throw connectorError('unreachable')
  return (await subscriberById(reach, id)) ? notTaken(row) : goneThere(row)
}

/** Subscribes nobody who ended it, unless it was ended from here (`again`); and nobody who is blocklisted. Whether anything changed. */
async function settleConsent(reach: Reach, row: Push, now: Subscriber, on: { listId: number; again: boolean }): Promise<boolean> {
  const wanted = row.values['subscribed']
  const says = consentOn(now, on.listId)
  if (wanted === 'yes' && now.status === 'enabled' && (says === null || (says === 'no' && on.again))) {
    await setOnList(reach, on.listId, now.id, 'add')
    return true
  }
  if (wanted === 'no' && (says === 'yes' || says === 'pending')) {
    await setOnList(reach, on.listId, now.id, 'unsubscribe')
    return true
  }
  return false
}

async function create(reach: Reach, row: Push, listId: number): Promise<Pushed> {
  const { email } = row.values
  if (!email) return refused(row, { code: 'no_email', message: 'A subscriber needs an e-mail address.' })
  const lists = row.values['subscribed'] === 'yes' ? [listId] : []
  const body = { ...subscriberBody(row.values), status: 'enabled', lists, preconfirm_subscriptions: true }
  const answer = await call(reach, '/subscribers', { method: 'POST', body, accepts: [400, 409] })
  if (answer.status < 400) return held(row, readSubscriber(jsonOf(answer)), listId)
  if (answer.status === 400) return notTaken(row)
  // The address is there already: an attempt whose answer was lost, or somebody who subscribed there.
  const known = await subscriberByEmail(reach, email)
  return known ? update(reach, row, String(known.id), { listId, again: false }) : addressTaken(row)
}

async function update(reach: Reach, row: Push, id: string, on: { listId: number; again: boolean }): Promise<Pushed> {
  const body = subscriberBody(row.values)
  const now = Object.keys(body).length > 0 ? await change(reach, row, id, body) : await subscriberById(reach, id)
  if (!now) return goneThere(row)
  if ('error' in now) return now
  if (!(await settleConsent(reach, row, now, on))) return held(row, now, on.listId)
  const then = await subscriberById(reach, id)
  return then ? held(row, then, on.listId) : goneThere(row)
}

async function stop(reach: Reach, row: Push, id: string, listId: number): Promise<Pushed> {
  const now = await subscriberById(reach, id)
  if (now && row.stop === 'erase') await call(reach, `/subscribers/${now.id}`, { method: 'DELETE', accepts: [400, 404] })
  else if (now?.lists?.some((list) => list.id === listId)) await setOnList(reach, listId, now.id, 'remove')
  return { ourId: row.ourId, externalId: id, version: null }
}

async function pushRow(reach: Reach, row: Push, listId: number): Promise<Pushed> {
  const { externalId } = row
  if (row.stop) return externalId === null ? goneThere(row) : stop(reach, row, externalId, listId)
  return externalId === null ? create(reach, row, listId) : update(reach, row, externalId, { listId, again: true })
}

/** It gives 50 at a time; several of these are one part. */
const partSize = 200

/** listmonk: subscribers of one list, with their attributes. */
export const listmonk: SyncConnector = {
  consent: 'subscribed',
  async test(reach) {
    const list = await listOf(reach)
    const { total } = await find(reach, 'subscribers.id > 0', { list_id: String(list.id) })
    return [
      { name: 'list', value: list.name },
      { name: 'opt-in', value: list.optin },
      { name: 'subscribers', value: String(total) },
    ]
  },
  async theirs(reach) {
    const list = await listOf(reach)
    const { results } = await find(reach, 'subscribers.id > 0', { list_id: String(list.id) })
    return fieldsOf(results, list.id)
  },
  // Page by page by number and not by position: subscribers that leave the list during a pass move nobody out of it.
  async pull(reach, cursor) {
    const { listId, after } = cursor === null ? { listId: (await listOf(reach)).id, after: 0 } : readCursor(cursor)
    const read: Subscriber[] = []
    let last = after
    let left: number
    let total: number | null = null
    do {
      const page = await find(reach, `subscribers.id > ${last}`, { list_id: String(listId) })
      for (const subscriber of page.results) {
        if (subscriber.id <= last) throw connectorError('bad_answer', { message: 'listmonk does not keep the order that was asked for.' })
        last = subscriber.id
        read.push(subscriber)
      }
      total ??= page.total
      left = page.results.length === 0 ? 0 : page.total - page.results.length
    } while (left > 0 && read.length < partSize)
    return {
      rows: read.filter(({ lists }) => lists?.some(({ id }) => id === listId)).map((subscriber) => remoteOf(subscriber, listId)),
      bad: [],
      cursor: left > 0 ? `${listId}:${last}` : null,
      total: cursor === null ? total : null,
    }
  },
  async push(reach, rows) {
    const { id } = await listOf(reach)
    return pushEach(rows, 4, (row) => pushRow(reach, row, id))
  },
}
