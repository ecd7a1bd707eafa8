import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { mailTemplates } from '../../mails.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { sendDue } from '../../platform/mail/outbox.ts'
import { createServices } from '../../platform/services.ts'
import { test as base } from '../../testing.ts'
import type { TestOrganisation, TestPerson } from '../../testing.ts'
import { queueDigests, tellEndingTerms } from './notifications.queries.ts'

type Row = {
  id: string
  kind: string
  person: { displayName: string } | null
  group: { name: string } | null
  readAt: string | null
  params: unknown
}
type Page = { items: Row[]; nextCursor: string | null; total: number }

const test = base.extend<{
  /** What was mailed to an address, and the worker that mails. */
  post: { run<T>(work: (services: ReturnType<typeof createServices>) => Promise<T>): Promise<T>; to(address: string): Promise<Mail[]> }
  council: (
    org: TestOrganisation,
  ) => Promise<{ groupId: string; leader: TestPerson & { email: string }; asks: TestPerson & { email: string } }>
}>({
  post: async ({ api }, use) => {
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: Mail[] = []
    const mailer = { ...worker.mailer, send: async (mail: Mail) => void sent.push(mail) }
    await use({
      run: (work) => work(worker),
      async to(address) {
        for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
        return sent.filter(({ to }) => to === address)
      },
    })
    await worker.close()
  },
  council: async ({ api, admin, person }, use) => {
    await use(async (org) => {
      const boss = await person({ org, idpRoles: ['org-admin'] })
      const [leaderMail, askMail] = [`${randomUUID()}@example.org`, `${randomUUID()}@example.org`]
      const leader = { ...(await person({ org, givenName: 'Lea', email: leaderMail })), email: leaderMail }
      const asks = { ...(await person({ org, givenName: 'Ada', familyName: 'Asks', email: askMail })), email: askMail }
      const { id: groupId } = (
        await api.as(boss).post('/data/groups', { name: 'Council', kind: 'committee', visibility: 'members', joinPolicy: 'request' })
      ).body as { id: string }
      await admin.query(
        `insert into app.group_members (org_id, group_id, person_id, role, status) values ($1, $2, $3, 'leader', 'active')`,
        [org.id, groupId, leader.personId],
      )
      return { groupId, leader, asks }
    })
  },
})

const inbox = async (client: { get(url: string): Promise<{ body: unknown }> }, query = '') =>
  (await client.get(`/data/notifications${query}`)).body as Page

describe('a request to join a group', () => {
  test('reaches its leaders in their inbox and by mail, and its answer the person who asked', async ({
    api,
    organisation,
    council,
    post,
  }) => {
    const { groupId, leader, asks } = await council(await organisation())
    const [led, asking] = [api.as(leader), api.as(asks)]
    expect(await asking.post(`/data/groups/${groupId}/join`)).toMatchObject({ status: 200 })
    expect((await led.get('/data/notifications/count')).body).toEqual({ unread: 1 })
    expect(await inbox(led)).toMatchObject({
      total: 1,
      items: [{ kind: 'group-request', person: { displayName: 'Ada Asks' }, group: { name: 'Council' }, readAt: null }],
    })
    // Nobody is told of their own doing.
    expect(await inbox(asking)).toMatchObject({ items: [] })
    expect(await post.to(leader.email)).toMatchObject([
      {
        subject: 'Ada Asks asks to join Council',
        text: expect.stringContaining(`/groups/${groupId}?view=members&status=requested`),
        unsubscribeUrl: expect.any(String),
      },
    ])

    const waiting = (await led.get(`/data/groups/${groupId}/members?status=requested`)).body as { items: { id: string }[] }
    expect(await led.post(`/data/groups/${groupId}/members/${waiting.items[0]?.id}/approve`)).toMatchObject({ status: 200 })
    expect(await inbox(asking)).toMatchObject({
      items: [{ kind: 'group-answer', params: { outcome: 'admitted' }, group: { name: 'Council' } }],
    })
    expect(await post.to(asks.email)).toMatchObject([{ subject: 'Your request to join Council was approved' }])
  })

  test('is told without the name of somebody whom its reader may no longer see, in the inbox and in the mail', async ({
    api,
    admin,
    organisation,
    council,
    post,
  }) => {
    const { groupId, leader, asks } = await council(await organisation())
    await api.as(asks).post(`/data/groups/${groupId}/join`)
    await admin.query(`update app.people set minor_until = '2999-01-01' where id = $1`, [asks.personId])
    expect((await inbox(api.as(leader))).items[0]?.person).toBeNull()
    const [mail] = await post.to(leader.email)
    expect(mail?.subject).toBe('Someone asks to join Council')
    expect(JSON.stringify(mail)).not.toContain('Ada')
  })
})

describe('the inbox', () => {
  test('is its owner’s alone, is read a page at a time, and marked one by one or as a whole', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const [me, other] = [await person({ org }), await person({ org, idpRoles: ['org-owner'] })]
    await admin.query(
      `insert into app.notifications (org_id, account_id, kind, in_inbox, mail, params) select $1, $2, 'import-finished', n <> 5, 'off', '{"outcome": "done", "file": "a.csv"}' from generate_series(1, 5) n`,
      [org.id, me.accountId],
    )
    const first = await inbox(api.as(me), '?limit=3')
    expect(first.items).toHaveLength(3)
    expect((await inbox(api.as(me), `?limit=3&cursor=${encodeURIComponent(first.nextCursor ?? '')}`)).items).toHaveLength(1)
    expect((await inbox(api.as(other))).items).toEqual([])
    const one = first.items[0]?.id
    expect((await api.as(other).post('/data/notifications/read', { ids: [one] })).body).toEqual({ unread: 0 })
    expect((await api.as(me).get('/data/notifications/count')).body).toEqual({ unread: 4 })
    expect((await api.as(me).post('/data/notifications/read', { ids: [one] })).body).toEqual({ unread: 3 })
    expect((await api.as(me).post('/data/notifications/read', { ids: [one], read: false })).body).toEqual({ unread: 4 })
    expect((await api.as(me).post('/data/notifications/read', {})).body).toEqual({ unread: 0 })
    expect((await inbox(api.as(me), '?unread=true')).items).toEqual([])
  })
})

describe('preferences', () => {
  test('decide between inbox, mail at once, digest and nothing; what is essential stays on', async ({
    api,
    organisation,
    council,
    post,
    admin,
  }) => {
    const org = await organisation()
    const { groupId, leader, asks } = await council(org)
    const led = api.as(leader)
    expect((await led.get('/data/notifications/preferences')).body).toMatchObject({
      items: expect.arrayContaining([
        { kind: 'group-request', inInbox: true, mail: 'instant', essential: false },
        { kind: 'term-ending', inInbox: true, mail: 'instant', essential: true },
      ]),
    })
    expect(await led.put('/data/notifications/preferences/term-ending', { inInbox: false, mail: 'off' })).toMatchObject({
      status: 409,
      body: { reason: 'notification_essential' },
    })
    const prefer = (mail: string, inInbox = true) => led.put('/data/notifications/preferences/group-request', { inInbox, mail })
    const ask = async () => {
      await admin.query(`delete from app.group_members where group_id = $1 and role = 'member'`, [groupId])
      expect(await api.as(asks).post(`/data/groups/${groupId}/join`)).toMatchObject({ status: 200 })
    }
    expect(await prefer('off', false)).toMatchObject({ status: 200 })
    await ask()
    expect((await inbox(led)).total).toBe(0)
    expect(await post.to(leader.email)).toEqual([])
    await prefer('daily')
    await ask()
    await ask()
    expect((await inbox(led)).total).toBe(2)
    expect(await post.to(leader.email)).toEqual([])
    const digest = (how: 'daily' | 'weekly', day: string) =>
      post.run(({ database }) => database.withoutActor((db) => queueDigests(db, org.id, how, day)))
    expect(await digest('weekly', '2026-11-23')).toBe(0)
    expect(await digest('daily', '2026-11-23')).toBe(1)
    expect(await digest('daily', '2026-11-23')).toBe(0)
    expect(await post.to(leader.email)).toMatchObject([
      { subject: expect.stringMatching(/^2 notifications from /), text: expect.stringContaining('Ada Asks asks to join Council.') },
    ])
    // What was read meanwhile is no news.
    await ask()
    await led.post('/data/notifications/read', {})
    expect(await digest('daily', '2026-11-24')).toBe(0)
  })
})

test('the end of a term is told 30 days before to its holder and the officers of the chapter, once', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
  post,
}) => {
  const org = await organisation()
  const lyon = await chapter(org, 'Lyon')
  const address = () => `${randomUUID()}@example.org`
  const [holder, officer, member] = [
    await person({ org, chapterId: lyon, givenName: 'Hana', email: address() }),
    await person({ org, chapterId: lyon, email: address() }),
    await person({ org, chapterId: lyon }),
  ]
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.positions (org_id, chapter_id, title, role_id) select $1, $2, t, (select id from app.roles where org_id = $1 and key = 'chapter-admin') from unnest(array['Treasurer', 'Chair']) t returning id`,
    [org.id, lyon],
  )
  await admin.query(
    `insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) values ($1, $2, $3, '2026-01-01', '2026-12-20'), ($1, $4, $5, '2026-01-01', '2027-12-31')`,
    [org.id, rows[0]?.id, holder.personId, rows[1]?.id, officer.personId],
  )
  const tell = (day: string) => post.run(({ database }) => database.withoutActor((db) => tellEndingTerms(db, org.id, day)))
  expect(await tell('2026-11-19')).toBe(0)
  expect(await tell('2026-11-20')).toBe(2)
  expect(await tell('2026-11-21')).toBe(0)
  for (const told of [holder, officer])
    expect(await inbox(api.as(told))).toMatchObject({ items: [{ kind: 'term-ending', params: { title: 'Treasurer', on: '2026-12-20' } }] })
  expect((await inbox(api.as(member))).items).toEqual([])
})

test('a holder without an account is mailed; one without an address too is told of to administrators', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
  post,
}) => {
  const org = await organisation()
  const lyon = await chapter(org, 'Lyon')
  const boss = await person({ org, idpRoles: ['org-admin'] })
  const address = `${randomUUID()}@example.org`
  const holds = async (name: string, mail?: string) => {
    const { rows } = await admin.query<{ id: string }>(
      `with p as (insert into app.people (org_id, given_name) values ($1, $2) returning id),
         e as (insert into app.person_emails (org_id, person_id, address, is_primary) select $1, id, $3, true from p where $3::text is not null),
         s as (insert into app.positions (org_id, chapter_id, title) values ($1, $4, 'Treasurer ' || $2) returning id)
       insert into app.position_holders (org_id, position_id, person_id, starts_on, ends_on) select $1, s.id, p.id, '2026-01-01', '2026-12-20' from p, s returning id`,
      [org.id, name, mail, lyon],
    )
    return rows[0]?.id ?? ''
  }
  await holds('Hana', address)
  await holds('Hugo')
  const tell = () => post.run(({ database }) => database.withoutActor((db) => tellEndingTerms(db, org.id, '2026-11-20')))
  expect([await tell(), await tell()]).toEqual([1, 0])
  expect(await post.to(address)).toMatchObject([
    { subject: 'Your term as Treasurer Hana in Lyon ends on December 20, 2026', text: expect.not.stringContaining('nsubscribe') },
  ])
  expect((await inbox(api.as(boss))).items).toMatchObject([{ kind: 'term-ending', person: { displayName: 'Hugo' } }])

  // A term that was prolonged before the mail left has no end to tell of.
  const late = `${randomUUID()}@example.org`
  const holder = await holds('Lina', late)
  await tell()
  await admin.query(`update app.position_holders set ends_on = '2027-12-31' where id = $1`, [holder])
  expect(await post.to(late)).toEqual([])
})
