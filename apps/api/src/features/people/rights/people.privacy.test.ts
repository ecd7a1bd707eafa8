import type { Person } from '@guildhall/contract/features/people'
import { expect } from 'vitest'
import { test, uploadFile, waitFor } from '../../imports/imports.testing.ts'
import type { Client } from '../../../testing.ts'

const read = async (client: Client, id: string | null) => (await client.get(`/data/people/${id ?? ''}`)).body as Person
const enter = async (client: Client, body: object) => {
  const answer = await client.post('/data/people', body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Person
}

test('what officers note about a person is shown to other officers, and in no way to that person, whatever rights they have', async ({
  api,
  admin,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  for (const idpRoles of [[], ['org-admin'], ['org-owner']]) {
    const secret = `noted${idpRoles.join()}noted`
    const me = await person({ org, idpRoles, grants: [{ role: 'safeguarding', chapterId: org.rootChapterId }], familyName: 'Noted' })
    const self = api.as(me)
    const url = `/data/people/${me.personId}`
    expect((await boss.put(`${url}/office-note`, { note: secret })).status).toBe(200)
    expect(await read(boss, me.personId)).toMatchObject({ officeNote: secret, may: { seeOfficeNote: true, editOfficeNote: true } })
    expect((await boss.get(`${url}/history`)).text).toContain(secret)

    expect(await read(self, me.personId)).toMatchObject({ officeNote: null, may: { seeOfficeNote: false, editOfficeNote: false } })
    const ways = [url, `${url}/overview`, `${url}/history`, '/data/audit', '/data/home', '/data/people?q=noted', `/data/people?q=${secret}`]
    for (const way of ways) {
      const answer = await self.get(way)
      expect([way, answer.status, answer.text.includes(secret)]).toEqual([way, 200, false])
    }
    expect((await self.put(`${url}/office-note`, { note: 'All well.' })).status).toBe(403)
    expect((await self.patch(`${url}/private`, { note: 'All well.' })).status).toBe(400)
    expect((await read(boss, me.personId)).officeNote).toBe(secret)
  }
  expect((await admin.query('select from app.person_private p where to_jsonb(p) ? $1', ['note'])).rowCount).toBe(0)
})

test('an export leaves out what is noted about whoever exports, and an import does not change it', async ({
  api,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'], familyName: 'Self', givenName: 'Ann' })
  const self = api.as(me)
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const other = await enter(boss, {
    givenName: 'Bea',
    familyName: 'Other',
    memberNo: '2',
    officeNote: 'About Bea',
    chapterId: org.rootChapterId,
  })
  await boss.patch(`/data/people/${me.personId}`, { memberNo: '1' }, { 'if-match': '"1"' })
  await boss.put(`/data/people/${me.personId}/office-note`, { note: 'About Ann' })
  const csv = async (client: Client) => {
    const asked = await client.post('/actions/exports', {
      list: 'people',
      format: 'csv',
      selection: { all: {}, except: [] },
      columns: ['memberNo', 'note'],
    })
    const { id } = asked.body as { id: string }
    for (;;) {
      const { job } = (await client.get(`/data/exports/${id}`)).body as { job: { status: string } }
      if (job.status === 'done') break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return (await client.get(`/actions/exports/${id}/file`)).text
  }
  expect(await csv(boss)).toContain('About Ann')
  const own = await csv(self)
  expect(own).toContain('About Bea')
  expect(own).not.toContain('About Ann')

  const file = 'member_no,first_name,last_name,office_note\n1,Ann,Self,Mine\n2,Bea,Other,Told\n'
  const { import: one } = await uploadFile(self, 'people', 'list.csv', file)
  await waitFor(self, one.id, 'check')
  const { body: rows } = await self.get(`/data/imports/${one.id}/rows?phase=check`)
  expect(
    (rows as { items: { findings: { code: string }[] }[] }).items.flatMap(({ findings }) => findings.map(({ code }) => code)),
  ).toContain('own_note')
  await waitFor(self, one.id, 'run')
  expect([(await read(boss, me.personId)).officeNote, (await read(boss, other.id)).officeNote]).toEqual(['About Ann', 'Told'])
  const { import: told } = await uploadFile(boss, 'people', 'told.csv', file.replace('Mine', 'By the boss'))
  await waitFor(boss, told.id, 'check')
  expect((await boss.get(`/data/imports/${told.id}/rows?phase=check`)).text).toContain('By the boss')
  expect((await self.get(`/data/imports/${told.id}/rows?phase=check`)).text).not.toContain('By the boss')
  await waitFor(self, one.id, 'undo')
  expect((await read(boss, other.id)).officeNote).toBe('About Bea')
})

test('a record that was merged into somebody keeps from them what is noted there', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const me = await person({ org, idpRoles: ['org-owner'] })
  const twin = await enter(boss, { familyName: 'Twin', officeNote: 'Twice', chapterId: org.rootChapterId })
  await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [twin.id, me.personId])
  // The note goes with them, and stays hidden from them on both records.
  expect((await read(boss, me.personId)).officeNote).toBe('Twice')
  for (const id of [twin.id, me.personId]) {
    expect((await read(api.as(me), id)).officeNote).toBeNull()
    expect((await api.as(me).get(`/data/people/${id}/history`)).text).not.toContain('Twice')
  }
})

test('entries of the log from when notes stood among private data stay hidden from the person', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = await person({ org, idpRoles: ['org-owner'] })
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const entry = (note: string) =>
    admin.query(`select app_private.audit_append($1, 'update', 'person_private', 'people.sensitive', array[$2::jsonb], array[$3::jsonb])`, [
      org.id,
      JSON.stringify({ person_id: me.personId, note: '' }),
      JSON.stringify({ person_id: me.personId, note }),
    ])
  await entry('Long ago')
  expect((await boss.get(`/data/people/${me.personId}/history`)).text).toContain('Long ago')
  expect((await api.as(me).get(`/data/people/${me.personId}/history`)).text).not.toContain('Long ago')
  expect((await api.as(me).get('/data/audit')).text).not.toContain('Long ago')
})

test('nobody changes their own day of death, status or tags by the right over themselves', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const tag = (await boss.post('/data/tags', { name: 'Choir' })).body as { id: string }
  for (const idpRoles of [[], ['org-owner']]) {
    const me = await person({ org, idpRoles })
    const self = api.as(me)
    const url = `/data/people/${me.personId}`
    expect((await read(self, me.personId)).may.setDeath).toBe(false)
    const refused = { status: 403, body: { reason: 'person_own_death', errors: [{ path: 'deceasedOn' }] } }
    expect(await self.patch(`${url}/private`, { deceasedOn: '2026-01-01' })).toMatchObject(refused)
    expect((await self.patch(`${url}/private`, { birthDate: '1970-01-01' })).status).toBe(200)
    expect(await self.patch(`${url}/private`, { deceasedOn: '2026-01-01' })).toMatchObject(refused)
    // Who may change people may do so with their own status and tags as well: that right comes from elsewhere.
    const expected = idpRoles.length > 0 ? 200 : 403
    expect((await self.put(`${url}/tags`, { tagIds: [tag.id] })).status).toBe(expected)
    expect((await self.patch(url, { lifecycle: 'alumni' }, { 'if-match': '"1"' })).status).toBe(expected)
    expect((await boss.patch(`${url}/private`, { deceasedOn: '2026-01-01' })).status).toBe(200)
    expect(await self.patch(`${url}/private`, { deceasedOn: null })).toMatchObject(refused)
  }
})

test('whether somebody counts as a minor is changed by officers, not by themselves', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const day = (years: number, days = 0) => {
    const date = new Date()
    date.setUTCFullYear(date.getUTCFullYear() - years)
    date.setUTCDate(date.getUTCDate() + days)
    return date.toISOString().slice(0, 10)
  }
  for (const idpRoles of [[], ['org-owner']]) {
    const me = await person({ org, idpRoles })
    const url = `/data/people/${me.personId}/private`
    const self = api.as(me)
    const change = async (birthDate: string | null) => {
      const { status, body } = await self.patch(url, { birthDate })
      return status === 200 ? 200 : [status, (body as { reason?: string }).reason]
    }
    const refused = [403, 'person_own_majority']
    // Of age, or not known not to be.
    expect(await change(day(10))).toEqual(refused)
    expect(await change(day(30))).toBe(200)
    expect(await change(day(31))).toBe(200)
    expect(await change(day(10))).toEqual(refused)
    expect(await change(null)).toBe(200)
    // A minor.
    expect((await boss.patch(url, { birthDate: day(10) })).status).toBe(200)
    expect(await change(day(30))).toEqual(refused)
    expect(await change(null)).toEqual(refused)
    // Neither by way of being of age tomorrow.
    expect(await change(day(18, 1))).toEqual(refused)
    expect(await change(day(9))).toBe(200)
    expect((await self.patch(url, { gender: 'x' })).status).toBe(200)
    expect((await boss.patch(url, { birthDate: day(30) })).status).toBe(200)
    expect((await read(boss, me.personId)).isMinor).toBe(false)
  }
})
