import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
type Entry = { seq: number; entity: string; action: string; subject: string | null }
const entries = (answer: { body: unknown }) => (answer.body as { items: Entry[] }).items

describe('the audit log', () => {
  test('says who changed what, newest first, and is filtered and paged', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = await person({ org, idpRoles: ['org-admin'], givenName: 'Ana' })
    const me = api.as(boss)
    await me.patch(`/data/chapters/${west}`, { about: 'By the sea' }, match(1))
    await me.post('/data/groups', { name: 'Choir' })
    const [newest, before] = entries(await me.get(`/data/audit?accountId=${boss.accountId}`))
    expect(newest).toMatchObject({
      entity: 'groups',
      action: 'create',
      subject: 'Choir',
      actor: { name: expect.stringContaining('Ana'), personId: boss.personId },
    })
    expect(before).toMatchObject({
      entity: 'chapters',
      action: 'update',
      subject: 'West',
      chapter: { id: west },
      changes: [{ field: 'about', before: '', after: 'By the sea' }],
      requestId: expect.any(String),
    })
    expect(entries(await me.get('/data/audit?entity=groups'))).toHaveLength(1)
    expect(entries(await me.get(`/data/audit?entityId=${west}&action=update`))).toHaveLength(1)
    expect(entries(await me.get(`/data/audit?from=${day(1)}`))).toHaveLength(0)
    expect(entries(await me.get(`/data/audit?from=${day(0)}&until=${day(0)}&entity=groups`))).toHaveLength(1)
    const first = (await me.get('/data/audit?limit=1')).body as { nextCursor: string }
    expect(entries(await me.get(`/data/audit?limit=1&cursor=${first.nextCursor}`))[0]).toMatchObject({ entity: 'chapters' })
    expect(await me.get('/data/audit?action=burn')).toMatchObject({ status: 422 })
  })

  test('shows officers what concerns their chapters, members what concerns themselves, strangers nothing', async ({
    api,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    const member = api.as(await person({ org, chapterId: east }))
    const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
    for (const id of [west, east]) await boss.patch(`/data/chapters/${id}`, { about: 'New' }, match(1))
    const updates = async (client: typeof boss) =>
      entries(await client.get('/data/audit?entity=chapters&action=update')).map(({ subject }) => subject)
    expect(await updates(boss)).toEqual(['East', 'West'])
    expect(await updates(officer)).toEqual(['West'])
    expect(await updates(member)).toEqual([])
    expect(await updates(stranger)).toEqual([])
    expect(entries(await officer.get('/data/audit?entity=grants'))).toEqual([])
    expect(entries(await member.get('/data/audit?entity=people'))).toHaveLength(1)
  })

  test('notices an entry that was changed behind its back', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    await me.post('/data/groups', { name: 'Choir' })
    expect(await me.get('/data/audit/verification')).toMatchObject({
      status: 200,
      body: { firstBroken: null, checked: expect.any(Number) },
    })
    const { rows } = await admin.query(
      `update app.audit_entries set diff = '{"name": [null, "Band"]}' where org_id = $1 and entity = 'groups' returning seq::int`,
      [org.id],
    )
    expect(await me.get('/data/audit/verification')).toMatchObject({ body: { firstBroken: rows[0].seq } })
    expect(await api.as(await person({ org })).get('/data/audit/verification')).toMatchObject({ status: 403 })
  })

  test('keeps hidden groups and minors from whoever may see contact data but not them', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    const finance = api.as(await person({ org, chapterId: null, grants: [{ role: 'finance' }] }))
    const member = await person({ org, givenName: 'Ann' })
    for (const visibility of ['members', 'private', 'secret']) {
      const group = (await me.post('/data/groups', { name: `${visibility} circle`, visibility })).body as { id: string }
      await me.post(`/data/groups/${group.id}/members`, { personId: member.personId, title: `${visibility} title` })
    }
    const child = { givenName: 'Tim', familyName: 'Young', chapterId: org.rootChapterId, emails: [{ address: 'tim@example.org' }] }
    await me.post('/data/people', { ...child, private: { birthDate: day(-3_650) } })
    for (const url of ['/data/audit?limit=200', `/data/people/${member.personId}/history`, `/data/people/${member.personId}/overview`]) {
      const { text } = await finance.get(url)
      expect(text).toContain('members title')
      expect(text).not.toMatch(/private title|secret title|secret circle|Young|tim@/)
    }
    expect((await me.get('/data/audit?limit=200')).text).toMatch(/secret title.*|Young/)
  })
})
