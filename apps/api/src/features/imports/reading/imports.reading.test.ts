import type { Import, ImportRow } from '@guildhall/contract/features/imports'
import { expect } from 'vitest'
import { test, uploadFile, waitFor } from '../imports.testing.ts'

const garble = (text: string) => new TextDecoder('windows-1252').decode(new TextEncoder().encode(text))

test('a column without a name is nobody’s until someone chooses, in a file without names too', async ({ api, person }) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'Name,,City\nAnn Lee,https://example.org,Rome\n')
  expect(one.columns.map(({ target }) => target)).toEqual(['fullName', 'ignore', 'city'])
  expect(one.findings).toMatchObject([{ code: 'missing_header' }])
  const { import: bare } = await uploadFile(secretary, 'people', 'b.csv', '1,ann@example.org\n2,bob@example.org\n')
  expect(bare.columns.map(({ target }) => target)).toEqual(['ignore', 'ignore'])
  // A mapping that was saved for other columns without names says nothing about these.
  const saved = await secretary.patch(
    `/actions/imports/${bare.id}`,
    { mapping: ['memberNo', 'fullName'], saveMappingAs: 'Bare' },
    { 'if-match': String(bare.version) },
  )
  expect(saved.status, saved.text).toBe(200)
  const { import: other } = await uploadFile(secretary, 'people', 'c.csv', '5,100\n6,200\n')
  expect([other.savedMapping, other.columns.map(({ target }) => target)]).toEqual([null, ['ignore', 'ignore']])
})

test('garbled letters: named at upload, refused in the check, repaired when that is chosen and the whole column agrees', async ({
  api,
  person,
  worker: _,
}) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const filler = Array.from({ length: 2_500 }, (_, i) => `Ann ${i},Rome\n`).join('')
  const content = `name,city\n${garble('Jörg Müller')},Ulm\n${garble('Zoë Fox')},${garble('Köln')}\n${filler}Bob Ray,Zürich\n`
  const { import: one } = await uploadFile(secretary, 'people', 'a.csv', content)
  expect(one.findings).toMatchObject([
    { code: 'garbled_letters', column: 'name', message: expect.stringContaining('Jörg Müller') },
    { code: 'garbled_letters', column: 'city' },
  ])
  expect((await waitFor(secretary, one.id, 'check')).counts.check).toMatchObject({ create: 2_501, reject: 2 })
  const now = (await secretary.get(`/data/imports/${one.id}`)).body as Import
  const repaired = await secretary.patch(
    `/actions/imports/${one.id}`,
    { format: { garbled: 'repair' } },
    { 'if-match': String(now.version) },
  )
  expect((repaired.body as Import).sample.slice(0, 2)).toEqual([
    ['Jörg Müller', 'Ulm'],
    ['Zoë Fox', 'Köln'],
  ])
  // Far below the rows that the preview knows, one city is sound: the column is left alone.
  expect((await waitFor(secretary, one.id, 'check')).counts.check).toMatchObject({ create: 2_502, reject: 1 })
  const { items } = (await secretary.get(`/data/imports/${one.id}/rows?phase=check&withFindings=true`)).body as { items: ImportRow[] }
  expect(items.map(({ line, findings }) => [line, findings.map(({ code }) => code)])).toEqual([
    [2, ['garbled_repaired']],
    [3, ['garbled_repaired', 'garbled_text']],
  ])
})

test('UTF-8 that someone read as Windows-1252 is told to be UTF-8', async ({ api, person }) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'name\nJörg Müller\n')
  expect(one.findings).toEqual([])
  const wrong = await secretary.patch(
    `/actions/imports/${one.id}`,
    { format: { encoding: 'windows-1252' } },
    { 'if-match': String(one.version) },
  )
  expect((wrong.body as Import).findings).toMatchObject([{ code: 'garbled_letters', fix: 'Choose the encoding utf-8.' }])
})

test('values that no list knows are collected with their rows, and mean what is chosen once; a saved mapping keeps the choice', async ({
  api,
  person,
  worker: _,
}) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const filler = Array.from({ length: 2_100 }, (_, i) => `F${i},Filler ${i},team,\n`).join('')
  const content = `code,name,kind,visibility\nA,Archive,Subproject,members\nB,Board,SUB-PROJECT,?\nC,Choir,sub project,\nD,Drama,Standing committee,open\n${filler}Z,Zoo,subproject,\n`
  const { import: one } = await uploadFile(secretary, 'groups', 'a.csv', content)
  expect(one.unrecognized).toMatchObject([
    {
      field: 'kind',
      header: 'kind',
      whole: false,
      values: [
        { value: 'SUB-PROJECT', key: 'sub project', rows: 2, target: null, suggestion: 'subcommittee' },
        { value: 'Subproject', key: 'subproject', rows: 1 },
        { value: 'Standing committee', key: 'standing committee', suggestion: 'committee' },
      ],
    },
    { field: 'visibility', values: [{ value: '?', rows: 1 }] },
  ])
  // The check reads every row.
  const checked = await waitFor(secretary, one.id, 'check')
  expect(checked.counts.check).toMatchObject({ create: 2_100, reject: 5 })
  expect(checked.unrecognized[0]).toMatchObject({
    whole: true,
    values: [{ key: 'subproject', rows: 2 }, { key: 'sub project', rows: 2 }, { rows: 1 }],
  })

  const values = { kind: { subproject: 'team', 'sub project': 'team', 'standing committee': 'committee' }, visibility: { '?': '' } }
  const change = (body: unknown, version: number) => secretary.patch(`/actions/imports/${one.id}`, body, { 'if-match': String(version) })
  expect((await change({ options: { values: { kind: { x: 'choir' } } } }, checked.version)).status).toBe(422)
  expect((await change({ options: { values: { name: { x: 'team' } } } }, checked.version)).status).toBe(422)
  const chosen = await change({ options: { values }, saveMappingAs: 'Groups' }, checked.version)
  expect(chosen.status, chosen.text).toBe(200)
  expect((chosen.body as Import).unrecognized[1]?.values).toMatchObject([{ value: '?', target: '' }])
  expect((await waitFor(secretary, one.id, 'check')).counts.check).toMatchObject({ create: 2_105, reject: 0 })

  const { import: next } = await uploadFile(secretary, 'groups', 'b.csv', 'code,name,kind,visibility\nY,Yoga,Subproject,\n')
  expect([next.savedMapping?.name, next.options.values]).toEqual(['Groups', values])
})

test('yes and no can be chosen too', async ({ api, person, worker: _ }) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'name,do not contact\nAnn Lee,stopp\nBob Ray,no\n')
  expect(one.unrecognized).toMatchObject([{ field: 'doNotContact', targets: ['yes', 'no'], values: [{ value: 'stopp' }] }])
  const set = { options: { values: { doNotContact: { stopp: 'yes' } } } }
  expect((await secretary.patch(`/actions/imports/${one.id}`, set, { 'if-match': String(one.version) })).status).toBe(200)
  expect((await waitFor(secretary, one.id, 'check')).counts.check).toMatchObject({ create: 2, reject: 0 })
})

test('setting one option leaves the others as they are', async ({ api, person }) => {
  const secretary = api.as(await person({ idpRoles: ['org-admin'], chapterId: null }))
  const { import: one } = await uploadFile(secretary, 'people', 'a.csv', 'name\nAnn Lee\n')
  const set = async (options: object, version: number) =>
    (await secretary.patch(`/actions/imports/${one.id}`, { options }, { 'if-match': String(version) })).body as Import
  const first = await set({ onNew: 'skip', tag: 'Spring' }, one.version)
  expect((await set({ phoneCountry: 'US' }, first.version)).options).toEqual({
    ...first.options,
    onNew: 'skip',
    tag: 'Spring',
    phoneCountry: 'US',
  })
})
