import { expect } from 'vitest'
import { createApp } from '../../../app.ts'
import { mailTemplates } from '../../../mails.ts'
import type { Mail } from '../../../platform/mail/mail.ts'
import { sendDue } from '../../../platform/mail/outbox.ts'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation, TestPerson } from '../../../testing.ts'
import { eventJobs } from '../events.jobs.ts'

type Event = { id: string; version: number }
type Comer = { who: TestPerson; client: Client; registrationId: string; address: string }
type Desk = {
  org: TestOrganisation
  boss: Client
  /** An event that ended so many hours ago, with a survey that has these questions. */
  over(hours: number, questions?: readonly Record<string, unknown>[]): Promise<Event>
  comes(event: Event, name: string, status?: 'confirmed' | 'checked_in' | 'cancelled'): Promise<Comer>
  /** Somebody without an account. */
  guest(event: Event, name: string, status?: 'confirmed' | 'checked_in'): Promise<{ address: string; registrationId: string }>
  /** What the worker does every minute, and what leaves then, as `to: subject`. */
  post(): Promise<string[]>
  mailTo(name: string): Mail | undefined
  open(path: string, form?: [string, string][]): Promise<{ status: number; text: string }>
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
    let read = 0
    const registered = async (event: Event, row: { personId?: string; name: string; email: string; status: string }) => {
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.registrations (org_id, event_id, person_id, status, cause, name, email, source, price_amount, price_currency, confirmed_at, checked_in_at)
         values ($1, $2, $3, $4, 'registered', $5, $6, 'import', 0, 'EUR', now(), case when $4 = 'checked_in' then now() end) returning id`,
        [org.id, event.id, row.personId ?? null, row.status, row.name, row.email],
      )
      return rows[0]?.id ?? ''
    }
    await use({
      ...{ org, boss },
      async over(hours, questions = []) {
        const facts = {
          title: 'Picnic',
          startsAt: '2090-07-01T16:00:00Z',
          timezone: 'Europe/Berlin',
          venueName: 'Park',
          visibility: 'members',
        }
        const made = (await boss.post('/data/events', facts)).body as Event
        const event = (await boss.post(`/data/events/${made.id}/publish`, {}, { 'if-match': `"${made.version}"` })).body as Event
        const set = await boss.put(`/data/events/${event.id}/survey`, { enabled: true, questions })
        expect(set.status, set.text).toBe(200)
        await admin.query(
          `update app.events set starts_at = now() - make_interval(hours => $3 + 2), ends_at = now() - make_interval(hours => $3) where org_id = $1 and id = $2`,
          [org.id, event.id, hours],
        )
        return event
      },
      async comes(event, name, status = 'confirmed') {
        const who = await person({ org })
        const address = `${name}-${org.id}@example.org`
        await admin.query('insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $3, true)', [
          ...[org.id, who.personId, address],
        ])
        const registrationId = await registered(event, { personId: who.personId ?? '', name, email: address, status })
        return { who, client: api.as(who), registrationId, address }
      },
      async guest(event, name, status = 'confirmed') {
        const address = `${name}-${org.id}@example.org`
        return { address, registrationId: await registered(event, { name, email: address, status }) }
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
      mailTo: (name) => mails.findLast(({ to }) => to === `${name}-${org.id}@example.org`),
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
    })
    await app.close()
    await worker.close()
  },
})

const at = ({ id }: Event) => `/data/events/${id}/survey`
const linkIn = (mail: Mail | undefined) => /\/public\/surveys\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''

test('a day after the end those who came are asked, once: members in the product, others by a link of their own', async ({ desk }) => {
  const event = await desk.over(23)
  await desk.comes(event, 'ann', 'checked_in')
  await desk.guest(event, 'gus', 'checked_in')
  await desk.comes(event, 'ben')
  await desk.comes(event, 'cid', 'cancelled')
  expect(await desk.post()).toEqual([])
  const other = await desk.over(25)
  await desk.comes(other, 'dora', 'checked_in')
  await desk.guest(other, 'gil', 'checked_in')
  await desk.comes(other, 'eve')
  expect(await desk.post()).toEqual(['dora: How was it? Picnic', 'gil: How was it? Picnic'])
  expect(desk.mailTo('dora')?.text).toContain(`/event/${other.id}?survey=1`)
  expect(linkIn(desk.mailTo('gil'))).not.toBe('')
  expect(await desk.post()).toEqual([])
})

test('where nobody was checked in, everybody with a seat is asked, at the hour of the event, while the mail is on', async ({ desk }) => {
  const event = await desk.over(25)
  await desk.comes(event, 'ann')
  await desk.comes(event, 'cid', 'cancelled')
  const setting = `/data/events/${event.id}/automatic-mails/survey`
  expect((await desk.boss.put(setting, { enabled: true, hours: 48 })).body).toMatchObject({ hours: 48, essential: false })
  expect(await desk.post()).toEqual([])
  await desk.boss.put(setting, { enabled: false, hours: 2 })
  expect(await desk.post()).toEqual([])
  await desk.boss.put(setting, { enabled: true, hours: 2, extra: 'Photos follow.' })
  expect(await desk.post()).toEqual(['ann: How was it? Picnic'])
  expect(desk.mailTo('ann')?.text).toContain('Photos follow.')
})

test('answers come without names: from three on, in no order, and each can be changed for 14 days', async ({ desk, admin }) => {
  const event = await desk.over(1, [
    { text: 'The food?', kind: 'choice', options: ['Good', 'Bad'], required: true },
    { text: 'What was missing?', kind: 'lines' },
  ])
  const [ann, ben, cid] = [await desk.comes(event, 'ann'), await desk.comes(event, 'ben'), await desk.comes(event, 'cid')]
  await desk.guest(event, 'gus')
  const { questions } = (await ann.client.get(at(event))).body as { questions: { id: string }[] }
  const [food, missing] = questions.map(({ id }) => id)
  const answer = (comer: Comer, rating: number, more: Record<string, unknown> = {}) =>
    comer.client.put(`${at(event)}/answer`, { rating, answers: [{ questionId: food, value: 'Good' }], ...more })

  expect(await answer(ann, 6)).toMatchObject({ status: 422 })
  expect((await ann.client.put(`${at(event)}/answer`, { rating: 5 })).body).toMatchObject({ errors: [{ code: 'answer_needed' }] })
  const first = await answer(ann, 2, { again: 'no', comment: 'Cold', answers: [{ questionId: food, value: 'Bad' }] })
  expect(first.body).toMatchObject({ mine: { mayAnswer: true, answer: { rating: 2, again: 'no', comment: 'Cold' } } })
  await answer(ben, 5, { again: 'yes' })
  const results = `${at(event)}/results`
  expect((await desk.boss.get(results)).body).toEqual({ asked: 4, answered: 2, figures: null })

  await answer(cid, 5, {
    comment: 'Lovely',
    answers: [
      { questionId: food, value: 'Good' },
      { questionId: missing, value: '=1+1' },
    ],
  })
  expect((await answer(ann, 4, { again: 'maybe', comment: 'Cold' })).status).toBe(200)
  const { body } = await desk.boss.get(results)
  expect(body).toMatchObject({
    ...{ asked: 4, answered: 3 },
    figures: {
      ...{ average: 4.67, ratings: [0, 0, 0, 1, 2], again: { yes: 1, maybe: 1, no: 0 } },
      questions: [
        {
          text: 'The food?',
          answered: 3,
          options: [
            { value: 'Good', count: 3 },
            { value: 'Bad', count: 0 },
          ],
          texts: [],
        },
        { text: 'What was missing?', answered: 1, options: [], texts: ['=1+1'] },
      ],
    },
  })
  const said = body as { figures: { comments: string[] } }
  expect(said.figures.comments.toSorted()).toEqual(['Cold', 'Lovely'])
  expect(JSON.stringify(body)).not.toContain(ann.registrationId)
  const file = await desk.boss.get(`${results}/csv`)
  expect(file.headers['content-type']).toContain('text/csv')
  expect(file.text).toContain('Overall rating,5,2\r\n')
  expect(file.text).toContain("What was missing?,'=1+1,\r\n")

  await admin.query(`update app.event_survey_answers set answered_at = now() - interval '15 days' where registration_id = $1`, [
    ann.registrationId,
  ])
  expect((await answer(ann, 1)).body).toMatchObject({ reason: 'survey_answer_final' })
  expect((await ann.client.get(at(event))).body).toMatchObject({ mine: { open: true, mayAnswer: false, answer: { rating: 4 } } })
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [cid.who.personId])
  expect((await desk.boss.get(results)).body).toMatchObject({ answered: 3, figures: { comments: ['Cold'], ratings: [0, 0, 0, 1, 2] } })
})

test('nobody but who came answers, organisers alone see results, and no query reads an answer', async ({ desk, api, person }) => {
  const event = await desk.over(1)
  const ann = await desk.comes(event, 'ann', 'checked_in')
  const ben = await desk.comes(event, 'ben')
  const member = api.as(await person({ org: desk.org, idpRoles: ['member'] }))
  for (const client of [ben.client, member, desk.boss])
    expect((await client.put(`${at(event)}/answer`, { rating: 5 })).body).toMatchObject({ reason: 'survey_not_asked' })
  expect((await ann.client.get(at(event))).body).toMatchObject({ enabled: true, mine: { mayAnswer: true, answer: null } })
  expect((await ben.client.get(at(event))).body).toMatchObject({ mine: null })
  expect((await ann.client.get(`${at(event)}/results`)).status).toBe(403)
  expect((await ann.client.put(at(event), { enabled: false })).status).toBe(403)
  await ann.client.put(`${at(event)}/answer`, { rating: 5 })
  await expect(
    api.services.database.asActor({ orgId: desk.org.id, accountId: ann.who.accountId, idpRoles: [] }, (db) =>
      db.selectFrom('app.event_survey_answers').select('rating').execute(),
    ),
  ).rejects.toThrow(/permission denied/)
  await desk.boss.put(at(event), { enabled: false })
  expect((await ann.client.put(`${at(event)}/answer`, { rating: 1 })).body).toMatchObject({ reason: 'survey_closed' })
})

test('an event to come, and one that ended long ago, take no answers', async ({ desk }) => {
  for (const hours of [-5, 24 * 61]) {
    const event = await desk.over(hours)
    const ann = await desk.comes(event, `ann${hours}`)
    expect((await ann.client.put(`${at(event)}/answer`, { rating: 5 })).body).toMatchObject({ reason: 'survey_closed' })
    expect(await desk.post()).toEqual([])
  }
})

test('somebody without an account answers by the link, is told what is missing, and changes the answer', async ({ desk, admin }) => {
  const event = await desk.over(25, [{ text: 'The food?', kind: 'choice', options: ['Good', 'Bad'], required: true }])
  const { registrationId } = await desk.guest(event, 'gus')
  await desk.post()
  const path = linkIn(desk.mailTo('gus'))
  const { questions } = (await desk.boss.get(at(event))).body as { questions: { id: string }[] }
  const food = `answer-${questions[0]?.id}`
  expect((await desk.open(path)).text).toContain('How was Picnic?')
  expect(await desk.open(path, [['again', 'yes']])).toMatchObject({ status: 422 })
  const open = await desk.open(path, [['rating', '4'], ['comment', 'Warm & kind']]) // prettier-ignore
  expect(open.text).toContain('Answer “The food?”.')
  expect(open.text).toContain('Warm &amp; kind')
  for (const rating of ['4', '3']) {
    const done = await desk.open(path, [['rating', rating], ['again', 'yes'], [food, 'Bad'], ['comment', 'Warm']]) // prettier-ignore
    expect(done.text).toContain('Your answer is saved.')
  }
  const { rows } = await admin.query(
    'select rating, again, comment, jsonb_array_length(answers) as answers from app.event_survey_answers where registration_id = $1',
    [registrationId],
  )
  expect(rows).toEqual([{ rating: 3, again: 'yes', comment: 'Warm', answers: 1 }])
  await desk.boss.put(at(event), { enabled: false })
  expect((await desk.open(path, [['rating', '1'], [food, 'Bad']])).text).toContain('This survey is closed.') // prettier-ignore
  expect((await desk.open('/public/surveys/abcdefghijklmnopqrstuvwxyz01')).text).toContain('This link is not valid')
})

test('a survey has five questions at most; copies and events of the series have it too', async ({ desk, admin }) => {
  const { boss } = desk
  const facts = { title: 'Choir', startsAt: '2090-07-01T16:00:00Z', timezone: 'Europe/Berlin', venueName: 'Hall' }
  const event = (await boss.post('/data/events', facts)).body as Event
  const question = { text: 'The songs?' }
  expect((await boss.put(at(event), { enabled: true, questions: Array.from({ length: 6 }, () => question) })).status).toBe(422)
  expect((await boss.put(at(event), { enabled: true, questions: [{ text: 'Which?', kind: 'choice' }] })).status).toBe(422)
  expect((await boss.get(at(event))).body).toEqual({ enabled: false, questions: [], mine: null })
  const set = (await boss.put(at(event), { enabled: true, questions: [question, { text: 'The hall?', kind: 'flag' }] })).body as {
    questions: { id: string; text: string }[]
  }
  const kept = (
    await boss.put(at(event), { enabled: true, questions: [{ id: set.questions[1]?.id, text: 'And the hall?', kind: 'flag' }] })
  ).body
  expect(kept).toMatchObject({ questions: [{ id: set.questions[1]?.id, text: 'And the hall?' }] })
  const copy = (await boss.post(`/data/events/${event.id}/copy`, {})).body as Event
  expect((await boss.get(at(copy))).body).toMatchObject({ enabled: true, questions: [{ text: 'And the hall?', kind: 'flag' }] })

  const soon = new Date(Date.now() + 3 * 86_400_000)
  const weekly = { every: 'week', untilOn: new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10) }
  const first = (await boss.post('/data/events', { ...facts, startsAt: soon.toISOString(), repeats: weekly })).body as Event
  expect(first.id, JSON.stringify(first)).toBeDefined()
  await boss.put(at(first), { enabled: true, questions: [question] })
  await boss.post(`/data/events/${first.id}/publish`, {}, { 'if-match': `"${first.version}"` })
  const { rows } = await admin.query<{ id: string }>(
    'select e.id from app.events e join app.events f on f.series_id = e.series_id where f.id = $1 and e.id <> f.id order by e.starts_at',
    [first.id],
  )
  expect(rows).toHaveLength(2)
  for (const { id, ...rest } of rows) {
    expect((await boss.get(at({ id, version: 1, ...rest }))).body).toMatchObject({ enabled: true, questions: [{ text: 'The songs?' }] })
  }
  await boss.put(at(first), { enabled: false, scope: 'following' })
  expect((await boss.get(at({ id: rows[1]?.id ?? '', version: 1 }))).body).toMatchObject({ enabled: false, questions: [] })
})
