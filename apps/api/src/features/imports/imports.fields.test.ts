import type { Export } from '@guildhall/contract/features/lists'
import type { ImportRow } from '@guildhall/contract/features/imports'
import { expect } from 'vitest'
import type { Client } from '../../testing.ts'
import { bringIn, test, uploadFile, waitFor } from './imports.testing.ts'

type Values = Record<string, unknown>
const add = async (client: Client, recordType: string, key: string, label: string, more: object) => {
  const answer = await client.post('/data/fields', { recordType, key, label, audience: 'everyone', ...more })
  expect(answer.status, answer.text).toBe(201)
  return answer.body as { id: string; version: number; choices: { id: string; label: string }[] }
}
const rowsOf = async (client: Client, importId: string, phase: string) =>
  ((await client.get(`/data/imports/${importId}/rows?phase=${phase}`)).body as { items: ImportRow[] }).items
const valuesOf = async (client: Client, list: string, q: string, keys: string[]) => {
  const answer = await client.get(`/data/${list}?q=${q}&columns=${keys.map((key) => `fields.${key}`).join(',')}`)
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as { items: { fields?: Values }[] }).items.map(({ fields }) => fields)
}

test('columns map to fields by their labels, are checked by type, changed and taken back', async ({
  api,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const size = await add(owner, 'people', 'size', 'T-shirt size', { type: 'choice', choices: [{ label: 'S' }, { label: 'M' }] })
  await add(owner, 'people', 'points', 'Points', { type: 'number' })
  await add(owner, 'people', 'since', 'Locker since', { type: 'date' })
  await add(owner, 'people', 'vegan', 'Vegan', { type: 'flag' })
  await add(owner, 'people', 'plate', 'Plate', { type: 'text', pattern: '[A-Z]{2}\\d+', help: 'Such as AB12.' })
  const header = 'member_no,first_name,last_name,T-shirt size,Points,Locker since,Vegan,Plate'
  const first = await bringIn(owner, 'people', `${header}\n1,Ann,Archer,s,"1,5",2024-05-31,yes,AB1\n2,Bob,Baker,M,-3,,no,\n`)
  expect(first.columns.map(({ target }) => target).slice(3)).toEqual([
    'field:size',
    'field:points',
    'field:since',
    'field:vegan',
    'field:plate',
  ])
  expect(first.counts.run).toMatchObject({ create: 2, reject: 0 })
  const keys = ['size', 'points', 'since', 'vegan', 'plate']
  const [s, m] = size.choices.map(({ id }) => id)
  const ann = { size: s, points: 1.5, since: '2024-05-31', vegan: true, plate: 'AB1' }
  expect(await valuesOf(owner, 'people', 'archer', keys)).toEqual([ann])
  expect(await valuesOf(owner, 'people', 'baker', keys)).toEqual([{ size: m, points: -3, vegan: false }])

  // Every fault of a row at once, and nothing of such a row is written.
  const faulty = await uploadFile(owner, 'people', 'list.csv', `${header}\n1,Ann,Archer,XXL,many,31 Foo,perhaps,12\n2,Bob,Baker,S,,,,\n`)
  expect((await waitFor(owner, faulty.import.id, 'check')).counts.check).toMatchObject({ reject: 1, update: 1 })
  const [bad, good] = await rowsOf(owner, faulty.import.id, 'check')
  expect(bad?.findings.map(({ column, code }) => [column, code]).sort()).toEqual([
    ['Locker since', 'not_a_date'],
    ['Plate', 'field_pattern'],
    ['Points', 'not_a_number'],
    ['T-shirt size', 'not_a_choice'],
    ['Vegan', 'not_yes_or_no'],
  ])
  expect(good?.changes).toEqual([{ field: 'field:size', how: 'change', before: 'M', after: 'S', hidden: false }])
  // A check writes nothing.
  expect(await valuesOf(owner, 'people', 'baker', ['size'])).toEqual([{ size: m }])
  await waitFor(owner, faulty.import.id, 'run')
  expect(await valuesOf(owner, 'people', 'archer', keys)).toEqual([ann])
  expect(await valuesOf(owner, 'people', 'baker', ['size'])).toEqual([{ size: s }])
  expect((await waitFor(owner, faulty.import.id, 'undo')).counts.undo).toMatchObject({ restored: 1, kept: 0 })
  expect(await valuesOf(owner, 'people', 'baker', ['size'])).toEqual([{ size: m }])

  // Choices come only when asked for, and go with the import that made them.
  const asked = await uploadFile(owner, 'people', 'list.csv', 'member_no,last_name,T-shirt size\n1,Archer,XXL\n2,Baker,xxl\n')
  const { id, version } = asked.import
  const set = await owner.patch(`/actions/imports/${id}`, { options: { newChoices: 'create' } }, { 'if-match': `"${version}"` })
  expect(set.status, set.text).toBe(200)
  await waitFor(owner, id, 'check')
  expect((await owner.get('/data/fields?recordType=people')).text).not.toContain('XXL')
  expect((await waitFor(owner, id, 'run')).counts.run).toMatchObject({ update: 2 })
  const { items } = (await owner.get('/data/fields?recordType=people')).body as { items: (typeof size)[] }
  const made = items.flatMap((one) => one.choices).filter(({ label }) => label.toLowerCase() === 'xxl')
  expect(made).toHaveLength(1)
  expect(await valuesOf(owner, 'people', 'baker', ['size'])).toEqual([{ size: made[0]?.id }])
  await waitFor(owner, id, 'undo')
  expect((await owner.get('/data/fields?recordType=people')).text.toLowerCase()).not.toContain('xxl')
  expect(await valuesOf(owner, 'people', 'archer', ['size'])).toEqual([{ size: s }])
})

test('a file that an export wrote changes nothing, whatever the fields hold', async ({ api, organisation, person, worker: _ }) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], familyName: 'Zoe' })
  const owner = api.as(me)
  for (const list of ['people', 'chapters', 'groups'] as const) {
    const size = await add(owner, list, 'size', 'Size', { type: 'choices', choices: [{ label: 'S' }, { label: 'M' }, { label: 'L' }] })
    const one = await add(owner, list, 'one', 'One', { type: 'choice', choices: [{ label: 'Red' }, { label: 'Blue' }] })
    await add(owner, list, 'points', 'Points', { type: 'number' })
    await add(owner, list, 'day', 'Day', { type: 'date' })
    await add(owner, list, 'yes', 'Yes', { type: 'flag' })
    await add(owner, list, 'text', 'City', { type: 'text' })
    await add(owner, list, 'page', 'Page', { type: 'url' })
    await add(owner, list, 'mentor', 'Mentor', { type: 'person' })
    const fields = {
      size: size.choices.slice(0, 2).map(({ id }) => id),
      one: one.choices[1]?.id,
      ...{ points: -2.5, day: '2024-02-29', yes: false, text: '=1+1', page: 'https://example.org/a', mentor: me.personId },
    }
    const record =
      list === 'people'
        ? { givenName: 'Ann', familyName: 'Archer' }
        : list === 'chapters'
          ? { name: 'West', code: 'W', parentId: org.rootChapterId }
          : { name: 'Circle', code: 'C' }
    const entered = await owner.post(`/data/${list}`, { ...record, fields })
    expect(entered.status, entered.text).toBe(201)
    const columns = (await owner.get(`/data/exports/columns?list=${list}`)).body as { items: { key: string }[] }
    const wanted = await owner.post('/actions/exports', {
      ...{ list, format: 'csv', columns: columns.items.map(({ key }) => key), selection: { all: {}, except: [] }, reason: 'Test' },
    })
    const { id } = wanted.body as Export
    while (((await owner.get(`/data/exports/${id}`)).body as Export).job.status !== 'done')
      await new Promise((done) => setTimeout(done, 50))
    const file = await owner.get(`/actions/exports/${id}/file`)
    const uploaded = await uploadFile(owner, list, 'back.csv', file.text)
    expect(uploaded.import.columns.filter(({ target }) => target.startsWith('field:'))).toHaveLength(8)
    const { counts } = await waitFor(owner, uploaded.import.id, 'check')
    expect([list, counts.check, await rowsOf(owner, uploaded.import.id, 'check')]).toMatchObject([
      list,
      { create: 0, update: 0, reject: 0 },
      {},
    ])
  }
})

test('nobody writes by a file what is not theirs', async ({ api, organisation, person, chapter, worker: _ }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  await add(owner, 'people', 'open', 'Open', { type: 'text' })
  for (const [memberNo, familyName, chapterId] of [
    ['1', 'Mine', west],
    ['2', 'Theirs', east],
  ])
    expect((await owner.post('/data/people', { memberNo, familyName, chapterId })).status).toBe(201)
  const uploaded = await uploadFile(officer, 'people', 'list.csv', 'member_no,last_name,Open\n1,Mine,one\n2,Theirs,two\n')
  expect((await waitFor(officer, uploaded.import.id, 'check')).counts.check).toMatchObject({ update: 1, reject: 1 })
  await waitFor(officer, uploaded.import.id, 'run')
  expect(await valuesOf(owner, 'people', 'mine', ['open'])).toEqual([{ open: 'one' }])
  expect(await valuesOf(owner, 'people', 'theirs', ['open'])).toEqual([{}])
})
