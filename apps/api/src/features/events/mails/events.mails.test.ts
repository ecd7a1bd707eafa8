import { expect, vi } from 'vitest'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { eventJobs } from '../events.jobs.ts'

type Event = { id: string; version: number; ticketTypes: { id: string }[] }
type Registration = { id: string; status: string; invoice: { id: string } | null }
type Desk = {
  org: TestOrganisation
  boss: Client
  /** A person with an account and an address of this name. */
  somebody(name: string): Promise<{ who: TestPerson; client: Client; address: string }>
  published(more?: Record<string, unknown>): Promise<Event>
  register(client: Client, event: Event, more?: Record<string, unknown>): Promise<Registration>
  act(client: Client, seat: Registration, what: string, body?: Record<string, unknown>): Promise<Registration>
  change(event: Event, facts: Record<string, unknown>): Promise<void>
  /** What the worker does every minute. */
  minute(): Promise<void>
  /** What left since it was asked last, as `to: subject`. */
  post(): Promise<string[]>
  mails: Mail[]
}

const test = base.extend<{ desk: Desk }>({
  desk: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const mails: Mail[] = []
    const mailer = { send: async (mail: Mail) => void mails.push(mail), check: async () => {}, close: () => {} }
    const local = (to: string) => to.replace(`-${org.id}@example.org`, '')
    let read = 0
    await use({
      ...{ org, boss, mails },
      async somebody(name) {
        const who = await person({ org })
        const address = `${name}-${org.id}@example.org`
        await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
          ...[org.id, who.personId, address],
        ])
        return { who, client: api.as(who), address }
      },
      async published(more = {}) {
        const facts = {
          title: 'Picnic',
          startsAt: '2090-07-01T16:00:00Z',
          timezone: 'Europe/Berlin',
          venueName: 'Park',
          visibility: 'public',
        }
        const event = (await boss.post('/data/events', { ...facts, ...more })).body as Event
        return (await boss.post(`/data/events/${event.id}/publish`, {}, { 'if-match': `"${event.version}"` })).body
      },
      async register(client, event, more = {}) {
        const answer = await client.post(`/data/events/${event.id}/registrations`, more)
        expect(answer.status, answer.text).toBe(201)
        return answer.body
      },
      async act(client, seat, what, body = {}) {
        const answer = await client.post(`/data/registrations/${seat.id}/${what}`, body)
        expect(answer.status, answer.text).toBe(200)
        return answer.body
      },
      async change(event, facts) {
        const { version } = (await boss.get(`/data/events/${event.id}`)).body as Event
        const answer = await boss.patch(`/data/events/${event.id}`, facts, { 'if-match': `"${version}"` })
        expect(answer.status, answer.text).toBe(200)
      },
      minute: () => eventJobs(worker)({}, { id: 'test', signal: new AbortController().signal }),
      async post() {
        // Addresses have their own pace, which is not what these tests are about.
        for (let claimed = 1; claimed > 0;) {
          await admin.query(`update app.mail_messages set next_at = now(), paced = true where org_id = $1 and state = 'queued'`, [org.id])
          ;({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
        }
        const fresh = mails.slice(read).filter(({ to }) => to.includes(org.id))
        read = mails.length
        return fresh
          .filter(({ subject }) => !/^(Invoice|Receipt)/.test(subject))
          .map(({ to, subject }) => `${local(to)}: ${subject}`)
          .toSorted()
      },
    })
    await worker.close()
  },
})

test('a seat is confirmed by mail, once, with when and where in the zone of the event; guests get their own', async ({ desk }) => {
  const { client } = await desk.somebody('ann')
  const event = await desk.published({ guestsPerPerson: 2, mode: 'hybrid', link: { url: 'https://meet.example.org/1' } })
  const mine = await desk.register(client, event, {
    guests: [{ name: 'Ben', email: `ben-${desk.org.id}@example.org` }, { name: 'Cid' }],
  })
  expect(await desk.post()).toEqual(['ann: Registration confirmed: Picnic', 'ben: Registration confirmed: Picnic'])
  const first = desk.mails.find(({ to }) => to.startsWith('ann'))
  expect(first?.text).toContain('When: Saturday, July 1, 2090 at 6:00 PM GMT+2')
  expect(first?.text).toContain('Where: Park')
  expect(first?.text).toContain('https://meet.example.org/1')
  expect(first?.text).toContain('Your guests: Ben, Cid')
  expect(first?.attachments?.map(({ name }) => name)).toEqual(['ticket.pdf', 'event.ics'])
  expect(first?.text).toContain('Your ticket is attached.')
  // A page for Ann, and one for Cid, who has no address; Ben has his own.
  const pages = ({ attachments }: Mail) => attachments?.[0]?.content.toString('latin1').match(/\/Type \/Page\b/g)?.length
  expect(desk.mails.map((mail) => [mail.to[0], pages(mail)]).toSorted()).toEqual([
    ['a', 2],
    ['b', 1],
  ])
  await desk.minute()
  expect(await desk.post()).toEqual([])
  await desk.act(client, mine, 'cancel', { reason: 'Ill' })
  expect(await desk.post()).toEqual(['ann: Registration cancelled: Picnic', 'ben: Registration cancelled: Picnic'])
  expect(desk.mails.findLast(({ to }) => to.startsWith('ann'))?.text).toContain('> Ill')
  // What somebody does themself is no news in their inbox.
  expect((await client.get('/data/notifications')).body).toMatchObject({ items: [] })
})

test('the waiting list is told as such; the seat that comes free is offered with its deadline, and lost without an answer', async ({
  admin,
  desk,
}) => {
  const [ann, ben, cid] = [await desk.somebody('ann'), await desk.somebody('ben'), await desk.somebody('cid')]
  const event = await desk.published({ capacity: 1 })
  const first = await desk.register(ann.client, event)
  const second = await desk.register(ben.client, event)
  expect(second.status).toBe('waitlisted')
  // Neither a confirmation nor anything else that looks like a seat.
  expect(await desk.post()).toEqual(['ann: Registration confirmed: Picnic', 'ben: You are on the waiting list: Picnic'])
  expect(desk.mails.filter(({ subject }) => subject.startsWith('You are on')).flatMap(({ attachments = [] }) => attachments)).toEqual([])
  await desk.register(cid.client, event)
  await desk.act(ann.client, first, 'cancel')
  expect(await desk.post()).toEqual([
    ...['ann: Registration cancelled: Picnic', 'ben: A place is free for you: Picnic', 'cid: You are on the waiting list: Picnic'],
  ])
  expect(desk.mails.find(({ subject }) => subject.startsWith('A place'))?.text).toMatch(
    /accept it by \w+, \w+ \d+, \d{4} at \d+:\d\d [AP]M GMT/,
  )
  expect((await ben.client.get('/data/notifications')).body).toMatchObject({
    items: [{ kind: 'event-registration', recordId: event.id, params: { title: 'Picnic', news: 'offered' } }],
  })
  await admin.query(`update app.registrations set offer_until = now() - interval '1 second' where id = $1`, [second.id])
  await desk.minute()
  await desk.minute()
  expect(await desk.post()).toEqual(['ben: Your offer has expired: Picnic', 'cid: A place is free for you: Picnic'])
})

test('what has changed again before the mail leaves is not told', async ({ desk }) => {
  const ann = await desk.somebody('ann')
  const event = await desk.published()
  const mine = await desk.register(ann.client, event)
  await desk.act(ann.client, mine, 'cancel')
  expect(await desk.post()).toEqual(['ann: Registration cancelled: Picnic'])
})

test('approval and refusal are mailed, the refusal with its reason', async ({ desk }) => {
  const [ann, ben] = [await desk.somebody('ann'), await desk.somebody('ben')]
  const event = await desk.published({ needsApproval: true })
  const [first, second] = [await desk.register(ann.client, event), await desk.register(ben.client, event)]
  expect(await desk.post()).toEqual(['ann: We received your registration: Picnic', 'ben: We received your registration: Picnic'])
  await desk.act(desk.boss, first, 'approve')
  await desk.act(desk.boss, second, 'reject', { reason: 'For the choir' })
  expect(await desk.post()).toEqual(['ann: Registration confirmed: Picnic', 'ben: Your registration was declined: Picnic'])
  expect(desk.mails.some(({ to, text }) => to.startsWith('ben') && text.includes('> For the choir'))).toBe(true)
})

test('a held seat is mailed with a link to pay, confirmed when it is paid, and told when it is released', async ({ admin, desk }) => {
  const [ann, ben] = [await desk.somebody('ann'), await desk.somebody('ben')]
  const event = await desk.published({ ticketTypes: [{ name: 'Ticket', price: { amount: 1500, currency: 'EUR' } }] })
  const first = await desk.register(ann.client, event)
  const second = await desk.register(ben.client, event)
  expect(await desk.post()).toEqual(['ann: Payment needed: Picnic', 'ben: Payment needed: Picnic'])
  expect(desk.mails.at(-1)?.text).toMatch(/€15\.00[\s\S]*\/public\/pay\//)
  const paid = { method: 'cash', money: { amount: 1500, currency: 'EUR' }, receivedOn: '2026-11-20' }
  await desk.boss.post('/data/payments', { ...paid, allocations: [{ invoiceId: first.invoice?.id, amount: 1500 }] })
  await admin.query(`update app.registrations set hold_until = now() - interval '1 second' where id = $1`, [second.id])
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Registration confirmed: Picnic', 'ben: Your place was released: Picnic'])
})

test('a transfer is told to both; people without an account get theirs at their address', async ({ desk }) => {
  const ann = await desk.somebody('ann')
  const event = await desk.published()
  const mine = await desk.register(ann.client, event)
  await desk.post()
  await desk.act(ann.client, mine, 'transfer', { name: 'Kim', email: `kim-${desk.org.id}@example.org` })
  expect(await desk.post()).toEqual(['ann: Your ticket was transferred: Picnic', 'kim: You have a ticket: Picnic'])
  expect(desk.mails.find(({ to }) => to.startsWith('kim'))?.text).not.toContain('/event/')
})

test('people without an account get a link to their registration in every mail, and their ticket with the seat', async ({
  admin,
  desk,
}) => {
  const ann = await desk.somebody('ann')
  const event = await desk.published({ capacity: 1, offerMinutes: 60 })
  const first = await desk.register(ann.client, event)
  const kim = `kim-${desk.org.id}@example.org`
  await desk.register(desk.boss, event, { name: 'Kim', email: kim })
  // In the directory, and never signed in.
  const { rows } = await admin.query<{ id: string }>(`insert into app.people (org_id, given_name) values ($1, 'Lou') returning id`, [
    desk.org.id,
  ])
  await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
    ...[desk.org.id, rows[0]?.id, `lou-${desk.org.id}@example.org`],
  ])
  await desk.register(desk.boss, event, { personId: rows[0]?.id })
  await desk.post()
  await desk.act(ann.client, first, 'cancel')
  await desk.post()
  const offered = await admin.query<{ id: string }>(`select id from app.registrations where event_id = $1 and status = 'offered'`, [
    event.id,
  ])
  await desk.act(desk.boss, { id: offered.rows[0]?.id ?? '', status: '', invoice: null }, 'accept')
  await desk.post()
  await desk.change(event, { venueName: 'Hall' })
  await admin.query(`update app.event_messages set send_at = now() where event_id = $1`, [event.id])
  await desk.minute()
  const note = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Bring a coat' }] }] }
  expect(await desk.boss.post(`/data/events/${event.id}/messages`, { subject: 'Coats', body: note })).toMatchObject({ status: 201 })
  await desk.minute()
  await desk.post()
  const { version } = (await desk.boss.get(`/data/events/${event.id}`)).body as Event
  await desk.boss.post(`/data/events/${event.id}/cancel`, { reason: 'Rain' }, { 'if-match': `"${version}"` })
  await desk.minute()
  await desk.minute()
  await desk.post()
  const of = (name: string) => desk.mails.filter(({ to }) => to.startsWith(name))
  expect(of('kim').map(({ subject }) => subject.split(':')[0])).toEqual([
    ...['You are on the waiting list', 'A place is free for you', 'Registration confirmed', 'Changed', 'Coats', 'Cancelled'],
  ])
  expect(of('kim')[2]?.attachments?.map(({ name }) => name)).toEqual(['ticket.pdf', 'event.ics'])
  for (const mail of [...of('kim'), ...of('lou')]) expect(mail.text, mail.subject).toMatch(/\/public\/registrations\/\S{27}/)
  expect(of('lou').length).toBeGreaterThan(2)
  for (const mail of of('ann')) expect(mail.text).not.toContain('/public/registrations/')
})

test('a ticket that cannot be laid out stops no mail', async ({ desk }) => {
  const { client } = await desk.somebody('ann')
  await desk.register(client, await desk.published())
  vi.stubEnv('TMPDIR', '/nowhere')
  try {
    expect(await desk.post()).toEqual(['ann: Registration confirmed: Picnic'])
  } finally {
    vi.unstubAllEnvs()
  }
  expect(desk.mails[0]?.attachments?.map(({ name }) => name)).toEqual(['event.ics'])
  expect(desk.mails[0]?.text).not.toContain('attached')
})

test('time, place and link are told once for all changes within ten minutes, with what they were; other facts are not', async ({
  admin,
  desk,
}) => {
  const ann = await desk.somebody('ann')
  const event = await desk.published({ mode: 'hybrid', link: { url: 'https://meet.example.org/1' } })
  const mine = await desk.register(ann.client, event)
  await desk.post()
  await desk.change(event, { summary: 'With cake' })
  const waiting = () =>
    admin.query<{ n: number }>(`select count(*)::int as n from app.event_messages where event_id = $1 and state = 'waiting'`, [event.id])
  expect((await waiting()).rows).toEqual([{ n: 0 }])
  await desk.change(event, { venueName: 'Hall' })
  await desk.change(event, { startsAt: '2090-07-02T16:00:00Z', endsAt: '2090-07-02T18:00:00Z' })
  await desk.change(event, { link: { url: 'https://meet.example.org/2' } })
  await desk.minute()
  expect(await desk.post()).toEqual([])
  const soon = () => admin.query(`update app.event_messages set send_at = now() where event_id = $1 and state = 'waiting'`, [event.id])
  await soon()
  await desk.minute()
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Changed: Picnic'])
  const text = desk.mails.at(-1)?.text ?? ''
  expect(text).toContain('Before: Saturday, July 1, 2090')
  expect(text).toContain('Now: Sunday, July 2, 2090')
  expect(text).toContain('Before: Park\nNow: Hall')
  expect(text).toContain('Before: https://meet.example.org/1\nNow: https://meet.example.org/2')
  // There and back again is no change.
  await desk.change(event, { venueName: 'Park' })
  await desk.change(event, { venueName: 'Hall' })
  await soon()
  await desk.minute()
  expect(await desk.post()).toEqual([])
  expect(await desk.act(ann.client, mine, 'cancel')).toMatchObject({ status: 'cancelled' })
})

test('a cancelled event is told with its reason to everybody who registered, also to those who waited', async ({ desk }) => {
  const [ann, ben] = [await desk.somebody('ann'), await desk.somebody('ben')]
  const event = await desk.published({ capacity: 1 })
  await desk.register(ann.client, event)
  await desk.register(ben.client, event)
  await desk.post()
  const { version } = (await desk.boss.get(`/data/events/${event.id}`)).body as Event
  await desk.boss.post(`/data/events/${event.id}/cancel`, { reason: 'The hall is flooded' }, { 'if-match': `"${version}"` })
  await desk.minute()
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Cancelled: Picnic', 'ben: Cancelled: Picnic'])
  expect(desk.mails.at(-1)?.text).toContain('> The hall is flooded')
  expect((await ann.client.get('/data/notifications')).body).toMatchObject({
    items: [{ kind: 'event-message', params: { news: 'event_cancelled' } }],
  })
})

test('people are reminded once, a day before; not those who have just registered, and not where it is off', async ({ admin, desk }) => {
  const [ann, ben] = [await desk.somebody('ann'), await desk.somebody('ben')]
  const soon = new Date(Date.now() + 20 * 3_600_000).toISOString()
  const later = new Date(Date.now() + 30 * 3_600_000).toISOString()
  const [near, far, quiet] = [
    await desk.published({ title: 'Near', startsAt: soon }),
    await desk.published({ title: 'Far', startsAt: later }),
    await desk.published({ title: 'Quiet', startsAt: soon }),
  ]
  await admin.query(`insert into app.event_mail_settings (org_id, event_id, kind, enabled) values ($1, $2, 'reminder', false)`, [
    ...[desk.org.id, quiet.id],
  ])
  for (const event of [near, far, quiet]) await desk.register(ann.client, event)
  await admin.query(`update app.registrations set confirmed_at = now() - interval '2 days' where org_id = $1`, [desk.org.id])
  await admin.query(`update app.events set published_at = now() - interval '9 days' where org_id = $1`, [desk.org.id])
  await desk.register(ben.client, near)
  await desk.post()
  await desk.minute()
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Reminder: Near'])
  // As long before as the organisation says, where the event itself says nothing; a paragraph of its own changes nothing about that.
  const hours = async () => {
    const { body }: { body: { items: { kind: string; hours: number | null }[] } } = await desk.boss.get(
      `/data/events/${far.id}/automatic-mails`,
    )
    return body.items.find(({ kind }) => kind === 'reminder')?.hours
  }
  await desk.boss.put(`/data/events/${far.id}/automatic-mails/reminder`, { enabled: true, extra: 'Bring a coat.', hours: 24 })
  const { body: organisation }: { body: { version: number } } = await desk.boss.get('/data/organisation')
  await desk.boss.patch('/data/organisation', { eventReminderHours: 48 }, { 'if-match': `"${organisation.version}"` })
  expect(await hours()).toBe(48)
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Reminder: Far'])
})

test('600 registrants are told by a few statements, each once, also when the worker stops in between', async ({ admin, desk }) => {
  const event = await desk.published()
  await admin.query(
    `insert into app.registrations (org_id, event_id, status, cause, name, email, source, confirmed_at, price_amount, price_currency)
     select $1::uuid, $2, 'confirmed', 'registered', 'Guest ' || n, 'g' || n || '-' || $1::text || '@example.org', 'import', now(), 0, 'EUR' from generate_series(1, 600) n`,
    [desk.org.id, event.id],
  )
  const { version } = (await desk.boss.get(`/data/events/${event.id}`)).body as Event
  await desk.boss.post(`/data/events/${event.id}/cancel`, { reason: 'Storm' }, { 'if-match': `"${version}"` })
  const portions: number[] = []
  for (let done = 1; done > 0;) {
    done = (await admin.query<{ done: number }>('select app.send_event_messages($1, 250) as done', [desk.org.id])).rows[0]?.done ?? 0
    portions.push(done)
  }
  expect(portions).toEqual([250, 250, 100, 0])
  const { rows } = await admin.query<{ mails: number; people: number; recipients: number; state: string }>(
    `select count(*)::int as mails, count(distinct m.address)::int as people, max(e.recipients) as recipients, max(e.state) as state
     from app.event_messages e join app.mail_messages m on m.org_id = e.org_id and m.batch_id = e.id where e.event_id = $1`,
    [event.id],
  )
  expect(rows).toEqual([{ mails: 600, people: 600, recipients: 600, state: 'sent' }])
})

type Sent = { id: string; state: string; recipients: number; outcomes: Record<string, number> }
const words = (text: string) => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text, marks: [{ type: 'bold' }] }] }],
})
const write = (client: Client, event: Event, more: Record<string, unknown> = {}) =>
  client.post(`/data/events/${event.id}/messages`, { subject: 'Coats', body: words('Bring a coat.'), ...more })

test('organisers write to those they choose, once, and see what became of it; nobody else does', async ({ desk }) => {
  const [ann, ben] = [await desk.somebody('ann'), await desk.somebody('ben')]
  const event = await desk.published({ capacity: 1 })
  await desk.register(ann.client, event)
  await desk.register(ben.client, event)
  await desk.post()
  const path = `/data/events/${event.id}/messages`
  expect((await desk.boss.get(`${path}/audience?audience=waiting`)).body).toEqual({ recipients: 1 })
  expect((await desk.boss.get(`${path}/audience`)).body).toEqual({ recipients: 2 })
  expect((await write(ann.client, event)).status).toBe(403)
  expect((await ann.client.get(path)).status).toBe(403)
  expect((await ann.client.get(`${path}/audience`)).status).toBe(403)
  expect(await write(desk.boss, event, { audience: 'confirmed' })).toMatchObject({ status: 201, body: { state: 'waiting', recipients: 0 } })
  await desk.minute()
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Coats'])
  expect(desk.mails.at(-1)?.html).toContain('<strong>Bring a coat.</strong>')
  expect(desk.mails.at(-1)?.text).toContain('Bring a coat.')
  expect((await desk.boss.get(path)).body).toMatchObject({
    items: [{ kind: 'message', subject: 'Coats', state: 'sent', recipients: 1, outcomes: { sent: 1, waiting: 0 } }],
  })
})

test('a message for later waits, and can be withdrawn until it is sent', async ({ admin, desk }) => {
  const ann = await desk.somebody('ann')
  const event = await desk.published()
  await desk.register(ann.client, event)
  await desk.post()
  const later = { sendAt: new Date(Date.now() + 3_600_000).toISOString() }
  const [first, second] = [(await write(desk.boss, event, later)).body as Sent, (await write(desk.boss, event, later)).body as Sent]
  await desk.minute()
  expect((await ann.client.post(`/data/event-messages/${first.id}/withdraw`, {})).status).toBe(404)
  expect((await desk.boss.post(`/data/event-messages/${first.id}/withdraw`, {})).body).toMatchObject({ state: 'withdrawn' })
  await admin.query(`update app.event_messages set send_at = now() where event_id = $1`, [event.id])
  await desk.minute()
  expect(await desk.post()).toEqual(['ann: Coats'])
  expect(await desk.boss.post(`/data/event-messages/${second.id}/withdraw`, {})).toMatchObject({
    status: 409,
    body: { reason: 'event_message_sent' },
  })
  expect(await write(desk.boss, event, { sendAt: '2095-01-01T00:00:00Z' })).toMatchObject({
    status: 422,
    body: { reason: 'event_message_far' },
  })
  const draft = (await desk.boss.post('/data/events', { title: 'Draft', startsAt: '2090-07-01T16:00:00Z' })).body as Event
  expect(await write(desk.boss, draft)).toMatchObject({ status: 409, body: { reason: 'event_message_draft' } })
})

test('automatic mails have a paragraph of the organisers, and are off where that does no harm', async ({ desk }) => {
  const [ann, ben] = [await desk.somebody('ann'), await desk.somebody('ben')]
  const event = await desk.published({ capacity: 1 })
  const set = (kind: string, setting: Record<string, unknown>) => desk.boss.put(`/data/events/${event.id}/automatic-mails/${kind}`, setting)
  expect(await set('confirmed', { enabled: true, extra: 'The entrance is behind the library.' })).toMatchObject({
    status: 200,
    body: { kind: 'confirmed', essential: true, enabled: true },
  })
  expect(await set('confirmed', { enabled: false })).toMatchObject({ status: 409, body: { reason: 'event_mail_essential' } })
  expect((await set('waiting', { enabled: false })).status).toBe(200)
  expect(await set('reminder', { enabled: true, hours: 48 })).toMatchObject({ body: { hours: 48 } })
  expect((await ann.client.get(`/data/events/${event.id}/automatic-mails`)).status).toBe(403)
  expect((await desk.boss.get(`/data/events/${event.id}/automatic-mails`)).body).toMatchObject({
    items: expect.arrayContaining([expect.objectContaining({ kind: 'waiting', enabled: false, essential: false })]),
  })
  await desk.register(ann.client, event)
  await desk.register(ben.client, event)
  expect(await desk.post()).toEqual(['ann: Registration confirmed: Picnic'])
  expect(desk.mails.at(-1)?.text).toContain('The entrance is behind the library.')
})
