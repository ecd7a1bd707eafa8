import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { hostileProvider, orgClaim } from '../../platform/sign-in/provider-testing.ts'
import type { HostileProvider } from '../../platform/sign-in/provider-testing.ts'
import { createServices } from '../../platform/services.ts'
import { mailTemplates } from '../../mails.ts'
import { sendDue } from '../../platform/mail/outbox.ts'
import { test } from '../../testing.ts'
import type { Variant } from '../../testing.ts'

let provider: HostileProvider
beforeAll(async () => {
  provider = await hostileProvider()
})
afterAll(() => provider.stop())

type Told = Record<string, unknown>
type Row = {
  id: string
  status: string
  subject: string | null
  email: string | null
  email_verified: boolean
  last_login_at: string | null
  name: string
}
type Stage = {
  org: { id: string }
  server: Variant
  open: Variant
  /** Somebody at the provider, with what it says of them. */
  someone(told?: Told, subject?: string): Promise<{ subject: string; token: string }>
  login(who: { token: string }, server?: Variant): Promise<{ status: number; reason: string | undefined }>
  account(columns: Told): Promise<string>
  rows(): Promise<Row[]>
}

const staged = test.extend<{ stage: Stage }>({
  stage: async ({ variant, organisation, admin }, use) => {
    const org = await organisation()
    const people = new Map<string, Told>()
    provider.userInfo = (bearer) => {
      const { sub } = JSON.parse(Buffer.from(bearer.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
      return { body: { sub, ...people.get(sub) } }
    }
    const server = await variant({ ISSUER: provider.issuer })
    await use({
      org,
      server,
      open: await variant({ ISSUER: provider.issuer, SIGN_UP: 'open' }),
      async someone(told = {}, subject = randomUUID()) {
        people.set(subject, told)
        return { subject, token: await provider.accessToken({ sub: subject, [orgClaim]: org.id }) }
      },
      async login(who, at = server) {
        const { status, body } = await at.as(who.token).post('/data/rpc/update_account_login')
        return { status, reason: (body as { reason?: string } | null)?.reason }
      },
      async account(columns) {
        const given = Object.entries({ org_id: org.id, ...columns })
        const { rows } = await admin.query<{ id: string }>(
          `insert into app.accounts (${given.map(([name]) => name).join()}) values (${given.map((_, i) => `$${i + 1}`).join()}) returning id`,
          given.map(([, value]) => value),
        )
        return rows[0]?.id ?? ''
      },
      rows: async () => (await admin.query<Row>('select * from app.accounts where org_id = $1 order by created_at, id', [org.id])).rows,
    })
  },
})

beforeEach(() => {
  provider.fault = 'none'
})

describe('the login call', () => {
  staged('A10: makes an invited account active and learns the name', async ({ stage }) => {
    await stage.account({ email: 'ada@example.org', status: 'invited' })
    const ada = await stage.someone({ name: 'Ada', email: 'Ada@Example.org', email_verified: true })
    expect(await stage.login(ada)).toEqual({ status: 204, reason: undefined })
    expect(await stage.rows()).toMatchObject([
      {
        status: 'active',
        subject: ada.subject,
        name: 'Ada',
        email: 'Ada@Example.org',
        email_verified: true,
        last_login_at: expect.anything(),
      },
    ])
    expect(await stage.server.as(ada.token).get('/data/me')).toMatchObject({ status: 200 })
  })

  staged(
    'an invited account is open at once on every server, whichever refused before and whichever notes the sign-in',
    async ({ stage }) => {
      await stage.account({ email: 'ada@example.org', status: 'invited' })
      const ada = await stage.someone({ name: 'Ada', email: 'ada@example.org', email_verified: true })
      expect(await stage.open.as(ada.token).get('/data/me')).toMatchObject({ status: 403, body: { reason: 'no_account' } })
      expect(await stage.login(ada, stage.server)).toMatchObject({ status: 204 })
      expect(await stage.open.as(ada.token).get('/data/me')).toMatchObject({ status: 200 })
    },
  )

  staged('S3-5 notes each further sign-in and nothing else, however often it comes', async ({ stage, admin }) => {
    const eve = await stage.someone({ name: 'Eve' })
    await stage.account({ issuer: provider.issuer, subject: eve.subject, status: 'active', name: 'Eve' })
    for (let n = 0; n < 3; n++) expect(await stage.login(eve)).toMatchObject({ status: 204 })
    expect(await stage.rows()).toMatchObject([{ version: 1, last_login_at: expect.anything() }])
    const { rows } = await admin.query(`select from app.audit_entries where org_id = $1 and entity = 'accounts' and action = 'update'`, [
      stage.org.id,
    ])
    expect(rows).toHaveLength(0)
  })

  staged('A09: writes nothing for a suspended account', async ({ stage }) => {
    const eve = await stage.someone({ name: 'New name', email: 'new@example.org', email_verified: true })
    await stage.account({ issuer: provider.issuer, subject: eve.subject, status: 'suspended', name: 'Eve' })
    const before = await stage.rows()
    expect(await stage.login(eve)).toEqual({ status: 403, reason: 'suspended' })
    expect(await stage.rows()).toEqual(before)
    for (const url of ['/data/me', '/data/people', '/data/accounts']) {
      expect(await stage.server.as(eve.token).get(url)).toMatchObject({ status: 403, body: { reason: 'suspended' } })
    }
  })

  staged('A11: binds no invitation to an address that is not verified', async ({ stage }) => {
    await stage.account({ email: 'ada@example.org', status: 'invited' })
    expect(await stage.login(await stage.someone({ email: 'ada@example.org', email_verified: false }))).toEqual({
      status: 403,
      reason: 'no_account',
    })
    expect(await stage.rows()).toMatchObject([{ status: 'invited', subject: null }])
  })

  staged('refuses whom nobody expects, and leaves no trace of them', async ({ stage }) => {
    const stranger = await stage.someone({ name: 'S', email: 's@example.org', email_verified: true })
    expect(await stage.login(stranger)).toEqual({ status: 403, reason: 'no_account' })
    expect(await stage.server.as(stranger.token).get('/data/me')).toMatchObject({ status: 403, body: { reason: 'no_account' } })
    expect(await stage.rows()).toEqual([])
  })

  staged('keeps no characters of a name that nobody sees', async ({ stage }) => {
    const eve = await stage.someone({ name: 'A\u202edA\u200b \ufeffLovelace\u2066', email: 'eve@example.org', email_verified: true })
    await stage.login(eve, stage.open)
    expect(await stage.rows()).toMatchObject([{ name: 'AdA Lovelace' }])
  })

  staged('lets everybody in where sign-up is open, with the role that is set', async ({ stage, variant }) => {
    const permissions = async (server: Variant, token: string) =>
      ((await server.as(token).get('/data/me')).body as { permissions: { permission: string }[] }).permissions.map(
        ({ permission }) => permission,
      )
    const first = await stage.someone({ name: 'First' })
    expect(await stage.login(first, stage.open)).toMatchObject({ status: 204 })
    expect(await permissions(stage.open, first.token)).toEqual(['events.read', 'fundraising.read', 'groups.read', 'people.directory'])
    expect(await stage.rows()).toMatchObject([{ status: 'active', name: 'First' }])
    for (const SIGN_UP_ROLE of ['none', 'org-owner', 'org-admin']) {
      const server = await variant({ ISSUER: provider.issuer, SIGN_UP: 'open', SIGN_UP_ROLE })
      const next = await stage.someone()
      expect(await stage.login(next, server)).toMatchObject({ status: 204 })
      expect(await permissions(server, next.token), SIGN_UP_ROLE).toEqual([])
    }
  })

  staged('makes one account out of many tabs at once', async ({ stage }) => {
    const fast = await stage.someone()
    const answers = await Promise.all(Array.from({ length: 8 }, () => stage.login(fast, stage.open)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 204))
    await stage.account({ email: 'ada@example.org', status: 'invited' })
    const ada = await stage.someone({ email: 'ada@example.org', email_verified: true })
    const bound = await Promise.all(Array.from({ length: 8 }, () => stage.login(ada)))
    expect(bound.map(({ status }) => status)).toEqual(bound.map(() => 204))
    expect(await stage.rows()).toMatchObject([{ subject: fast.subject }, { subject: ada.subject, status: 'active' }])
  })

  staged('works without user info, which then changes nothing', async ({ stage }) => {
    const eve = await stage.someone()
    await stage.account({
      issuer: provider.issuer,
      subject: eve.subject,
      status: 'active',
      name: 'Eve',
      email: 'eve@example.org',
      email_verified: true,
    })
    provider.userInfo = () => ({ status: 500, body: {} })
    expect(await stage.login(eve)).toMatchObject({ status: 204 })
    provider.userInfo = () => ({ body: { sub: 'somebody else', name: 'Mallory', email: 'm@example.org', email_verified: true } })
    expect(await stage.login(await stage.someone({}, eve.subject))).toMatchObject({ status: 204 })
    expect(await stage.rows()).toMatchObject([{ name: 'Eve', email: 'eve@example.org', email_verified: true }])
  })

  staged('refuses people of an organisation that is not served', async ({ stage }) => {
    const token = await provider.accessToken({ sub: randomUUID(), [orgClaim]: 'elsewhere' })
    expect(await stage.login({ token }, stage.open)).toEqual({ status: 403, reason: 'other_organisation' })
  })
})

describe('A12: nobody takes over an account that is not theirs', () => {
  const victim = 'kate.sik@example.org'
  /** What a provider might say of an attacker to come by the victim's account. */
  const disguises: [what: string, told: Told][] = [
    ...([undefined, false, null, 'true', 'TRUE', 'yes', 1, [true], { value: true }] as const).map((verified): [string, Told] => [
      `the address, verified: ${JSON.stringify(verified)}`,
      { email: victim, email_verified: verified },
    ]),
    ...[
      'K\u0061te.sik@example.org'.replace('K', '\u212a'),
      'kate.s\u0131k@example.org',
      'kate.s\u0130k@example.org',
      'kate.\u017fik@example.org',
      '\uff4bate.sik@example.org',
      'kate.sik\uff20example.org',
      'kate.sik@ex\u0430mple.org',
      'kate.sik@example\u3002org',
      'kate\u2024sik@example.org',
      'kate.si\u0301k@example.org',
      'kate.sik\u200b@example.org',
      'kate.sik\u0000@example.org',
      ' kate.sik@example.org',
      'kate.sik@example.org ',
      'kate.sik@example.org\n',
      'kate.sik@example.org\r\nbcc: x@evil.example',
      'kate.sik@example.org,evil@evil.example',
      'evil@evil.example,kate.sik@example.org',
      '<kate.sik@example.org>',
      'Kate <kate.sik@example.org>',
      'mailto:kate.sik@example.org',
      'kate.sik+evil@example.org',
      'katesik@example.org',
      '"kate.sik"@example.org',
      '"kate.sik@example.org"@evil.example',
      'kate.sik@example.org@evil.example',
      'kate.sik@example.org.evil.example',
      'kate.sik@EXAMPLE.org.',
      'kate.sik@xn--example-.org',
      'kate.sik%',
      '%',
      '_ate.sik@example.org',
      '*',
      '',
    ].map((email): [string, Told] => [`verified ${JSON.stringify(email)}`, { email, email_verified: true }]),
    ['a list of addresses', { email: [victim], email_verified: true }],
    ['an object', { email: { toString: victim }, email_verified: true }],
    ['the address under another name', { mail: victim, upn: victim, preferred_username: victim, name: victim, email_verified: true }],
  ]

  staged('by what the provider says of an address, in any of many ways', async ({ stage }) => {
    expect(disguises.length).toBeGreaterThanOrEqual(40)
    await stage.account({ email: victim, status: 'invited' })
    await stage.account({ email: victim, status: 'active', issuer: provider.issuer, subject: 'victim', email_verified: true })
    const before = await stage.rows()
    const takenOver: string[] = []
    for (const [what, told] of disguises) {
      const attacker = await stage.someone(told)
      const { status } = await stage.login(attacker)
      if (status !== 403 || JSON.stringify(await stage.rows()) !== JSON.stringify(before)) takenOver.push(what)
    }
    expect(takenOver).toEqual([])
    // The control: the address itself, verified, is what opens the invitation.
    expect(await stage.login(await stage.someone({ email: victim.toUpperCase(), email_verified: true }))).toMatchObject({ status: 204 })
  })

  staged('where sign-up is open: they get an account of their own', async ({ stage }) => {
    await stage.account({ email: victim, status: 'invited' })
    await stage.account({ email: victim, status: 'active', issuer: provider.issuer, subject: 'victim', email_verified: true })
    const [invited, active] = await stage.rows()
    for (const [what, told] of disguises) {
      const attacker = await stage.someone(told)
      await stage.login(attacker, stage.open)
      const { body } = await stage.open.as(attacker.token).get('/data/me')
      expect([invited?.id, active?.id], what).not.toContain((body as { account: { id: string } }).account.id)
    }
    expect((await stage.rows()).slice(0, 2)).toEqual([invited, active])
  })

  staged('by an invitation that is not theirs any more', async ({ stage }) => {
    const told = { email: victim, email_verified: true }
    await stage.account({ email: victim, status: 'invited' })
    const first = await stage.someone(told)
    expect(await stage.login(first)).toMatchObject({ status: 204 })
    expect(await stage.login(await stage.someone(told))).toEqual({ status: 403, reason: 'no_account' })
    expect(await stage.rows()).toMatchObject([{ subject: first.subject }])
  })

  staged('by an address that two invitations name, or one that was withdrawn', async ({ stage, admin }) => {
    await stage.account({ email: victim, status: 'invited' })
    await stage.account({ email: victim.toUpperCase(), status: 'invited' })
    const told = { email: victim, email_verified: true }
    expect(await stage.login(await stage.someone(told))).toEqual({ status: 403, reason: 'no_account' })
    await admin.query(`update app.accounts set status = 'suspended' where org_id = $1`, [stage.org.id])
    expect(await stage.login(await stage.someone(told))).toEqual({ status: 403, reason: 'no_account' })
  })

  staged('by changing the own address to the victim’s', async ({ stage }) => {
    const attacker = await stage.someone({ email: victim, email_verified: true })
    const own = await stage.account({ issuer: provider.issuer, subject: attacker.subject, status: 'active', email: 'own@example.org' })
    await stage.account({ email: victim, status: 'invited' })
    expect(await stage.login(attacker)).toMatchObject({ status: 204 })
    expect(await stage.server.as(attacker.token).get('/data/me')).toMatchObject({ body: { account: { id: own } } })
    expect((await stage.rows())[1]).toMatchObject({ status: 'invited', subject: null })
  })

  staged('by the same subject at another provider', async ({ stage }) => {
    await stage.account({ issuer: 'https://old.example', subject: 'kate', status: 'active', email: victim, email_verified: true })
    expect(await stage.login(await stage.someone({ email: victim, email_verified: true }, 'kate'))).toEqual({
      status: 403,
      reason: 'no_account',
    })
    for (const subject of ['Kate', 'kate ', 'kate\u200b', 'KATE']) {
      await stage.account({ issuer: provider.issuer, subject: `owner-${subject}`, status: 'active' })
      expect(await stage.login(await stage.someone({}, subject)), subject).toMatchObject({ status: 403 })
    }
  })

  staged('by the same subject in another organisation of the same provider', async ({ stage, organisation }) => {
    const other = await organisation()
    const eve = await stage.someone()
    await stage.account({ issuer: provider.issuer, subject: eve.subject, status: 'active' })
    const elsewhere = await provider.accessToken({ sub: eve.subject, [orgClaim]: other.id })
    expect(await stage.server.as(elsewhere).get('/data/me')).toMatchObject({ status: 403, body: { reason: 'no_account' } })
  })
})

staged('A11: no answer tells whose e-mail address is known here', async ({ stage, admin, variant }) => {
  const pages = await variant({ ISSUER: provider.issuer, ORG_ID: stage.org.id })
  for (const status of ['active', 'invited', 'suspended', 'pending_link']) {
    const known = status === 'invited' ? {} : { issuer: provider.issuer, subject: `of ${status}` }
    await stage.account({ email: `${status}@example.org`, status, email_verified: true, ...known })
  }
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.people (org_id, given_name, family_name) values ($1, 'Per', 'Son') returning id`,
    [stage.org.id],
  )
  await admin.query(`insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, 'person@example.org', true)`, [
    stage.org.id,
    rows[0]?.id,
  ])
  const said = async (email: string, verified: boolean) => {
    const stranger = pages.as((await stage.someone({ name: 'S', email, email_verified: verified })).token)
    const answers = [
      await stranger.post('/data/rpc/update_account_login'),
      await stranger.get('/data/me'),
      await stranger.get(`/data/people?q=${email}`),
      ...(verified ? [] : [await stranger.post('/data/access-requests', {}), await stranger.get('/data/me')]),
      await pages.as(null).post('/actions/site/contact', { name: 'S', email, topic: 'Membership', message: 'Am I a member?' }),
    ]
    return answers.map(({ status, text }) => `${status} ${text.replace(/"(requestId|reference)":"[^"]*"/g, '')}`)
  }
  const unknown = await said('unknown@example.org', false)
  expect(unknown.map((answer) => answer.slice(0, 3))).toEqual(['403', '403', '403', '204', '403', '201'])
  for (const name of ['active', 'invited', 'suspended', 'pending_link', 'person']) {
    expect(await said(`${name}@example.org`, false), name).toEqual(unknown)
  }
  // A verified address is the stranger's own, and says no more of accounts that are bound already.
  const verified = unknown.filter((_, nth) => nth !== 3 && nth !== 4)
  expect(await said('active@example.org', true)).toEqual(verified)
  // The control: whoever was invited is told so.
  expect(await said('invited@example.org', true)).not.toEqual(verified)
})

describe('somebody without an invitation', () => {
  const admins = async (stage: Stage, admin: { query: (text: string, values: unknown[]) => Promise<unknown> }) => {
    const boss = await stage.someone({ name: 'Boss', email: 'boss@example.org', email_verified: true })
    const id = await stage.account({ issuer: provider.issuer, subject: boss.subject, status: 'active', email: 'boss@example.org' })
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on) select $1, $2, id, 'org', '2020-01-01' from app.roles where org_id = $1 and key = 'org-admin'`,
      [stage.org.id, id],
    )
    return stage.server.as(boss.token)
  }
  const match = (version: number) => ({ 'if-match': `"${version}"` })

  staged('asks for access once, which reaches the administrators', async ({ stage, admin, api }) => {
    const boss = await admins(stage, admin)
    const sam = await stage.someone({ name: 'Sam', email: 'sam@example.org', email_verified: false })
    const me = stage.server.as(sam.token)
    expect(await me.post('/data/access-requests', { message: 'I am the new treasurer.' })).toMatchObject({ status: 204 })
    expect(await me.post('/data/access-requests', { message: 'Hello?' })).toMatchObject({ status: 204 })
    expect(await me.get('/data/me')).toMatchObject({ status: 403, body: { reason: 'pending' } })
    expect(await stage.login(sam)).toEqual({ status: 403, reason: 'pending' })
    expect(await boss.get('/data/accounts?sort=-createdAt')).toMatchObject({
      body: {
        items: [
          { name: 'Sam', email: 'sam@example.org', emailVerified: false, status: 'pending_link', accessMessage: 'I am the new treasurer.' },
          {},
        ],
      },
    })
    const account = (await stage.rows())[1]?.id ?? ''
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: { to: string }[] = []
    const mailer = { send: async (mail: { to: string }) => void sent.push(mail), check: async () => {}, close: () => {} }
    const mails = () =>
      admin.query(`select template, state, outcome from app.mail_messages where org_id = $1 order by created_at`, [stage.org.id])
    // Other mail may wait before it.
    for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
    expect(sent.filter(({ to }) => to === 'boss@example.org')).toMatchObject([
      {
        subject: expect.stringMatching(/^Sam asks for access to /),
        text: expect.stringMatching(/Sam <sam@example\.org> \(not verified\)[\s\S]*new treasurer/),
      },
    ])
    expect((await mails()).rows).toEqual([{ template: 'access-request', state: 'sent', outcome: '' }])
    // Nobody is told of what was decided meanwhile.
    await admin.query(`update app.accounts set status = 'active' where id = $1`, [account])
    await admin.query(`update app.mail_messages set state = 'queued', settled_at = null where org_id = $1`, [stage.org.id])
    await sendDue({ ...worker, mailer }, mailTemplates)
    expect((await mails()).rows).toEqual([{ template: 'access-request', state: 'suppressed', outcome: 'nothing_to_tell' }])
    await worker.close()
  })

  staged('is let in, turned down, or locked out', async ({ stage, admin }) => {
    const boss = await admins(stage, admin)
    const ask = async () => {
      const who = await stage.someone()
      expect(await stage.server.as(who.token).post('/data/access-requests', {})).toMatchObject({ status: 204 })
      return { ...who, id: (await stage.rows()).find(({ subject }) => subject === who.subject)?.id ?? '' }
    }
    const welcome = await ask()
    expect(await boss.post(`/data/accounts/${welcome.id}/activate`, {}, match(1))).toMatchObject({
      status: 200,
      body: { status: 'active' },
    })
    expect(await stage.login(welcome)).toMatchObject({ status: 204 })
    expect(await stage.server.as(welcome.token).post('/data/access-requests', {})).toMatchObject({
      status: 409,
      body: { reason: 'has_account' },
    })

    const unknown = await ask()
    expect(await boss.post(`/data/accounts/${unknown.id}/decline`, {})).toMatchObject({ status: 428 })
    expect(await boss.post(`/data/accounts/${unknown.id}/decline`, {}, match(2))).toMatchObject({ status: 412 })
    expect(await boss.post(`/data/accounts/${unknown.id}/decline`, {}, match(1))).toMatchObject({ status: 204 })
    expect(await boss.post(`/data/accounts/${unknown.id}/decline`, {}, match(1))).toMatchObject({ status: 404 })
    expect(await stage.login(unknown)).toEqual({ status: 403, reason: 'no_account' })

    const nuisance = await ask()
    expect(await boss.post(`/data/accounts/${nuisance.id}/suspend`, {}, match(1))).toMatchObject({ status: 200 })
    expect(await stage.server.as(nuisance.token).post('/data/access-requests', {})).toMatchObject({
      status: 403,
      body: { reason: 'suspended' },
    })
    expect(await boss.post(`/data/accounts/${nuisance.id}/decline`, {}, match(2))).toMatchObject({
      status: 409,
      body: { reason: 'not_pending' },
    })
    expect(await boss.post(`/data/accounts/${welcome.id}/decline`, {}, match(2))).toMatchObject({ status: 409 })

    const other = await ask()
    expect(await stage.server.as(welcome.token).post(`/data/accounts/${other.id}/decline`, {}, match(1))).toMatchObject({ status: 404 })
  })

  staged('asks no more than ten times an hour from one place', async ({ stage }) => {
    for (let n = 0; n < 10; n++) {
      expect(await stage.server.as((await stage.someone()).token).post('/data/access-requests', {})).toMatchObject({ status: 204 })
    }
    const late = await stage.someone()
    expect(await stage.server.as(late.token).post('/data/access-requests', {})).toMatchObject({
      status: 429,
      body: { reason: 'access_limit' },
    })
    expect(await stage.login(late)).toEqual({ status: 403, reason: 'no_account' })
    expect(await stage.server.as(null).post('/data/access-requests', {})).toMatchObject({ status: 401 })
    expect(await stage.server.as(late.token).post('/data/access-requests', { message: 'x'.repeat(501) })).toMatchObject({ status: 422 })
  })
})
