import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import * as z from 'zod'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { registered } from '../../../platform/mail/templates.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { TestPerson } from '../../../testing.ts'

/** Stands for a message about a topic. */
const news = registered({
  key: 'test-news',
  essential: false,
  params: z.object({}),
  write: () => ({ subject: 'News', paragraphs: ['Something new'] }),
})

const test = base.extend<{
  /** Somebody with the rights of communication, a member, and what arrives. */
  club: {
    org: { id: string; rootChapterId: string }
    editor: TestPerson
    reader: TestPerson
    topic(more?: object): Promise<string>
    /** Mails about a topic to people; answers the paths of their links, or why there is none. */
    mail(topicId: string | null, ...to: TestPerson[]): Promise<string[]>
    confirmations(): Promise<string[]>
    state(who: TestPerson, topicId: string): Promise<string | undefined>
  }
}>({
  club: async ({ api, admin, organisation, person }, use) => {
    const org = await organisation()
    const editor = await person({ org, idpRoles: ['org-admin'], email: `${randomUUID()}@example.org` })
    const reader = await person({ org, email: `${randomUUID()}@example.org` })
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: Mail[] = []
    const services = { ...worker, mailer: { send: async (mail: Mail) => void sent.push(mail), check: async () => {}, close: () => {} } }
    const round = async () => {
      for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue(services, [...mailTemplates, news]))
    }
    await use({
      org,
      editor,
      reader,
      topic: async (more = {}) => {
        const { body, status } = await api.as(editor).post('/data/communication/topics', { name: `News ${randomUUID()}`, ...more })
        expect(status).toBe(201)
        return (body as { id: string }).id
      },
      mail: async (topicId, ...to) => {
        const ids: string[] = []
        for (const { personId } of to) {
          const { rows } = await admin.query<{ id: string }>(
            `insert into app.mail_messages (org_id, template, person_id, essential, topic_id) values ($1, 'test-news', $2, false, $3) returning id`,
            [org.id, personId, topicId],
          )
          ids.push(rows[0]?.id ?? '')
        }
        const before = sent.length
        await round()
        const urls = sent
          .slice(before)
          .flatMap(({ subject, unsubscribeUrl }) => (subject === 'News' && unsubscribeUrl ? [new URL(unsubscribeUrl).pathname] : []))
        const { rows } = await admin.query<{ outcome: string }>(
          `select outcome from app.mail_messages where org_id = $1 and id = any ($2) and state = 'suppressed'`,
          [org.id, ids],
        )
        return [...urls, ...rows.map(({ outcome }) => outcome)]
      },
      confirmations: async () => {
        const before = sent.length
        await round()
        return sent.slice(before).flatMap(({ text }) => /\/public\/topic-confirm\/\S+/.exec(text) ?? [])
      },
      state: async ({ personId }, topicId) =>
        (await admin.query<{ state: string }>('select state from app.consents where person_id = $1 and topic_id = $2', [personId, topicId]))
          .rows[0]?.state,
    })
    await worker.close()
  },
})

const form = (payload: string) => ({ method: 'POST' as const, payload, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
const oneClick = form('List-Unsubscribe=One-Click')

test('one click ends mails about that topic only, at once and signed out, and nothing but a POST does', async ({
  api,
  admin,
  club,
  person,
}) => {
  const [news, parties, other] = [
    await club.topic({ defaultOpt: 'in' }),
    await club.topic({ defaultOpt: 'in' }),
    await person({ org: club.org, email: `${randomUUID()}@example.org` }),
  ]
  const [mine = '', theirs = ''] = await club.mail(news, club.reader, other)
  const changes = async () => (await admin.query('select from app.consent_changes where org_id = $1', [club.org.id])).rowCount
  for (let n = 0; n < 50; n++) {
    const answers = await Promise.all([api.app.inject(mine), api.app.inject({ method: 'HEAD', url: mine })])
    expect(answers.map(({ statusCode }) => statusCode).every((status) => [200, 404, 429].includes(status))).toBe(true)
  }
  expect([await changes(), (await admin.query('select from app.mail_suppressions where org_id = $1', [club.org.id])).rowCount]).toEqual([
    0, 0,
  ])

  const answer = await api.app.inject({ url: theirs, ...oneClick, remoteAddress: '192.0.2.7' })
  expect([answer.statusCode, answer.body]).toEqual([200, expect.stringContaining('You are unsubscribed')])
  expect([await club.state(other, news), await club.state(other, parties), await club.state(club.reader, news)]).toEqual([
    'unsubscribed',
    undefined,
    undefined,
  ])
  expect(await club.mail(news, other)).toEqual(['unsubscribed'])
  expect(await club.mail(parties, other)).toEqual([expect.stringContaining('/public/unsubscribe/')])
  expect(await club.mail(null, other)).toEqual([expect.stringContaining('/public/unsubscribe/')])
  // Twice is once.
  await api.app.inject({ url: theirs, ...oneClick, remoteAddress: '192.0.2.7' })
  expect(await changes()).toBe(1)
  // The profile tells of it, with the history.
  const choices = (await api.as(other).get(`/data/people/${other.personId}/mail-choices`)).body as unknown as {
    topics: { id: string; state: string; source: string }[]
    changes: unknown[]
  }
  expect(choices.topics.find(({ id }) => id === news)).toMatchObject({ state: 'unsubscribed', source: 'link' })
  expect(choices.changes).toHaveLength(1)
})

test('the page of a mail shows its recipient’s topics, and acts on what was shown only', async ({ api, club, person }) => {
  const other = await person({ org: club.org, email: `${randomUUID()}@example.org` })
  const [news, parties, confirmed, safety] = [
    await club.topic({ defaultOpt: 'in' }),
    await club.topic(),
    await club.topic({ confirm: true }),
    await club.topic({ kind: 'essential', defaultOpt: 'in' }),
  ]
  const [path = ''] = await club.mail(news, club.reader)
  const from = { remoteAddress: '192.0.2.8' }
  const page = await api.app.inject({ url: path, ...from })
  for (const id of [news, parties, confirmed]) expect(page.body).toContain(`name="shown" value="${id}"`)
  expect(page.body).not.toContain(`name="shown" value="${safety}"`)
  // Subscribes to two, one of which wants a confirmation; the essential one and one that was not shown stay as they are.
  const later = await club.topic({ defaultOpt: 'in' })
  const shown = [news, parties, confirmed].map((id) => `shown=${id}`).join('&')
  const saved = await api.app.inject({
    url: path,
    ...form(`do=save&${shown}&on=${parties}&on=${confirmed}&shown=${safety}&shown=${randomUUID()}`),
    ...from,
  })
  expect([saved.statusCode, saved.body]).toEqual([200, expect.stringContaining('confirm your subscription')])
  expect(await Promise.all([news, parties, confirmed, safety, later].map((id) => club.state(club.reader, id)))).toEqual([
    'unsubscribed',
    'subscribed',
    'pending',
    undefined,
    undefined,
  ])
  expect(await club.state(other, news)).toBeUndefined()
  expect(await club.mail(confirmed, club.reader)).toEqual(['pending'])
  // Essential mail is never stopped, whatever is said here.
  await api.app.inject({ url: path, ...form('do=essential'), ...from })
  expect(await club.mail(parties, club.reader)).toEqual(['opted_out'])
  expect(await club.mail(safety, club.reader)).toHaveLength(1)
  expect(await club.mail(null, club.reader)).toEqual(['opted_out'])
  await api.app.inject({ url: path, ...form('do=all'), ...from })
  expect(await club.mail(parties, club.reader)).toEqual([expect.stringContaining('/public/unsubscribe/')])
  expect((await api.app.inject({ url: `${path.slice(0, -1)}_`, ...oneClick, ...from })).statusCode).toBe(404)
})

test('a subscription with confirmation counts from the POST of its link, and an old link brings nothing back', async ({
  api,
  admin,
  club,
}) => {
  const topic = await club.topic({ confirm: true })
  const url = `/data/people/${club.reader.personId}/topics/${topic}`
  expect((await api.as(club.reader).put(url, { subscribed: true })).status).toBe(200)
  const [path = ''] = await club.confirmations()
  expect(path).toContain('/public/topic-confirm/')
  const from = { remoteAddress: '192.0.2.9' }
  expect((await api.app.inject({ url: path, ...from })).body).toContain('Confirm subscription')
  expect(await club.state(club.reader, topic)).toBe('pending')
  expect((await api.app.inject({ url: path, ...form(''), ...from })).body).toContain('You are subscribed')
  expect(await club.state(club.reader, topic)).toBe('subscribed')
  await api.as(club.reader).put(url, { subscribed: false })
  await api.app.inject({ url: path, ...form(''), ...from })
  expect(await club.state(club.reader, topic)).toBe('unsubscribed')
  const { rows } = await admin.query<{ said: string }>(
    `select state || ' ' || source as said from app.consent_changes where topic_id = $1 order by id`,
    [topic],
  )
  expect(rows.map(({ said }) => said)).toEqual(['pending profile', 'subscribed link', 'unsubscribed profile'])
})

test('officers record what somebody said, but only the person comes back', async ({ api, admin, club, person }) => {
  const topic = await club.topic()
  const record = (subscribed: boolean, who = club.reader) =>
    api.as(club.editor).post(`/data/people/${who.personId}/consents`, { topicId: topic, subscribed, note: 'On the list at the door' })
  expect(
    (await api.as(club.editor).post(`/data/people/${club.reader.personId}/consents`, { topicId: topic, subscribed: true })).status,
  ).toBe(400)
  expect((await record(true)).status).toBe(200)
  expect(await club.state(club.reader, topic)).toBe('subscribed')
  expect((await record(false)).status).toBe(200)
  expect((await record(true)).status).toBe(200)
  expect(await club.state(club.reader, topic)).toBe('pending')
  expect((await record(true)).body).toMatchObject({ reason: 'consent_asked' })
  const [path = ''] = await club.confirmations()
  await api.app.inject({ url: path, ...form(''), remoteAddress: '192.0.2.10' })
  expect(await club.state(club.reader, topic)).toBe('subscribed')
  // Who cannot be written to is not asked.
  const quiet = await person({ org: club.org, email: `${randomUUID()}@example.org` })
  await record(false, quiet)
  await admin.query('update app.people set do_not_contact = true where id = $1', [quiet.personId])
  expect((await record(true, quiet)).body).toMatchObject({ reason: 'consent_unreachable' })
  expect((await api.as(club.editor).get(`/data/people/${quiet.personId}/mail-reach?topicId=${topic}`)).body).toMatchObject({
    refusal: 'do_not_contact',
    essentialToo: false,
  })
  expect((await api.as(quiet).get(`/data/people/${club.reader.personId}/mail-reach`)).status).toBe(403)
})

test('topics are ordered, counted and archived, and never subscribe people who did not ask', async ({ api, club }) => {
  const editor = api.as(club.editor)
  const [first, second] = [await club.topic({ name: 'First', defaultOpt: 'in' }), await club.topic({ name: 'Second' })]
  expect((await editor.post('/data/communication/topics', { name: 'second' })).body).toMatchObject({
    reason: 'topic_name_taken',
  })
  expect((await editor.post('/data/communication/topics', { name: 'Third', kind: 'essential' })).status).toBe(422)
  await editor.put('/data/communication/topics/order', { topicIds: [second, first] })
  await api.as(club.reader).put(`/data/people/${club.reader.personId}/topics/${second}`, { subscribed: true })
  await api.as(club.reader).put(`/data/people/${club.reader.personId}/topics/${first}`, { subscribed: false })
  type Listed = { items: { id: string; counts: object | null; version: number }[] }
  const listed = (await editor.get('/data/communication/topics')).body as unknown as Listed
  expect(listed.items.map(({ id, counts }) => [id, counts])).toEqual([
    [second, { subscribed: 1, pending: 0, unsubscribed: 0 }],
    [first, { subscribed: 1, pending: 0, unsubscribed: 1 }],
  ])
  expect(((await api.as(club.reader).get('/data/communication/topics')).body as unknown as Listed).items[0]?.counts).toBeNull()
  const version = { 'if-match': `"${listed.items[1]?.version}"` }
  expect((await editor.patch(`/data/communication/topics/${first}`, { confirm: true }, version)).status).toBe(422)
  expect((await editor.post(`/data/communication/topics/${first}/archive`, {}, version)).status).toBe(200)
  expect((await api.as(club.reader).put(`/data/people/${club.reader.personId}/topics/${first}`, { subscribed: true })).body).toMatchObject({
    reason: 'topic_archived',
  })
})

test('an address is suppressed by hand and released with a reason, after a complaint only when its person asked', async ({
  api,
  admin,
  club,
}) => {
  const editor = api.as(club.editor)
  const address = `${randomUUID()}@example.org`
  expect((await editor.post('/data/communication/suppressions', { address, note: 'Asked by telephone' })).body).toMatchObject({
    items: [{ reason: 'manual', note: 'Asked by telephone' }],
  })
  const release = (more = {}) =>
    editor.post('/data/communication/suppressions/release', { address: address.toUpperCase(), note: 'Asked again', ...more })
  expect((await release()).body).toMatchObject({ items: [] })
  expect((await release()).body).toMatchObject({ reason: 'address_not_suppressed' })
  await admin.query(
    `insert into app.mail_suppressions (org_id, address_hash, reason) values ($1, app_private.address_hash($2), 'complaint')`,
    [club.org.id, address],
  )
  expect((await release()).body).toMatchObject({ reason: 'suppression_of_person' })
  expect((await release({ askedByPerson: true })).status).toBe(200)
  const { rows } = await admin.query<{ action: string }>('select action from app.suppression_changes where org_id = $1 order by id', [
    club.org.id,
  ])
  expect(rows.map(({ action }) => action)).toEqual(['added', 'released', 'released'])
  expect((await api.as(club.reader).get('/data/communication/suppressions')).status).toBe(403)
})

test('a pause stops all mail that is not essential, until it ends or the person ends it', async ({ api, admin, club }) => {
  const topic = await club.topic({ defaultOpt: 'in' })
  const url = `/data/people/${club.reader.personId}/mail-preferences`
  const paused = (await api.as(club.reader).put(url, { essentialOnly: false, pauseWeeks: 3 })).body
  expect(paused).toMatchObject({ reach: { refusal: 'paused', essentialToo: false, until: expect.any(String) } })
  expect(await club.mail(topic, club.reader)).toEqual(['paused'])
  await admin.query(`update app.mail_preferences set paused_until = now() where person_id = $1`, [club.reader.personId])
  expect(await club.mail(topic, club.reader)).toHaveLength(1)
  expect((await api.as(club.editor).put(url, { essentialOnly: true, pauseWeeks: null })).status).toBe(403)
  // Who unsubscribed their address from all mail gets it again when they say so, signed in.
  const [path = ''] = await club.mail(null, club.reader)
  await api.app.inject({ url: path, ...oneClick, remoteAddress: '192.0.2.11' })
  expect((await api.as(club.reader).get(`/data/people/${club.reader.personId}/mail-choices`)).body).toMatchObject({ essentialOnly: true })
  expect((await api.as(club.reader).put(url, { essentialOnly: false, pauseWeeks: null })).body).toMatchObject({ reach: { refusal: null } })
  expect(await club.mail(topic, club.reader)).toHaveLength(1)
})

test('consents go with a merge, the stricter first, and are gone after an erasure', async ({ admin, api, club, person }) => {
  const [news, parties] = [await club.topic({ defaultOpt: 'in' }), await club.topic()]
  const twin = await person({ org: club.org, email: `${randomUUID()}@example.org` })
  const [path = ''] = await club.mail(news, twin)
  await api.as(twin).put(`/data/people/${twin.personId}/topics/${parties}`, { subscribed: false })
  await api.as(club.reader).put(`/data/people/${club.reader.personId}/topics/${parties}`, { subscribed: true })
  await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [twin.personId, club.reader.personId])
  expect(await club.state(club.reader, parties)).toBe('unsubscribed')
  // The link of a mail to the record that is gone is about the one that stays.
  await api.app.inject({ url: path, ...oneClick, remoteAddress: '192.0.2.12' })
  expect(await club.state(club.reader, news)).toBe('unsubscribed')
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [club.reader.personId])
  const { rows } = await admin.query<{ n: number }>(
    `select (select count(*) from app.consents where org_id = $1)::int + (select count(*) from app.consent_changes where org_id = $1)::int as n`,
    [club.org.id],
  )
  expect(rows[0]?.n).toBe(0)
  expect((await api.app.inject({ url: path, remoteAddress: '192.0.2.12' })).body).not.toContain('Unsubscribe from')
})
