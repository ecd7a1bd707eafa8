import type { Automation } from '@guildhall/contract/features/communication.automations'
import type { PersonMessage } from '@guildhall/contract/features/communication.messages'
import { afterAll, expect } from 'vitest'
import { endWorld } from '../../../testing.ts'
import { textBody, topicOf } from '../sending/communication.sending.testing.ts'
import { test, wait } from './communication.automations.mails.testing.ts'
import type { Paged } from './communication.automations.testing.ts'

afterAll(endWorld)

test('who unsubscribed, is not to be contacted, or had enough mail this week gets none, and the log says why; essential mail reaches them', async ({
  admin,
  club,
  mails,
  post,
}) => {
  const essential = await topicOf(admin, club.org, { kind: 'essential' })
  const automation = await club.activate(await club.make({ steps: [mails.step, { ...mails.step, id: 'must', topicId: essential }] }))
  const [left, closed, tired, bounced, none] = [
    await mails.enter(),
    await mails.enter(),
    await mails.enter(),
    await mails.enter({ email: 'gone@home.example' }),
    await mails.enter(),
  ]
  await admin.query(`insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, 'unsubscribed', 'link')`, [
    club.org.id,
    left,
    mails.topicId,
  ])
  await admin.query('update app.people set do_not_contact = true where id = $1', [closed])
  await admin.query(
    `insert into app.mail_suppressions (org_id, address_hash, reason) values ($1, app_private.address_hash('gone@home.example'), 'hard_bounce')`,
    [club.org.id],
  )
  await admin.query('update app.accounts set email = null where person_id = $1', [none])
  await admin.query('delete from app.person_emails where person_id = $1', [none])
  await admin.query('insert into app.communication_settings (org_id, most_per_week) values ($1, 1)', [club.org.id])
  await admin.query(
    `with m as (insert into app.messages (org_id, topic_id, name, status) values ($1, $2, 'News', 'sent') returning id)
     insert into app.message_deliveries (org_id, message_id, person_id, address, state) select $1, m.id, $3, 'x@home.example', 'sent' from m`,
    [club.org.id, mails.topicId, tired],
  )
  await club.round()
  await post.work()
  const reasons = new Map<string, (string | null)[]>()
  for (const run of await club.runs(automation))
    reasons.set(
      run.person.id,
      (await mails.entries(run)).flatMap(({ step, kind, reason }) =>
        step === 'hello' || step === 'must' ? [`${kind} ${reason ?? ''}`] : [],
      ),
    )
  expect(reasons.get(left)).toEqual(['skipped unsubscribed', 'mailed '])
  expect(reasons.get(closed)).toEqual(['skipped do_not_contact', 'mailed '])
  expect(reasons.get(tired)).toEqual(['skipped too_many', 'mailed '])
  expect(reasons.get(bounced)).toEqual(['skipped hard_bounce', 'skipped hard_bounce'])
  expect(reasons.get(none)).toEqual(['skipped no_address', 'skipped no_address'])
  expect(post.sent).toHaveLength(3)
  expect(post.sent.every(({ unsubscribeUrl }) => unsubscribeUrl === undefined)).toBe(true)
  expect(await mails.counts(automation)).toMatchObject({ reached: 5, skipped: 5, mail: { recipients: 5, skipped: 5, left: 0 } })
  const { items } = (await club.boss.get(`/data/people/${left}/messages`)).body as Paged<PersonMessage>
  expect(items.map(({ state, skipReason }) => [state, skipReason]).sort()).toEqual([
    ['sent', null],
    ['skipped', 'unsubscribed'],
  ])
})

test('consent counts at the moment a mail leaves', async ({ admin, club, mails, post }) => {
  const automation = await club.activate(await club.make({ steps: [mails.step, wait] }))
  const personId = await mails.enter()
  await club.round()
  const [run] = await club.runs(automation)
  expect(await mails.entries(run)).toMatchObject([{}, { kind: 'mailed', mail: 'queued' }, {}])
  await admin.query(
    `insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, 'unsubscribed', 'profile')`,
    [club.org.id, personId, mails.topicId],
  )
  await post.work()
  expect(post.sent).toEqual([])
  expect(await mails.entries(run)).toMatchObject([{}, { kind: 'skipped', reason: 'unsubscribed', mail: 'skipped' }, {}])
})

test('unsubscribing by a mail counts for its step and ends the run before the next one; what is reported of it counts too', async ({
  admin,
  api,
  club,
  mails,
  post,
}) => {
  await admin.query('insert into app.communication_settings (org_id, counts_clicks, counts_opens) values ($1, true, true)', [club.org.id])
  const button = { type: 'button', label: 'Read', href: 'https://example.org/hello' }
  const template = await mails.addTemplate({ name: 'With a link', body: { blocks: [...textBody('Hello').blocks, button] } })
  const automation = await club.activate(
    await club.make({
      steps: [{ ...mails.step, templateId: template.id }, wait, { id: 'call', kind: 'task', title: 'Call' }],
      exits: ['unsubscribed'],
    }),
  )
  const [first] = [await mails.enter(), await mails.enter()]
  await club.round()
  await post.work()
  expect(post.sent).toHaveLength(2)
  const runs = await club.runs(automation)
  const { rows } = await admin.query<{ id: string; person_id: string }>(
    'select id, person_id from app.message_deliveries where org_id = $1',
    [club.org.id],
  )
  const mailTo = (personId: string) =>
    post.sent.find(({ reference }) => reference?.mailId === rows.find((row) => row.person_id === personId)?.id)
  const mail = mailTo(first)
  const link = /https?:[^"]+\/public\/follow\/[\w-]+/.exec(mail?.html ?? '')?.[0] ?? ''
  const seen = /https?:[^"]+\/public\/seen\/[\w-]+\.gif/.exec(mail?.html ?? '')?.[0] ?? ''
  const browser = { 'user-agent': 'Mozilla/5.0' }
  expect(await api.app.inject({ url: new URL(link).pathname, headers: browser })).toMatchObject({
    statusCode: 302,
    headers: { location: button.href },
  })
  await api.app.inject({ url: new URL(seen).pathname, headers: browser })
  const other = rows.find((row) => row.person_id !== first)
  await admin.query(`select app.take_mail_feedback($1, $2, 'soft_bounce', now(), '', 'report', 'x')`, [club.org.id, other?.id])
  const form = {
    method: 'POST' as const,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: 'List-Unsubscribe=One-Click',
  }
  expect((await api.app.inject({ url: new URL(mail?.unsubscribeUrl ?? '').pathname, ...form })).statusCode).toBe(200)
  await post.prepare()
  expect(await mails.counts(automation)).toMatchObject({ mail: { left: 2, opened: 1, clicked: 1, softBounces: 1, unsubscribed: 1 } })
  await club.pass(3)
  await club.round()
  const ended = new Map((await club.runs(automation)).map(({ person, state, endedBy }) => [person.id, `${state} ${endedBy ?? ''}`]))
  expect(ended.get(first)).toBe('exited unsubscribed')
  expect(ended.get(runs.find(({ person }) => person.id !== first)?.person.id ?? '')).toBe('done ')
})

test('a template or topic of others is refused, and officers of a chapter send its own', async ({
  api,
  chapter,
  club,
  mails,
  organisation,
  person,
  post,
}) => {
  const theirs = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const foreign = await mails.addTemplate({}, theirs)
  const hidden = { status: 422, body: { reason: 'automation_part_hidden' } }
  const send = (step: object) =>
    club.boss.post('/data/automations', { name: 'x', trigger: { on: 'joined' }, steps: [{ ...mails.step, ...step }] })
  expect(await send({ templateId: foreign.id })).toMatchObject(hidden)
  expect(await send({ topicId: foreign.id })).toMatchObject(hidden)

  const [west, east] = [await chapter(club.org, 'West'), await chapter(club.org, 'East')]
  const officerOf = async (chapterId: string) => api.as(await club.join({ chapterId, grants: [{ role: 'chapter-admin', chapterId }] }))
  const [officer, neighbour] = [await officerOf(west), await officerOf(east)]
  const own = await mails.addTemplate({ name: 'West', chapterId: west }, officer)
  const automation = await club.make({ chapterId: west, steps: [{ ...mails.step, templateId: own.id }] }, officer)
  expect(automation.faults).toEqual([])
  await club.activate(automation, {}, officer)
  const [inside, outside] = [await club.join({ chapterId: west, email: 'in@home.example' }), await club.join({ chapterId: east })]
  for (const one of [inside, outside]) await club.give(one.personId)
  await club.round()
  await post.work()
  expect(post.sent.map(({ to }) => to)).toEqual(['in@home.example'])
  const { messageId } = (await mails.counts(automation)) ?? {}
  expect((await officer.get(`/data/messages/${messageId}`)).status).toBe(200)
  expect((await neighbour.get(`/data/messages/${messageId}`)).status).toBe(404)
  expect((await api.as(inside).get(`/data/messages/${messageId}`)).status).toBe(404)
})

test('recipes come with their templates and a topic, and can be activated at once', async ({ admin, api, chapter, club, mails }) => {
  await topicOf(admin, club.org, { kind: 'essential' })
  for (const recipe of ['welcome', 'renewal', 'win-back', 'after-event']) {
    const made = (await club.boss.post('/data/automations/recipes', { recipe })).body as Automation
    expect([recipe, made.faults]).toEqual([recipe, []])
    const steps = made.steps.flatMap((step) => (step.kind === 'mail' ? [step] : []))
    for (const { templateId } of steps)
      expect((await club.boss.get(`/data/message-templates/${templateId}`)).body).toMatchObject({ chapter: null, archivedAt: null })
    await club.activate(made)
  }
  const west = await chapter(club.org, 'West')
  const officer = api.as(await club.join({ chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const made = (await officer.post('/data/automations/recipes', { recipe: 'welcome', chapterId: west, language: 'ar' })).body as Automation
  expect(made.faults).toEqual([])
  const [step] = made.steps
  expect((await officer.get(`/data/message-templates/${step?.kind === 'mail' ? step.templateId : ''}`)).body).toMatchObject({
    chapter: { id: west },
    may: { edit: true },
  })
  // Without a topic that suits them, it is chosen at the step.
  await admin.query('update app.topics set archived_at = now() where org_id = $1', [club.org.id])
  const bare = (await club.boss.post('/data/automations/recipes', { recipe: 'after-event' })).body as Automation
  expect(bare.faults).toEqual([{ step: 'thanks', code: 'no_topic' }])
  expect(mails.topicId).not.toBe('')
})
