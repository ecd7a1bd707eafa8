import type { Home } from '@guildhall/contract/features/home'
import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
const homeOf = async (client: Client, query = ''): Promise<Home> => (await client.get(`/data/home${query}`)).body
const thisMonth = () => day(0).slice(0, 7)

describe('home of the organisation', () => {
  test('counts members, joins and leaves by month, and what needs attention', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const newcomer = await person({ org, chapterId: west })
    await admin.query(`update app.affiliations set starts_on = $2 where person_id = $1`, [newcomer.personId, `${thisMonth()}-01`])
    await admin.query(`update app.people set joined_on = $2 where id = $1`, [newcomer.personId, `${thisMonth()}-01`])
    const leaver = await person({ org, chapterId: west })
    await admin.query(
      `update app.affiliations set ends_on = (date_trunc('month', current_date) - interval '1 month')::date where person_id = $1`,
      [leaver.personId],
    )
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title, mandatory) values ($1, $2, 'President', true), ($1, $2, 'Treasurer', true) returning id, title)
       insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) select $1, s.id, $3, '2020-01-01', $4 from s where title = 'President'`,
      [org.id, west, newcomer.personId, day(20)],
    )
    await admin.query(`insert into app.people (org_id, given_name) values ($1, 'Nomad')`, [org.id])
    expect((await homeOf(api.as(boss))).dataHealth).toBeNull()
    await admin.query('select app.refresh_data_health($1)', [org.id])
    const home = await homeOf(api.as(boss))
    expect(home).toMatchObject({
      scope: 'organisation',
      dataHealth: { people: 4, withoutEmail: 4, withoutChapter: 1, countedAt: expect.any(String) },
      scopes: { organisation: true, chapters: [] },
      today: day(0),
      members: { current: 2, alumni: 0, newThisMonth: 1, netChange: 0 },
      endingTerms: {
        total: 1,
        items: [{ position: { title: 'President' }, person: { id: newcomer.personId }, endsOn: day(20), chapter: { id: west } }],
      },
      vacancies: { total: 1, items: [{ title: 'Treasurer', openSeats: 1 }] },
      birthdays: [],
    })
    expect(home.members?.months).toHaveLength(12)
    expect(home.members?.months.slice(-2)).toMatchObject([{ leaves: 1 }, { month: thisMonth(), joins: 1, leaves: 0 }])
    expect(home.recentChanges.length).toBeGreaterThan(0)
  })

  test('counts as many people without an address as the list behind the figure holds', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const reachable = await person({ org })
    await person({ org })
    await person({ org })
    await admin.query(`insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'ann@example.org', true)`, [
      org.id,
      reachable.personId,
    ])
    await admin.query(`insert into app.people (org_id, given_name, lifecycle) values ($1, 'Late', 'deceased')`, [org.id])
    await admin.query('select app.refresh_data_health($1)', [org.id])
    const { dataHealth } = await homeOf(api.as(boss))
    const filter = {
      and: [
        { or: [{ field: 'hasEmail', op: 'is', value: false }] },
        { or: [{ field: 'lifecycle', op: 'notIn', value: ['deceased', 'merged', 'erased'] }] },
      ],
    }
    const list: { items: unknown[] } = (await api.as(boss).get(`/data/people?filter=${encodeURIComponent(JSON.stringify(filter))}`)).body
    expect(dataHealth).toMatchObject({ people: 4, withoutEmail: 3 })
    expect(list.items).toHaveLength(3)
  })

  test('follows memberships that are changed and removed', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { personId } = await person({ org })
    const joins = async () => (await homeOf(me)).members?.months.at(-1)?.joins
    expect(await joins()).toBe(0)
    await admin.query(`update app.affiliations set starts_on = $2 where person_id = $1`, [personId, `${thisMonth()}-01`])
    expect(await joins()).toBe(1)
    await admin.query(`update app.affiliations set kind = 'alumni' where person_id = $1`, [personId])
    expect(await joins()).toBe(0)
    await admin.query(`update app.affiliations set kind = 'member' where person_id = $1`, [personId])
    await admin.query(`delete from app.affiliations where person_id = $1`, [personId])
    expect(await joins()).toBe(0)
  })

  test('starts with a checklist until every step is done', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const steps = async () => (await homeOf(me)).gettingStarted?.filter(({ done }) => done).map(({ step }) => step)
    expect(await steps()).toEqual([])
    await chapter(org, 'West')
    await me.post('/data/groups', { name: 'Choir' })
    await person({ org })
    expect(await steps()).toEqual(['chapters', 'people', 'groups'])
    const { version } = (await me.get('/data/organisation')).body as { version: number }
    await me.patch('/data/organisation', { contactEmail: 'office@example.org' }, { 'if-match': `"${version}"` })
    const { id } = (await me.post(`/data/chapters/${org.rootChapterId}/positions`, { title: 'Chair' })).body as { id: string }
    await me.post(`/data/chapters/${org.rootChapterId}/positions/${id}/holders`, { personId: (await person({ org })).personId })
    expect((await homeOf(me)).gettingStarted).toBeNull()
    expect((await homeOf(api.as(await person({ org })))).gettingStarted).toBeNull()
  })
})

describe('home of a chapter', () => {
  test('counts the chapter with everything below it, for its officers only', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const harbour = await chapter(org, 'Harbour', west)
    await person({ org, chapterId: harbour })
    await person({ org, chapterId: east })
    const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const own = {
      scope: 'chapter',
      chapter: { id: west },
      scopes: { organisation: false, chapters: [{ id: west }] },
      members: { current: 2 },
    }
    expect(await homeOf(officer)).toMatchObject(own)
    expect(await homeOf(officer, '?scope=organisation')).toMatchObject(own)
    expect(await homeOf(officer, `?scope=chapter&chapterId=${east}`)).toMatchObject(own)
    expect(await homeOf(officer, `?scope=chapter&chapterId=${harbour}`)).toMatchObject({
      chapter: { id: harbour },
      members: { current: 1 },
    })
    expect(await homeOf(officer, '?scope=me')).toMatchObject({
      scope: 'me',
      members: null,
      vacancies: null,
      endingTerms: null,
      dataHealth: null,
    })
  })

  test('is lost with the term that gave it', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const former = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west, endsOn: day(-1) }] })
    expect(await homeOf(api.as(former), `?scope=chapter&chapterId=${west}`)).toMatchObject({ scope: 'me', members: null })
  })

  test('tells birthdays to those who may know them, across the turn of a month', async ({ api, admin, organisation, chapter, person }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const birth = async (chapterId: string, offset: number) => {
      const { personId } = await person({ org, chapterId })
      await admin.query(`insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, $3)`, [
        org.id,
        personId,
        `1980${day(offset).slice(4)}`,
      ])
      return personId
    }
    const [soon, sooner] = [await birth(west, 13), await birth(west, 0)]
    await birth(west, 14)
    await birth(east, 1)
    const officer = { org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }
    expect((await homeOf(api.as(await person(officer)))).birthdays).toBeNull()
    const guardian = await person({ ...officer, grants: [...officer.grants, { role: 'safeguarding', chapterId: west }] })
    expect((await homeOf(api.as(guardian))).birthdays).toMatchObject([
      { person: { id: sooner }, on: day(0) },
      { person: { id: soon }, on: day(13) },
    ])
  })
})

describe('home of a person', () => {
  test('shows own chapters, offices and groups, and no officer’s numbers', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const someone = await person({ org })
    const { id: groupId } = (await boss.post('/data/groups', { name: 'Choir' })).body as { id: string }
    await boss.post(`/data/groups/${groupId}/members`, { personId: someone.personId, role: 'leader', title: 'Conductor' })
    await admin.query(
      `with s as (insert into app.positions (org_id, chapter_id, title) values ($1, $2, 'Archivist') returning id)
       insert into app.position_holders (org_id, position_id, person_id, starts_on) select $1, s.id, $3, '2020-01-01' from s`,
      [org.id, org.rootChapterId, someone.personId],
    )
    expect(await homeOf(api.as(someone))).toMatchObject({
      scope: 'me',
      scopes: { organisation: false, chapters: [] },
      me: {
        person: { id: someone.personId },
        chapters: [{ id: org.rootChapterId, kind: 'member', isPrimary: true }],
        positions: [{ title: 'Archivist' }],
        groups: [{ name: 'Choir', role: 'leader', title: 'Conductor', status: 'active' }],
      },
      members: null,
      birthdays: null,
      requests: { total: 0, items: [] },
    })
  })

  test('shows who waits to be let into the caller’s groups, and nobody else’s', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const leader = await person({ org })
    const asking = await person({ org })
    for (const name of ['Choir', 'Band']) {
      const { id } = (await boss.post('/data/groups', { name, joinPolicy: 'request' })).body as { id: string }
      if (name === 'Choir') await boss.post(`/data/groups/${id}/members`, { personId: leader.personId, role: 'leader' })
      await api.as(asking).post(`/data/groups/${id}/join`)
    }
    expect((await homeOf(api.as(leader))).requests).toMatchObject({
      total: 1,
      items: [{ group: { name: 'Choir' }, person: { id: asking.personId } }],
    })
    expect((await homeOf(boss)).requests.total).toBe(2)
    expect((await homeOf(api.as(asking))).requests.total).toBe(0)
  })

  test('is empty for an account without a person and closed without an account', async ({ api, organisation, person }) => {
    const guest = await person({ org: await organisation(), chapterId: null })
    expect(await homeOf(api.as(guest))).toMatchObject({ scope: 'me', me: null, recentChanges: [] })
    expect(await api.as(null).get('/data/home')).toMatchObject({ status: 401 })
    expect(await api.as(guest).get('/data/home?scope=world')).toMatchObject({ status: 422 })
  })
})
