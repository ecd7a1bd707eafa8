import { afterAll, describe, expect } from 'vitest'
import { endWorld } from '../../../testing.ts'
import { due, messageCalls, peopleOf, persons, test, textBody, topicOf } from './communication.sending.testing.ts'

// Other files would send what is left.
afterAll(endWorld)

const owner = { idpRoles: ['org-owner'] }

describe('a message', () => {
  test('is written, sent, taken back, sent again and arrives once per person, and once per address', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner, email: 'me@sender.example' })
    const { make, step, get } = messageCalls(api.as(me))
    const people = await peopleOf(admin, org, 5)
    const shared = await peopleOf(admin, org, 2, { at: 'family@home.example' })
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons([...people, ...shared]) })
    expect(draft).toMatchObject({ status: 'draft', may: { edit: true, schedule: true, approve: false } })

    const scheduled = await step(draft, 'send')
    expect(scheduled.status).toBe('scheduled')
    expect(Date.parse(scheduled.sendAt ?? '') - Date.now()).toBeGreaterThan(50_000)
    await post.work()
    expect(post.sent).toEqual([])
    const back = await step(scheduled, 'take-back')
    expect(back).toMatchObject({ status: 'draft', sendAt: null })

    await step(back, 'send')
    await due(admin, draft.id)
    await post.work()
    expect(post.sent.map(({ to }) => to).filter((to) => to === 'family@home.example')).toHaveLength(1)
    expect(post.sent).toHaveLength(6)
    expect(post.sent[0]).toMatchObject({ subject: 'What is new' })
    expect(post.sent[0]?.unsubscribeUrl).toMatch(/\/public\//)
    const sent = await get(draft.id)
    expect(sent).toMatchObject({ status: 'sent', counts: { recipients: 7, sent: 6, left: 6, skipped: 1, queued: 0 } })
    const { body } = await api.as(me).get(`/data/messages/${draft.id}/deliveries?state=skipped`)
    expect(body).toMatchObject({ items: [{ skipReason: 'duplicate' }], total: 1 })
    expect((await api.as(me).get(`/data/messages/${draft.id}/report`)).body).toMatchObject({
      counts: { left: 6 },
      skipped: [{ reason: 'duplicate', people: 1 }],
      chapters: [{ recipients: 7, left: 6 }],
    })
  })

  test('that was sent to a saved audience is when that audience was last used', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = api.as(await person({ org, ...owner }))
    const { make, step, get } = messageCalls(me)
    const definition = persons(await peopleOf(admin, org, 2))
    const save = async (name: string): Promise<{ id: string }> => (await me.post('/data/audiences', { name, definition })).body
    const [used, unused] = [await save('Members'), await save('Nobody wrote to')]
    const audience = { include: [{ kind: 'audience', id: used.id }], exclude: [] }
    const draft = await make({ topicId: await topicOf(admin, org), audience })
    const listed = async () => {
      const { body }: { body: { items: { id: string; lastUsedAt: string | null; version: number }[] } } = await me.get('/data/audiences')
      return Object.fromEntries(body.items.map(({ id, ...row }) => [id, row]))
    }
    await step(draft, 'send')
    // A draft and one that still waits are no use of it.
    expect((await listed())[used.id]).toMatchObject({ lastUsedAt: null })
    await due(admin, draft.id)
    await post.work()
    expect(await get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 2 } })
    const { rows } = await admin.query<{ at: Date }>('select started_at as at from app.messages where id = $1', [draft.id])
    const after = await listed()
    expect(Date.parse(after[used.id]?.lastUsedAt ?? '')).toBe(rows[0]?.at.getTime())
    // Using it changes nothing that somebody may be editing.
    expect(after[used.id]).toMatchObject({ version: 1 })
    expect(after[unused.id]).toMatchObject({ lastUsedAt: null })
  })

  test('two workers at once send each mail once', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 60)) })
    await step(draft, 'send')
    await due(admin, draft.id)
    await Promise.all([post.work(), post.work(), post.work()])
    // Who found everything in the hands of another has stopped.
    await post.work()
    expect(new Set(post.sent.map(({ to }) => to)).size).toBe(60)
    expect(post.sent).toHaveLength(60)
    expect(await get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 60 } })
  })

  test('goes to nobody who unsubscribed, was suppressed or died between the freeze and the handing over', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    const topicId = await topicOf(admin, org)
    const [gone = '', suppressed = '', dead = '', left = '', stays = ''] = await peopleOf(admin, org, 5)
    const draft = await make({ topicId, audience: persons([gone, suppressed, dead, left, stays]) })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.prepare()
    expect(await get(draft.id)).toMatchObject({ status: 'sending', counts: { queued: 5 } })
    await admin.query(
      `insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, 'unsubscribed', 'profile')`,
      [org.id, gone, topicId],
    )
    await admin.query(
      `insert into app.mail_suppressions (org_id, address_hash, reason) select $1, app_private.address_hash(address), 'hard_bounce' from app.person_emails where person_id = $2`,
      [org.id, suppressed],
    )
    await admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [dead])
    await admin.query(`update app.person_emails set address = 'new@elsewhere.example' where person_id = $1`, [left])
    await post.work()
    expect(post.sent).toHaveLength(1)
    const { rows } = await admin.query<{ person_id: string; state: string; skip_reason: string | null }>(
      `select person_id, state, skip_reason from app.message_deliveries where message_id = $1`,
      [draft.id],
    )
    const reasons = Object.fromEntries(rows.map((row) => [row.person_id, row.skip_reason ?? row.state]))
    expect(reasons).toEqual({
      [gone]: 'unsubscribed',
      [suppressed]: 'hard_bounce',
      [dead]: 'deceased',
      [left]: 'address_changed',
      [stays]: 'sent',
    })
    expect(await get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 1, skipped: 4 } })
  })

  test('is paused, goes on, and is called off: what has not left stays', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get, act } = messageCalls(api.as(me))
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 30)) })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.prepare()
    const sending = await get(draft.id)
    expect(
      (await api.as(me).patch(`/data/messages/${draft.id}`, { subject: 'Other' }, { 'if-match': String(sending.version) })).status,
    ).toBe(409)
    const paused = await step(sending, 'pause')
    await post.work()
    expect(post.sent).toEqual([])
    expect((await act(paused, 'take-back')).status).toBe(409)
    await step(paused, 'resume')
    let left = 0
    post.refuse = () => {
      if (++left > 10) throw Object.assign(new Error('later'), { responseCode: 451 })
    }
    await post.work()
    await step(await get(draft.id), 'cancel')
    await post.work()
    expect(await get(draft.id)).toMatchObject({ status: 'cancelled', counts: { sent: 10, cancelled: 20, queued: 0 } })
    expect(post.sent).toHaveLength(10)
  })

  test('tells what failed, bounced or is unknown, and sends again only what is asked for', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 4)) })
    await step(draft, 'send')
    await due(admin, draft.id)
    let nth = 0
    post.refuse = () => {
      nth += 1
      if (nth === 1) throw Object.assign(new Error('refused'), { responseCode: 554, command: 'DATA', response: '554 no' })
      if (nth === 2) throw Object.assign(new Error('cut'), { code: 'ECONNECTION', command: 'DATA' })
    }
    await post.work()
    expect(await get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 2, failed: 1, unknown: 1, left: 3 } })
    const retry = (states: string[]) => api.as(me).post(`/data/messages/${draft.id}/retry`, { states })
    expect((await retry(['failed'])).body).toEqual({ again: 1 })
    await post.work()
    expect(await get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 3, failed: 0, unknown: 1 } })
    expect((await retry(['failed', 'unknown'])).body).toEqual({ again: 1 })
    await post.work()
    expect(await get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 4, unknown: 0 } })
  })

  test('above the limit it is approved by somebody else, who is told and answers', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const other = await person({ org, idpRoles: ['org-admin'] })
    const mine = messageCalls(api.as(me))
    const theirs = messageCalls(api.as(other))
    const { body: settings } = await api.as(me).get('/data/communication/settings')
    expect(settings).toMatchObject({ reviewAbove: 500, countsClicks: false, version: 1 })
    expect((await api.as(me).patch('/data/communication/settings', { reviewAbove: 3 }, { 'if-match': '1' })).status).toBe(200)
    const draft = await mine.make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 4)) })
    expect((await mine.act(draft, 'send')).body).toMatchObject({ reason: 'message_needs_review', params: { limit: 3 } })
    const asked = await mine.step(draft, 'submit')
    expect(asked).toMatchObject({ status: 'in_review', may: { approve: false, withdraw: true } })
    expect((await mine.act(asked, 'approve')).status).toBe(409)
    const inbox = async (of: typeof other) =>
      ((await api.as(of).get('/data/notifications')).body as { items: { kind: string }[] }).items.map(({ kind }) => kind)
    expect(await inbox(other)).toContain('message-review')
    const declined = await theirs.step(asked, 'decline', { note: 'The date is wrong.' })
    expect(declined).toMatchObject({ status: 'draft', note: 'The date is wrong.' })
    expect(await inbox(me)).toContain('message-answer')
    const again = await mine.step(declined, 'submit')
    expect(await theirs.step(again, 'approve', { note: 'Fine' })).toMatchObject({ status: 'scheduled' })
    await due(admin, draft.id)
    await post.work()
    expect(await mine.get(draft.id)).toMatchObject({ status: 'sent', counts: { sent: 4 } })
  })

  test('that grew above the limit since is held back for approval', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    await api.as(me).patch('/data/communication/settings', { reviewAbove: 5 }, { 'if-match': '1' })
    await peopleOf(admin, org, 3)
    const draft = await make({ topicId: await topicOf(admin, org), audience: { include: [{ kind: 'people', q: 'Kim' }], exclude: [] } })
    await step(draft, 'send')
    await peopleOf(admin, org, 10)
    await due(admin, draft.id)
    await post.work()
    expect(await get(draft.id)).toMatchObject({ status: 'in_review', failure: 'review', counts: { recipients: 0 } })
    expect(post.sent).toEqual([])
  })

  test('is refused without a topic, a text, anybody, with an unknown field, or at a time that is past', async ({
    api,
    admin,
    organisation,
    person,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, act } = messageCalls(api.as(me))
    const topicId = await topicOf(admin, org)
    const audience = persons(await peopleOf(admin, org, 1))
    const refused = async (facts: object, name = 'send', body: object = {}) => {
      const answer = await act(await make({ topicId, audience, ...facts }), name, body)
      return [answer.status, (answer.body as { reason: string }).reason]
    }
    expect(await refused({ topicId: null })).toEqual([422, 'message_needs_topic'])
    expect(await refused({ body: { blocks: [] } })).toEqual([422, 'message_needs_text'])
    expect(await refused({ audience: { include: [], exclude: [] } })).toEqual([422, 'message_audience_empty'])
    expect(await refused({ subject: 'Dear {{nickname}}' })).toEqual([422, 'message_unknown_field'])
    expect(await refused({}, 'schedule', { sendAt: '2020-01-01T00:00:00Z' })).toEqual([422, 'message_send_at_past'])
    expect(await refused({}, 'pause')).toEqual([409, 'message_move'])
  })

  test('of a chapter reaches its own subtree only, whatever its audience says', async ({
    api,
    admin,
    organisation,
    person,
    chapter,
    post,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const below = await chapter(org, 'Below', west)
    const east = await chapter(org, 'East')
    const officer = await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] })
    const [mine = ''] = await peopleOf(admin, org, 1, { chapterId: below })
    const [foreign = ''] = await peopleOf(admin, org, 1, { chapterId: east })
    const { make, step } = messageCalls(api.as(officer))
    const topicId = await topicOf(admin, org)
    expect((await api.as(officer).post('/data/messages', { name: 'No' })).status).toBe(403)
    const draft = await make({ topicId, chapterId: west, audience: persons([mine, foreign]) })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.work()
    expect(post.sent).toHaveLength(1)
    const { rows } = await admin.query<{ person_id: string }>(
      `select person_id from app.message_deliveries where message_id = $1 and state = 'sent'`,
      [draft.id],
    )
    expect(rows).toEqual([{ person_id: mine }])
    const stranger = await person({ org, chapterId: east, grants: [{ role: 'chapter-admin', chapterId: east }] })
    expect((await api.as(stranger).get(`/data/messages/${draft.id}`)).status).toBe(404)
  })

  test('fails with a reason when nobody is left or its sender may not any more', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    const topicId = await topicOf(admin, org)
    const people = await peopleOf(admin, org, 1)
    const first = await make({ topicId, audience: persons(people) })
    await step(first, 'send')
    await admin.query(`update app.people set do_not_contact = true where id = any ($1)`, [people])
    await due(admin, first.id)
    await post.work()
    expect(await get(first.id)).toMatchObject({ status: 'failed', failure: 'nobody' })
    await admin.query(`update app.people set do_not_contact = false where id = any ($1)`, [people])
    await step(await get(first.id), 'restart')
    await post.work()
    expect(await get(first.id)).toMatchObject({ status: 'sent', counts: { sent: 1, skipped: 0, recipients: 1 } })
    const second = await make({ topicId, audience: persons(people) })
    await step(second, 'send')
    await admin.query(`update app.accounts set status = 'suspended' where id = $1`, [me.accountId])
    await due(admin, second.id)
    await post.work()
    const { rows } = await admin.query<{ status: string; failure: string }>(`select status, failure from app.messages where id = $1`, [
      second.id,
    ])
    expect(rows).toEqual([{ status: 'failed', failure: 'sender' }])
  })

  test('the fatigue cap skips who had enough this week, of all chapters together', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    await api.as(me).patch('/data/communication/settings', { mostPerWeek: 1 }, { 'if-match': '1' })
    const topicId = await topicOf(admin, org)
    const essential = await topicOf(admin, org, { kind: 'essential' })
    const people = await peopleOf(admin, org, 2)
    const send = async (facts: object) => {
      const draft = await make(facts)
      await step(draft, 'send')
      await due(admin, draft.id)
      await post.work()
      return get(draft.id)
    }
    expect(await send({ topicId, audience: persons(people.slice(0, 1)) })).toMatchObject({ counts: { sent: 1 } })
    expect(await send({ topicId, audience: persons(people), chapterId: org.rootChapterId })).toMatchObject({
      counts: { sent: 1, skipped: 1 },
    })
    expect(await send({ topicId: essential, audience: persons(people) })).toMatchObject({ counts: { sent: 2, skipped: 0 } })
  })

  test('counts clicks only by addresses of its own, and leads nowhere else', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step } = messageCalls(api.as(me))
    await api.as(me).patch('/data/communication/settings', { countsClicks: true, countsOpens: true }, { 'if-match': '1' })
    const body = { blocks: [...textBody('Hello').blocks, { type: 'button', label: 'Read', href: 'https://example.org/news?a=1&b=2' }] }
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 2)), body })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.work()
    const [, path = ''] = /http:\/\/localhost:3000(\/public\/follow\/[\w-]+)/.exec(post.sent[0]?.text ?? '') ?? []
    const [, picture = ''] = /http:\/\/localhost:3000(\/public\/seen\/[\w-]+\.gif)/.exec(post.sent[0]?.html ?? '') ?? []
    const browser = { 'user-agent': 'Mozilla/5.0' }
    const first = await api.app.inject({ url: path, headers: browser })
    expect([first.statusCode, first.headers.location]).toEqual([302, 'https://example.org/news?a=1&b=2'])
    await api.app.inject({ url: path, headers: browser })
    expect((await api.app.inject({ method: 'HEAD', url: path })).statusCode).toBe(302)
    expect((await api.app.inject({ url: `${path.slice(0, -2)}AA`, headers: browser })).statusCode).toBe(404)
    expect((await api.app.inject({ url: picture })).headers['content-type']).toBe('image/gif')
    await post.prepare()
    expect((await api.as(me).get(`/data/messages/${draft.id}/report`)).body).toMatchObject({
      counts: { clicked: 1, opened: 1 },
      links: [{ url: 'https://example.org/news?a=1&b=2', people: 1, clicks: 2, programs: 1 }],
    })
  })

  test('people see their own messages, senders those of their scope; erasing clears the address', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const reader = await person({ org, email: 'reader@home.example' })
    const { make, step } = messageCalls(api.as(me))
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons([reader.personId ?? '']) })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.work()
    const path = `/data/people/${reader.personId}/messages`
    expect((await api.as(reader).get(path)).body).toMatchObject({ items: [{ subject: 'What is new', state: 'sent' }], total: 1 })
    expect((await api.as(me).get(path)).body).toMatchObject({ total: 1 })
    const somebody = await person({ org })
    expect((await api.as(somebody).get(path)).body).toMatchObject({ total: 0 })
    expect((await api.as(somebody).get('/data/messages')).body).toMatchObject({ total: 0 })
    await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [reader.personId])
    const { rows } = await admin.query<{ address: string | null }>(`select address from app.message_deliveries where message_id = $1`, [
      draft.id,
    ])
    expect(rows).toEqual([{ address: null }])
  })

  test('the check beforehand finds what is missing, and who else writes to the same people', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step } = messageCalls(api.as(me))
    const topicId = await topicOf(admin, org)
    const audience = persons(await peopleOf(admin, org, 4))
    const first = await make({ topicId, audience, name: 'First' })
    await step(first, 'send')
    await due(admin, first.id)
    await post.work()
    const second = await make({ audience, body: textBody('{{nickname}} {{last_name}} {{member_no}}') })
    const { body } = await api.as(me).post(`/actions/messages/${second.id}/preflight`, { links: false })
    const { findings, recipients } = body as { recipients: number; findings: { code: string; severity: string; params: object }[] }
    expect(recipients).toBe(4)
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual([
      'error no_topic',
      'error unknown_field',
      'warning missing_values',
      'warning overlap',
    ])
    expect(findings.find(({ code }) => code === 'overlap')?.params).toEqual({ name: 'First', people: 4 })
    expect(findings.find(({ code }) => code === 'missing_values')?.params).toEqual({ field: 'member_no', people: 4 })
  })

  test('is filled in for each recipient, with its events, why they get it and from where', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step } = messageCalls(api.as(me))
    const topicId = await topicOf(admin, org)
    const people = await peopleOf(admin, org, 2)
    await admin.query(`update app.people set given_name = '{{email}}<b>', member_no = 'M-7' where id = $1`, [people[0]])
    await admin.query(`insert into app.finance_settings (org_id, address) values ($1, E'1 High Street\nNewtown')`, [org.id])
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.events (org_id, title, starts_at, ends_at, timezone, visibility, status, published_at)
       values ($1, 'Dinner', '2090-12-04T18:00Z', '2090-12-04T20:00Z', 'Europe/Berlin', 'public', 'published', now()) returning id`,
      [org.id],
    )
    const body = {
      blocks: [
        ...textBody('Dear {{first_name}}, your number is {{member_no | not known}}.').blocks,
        { type: 'event', eventId: rows[0]?.id },
      ],
    }
    const draft = await make({ topicId, audience: persons(people), subject: 'For {{last_name}}', body })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.work()
    const mails = post.sent.toSorted((one, other) => one.subject.localeCompare(other.subject))
    expect(mails.map(({ subject }) => subject)).toEqual(['For Number 1', 'For Number 2'])
    expect(mails[0]?.text).toContain('Dear {{email}}<b>, your number is M-7.')
    expect(mails[0]?.html).toContain('Dear {{email}}&lt;b&gt;, your number is M-7.')
    expect(mails[1]?.text).toContain('Dear Kim, your number is not known.')
    expect(mails[1]?.text).toContain(`Dinner\nMonday, December 4, 2090`)
    expect(mails[1]?.text).toContain(`because you are subscribed to “News `)
    expect(mails[1]?.text).toContain('1 High Street\nNewtown')
  })

  test('learns who bounced, complained and unsubscribed by it, and is paused when too many complain', async ({
    api,
    admin,
    organisation,
    person,
    post,
  }) => {
    const org = await organisation()
    const me = await person({ org, ...owner })
    const { make, step, get } = messageCalls(api.as(me))
    const topicId = await topicOf(admin, org)
    const draft = await make({ topicId, audience: persons(await peopleOf(admin, org, 5)), name: 'First' })
    await step(draft, 'send')
    await due(admin, draft.id)
    await post.work()
    const mails = post.sent.flatMap(({ reference, unsubscribeUrl }) => (reference ? [{ ...reference, unsubscribeUrl }] : []))
    const report = (mail: number, kind: string) =>
      admin.query(`select app.take_mail_feedback($1, $2, $3, now(), '', 'report', $4)`, [
        org.id,
        mails[mail]?.mailId,
        kind,
        `${draft.id} ${mail} ${kind}`,
      ])
    await report(0, 'delivered')
    await report(1, 'hard_bounce')
    const url = new URL(mails[3]?.unsubscribeUrl ?? '')
    // Programs that look for harm in mail ask for the page; only the post counts.
    await api.app.inject(url.pathname)
    await post.work()
    expect((await get(draft.id)).counts).toMatchObject({ sent: 3, delivered: 1, hardBounces: 1, unsubscribed: 0 })
    const form = {
      method: 'POST' as const,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    }
    expect((await api.app.inject({ url: url.pathname, ...form })).statusCode).toBe(200)
    await post.work()
    expect((await get(draft.id)).counts).toMatchObject({ unsubscribed: 1 })

    const second = await make({ topicId, audience: persons(await peopleOf(admin, org, 3)), name: 'Second' })
    await step(second, 'send')
    await due(admin, second.id)
    await post.prepare()
    await admin.query(
      `insert into app.mail_days (org_id, day, domain, lane, mails, complaints) values ($1, (now() at time zone 'UTC')::date, 'x.example', 0, 1000, 9)`,
      [org.id],
    )
    await report(2, 'complaint')
    await post.work()
    expect((await get(draft.id)).counts).toMatchObject({ complaints: 1 })
    expect(await get(second.id)).toMatchObject({ status: 'paused', failure: 'complaints', counts: { queued: 3 } })
    expect(post.sent).toHaveLength(5)
    await step(await get(second.id), 'resume')
    await post.work()
    expect(await get(second.id)).toMatchObject({ status: 'sent', counts: { sent: 3 } })
  })

  test('a test goes to its writer alone', async ({ api, admin, organisation, person, post }) => {
    const org = await organisation()
    const me = await person({ org, ...owner, email: 'me@sender.example' })
    const { make, get } = messageCalls(api.as(me))
    const draft = await make({ topicId: await topicOf(admin, org), audience: persons(await peopleOf(admin, org, 3)) })
    expect((await api.as(me).post(`/data/messages/${draft.id}/test`, {})).body).toEqual({ queued: true })
    await post.work()
    expect(post.sent.map(({ to, subject }) => [to, subject])).toEqual([['me@sender.example', 'Test: What is new']])
    expect(await get(draft.id)).toMatchObject({ status: 'draft', counts: { recipients: 0 } })
  })

  test('is found by the event whose registrations it is addressed to', async ({ api, organisation, person }) => {
    const me = api.as(await person({ org: await organisation(), ...owner }))
    const event = async (title: string) =>
      ((await me.post('/data/events', { title, startsAt: '2027-03-01T18:00:00Z' })).body as { id: string }).id
    const [fair, walk] = [await event('Fair'), await event('Walk')]
    const { make } = messageCalls(me)
    const to = (id: string) => ({ audience: { include: [{ kind: 'event', id, statuses: ['confirmed'] }], exclude: [] } })
    const wanted = await make({ name: 'Where to park', ...to(fair) })
    await make({ name: 'Bring boots', ...to(walk) })
    await make({ name: 'To everybody', audience: { include: [{ kind: 'people' }], exclude: [] } })
    const filter = JSON.stringify({ and: [{ or: [{ field: 'event', op: 'is', value: fair }] }] })
    const { status, body } = await me.get(`/data/messages?filter=${encodeURIComponent(filter)}`)
    expect([status, (body as { items: { id: string }[] }).items.map(({ id }) => id)]).toEqual([200, [wanted.id]])
  })
})
