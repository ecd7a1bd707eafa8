import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation } from '../../../testing.ts'
import { messageIdOf } from '../mail-reference.ts'
import { arf, dsn } from './reports-testing.ts'
import type { Dsn } from './reports-testing.ts'

const signingKey = 'key-0123456789abcdef'
const reportToken = randomBytes(24).toString('hex')
const sendgrid = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
const settings = {
  MAILGUN_SIGNING_KEY: signingKey,
  MAIL_REPORT_TOKEN: reportToken,
  SENDGRID_PUBLIC_KEY: sendgrid.publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
}
const seconds = () => Math.floor(Date.now() / 1_000)

type Told = { state: string; bounce: string | null; feedback: string; isDelivered: boolean; isComplaint: boolean }
type Mail = { id: string; orgId: string; messageId: string }

const test = base.extend<{
  hooks: { app: FastifyInstance; org: TestOrganisation; count(source: string, outcome: string): Promise<number> }
  /** A mail that left a minute ago. */
  mail: (to?: string) => Promise<Mail>
  told: (mail: Mail) => Promise<Told | undefined>
  suppressed: (address: string) => Promise<{ reason: string; source: string } | undefined>
}>({
  hooks: async ({ variant, organisation }, use) => {
    const { app, services } = await variant(settings)
    const org = await organisation()
    const count = async (source: string, outcome: string) => {
      const found = (await services.metrics.registry.getSingleMetric('guildhall_mail_feedback_total')?.get())?.values
      return found?.find(({ labels }) => labels['source'] === source && labels['outcome'] === outcome)?.value ?? 0
    }
    await use({ app, org, count })
  },
  mail: async ({ hooks: { org }, admin }, use) => use((to) => sentMail(admin, org, to)),
  told: async ({ admin }, use) => use((mail) => toldOf(admin, mail)),
  suppressed: async ({ hooks: { org }, admin }, use) =>
    use(async (address) => {
      const { rows } = await admin.query<{ reason: string; source: string }>(
        'select reason, source from app.mail_suppressions where org_id = $1 and address_hash = app_private.address_hash($2)',
        [org.id, address],
      )
      return rows[0]
    }),
})

async function sentMail(admin: pg.Pool, { id: orgId }: TestOrganisation, to = 'ada@example.org'): Promise<Mail> {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.mail_messages (org_id, template, address, sent_to, essential, state, attempts, created_at, handed_at, settled_at)
      values ($1, 'test-notice', $2, $2, true, 'sent', 1, now() - interval '2 minutes', now() - interval '1 minute', now() - interval '1 minute') returning id`,
    [orgId, to],
  )
  const id = rows[0]?.id ?? ''
  return { id, orgId, messageId: messageIdOf({ mailId: id, orgId }) }
}

async function toldOf(admin: pg.Pool, { id, orgId }: Mail): Promise<Told | undefined> {
  const { rows } = await admin.query<Told>(
    `select state, bounce, feedback, delivered_at is not null as "isDelivered", complained_at is not null as "isComplaint" from app.mail_messages where org_id = $1 and id = $2`,
    [orgId, id],
  )
  return rows[0]
}

type MailgunEvent = { event: string; severity?: string; reason?: string; id?: string; said?: string }
const mailgunEvent = ({ messageId }: Pick<Mail, 'messageId'>, { event, severity, reason, id = randomUUID(), said }: MailgunEvent) => ({
  id,
  event,
  severity,
  reason,
  timestamp: seconds(),
  recipient: 'ada@example.org',
  message: { headers: { 'message-id': messageId.slice(1, -1), subject: 'Hello' } },
  ...(said ? { 'delivery-status': { message: said, code: 550 } } : {}),
})

function signedByMailgun(data: unknown, { key = signingKey, at = seconds(), token = randomBytes(25).toString('hex') } = {}) {
  const signature = createHmac('sha256', key).update(`${at}${token}`).digest('hex')
  return JSON.stringify({ signature: { timestamp: String(at), token, signature }, 'event-data': data })
}

const post = async (app: FastifyInstance, url: string, payload: string, headers: Record<string, string> = {}) =>
  (await app.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json', ...headers } })).statusCode

const viaMailgun = (app: FastifyInstance, payload: string) => post(app, '/webhooks/mail/mailgun', payload)

function viaSendgrid(app: FastifyInstance, events: unknown, { at = seconds(), key = sendgrid.privateKey, sent = '' } = {}) {
  const body = JSON.stringify(events)
  const signature = sign('sha256', Buffer.from(`${at}${body}`), key).toString('base64')
  return post(app, '/webhooks/mail/sendgrid', sent || body, {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': String(at),
  })
}

const viaReport = (app: FastifyInstance, payload: string, token = reportToken) =>
  post(app, '/webhooks/mail/report', payload, { 'content-type': 'message/rfc822', authorization: `Bearer ${token}` })

describe('Mailgun', () => {
  test('tells of deliveries, bounces and complaints; the last two end all mail to the address at once', async ({
    hooks: { app, count },
    mail,
    told,
    suppressed,
  }) => {
    const [fine, gone, annoyed] = [await mail('fine@example.org'), await mail('Gone@example.org'), await mail('annoyed@example.org')]
    expect(await viaMailgun(app, signedByMailgun(mailgunEvent(fine, { event: 'delivered' })))).toBe(200)
    const bounce = { event: 'failed', severity: 'permanent', reason: 'bounce', said: '550 5.1.1 <Gone@example.org>: no such user' }
    expect(await viaMailgun(app, signedByMailgun(mailgunEvent(gone, bounce)))).toBe(200)
    expect(await viaMailgun(app, signedByMailgun(mailgunEvent(annoyed, { event: 'complained' })))).toBe(200)
    expect(await told(fine)).toEqual({ state: 'sent', bounce: null, feedback: '', isDelivered: true, isComplaint: false })
    // The address is known by the mail; the answer is kept without it.
    expect(await told(gone)).toEqual({
      state: 'sent',
      bounce: 'hard',
      feedback: '550 5.1.1 <…>: no such user',
      isDelivered: false,
      isComplaint: false,
    })
    expect(await told(annoyed)).toMatchObject({ state: 'sent', isComplaint: true })
    expect(await suppressed('fine@example.org')).toBeUndefined()
    expect(await suppressed('gone@example.org')).toEqual({ reason: 'hard_bounce', source: `mail ${gone.id}` })
    expect(await suppressed('annoyed@example.org')).toEqual({ reason: 'complaint', source: `mail ${annoyed.id}` })
    expect(await count('mailgun', 'taken')).toBe(3)
  })

  test('is believed only with its signature, of the last hours, and with each token for one body', async ({
    hooks: { app, count },
    mail,
    told,
  }) => {
    const one = await mail()
    const complaint = mailgunEvent(one, { event: 'complained' })
    const payload = signedByMailgun(mailgunEvent(one, { event: 'delivered' }), { token: 'a'.repeat(50) })
    expect(await viaMailgun(app, signedByMailgun(complaint, { key: 'key-of-somebody-else' }))).toBe(403)
    expect(await viaMailgun(app, signedByMailgun(complaint, { at: seconds() - 13 * 3_600 }))).toBe(403)
    expect(await viaMailgun(app, signedByMailgun(complaint, { at: seconds() + 13 * 3_600 }))).toBe(403)
    expect(await viaMailgun(app, JSON.stringify({ 'event-data': complaint }))).toBe(403)
    expect(await viaMailgun(app, 'no json')).toBe(403)
    expect(await viaMailgun(app, payload)).toBe(200)
    // The same again changes nothing; another body under the same signature is a forgery.
    expect(await viaMailgun(app, payload)).toBe(200)
    const { signature } = JSON.parse(payload) as { signature: unknown }
    expect(await viaMailgun(app, JSON.stringify({ signature, 'event-data': complaint }))).toBe(403)
    expect(await told(one)).toMatchObject({ isDelivered: true, isComplaint: false })
    expect(await count('mailgun', 'forged')).toBe(6)
    expect(await count('mailgun', 'repeated')).toBe(1)
    // Control: it is the signature that was missing.
    expect(await viaMailgun(app, signedByMailgun(complaint))).toBe(200)
    expect(await told(one)).toMatchObject({ isComplaint: true })
  })

  test('is answered 200 for what says nothing of a mail of ours', async ({ hooks: { app, org, count }, mail, told }) => {
    const one = await mail()
    const strange = { messageId: messageIdOf({ mailId: randomUUID(), orgId: org.id }) }
    for (const data of [
      mailgunEvent(one, { event: 'opened' }),
      mailgunEvent(one, { event: 'failed', severity: 'temporary' }),
      mailgunEvent({ messageId: '<other@elsewhere.example>' }, { event: 'complained' }),
      mailgunEvent(strange, { event: 'complained' }),
      { event: 'complained' },
    ])
      expect(await viaMailgun(app, signedByMailgun(data))).toBe(200)
    expect(await told(one)).toMatchObject({ bounce: null, isDelivered: false, isComplaint: false })
    expect([await count('mailgun', 'other'), await count('mailgun', 'unknown')]).toEqual([4, 1])
  })
})

describe('SendGrid', () => {
  test('tells of many mails at once, in any order and more than once', async ({ hooks: { app, count }, mail, told, suppressed }) => {
    const [a, b, c] = [await mail('a@example.org'), await mail('b@example.org'), await mail('c@example.org')]
    const events = [
      { event: 'delivered', 'smtp-id': a.messageId, sg_event_id: 'd-a', timestamp: seconds() },
      { event: 'spamreport', guildhall: a.messageId, sg_event_id: 's-a', timestamp: seconds() },
      { event: 'bounce', type: 'bounce', guildhall: b.messageId, sg_event_id: 'b-b', reason: '550 unknown', timestamp: seconds() },
      { event: 'bounce', type: 'blocked', guildhall: c.messageId, sg_event_id: 'b-c', reason: '421 later', timestamp: seconds() },
      { event: 'open', guildhall: c.messageId, sg_event_id: 'o-c', timestamp: seconds() },
      'nonsense',
    ]
    expect(await viaSendgrid(app, events)).toBe(200)
    expect(await viaSendgrid(app, events.toReversed())).toBe(200)
    expect(await told(a)).toMatchObject({ isDelivered: true, isComplaint: true, bounce: null })
    expect(await told(b)).toMatchObject({ bounce: 'hard', feedback: '550 unknown' })
    expect(await told(c)).toMatchObject({ bounce: 'soft', feedback: '421 later' })
    expect((await suppressed('a@example.org'))?.reason).toBe('complaint')
    expect((await suppressed('b@example.org'))?.reason).toBe('hard_bounce')
    expect(await suppressed('c@example.org')).toBeUndefined()
    expect([await count('sendgrid', 'taken'), await count('sendgrid', 'repeated')]).toEqual([4, 4])
  })

  test('is believed only when its key signed these very bytes not long ago', async ({ hooks: { app, count }, mail, told }) => {
    const one = await mail()
    const events = [{ event: 'spamreport', guildhall: one.messageId, sg_event_id: randomUUID() }]
    const { privateKey: other } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
    expect(await viaSendgrid(app, events, { key: other })).toBe(403)
    expect(await viaSendgrid(app, events, { at: seconds() - 26 * 3_600 })).toBe(403)
    expect(await viaSendgrid(app, [], { sent: JSON.stringify(events) })).toBe(403)
    expect(await post(app, '/webhooks/mail/sendgrid', JSON.stringify(events))).toBe(403)
    expect(await told(one)).toMatchObject({ isComplaint: false })
    expect(await count('sendgrid', 'forged')).toBe(4)
    expect(await viaSendgrid(app, events)).toBe(200)
    expect(await told(one)).toMatchObject({ isComplaint: true })
  })
})

describe('a mail server', () => {
  test.for<[string, Omit<Dsn, 'messageId'>, Partial<Told>, string | undefined]>([
    ['an unknown address', { status: '5.1.1', said: '550 5.1.1 User unknown' }, { bounce: 'hard' }, 'hard_bounce'],
    ['a mailbox that is switched off', { status: '5.2.1', said: '550 disabled' }, { bounce: 'hard' }, 'hard_bounce'],
    ['an address unknown in words only', { status: '5.0.0', said: '550 No such user here' }, { bounce: 'hard' }, 'hard_bounce'],
    ['a full mailbox', { status: '5.2.2', said: '552 mailbox full' }, { bounce: 'soft' }, undefined],
    ['mail taken for spam', { status: '5.7.1', said: '554 5.7.1 Blocked' }, { bounce: 'soft' }, undefined],
    ['a server that could not be reached for days', { status: '4.4.7', said: 'timed out' }, { bounce: 'soft' }, undefined],
    ['a delay', { status: '4.4.1', said: 'later', action: 'delayed' }, { bounce: null, isDelivered: false }, undefined],
    ['delivery', { status: '2.0.0', said: '250 fine', action: 'delivered' }, { bounce: null, isDelivered: true }, undefined],
    ['only the headers of the mail', { status: '5.1.1', said: '550', original: 'text/rfc822-headers' }, { bounce: 'hard' }, 'hard_bounce'],
    ['only the id of its envelope', { status: '5.1.1', said: '550', original: null }, { bounce: 'hard' }, 'hard_bounce'],
  ])('reports %s', async ([, report, expected, reason], { hooks: { app }, mail, told, suppressed }) => {
    const one = await mail('lost@example.org')
    expect(await viaReport(app, dsn({ messageId: one.messageId, ...report }))).toBe(200)
    expect(await told(one)).toMatchObject(expected)
    expect((await suppressed('lost@example.org'))?.reason).toBe(reason)
  })

  test('hands complaints on; other answers change nothing', async ({ hooks: { app, count }, mail, told, suppressed }) => {
    const [one, other] = [await mail('one@example.org'), await mail('other@example.org')]
    expect(await viaReport(app, arf(one.messageId))).toBe(200)
    expect(await viaReport(app, arf(other.messageId, 'not-spam'))).toBe(200)
    const away = `From: <other@example.org>\r\nIn-Reply-To: ${other.messageId}\r\nSubject: Away\r\n\r\nI am unknown, no such user.\r\n`
    expect(await viaReport(app, away)).toBe(200)
    expect(await viaReport(app, '\u0000\u0001')).toBe(200)
    expect(await told(one)).toMatchObject({ isComplaint: true, isDelivered: true })
    expect(await told(other)).toMatchObject({ isComplaint: false, isDelivered: false, bounce: null })
    expect((await suppressed('one@example.org'))?.reason).toBe('complaint')
    expect([await count('report', 'taken'), await count('report', 'other')]).toEqual([1, 3])
  })

  test('shows its token, and sends no more than a report has', async ({ hooks: { app, count }, mail, told }) => {
    const one = await mail()
    const report = dsn({ messageId: one.messageId, status: '5.1.1', said: '550 unknown' })
    expect(await viaReport(app, report, 'x'.repeat(48))).toBe(401)
    expect(await post(app, '/webhooks/mail/report', report, { 'content-type': 'message/rfc822' })).toBe(401)
    expect(await viaReport(app, report + 'x'.repeat(1_048_576))).toBe(413)
    expect(await told(one)).toMatchObject({ bounce: null })
    expect(await count('report', 'forged')).toBe(2)
  })

  test('finds no door where no token is set', async ({ api, mail }) => {
    const report = dsn({ messageId: (await mail()).messageId, status: '5.1.1', said: '550 unknown' })
    expect(await viaReport(api.app, report)).toBe(404)
    expect(await viaMailgun(api.app, signedByMailgun({}))).toBe(404)
    expect(await viaSendgrid(api.app, [])).toBe(404)
  })
})

describe('what is reported late or out of order', () => {
  const soft = { event: 'failed', severity: 'permanent', reason: 'generic' }
  const hard = { event: 'failed', severity: 'permanent', reason: 'bounce' }

  test('a soft bounce counts unless the mail was delivered, and three in 30 days end mail to the address', async ({
    hooks: { app },
    mail,
    told,
    suppressed,
    admin,
  }) => {
    const to = 'full@example.org'
    const tell = async (one: Mail, ...events: MailgunEvent[]) => {
      for (const event of events) expect(await viaMailgun(app, signedByMailgun(mailgunEvent(one, event)))).toBe(200)
    }
    const delivered = await mail(to)
    await tell(delivered, { event: 'delivered' }, soft)
    expect(await told(delivered)).toMatchObject({ isDelivered: true, bounce: null })
    const late = await mail(to)
    await tell(late, soft, { event: 'delivered' })
    expect(await told(late)).toMatchObject({ isDelivered: true, bounce: null, feedback: '' })
    // One mail counts once, however often it is put off; and what is older than 30 days no more.
    const [old, first, second, third] = [await mail(to), await mail(to), await mail(to), await mail(to)]
    await tell(old, soft)
    await admin.query(`update app.mail_messages set bounced_at = now() - interval '31 days' where id = $1`, [old.id])
    await tell(first, soft, soft, soft)
    await tell(second, soft)
    expect(await suppressed(to)).toBeUndefined()
    await tell(third, soft)
    expect(await suppressed(to)).toEqual({ reason: 'hard_bounce', source: `soft bounces, mail ${third.id}` })
  })

  test('a hard bounce stays although a delivery is told of later; a complaint counts after both', async ({
    hooks: { app },
    mail,
    told,
    suppressed,
  }) => {
    const one = await mail('late@example.org')
    for (const event of [hard, { event: 'delivered' }, soft]) await viaMailgun(app, signedByMailgun(mailgunEvent(one, event)))
    expect(await told(one)).toMatchObject({ bounce: 'hard', isDelivered: true })
    await viaMailgun(app, signedByMailgun(mailgunEvent(one, { event: 'complained' })))
    expect(await told(one)).toMatchObject({ bounce: 'hard', isComplaint: true })
    expect((await suppressed('late@example.org'))?.reason).toBe('complaint')
  })

  test('a mail that never left cannot come back', async ({ hooks: { app, org, count }, admin, suppressed }) => {
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.mail_messages (org_id, template, address, essential, next_at) values ($1, 'test-notice', 'waits@example.org', true, now() + interval '1 day') returning id`,
      [org.id],
    )
    const waiting = { messageId: messageIdOf({ mailId: rows[0]?.id ?? '', orgId: org.id }) }
    expect(await viaMailgun(app, signedByMailgun(mailgunEvent(waiting, hard)))).toBe(200)
    expect(await suppressed('waits@example.org')).toBeUndefined()
    expect(await count('mailgun', 'ignored')).toBe(1)
    await admin.query('delete from app.mail_messages where id = $1', [rows[0]?.id])
  })

  test('two servers that hear the same event at the same moment take it in once', async ({ hooks: { app, count }, mail }) => {
    const one = await mail()
    const event = mailgunEvent(one, { event: 'complained', id: 'the-same' })
    const codes = await Promise.all(Array.from({ length: 8 }, () => viaMailgun(app, signedByMailgun(event))))
    expect(new Set(codes)).toEqual(new Set([200]))
    expect([await count('mailgun', 'taken'), await count('mailgun', 'repeated')]).toEqual([1, 7])
  })
})

describe('the figures of a day', () => {
  const days = async (admin: pg.Pool, { id }: TestOrganisation) =>
    (
      await admin.query(
        `select day::text, domain, sum(mails)::int as mails, sum(delivered)::int as delivered, sum(soft_bounces)::int as soft, sum(hard_bounces)::int as hard, sum(complaints)::int as complaints
          from app.mail_days where org_id = $1 group by day, domain order by day, domain`,
        [id],
      )
    ).rows as unknown[]

  test('count each mail once, and keep their sums when lanes and old domains are put together', async ({
    hooks: { app, org },
    mail,
    admin,
  }) => {
    const [a, b, c] = [await mail('a@one.example'), await mail('b@one.example'), await mail('c@Two.example')]
    await viaMailgun(app, signedByMailgun(mailgunEvent(a, { event: 'failed', severity: 'permanent', reason: 'generic' })))
    for (const event of [{ event: 'delivered' }, { event: 'delivered' }, { event: 'complained' }])
      await viaMailgun(app, signedByMailgun(mailgunEvent(a, event)))
    await viaMailgun(app, signedByMailgun(mailgunEvent(b, { event: 'failed', severity: 'permanent', reason: 'bounce' })))
    await viaMailgun(app, signedByMailgun(mailgunEvent(c, { event: 'delivered' })))
    const today = expect.any(String) as string
    expect(await days(admin, org)).toEqual([
      { day: today, domain: 'one.example', mails: 2, delivered: 1, soft: 0, hard: 1, complaints: 1 },
      { day: today, domain: 'two.example', mails: 1, delivered: 1, soft: 0, hard: 0, complaints: 0 },
    ])
    await admin.query(`update app.mail_days set day = day - 40 where org_id = $1`, [org.id])
    await admin.query('select app.purge_mail_feedback(), app.purge_mail_feedback()')
    expect(await days(admin, org)).toEqual([{ day: today, domain: '', mails: 3, delivered: 2, soft: 0, hard: 1, complaints: 1 }])
  })

  test('raise an alarm at 0.1 % of complaints and pause at 0.3 %, each told once a day, and none over a handful of mails', async ({
    hooks: { app, org },
    person,
    mail,
    admin,
  }) => {
    const [boss] = [await person({ org, idpRoles: ['org-owner'] }), await person({ org })]
    const alarms = async () =>
      (await admin.query<{ level: string }>('select level from app.mail_alarms where org_id = $1 order by raised_at', [org.id])).rows.map(
        ({ level }) => level,
      )
    const complain = async () =>
      viaMailgun(app, signedByMailgun(mailgunEvent(await mail(`${randomUUID()}@example.org`), { event: 'complained' })))
    for (let n = 0; n < 2; n++) await complain()
    expect(await alarms()).toEqual([])
    await admin.query(
      `insert into app.mail_messages (org_id, template, address, sent_to, essential, state, attempts, handed_at, settled_at)
        select $1, 'test-notice', 'x@example.org', 'x@example.org', true, 'sent', 1, now() - interval '5 days', now() from generate_series(1, 1990)`,
      [org.id],
    )
    await complain()
    expect(await alarms()).toEqual(['alert'])
    for (let n = 0; n < 3; n++) await complain()
    expect(await alarms()).toEqual(['alert', 'pause'])
    await complain()
    expect(await alarms()).toEqual(['alert', 'pause'])
    const { rows } = await admin.query(`select account_id, kind, params from app.notifications where org_id = $1 order by created_at, id`, [
      org.id,
    ])
    await admin.query(`delete from app.mail_messages where org_id = $1 and state = 'queued'`, [org.id])
    expect(rows).toEqual([
      { account_id: boss.accountId, kind: 'mail-complaints', params: { level: 'alert', complaints: 3, mails: 1993 } },
      { account_id: boss.accountId, kind: 'mail-complaints', params: { level: 'pause', complaints: 6, mails: 1996 } },
    ])
  })
})
