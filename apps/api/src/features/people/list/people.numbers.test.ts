import type { Person } from '@guildhall/contract/features/people'
import { expect } from 'vitest'
import { test, uploadFile, waitFor } from '../../imports/imports.testing.ts'
import type { Client } from '../../../testing.ts'

const enter = async (client: Client, body: object) => {
  const answer = await client.post('/data/people', body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Person
}
/** An answer without what is never the same twice, and without the number or code that was asked about. */
const plain = ({ status, body }: { status: number; body: unknown }) => {
  const { requestId: _, ...rest } = body as Record<string, unknown>
  return `${status} ${JSON.stringify(rest)
    .replace(/(TAKEN|UNUSED)/g, 'CODE')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[^"]*/g, '')}`
}

test('a member number that somebody hidden has is answered like one that is free', async ({
  api,
  organisation,
  person,
  chapter,
  worker: _,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const [minor, archived] = ['M-TAKEN', 'A-TAKEN']
  await enter(owner, { familyName: 'Minor', memberNo: minor, chapterId: west, private: { birthDate: '2020-01-01' } })
  const gone = await enter(owner, { familyName: 'Gone', memberNo: archived, chapterId: org.rootChapterId })
  expect((await owner.del(`/data/people/${gone.id}`)).status).toBe(204)
  for (const taken of [minor, archived]) {
    const free = taken.replace('TAKEN', 'UNUSED')
    const create = (memberNo: string) => officer.post('/data/people', { familyName: 'New', memberNo, chapterId: west })
    expect(plain(await create(taken))).toBe(plain(await create(free)))
    expect(await create(taken)).toMatchObject({ status: 403, body: { reason: 'people_member_no_office', errors: [{ path: 'memberNo' }] } })
    const { id, may } = await enter(officer, { familyName: 'Known', chapterId: west })
    expect(may.setMemberNo).toBe(false)
    const update = (memberNo: string) => officer.patch(`/data/people/${id}`, { memberNo }, { 'if-match': '"1"' })
    expect(plain(await update(taken))).toBe(plain(await update(free)))
    expect(await update(taken)).toMatchObject({ status: 403, body: { reason: 'people_member_no_office' } })

    const bring = async (memberNo: string) => {
      const { import: one } = await uploadFile(
        officer,
        'people',
        'list.csv',
        `member_no,first_name,last_name,chapter_code\n${memberNo},Ann,By file ${memberNo},West\n`,
      )
      const rows = []
      for (const phase of ['check', 'run'] as const) {
        await waitFor(officer, one.id, phase)
        rows.push(plain(await officer.get(`/data/imports/${one.id}/rows?phase=${phase}`)))
      }
      return rows.join('\n')
    }
    const [first, second] = [await bring(taken), await bring(free)]
    expect(first).toBe(second)
    expect(first).toContain('member_no_office')
    expect(first).toContain('"outcome":"create"')
  }
  // The office assigns them, and is told which are taken.
  expect((await owner.post('/data/people', { familyName: 'New', memberNo: minor })).status).toBe(409)
  const numbered = await enter(owner, { givenName: 'Ann', familyName: 'Numbered', memberNo: '7', chapterId: west })
  expect(numbered.may.setMemberNo).toBe(true)
  // Whose number it is, an import of an officer still finds by it.
  const { import: one } = await uploadFile(officer, 'people', 'list.csv', 'member_no,first_name,last_name,employer\n7,Ann,Numbered,Acme\n')
  await waitFor(officer, one.id, 'check')
  expect((await waitFor(officer, one.id, 'run')).counts.run).toMatchObject({ update: 1, reject: 0 })
})

test('the office assigns external ids; one that somebody hidden has is answered like one that is free', async ({
  api,
  organisation,
  person,
  chapter,
  worker: _,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const member = await person({ org, chapterId: west })
  const minor = await enter(owner, { familyName: 'Minor', chapterId: west, private: { birthDate: '2020-01-01' } })
  const known = await enter(owner, { givenName: 'Ann', familyName: 'Known', chapterId: west })
  const url = (id: string, system = 'civicrm') => `/data/people/${id}/external-ids/${system}`
  const idsOf = async (client: Client, id: string) => ((await client.get(`/data/people/${id}`)).body as Person).externalIds

  expect((await owner.put(url(minor.id), { externalId: 'TAKEN' })).status).toBe(200)
  expect(await owner.put(url(known.id), { externalId: 'TAKEN' })).toMatchObject({
    status: 409,
    body: { reason: 'external_id_taken', errors: [{ path: 'externalId' }] },
  })
  expect((await owner.put(url(known.id), { externalId: '56' })).status).toBe(200)
  expect(await owner.put(url(known.id), { externalId: ' 57 ' })).toMatchObject({
    status: 200,
    body: { system: 'civicrm', externalId: '57' },
  })
  // The same id of another system is another id.
  expect((await owner.put(url(known.id, 'stripe'), { externalId: 'TAKEN' })).status).toBe(200)
  expect((await owner.put(url(known.id, 'Not a key'), { externalId: '1' })).status).toBe(422)
  expect((await owner.put(url(known.id), { externalId: ' ' })).status).toBe(422)
  const both = [
    { system: 'civicrm', externalId: '57' },
    { system: 'stripe', externalId: 'TAKEN' },
  ]
  expect(await idsOf(owner, known.id)).toEqual(both)
  expect(await idsOf(officer, known.id)).toEqual(both)
  expect(await idsOf(api.as(member), known.id)).toEqual([])
  expect((await owner.put(url(member.personId ?? ''), { externalId: 'own' })).status).toBe(200)
  expect(await idsOf(api.as(member), member.personId ?? '')).toEqual([])
  expect(JSON.stringify((await api.as(member).get(`/data/people/${member.personId}/history`)).body)).not.toContain('external')

  const assign = (externalId: string) => officer.put(url(known.id), { externalId })
  expect(plain(await assign('TAKEN'))).toBe(plain(await assign('UNUSED')))
  expect(await assign('TAKEN')).toMatchObject({ status: 403, body: { reason: 'external_id_office', errors: [{ path: 'externalId' }] } })
  const bring = async (externalId: string) => {
    const content = `External id (CiviCRM),first_name,last_name,chapter_code\n${externalId},Ann,By file ${externalId},West\n`
    const { import: one } = await uploadFile(officer, 'people', 'list.csv', content)
    const rows = []
    for (const phase of ['check', 'run'] as const) {
      await waitFor(officer, one.id, phase)
      rows.push(plain(await officer.get(`/data/imports/${one.id}/rows?phase=${phase}`)))
    }
    return rows.join('\n')
  }
  const [first, second] = [await bring('TAKEN'), await bring('UNUSED')]
  expect(first).toBe(second)
  expect(first).toContain('external_id_office')
  expect(first).toContain('"outcome":"create"')

  expect((await officer.del(url(known.id, 'stripe'))).status).toBe(403)
  expect((await owner.del(url(known.id, 'stripe'))).status).toBe(204)
  expect((await owner.del(url(known.id, 'stripe'))).status).toBe(404)
  expect(await idsOf(owner, known.id)).toEqual([{ system: 'civicrm', externalId: '57' }])
})

test('the code of a secret group is answered like one that is free to those who do not see the group', async ({
  api,
  organisation,
  person,
  chapter,
  worker: _,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  expect((await owner.post('/data/groups', { name: 'Hidden', code: 'TAKEN', visibility: 'secret', chapterId: east })).status).toBe(201)

  const own = (await officer.post('/data/groups', { name: 'Own', chapterId: west })).body as { id: string }
  const other = (await officer.post('/data/groups', { name: 'Own', chapterId: west })).body as { id: string }
  const update = (id: string, code: string) => officer.patch(`/data/groups/${id}`, { code }, { 'if-match': '"1"' })
  expect(plain(await update(own.id, 'TAKEN'))).toBe(plain(await update(other.id, 'UNUSED')))
  for (const { id } of [own, other])
    expect((await officer.patch(`/data/groups/${id}`, { code: null }, { 'if-match': '"2"' })).status).toBe(200)
  const create = (code: string) => officer.post('/data/groups', { name: 'New', code, chapterId: west })
  const made = await create('TAKEN')
  expect(plain(made)).toBe(plain(await create('UNUSED')))
  expect(made.status).toBe(201)
  // Taken by a group that they see.
  expect(await create('TAKEN')).toMatchObject({ status: 409, body: { reason: 'group_code_taken' } })

  const bring = async (client: Client, code: string) => {
    const { import: one } = await uploadFile(client, 'groups', 'list.csv', `code,name,chapter_code\n${code},By file,West\n`)
    const rows = []
    for (const phase of ['check', 'run'] as const) {
      await waitFor(client, one.id, phase)
      rows.push(plain(await client.get(`/data/imports/${one.id}/rows?phase=${phase}`)))
    }
    return rows.join('\n')
  }
  expect((await owner.post('/data/groups', { name: 'Hidden too', code: 'F-TAKEN', visibility: 'secret', chapterId: east })).status).toBe(
    201,
  )
  const [first, second] = [await bring(officer, 'F-TAKEN'), await bring(officer, 'F-UNUSED')]
  expect(first).toBe(second)
  expect(first).toContain('"outcome":"create"')
  // Who sees both is told that the code means two groups, and settles it where one is opened to more people.
  expect(await bring(owner, 'TAKEN')).toContain('ambiguous_code')
  const { items } = (await owner.get('/data/groups?q=hidden%20too')).body as { items: { id: string }[] }
  expect(await owner.patch(`/data/groups/${items[0]?.id}`, { visibility: 'members' }, { 'if-match': '"1"' })).toMatchObject({
    status: 409,
    body: { reason: 'group_code_taken' },
  })
})
