import type { OutgoingAnswer } from '../../../platform/outgoing/outgoing.ts'
import { askApi } from '../connectors/integrations.connector.actions.ts'
import type { Call } from '../connectors/integrations.connector.actions.ts'
import { connectorError, jsonOf, textSetting } from '../connectors/integrations.connector.rules.ts'
import type { Push, Pushed, Reach, SyncConnector } from '../connectors/integrations.connector.rules.ts'
import { pushEach, refused, wordsOf } from '../connectors/integrations.pushes.rules.ts'
import type { RowFault } from '../connectors/integrations.pushes.rules.ts'
import { endPart, partSize, readPass, startPass, writePass } from './integrations.mailchimp.passes.rules.ts'
import {
  apiAddress,
  contactOf,
  fieldsOf,
  memberId,
  mergeFieldsOf,
  readAudience,
  readAudiences,
  readBatch,
  readMember,
  readMembers,
  readMergeFields,
  readProblem,
  remoteOf,
  rowFault,
  tagChanges,
  valuesOf,
} from './integrations.mailchimp.rules.ts'
import type { Audience, Member } from './integrations.mailchimp.rules.ts'

function call(reach: Reach, path: string, how: Call = {}): Promise<OutgoingAnswer> {
  const secret = reach.secrets['key'] ?? ''
  const base = apiAddress(secret, textSetting(reach, 'address'))
  const accept = 'application/json, application/problem+json'
  return askApi(reach, { base, user: 'guildhall', secret, accept, timeoutMs: 60_000 }, path, how)
}

/** The audience by its id or its name. */
async function audienceOf(reach: Reach): Promise<Audience> {
  const named = textSetting(reach, 'list')
  const noAudience = connectorError('not_found', { message: 'There is no such audience in this account of Mailchimp.' })
  if (/^[0-9a-f]{10}$/i.test(named)) {
    const answer = await call(reach, `/lists/${named.toLowerCase()}`, { query: { fields: 'id,name,stats.member_count' }, accepts: [404] })
    if (answer.status === 404) throw noAudience
    return readAudience(jsonOf(answer))
  }
  const query = { fields: 'lists.id,lists.name,lists.stats.member_count', count: '1000' }
  const same = readAudiences(jsonOf(await call(reach, '/lists', { query }))).filter(
    ({ name }) => name.toLowerCase() === named.toLowerCase(),
  )
  const [audience, another] = same
  if (another) throw connectorError('not_found', { message: 'Several audiences have this name; give the id of the audience.' })
  if (!audience) throw noAudience
  return audience
}

const memberFields = ['id', 'contact_id', 'email_address', 'status', 'last_changed', 'merge_fields', 'tags']
const membersQuery = { fields: [...memberFields.map((field) => `members.${field}`), 'total_items'].join(',') }

const path = (listId: string, id: string) => `/lists/${listId}/members/${id}`
async function memberOf(reach: Reach, listId: string, id: string): Promise<Member | null> {
  const answer = await call(reach, path(listId, id), { query: { fields: memberFields.join(',') }, accepts: [404] })
  return answer.status === 404 ? null : readMember(jsonOf(answer))
}

const goneThere = (row: Push) => refused(row, { code: 'gone_there', message: 'The member was deleted there.' })
const held = ({ ourId }: Push, member: Member): Pushed => ({
  ourId,
  externalId: contactOf(member),
  version: member.last_changed,
  values: valuesOf(member),
})

/** Writes the fields of a member; a fault of the row where Mailchimp does not take them, null where there is no such member. */
async function write(
  reach: Reach,
  row: Push,
  to: { listId: string; id: string; method: 'PUT' | 'PATCH' },
  body: object,
): Promise<Member | RowFault | null> {
  // What is required in forms there is none of ours to ask for.
  const query = { skip_merge_validation: 'true' }
  const answer = await call(reach, path(to.listId, to.id), { method: to.method, body, query, accepts: [400, 404] })
  if (answer.status === 404) return null
  return answer.status === 400 ? refused(row, rowFault(readProblem(jsonOf(answer)))) : readMember(jsonOf(answer))
}

async function writeTags(reach: Reach, row: Push, member: Member, on: { listId: string; keep: boolean }): Promise<Member> {
  const wanted = row.values['tags']
  if (wanted === undefined) return member
  const tags = tagChanges(member, wanted, on.keep)
  if (tags.length === 0) return member
  await call(reach, `${path(on.listId, member.id)}/tags`, { method: 'POST', body: { tags } })
  const gone = new Set(tags.flatMap(({ name, status }) => (status === 'inactive' ? [name] : [])))
  const added = tags.flatMap(({ name, status }) => (status === 'active' ? [{ name }] : []))
  return { ...member, tags: [...(member.tags ?? []).filter(({ name }) => !gone.has(name)), ...added] }
}

/**
 * The status that a push leads to; nothing where it stays. `again`: the member is one of ours already, so that what was ended from here may start again; nobody
 * else is subscribed who ended it there, or was put away there.
 */
function statusFor(row: Push, { status }: Member, again: boolean): { status?: 'subscribed' | 'unsubscribed' } {
  const wanted = row.values['subscribed']
  if (wanted === 'yes' && (status === 'transactional' || (again && (status === 'unsubscribed' || status === 'archived'))))
    return { status: 'subscribed' }
  if (wanted === 'no' && (status === 'subscribed' || status === 'pending')) return { status: 'unsubscribed' }
  return {}
}

/** A member who is there: found by the address, or by the id that we know. */
async function update(reach: Reach, row: Push, now: Member, on: { listId: string; again: boolean }): Promise<Pushed> {
  const email = row.values['email']
  const merge = mergeFieldsOf(row.values)
  const body = {
    ...(email && memberId(email) !== now.id && { email_address: email }),
    ...(merge && { merge_fields: merge }),
    ...statusFor(row, now, on.again),
  }
  const then = Object.keys(body).length > 0 ? await write(reach, row, { ...on, id: now.id, method: 'PATCH' }, body) : now
  if (!then) return goneThere(row)
  if ('error' in then) return then
  return held(row, await writeTags(reach, row, then, { listId: on.listId, keep: !on.again }))
}

/** One that the batch did not make: mostly because it is there. */
async function createOne(reach: Reach, row: Push, listId: string): Promise<Pushed> {
  const email = row.values['email'] ?? ''
  const known = await memberOf(reach, listId, memberId(email))
  if (known?.status === 'archived')
    return refused(row, { code: 'archived_there', message: 'This address is archived at Mailchimp: bring it back there first.' })
  if (known) return update(reach, row, known, { listId, again: false })
  const body = { email_address: email, status_if_new: statusOfNew(row), merge_fields: mergeFieldsOf(row.values) ?? {} }
  const made = await write(reach, row, { listId, id: memberId(email), method: 'PUT' }, body)
  if (!made) throw connectorError('not_found')
  return 'error' in made ? made : held(row, await writeTags(reach, row, made, { listId, keep: true }))
}
/** Who has not agreed is never subscribed, only known there. */
const statusOfNew = (row: Push) => (row.values['subscribed'] === 'yes' ? 'subscribed' : 'transactional')

/**
 * New members in one request. Those that are there already come back as errors and are left as they are, with what they chose there; nothing is lost or
 * doubled when the same rows are sent again.
 */
async function createMany(reach: Reach, rows: readonly Push[], listId: string): Promise<{ done: Pushed[]; left: Push[] }> {
  const members = rows.map((row) => ({
    email_address: row.values['email'],
    status: statusOfNew(row),
    merge_fields: mergeFieldsOf(row.values) ?? {},
    ...(row.values['tags'] && { tags: wordsOf(row.values['tags']) }),
  }))
  const query = { skip_merge_validation: 'true' }
  const answer = await call(reach, `/lists/${listId}`, { method: 'POST', body: { members, update_existing: false }, query, accepts: [400] })
  if (answer.status === 400) return { done: [], left: [...rows] }
  const { new_members: made, errors } = readBatch(jsonOf(answer))
  // Without the id that stays, it is asked for.
  const byId = new Map(made.flatMap((member) => (member.contact_id ? [[memberId(member.email_address), member] as const] : [])))
  const faults = new Map(
    errors.filter(({ error_code: code }) => code !== 'ERROR_CONTACT_EXISTS').map((one) => [memberId(one.email_address), one.error]),
  )
  const done: Pushed[] = []
  const left: Push[] = []
  for (const row of rows) {
    const id = memberId(row.values['email'] ?? '')
    const member = byId.get(id)
    const fault = faults.get(id)
    if (member) done.push(held(row, member))
    else if (fault !== undefined) done.push(refused(row, rowFault({ title: '', detail: fault })))
    else left.push(row)
  }
  return { done, left }
}

async function updateOne(reach: Reach, row: Push, id: string, listId: string): Promise<Pushed> {
  const now = await memberOf(reach, listId, id)
  return now ? update(reach, row, now, { listId, again: true }) : goneThere(row)
}

async function stop(reach: Reach, row: Push, id: string, listId: string): Promise<Pushed> {
  const now = await memberOf(reach, listId, id)
  if (now && row.stop === 'erase') await call(reach, `${path(listId, now.id)}/actions/delete-permanent`, { method: 'POST', accepts: [404] })
  // Archived: gets nothing, and does not count.
  else if (now && now.status !== 'archived') await call(reach, path(listId, now.id), { method: 'DELETE', accepts: [404, 405] })
  return { ourId: row.ourId, externalId: id, version: null }
}

async function push(reach: Reach, rows: readonly Push[]): Promise<Pushed[]> {
  const { id: listId } = await audienceOf(reach)
  const creates = new Map<string, Push>()
  const others: Push[] = []
  const done: Pushed[] = []
  for (const row of rows) {
    const email = row.values['email']
    if (row.externalId !== null) others.push(row)
    else if (row.stop) done.push(goneThere(row))
    else if (!email) done.push(refused(row, { code: 'no_email', message: 'A member needs an e-mail address.' }))
    else if (creates.has(memberId(email)))
      done.push(refused(row, { code: 'address_taken', message: 'Somebody else of ours has this e-mail address.' }))
    else creates.set(memberId(email), row)
  }
  const made = creates.size > 0 ? await createMany(reach, [...creates.values()], listId) : { done: [], left: [] }
  done.push(...made.done)
  const rest = await pushEach([...made.left, ...others], 4, (row) => {
    if (row.externalId === null) return createOne(reach, row, listId)
    return row.stop ? stop(reach, row, row.externalId, listId) : updateOne(reach, row, row.externalId, listId)
  }).catch((error: unknown) => {
    if (done.length === 0) throw error
    return []
  })
  return [...done, ...rest]
}

/** Mailchimp: members of one audience, with merge fields and tags. */
export const mailchimp: SyncConnector = {
  consent: 'subscribed',
  async test(reach) {
    const audience = await audienceOf(reach)
    return [
      { name: 'list', value: audience.name },
      { name: 'subscribers', value: String(audience.stats?.member_count ?? 0) },
    ]
  },
  async theirs(reach) {
    const { id } = await audienceOf(reach)
    const query = { fields: 'merge_fields.tag,merge_fields.name,merge_fields.type', count: '1000' }
    const merge = readMergeFields(jsonOf(await call(reach, `/lists/${id}/merge-fields`, { query })))
    const sample = readMembers(jsonOf(await call(reach, `/lists/${id}/members`, { query: { ...membersQuery, count: '20' } })))
    return fieldsOf(merge, sample.members)
  },
  async pull(reach, cursor, mark) {
    const { listId, pass } =
      cursor === null
        ? { listId: (await audienceOf(reach)).id, pass: startPass(mark, { today: reach.today, now: Date.now() }) }
        : readPass(cursor)
    const paged = { count: String(partSize), offset: String(pass.skip), sort_field: 'last_changed', sort_dir: 'ASC' }
    const query = { ...membersQuery, ...paged, ...(pass.since !== null && { since_last_changed: pass.since }) }
    const { members, total_items: total } = readMembers(jsonOf(await call(reach, `/lists/${listId}/members`, { query })))
    const { rows, next, isWhole, mark: then } = endPart(pass, members, total, reach.today)
    const first = cursor === null ? total : null
    return { rows: rows.map(remoteOf), bad: [], cursor: next && writePass(listId, next), total: first, isWhole, mark: then }
  },
  push,
}
