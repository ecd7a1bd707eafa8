import type { Automation } from '@guildhall/contract/features/communication.automations'
import type { Message, PersonMessage } from '@guildhall/contract/features/communication.messages'
import type { MessageTemplate } from '@guildhall/contract/features/communication.templates'
import { afterAll, expect } from 'vitest'
import { endWorld } from '../../../testing.ts'
import { feedAutomations } from '../sending/communication.sending.queries.ts'
import { textBody, topicOf } from '../sending/communication.sending.testing.ts'
import { automationsAtWork, dueRuns, lockRuns, takeSteps } from './communication.automations.jobs.queries.ts'
import { match, test, wait } from './communication.automations.mails.testing.ts'
import { decide } from './communication.automations.rules.ts'
import { act } from './communication.automations.testing.ts'
import type { Paged } from './communication.automations.testing.ts'

afterAll(endWorld)

test('a mail arrives once, with the name of its reader, and stands on their page, in the log and in the figures', async ({
  club,
  mails,
  post,
}) => {
  const automation = await club.make({ steps: [mails.step, wait, { ...mails.step, id: 'again' }] })
  expect(automation).toMatchObject({
    faults: [],
    names: expect.arrayContaining([
      { id: mails.template.id, kind: 'template', name: 'Hello' },
      { id: mails.topicId, kind: 'topic', name: expect.stringContaining('News') },
    ]),
  })
  await club.activate(automation)
  const personId = await mails.enter({ givenName: 'Ada', email: 'ada@home.example' })
  await Promise.all([club.round(), club.round()])
  await club.round()
  await Promise.all([post.work(), post.work()])
  await post.work()
  expect(post.sent.map(({ to, subject }) => [to, subject])).toEqual([['ada@home.example', 'Welcome, Ada']])
  const [mail] = post.sent
  expect(mail?.html).toContain('Dear Ada, you are one of')
  expect(mail?.text).toContain('because you are subscribed to “News')
  expect(mail?.unsubscribeUrl).toContain('/public/')
  const [run] = await club.runs(automation)
  expect(await mails.entries(run)).toMatchObject([
    { step: 'enter', kind: 'entered', mail: null },
    { step: 'hello', kind: 'mailed', reason: null, mail: 'sent' },
    { step: 'wait', kind: 'waited' },
  ])
  const counted = await mails.counts(automation)
  expect(counted).toMatchObject({ reached: 1, skipped: 0, mail: { recipients: 1, left: 1, sent: 1 }, messageId: expect.any(String) })
  const { items } = (await club.boss.get(`/data/people/${personId}/messages`)).body as Paged<PersonMessage>
  expect(items).toMatchObject([{ subject: 'Welcome, {{first_name | friend}}', state: 'sent', messageId: counted?.messageId }])

  // The message is there to look at, with its report; it is no message to be sent, changed or listed.
  const path = `/data/messages/${counted?.messageId}`
  const message = (await club.boss.get(path)).body as Message
  expect(message).toMatchObject({
    name: 'Welcome: Hello',
    status: 'sent',
    automation: { id: automation.id, name: 'Welcome' },
    counts: { sent: 1 },
  })
  expect((await club.boss.get('/data/messages')).body).toMatchObject({ items: [], total: 0 })
  expect((await club.boss.get(`${path}/deliveries`)).body).toMatchObject({ items: [{ person: { id: personId }, state: 'sent' }] })
  expect(await club.boss.post(`${path}/archive`, {}, match(message.version))).toMatchObject({
    status: 409,
    body: { reason: 'message_move' },
  })
  expect(await club.boss.patch(path, { subject: 'Other' }, match(message.version))).toMatchObject({ status: 409 })

  await club.pass(3)
  await club.round()
  await post.work()
  expect(post.sent).toHaveLength(2)
  expect((await club.runs(automation))[0]).toMatchObject({ state: 'done' })
})

test('a worker that dies between writing a mail and noting it sends it once', async ({ admin, club, mails, post }) => {
  const automation = await club.activate(await club.make({ steps: [mails.step, wait] }))
  const personId = await mails.enter()
  await admin.query(
    `insert into app.automation_runs (org_id, automation_id, person_id, occasion, entry_key, state, step, next_at) values ($1, $2, $3, 'by hand', 'once', 'active', 'hello', now() - interval '1 minute')`,
    [club.org.id, automation.id, personId],
  )
  const { database } = club.worker
  await expect(
    database.withoutActor(async (db) => {
      // The mail is written; then the connection breaks before that was committed.
      const work = (await automationsAtWork(db)).find((one) => one.automation === automation.id)
      if (!work) throw new Error('not at work')
      const due = await dueRuns(db, work, 10)
      const held = await lockRuns(
        db,
        work,
        due.map(({ runId }) => runId),
      )
      const versions = new Map([['hello', mails.template.version]])
      const moves = held.map((run) => decide(work.definition, run, run.facts, true, new Date(), 'UTC', versions))
      expect(await takeSteps(db, work, moves)).toBe(1)
      throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  await post.work()
  expect(post.sent).toEqual([])
  await Promise.all([club.round(), club.round(), club.round()])
  await Promise.all([post.work(), post.work()])
  expect(post.sent).toHaveLength(1)

  // Control: even where the log lost the step, the key of the delivery keeps it from being sent again.
  await admin.query(`delete from app.automation_log where automation_id = $1 and step = 'hello'`, [automation.id])
  await admin.query(
    `update app.automation_runs set step = 'hello', waits = null, next_at = now() where automation_id = $1 and state = 'active'`,
    [automation.id],
  )
  await club.round()
  await post.work()
  expect(post.sent).toHaveLength(1)
})

test('a mail that cannot be sent as it is stands in the way, and pauses what is running until it can', async ({
  admin,
  club,
  chapter,
  mails,
  post,
}) => {
  const west = await chapter(club.org, 'West')
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.topics (org_id, chapter_id, name, kind, default_opt) values ($1, $2, 'West', 'marketing', 'in') returning id`,
    [club.org.id, west],
  )
  const [empty, wrong] = [await mails.addTemplate({ subject: '' }), await mails.addTemplate({ body: textBody('{{nickname}} {{pet}}') })]
  const draft = await club.make({
    steps: [
      { id: 'a', kind: 'mail' },
      { ...mails.step, id: 'b', templateId: empty.id, topicId: rows[0]?.id },
      { ...mails.step, id: 'c', templateId: wrong.id },
    ],
  })
  expect(draft.faults).toEqual([
    { step: 'a', code: 'no_template' },
    { step: 'a', code: 'no_topic' },
    { step: 'b', code: 'template_empty' },
    { step: 'b', code: 'topic_elsewhere' },
    { step: 'c', code: 'template_fields', detail: 'nickname, pet' },
  ])
  expect(await act(club.boss, draft, 'activate')).toMatchObject({ status: 409, body: { reason: 'automation_not_ready' } })
  const fits = await club.make({ chapterId: west, steps: [{ ...mails.step, topicId: rows[0]?.id }] })
  expect(fits.faults).toEqual([])

  const automation = await club.activate(await club.make({ steps: [mails.step] }))
  await mails.enter()
  const archived = (await club.boss.post(`/data/message-templates/${mails.template.id}/archive`, {}, match(1))).body as MessageTemplate
  await club.round()
  const read = async () => (await club.boss.get(`/data/automations/${automation.id}`)).body as Automation
  expect(await read()).toMatchObject({
    status: 'paused',
    pauseReason: 'mail_broken',
    faults: [{ step: 'hello', code: 'template_archived' }],
  })
  expect((await club.runs(automation))[0]).toMatchObject({ state: 'active', step: 'hello' })
  const restored = (await club.boss.post(`/data/message-templates/${mails.template.id}/restore`, {}, match(archived.version)))
    .body as MessageTemplate
  await club.boss.patch(`/data/message-templates/${mails.template.id}`, { subject: 'Changed' }, match(restored.version))
  await club.activate(await read())
  await club.round()
  await post.work()
  expect(post.sent.map(({ subject }) => subject)).toEqual(['Changed'])
  await admin.query('update app.topics set archived_at = now() where id = $1', [mails.topicId])
  await mails.enter()
  await club.round()
  expect(await read()).toMatchObject({ status: 'paused', pauseReason: 'mail_broken', faults: [{ step: 'hello', code: 'topic_archived' }] })
})

test('what an edited template says from then on is a message of its own, and earlier mails keep what they said', async ({
  club,
  mails,
  post,
}) => {
  const automation = await club.activate(await club.make({ steps: [mails.step] }))
  const first = await mails.enter({ givenName: 'Ada' })
  await club.round()
  await club.boss.patch(`/data/message-templates/${mails.template.id}`, { subject: 'Good to see you' }, match(mails.template.version))
  const second = await mails.enter()
  await club.round()
  await post.work()
  expect(post.sent.map(({ subject }) => subject).sort()).toEqual(['Good to see you', 'Welcome, Ada'])
  const of = async (personId: string) => ((await club.boss.get(`/data/people/${personId}/messages`)).body as Paged<PersonMessage>).items[0]
  expect([(await of(first))?.subject, (await of(second))?.subject]).toEqual(['Welcome, {{first_name | friend}}', 'Good to see you'])
  expect(await mails.counts(automation)).toMatchObject({ mail: { recipients: 2, left: 2 }, messageId: (await of(second))?.messageId })
})

test('who enters again gets the mail again', async ({ admin, club, mails, post }) => {
  await club.activate(await club.make({ steps: [mails.step], reentry: 'always' }))
  const personId = await mails.enter()
  await club.round()
  await admin.query(`update app.person_tags set created_at = now() + interval '1 day' where person_id = $1`, [personId])
  await club.round()
  await post.work()
  expect(post.sent).toHaveLength(2)
})

test('mail waits in quiet hours and while it is paused; what is stopped or archived is called off', async ({
  admin,
  club,
  mails,
  post,
}) => {
  await admin.query(
    `insert into app.communication_settings (org_id, quiet_from, quiet_until) select $1, (now() at time zone o.timezone)::time - interval '1 hour', (now() at time zone o.timezone)::time + interval '1 hour'
     from app.organisations o where o.org_id = $1`,
    [club.org.id],
  )
  const automation = await club.activate(await club.make({ steps: [mails.step, wait] }))
  const [stopped, other] = [await mails.enter(), await mails.enter()]
  await club.round()
  await post.work()
  expect(post.sent).toEqual([])
  const runOf = async (personId: string) => (await club.runs(automation)).find(({ person }) => person.id === personId)
  await club.boss.post(`/data/automation-runs/${(await runOf(stopped))?.id}/stop`)
  expect(await mails.entries(await runOf(stopped))).toMatchObject([
    {},
    { kind: 'mailed', mail: 'cancelled' },
    {},
    { step: 'end', kind: 'stopped' },
  ])
  await admin.query('update app.communication_settings set quiet_from = null, quiet_until = null where org_id = $1', [club.org.id])

  // In the outbox already when it is paused.
  await post.prepare()
  const waiting = async () =>
    (await admin.query(`select from app.mail_messages where org_id = $1 and template = 'message' and state = 'queued'`, [club.org.id]))
      .rowCount
  expect(await waiting()).toBe(1)
  const paused = (await act(club.boss, automation, 'pause')).body as Automation
  expect(await waiting()).toBe(0)
  await post.work()
  expect(post.sent).toEqual([])
  const again = await club.activate(paused)
  await post.work()
  expect(post.sent).toHaveLength(1)
  expect(await mails.entries(await runOf(other))).toMatchObject([{}, { kind: 'mailed', mail: 'sent' }, {}])

  const last = await mails.enter()
  await club.round()
  await post.prepare()
  await act(club.boss, again, 'archive')
  await post.work()
  expect(post.sent).toHaveLength(1)
  expect(await mails.entries(await runOf(last))).toMatchObject([{}, { kind: 'mailed', mail: 'cancelled' }, {}, { kind: 'stopped' }])
})

test('an automation that is paused while its mails are given to the outbox holds them back all the same', async ({
  admin,
  club,
  mails,
  post,
}) => {
  const automation = await club.activate(await club.make({ steps: [mails.step, wait] }))
  await mails.enter()
  await club.round()
  const { pausing, fed } = await club.worker.database.withoutActor(async (db) => {
    const given = await feedAutomations(db, 100)
    const asked = act(club.boss, automation, 'pause')
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { pausing: { asked }, fed: given }
  })
  expect(fed).toBe(1)
  expect(await pausing.asked).toMatchObject({ status: 200, body: { status: 'paused' } })
  const { rowCount } = await admin.query(`select from app.mail_messages where org_id = $1 and template = 'message'`, [club.org.id])
  expect(rowCount).toBe(0)
  await post.work()
  expect(post.sent).toEqual([])
})

test('too many complaints pause what sends mail that is not essential', async ({ admin, club, mails }) => {
  const essential = await topicOf(admin, club.org, { kind: 'essential' })
  const automation = await club.activate(await club.make({ steps: [mails.step] }))
  const must = await club.activate(await club.make({ steps: [{ ...mails.step, topicId: essential }] }))
  await admin.query(`select app_private.pause_messages($1, 'complaints')`, [club.org.id])
  expect((await club.boss.get(`/data/automations/${automation.id}`)).body).toMatchObject({ status: 'paused', pauseReason: 'complaints' })
  expect((await club.boss.get(`/data/automations/${must.id}`)).body).toMatchObject({ status: 'active' })
})
