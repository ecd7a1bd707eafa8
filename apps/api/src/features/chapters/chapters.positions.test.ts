import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'

const nobody = '01920000-0000-7000-8000-000000000000'
const match = (version: number) => ({ 'if-match': `"${version}"` })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
type Made = { id: string; version: number }

const roleId = async (admin: { query(sql: string, values: unknown[]): Promise<{ rows: { id: string }[] }> }, orgId: string, key: string) =>
  (await admin.query('select id from app.roles where org_id = $1 and key = $2', [orgId, key])).rows[0]?.id

describe('an office', () => {
  test('is defined, changed and removed by whoever appoints there', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const me = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const url = `/data/chapters/${west}/positions`
    const made = await me.post(url, { title: 'Treasurer', termMonths: 12, mandatory: true })
    expect(made).toMatchObject({ status: 201, body: { title: 'Treasurer', holders: 0, maxHolders: 1, role: null } })
    const { id } = made.body as Made
    expect(await me.post(url, { title: 'treasurer' })).toMatchObject({
      status: 409,
      body: { reason: 'duplicate_title', errors: [{ path: 'title' }] },
    })
    expect(await me.patch(`${url}/${id}`, { maxHolders: 2 }, match(1))).toMatchObject({ status: 200, body: { maxHolders: 2, version: 2 } })
    expect(await me.patch(`${url}/${id}`, { maxHolders: 3 }, match(1))).toMatchObject({ status: 412 })
    expect(await me.patch(`${url}/${id}`, { maxHolders: 0 }, match(2))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'maxHolders' }] },
    })
    expect(await me.get(url)).toMatchObject({ body: { items: [{ title: 'Treasurer', mandatory: true }] } })
    expect(await me.del(`${url}/${id}`)).toMatchObject({ status: 204 })
    expect(await me.del(`${url}/${id}`)).toMatchObject({ status: 404 })
    expect(await me.post(`/data/chapters/${nobody}/positions`, { title: 'X' })).toMatchObject({ status: 404 })
  })

  test('of another part of the tree is out of reach', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const me = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    expect(await me.post(`/data/chapters/${east}/positions`, { title: 'President' })).toMatchObject({ status: 403 })
    expect(await me.post(`/data/chapters/${org.rootChapterId}/positions`, { title: 'President' })).toMatchObject({ status: 403 })
  })

  test('with a history stays', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const me = api.as(boss)
    const url = `/data/chapters/${org.rootChapterId}/positions`
    const { id } = (await me.post(url, { title: 'Chair' })).body as Made
    await me.post(`${url}/${id}/holders`, { personId: boss.personId, startsOn: '2020-01-01', endsOn: '2020-12-31' })
    expect(await me.del(`${url}/${id}`)).toMatchObject({ status: 409, body: { reason: 'position_held' } })
  })
})

describe('appointing', () => {
  test('fills the office for its usual term; history keeps who was before', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const [ada, ben, cleo] = [
      await person({ org, chapterId: west, givenName: 'Ada' }),
      await person({ org, chapterId: west, givenName: 'Ben' }),
      await person({ org, chapterId: west, givenName: 'Cleo' }),
    ]
    const url = `/data/chapters/${west}/positions`
    const { id } = (await me.post(url, { title: 'Chair', termMonths: 12, mandatory: true })).body as Made
    const holders = `${url}/${id}/holders`
    expect(await me.get(`/data/chapters/${west}/officers`)).toMatchObject({
      body: { items: [], vacancies: [{ title: 'Chair', openSeats: 1 }] },
    })
    expect(await me.post(holders, { personId: ada.personId, startsOn: '2020-07-01' })).toMatchObject({
      status: 201,
      body: { endsOn: '2021-06-30', when: 'past' },
    })
    const now = await me.post(holders, { personId: ben.personId, endsOn: day(30) })
    expect(now).toMatchObject({ status: 201, body: { startsOn: day(0), when: 'current' } })
    expect(await me.post(holders, { personId: cleo.personId, startsOn: day(10) })).toMatchObject({
      status: 409,
      body: { reason: 'position_holders_seats', detail: 'The office is taken in that time.' },
    })
    expect(await me.post(holders, { personId: cleo.personId, startsOn: day(31) })).toMatchObject({ status: 201, body: { when: 'future' } })
    const officers = async (when: string) => (await me.get(`/data/chapters/${west}/officers?when=${when}`)).body
    expect(await officers('current')).toMatchObject({ items: [{ person: { id: ben.personId } }], vacancies: [], total: 1 })
    expect(await officers('upcoming')).toMatchObject({ items: [{ person: { id: cleo.personId } }] })
    expect(await officers('history')).toMatchObject({ items: [{ person: { id: ada.personId } }] })
    expect(await me.get(`/data/chapters/${west}/officers?q=ben`)).toMatchObject({ body: { items: [{ person: { id: ben.personId } }] } })

    const term = `${holders}/${(now.body as Made).id}`
    expect(await me.patch(term, { endsOn: '2019-01-01' }, match(1))).toMatchObject({ status: 422, body: { errors: [{ path: 'endsOn' }] } })
    expect(await me.patch(term, { endsOn: day(0), note: 'moved away' }, match(1))).toMatchObject({
      status: 200,
      body: { endsOn: day(0), note: 'moved away', version: 2 },
    })
    expect(await me.patch(term, { endsOn: null }, match(1))).toMatchObject({ status: 412 })
    expect(await me.del(term)).toMatchObject({ status: 204 })
    expect(await me.del(term)).toMatchObject({ status: 404 })
  })

  test('refuses a person who is not there, a non-member in a members’ office, and another chapter’s office', async ({
    api,
    admin,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const foreigner = await person({ org: await organisation() })
    const advisor = await person({ org, chapterId: west })
    await admin.query(`update app.affiliations set kind = 'advisor' where person_id = $1`, [advisor.personId])
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const me = api.as(boss)
    const url = `/data/chapters/${west}/positions`
    const { id } = (await me.post(url, { title: 'Secretary', memberOnly: true })).body as Made
    expect(await me.post(`${url}/${id}/holders`, { personId: foreigner.personId })).toMatchObject({
      status: 422,
      body: { reason: 'person_not_found' },
    })
    expect(await me.post(`${url}/${id}/holders`, { personId: advisor.personId })).toMatchObject({
      status: 422,
      body: { reason: 'position_holders_member_only' },
    })
    expect(await me.post(`/data/chapters/${org.rootChapterId}/positions/${id}/holders`, { personId: boss.personId })).toMatchObject({
      status: 404,
    })
    expect(await me.post(`${url}/${id}/holders`, { personId: boss.personId, startsOn: '2026-02-30' })).toMatchObject({ status: 422 })
  })

  test('counts heads when seats are taken away', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const url = `/data/chapters/${org.rootChapterId}/positions`
    const { id } = (await me.post(url, { title: 'Auditor', maxHolders: 2 })).body as Made
    for (const someone of [await person({ org }), await person({ org })])
      await me.post(`${url}/${id}/holders`, { personId: someone.personId })
    expect(await me.patch(`${url}/${id}`, { maxHolders: 1 }, match(1))).toMatchObject({ status: 409, body: { reason: 'seats_in_use' } })
  })
})

describe('nobody gives themselves rights', () => {
  test('by an office with a role above their own', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const me = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const url = `/data/chapters/${west}/positions`
    expect(await me.post(url, { title: 'Sovereign', roleId: await roleId(admin, org.id, 'org-admin') })).toMatchObject({
      status: 403,
      body: { detail: expect.stringContaining('rights that you do not hold') },
    })
    const own = await roleId(admin, org.id, 'chapter-admin')
    const { id } = (await me.post(url, { title: 'Deputy', roleId: own })).body as Made
    expect(id).toBeTruthy()
    expect(await me.patch(`${url}/${id}`, { roleId: await roleId(admin, org.id, 'safeguarding') }, match(1))).toMatchObject({ status: 403 })
  })

  test('by appointing themselves, prolonging their own term, or giving their own office a role', async ({
    api,
    admin,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const own = await roleId(admin, org.id, 'chapter-admin')
    const someone = await person({ org, chapterId: west })
    const { rows } = await admin.query<{ id: string; term: string }>(
      `with s as (insert into app.positions (org_id, chapter_id, title, role_id) values ($1, $2, 'President', $4) returning id)
       insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) select $1, s.id, $3, '2020-01-01', current_date from s
       returning position_id as id, id as term`,
      [org.id, west, someone.personId, own],
    )
    const { id = '', term = '' } = rows[0] ?? {}
    const me = api.as(someone)
    const url = `/data/chapters/${west}/positions`
    const prolonged = await me.patch(`${url}/${id}/holders/${term}`, { endsOn: '2099-12-31' }, match(1))
    expect(prolonged).toMatchObject({ status: 403, body: { detail: 'Nobody appoints themselves.' } })
    const deputy = ((await me.post(url, { title: 'Deputy', roleId: own })).body as Made).id
    expect(await me.post(`${url}/${deputy}/holders`, { personId: someone.personId })).toMatchObject({ status: 403 })
    const plain = ((await me.post(url, { title: 'Archivist' })).body as Made).id
    expect(await me.post(`${url}/${plain}/holders`, { personId: someone.personId, endsOn: null })).toMatchObject({ status: 201 })
    expect(await me.patch(`${url}/${plain}`, { roleId: own }, match(1))).toMatchObject({
      status: 403,
      body: { detail: 'Nobody changes the rights of their own office.' },
    })
  })

  test('by a term that ended yesterday', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const someone = await person({ org, chapterId: west })
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title, role_id) values ($1, $2, 'President', $4) returning id)
       insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) select $1, s.id, $3, '2020-01-01', $5 from s`,
      [org.id, west, someone.personId, await roleId(admin, org.id, 'chapter-admin'), day(-1)],
    )
    expect(await api.as(someone).post(`/data/chapters/${west}/positions`, { title: 'X' })).toMatchObject({ status: 403 })
  })

  test.for(['finance', 'communications', 'event-manager', 'member'])('as %s', async (role, { api, organisation, person }) => {
    const org = await organisation()
    const someone = await person({ org, grants: [{ role }] })
    expect(await api.as(someone).post(`/data/chapters/${org.rootChapterId}/positions`, { title: 'X' })).toMatchObject({ status: 403 })
  })
})
