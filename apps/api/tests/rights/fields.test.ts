import { readFileSync } from 'node:fs'
import { PeopleColumn, peopleFilterFields } from '@guildhall/contract/features/people'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../calls.ts'
import type { Call } from '../calls.ts'
import { setStage } from '../stage.ts'
import type { Caller, Rows, Stage } from '../stage.ts'
import { hiddenFields, personFields, rightOf } from './person-fields.ts'
import type { HiddenField } from './person-fields.ts'

// Where a hidden value does not stand in an answer itself, it may still decide who is in a list, in which order, or how many. So two answers are
// compared: of all that a reader can ask, nothing may differ between a person who has one value and the same person with another.

let stage: Stage
/** A person of East, where the officer of West has no right, with everything there is. */
let twin: Rows
beforeAll(async () => {
  stage = await setStage('fields')
  twin = stage.places.east
})
afterAll(() => stage.end())

test('every column of the tables about people is named, with whom it is for', async () => {
  const { people } = JSON.parse(readFileSync(new URL('../../../../features.json', import.meta.url), 'utf8')) as {
    people: { tables: string[] }
  }
  const { rows } = await stage.world.admin.query<{ column: string }>(
    `select table_name || '.' || column_name as column from information_schema.columns
     where table_schema = 'app' and (table_name = any ($1) or table_name like 'person\\_%') order by 1`,
    [people.tables],
  )
  const named = Object.entries(personFields).flatMap(([table, columns]) => Object.keys(columns).map((column) => `${table}.${column}`))
  expect(named.toSorted()).toEqual(rows.map(({ column }) => column))
})

const call = (method: Call['method'], url: string, body?: unknown): Call => ({
  method,
  url,
  headers: {},
  ...(body === undefined ? {} : { body }),
})
const get = (url: string) => call('GET', url)
const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
const everyColumn = PeopleColumn.options.join(',')

/** The pages of the person alone. */
const pages = () =>
  ['', '/overview', '/history', '/memberships', '/positions', '/neighbours'].map((part) =>
    get(`/data/people/${twin['personId'] ?? ''}${part}`),
  )

/** What anybody can ask about people without knowing anything. */
function blindAsks(): Call[] {
  const { chapterId = '', groupId = '' } = twin
  const sorts = ['name', 'givenName', 'joinedOn', 'createdAt', 'updatedAt'].flatMap((by) => [by, `-${by}`])
  return [
    ...pages(),
    ...sorts.map((sort) => get(`/data/people?${query({ sort, columns: everyColumn, limit: '200' })}`)),
    ...Object.entries(peopleFilterFields).flatMap(([field, { kind }]) =>
      kind === 'flag' ? [filtered({ field, op: 'is', value: true })] : [filtered({ field, op: 'empty' })],
    ),
    get('/data/people/summary'),
    get(`/data/chapters/${chapterId}/members?limit=200`),
    get(`/data/groups/${groupId}/members?limit=200`),
    ...[
      '/data/group-memberships',
      '/data/home',
      '/data/audit?limit=200',
      '/data/tags',
      '/data/views',
      '/data/accounts',
      '/data/me/audiences',
    ].map(get),
  ]
}

const asFilter = (condition: object) => JSON.stringify({ and: [{ or: [condition] }] })
const filtered = (condition: object) => get(`/data/people?${query({ filter: asFilter(condition), columns: everyColumn, limit: '200' })}`)

/** What somebody asks who wants to know whether a person has this value. */
function knowingAsks(value: string): Call[] {
  const { personId = '', chapterId = '', groupId = '' } = twin
  const texts = [...new Set([value, value.slice(0, 8), value.split('@')[0] ?? value])]
  const named = Object.entries(peopleFilterFields)
  const conditions = named.flatMap(([field, { kind }]) => {
    const isId = /^[0-9a-f-]{36}$/.test(value)
    // One operator stands for all of a field: what row-level security hides, none of them reads.
    if (kind === 'text') return [{ field, op: 'contains', value }]
    return kind === 'id' && isId ? (['is', 'isNot'] as const).map((op) => ({ field, op, value })) : []
  })
  const [one] = conditions
  return [
    ...texts.flatMap((q) => [
      get(`/data/people?${query({ q, limit: '200' })}`),
      get(`/data/people?${query({ q, sort: 'match', limit: '8' })}`),
      get(`/data/people?${query({ q, sort: '-createdAt' })}`),
      get(`/data/people/summary?${query({ q })}`),
      get(`/data/chapters/${chapterId}/members?${query({ q })}`),
      get(`/data/groups/${groupId}/members?${query({ q })}`),
    ]),
    ...conditions.map(filtered),
    ...conditions.slice(0, 40).map((condition) => get(`/data/people/summary?${query({ filter: asFilter(condition) })}`)),
    ...(one ? [get(`/data/people/${personId}/neighbours?${query({ filter: asFilter(one) })}`)] : []),
    call('POST', '/data/people/duplicates', {
      familyName: 'Unheard',
      ...(value.includes('@') ? { email: value } : {}),
      phone: '+493055512345',
    }),
    ...conditions.slice(-4).map((condition) =>
      call('POST', '/actions/people/bulk/preview', {
        selection: { all: { filter: { and: [{ or: [condition] }] } }, except: [] },
        change: { do: 'lifecycle', lifecycle: 'alumni' },
      }),
    ),
    ...(/^[0-9a-f-]{36}$/.test(value)
      ? [call('POST', '/actions/people/bulk/preview', { selection: { ids: [personId] }, change: { do: 'tag', tagId: value } })]
      : []),
  ]
}

/** An answer without what is of the moment. */
const plain = (body: string) => body.replace(/"(requestId|asOf)":"[^"]*"/g, '')
async function answers(caller: Caller, asks: readonly Call[]): Promise<string[]> {
  const found: string[] = []
  for (let start = 0; start < asks.length; start += 8) {
    const some = await Promise.all(asks.slice(start, start + 8).map((ask) => send(stage, ask, caller.token)))
    found.push(...some.map(({ status, body }) => `${status} ${plain(body)}`))
  }
  return found
}

const valueOf = (value: string) => (value === 'tag' ? twin['tagId'] : value === 'otherTag' ? twin['otherTagId'] : value) ?? value

/** Gives the twin a value, or with null takes the row away. */
async function give({ table, column }: HiddenField, value: string | null): Promise<void> {
  const { admin } = stage.world
  const { personId } = twin
  if (table === 'person_tags') {
    await admin.query(`delete from app.person_tags where person_id = $1 and tag_id = any ($2)`, [
      personId,
      [twin['tagId'], twin['otherTagId']],
    ])
    if (value)
      await admin.query('insert into app.person_tags (org_id, person_id, tag_id) values ($1, $2, $3)', [twin['orgId'], personId, value])
    return
  }
  // Only what is for officers: the twin's own choice to show an address to members is another matter.
  const shown = table === 'person_emails' || table === 'person_phones' ? `and visible_to = 'officers'` : ''
  if (value === null) await admin.query(`delete from app.${table} where person_id = $1 ${shown}`, [personId])
  else await admin.query(`update app.${table} set ${column} = $2 where person_id = $1 ${shown}`, [personId, value])
}

/** Who is told apart what, where all these fields have one value each, then another, and then are empty. */
async function differences(fields: readonly HiddenField[], callers: readonly Caller[], asks: readonly Call[]): Promise<string[]> {
  const told = new Map<Caller, string[][]>(callers.map((caller) => [caller, []]))
  try {
    for (const which of [0, 1, null] as const) {
      for (const field of fields) await give(field, which === null ? null : valueOf(field.values[which]))
      for (const caller of callers) told.get(caller)?.push(await answers(caller, asks))
    }
  } finally {
    await stage.journal.undo()
  }
  return callers.flatMap((caller) => {
    const [first = [], ...others] = told.get(caller) ?? []
    return asks.flatMap((ask, index) =>
      others.some((answer) => answer[index] !== first[index])
        ? [`${caller.principal} learns ${names(fields)} by ${ask.method} ${decodeURIComponent(ask.url)}`]
        : [],
    )
  })
}

const names = (fields: readonly HiddenField[]) => fields.map(({ table, column }) => `${table}.${column}`).join(' or ')
const allAsks = (fields: readonly HiddenField[]) => [...blindAsks(), ...fields.flatMap(({ values: [one] }) => knowingAsks(valueOf(one)))]
const entitled = ({ to }: HiddenField, { principal }: Caller) => rightOf(to)?.has(principal, 'east') ?? false
const readers = ['member', 'officer', 'safeguarding', 'finance'] as const
const byAudience = [...Map.groupBy(hiddenFields, ({ to }) => to)]

test.each(byAudience)('what is for %s tells nobody else anything, whatever they ask', { timeout: 600_000 }, async (_audience, fields) => {
  const others = readers.map((principal) => stage.callers[principal]).filter((caller) => fields.some((field) => !entitled(field, caller)))
  expect(others).not.toEqual([])
  expect(await differences(fields, others, allAsks(fields))).toEqual([])
})

test.each(hiddenFields.map((field) => [names([field]), field] as const))('who may see %s is told of a change', async (_name, field) => {
  const learned = (asks: Call[]) => differences([field], [stage.callers.owner], asks)
  // The person's own pages tell most of it; a hundred questions more are only put where they do not.
  const found = await learned(pages())
  expect(found.length > 0 ? found : await learned(blindAsks())).not.toEqual([])
})

test('control: a policy that lets members find by what is hidden is noticed, where the value itself never stands in an answer', async () => {
  const { admin } = stage.world
  const field = hiddenFields.find(({ table, column }) => table === 'person_contacts' && column === 'city')
  if (!field) throw new Error('there is no such field')
  await admin.query('create policy planted on app.person_contacts for select to app_access using (org_id = (select app.org_id()))')
  try {
    const found = await differences([field], [stage.callers.member], allAsks([field]))
    expect(found).toContainEqual(expect.stringMatching(/^member learns person_contacts\.city by GET .*"field":"city"/))
  } finally {
    await admin.query('drop policy planted on app.person_contacts')
  }
})
