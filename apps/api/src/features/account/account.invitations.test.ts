import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { mailTemplates } from '../../mails.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import { sendDue } from '../../platform/mail/outbox.ts'
import { createServices } from '../../platform/services.ts'
import { test as base } from '../../testing.ts'
import type { TestOrganisation, TestPerson } from '../../testing.ts'

type Made = { id: string; version: number; status: string; roles: string[]; invitedUntil: string | null }

const test = base.extend<{
  /** The token of the newest invitation that was mailed to an address. */
  mailed: (email: string) => Promise<string>
  /** Somebody who is signed in at the provider and has no account here. */
  newcomer: (org: TestOrganisation) => Promise<TestPerson>
}>({
  mailed: async ({ api }, use) => {
    const worker = createServices(api.services.config, api.services.log, api.services.config.WORKER_DATABASE_URL)
    const sent: Mail[] = []
    const mailer = { ...worker.mailer, send: async (mail: Mail) => void sent.push(mail) }
    await use(async (email) => {
      for (let claimed = 1; claimed > 0;) ({ claimed } = await sendDue({ ...worker, mailer }, mailTemplates))
      return /\/public\/invitations\/(\S+)/.exec(sent.findLast(({ to }) => to === email)?.text ?? '')?.[1] ?? ''
    })
    await worker.close()
  },
  newcomer: async ({ person, admin }, use) => {
    await use(async (org) => {
      const made = await person({ org, chapterId: null })
      await admin.query(`delete from app.accounts where id = $1`, [made.accountId])
      return made
    })
  },
})
const match = (version: number) => ({ 'if-match': `"${version}"` })
const address = () => `${randomUUID()}@example.org`

describe('an invitation', () => {
  test('is mailed with a link that gives the account, its person and its roles to whoever brings it, once', async ({
    api,
    admin,
    organisation,
    person,
    mailed,
    newcomer,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const known = await person({ org })
    await admin.query(`update app.accounts set person_id = null where id = $1`, [known.accountId])
    const { rows: roles } = await admin.query<{ id: string }>(`select id from app.roles where org_id = $1 and key = 'communications'`, [
      org.id,
    ])
    const email = address()
    const invited = await boss.post('/data/accounts', { email, name: 'Ada', personId: known.personId, roleIds: [roles[0]?.id] })
    expect(invited).toMatchObject({ status: 201, body: { status: 'invited', roles: ['Communications'] } })
    const { id, invitedUntil } = invited.body as Made
    expect(Date.parse(invitedUntil ?? '') - Date.now()).toBeGreaterThan(13.9 * 86_400_000)
    expect(Date.parse(invitedUntil ?? '') - Date.now()).toBeLessThanOrEqual(14 * 86_400_000)
    const token = await mailed(email)
    // Kept as a hash only.
    const { rows: kept } = await admin.query(
      `select to_json(l)::text || coalesce((select string_agg(to_json(m)::text, '') from app.mail_messages m), '') as all from app.signed_links l where subject_id = $1`,
      [id],
    )
    expect(kept).toHaveLength(1)
    expect(JSON.stringify(kept)).not.toContain(token)

    // Whatever address the person signs in with.
    const [ada, eve] = [await newcomer(org), await newcomer(org)]
    expect(await api.as(ada).get('/data/me')).toMatchObject({ status: 403, body: { reason: 'no_account' } })
    expect(await api.as(ada).post('/data/rpc/accept_invitation', { token })).toMatchObject({ status: 204 })
    expect(await api.as(ada).get('/data/me')).toMatchObject({ status: 200, body: { account: { id }, person: { id: known.personId } } })
    expect(await api.as(eve).post('/data/rpc/accept_invitation', { token })).toMatchObject({
      status: 404,
      body: { reason: 'link_invalid' },
    })
    expect(await api.as(ada).post('/data/rpc/accept_invitation', { token })).toMatchObject({ status: 409, body: { reason: 'has_account' } })
    expect(await api.as(eve).post('/data/rpc/accept_invitation', { token: 'x'.repeat(27) })).toMatchObject({
      status: 404,
      body: { reason: 'link_invalid' },
    })
    // An account that is there is linked to.
    expect(await boss.post('/data/accounts', { email })).toMatchObject({ status: 409, body: { reason: 'account_exists', current: { id } } })
  })

  test('gives no role that allows more than its giver holds', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const keeper = await person({ org })
    const { rows } = await admin.query<{ id: string; key: string }>(`select id, key from app.roles where org_id = $1`, [org.id])
    const { rows: made } = await admin.query<{ id: string }>(
      `insert into app.roles (org_id, key, name, custom) values ($1, 'keeper', 'Keeper', true) returning id`,
      [org.id],
    )
    await admin.query(`insert into app.role_permissions (org_id, role_id, permission) values ($1, $2, 'account.manage')`, [
      org.id,
      made[0]?.id,
    ])
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind, starts_on) values ($1, $2, $3, 'org', '2020-01-01')`,
      [org.id, keeper.accountId, made[0]?.id],
    )
    const owner = rows.find(({ key }) => key === 'org-owner')?.id
    const email = address()
    expect(await api.as(keeper).post('/data/accounts', { email, roleIds: [owner] })).toMatchObject({ status: 403 })
    expect(await api.as(keeper).post('/data/accounts', { email, roleIds: [randomUUID()] })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'roleIds' }] },
    })
    // Nothing of it stays.
    expect(await api.as(keeper).post('/data/accounts', { email })).toMatchObject({ status: 201 })
  })

  test('expires, which its holder is told, and opens no sign-in by its address either', async ({
    api,
    admin,
    organisation,
    person,
    mailed,
    newcomer,
  }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const email = address()
    const { id } = (await boss.post('/data/accounts', { email })).body as Made
    const token = await mailed(email)
    await admin.query(
      `update app.signed_links set created_at = now() - interval '15 days', expires_at = now() - interval '1 day' where subject_id = $1`,
      [id],
    )
    await admin.query(`update app.accounts set invited_until = now() - interval '1 day' where id = $1`, [id])
    const ada = await newcomer(org)
    expect(await api.as(ada).post('/data/rpc/accept_invitation', { token })).toMatchObject({
      status: 410,
      body: { reason: 'invitation_expired' },
    })
    const { services } = api
    const statement = services.database.vouch({
      use: 'login',
      issuer: 'https://idp.example',
      subject: ada.subject,
      idpOrg: org.id,
      name: null,
      email,
      emailVerified: true,
      roles: [],
      signUp: 'invite',
      signUpRole: 'member',
    })
    const { rows } = await admin.query(`select status from app.update_account_login($1)`, [statement])
    expect(rows).toEqual([{ status: 'unknown' }])
  })

  test('is sent again, which ends the earlier link, or revoked', async ({ api, organisation, person, mailed, newcomer }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const email = address()
    const invited = (await boss.post('/data/accounts', { email })).body as Made
    const first = await mailed(email)
    const url = `/data/accounts/${invited.id}/invitation`
    const again = await boss.post(url, {}, match(invited.version))
    expect(again).toMatchObject({ status: 200, body: { status: 'invited' } })
    expect(await boss.post(url, {}, match(invited.version))).toMatchObject({ status: 412 })
    const second = await mailed(email)
    expect(second).not.toBe(first)
    const ada = await newcomer(org)
    expect(await api.as(ada).post('/data/rpc/accept_invitation', { token: first })).toMatchObject({ status: 404 })
    const version = (again.body as Made).version
    expect(await boss.del(url, undefined, match(version))).toMatchObject({ status: 204 })
    expect(await api.as(ada).post('/data/rpc/accept_invitation', { token: second })).toMatchObject({
      status: 404,
      body: { reason: 'link_invalid' },
    })
    expect(await boss.get(`/data/accounts/${invited.id}`)).toMatchObject({ status: 404 })
  })

  test('cannot be revoked or sent again once somebody has signed in with it', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const active = await person({ org })
    for (const call of [
      () => boss.post(`/data/accounts/${active.accountId}/invitation`, {}, match(1)),
      () => boss.del(`/data/accounts/${active.accountId}/invitation`, undefined, match(1)),
    ])
      expect(await call()).toMatchObject({ status: 409, body: { reason: 'not_invited_account' } })
  })

  test('lets in who had asked for access meanwhile, and nobody who is suspended', async ({ api, organisation, person, mailed }) => {
    const org = await organisation()
    const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const email = address()
    await boss.post('/data/accounts', { email })
    const token = await mailed(email)
    const locked = await person({ org, status: 'suspended' })
    expect(await api.as(locked).post('/data/rpc/accept_invitation', { token })).toMatchObject({
      status: 403,
      body: { reason: 'suspended' },
    })
    const asking = await person({ org, chapterId: null, status: 'pending_link' })
    expect(await api.as(asking).post('/data/rpc/accept_invitation', { token })).toMatchObject({ status: 204 })
    expect(await api.as(asking).get('/data/me')).toMatchObject({ status: 200 })
  })
})
