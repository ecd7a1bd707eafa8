import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { sql } from 'kysely'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import sharp from 'sharp'
import { describe, expect, onTestFinished } from 'vitest'
import * as z from 'zod'
import { send as upload } from '../../features/files/files.testing.ts'
import { test as base } from '../../testing.ts'
import { hashOf, issueLink } from '../links/signed-links.ts'
import { createServices } from '../services.ts'
import type { Services } from '../services.ts'
import { createMailer } from './mail.ts'
import type { Mail } from './mail.ts'
import { holdMail, sendDue } from './outbox.ts'
import { sendMail, sendMailFor } from './send-mail.ts'
import { registered } from './templates.ts'
import type { MailTemplate } from './templates.ts'

const notice: MailTemplate<{ words: string }> = {
  key: 'test-notice',
  essential: false,
  params: z.object({ words: z.string() }),
  write: ({ i18n, params, recipient }) =>
    params.words === 'nothing'
      ? null
      : {
          subject: i18n._('Sign in'),
          paragraphs: [params.words, recipient ? `for ${recipient.accountId}` : 'for nobody'],
          action: { label: i18n._('Sign in'), path: '/profile' },
        },
}
const receipt: MailTemplate<{ words: string }> = { ...notice, key: 'test-receipt', essential: true }
const templates = [registered(notice), registered(receipt)]

type Row = { id: string; state: string; outcome: string; answer: string; attempts: number; wait: number }

const test = base.extend<{
  /** The worker's side; what it hands to the mail server stands in `sent`, unless `refuse` throws. */
  post: { services: Services; sent: Mail[]; refuse: (mail: Mail) => void; round(): Promise<void>; rows(org: string): Promise<Row[]> }
}>({
  post: async ({ api, admin }, use) => {
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const post = {
      sent: [] as Mail[],
      refuse: (_mail: Mail) => {},
      services: {
        ...worker,
        mailer: {
          send: async (mail: Mail) => {
            post.refuse(mail)
            post.sent.push(mail)
          },
          check: async () => {},
          close: () => {},
        },
      },
      round: async () => {
        for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue(post.services, templates))
      },
      rows: async (org: string) => (await admin.query<Row>(rowsOf, [org])).rows,
    }
    await use(post)
    await worker.close()
  },
})
const rowsOf = `select id, state, outcome, answer, attempts, round(extract(epoch from next_at - now()))::int as wait from app.mail_messages where org_id = $1 order by created_at, id`

const due = (admin: pg.Pool, org: string) =>
  admin.query(`update app.mail_messages set next_at = now() where org_id = $1 and state = 'queued'`, [org])
const smtpError = (more: object) => Object.assign(new Error('refused'), more)
const address = () => `${randomUUID()}@example.org`

describe('a mail', () => {
  test('is sent exactly when the change that causes it commits, once, as text and HTML of the same words', async ({
    api,
    post,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    await admin.query(`update app.organisations set name = 'Society & Friends' where org_id = $1`, [org.id])
    const me = await person({ org, email: address() })
    const actor = { orgId: org.id, accountId: me.accountId, idpRoles: [] }
    const mail = { to: { accountId: me.accountId }, params: { words: '<b>Hello</b>\nthere' }, dedupeKey: 'hello' }
    await expect(
      api.services.database.asActor(actor, async (db) => {
        await sendMail(db, notice, mail)
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    await post.round()
    expect(await post.rows(org.id)).toEqual([])

    const [first, again] = await api.services.database.asActor(actor, async (db) => [
      await sendMail(db, notice, mail),
      await sendMail(db, notice, mail),
    ])
    expect(first).toBeTruthy()
    expect(again).toBeNull()
    await Promise.all([post.round(), post.round()])
    expect(post.sent).toHaveLength(1)
    const [sent] = post.sent
    expect(sent).toMatchObject({ fromName: 'Society & Friends', subject: 'Sign in', reference: { orgId: org.id, mailId: first } })
    expect(sent?.text).toMatch(
      /<b>Hello<\/b>\nthere\n\nfor [0-9a-f-]{36}\n\nSign in:\nhttp:\/\/localhost:3000\/profile\n[\s\S]*Unsubscribe: http:\/\/localhost:3000\/public\/unsubscribe\//,
    )
    expect(sent?.html).toContain('&lt;b&gt;Hello&lt;/b&gt;<br>there')
    expect(sent?.html).toContain('Society &amp; Friends')
    expect(sent?.html).not.toMatch(/<b>|%%|<mj-/)
    expect(sent?.unsubscribeUrl).toContain('/public/unsubscribe/')
    expect(await post.rows(org.id)).toMatchObject([{ state: 'sent', attempts: 1 }])
  })

  test('brings colour and logo of the organisation along, and keeps its subject but nothing else of what it said', async ({
    api,
    post,
    organisation,
    person,
    admin,
  }) => {
    const org = await organisation()
    const owner = await person({ org, email: address(), idpRoles: ['org-owner'] })
    await admin.query(`update app.organisations set brand_color = '#ffe14d' where org_id = $1`, [org.id])
    const picture = await sharp({ create: { width: 600, height: 200, channels: 4, background: '#12345680' } })
      .png()
      .toBuffer()
    expect((await upload(api.app, owner, `/pictures/organisation/${org.id}`, 'logo.png', picture)).status).toBe(201)
    await api.services.database.asActor({ orgId: org.id, accountId: owner.accountId, idpRoles: [] }, (db) =>
      sendMail(db, receipt, { to: { accountId: owner.accountId }, params: { words: 'qz7secret' } }),
    )
    await post.round()
    const [{ html = '', pictures = [] } = {}] = post.sent
    expect(html).toMatch(/background:#ffe14d;[^"]*color:#000000/)
    expect(html).toContain(`src="cid:${pictures[0]?.cid}"`)
    const { format, width, height, hasAlpha } = await sharp(pictures[0]?.content).metadata()
    expect({ format, width, height, hasAlpha }).toEqual({ format: 'png', width: 240, height: 80, hasAlpha: false })
    const { rows } = await admin.query<{ subject: string; row: string }>(
      `select subject, (to_jsonb(m) - 'params')::text as row from app.mail_messages m where org_id = $1`,
      [org.id],
    )
    expect(rows[0]?.subject).toBe('Sign in')
    expect(rows[0]?.row).not.toContain('qz7secret')
  })

  test('is in the reader’s language, from right to left where that is so', async ({ post, organisation, person, admin, api }) => {
    const org = await organisation()
    const me = await person({ org, email: address() })
    await admin.query(`update app.accounts set preferences = '{"locale": "ar"}' where id = $1`, [me.accountId])
    await api.services.database.asActor({ orgId: org.id, accountId: me.accountId, idpRoles: [] }, (db) =>
      sendMail(db, receipt, { to: { accountId: me.accountId }, params: { words: 'x' } }),
    )
    await post.round()
    expect(post.sent[0]?.html).toMatch(/<html lang="ar" dir="rtl"/)
    // Essential mail cannot be unsubscribed from.
    expect(post.sent[0]?.unsubscribeUrl).toBeUndefined()
    expect(post.sent[0]?.text).not.toContain('/public/unsubscribe/')
  })

  test('to any address is for those who keep the accounts', async ({ api, organisation, person, post }) => {
    const org = await organisation()
    const [member, boss] = [await person({ org }), await person({ org, idpRoles: ['org-admin'] })]
    const write = (who: typeof member, idpRoles: string[]) =>
      api.services.database.asActor({ orgId: org.id, accountId: who.accountId, idpRoles }, (db) =>
        sendMail(db, receipt, { to: { address: 'anybody@example.org' }, params: { words: 'x' } }),
      )
    await expect(write(member, [])).rejects.toMatchObject({ code: '42501' })
    await expect(write(boss, ['org-admin'])).resolves.toBeTruthy()
    expect(await post.rows(org.id)).toHaveLength(1)
    // A foreign account is none of ours.
    const stranger = await person({ org: await organisation() })
    await expect(
      api.services.database.asActor({ orgId: org.id, accountId: boss.accountId, idpRoles: ['org-admin'] }, (db) =>
        sendMail(db, receipt, { to: { accountId: stranger.accountId }, params: { words: 'x' } }),
      ),
    ).rejects.toMatchObject({ code: '23503' })
  })
})

describe('the outcome of an attempt', () => {
  const outcomes: [what: string, error: object, row: Partial<Row>][] = [
    [
      'a temporary refusal is tried again',
      { responseCode: 451, response: '451 greylisted', command: 'RCPT TO' },
      { state: 'queued', outcome: 'deferred', answer: '451 greylisted', wait: 60 },
    ],
    ['a permanent refusal is final', { responseCode: 554, response: '554 no', command: 'DATA' }, { state: 'failed', outcome: 'refused' }],
    [
      'what never reached the server is tried again',
      { code: 'ESOCKET', command: 'CONN', syscall: 'connect' },
      { state: 'queued', outcome: 'unreachable' },
    ],
    [
      'a connection that breaks on the way leaves it unknown',
      { code: 'ECONNECTION', command: 'CONN' },
      { state: 'unknown', outcome: 'cut_off' },
    ],
    [
      'so does a server that does not answer',
      { code: 'ETIMEDOUT', command: 'CONN', timeoutType: 'SOCKET_TIMEOUT' },
      { state: 'unknown', outcome: 'cut_off' },
    ],
  ]
  test.for(outcomes)('%s', async ([, error, row], { post, organisation }) => {
    const org = await organisation()
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'x' } }),
    )
    post.refuse = () => {
      throw smtpError(error)
    }
    await post.round()
    const [found] = await post.rows(org.id)
    expect(found).toMatchObject({ ...row, ...(row.wait ? { wait: expect.closeTo(row.wait, -1) } : {}) })
    post.refuse = () => {}
    await post.round()
    expect(post.sent).toEqual([])
  })

  test('waits longer after each refusal', async ({ post, organisation, admin }) => {
    const org = await organisation()
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'x' } }),
    )
    post.refuse = () => {
      throw smtpError({ responseCode: 421, response: '421 later' })
    }
    const waits: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      await due(admin, org.id)
      await post.round()
      waits.push(Math.round(((await post.rows(org.id))[0]?.wait ?? 0) / 60))
    }
    expect(waits).toEqual([1, 5, 15, 60, 60])
    await admin.query(`update app.mail_messages set attempts = 49 where org_id = $1`, [org.id])
    await due(admin, org.id)
    await post.round()
    expect(await post.rows(org.id)).toMatchObject([{ state: 'failed', outcome: 'given_up' }])
  })

  test('an address that does not exist gets no mail any more', async ({ post, organisation }) => {
    const org = await organisation()
    const to = { address: address() }
    const write = () => post.services.database.withoutActor((db) => sendMailFor(db, org.id, receipt, { to, params: { words: 'x' } }))
    await write()
    post.refuse = () => {
      throw smtpError({ responseCode: 550, response: '550 5.1.1 no such user', command: 'RCPT TO' })
    }
    await post.round()
    post.refuse = () => {}
    await write()
    await post.round()
    expect(await post.rows(org.id)).toMatchObject([
      { state: 'failed', outcome: 'refused' },
      { state: 'suppressed', outcome: 'hard_bounce' },
    ])
    expect(post.sent).toEqual([])
  })
})

describe('a worker that dies', () => {
  test('leaves what it was handing over unknown, and what it had only claimed to others', async ({ post, organisation, admin }) => {
    const org = await organisation()
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'handed' } }),
    )
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'claimed' } }),
    )
    await admin.query(
      `update app.mail_messages set state = 'sending', attempts = 1, lease_until = now() - interval '1 second', handed_at = case params ->> 'words' when 'handed' then now() - interval '2 minutes' end where org_id = $1`,
      [org.id],
    )
    await post.round()
    expect(await post.rows(org.id)).toMatchObject([
      { state: 'unknown', outcome: 'worker_died' },
      { state: 'sent', attempts: 2 },
    ])
    expect(post.sent.map(({ text }) => /handed|claimed/.exec(text)?.[0])).toEqual(['claimed'])
  })

  test('is told apart from a slow one: what it did send is known after all', async ({ post, organisation, admin }) => {
    const org = await organisation()
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'x' } }),
    )
    const { mailer } = post.services
    post.services.mailer = {
      ...mailer,
      send: async (mail) => {
        await admin.query(`update app.mail_messages set lease_until = now() - interval '1 second' where org_id = $1`, [org.id])
        await sendDue({ ...post.services, mailer }, templates)
        expect(await post.rows(org.id)).toMatchObject([{ state: 'unknown' }])
        await mailer.send(mail)
      },
    }
    await post.round()
    expect(post.sent).toHaveLength(1)
    expect(await post.rows(org.id)).toMatchObject([{ state: 'sent' }])
  })

  test('has handed over five mails at most, with others written beside them; one that stops hands over no more of these', async ({
    post,
    organisation,
    admin,
  }) => {
    const org = await organisation()
    for (let count = 0; count < 9; count += 1)
      await post.services.database.withoutActor((db) =>
        sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'x' } }),
      )
    let atServer = 0
    const answer = Promise.withResolvers<void>()
    const send = async () => {
      atServer += 1
      await answer.promise
    }
    let written = 0
    const counted = registered({
      ...receipt,
      write: (of) => {
        written += 1
        return receipt.write(of)
      },
    })
    const stopping = new AbortController()
    const round = sendDue({ ...post.services, mailer: { ...post.services.mailer, send } }, [registered(notice), counted], stopping.signal)
    const handed = async () => {
      const text = `select count(*) filter (where handed_at is not null)::int as handed, count(*) filter (where state = 'sent')::int as sent from app.mail_messages where org_id = $1`
      return (await admin.query<{ handed: number; sent: number }>(text, [org.id])).rows[0]
    }
    await expect.poll(() => [atServer, written]).toEqual([5, 8])
    expect(await handed()).toEqual({ handed: 5, sent: 0 })
    stopping.abort()
    answer.resolve()
    await round
    expect(await handed()).toEqual({ handed: 5, sent: 5 })
    expect(written).toBe(8)
    await admin.query(`update app.mail_messages set lease_until = now() - interval '1 second' where org_id = $1 and state = 'sending'`, [
      org.id,
    ])
    await post.round()
    expect(post.sent).toHaveLength(4)
    expect((await post.rows(org.id)).map(({ state }) => state)).toEqual(Array.from({ length: 9 }, () => 'sent'))
  })

  test('waiting mail of a copy is held back', async ({ post, organisation }) => {
    const org = await organisation()
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'x' } }),
    )
    expect(await holdMail(post.services, new Date(Date.now() + 60_000))).toBeGreaterThan(0)
    await post.round()
    expect(await post.rows(org.id)).toMatchObject([{ state: 'failed', outcome: 'held' }])
    expect(post.sent).toEqual([])
  })
})

describe('nobody is mailed', () => {
  const states: [what: string, change: string, outcome: string][] = [
    ['whose account is suspended', `update app.accounts set status = 'suspended' where id = $1`, 'account_suspended'],
    [
      'who has died',
      `update app.people set lifecycle = 'deceased' where id = (select person_id from app.accounts where id = $1)`,
      'person_deceased',
    ],
    [
      'who was erased',
      `update app.people set lifecycle = 'erased' where id = (select person_id from app.accounts where id = $1)`,
      'person_erased',
    ],
    [
      'who is archived',
      `update app.people set deleted_at = now() where id = (select person_id from app.accounts where id = $1)`,
      'person_archived',
    ],
  ]
  test.for(states)('%s', async ([, change, outcome], { post, organisation, person, admin }) => {
    const org = await organisation()
    const me = await person({ org, email: address() })
    const write = (to: { accountId: string } | { personId: string }) =>
      post.services.database.withoutActor((db) => sendMailFor(db, org.id, receipt, { to, params: { words: 'x' } }))
    await write({ accountId: me.accountId })
    await write({ personId: me.personId ?? '' })
    await admin.query(change, [me.accountId])
    await post.round()
    expect(await post.rows(org.id)).toMatchObject([
      { state: 'suppressed', outcome },
      { state: 'suppressed', outcome },
    ])
    expect(post.sent).toEqual([])
  })

  test('who was merged into somebody else', async ({ post, organisation, person, admin }) => {
    const org = await organisation()
    const [gone, kept] = [await person({ org, email: address() }), await person({ org })]
    await post.services.database.withoutActor((db) =>
      sendMailFor(db, org.id, receipt, { to: { personId: gone.personId ?? '' }, params: { words: 'x' } }),
    )
    await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone.personId, kept.personId])
    await post.round()
    expect(await post.rows(org.id)).toMatchObject([{ state: 'suppressed', outcome: 'person_merged' }])
  })

  test('without anything to tell, or without an address', async ({ post, organisation, person }) => {
    const org = await organisation()
    const [silent, without] = [await person({ org, email: address() }), await person({ org })]
    for (const [to, words] of [
      [silent, 'nothing'],
      [without, 'x'],
    ] as const)
      await post.services.database.withoutActor((db) =>
        sendMailFor(db, org.id, receipt, { to: { accountId: to.accountId }, params: { words } }),
      )
    await post.round()
    expect((await post.rows(org.id)).map(({ outcome }) => outcome).sort()).toEqual(['no_address', 'nothing_to_tell'])
  })

  test('without an address, and those behind them do not wait for it', async ({ post, organisation, person }) => {
    const org = await organisation()
    const without = await person({ org })
    const write = (to: { accountId: string } | { address: string }) =>
      post.services.database.withoutActor((db) => sendMailFor(db, org.id, receipt, { to, params: { words: 'x' } }))
    for (let n = 0; n < 30; n++) await write({ accountId: without.accountId })
    const to = address()
    await write({ address: to })
    await post.round()
    expect(post.sent.map((mail) => mail.to)).toEqual([to])
  })

  test('who unsubscribed with one click, but for essential mail', async ({ admin, api, post, organisation, person }) => {
    const org = await organisation()
    const me = await person({ org, email: address() })
    const write = (template: MailTemplate<{ words: string }>) =>
      post.services.database.withoutActor((db) =>
        sendMailFor(db, org.id, template, { to: { accountId: me.accountId }, params: { words: 'x' } }),
      )
    await write(notice)
    await post.round()
    const path = new URL(post.sent[0]?.unsubscribeUrl ?? '').pathname
    const stop = (url: string) =>
      api.app.inject({
        method: 'POST',
        url,
        payload: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      })
    const forged = `${path.slice(0, -1)}_`
    expect([(await stop(forged)).statusCode, (await api.app.inject(forged)).statusCode]).toEqual([404, 404])
    // Nor does knowing the id of a mail, or the secret of a link for something else, in whatever SQL.
    const { rows: known } = await admin.query<{ secret: string }>(
      `select id::text as secret from app.mail_messages where org_id = $1 union all select subject_id::text from app.signed_links where org_id = $1`,
      [org.id],
    )
    const link = { purpose: 'invitations', expiresAt: new Date(Date.now() + 60_000), uses: 'many', orgId: org.id } as const
    const { token } = await post.services.database.withoutActor((db) =>
      issueLink(db, { ...link, subject: { type: 'mail', id: known[0]?.secret ?? '' } }),
    )
    for (const secret of [...known.map((row) => row.secret), hashOf(token)])
      await api.services.database.withoutActor((db) => sql`select app.suppress_mail_by_link(null, ${secret})`.execute(db))
    // Opening the page changes nothing: mail filters open every link.
    const page = await api.app.inject(path)
    expect([page.statusCode, page.body]).toEqual([200, expect.stringMatching(/<form method="post">.*<button type="submit"/)])
    expect((await admin.query('select from app.mail_suppressions where org_id = $1', [org.id])).rowCount).toBe(0)
    expect((await stop(path)).body).toContain('You are unsubscribed')
    expect((await stop(path)).statusCode).toBe(200)
    await write(notice)
    await write(receipt)
    await post.round()
    expect((await post.rows(org.id)).map(({ state, outcome }) => `${state} ${outcome}`).sort()).toEqual([
      'sent ',
      'sent ',
      'suppressed unsubscribed',
    ])
  })
})

test('mail leaves at the pace that a domain and an address take; essential mail does not wait for its domain', async ({
  post,
  organisation,
  admin,
}) => {
  const org = await organisation()
  const domain = `${randomUUID()}.example`
  const slow = { ...post.services, config: { ...post.services.config, MAIL_PER_DOMAIN: 60, MAIL_PER_ADDRESS: 60 } }
  const write = (template: MailTemplate<{ words: string }>, to: string) =>
    post.services.database.withoutActor((db) => sendMailFor(db, org.id, template, { to: { address: to }, params: { words: 'x' } }))
  for (let n = 0; n < 30; n++) await write(notice, `${n}@${domain}`)
  for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue(slow, templates))
  // Ten seconds' worth at once, then one a second, each in its turn.
  const waiting = (await post.rows(org.id)).filter(({ state }) => state === 'queued').map(({ wait }) => wait)
  expect(post.sent.length).toBeGreaterThanOrEqual(10)
  expect(post.sent.length).toBeLessThan(20)
  expect(new Set(waiting).size).toBe(waiting.length)
  expect(Math.max(...waiting)).toBeGreaterThanOrEqual(15)
  // Nor does anybody else wait for the domain.
  for (let n = 0; n < 30; n++) await write(notice, `late-${n}@${domain}`)
  const elsewhere = `reader@${randomUUID()}.example`
  await write(notice, elsewhere)
  await sendDue(slow, templates)
  expect(post.sent.map(({ to }) => to)).toContain(elsewhere)
  const before = post.sent.length
  await write(receipt, `urgent@${domain}`)
  await sendDue(slow, templates)
  expect(post.sent.length - before).toBeGreaterThanOrEqual(1)
  expect(post.sent.some(({ to }) => to.startsWith('urgent'))).toBe(true)
  await admin.query(`delete from app.mail_messages where org_id = $1`, [org.id])
  const freely = { ...slow, config: { ...slow.config, MAIL_PER_DOMAIN: 0, MAIL_PER_ADDRESS: 0 } }
  for (let n = 0; n < 30; n++) await write(notice, `free@${domain}`)
  for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue(freely, templates))
  expect(new Set((await post.rows(org.id)).map(({ state }) => state))).toEqual(new Set(['sent']))
  for (let n = 0; n < 50; n++) await write(receipt, `one@${domain}`)
  for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue(slow, templates))
  expect((await post.rows(org.id)).filter(({ state }) => state === 'queued').length).toBeGreaterThanOrEqual(15)
})

/** A mail server that hangs up right after a mail's last line, having taken it. */
async function hangingUp() {
  let taken = 0
  const server = createServer((socket) => {
    socket.write('220 plain\r\n')
    let isText = false
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (isText && line !== '.') continue
        if (isText) {
          taken += 1
          socket.destroy()
          return
        }
        isText = line === 'DATA'
        socket.write(isText ? '354 go on\r\n' : '250 fine\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, taken: () => taken }
}

test('two workers who claim mail to the same places in opposite orders wait for each other only once; without the lock they do in a circle (control)', async ({
  post,
  organisation,
  admin,
}) => {
  const org = await organisation()
  const workers = [0, 1].map(() => new pg.Client({ connectionString: post.services.config.WORKER_DATABASE_URL }))
  for (const worker of workers) {
    await worker.connect()
    onTestFinished(() => worker.end())
  }
  const [one, other] = workers
  const claim = (client: pg.Client | undefined) => client?.query(`select id from app.claim_mail(1, '1 minute', 60, 60)`)
  const meet = async () => {
    await post.round()
    const [here, there] = [`${randomUUID()}.example`, `${randomUUID()}.example`]
    for (const to of [`1@${here}`, `1@${there}`, `2@${here}`, `2@${there}`])
      await post.services.database.withoutActor((db) => sendMailFor(db, org.id, receipt, { to: { address: to }, params: { words: 'x' } }))
    for (const worker of workers) await worker.query('begin')
    await claim(one)
    const second = (async () => {
      await claim(other)
      await claim(other)
    })()
    await pause(500)
    const first = claim(one)?.finally(() => one?.query('commit'))
    const ended = await Promise.allSettled([first, second])
    for (const worker of workers) await worker.query('rollback')
    return ended.map(({ status }) => status)
  }
  expect(await meet()).toEqual(['fulfilled', 'fulfilled'])
  const { rows } = await admin.query<{ text: string }>(
    `select pg_get_functiondef('app.claim_mail(int, interval, int, int)'::regprocedure) as text`,
  )
  const text = rows[0]?.text ?? ''
  try {
    await admin.query(text.replace(/ {2}perform pg_advisory_xact_lock\(.*\);/, ''))
    expect(await meet()).toContain('rejected')
  } finally {
    await admin.query(text)
    // Nothing is left for the mail servers of other tests.
    await post.round()
  }
})

test('a mail whose connection breaks after its last line is neither sent again nor said to have arrived', async ({
  post,
  organisation,
}) => {
  const server = await hangingUp()
  const mailer = createMailer({ ...post.services.config, SMTP_URL: `smtp://127.0.0.1:${server.port}` })
  onTestFinished(() => mailer.close())
  const org = await organisation()
  await post.services.database.withoutActor((db) =>
    sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words: 'x' } }),
  )
  await sendDue({ ...post.services, mailer }, templates)
  await sendDue({ ...post.services, mailer }, templates)
  expect(await post.rows(org.id)).toMatchObject([{ state: 'unknown', outcome: 'cut_off' }])
  expect(server.taken()).toBe(1)
})

/** A mail server that has dropped its connection by the time that a second mail comes over it. */
async function dropping(): Promise<{ port: number; taken: () => number; dropped: () => number }> {
  let [taken, dropped] = [0, 0]
  const server = createServer((socket) => {
    let isText = false
    let had = 0
    socket.on('error', () => {})
    socket.write('220 here\r\n')
    socket.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (isText && line !== '.') continue
        if (isText) [taken, had] = [taken + 1, had + 1]
        else if (had > 0) {
          dropped += 1
          socket.destroy()
          return
        }
        isText = line === 'DATA'
        socket.write(isText ? '354 go on\r\n' : '250 fine\r\n')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, taken: () => taken, dropped: () => dropped }
}

test('a mail that meets a dropped connection before a word of it was said goes over another', async ({ post, organisation }) => {
  const server = await dropping()
  const mailer = createMailer({ ...post.services.config, SMTP_URL: `smtp://127.0.0.1:${server.port}` })
  onTestFinished(() => mailer.close())
  const org = await organisation()
  for (const words of ['first', 'second']) {
    await post.services.database.withoutActor((db) => sendMailFor(db, org.id, receipt, { to: { address: address() }, params: { words } }))
    await sendDue({ ...post.services, mailer }, templates)
  }
  expect(await post.rows(org.id)).toMatchObject([{ state: 'sent' }, { state: 'sent' }])
  expect([server.taken(), server.dropped()]).toEqual([2, 1])
})
