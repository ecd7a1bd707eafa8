import { expect } from 'vitest'
import type { Pool } from 'pg'
import { letWait, startReceiver, startWorker } from '../webhooks/integrations.webhooks.testing.ts'
import type { Receiver } from '../webhooks/integrations.webhooks.testing.ts'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation, TestPerson, Variant } from '../../../testing.ts'

type Chat = { receiver: Receiver; product: Variant; connectionId: string; org: TestOrganisation; texts(): string[] }
type Connect = (
  settings?: object,
  answer?: Parameters<typeof startReceiver>[0],
  chapterId?: string,
  owner?: (org: TestOrganisation) => Promise<TestPerson>,
) => Promise<Chat>

/** A chat that an administrator has connected over HTTP. */
const test = base.extend<{ connect: Connect }>({
  connect: async ({ variant, organisation, person }, use) => {
    const receivers: Receiver[] = []
    const shared = await organisation()
    await use(async (settings = {}, answer, chapterId, owner = (org) => person({ org, idpRoles: ['org-admin'] })) => {
      const receiver = await startReceiver(answer)
      receivers.push(receiver)
      const product = await variant({ OUTGOING_ALLOW: receiver.host })
      const boss = await owner(shared)
      const connected = await product.as(boss.token).post('/actions/connections', {
        connector: 'chat',
        name: 'Chat',
        settings,
        chapterId: chapterId ?? null,
        secrets: { address: receiver.url },
      })
      expect(connected).toMatchObject({ status: 201, body: { state: 'connected', secrets: [{ name: 'address' }] } })
      expect(connected.text).not.toContain(receiver.url)
      const texts = () => receiver.received.map(({ body }) => (JSON.parse(body) as { text: string }).text)
      expect(texts()).toEqual(['Guildhall is connected. News will appear here.'])
      receiver.received.length = 0
      return { receiver, product, org: shared, connectionId: (connected.body as { id: string }).id, texts }
    })
    for (const receiver of receivers) await receiver.close()
  },
})

async function withWorker({ product: { services } }: Chat, run: () => Promise<void>): Promise<void> {
  const worker = startWorker(services)
  try {
    await run()
  } finally {
    await worker.stop()
  }
}

const newMembers = async (admin: Pool, { id }: TestOrganisation, chapterId: string, ...names: string[]) => {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.people (org_id, given_name, family_name) select $1, n, 'Fall' from unnest($2::text[]) n returning id`,
    [id, names],
  )
  await admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select $1, p, $2, current_date from unnest($3::uuid[]) p`,
    [id, chapterId, rows.map((row) => row.id)],
  )
}
type NewGift = { status: string; donor: string; source: string; personId?: string | undefined }
const newGift = (admin: Pool, { id, rootChapterId }: TestOrganisation, { status, donor, source, personId }: NewGift) =>
  admin.query(
    `with f as (insert into app.funds (org_id, name) values ($1, gen_random_uuid()::text) returning id),
       g as (insert into app.gifts (org_id, chapter_id, donor_name, person_id, amount, currency, method, status, source, received_on, settled_at)
         values ($1, $6, $2, $5, 2500, 'EUR', 'card', $3, $4, case when $3 = 'settled' then current_date end, case when $3 = 'settled' then now() end) returning id)
     insert into app.gift_allocations (org_id, gift_id, fund_id, amount) select $1, g.id, f.id, 2500 from g, f`,
    [id, donor, status, source, personId ?? null, rootChapterId],
  )
const arrived = (chat: Chat, many: number) => expect.poll(() => chat.receiver.received.length, { timeout: 10_000 }).toBe(many)

test('is told of new members once each, of many in one message, without names unless somebody wants them', async ({ connect, admin }) => {
  const chat = await connect()
  const named = await connect({ showNames: true, newGift: false, eventFull: false })
  const { org } = chat
  await newMembers(admin, org, org.rootChapterId, 'Ana')
  await newMembers(admin, org, org.rootChapterId, 'Bo', 'Cleo')
  // Moves, and what is recorded years later, are no news.
  await admin.query(
    `insert into app.affiliations (org_id, person_id, chapter_id, starts_on) select org_id, id, $2, current_date - 1 from app.people where org_id = $1 and given_name = 'Ana'`,
    [org.id, org.rootChapterId],
  )
  await letWait(admin, org.id)
  await withWorker(named, async () => {
    await arrived(named, 1)
  })
  expect(named.texts()).toEqual(['3 new members in Root: Ana Fall, Bo Fall, Cleo Fall'])
  await withWorker(chat, async () => {
    await letWait(admin, org.id)
    await arrived(chat, 1)
  })
  expect(chat.texts()).toEqual(['3 new members in Root'])
})

test('of a chapter is told of what happens there and below', async ({ connect, admin, chapter }) => {
  const { org } = await connect()
  const west = await chapter(org, 'West')
  const chat = await connect({}, undefined, west)
  const { rows } = await admin.query<{ id: string }>(
    `select d.id from app.webhook_deliveries d join app.webhook_endpoints e on e.org_id = d.org_id and e.id = d.endpoint_id where e.connection_id = $1`,
    [chat.connectionId],
  )
  expect(rows).toEqual([])
  await newMembers(admin, org, org.rootChapterId, 'Ana')
  await newMembers(admin, org, west, 'Bo')
  await letWait(admin, org.id)
  await withWorker(chat, async () => arrived(chat, 1))
  expect(chat.texts()).toEqual(['1 new member in West'])
})

test('is told of gifts and of events that are full', async ({ connect, admin }) => {
  const chat = await connect({ newMember: false })
  const { org } = chat
  await newMembers(admin, org, org.rootChapterId, 'Ana')
  const event = await admin.query<{ id: string }>(
    `insert into app.events (org_id, chapter_id, title, status, starts_at, ends_at, timezone, capacity, visibility, mode, venue_name, published_at)
     values ($1, $2, 'Gala <!channel>', 'published', now() + interval '9 days', now() + interval '10 days', 'UTC', 2, 'members', 'in_person', 'Hall', now()) returning id`,
    [org.id, org.rootChapterId],
  )
  const eventId = event.rows[0]?.id
  for (const taken of [1, 2, 1, 2])
    await admin.query('update app.event_counts set confirmed = $3, taken = $3 where org_id = $1 and event_id = $2', [
      org.id,
      eventId,
      taken,
    ])
  const gift = (status: string, donor: string, source: string) => newGift(admin, org, { status, donor, source })
  await gift('settled', 'Old', 'import')
  await gift('pending', 'Ana', 'page')
  await admin.query(
    `update app.gifts set status = 'settled', received_on = current_date, settled_at = now() where org_id = $1 and status = 'pending'`,
    [org.id],
  )
  await withWorker(chat, async () => {
    await arrived(chat, 1)
    await letWait(admin, org.id)
    await arrived(chat, 2)
  })
  expect(chat.texts()).toEqual([`Gala &lt;!channel&gt; is full: 2 places taken. http://localhost:3000/event/${eventId}`, 'New gift'])
})

test('shows names and amounts only as far as the owner of its connection sees them', async ({ connect, admin, person }) => {
  const show = { showNames: true, newMember: false, eventFull: false }
  const office = await connect(show)
  const { org } = office
  const officer = (of: TestOrganisation) => person({ org: of, grants: [{ role: 'chapter-admin', chapterId: of.rootChapterId }] })
  const chapter = await connect(show, undefined, org.rootChapterId, officer)
  const tell = async (chat: Chat, many: number) =>
    withWorker(chat, async () => {
      await letWait(admin, org.id)
      await arrived(chat, many)
    })
  await newGift(admin, org, { status: 'settled', donor: 'Ana', source: 'page' })
  await tell(office, 1)
  await tell(chapter, 1)
  expect(office.texts()).toEqual(['New gift: €25.00 from Ana'])
  expect(chapter.texts()).toEqual(['New gift'])

  const { rows } = await admin.query<{ id: string }>(
    `insert into app.people (org_id, given_name, minor_until) values ($1, 'Kim', current_date + 900) returning id`,
    [org.id],
  )
  await newGift(admin, org, { status: 'settled', donor: 'Kim', source: 'page', personId: rows[0]?.id })
  await tell(office, 2)
  expect(office.texts().at(-1)).toBe('New gift: €25.00')

  await admin.query(`update app.accounts set status = 'suspended' where org_id = $1`, [org.id])
  await newGift(admin, org, { status: 'settled', donor: 'Bo', source: 'page' })
  await tell(office, 3)
  expect(office.texts().at(-1)).toBe('New gift')
})

test('that takes no messages degrades its connection, and one that does mends it', async ({ connect, admin }) => {
  let isDown = false
  const chat = await connect({}, (response) => response.writeHead(isDown ? 404 : 200).end('no_service'))
  const stateOf = async () =>
    (await admin.query(`select state, failure ->> 'reason' as reason from app.connections where id = $1`, [chat.connectionId]))
      .rows[0] as object
  isDown = true
  await newMembers(admin, chat.org, chat.org.rootChapterId, 'Ana')
  await withWorker(chat, async () => {
    for (const tries of [1, 2, 3]) {
      await letWait(admin, chat.org.id)
      await arrived(chat, tries)
      await expect
        .poll(
          async () =>
            (
              await admin.query('select max(attempts) as n from app.webhook_deliveries where org_id = $1 and held_by is null', [
                chat.org.id,
              ])
            ).rows[0] as object,
        )
        .toEqual({ n: tries })
    }
    await expect.poll(stateOf).toEqual({ state: 'degraded', reason: 'chat_failing' })
    isDown = false
    await letWait(admin, chat.org.id)
    await expect.poll(stateOf).toEqual({ state: 'connected', reason: null })
  })
})

test('that is paused or disconnected is told nothing, and its endpoint is nobody’s webhook', async ({ connect, admin, person }) => {
  const chat = await connect()
  const { product, connectionId, org, receiver } = chat
  const boss = await person({ org, idpRoles: ['org-owner'] })
  const me = product.as(boss.token)
  expect(await me.get('/data/webhook-endpoints')).toMatchObject({ status: 200, body: { items: [] } })
  const version = async () => String(((await me.get(`/data/connections/${connectionId}`)).body as { version: number }).version)
  expect(await me.post(`/data/connections/${connectionId}/pause`, {}, { 'if-match': `"${await version()}"` })).toMatchObject({
    status: 200,
  })
  await newMembers(admin, org, org.rootChapterId, 'Ana')
  await letWait(admin, org.id)
  await withWorker(chat, async () => new Promise((resolve) => void setTimeout(resolve, 1_500)))
  expect(receiver.received).toEqual([])
  expect(await me.post(`/data/connections/${connectionId}/disconnect`, {}, { 'if-match': `"${await version()}"` })).toMatchObject({
    status: 200,
  })
  const { rows } = await admin.query('select state from app.webhook_endpoints where connection_id = $1', [connectionId])
  expect(rows).toEqual([{ state: 'removed' }])
})
