import type { CalendarFeed, CalendarFeeds } from '@guildhall/contract/features/events.feeds'
import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { describe, expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { feedRowsQuery } from './events.feeds.queries.ts'
import { windowAt } from './events.feeds.rules.ts'

type Event = { id: string; version: number }
type Read = { status: number; text: string; headers: Record<string, unknown> }
const match = (version: number) => ({ 'if-match': `"${version}"` })
const inDays = (days: number) => new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 + days * 86_400_000).toISOString()

const test = base.extend<{
  org: TestOrganisation
  boss: Client
  member: TestPerson
  me: Client
  /** Opens an address as a calendar program does: without a token, each time from another network. */
  read: (feed: { address?: string | null } | string, more?: Record<string, string>, from?: string) => Promise<Read>
}>({
  org: async ({ organisation }, use) => use(await organisation()),
  boss: async ({ api, org, person }, use) => use(api.as(await person({ org, idpRoles: ['org-admin'] }))),
  member: async ({ org, person }, use) => use(await person({ org })),
  me: async ({ api, member }, use) => use(api.as(member)),
  read: async ({ api }, use) => {
    let nth = 0
    await use(async (feed, headers = {}, from) => {
      nth += 1
      const { pathname } = new URL(typeof feed === 'string' ? feed : (feed.address ?? ''), 'https://guildhall.example')
      const answer = await api.app.inject({ url: pathname, headers, remoteAddress: from ?? `203.0.${nth % 250}.9` })
      return { status: answer.statusCode, text: answer.body, headers: answer.headers }
    })
  },
})

async function published(boss: Client, more: Record<string, unknown> = {}): Promise<Event> {
  const facts = { title: 'Picnic', startsAt: inDays(30), timezone: 'Europe/Berlin', venueName: 'Park', visibility: 'members' }
  const event = (await boss.post('/data/events', { ...facts, ...more })).body as Event
  return (await boss.post(`/data/events/${event.id}/publish`, {}, match(event.version))).body
}
const subscribe = async (who: Client, what: Record<string, unknown> = {}): Promise<CalendarFeed> => {
  const made = await who.post('/data/calendar-feeds', { kind: 'personal', audience: 'own', ...what })
  expect(made.status).toBe(201)
  return made.body
}
const feedsOf = async (who: Client, query: string): Promise<CalendarFeeds> => (await who.get(`/data/calendar-feeds?${query}`)).body
/** The same file by two parsers, which must agree. */
function entriesIn(text: string) {
  const first = Object.values(nodeIcal.sync.parseICS(text)).flatMap((one) => (one?.type === 'VEVENT' ? [one] : []))
  const second = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
  expect(second.map(({ uid }) => uid).sort()).toEqual(first.map(({ uid }) => uid).sort())
  return second.map((one) => ({
    title: one.summary,
    status: String(one.component.getFirstPropertyValue('status')),
    sequence: one.sequence,
    text: one.component.toString(),
  }))
}
const titlesIn = (text: string) => entriesIn(text).map(({ title }) => title)

describe('a personal calendar', () => {
  test('holds what its owner is registered or waits for, and tells calendars when that is cancelled', async ({
    boss,
    me,
    api,
    org,
    person,
    read,
  }) => {
    const going = await published(boss, { title: 'Lecture' })
    const full = await published(boss, { title: 'Dinner', capacity: 1 })
    await published(boss, { title: 'Not mine' })
    await api.as(await person({ org })).post(`/data/events/${full.id}/registrations`, {})
    for (const { id } of [going, full]) expect((await me.post(`/data/events/${id}/registrations`, {})).status).toBe(201)

    const feed = await subscribe(me)
    const before = await read(feed)
    expect(before).toMatchObject({
      status: 200,
      headers: { 'content-type': 'text/calendar; charset=utf-8', 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' },
    })
    for (const line of ['REFRESH-INTERVAL', 'X-PUBLISHED-TTL', 'X-WR-CALNAME']) expect(before.text).toContain(line)
    expect(entriesIn(before.text)).toEqual([
      expect.objectContaining({ title: 'Lecture', status: 'CONFIRMED' }),
      expect.objectContaining({ title: 'Dinner', status: 'TENTATIVE' }),
    ])

    const { version } = (await boss.get(`/data/events/${going.id}`)).body as Event
    await boss.post(`/data/events/${going.id}/cancel`, { reason: 'Flooded' }, match(version))
    await boss.post(
      `/data/events/${full.id}/cancel`,
      { reason: 'Flooded' },
      match(((await boss.get(`/data/events/${full.id}`)).body as Event).version),
    )
    const after = entriesIn((await read(feed)).text)
    expect(after.map(({ title, status }) => [title, status])).toEqual([['Lecture', 'CANCELLED'], ['Dinner', 'CANCELLED']]) // prettier-ignore
    expect(after[0]?.sequence).toBeGreaterThan(entriesIn(before.text)[0]?.sequence ?? Infinity)
  })

  test('is not sent again while it says the same', async ({ boss, me, read }) => {
    const event = await published(boss)
    await me.post(`/data/events/${event.id}/registrations`, {})
    const feed = await subscribe(me)
    const etag = String((await read(feed)).headers['etag'])
    expect(await read(feed, { 'if-none-match': etag })).toMatchObject({ status: 304, text: '', headers: { etag } })
    const { version } = (await boss.get(`/data/events/${event.id}`)).body as Event
    await boss.patch(`/data/events/${event.id}`, { title: 'Garden party' }, match(version))
    const changed = await read(feed, { 'if-none-match': etag })
    expect(changed).toMatchObject({ status: 200 })
    expect(titlesIn(changed.text)).toEqual(['Garden party'])
  })

  test('has one address, told again to its owner only; reset, the old one is gone', async ({ api, org, person, me, read, admin }) => {
    expect(await feedsOf(me, 'kind=personal')).toEqual({ own: null, public: null, may: { publish: false } })
    const feed = await subscribe(me)
    expect(await subscribe(me)).toEqual(feed)
    expect(await feedsOf(me, 'kind=personal')).toMatchObject({ own: feed, public: null })
    const other = api.as(await person({ org, idpRoles: ['org-owner'] }))
    expect((await feedsOf(other, 'kind=personal')).own).toBeNull()
    expect(await other.post(`/data/calendar-feeds/${feed.id}/reset`)).toMatchObject({ status: 404 })
    // The database has the hash of the secret, not the secret.
    const secret = /calendars\/(.+)\.ics$/.exec(feed.address ?? '')?.[1] ?? 'none'
    const { rows } = await admin.query('select to_jsonb(f)::text as row from app.calendar_feeds f where id = $1', [feed.id])
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(secret)

    const next = (await me.post(`/data/calendar-feeds/${feed.id}/reset`)).body as CalendarFeed
    expect(next.address).not.toBe(feed.address)
    expect(await read(feed)).toMatchObject({ status: 410, headers: { 'cache-control': 'no-store' } })
    expect((await read(next)).status).toBe(200)
    expect((await me.post(`/data/calendar-feeds/${feed.id}/reset`)).status).toBe(409)
    expect((await feedsOf(me, 'kind=personal')).own).toEqual(next)
    // Control: it is the reset that ends it.
    await admin.query('update app.calendar_feeds set reset_at = null where id = $1', [next.id])
    await admin.query(`update app.calendar_feeds set kind = 'organisation', reset_at = null where id = $1`, [feed.id])
    expect((await read(feed)).status).toBe(200)
  })

  test('ends with the account and the record of its owner, and comes back with them', async ({ me, member, read, admin }) => {
    const feed = await subscribe(me)
    const closed: [string, string][] = [
      [`update app.accounts set status = 'suspended' where id = '${member.accountId}'`, `update app.accounts set status = 'active' where id = '${member.accountId}'`],
      [`update app.people set deleted_at = now() where id = '${member.personId}'`, `update app.people set deleted_at = null where id = '${member.personId}'`],
      [`update app.people set lifecycle = 'erased' where id = '${member.personId}'`, `update app.people set lifecycle = 'active' where id = '${member.personId}'`],
    ] // prettier-ignore
    for (const [end, reopen] of closed) {
      await admin.query(end)
      expect((await read(feed)).status, end).toBe(410)
      await admin.query(reopen)
      expect((await read(feed)).status, reopen).toBe(200)
    }
  })

  test('is bounded in time and number', async ({ boss, me, read, admin }) => {
    const [old, recent, far] = await Promise.all(['Old', 'Recent', 'Far'].map((title) => published(boss, { title })))
    for (const { id } of [old, recent, far].flatMap((one) => one ?? [])) await me.post(`/data/events/${id}/registrations`, {})
    const move = (event: Event | undefined, days: number) =>
      admin.query(`update app.events set starts_at = now() + $2::int * interval '1 day', ends_at = now() + $2::int * interval '1 day' + interval '1 hour' where id = $1`, [event?.id, days]) // prettier-ignore
    await move(old, -70)
    await move(recent, -50)
    await move(far, 410)
    expect(titlesIn((await read(await subscribe(me))).text)).toEqual(['Recent'])

    await admin.query(
      `insert into app.events (org_id, title, starts_at, ends_at, timezone, venue_name, status, published_at, visibility)
       select org_id, 'No ' || n, now() + n * interval '1 hour', now() + (n + 1) * interval '1 hour', timezone, 'Hall', 'published', now(), 'public' from app.events, generate_series(1, 1005) n where id = $1`,
      [recent?.id],
    )
    const titles = titlesIn((await read(await subscribe(me, { kind: 'organisation' }))).text)
    expect(titles).toHaveLength(1000)
    // What is furthest ahead is left out.
    expect(titles).toContain('No 1')
    expect(titles).not.toContain('No 1005')
  })
})

describe('the calendar of a chapter, a group or the organisation', () => {
  test('shows its owner what they may see at the time of reading, and nothing else', async ({
    boss,
    me,
    member,
    org,
    chapter,
    read,
    admin,
  }) => {
    const below = await chapter(org, 'Below')
    const facts = { chapterId: below }
    await published(boss, { ...facts, title: 'For everybody', visibility: 'public' })
    await published(boss, { ...facts, title: 'For members' })
    const hidden = await published(boss, { ...facts, title: 'By invitation', visibility: 'invite' })
    await published(boss, { ...facts, title: 'By its address', visibility: 'unlisted' })
    await boss.post('/data/events', { title: 'Draft', startsAt: inDays(20), chapterId: below })

    const feed = await subscribe(me, { kind: 'chapter', chapterId: org.rootChapterId })
    const all = await subscribe(me, { kind: 'organisation' })
    for (const one of [feed, all]) expect(titlesIn((await read(one)).text)).toEqual(['For everybody', 'For members'])
    // Nobody sees drafts in a calendar, and organisers see the others.
    const organiser = await subscribe(boss, { kind: 'chapter', chapterId: below })
    expect(titlesIn((await read(organiser)).text)).toEqual(['For everybody', 'For members', 'By invitation', 'By its address'])

    await admin.query('insert into app.event_invitations (org_id, event_id, person_id) values ($1, $2, $3)', [
      org.id,
      hidden.id,
      member.personId,
    ])
    expect(titlesIn((await read(feed)).text)).toContain('By invitation')
    await admin.query('delete from app.event_invitations where event_id = $1', [hidden.id])
    expect(titlesIn((await read(feed)).text)).not.toContain('By invitation')
    // Members only as long as they are.
    await admin.query('update app.affiliations set starts_on = current_date - 20, ends_on = current_date - 10 where person_id = $1', [
      member.personId,
    ])
    expect(titlesIn((await read(feed)).text)).toEqual(['For everybody'])

    // Control: without row-level security the same statement gives out what is hidden, so it is what keeps that in.
    const place = { kind: 'chapter', chapterId: below, groupId: null } as const
    const { sql, parameters } = feedRowsQuery(place, windowAt(Date.now())).compile()
    const { rows } = await admin.query<{ item: { title: string } }>(sql, [...parameters])
    expect(rows.map(({ item }) => item.title)).toContain('By invitation')
  })

  test('is public when those who run events there make it so, and then holds public events only', async ({
    boss,
    me,
    org,
    read,
    admin,
  }) => {
    await published(boss, { title: 'Open day', visibility: 'public', mode: 'hybrid', link: { url: 'https://meet.example.org/1' } })
    for (const visibility of ['members', 'unlisted', 'invite']) await published(boss, { title: visibility, visibility })
    const wanted = { kind: 'organisation', audience: 'public' }
    expect((await me.post('/data/calendar-feeds', wanted)).status).toBe(403)
    const feed = await subscribe(boss, wanted)
    // Everybody is told the address, and only those who run events replace it.
    expect(await feedsOf(me, 'kind=organisation')).toEqual({ own: null, public: feed, may: { publish: false } })
    expect(await subscribe(me, wanted)).toEqual(feed)
    expect((await me.post(`/data/calendar-feeds/${feed.id}/reset`)).status).toBe(403)
    const { text, headers } = await read(feed)
    expect(titlesIn(text)).toEqual(['Open day'])
    expect(text.replaceAll('\r\n ', '')).toContain('/public/events/')
    expect(text).not.toContain('meet.example.org')
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=300' })

    // Control: without its condition the function gives out the others.
    const client = await admin.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ body: string }>(`select pg_get_functiondef('app.public_calendar'::regproc) as body`)
      const guard = `and e.visibility = 'public'`
      expect(rows[0]?.body).toContain(guard)
      await client.query(rows[0]?.body.replace(guard, '') ?? '')
      const { rows: shown } = await client.query<{ items: { title: string }[] }>(
        `select app.public_calendar(null, f.secret_hash, now(), now() + interval '1 year', 100) as items from app.calendar_feeds f where f.id = $1`,
        [feed.id],
      )
      expect(shown[0]?.items.map(({ title }) => title)).toEqual(expect.arrayContaining(['members', 'unlisted', 'invite']))
    } finally {
      await client.query('rollback')
      client.release()
    }

    const next = (await boss.post(`/data/calendar-feeds/${feed.id}/reset`)).body as CalendarFeed
    expect([(await read(feed)).status, (await read(next)).status]).toEqual([410, 200])
    expect((await feedsOf(me, `kind=chapter&chapterId=${org.rootChapterId}`)).public).toBeNull()
  })

  test('of a group shows its events to those in it, and goes when they leave', async ({ boss, api, org, person, me, read, admin }) => {
    const { id: groupId } = (await boss.post('/data/groups', { name: 'Choir', visibility: 'members', chapterId: org.rootChapterId }))
      .body as { id: string }
    const singer = await person({ org })
    await admin.query('insert into app.group_members (org_id, group_id, person_id) values ($1, $2, $3)', [org.id, groupId, singer.personId])
    await published(boss, { title: 'Rehearsal', groupId, visibility: 'group' })
    await published(boss, { title: 'Elsewhere' })
    const inside = await subscribe(api.as(singer), { kind: 'group', groupId })
    const outside = await subscribe(me, { kind: 'group', groupId })
    expect(titlesIn((await read(inside)).text)).toEqual(['Rehearsal'])
    expect(titlesIn((await read(outside)).text)).toEqual([])
    await admin.query('delete from app.group_members where person_id = $1', [singer.personId])
    expect(titlesIn((await read(inside)).text)).toEqual([])
  })
})

describe('addresses', () => {
  test('that are none are not found, and tried a few times only', async ({ api, admin, organisation, read }) => {
    const org = await organisation()
    const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: org.id } })
    await admin.query('update app.organisations set idp_org_id = $1::text where org_id = $1', [org.id])
    expect(await read('/public/calendars/nothing.ics')).toMatchObject({ status: 404 })
    const tries: number[] = []
    for (let nth = 0; nth < 12; nth++)
      tries.push((await app.inject({ url: `/public/calendars/${nth}.ics`, remoteAddress: '198.51.100.7' })).statusCode)
    expect(tries[0]).toBe(404)
    expect(tries.at(-1)).toBe(429)
    await app.close()
  })

  test('of one calendar are read so often within an hour', async ({ me, read }) => {
    const feed = await subscribe(me)
    let last: Read | undefined
    for (let nth = 0; nth <= 120; nth++) last = await read(feed)
    expect(last).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } })
  })

  test('of another organisation open nothing here', async ({ api, admin, me, organisation }) => {
    const feed = await subscribe(me)
    const elsewhere = await organisation()
    await admin.query('update app.organisations set idp_org_id = $1::text where org_id = $1', [elsewhere.id])
    const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: elsewhere.id } })
    expect((await app.inject({ url: new URL(feed.address ?? '').pathname })).statusCode).toBe(404)
    await app.close()
  })

  test.for([
    [{ kind: 'chapter', audience: 'own' }, 422],
    [{ kind: 'personal', audience: 'public' }, 422],
    [{ kind: 'chapter', audience: 'own', chapterId: '01920000-0000-7000-8000-000000000001' }, 422],
    [{ kind: 'personal', audience: 'own', accountId: '01920000-0000-7000-8000-000000000001' }, 400],
  ])('are refused for what makes no sense: %j', async ([wanted, status], { me }) => {
    expect((await me.post('/data/calendar-feeds', wanted)).status).toBe(status)
  })
})
