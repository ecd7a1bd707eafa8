import type { BulkResult } from '@guildhall/contract/bulk'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

type Field = { id: string; key: string; choices: { id: string }[] }
type Row = { id: string; version: number; fields: Record<string, unknown> }

const made = async (client: Client, path: string, body: object) => {
  const answer = await client.post(path, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.body
}
const field = async (client: Client, body: object) =>
  (await made(client, '/data/fields', { recordType: 'people', audience: 'everyone', ...body })) as Field
const bulk = async (client: Client, ids: string[], change: object, list = 'people') => {
  const { status, body, text } = await client.post(`/actions/${list}/bulk`, { selection: { ids }, change })
  return { status, text, body: body as BulkResult & { reason?: string; errors?: { path: string }[] } }
}
const undo = async (client: Client, { job }: BulkResult) => (await client.post(`/actions/bulk/${job.id}/undo`)).body as BulkResult

test('a field of many people is set, cleared, and given or rid of choices, and undone exactly', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const points = await field(owner, { key: 'points', label: 'Points', type: 'number' })
  const langs = await field(owner, {
    key: 'langs',
    label: 'Languages',
    type: 'choices',
    choices: [{ label: 'A' }, { label: 'B' }, { label: 'C' }],
  })
  const [a = '', b = '', c = ''] = langs.choices.map(({ id }) => id)
  const ann = (await made(owner, '/data/people', { familyName: 'Ann', fields: { points: 1, langs: [a, b] } })) as Row
  const bob = (await made(owner, '/data/people', { familyName: 'Bob' })) as Row
  const ids = [ann.id, bob.id]
  const state = () => Promise.all(ids.map(async (id) => ((await owner.get(`/data/people/${id}`)).body as Row).fields))
  const before = await state()
  const both = { changed: 2, unchanged: 0, refused: 0 }
  const one = { changed: 1, unchanged: 1, refused: 0 }
  const cases: [object, object, object[]][] = [
    [{ do: 'setField', fieldId: points.id, value: 2.5 }, both, [{ points: 2.5 }, { points: 2.5 }]],
    [{ do: 'setField', fieldId: points.id, value: '1.00' }, one, [{ points: 1 }, { points: 1 }]],
    [{ do: 'setField', fieldId: points.id, value: null }, one, [{ langs: [a, b].toSorted() }, {}]],
    [{ do: 'setField', fieldId: langs.id, value: [b, c] }, both, [{ langs: [b, c].toSorted() }, { langs: [b, c].toSorted() }]],
    [{ do: 'addChoices', fieldId: langs.id, choiceIds: [a, b] }, one, [{ langs: [a, b].toSorted() }, { langs: [a, b].toSorted() }]],
    [{ do: 'addChoices', fieldId: langs.id, choiceIds: [c] }, both, [{ langs: [a, b, c].toSorted() }, { langs: [c] }]],
    [{ do: 'removeChoices', fieldId: langs.id, choiceIds: [b, c] }, one, [{ langs: [a] }, {}]],
  ]
  for (const [change, counts, after] of cases) {
    expect((await owner.post('/actions/people/bulk/preview', { selection: { ids }, change })).body).toMatchObject(counts)
    expect(await state()).toEqual(before)
    const done = await bulk(owner, ids, change)
    expect([change, done.body]).toMatchObject([change, { job: { status: 'done' }, counts }])
    expect([change, await state()]).toMatchObject([change, after])
    expect(await undo(owner, done.body)).toMatchObject({ counts: { unchanged: 0 } })
    expect([change, await state()]).toEqual([change, before])
  }

  // What was entered since stays, and so does what another change made of it.
  const done = await bulk(owner, ids, { do: 'setField', fieldId: points.id, value: 7 })
  await owner.patch(`/data/people/${ann.id}`, { fields: { points: 8 } }, { 'if-match': `"${ann.version}"` })
  expect(await undo(owner, done.body)).toMatchObject({ counts: { changed: 1, unchanged: 1 } })
  expect(await state()).toMatchObject([{ points: 8 }, {}])
})

test('a value that a field does not take is refused before anything is changed', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const points = await field(owner, { key: 'points', label: 'Points', type: 'number', required: true })
  const motto = await field(owner, { key: 'motto', label: 'Motto', type: 'text', pattern: '[A-Z].*' })
  const room = await field(owner, { recordType: 'groups', key: 'room', label: 'Room', type: 'text' })
  const mentor = await field(owner, { key: 'mentor', label: 'Mentor', type: 'person' })
  const ann = (await made(owner, '/data/people', { familyName: 'Ann', fields: { points: 1 } })) as Row
  const refused = async (change: object) => {
    const { status, body } = await bulk(owner, [ann.id], change)
    return [status, body.reason, body.errors?.[0]?.path]
  }
  expect(await refused({ do: 'setField', fieldId: points.id, value: 'ten' })).toEqual([422, 'field_number', 'change.value'])
  expect(await refused({ do: 'setField', fieldId: points.id, value: null })).toEqual([422, 'field_required', 'change.value'])
  expect(await refused({ do: 'setField', fieldId: motto.id, value: 'low' })).toEqual([422, 'field_pattern', 'change.value'])
  expect(await refused({ do: 'setField', fieldId: mentor.id, value: motto.id })).toEqual([422, 'field_person', 'change.value'])
  expect(await refused({ do: 'addChoices', fieldId: motto.id, choiceIds: [room.id] })).toEqual([
    422,
    'field_no_choices',
    'change.choiceIds',
  ])
  expect(await refused({ do: 'setField', fieldId: room.id, value: 'Attic' })).toEqual([422, 'unknown_field', 'change.fieldId'])
})

test('whose field is not the caller’s to change is counted and stays', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const open = await field(owner, { key: 'open', label: 'Open', type: 'text' })
  const own = await field(owner, { key: 'own', label: 'Own', type: 'text', audience: 'self', ownEditable: true })
  const kept = await field(owner, { key: 'kept', label: 'Kept', type: 'text', audience: 'officers' })
  const secret = await field(owner, { key: 'secret', label: 'Secret', type: 'text', audience: 'officers', sensitive: true })
  const mine = (await made(owner, '/data/people', { familyName: 'Mine', chapterId: west })) as Row
  const theirs = (await made(owner, '/data/people', { familyName: 'Theirs', chapterId: east })) as Row
  const me = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
  const officer = api.as(me)
  const ids = [mine.id, theirs.id, me.personId ?? '']
  const set = ({ id }: Field) => ({ do: 'setField', fieldId: id, value: 'x' })
  const read = async (id: string) => ((await owner.get(`/data/people/${id}`)).body as Row).fields

  const done = await bulk(officer, ids, set(open))
  expect(done.body.counts).toEqual({ matched: 3, changed: 2, unchanged: 0, refused: 1 })
  expect([await read(mine.id), await read(theirs.id)]).toEqual([{ open: 'x' }, {}])
  // Nobody writes what is kept to officers about themselves.
  expect((await bulk(officer, ids, set(kept))).body.counts).toEqual({ matched: 3, changed: 1, unchanged: 0, refused: 2 })
  expect((await owner.post(`/actions/bulk/${done.body.job.id}/undo`)).status).toBe(404)

  const self = await person({ org })
  const member = api.as(self)
  expect((await bulk(member, [mine.id, self.personId ?? ''], set(own))).body.counts).toEqual({
    matched: 2,
    changed: 1,
    unchanged: 0,
    refused: 1,
  })
  expect(await read(self.personId ?? '')).toEqual({ own: 'x' })
  expect((await bulk(member, ids, set(open))).body.counts).toEqual({ matched: 3, changed: 0, unchanged: 0, refused: 3 })
  expect((await bulk(member, ids, set(secret))).body).toMatchObject({ status: 422, reason: 'unknown_field' })
  expect(await undo(officer, done.body)).toMatchObject({ counts: { changed: 2 } })
  expect(await read(mine.id)).toEqual({ kept: 'x' })
})

test('fields of many groups and chapters are set the same way', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const choir = (await made(owner, '/data/groups', { name: 'Choir', chapterId: west })) as Row
  const band = (await made(owner, '/data/groups', { name: 'Band', chapterId: east })) as Row
  for (const [recordType, ids] of [
    ['groups', [choir.id, band.id]],
    ['chapters', [west, east]],
  ] as const) {
    const room = await field(owner, { recordType, key: 'room', label: 'Room', type: 'text', audience: 'officers' })
    const read = () => Promise.all(ids.map(async (id) => ((await owner.get(`/data/${recordType}/${id}`)).body as Row).fields))
    const done = await bulk(officer, [...ids], { do: 'setField', fieldId: room.id, value: 'Attic' }, recordType)
    expect(done.body.counts, done.text).toEqual({ matched: 2, changed: 1, unchanged: 0, refused: 1 })
    expect(await read()).toEqual([{ room: 'Attic' }, {}])
    expect(await undo(officer, done.body)).toMatchObject({ counts: { changed: 1 } })
    expect(await read()).toEqual([{}, {}])
  }
})
