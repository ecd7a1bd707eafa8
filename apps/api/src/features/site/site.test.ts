import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { createApp } from '../../app.ts'
import { mailTemplates } from '../../mails.ts'
import { createServices } from '../../platform/services.ts'
import type { Services } from '../../platform/services.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { sendDue } from '../../platform/mail/outbox.ts'
import { test as base } from '../../testing.ts'
import type { TestOrganisation, TestPerson } from '../../testing.ts'

/** The public pages of an installation that serves one organisation: whoever asks need not say which. */
const test = base.extend<{
  pages: (orgId: string, ip?: string) => Promise<{ get(url: string): Promise<Answer>; post(url: string, body: unknown): Promise<Answer> }>
}>({
  pages: async ({ api }, use) => {
    const apps: { close(): Promise<void> }[] = []
    await use(async (orgId, ip = '203.0.113.7') => {
      const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: orgId } })
      apps.push(app)
      const answer = ({ statusCode, body }: { statusCode: number; body: string }): Answer => ({
        status: statusCode,
        body: JSON.parse(body),
      })
      return {
        get: async (url) => answer(await app.inject({ method: 'GET', url, remoteAddress: ip })),
        post: async (url, payload) =>
          answer(
            await app.inject({
              method: 'POST',
              url,
              remoteAddress: ip,
              payload: JSON.stringify(payload),
              headers: { 'content-type': 'application/json' },
            }),
          ),
      }
    })
    for (const app of apps) await app.close()
  },
})
type Answer = { status: number; body: { reference?: string; reason?: string; errors?: { path: string }[] } }

const message = { name: 'Ada', email: 'ada@example.org', topic: 'Membership', message: 'How do I join?' }

describe('the contact page', () => {
  test('names the organisation to everybody', async ({ admin, organisation, pages }) => {
    const org = await organisation()
    await admin.query(`update app.organisations set name = 'Society', contact_email = 'office@example.org' where org_id = $1`, [org.id])
    expect(await (await pages(org.id)).get('/data/site/organisation')).toEqual({
      status: 200,
      body: { name: 'Society', locale: 'en', contactEmail: 'office@example.org' },
    })
  })

  test('keeps a message, answers with a reference, and tells each administrator by a mail', async ({
    api,
    admin,
    organisation,
    person,
    pages,
  }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'], email: 'boss@example.org' })
    await person({ org, idpRoles: ['member'], email: 'member@example.org' })
    await admin.query(`update app.organisations set contact_email = 'office@example.org' where org_id = $1`, [org.id])
    const { status, body } = await (await pages(org.id)).post('/actions/site/contact', message)
    expect(status).toBe(201)
    expect(body.reference).toMatch(/^\w{4}-\w{4}$/)
    const inbox = await api.as(boss).get('/data/site/messages')
    expect(inbox).toMatchObject({ status: 200, body: { total: 1, items: [{ ...message, reference: body.reference, handledAt: null }] } })

    const { rows } = await admin.query<{ params: unknown }>(`select params from app.mail_messages where org_id = $1`, [org.id])
    expect(rows).toHaveLength(2)
    expect(JSON.stringify(rows)).not.toContain('@')
    // Without a mail server they wait for one.
    const waiting = await sendAll(api.services, admin, org.id, null)
    expect(waiting.rows).toMatchObject([
      { state: 'queued', outcome: 'no_server' },
      { state: 'queued', outcome: 'no_server' },
    ])
    const { sent } = await sendAll(api.services, admin, org.id)
    expect(sent.map(({ to }) => to).sort()).toEqual(['boss@example.org', 'office@example.org'])
    expect(sent[0]).toMatchObject({
      replyTo: 'ada@example.org',
      subject: `Membership (${body.reference})`,
      text: expect.stringContaining('How do I join?'),
    })

    // One that came before addresses and texts were looked at closely.
    await admin.query(`update app.contact_messages set email = 'a@b.example?bcc=x%40y.example', topic = U&'\\202Eseud' where org_id = $1`, [
      org.id,
    ])
    const [old] = (await sendAll(api.services, admin, org.id)).sent
    expect(old?.replyTo).toBeUndefined()
    expect(old?.subject).toBe(`seud (${body.reference})`)
    // Who is no administrator any more, with the time until the mail left, is not told.
    await admin.query(`update app.organisations set contact_email = null where org_id = $1`, [org.id])
    expect((await sendAll(api.services, admin, org.id)).rows).toMatchObject([{ outcome: '' }, { outcome: 'no_administrator' }])
  })

  test('tells no administrator who lost the role at the provider, or was not here for a month', async ({
    admin,
    organisation,
    person,
    pages,
    token,
    api,
  }) => {
    const org = await organisation()
    await person({ org, idpRoles: ['org-admin'], email: 'boss@example.org' })
    const former = await person({ org, idpRoles: ['org-admin'], email: 'former@example.org' })
    const absent = await person({ org, idpRoles: ['org-owner'], email: 'absent@example.org' })
    const granted = await person({ org, grants: [{ role: 'org-admin' }], email: 'granted@example.org' })
    await admin.query(`update app.accounts set last_login_at = now() - interval '31 days' where id = any ($1)`, [
      [absent.accountId, granted.accountId],
    ])
    const site = await pages(org.id)
    const told = async () => {
      const { body } = await site.post('/actions/site/contact', { ...message, email: `${randomUUID()}@example.org` })
      expect(body).toHaveProperty('reference')
      const { rows } = await admin.query<{ address: string }>('select r as address from app.contact_recipients($1) r order by 1', [org.id])
      const { rows: jobs } = await admin.query<{ n: number }>(`select count(*)::int as n from app.mail_messages where org_id = $1`, [
        org.id,
      ])
      return { addresses: rows.map(({ address }) => address), jobs: jobs[0]?.n }
    }
    expect(await told()).toEqual({ addresses: ['boss@example.org', 'former@example.org', 'granted@example.org'], jobs: 3 })
    // The next sign-in of one of them carries no role any more; the absent one comes back with theirs.
    const signIn = async (who: TestPerson, claims: Record<string, unknown>) =>
      api.as({ ...who, token: await token(who, claims) }).post('/data/rpc/update_account_login')
    const roles = 'urn:zitadel:iam:org:project:guildhall-test:roles'
    expect(await signIn(former, {})).toMatchObject({ status: 204 })
    expect(await signIn(absent, { [roles]: { 'org-owner': { [org.id]: 'test' } } })).toMatchObject({ status: 204 })
    expect((await told()).addresses).toEqual(['absent@example.org', 'boss@example.org', 'granted@example.org'])
  })

  test('is read and ticked off by administrators only', async ({ api, organisation, person, pages }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    await (await pages(org.id)).post('/actions/site/contact', message)
    const [first] = ((await boss.get('/data/site/messages?handled=false')).body as { items: { id: string }[] }).items
    for (const role of ['chapter-admin', 'communications', 'finance', 'member']) {
      const someone = api.as(await person({ org, grants: [{ role }] }))
      expect(await someone.get('/data/site/messages')).toMatchObject({ body: { items: [], total: 0 } })
      expect(await someone.patch(`/data/site/messages/${first?.id}`, { handled: true })).toMatchObject({ status: 404 })
    }
    const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
    expect(await stranger.patch(`/data/site/messages/${first?.id}`, { handled: true })).toMatchObject({ status: 404 })
    expect(await boss.patch(`/data/site/messages/${first?.id}`, { handled: true })).toMatchObject({
      status: 200,
      body: { handledAt: expect.any(String) },
    })
    expect(await boss.get('/data/site/messages?handled=false')).toMatchObject({ body: { total: 0 } })
    expect(await boss.patch(`/data/site/messages/${first?.id}`, { handled: false })).toMatchObject({
      status: 200,
      body: { handledAt: null },
    })
    expect(await api.as(null).get('/data/site/messages')).toMatchObject({ status: 401 })
  })

  test('says what is wrong with a message', async ({ organisation, pages }) => {
    const page = await pages((await organisation()).id)
    expect(await page.post('/actions/site/contact', { ...message, email: 'nowhere' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'email' }] },
    })
    for (const email of ['a@b.example?bcc=x%40y.example', 'a%0abcc:x@b.example', 'a@b.example,x@y.example', 'a@b.example, x@y.example'])
      expect(await page.post('/actions/site/contact', { ...message, email })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'email' }] },
      })
    for (const topic of ['Dues\u202E', 'Dues\nReference 1234-5678', 'Du\u200Bes'])
      expect(await page.post('/actions/site/contact', { ...message, topic })).toMatchObject({
        status: 422,
        body: { errors: [{ path: 'topic' }] },
      })
    expect(await page.post('/actions/site/contact', { ...message, message: '' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'message' }] },
    })
    expect(await page.post('/actions/site/contact', { ...message, message: 'x'.repeat(5001) })).toMatchObject({ status: 422 })
    expect(await page.post('/actions/site/contact', { ...message, admin: true })).toMatchObject({ status: 400 })
  })

  test('lets machines believe that they were heard', async ({ api, organisation, person, pages }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    expect(await (await pages(org.id)).post('/actions/site/contact', { ...message, website: 'https://spam.example' })).toMatchObject({
      status: 201,
      body: { reference: expect.any(String) },
    })
    expect(await boss.get('/data/site/messages')).toMatchObject({ body: { total: 0 } })
  })

  test('takes ten messages an hour from one place, whatever others send', async ({ admin, organisation, pages }) => {
    const org = await organisation()
    const here = await pages(org.id, '2001:db8:1:2::1')
    for (let n = 0; n < 10; n++) expect(await here.post('/actions/site/contact', message)).toMatchObject({ status: 201 })
    const neighbour = await pages(org.id, '2001:db8:1:2::99')
    expect(await neighbour.post('/actions/site/contact', message)).toMatchObject({ status: 429, body: { reason: 'contact_limit' } })
    expect(await (await pages(org.id, '198.51.100.1')).post('/actions/site/contact', message)).toMatchObject({ status: 201 })
    await admin.query(`update app.contact_attempts set since = now() - interval '61 minutes' where org_id = $1`, [org.id])
    expect(await here.post('/actions/site/contact', message)).toMatchObject({ status: 201 })
    await admin.query(`update app.contact_attempts set attempts = 200 where org_id = $1 and source = 'contact *'`, [org.id])
    expect(await (await pages(org.id, '198.51.100.2')).post('/actions/site/contact', message)).toMatchObject({ status: 429 })
  })
})

/** How many messages one server behind a trusted proxy takes from these addresses, one message of each. */
const takenFrom = test.extend<{ taken: (org: TestOrganisation, ips: string[]) => Promise<number> }>({
  taken: async ({ variant }, use) => {
    await use(async (org, ips) => {
      const { app } = await variant({ ORG_ID: org.id, TRUSTED_PROXIES: '10.0.0.0/8' })
      let taken = 0
      for (const ip of ips) {
        const { statusCode } = await app.inject({
          method: 'POST',
          url: '/actions/site/contact',
          remoteAddress: '10.1.2.3',
          headers: { 'x-forwarded-for': ip },
          payload: message,
        })
        if (statusCode === 201) taken += 1
      }
      return taken
    })
  },
})
const many = (count: number, ip: (n: number) => string) => Array.from({ length: count }, (_, n) => ip(n))

takenFrom('one network, however many addresses it has, leaves the contact page to others', async ({ organisation, taken }) => {
  const org = await organisation()
  const hex = (n: number) => n.toString(16)
  // A /56 of 16 networks, its /48, then the other networks of the same provider.
  expect(
    await taken(
      org,
      many(30, (n) => `2001:db8:7:10${hex(n % 16)}::${hex(n)}`),
    ),
  ).toBe(15)
  expect(
    await taken(
      org,
      many(60, (n) => `2001:db8:7:${hex(0x2000 + n * 256)}::1`),
    ),
  ).toBe(5)
  expect(
    await taken(
      org,
      many(90, (n) => `2001:db8:${hex(0x100 + n)}::1`),
    ),
  ).toBe(40)
  expect(
    await taken(
      org,
      many(40, (n) => `203.0.113.${n}`),
    ),
  ).toBe(20)
  expect(
    await taken(
      org,
      many(90, (n) => `203.0.${n}.1`),
    ),
  ).toBe(40)
  // And everybody else may still write.
  expect(await taken(org, ['198.51.100.7', '2001:db9::1'])).toBe(2)
})

describe('the chapter finder', () => {
  type Found = {
    items: { name: string; code: string; city: string; parent: string | null }[]
    nextCursor: string | null
    total: number | null
  }
  const url = '/data/site/chapters'

  /** A region with two cities below, of which one is asleep, shown to everybody or not. */
  const society = test.extend<{ shown: (publicly?: boolean) => Promise<{ org: TestOrganisation; find(query?: string): Promise<Found> }> }>({
    shown: async ({ admin, organisation, chapter, pages }, use) => {
      await use(async (publicly = true) => {
        const org = await organisation()
        const west = await chapter(org, 'West')
        const lyon = await chapter(org, 'Lyon', west)
        await chapter(org, 'Asleep', west)
        await admin.query(
          `update app.chapters set city = 'Lyon-Presqu’île', contact_email = 'lyon@example.org', website = 'https://lyon.example.org' where id = $1`,
          [lyon],
        )
        await admin.query(`update app.chapters set city = 'Genève' where id = $1`, [west])
        await admin.query(`update app.chapters set status = 'dormant' where org_id = $1 and name = 'Asleep'`, [org.id])
        await admin.query('update app.organisations set public_chapters = $2 where org_id = $1', [org.id, publicly])
        const visitor = await pages(org.id)
        const find = async (query = '') => {
          const { status, body } = await visitor.get(url + query)
          expect(status).toBe(200)
          return body as unknown as Found
        }
        return { org, find }
      })
    },
  })
  const names = ({ items }: Found) => items.map(({ name }) => name)

  society('shows nothing until the organisation wants it to, and nothing again once it does not', async ({ shown, api, person }) => {
    const { org, find } = await shown(false)
    const nothing = { items: [], nextCursor: null, total: 0, totalIsExact: true }
    expect(await find()).toEqual(nothing)
    expect(await find('?q=lyon')).toEqual(nothing)
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const settings = async () => (await boss.get('/data/organisation')).body as { publicChapters: boolean; version: number }
    expect(await settings()).toMatchObject({ publicChapters: false })
    const show = async (publicChapters: boolean) =>
      boss.patch('/data/organisation', { publicChapters }, { 'if-match': `"${(await settings()).version}"` })
    expect(await show(true)).toMatchObject({ status: 200, body: { publicChapters: true } })
    expect(names(await find())).toContain('Lyon')
    await show(false)
    expect(await find()).toEqual(nothing)
    const member = api.as(await person({ org }))
    const current = { 'if-match': `"${(await settings()).version}"` }
    expect((await member.patch('/data/organisation', { publicChapters: true }, current)).status).toBe(403)
  })

  society('tells everybody of an active chapter where it is and how to reach it, and no more', async ({ shown, api, person, admin }) => {
    const { org, find } = await shown()
    const found = await find('?q=lyon')
    const { rows } = await admin.query<{ code: string }>(`select code from app.chapters where org_id = $1 and name = 'Lyon'`, [org.id])
    expect(found).toEqual({
      items: [
        {
          name: 'Lyon',
          code: rows[0]?.code,
          city: 'Lyon-Presqu’île',
          parent: 'West',
          contactEmail: 'lyon@example.org',
          website: 'https://lyon.example.org',
          hasPage: false,
        },
      ],
      nextCursor: null,
      total: 1,
      totalIsExact: true,
    })
    // The same for those who would see more elsewhere.
    const member = api.as(await person({ org }))
    expect((await member.get(`${url}?q=asleep`)).body).toMatchObject({ items: [] })
    for (const status of ['prospective', 'probation', 'suspended', 'dormant', 'closed']) {
      await admin.query(`update app.chapters set status = $2 where org_id = $1 and name = 'Lyon'`, [org.id, status])
      expect([status, names(await find())]).toEqual([status, expect.not.arrayContaining(['Lyon'])])
    }
  })

  society('finds by name, code, city and what is above, whatever the accents, all words wanted', async ({ shown, admin }) => {
    const { org, find } = await shown()
    const { rows } = await admin.query<{ code: string }>(`select code from app.chapters where org_id = $1 and name = 'Lyon'`, [org.id])
    expect(names(await find(`?q=${encodeURIComponent(rows[0]?.code ?? '')}`))).toEqual(['Lyon'])
    expect(names(await find('?q=GENEVE'))).toEqual(['West'])
    expect(names(await find('?q=presqu'))).toEqual(['Lyon'])
    expect(names(await find('?q=west'))).toEqual(['Lyon', 'West'])
    expect(names(await find('?q=west%20lyon'))).toEqual(['Lyon'])
    expect(names(await find('?q=asleep'))).toEqual([])
    expect(names(await find('?q=%25'))).toEqual([])
    expect(names(await find('?q=%20'))).toContain('Lyon')
    // A chapter above that is not active is neither named nor searched.
    await admin.query(`update app.chapters set status = 'suspended' where org_id = $1 and name = 'West'`, [org.id])
    expect(names(await find('?q=west'))).toEqual([])
    expect((await find('?q=lyon')).items).toMatchObject([{ name: 'Lyon', parent: null }])
  })

  society(
    'comes a page at a time, each once, and no cursor fits another organisation or another search',
    async ({ shown, pages, organisation, chapter }) => {
      const { org, find } = await shown()
      for (const name of ['Arles', 'Brest', 'Caen']) await chapter(org, name)
      const first = await find('?limit=4')
      expect(first).toMatchObject({ total: 6, nextCursor: expect.any(String) })
      const cursor = encodeURIComponent(first.nextCursor ?? '')
      const second = await find(`?limit=4&cursor=${cursor}`)
      expect(second).toMatchObject({ total: null, nextCursor: null })
      expect([...names(first), ...names(second)]).toEqual(['Arles', 'Brest', 'Caen', 'Lyon', 'Root', 'West'])
      const visitor = await pages(org.id)
      expect(await visitor.get(`${url}?q=a&cursor=${cursor}`)).toMatchObject({ status: 400 })
      expect(await (await pages((await organisation()).id)).get(`${url}?cursor=${cursor}`)).toMatchObject({ status: 400 })
      for (const query of ['?limit=51', '?limit=0', `?q=${'x'.repeat(201)}`, '?status=closed', '?q=a&q=b'])
        expect([query, (await visitor.get(url + query)).status]).toEqual([query, expect.toBeOneOf([400, 422])])
    },
  )

  test('has nothing to show where no organisation is served', async ({ pages }) => {
    expect(await (await pages('01920000-0000-7000-8000-000000000000')).get(url)).toMatchObject({
      status: 200,
      body: { items: [], total: 0 },
    })
  })
})

describe('the menu', () => {
  test('keeps pins in their order and names records as their reader sees them', async ({ api, admin, organisation, person, chapter }) => {
    const org = await organisation()
    const someone = await person({ org })
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const lyon = await chapter(org, 'Lyon')
    const pins = [
      { kind: 'chapter', id: lyon },
      { kind: 'page', id: 'groups' },
      { kind: 'person', id: someone.personId },
    ]
    expect(await me.patch('/data/me/preferences', { pins })).toMatchObject({ status: 200, body: { pins } })
    expect((await me.get('/data/menu')).body).toMatchObject({
      pins: [
        { kind: 'chapter', id: lyon, label: 'Lyon' },
        { kind: 'page', id: 'groups', label: null },
        { kind: 'person', id: someone.personId, label: expect.stringMatching(/./) },
      ],
    })
    // A record that is gone stays pinned without its name, and so does one of another organisation.
    await admin.query('update app.people set deleted_at = now() where id = $1', [someone.personId])
    const stranger = api.as(await person({ org: await organisation() }))
    await stranger.patch('/data/me/preferences', { pins })
    expect((await me.get('/data/menu')).body).toMatchObject({ pins: [{ label: 'Lyon' }, { label: null }, { label: null }] })
    expect((await stranger.get('/data/menu')).body).toMatchObject({ pins: [{ label: null }, { label: null }, { label: null }] })
  })

  test('takes thirty pins and no more, and none to what cannot be pinned', async ({ api, person }) => {
    const me = api.as(await person())
    const pin = { kind: 'page', id: 'groups' }
    expect(await me.patch('/data/me/preferences', { pins: Array.from({ length: 30 }, () => pin) })).toMatchObject({ status: 200 })
    for (const pins of [
      Array.from({ length: 31 }, () => pin),
      [{ kind: 'person', id: 'Ada' }],
      [{ kind: 'page', id: '../x' }],
      [{ kind: 'export', id: 'x' }],
    ]) {
      expect(await me.patch('/data/me/preferences', { pins })).toMatchObject({
        status: expect.toSatisfy((status: number) => status === 400 || status === 422),
      })
    }
  })

  test('counts what waits, for those who can do something about it', async ({ api, admin, organisation, person, pages }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const member = await person({ org })
    await (await pages(org.id)).post('/actions/site/contact', message)
    await admin.query(
      `insert into app.accounts (org_id, issuer, subject, email, name, status) values ($1, 'https://idp.example', 'asks', 'asks@example.org', 'Asks', 'pending_link')`,
      [org.id],
    )
    const group = (
      await api.as(boss).post('/data/groups', { name: 'Council', kind: 'committee', visibility: 'members', joinPolicy: 'request' })
    ).body as { id: string }
    expect(await api.as(member).post(`/data/groups/${group.id}/join`)).toMatchObject({ status: 200 })
    expect((await api.as(boss).get('/data/menu')).body).toEqual({ pins: [], waiting: { home: 1, account: 2 } })
    expect((await api.as(member).get('/data/menu')).body).toEqual({ pins: [], waiting: { home: 0, account: 0 } })
    expect(await api.as(null).get('/data/menu')).toMatchObject({ status: 401 })
  })
})

describe('an invitation', () => {
  test('is mailed to the invited, and not once it was taken up', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const { id: account } = (await me.post('/data/accounts', { email: 'new@example.org', name: 'New' })).body as { id: string }
    expect((await sendAll(api.services, admin, org.id)).sent).toMatchObject([
      { to: 'new@example.org', text: expect.stringContaining('Hello New') },
    ])
    await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [account])
    expect((await sendAll(api.services, admin, org.id)).sent).toEqual([])
  })
})

/** Does the worker's work on all mail of an organisation anew, with a post office that takes everything, or with none. */
async function sendAll({ config, log }: Services, admin: pg.Pool, org: string, office: Partial<Services['mailer']> | null = {}) {
  const worker = createServices(config, log, config.WORKER_DATABASE_URL)
  const sent: Mail[] = []
  const mailer = { ...worker.mailer, ...(office && { send: async (mail: Mail) => void sent.push(mail) }) }
  await admin.query(
    `update app.mail_messages set state = 'queued', settled_at = null, next_at = now() - interval '1 hour' where org_id = $1`,
    [org],
  )
  await sendDue({ ...worker, mailer }, mailTemplates)
  await worker.close()
  const { rows } = await admin.query<{ id: string; state: string; outcome: string }>(
    `select id, state, outcome from app.mail_messages where org_id = $1 order by address`,
    [org],
  )
  return { sent: sent.filter(({ reference }) => rows.some(({ id }) => reference?.mailId === id)), rows }
}
