import { expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { eventJobs } from '../events.jobs.ts'

type Event = { id: string; version: number }
type Desk = {
  org: TestOrganisation
  boss: Client
  /** An event that is seen by invitation only. */
  event(more?: Record<string, unknown>): Promise<Event>
  publish(event: Event): Promise<void>
  somebody(name: string): Promise<{ client: Client; personId: string; address: string }>
  /** Somebody with a record and no account. */
  record(name: string): Promise<{ personId: string; address: string }>
  post(): Promise<string[]>
  linkTo(name: string): string
  open(path: string, form?: Record<string, string>): Promise<{ status: number; text: string }>
  states(event: Event): Promise<string[]>
}

const test = base.extend<{ desk: Desk }>({
  desk: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    await admin.query('update app.organisations set idp_org_id = $1::text where org_id = $1', [org.id])
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: org.id } })
    const mails: Mail[] = []
    const mailer = { send: async (mail: Mail) => void mails.push(mail), check: async () => {}, close: () => {} }
    const addressOf = (name: string) => `${name}-${org.id}@example.org`
    const mailbox = async (personId: string, name: string) => {
      await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
        ...[org.id, personId, addressOf(name)],
      ])
      return { personId, address: addressOf(name) }
    }
    let read = 0
    await use({
      ...{ org, boss },
      async event(more = {}) {
        const facts = {
          title: 'Gala',
          startsAt: '2090-07-01T16:00:00Z',
          timezone: 'Europe/Berlin',
          venueName: 'Castle',
          visibility: 'invite',
        }
        const made = await boss.post('/data/events', { ...facts, ...more })
        expect(made.status, made.text).toBe(201)
        return made.body
      },
      async publish(event) {
        const { version } = (await boss.get(`/data/events/${event.id}`)).body as Event
        expect((await boss.post(`/data/events/${event.id}/publish`, {}, { 'if-match': `"${version}"` })).status).toBe(200)
      },
      async somebody(name) {
        const who = await person({ org })
        return { client: api.as(who), ...(await mailbox(who.personId ?? '', name)) }
      },
      async record(name) {
        const { rows } = await admin.query<{ id: string }>(
          `insert into app.people (org_id, given_name, family_name) values ($1, $2, 'Hill') returning id`,
          [...[org.id, name]],
        )
        return mailbox(rows[0]?.id ?? '', name)
      },
      async post() {
        await eventJobs(worker)({}, { id: 'test', signal: new AbortController().signal })
        for (let claimed = 1; claimed > 0;) {
          await admin.query(`update app.mail_messages set next_at = now(), paced = true where org_id = $1 and state = 'queued'`, [org.id])
          ;({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
        }
        const fresh = mails.slice(read).filter(({ to }) => to.includes(org.id))
        read = mails.length
        return fresh.map(({ to, subject }) => `${to.replace(`-${org.id}@example.org`, '')}: ${subject}`).toSorted()
      },
      linkTo: (name) =>
        /\/public\/event-invitations\/\S+/.exec(
          mails.findLast(({ to, subject }) => to === addressOf(name) && subject.startsWith('Invit'))?.text ?? '',
        )?.[0] ?? '',
      async open(path, form) {
        const { statusCode, body } = await app.inject({
          method: form ? 'POST' : 'GET',
          url: path,
          ...(form && {
            headers: { 'content-type': 'application/x-www-form-urlencoded' },
            payload: new URLSearchParams(form).toString(),
          }),
        })
        return { status: statusCode, text: body }
      },
      async states(event) {
        const { body } = await boss.get(`/data/events/${event.id}/invitations`)
        const { items } = body as { items: { person: { displayName: string } | null; email: string; state: string }[] }
        return items.map(({ state }) => state).toSorted()
      },
    })
    await app.close()
    await worker.close()
  },
})
const at = ({ id }: Event) => `/data/events/${id}/invitations`

test('people, groups, chapters and addresses are invited, each once, and mailed once the event is published', async ({ desk, admin }) => {
  const { boss, org } = desk
  const event = await desk.event()
  const [ann, ben] = [await desk.somebody('ann'), await desk.record('ben')]
  const group = (await boss.post('/data/groups', { name: 'Choir' })).body as { id: string }
  await admin.query('insert into app.group_members (org_id, group_id, person_id) values ($1, $2, $3)', [org.id, group.id, ann.personId])
  expect((await boss.post(at(event), { personIds: [ann.personId] })).body).toEqual({ invited: 1, already: 0, registered: 0 })
  expect((await boss.post(at(event), { groupId: group.id })).body).toEqual({ invited: 0, already: 1, registered: 0 })
  const typed = [`gus-${org.id}@example.org`, `GUS-${org.id}@example.org`, ben.address.toUpperCase()]
  expect((await boss.post(at(event), { emails: typed })).body).toEqual({ invited: 2, already: 0, registered: 0 })
  expect((await boss.post(at(event), {})).body).toMatchObject({ errors: [{ code: 'event_invitation_whom' }] })
  expect((await boss.post(at(event), { emails: ['no address'] })).status).toBe(422)
  expect(await desk.post()).toEqual([])
  expect(await desk.states(event)).toEqual(['waiting', 'waiting', 'waiting'])
  await desk.publish(event)
  expect(await desk.post()).toEqual(['ann: Invitation: Gala', 'ben: Invitation: Gala', 'gus: Invitation: Gala'])
  expect(await desk.post()).toEqual([])
  expect(await desk.states(event)).toEqual(['sent', 'sent', 'sent'])
  expect((await boss.get(`${at(event)}/counts`)).body).toEqual({
    invited: 3,
    waiting: 0,
    accepted: 0,
    declined: 0,
    bounced: 0,
    open: 3,
    remindable: 0,
  })
})

test('an invitation shows the event to who is invited and to nobody else; it is declined, accepted by registering, and revoked', async ({
  desk,
}) => {
  const { boss } = desk
  const event = await desk.event()
  const [ann, eve] = [await desk.somebody('ann'), await desk.somebody('eve')]
  await boss.post(at(event), { personIds: [ann.personId] })
  await desk.publish(event)
  const page = `/data/events/${event.id}`
  expect((await eve.client.get(page)).status).toBe(404)
  expect((await ann.client.get(page)).body).toMatchObject({ invitation: { answer: null } })
  expect((await ann.client.get(at(event))).status).toBe(403)
  expect((await ann.client.post(at(event), { personIds: [eve.personId] })).status).toBe(403)
  expect((await ann.client.post(`${page}/invitation/decline`, {})).body).toEqual({ answer: 'declined' })
  expect(await desk.states(event)).toEqual(['declined'])
  const seat = (await ann.client.post(`${page}/registrations`, {})).body as { id: string }
  expect(await desk.states(event)).toEqual(['accepted'])
  expect((await ann.client.post(`${page}/invitation/decline`, {})).body).toMatchObject({ reason: 'event_invitation_registered' })
  await ann.client.post(`/data/registrations/${seat.id}/cancel`, {})
  expect(await desk.states(event)).toEqual(['declined'])
  expect((await boss.post(at(event), { personIds: [eve.personId] })).body).toMatchObject({ invited: 1 })
  const { items } = (await boss.get(at(event))).body as { items: { id: string; person: { id: string } }[] }
  const hers = items.find((one) => one.person.id === eve.personId)
  expect((await ann.client.del(`/data/event-invitations/${hers?.id}`)).status).toBe(404)
  expect((await eve.client.get(page)).status).toBe(200)
  expect((await boss.del(`/data/event-invitations/${hers?.id}`)).status).toBe(204)
  expect((await eve.client.get(page)).status).toBe(404)
  expect(await desk.post()).not.toContain('eve: Invitation: Gala')
})

test('by the link, an address and somebody without an account accept and decline; a revoked link is none', async ({ desk, admin }) => {
  const { boss, org } = desk
  const event = await desk.event({ questions: [{ text: 'Vegetarian?', kind: 'choice', options: ['Yes', 'No'], required: true }] })
  const ben = await desk.record('ben')
  await boss.post(at(event), { personIds: [ben.personId], emails: [`gus-${org.id}@example.org`] })
  await desk.publish(event)
  await desk.post()
  const { questions } = (await boss.get(`/data/events/${event.id}`)).body as { questions: { id: string }[] }
  const asked = `answer-${questions[0]?.id}`
  const link = desk.linkTo('gus')
  expect((await desk.open(link)).text).toContain('Castle')
  expect(await desk.open(link, { do: 'accept', name: 'Gus Grey' })).toMatchObject({ status: 422 })
  expect((await desk.open(link, { do: 'decline' })).text).toContain('You have declined.')
  expect((await desk.open(link, { do: 'accept', name: 'Gus Grey', [asked]: 'Yes' })).text).toContain('You are registered.')
  expect((await desk.open(link, { do: 'accept', name: 'Gus Grey', [asked]: 'Yes' })).text).toContain('You are registered.')
  expect(await desk.states(event)).toEqual(['accepted', 'sent'])
  const his = desk.linkTo('ben')
  expect((await desk.open(his)).text).toContain('value="ben Hill"')
  expect((await desk.open(his, { do: 'accept', name: 'Ben Hill', [asked]: 'No' })).status).toBe(200)
  const { rows } = await admin.query('select name, status, person_id from app.registrations where event_id = $1 order by name', [event.id])
  expect(rows).toEqual([
    { name: 'Ben Hill', status: 'confirmed', person_id: ben.personId },
    { name: 'Gus Grey', status: 'confirmed', person_id: null },
  ])
  expect((await desk.open(his, { do: 'decline' })).text).toContain('You have declined.')
  expect(await desk.states(event)).toEqual(['accepted', 'declined'])
  const { items } = (await boss.get(at(event))).body as { items: { id: string; email: string }[] }
  await boss.del(`/data/event-invitations/${items.find(({ email }) => email !== '')?.id}`)
  expect(await desk.open(link)).toMatchObject({ status: 404 })
})

test('those who have not answered are reminded: a day later, three mails at most, not after unsubscribing', async ({ desk, admin }) => {
  const { boss, org } = desk
  const event = await desk.event()
  const dora = await desk.somebody('dora')
  await boss.post(at(event), { personIds: [dora.personId], emails: ['gus', 'una'].map((name) => `${name}-${org.id}@example.org`) })
  await admin.query(
    `insert into app.mail_suppressions (org_id, address_hash, reason) values ($1, app_private.address_hash($2), 'unsubscribed')`,
    [...[org.id, `una-${org.id}@example.org`]],
  )
  await desk.publish(event)
  expect(await desk.post()).toHaveLength(2)
  expect(await desk.states(event)).toEqual(['not_sent', 'sent', 'sent'])
  await dora.client.post(`/data/events/${event.id}/invitation/decline`, {})
  const remind = async () => ((await boss.post(`${at(event)}/remind`, {})).body as { reminded: number }).reminded
  const dayLater = () =>
    admin.query(`update app.event_invitations set mailed_at = now() - interval '25 hours' where event_id = $1`, [event.id])
  expect(await remind()).toBe(0)
  await dayLater()
  expect(await remind()).toBe(2)
  expect(await desk.post()).toEqual(['gus: Invitation: Gala'])
  await dayLater()
  expect(await remind()).toBe(2)
  await desk.post()
  await dayLater()
  expect(await remind()).toBe(0)
})

test('the address of an outsider who did not come is removed 30 days after the event; the figures stay', async ({ desk, admin }) => {
  const { boss, org } = desk
  const event = await desk.event()
  const ben = await desk.record('ben')
  const address = (name: string) => `${name}-${org.id}@example.org`
  await boss.post(at(event), { personIds: [ben.personId], emails: ['gus', 'una', 'ivy', 'kai'].map(address) })
  await desk.publish(event)
  await desk.post()
  for (const name of ['una', 'ivy']) await desk.open(desk.linkTo(name), { do: 'accept', name })
  await desk.open(desk.linkTo('kai'), { do: 'decline' })
  // Kai is in the directory since then.
  await desk.record('kai')
  const counts = async () => (await boss.get(`${at(event)}/counts`)).body as Record<string, number>
  const before = await counts()
  const addresses = async () => {
    await admin.query('select app.purge_invitations()')
    const { items } = (await boss.get(at(event))).body as { items: { email: string; emailRemoved: boolean }[] }
    return items.map(({ email, emailRemoved }) => (emailRemoved ? 'removed' : (email.split('-')[0] ?? ''))).toSorted()
  }
  const ended = (days: number) =>
    admin.query(
      `update app.events set starts_at = now() - make_interval(days => $2, hours => 2), ends_at = now() - make_interval(days => $2) where id = $1`,
      [event.id, days],
    )
  expect(await addresses()).toEqual(['', 'gus', 'ivy', 'kai', 'una'])
  await ended(29)
  expect(await addresses()).toEqual(['', 'gus', 'ivy', 'kai', 'una'])
  await ended(31)
  const mailed = async () => {
    const { rows } = await admin.query<{ address: string; sent_to: string | null; state: string }>(
      `select m.address, m.sent_to, m.state from app.mail_messages m join app.event_invitations i on i.org_id = m.org_id and i.id = m.batch_id
       where i.event_id = $1 and m.address is not null order by m.address`,
      [event.id],
    )
    return rows.map((mail) => [mail.address.split('-')[0], mail.sent_to?.split('-')[0] ?? null, mail.state])
  }
  await admin.query(
    `update app.mail_messages set state = 'sent', sent_to = address, settled_at = now(), answer = '250' where org_id = $1`,
    [org.id],
  )
  // Where nobody was checked in, everybody with a seat may have come.
  expect(await addresses()).toEqual(['', 'ivy', 'kai', 'removed', 'una'])
  // Their mails know it no more either.
  expect(await mailed()).toEqual([
    ['***', null, 'sent'],
    ['ivy', 'ivy', 'sent'],
    ['kai', 'kai', 'sent'],
    ['una', 'una', 'sent'],
  ])
  await admin.query(`update app.registrations set status = 'checked_in', checked_in_at = now() where event_id = $1 and email = $2`, [
    event.id,
    address('una'),
  ])
  expect(await addresses()).toEqual(['', 'kai', 'removed', 'removed', 'una'])
  expect(await counts()).toMatchObject({ invited: before['invited'], accepted: before['accepted'], declined: before['declined'] })
  expect((await counts())['remindable']).toBe(0)
})
