import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { runRegistrations } from '../events.registrations.queries.ts'

type Page = { status: number; text: string; headers: Record<string, unknown> }
type Event = { id: string; version: number; ticketTypes: { id: string }[]; questions: { id: string }[] }
const match = (version: number) => ({ 'if-match': `"${version}"` })
const address = () => `${randomUUID()}@example.org`

/** An organisation that shows itself here, its office, somebody outside, and their mailbox. */
const test = base.extend<{
  here: { org: TestOrganisation; boss: Client }
  /** Opens a public page, or sends its form, without a token and from another network each time. */
  open: (path: string, form?: Record<string, string>, from?: string) => Promise<Page>
  /** The mails to an address, the newest last, and the path of the link in it. */
  mailed: (email: string) => Promise<{ mails: Mail[]; path: string }>
}>({
  here: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    await admin.query(`update app.organisations set idp_org_id = $1::text, name = 'The Society' where org_id = $1`, [org.id])
    await use({ org, boss: api.as(await person({ org, idpRoles: ['org-admin'] })) })
  },
  open: async ({ api, here }, use) => {
    const app = await createApp({ ...api.services, config: { ...api.services.config, ORG_ID: here.org.id } })
    let nth = 0
    await use(async (path, form, from) => {
      nth += 1
      const { statusCode, body, headers } = await app.inject({
        method: form ? 'POST' : 'GET',
        url: path,
        remoteAddress: from ?? `203.${nth}.113.9`,
        ...(form && { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: new URLSearchParams(form).toString() }),
      })
      return { status: statusCode, text: body, headers }
    })
    await app.close()
  },
  mailed: async ({ api }, use) => {
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: Mail[] = []
    const mailer = { ...worker.mailer, send: async (mail: Mail) => void sent.push(mail) }
    await use(async (email) => {
      for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
      const mails = sent.filter(({ to }) => to === email)
      return { mails, path: /\/public\/registrations\/\S+/.exec(mails.at(-1)?.text ?? '')?.[0] ?? '' }
    })
    await worker.close()
  },
})

async function published(boss: Client, more: Record<string, unknown> = {}): Promise<Event> {
  const facts = { title: 'Open day', startsAt: '2027-07-01T16:00:00Z', timezone: 'Europe/Berlin', venueName: 'Hall', visibility: 'public' }
  const event = (await boss.post('/data/events', { ...facts, ...more })).body as Event
  return (await boss.post(`/data/events/${event.id}/publish`, {}, match(event.version))).body
}
/** No ticket is laid out for its mails. */
const online = { mode: 'online', link: { url: 'https://meet.example.org/1' } }
const at = ({ id }: { id: string }) => `/public/events/${id}`
const guest = (email: string, more: Record<string, string> = {}) => ({ name: 'Kim Larsen', email, consent: 'yes', ...more })

describe('the public page of an event', () => {
  test('is there for everybody when the event is public, by its address when it is unlisted, and otherwise not', async ({
    admin,
    here,
    open,
  }) => {
    const summary = 'Come </script> and see'
    const event = await published(here.boss, {
      title: 'Spring fair',
      summary,
      mode: 'hybrid',
      link: { url: 'https://meet.example.org/1' },
      capacity: 5,
    })
    const page = await open(at(event))
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=60' } })
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers).not.toHaveProperty('x-robots-tag')
    for (const shown of [
      'Spring fair',
      'Hall',
      'Thursday, July 1, 2027',
      '6:00 PM',
      'Europe/Berlin',
      'application/ld+json',
      'og:description',
    ])
      expect(page.text).toContain(shown)
    // Nothing closes the data early, and the link is for people with a seat.
    expect(page.text).not.toContain('Come </script>')
    expect(page.text).not.toContain('meet.example.org')
    expect((await open('/public/events')).text).toContain('Spring fair')
    // As the organisation's region writes dates.
    await admin.query(`update app.organisations set locale = 'en-GB' where org_id = $1`, [here.org.id])
    const british = (await open(at(event))).text
    for (const shown of ['Thursday, 1 July 2027', '18:00']) expect(british).toContain(shown)

    const unlisted = await published(here.boss, { title: 'Quiet fair', visibility: 'unlisted' })
    expect(await open(at(unlisted))).toMatchObject({ status: 200, headers: { 'x-robots-tag': 'noindex' } })
    const members = await published(here.boss, { title: 'Members evening', visibility: 'members' })
    const draft = (await here.boss.post('/data/events', { title: 'Draft', startsAt: '2027-07-01T16:00:00Z', visibility: 'public' }))
      .body as Event
    const answers = await Promise.all([at(members), at(draft), at({ id: randomUUID() }), '/public/events/x'].map((path) => open(path)))
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const list = (await open('/public/events')).text
    for (const hidden of ['Quiet fair', 'Members evening', 'Draft']) expect(list).not.toContain(hidden)
  })

  test('of another organisation is not there', async ({ api, here, open, organisation, person }) => {
    const other = await organisation()
    const event = await published(api.as(await person({ org: other, idpRoles: ['org-admin'] })))
    expect(await open(at(event))).toMatchObject({ status: 404 })
    expect(await open(at(event), guest(address()))).toMatchObject({ status: 404 })
    expect(here.org.id).not.toBe(other.id)
  })

  test('a chapter with a public page lists its own and those below it', async ({ admin, here, open, chapter }) => {
    const [lyon, oslo] = [await chapter(here.org, 'Lyon'), await chapter(here.org, 'Oslo')]
    const { rows } = await admin.query<{ code: string }>(
      `update app.chapters set public_page = true, status = 'active' where id = $1 returning code`,
      [lyon],
    )
    await admin.query('update app.organisations set public_chapters = true where org_id = $1', [here.org.id])
    await published(here.boss, { title: 'Lyon walk', chapterId: lyon })
    await published(here.boss, { title: 'Oslo walk', chapterId: oslo })
    const page = await open(`/public/chapters/${rows[0]?.code}/events`)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('Lyon walk') })
    expect(page.text).not.toContain('Oslo walk')
    expect(await open(`/public/chapters/${oslo}/events`)).toMatchObject({ status: 404 })
  })
})

describe('somebody without an account', () => {
  test('registers with guests and answers, gets ticket and link by mail, and cancels by it', async ({ here, open, mailed }) => {
    const event = await published(here.boss, {
      guestsPerPerson: 1,
      capacity: 2,
      questions: [{ text: 'Diet', required: true, ofGuests: true }],
    })
    const [question] = event.questions
    const email = address()
    const diet = { [`answer-${question?.id}`]: 'None' }
    const refused = await open(at(event), guest(email, { guest1: 'Bo', ...diet }))
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('Answer “Diet”.') })
    expect(refused.text).toContain(`value="${email}"`)
    expect(await open(at(event), guest(email, { ...diet, consent: '' }))).toMatchObject({ status: 422 })
    expect(await open(at(event), guest('nowhere', diet))).toMatchObject({ status: 422 })
    const done = await open(at(event), guest(email, { guest1: 'Bo', ...diet, [`guest1-answer-${question?.id}`]: 'Vegan' }))
    expect(done).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      text: expect.stringContaining('Check your e-mail'),
    })
    expect(done.text).not.toContain('/public/registrations/')
    expect(await here.boss.get(`/data/events/${event.id}/registrations`)).toMatchObject({
      body: {
        items: [
          { name: 'Bo', status: 'offered', answers: [{ value: 'Vegan' }] },
          { name: 'Kim Larsen', email, status: 'offered', source: 'public', person: null, answers: [{ value: 'None' }] },
        ],
      },
    })

    // Seats are few: whoever has the address takes them.
    const { mails: first, path } = await mailed(email)
    expect(first).toHaveLength(1)
    expect(first[0]?.attachments).toEqual([])
    // Whoever typed the address typed the name as well: the first mail there holds nothing of it.
    expect(first[0]?.text).not.toContain('Kim')
    expect(await open(`${path}/ticket.pdf`)).toMatchObject({ status: 404 })
    expect((await open(path, { do: 'accept' })).text).toContain('is confirmed')
    const { mails } = await mailed(email)
    expect(mails).toHaveLength(2)
    expect(mails[1]?.attachments).toMatchObject([{ name: 'ticket.pdf', contentType: 'application/pdf' }, { name: 'event.ics' }])
    const page = await open(path)
    expect(page).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } })
    for (const shown of ['is confirmed', 'Bo', 'data:image/svg+xml', 'Cancel registration']) expect(page.text).toContain(shown)
    // A code for each of the two.
    expect(page.text.match(/data:image\/svg\+xml/g)).toHaveLength(2)
    const pdf = await open(`${path}/ticket.pdf`)
    expect(pdf).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/pdf',
        'content-disposition': 'attachment; filename="ticket.pdf"',
        'cache-control': 'no-store',
      },
    })
    expect(pdf.text).toMatch(/^%PDF/)
    expect(pdf.text.match(/\/Type \/Page\b/g)).toHaveLength(2)
    expect(await open(path, { do: 'cancel' })).toMatchObject({ status: 200, text: expect.stringContaining('is cancelled') })
    expect(await open(path, { do: 'cancel' })).toMatchObject({ status: 200, text: expect.stringContaining('Nothing was changed') })
    expect(await open(`${path}/ticket.pdf`)).toMatchObject({ status: 404 })
    expect(await open(`/public/registrations/${'x'.repeat(27)}/ticket.pdf`)).toMatchObject({ status: 404 })
    expect(await here.boss.get(`/data/events/${event.id}/capacity`)).toMatchObject({ body: { counts: { taken: 0 }, differences: 0 } })
  })

  test('is told what is wrong with a name, and which questions are optional', async ({ here, open }) => {
    const questions = [
      { text: 'Diet', required: true },
      { text: 'How you heard of us' },
      { text: 'Shirt', kind: 'choice', options: ['S', 'L'] },
    ]
    const event = await published(here.boss, { ...online, guestsPerPerson: 1, questions })
    const { text } = await open(at(event))
    for (const label of ['>Diet<', '>How you heard of us (optional)<', '>Shirt (optional)<']) expect(text).toContain(label)
    const diet = { [`answer-${event.questions[0]?.id}`]: 'None' }
    const refusals: [name: string, said: string][] = [
      ['Kim \u202eLarsen', 'The name contains the invisible character U+202E (direction override). Type the name instead of pasting it.'],
      ['Kim\u200f Larsen', 'The name contains the invisible character U+200F (direction mark).'],
      ['K'.repeat(201), 'The name is too long. Enter at most 200 characters.'],
      [' ', 'Enter your name.'],
    ]
    for (const [name, said] of refusals)
      expect(await open(at(event), { ...guest(address()), ...diet, name }), said).toMatchObject({
        status: 422,
        text: expect.stringContaining(said),
      })
    const withGuest = await open(at(event), { ...guest(address()), ...diet, guest1: 'Bo\u2066' })
    expect(withGuest).toMatchObject({ status: 422, text: expect.stringContaining('U+2066 (direction isolate)') })
  })

  test('is answered alike whether the address is known, and only the address learns more', async ({ here, open, mailed }) => {
    const event = await published(here.boss, online)
    const email = address()
    const first = await open(at(event), guest(email))
    const again = await open(at(event), guest(email.toUpperCase()))
    expect([again.status, again.text.replaceAll(email.toUpperCase(), email)]).toEqual([first.status, first.text])
    expect(await here.boss.get(`/data/events/${event.id}/registrations`)).toMatchObject({ body: { items: [{ email }] } })
    const { path } = await mailed(email)
    const { path: second, mails } = await mailed(email.toUpperCase())
    expect(mails).toHaveLength(1)
    expect([await open(path), await open(second)]).toMatchObject([{ status: 200 }, { status: 200 }])
    // Not once more within the hour.
    await open(at(event), guest(email.toUpperCase()))
    expect((await mailed(email.toUpperCase())).mails).toHaveLength(1)
  })

  test('joins the waiting list of a full event, and accepts what is offered', async ({ api, here, open, mailed, person }) => {
    const event = await published(here.boss, { capacity: 1 })
    const member = api.as(await person({ org: here.org }))
    const seat = (await member.post(`/data/events/${event.id}/registrations`, {})).body as { id: string }
    const email = address()
    expect((await open(at(event))).text).toContain('join the waiting list')
    await open(at(event), guest(email))
    const { path, mails } = await mailed(email)
    expect(mails[0]?.attachments ?? []).toEqual([])
    const waiting = await open(path)
    expect(waiting.text).toContain('number 1 on the waiting list')
    expect(waiting.text).not.toContain('data:image/svg+xml')
    expect((await open(path, { do: 'accept' })).text).toContain('Nothing was changed')
    await member.post(`/data/registrations/${seat.id}/cancel`, {})
    expect((await open(path)).text).toContain('Accept the place')
    expect((await open(path, { do: 'accept' })).text).toContain('is confirmed')
    expect(await here.boss.get(`/data/events/${event.id}/capacity`)).toMatchObject({ body: { counts: { taken: 1 }, differences: 0 } })
  })

  test('loses a limited seat that its address does not accept within an hour', async ({ admin, api, here, open, mailed }) => {
    const event = await published(here.boss, { ...online, capacity: 1 })
    expect((await open(at(event), guest(address()))).text).toContain('Accept it within an hour')
    const email = address()
    await open(at(event), guest(email))
    const { path } = await mailed(email)
    expect((await open(path)).text).toContain('number 1 on the waiting list')
    await admin.query(`update app.registrations set offer_until = now() - interval '1 second' where event_id = $1 and status = 'offered'`, [
      event.id,
    ])
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    await worker.database.withoutActor((db) => runRegistrations(db, here.org.id, 20))
    await worker.close()
    expect((await open(path, { do: 'accept' })).text).toContain('is confirmed')
    expect(await here.boss.get(`/data/events/${event.id}/capacity`)).toMatchObject({ body: { counts: { taken: 1 }, differences: 0 } })
    // The hold was no offer of the waiting list.
    const { waitingList } = (await here.boss.get(`/data/events/${event.id}/analytics`)).body as { waitingList: unknown }
    expect(waitingList).toMatchObject({ joined: 1, offered: 1, accepted: 1, expired: 0 })
  })

  test('changes answers by the link, for guests too, until the event begins', async ({ admin, here, open, mailed }) => {
    const event = await published(here.boss, {
      ...online,
      guestsPerPerson: 1,
      questions: [
        { text: 'Diet', required: true, ofGuests: true },
        { text: 'Days', kind: 'choices', options: ['Friday', 'Saturday'] },
        { text: 'Newsletter', kind: 'flag' },
      ],
    })
    const [diet, days, letter] = event.questions.map(({ id }) => id)
    const email = address()
    await open(
      at(event),
      guest(email, { guest1: 'Bo', [`answer-${diet}`]: 'None', [`guest1-answer-${diet}`]: 'Vegan', [`answer-${letter}`]: 'yes' }),
    )
    const { path } = await mailed(email)
    const page = await open(path)
    expect(page.text).toContain('value="Vegan"')
    const bo = /name="guest([0-9a-f-]{36})-answer/.exec(page.text)?.[1]
    const answers = { [`answer-${diet}`]: 'Nuts', [`answer-${days}`]: 'Saturday', [`guest${bo}-answer-${diet}`]: 'Fish' }
    const refused = await open(path, { do: 'answer', ...answers, [`guest${bo}-answer-${diet}`]: '' })
    expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('Answer “Diet”.') })
    expect(refused.text).toContain('value="Nuts"')
    expect(await open(path, { do: 'answer', ...answers, [`answer-${days}`]: 'Sunday' })).toMatchObject({ status: 422 })
    expect((await open(path, { do: 'answer', ...answers })).text).toContain('Your answers are saved.')
    const stored = async () => (await here.boss.get(`/data/events/${event.id}/registrations`)).body
    const expected = {
      items: [
        { name: 'Bo', answers: [{ value: 'Fish' }] },
        { name: 'Kim Larsen', answers: [{ value: 'Nuts' }, { value: ['Saturday'] }, { value: false }] },
      ],
    }
    expect(await stored()).toMatchObject(expected)
    // Somebody else's registration is not changed by one's own link.
    const other = address()
    await open(at(event), guest(other, { [`answer-${diet}`]: 'Milk' }))
    const theirs = await mailed(other)
    await open(theirs.path, { do: 'answer', ...answers, [`guest${bo}-answer-${diet}`]: 'Stolen' })
    expect(await stored()).toMatchObject({ items: [expected.items[0], {}, {}] })
    await admin.query(`update app.events set starts_at = now() - interval '1 minute', ends_at = now() + interval '1 hour' where id = $1`, [
      event.id,
    ])
    const late = await open(path)
    expect(late.text).not.toContain('Save answers')
    expect(late.text).toContain('Nuts')
    expect((await open(path, { do: 'answer', ...answers })).text).toContain('Nothing was changed')
  })

  test('uses a promo code that makes a ticket free, and no other', async ({ here, open }) => {
    const event = await published(here.boss, {
      ticketTypes: [{ name: 'Seat', price: { amount: 500, currency: 'EUR' } }],
      promoCodes: [
        { code: 'FRIENDS', percent: 100, usesLimit: 1 },
        { code: 'HALF', percent: 50 },
      ],
    })
    const [ticket] = event.ticketTypes
    const page = await open(at(event))
    for (const shown of ['Promo code', 'Seat · €5.00']) expect(page.text).toContain(shown)
    const order = (code: string) => open(at(event), guest(address(), { ticket: ticket?.id ?? '', code }))
    expect(await order('NONSENSE')).toMatchObject({ status: 422, text: expect.stringContaining('This code is not valid') })
    expect(await order('x'.repeat(60))).toMatchObject({ status: 422, text: expect.stringContaining('This code is not valid') })
    expect(await order('HALF')).toMatchObject({ status: 422, text: expect.stringContaining('Sign in to buy it.') })
    expect(await order(' friends ')).toMatchObject({ status: 200 })
    expect(await order('FRIENDS')).toMatchObject({ status: 422, text: expect.stringContaining('has been used up') })
    expect(await here.boss.get(`/data/events/${event.id}/registrations`)).toMatchObject({
      body: { items: [{ status: 'confirmed', price: { amount: 0 } }] },
    })
  })

  test('is not given away by an event that is full, and gets the link again on the page of the event', async ({ here, open, mailed }) => {
    const event = await published(here.boss, { ...online, capacity: 1, waitingList: false })
    const email = address()
    await open(at(event), guest(email))
    await mailed(email)
    const [known, unknown] = [await open(at(event), guest(email.toUpperCase())), await open(at(event), guest(address()))]
    const bare = ({ text }: Page) => text.replaceAll(/[0-9a-f-]{36}@example\.org/gi, 'them')
    expect([known.status, bare(known)]).toEqual([422, bare(unknown)])
    expect((await mailed(email.toUpperCase())).mails).toHaveLength(1)

    const asked = [await open(at(event), { do: 'resend', known: email }), await open(at(event), { do: 'resend', known: address() })]
    expect(asked.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(asked.map(bare)).size).toBe(1)
    expect(await open(at(event), { do: 'resend', known: 'nowhere' })).toMatchObject({ status: 422 })
    // Once an hour.
    expect((await mailed(email)).mails).toHaveLength(1)
    const other = await published(here.boss, online)
    await open(at(other), guest(email))
    expect((await mailed(email)).mails).toHaveLength(2)
    await here.boss.post(`/data/events/${other.id}/cancel`, { reason: 'Rain' }, match(other.version))
    expect((await open(at(other))).text).toContain('Already registered?')
  })

  test.for(['Kim www.win.example', 'https://win.example', 'Kim win.com now', 'a@b.example'])(
    'registers under no name that is a link: %s',
    async (name, { here, open }) => {
      const event = await published(here.boss, { guestsPerPerson: 1 })
      const refused = [await open(at(event), guest(address(), { name })), await open(at(event), guest(address(), { guest1: name }))]
      for (const answer of refused) expect(answer).toMatchObject({ status: 422, text: expect.stringContaining('without a link') })
      expect(await open(at(event), guest(address(), { name: 'Kim St. John-Smith, Jr.' }))).toMatchObject({ status: 200 })
    },
  )

  test('registers for nothing that costs, is for members, closed or hidden', async ({ here, open }) => {
    const priced = await published(here.boss, {
      ticketTypes: [
        { name: 'Seat', price: { amount: 500, currency: 'EUR' } },
        { name: 'Members', audience: 'members' },
      ],
    })
    const page = await open(at(priced))
    expect(page.text).toContain('€5.00')
    expect(page.text).not.toContain('name="consent"')
    for (const { id } of priced.ticketTypes) expect(await open(at(priced), guest(address(), { ticket: id }))).toMatchObject({ status: 422 })
    const closed = await published(here.boss, { registrationOpensAt: '2027-01-01T00:00:00Z' })
    expect(await open(at(closed), guest(address()))).toMatchObject({ status: 422 })
    const hidden = await published(here.boss, { visibility: 'members' })
    expect(await open(at(hidden), guest(address()))).toMatchObject({ status: 404 })
    for (const event of [priced, closed, hidden])
      expect(await here.boss.get(`/data/events/${event.id}/registrations`)).toMatchObject({ body: { items: [] } })
  })

  test('is held back after many tries from one address', async ({ here, open }) => {
    const event = await published(here.boss, online)
    const statuses: number[] = []
    for (let nth = 0; nth < 31; nth += 1) statuses.push((await open(at(event), guest(`x${nth}@example.org`), '198.51.100.7')).status)
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(statuses[30]).toBe(429)
  })
})

test('links that are forged, revoked by a transfer, or of another purpose are refused alike', async ({ here, open, mailed }) => {
  const event = await published(here.boss, online)
  const email = address()
  await open(at(event), guest(email))
  const { path } = await mailed(email)
  expect(await open(path)).toMatchObject({ status: 200 })
  const { items } = (await here.boss.get(`/data/events/${event.id}/registrations`)).body as { items: { id: string }[] }
  await here.boss.post(`/data/registrations/${items[0]?.id}/transfer`, { name: 'Bo Ek', email: address() })
  const token = path.split('/').at(-1) ?? ''
  const refused = await Promise.all([
    open(path),
    open(`/public/registrations/${'x'.repeat(27)}`),
    open(`/public/pay/${token}`),
    open(path, { do: 'cancel' }),
  ])
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect(new Set(refused.map(({ text }) => text)).size).toBe(1)
  expect(await here.boss.get(`/data/events/${event.id}/registrations`)).toMatchObject({
    body: { items: [{ name: 'Bo Ek', status: 'confirmed' }] },
  })
})
