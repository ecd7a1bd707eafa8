import type { ApiKey } from '@guildhall/contract/features/integrations.keys'
import { describe, expect } from 'vitest'
import { clientFor, test } from '../../../testing.ts'
import type { Client } from '../../../testing.ts'
import { makeKey } from './integrations.keys.testing.ts'

type Listed = { items: { id: string }[] }
const idsOf = async (client: Client, url: string) => ((await client.get(url)).body as Listed).items.map(({ id }) => id)
const refusal = ({ status, body }: { status: number; body: unknown }) => [status, (body as { reason?: string } | null)?.reason]

describe('a key', () => {
  test('is shown to its maker once; afterwards nobody reads it, neither in answers nor in the database', async ({ api, admin, person }) => {
    const owner = api.as(await person({ idpRoles: ['org-owner'] }))
    const { key, secret } = await makeKey(api.app, owner, { purpose: 'Shows members' })
    expect(secret).toMatch(/^ghk_[0-9A-Za-z]{40}$/)
    expect(key).toMatchObject({
      name: 'Website',
      prefix: secret.slice(0, 12),
      state: 'active',
      createdBy: expect.stringMatching(/^Test Person/),
      perMinute: 300,
    })
    const rest = secret.slice(12)
    for (const url of [`/data/api-keys/${key.id}`, '/data/api-keys', `/data/api-keys/${key.id}/uses`, '/data/audit']) {
      const answer = await owner.get(url)
      expect([url, answer.status, answer.text.includes(rest)]).toEqual([url, 200, false])
      expect(answer.text).not.toContain('secret')
    }
    const { rows } = await admin.query<{ row: string }>(
      `select row_to_json(k)::text as row from app.api_keys k where id = $1
       union all select response::text from app.idempotency_keys i join app.api_keys k on k.org_id = i.org_id and k.id = $1
       union all select diff::text from app.audit_entries where entity_id = $1 or entity = 'accounts' and org_id = (select org_id from app.api_keys where id = $1)`,
      [key.id],
    )
    expect(rows.length).toBeGreaterThan(1)
    expect(rows.filter(({ row }) => row.includes(rest))).toEqual([])
  })

  test('sees what its permissions open in its place and below, and no row beyond', async ({
    api,
    admin,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const below = await chapter(org, 'Below', west)
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    const [here, under, away] = [
      await person({ org, chapterId: west }),
      await person({ org, chapterId: below }),
      await person({ org, chapterId: east }),
    ]
    const { client } = await makeKey(api.app, owner, { chapterId: west })
    const seen = () => idsOf(client, '/data/people')
    expect((await seen()).toSorted()).toEqual([here.personId, under.personId].toSorted())
    expect((await client.get(`/data/people/${away.personId}`)).status).toBe(404)
    // What is not among its permissions: hidden rows, and a refusal where something would be written.
    expect(await idsOf(client, '/data/api-keys')).toEqual([])
    expect(await idsOf(client, '/data/accounts')).toEqual([])
    expect((await client.post('/data/people', { givenName: 'New', familyName: 'Person', chapterId: west })).status).toBe(403)
    expect((await client.get('/data/me')).body).toMatchObject({
      account: { name: 'Key Website', email: null },
      person: null,
      permissions: [{ permission: 'people.directory', everywhere: false }],
    })
    // The control: it is the policies that hide the others.
    await admin.query('alter table app.people disable row level security')
    const all = await seen().finally(() => admin.query('alter table app.people enable row level security'))
    expect(all).toContain(away.personId)
  })

  test('is refused once it has expired, within seconds of being revoked whichever server is asked, and when nobody made it', async ({
    api,
    admin,
    person,
    variant,
  }) => {
    const owner = api.as(await person({ idpRoles: ['org-owner'] }))
    const { key, secret, client } = await makeKey(api.app, owner)
    const elsewhere = (await variant({})).as(secret)
    expect([(await client.get('/data/me')).status, (await elsewhere.get('/data/me')).status]).toEqual([200, 200])

    const revoked = await owner.post(`/data/api-keys/${key.id}/revoke`, {}, { 'if-match': `"${key.version}"` })
    expect(revoked).toMatchObject({ status: 200, body: { state: 'revoked', version: key.version + 1 } })
    // What a server remembers ends within three seconds; until then its account opens nothing any more.
    for (const one of [client, elsewhere]) {
      expect((await one.get('/data/people')).body).not.toMatchObject({ items: [expect.anything()] })
      await expect.poll(async () => refusal(await one.get('/data/me')), { timeout: 5_000, interval: 250 }).toEqual([401, 'key_revoked'])
    }
    const again = await owner.post(`/data/api-keys/${key.id}/revoke`, {}, { 'if-match': `"${key.version + 1}"` })
    expect(refusal(again)).toEqual([409, 'api_key_revoked'])

    const short = await makeKey(api.app, owner)
    await admin.query(`update app.api_keys set expires_at = now() - interval '1 second' where id = $1`, [short.key.id])
    const expired = await short.client.get('/data/me')
    expect(refusal(expired)).toEqual([401, 'key_expired'])
    expect(expired.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
    for (const wrong of [`${secret.slice(0, -1)}_`, 'ghk_', `ghk_${'a'.repeat(40)}`])
      expect(refusal(await clientFor(api.app, { token: wrong }).get('/data/me'))).toEqual([401, 'key_unknown'])
  })

  test('that asks more often than it may waits for the next minute, over all servers', async ({ api, admin, person, variant }) => {
    const maker = await person({ idpRoles: ['org-owner'] })
    const { key, secret, client } = await makeKey(api.app, api.as(maker), { perMinute: 4 })
    const other = await makeKey(api.app, api.as(maker), { perMinute: 4 })
    const elsewhere = (await variant({})).as(secret)
    // A minute that does not end while the test runs.
    await admin.query(`insert into app.api_key_minutes (org_id, key_id, minute, uses) values ($1, $2, now() + interval '1 hour', 0)`, [
      maker.orgId,
      key.id,
    ])
    const statuses = await Promise.all(
      [client, elsewhere, client, elsewhere, client, elsewhere].map(async (one) => (await one.get('/data/me')).status),
    )
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 429, 429])
    for (const one of [client, elsewhere]) {
      const answer = await one.get('/data/me')
      expect(refusal(answer)).toEqual([429, 'key_rate'])
      expect(Number(answer.headers['retry-after'])).toSatisfy((wait: number) => wait >= 1 && wait <= 60)
    }
    expect((await other.client.get('/data/me')).status).toBe(200)
  })

  test('does nothing that somebody has to have signed in for, and acts for nobody', async ({ api, person, issuer }) => {
    const boss = await person({ idpRoles: ['org-owner'] })
    const { client, key } = await makeKey(api.app, api.as(boss))
    const denied = [403, 'not_with_key']
    expect(refusal(await client.post('/data/rpc/update_account_login'))).toEqual(denied)
    expect(refusal(await client.post('/data/access-requests', {}))).toEqual(denied)
    expect(refusal(await client.get('/data/me/changes'))).toEqual(denied)
    // Not even with the proof of somebody's sign-in.
    const proof = await issuer.proof(boss.subject)
    expect(refusal(await client.post('/data/api-keys', { name: 'More', permissions: ['people.directory'] }, { ...proof }))).toEqual(denied)
    expect(refusal(await client.get('/data/people', undefined, { 'acting-for': boss.personId ?? '' }))).toEqual(denied)
    expect((await client.post(`/data/api-keys/${key.id}/revoke`, {}, { 'if-match': '"1"' })).status).toBe(404)
    // It becomes nobody: a membership would link its account to a person.
    expect((await client.get('/data/me')).body).toMatchObject({ person: null })
  })
})

describe('nobody makes a key', () => {
  test('without managing integrations everywhere, nor with more than they hold in its place', async ({
    api,
    admin,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const [west, east] = [await chapter(org, 'West'), await chapter(org, 'East')]
    const make = (client: Client, more: object) =>
      client.post('/data/api-keys', { name: 'Website', permissions: ['people.directory'], ...more }, { ...client.proof })
    const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
    expect((await make(officer, { chapterId: west })).status).toBe(403)

    await admin.query(
      `with made as (insert into app.roles (org_id, key, name, custom) values ($1, 'connector', 'Connector', true) returning id)
       insert into app.role_permissions (org_id, role_id, permission) select $1, id, p from made, unnest('{integrations.manage,groups.read}'::text[]) p`,
      [org.id],
    )
    const narrow = api.as(
      await person({ org, chapterId: null, grants: [{ role: 'connector' }, { role: 'safeguarding', chapterId: west }] }),
    )
    expect(await make(narrow, { permissions: ['groups.read', 'people.sensitive'] })).toMatchObject({
      status: 403,
      body: { reason: 'beyond_reach', params: { permissions: ['people.sensitive'] }, errors: [{ path: 'permissions' }] },
    })
    expect((await make(narrow, { permissions: ['people.sensitive'], chapterId: east })).status).toBe(403)
    expect((await make(narrow, { permissions: ['people.sensitive', 'groups.read'], chapterId: west })).status).toBe(201)
  })

  test('that could give rights, nor without a sign-in of a moment ago', async ({ api, person }) => {
    const owner = api.as(await person({ idpRoles: ['org-owner'] }))
    const make = (permissions: string[], more: object = {}) =>
      owner.post('/data/api-keys', { name: 'Website', permissions, ...more }, { ...owner.proof })
    for (const never of ['account.manage', 'integrations.manage', 'positions.appoint', 'relationships.manage'])
      expect(await make(['people.directory', never]), never).toMatchObject({
        status: 422,
        body: { errors: [{ code: 'api_key_permission' }] },
      })
    expect((await make([])).status).toBe(422)
    expect((await make(['people.everything'])).status).toBe(422)
    expect((await make(['people.directory'], { days: 731 })).status).toBe(422)
    expect(await make(['people.directory'], { chapterId: '01920000-0000-7000-8000-000000000001' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'chapterId', code: 'chapter_not_found' }] },
    })
    expect(refusal(await owner.post('/data/api-keys', { name: 'Website', permissions: ['people.directory'] }))).toEqual([
      403,
      'recent_sign_in',
    ])
  })
})

describe('the account of a key', () => {
  test('is no account of people: not listed, not opened, given no role', async ({ api, admin, person }) => {
    const boss = await person({ idpRoles: ['org-owner'] })
    const owner = api.as(boss)
    const { key } = await makeKey(api.app, owner)
    expect(await idsOf(owner, '/data/accounts')).toEqual([boss.accountId])
    expect((await owner.get(`/data/accounts/${key.accountId}`)).status).toBe(404)
    for (const act of ['suspend', 'activate'])
      expect((await owner.post(`/data/accounts/${key.accountId}/${act}`, {}, { 'if-match': '"1"', ...owner.proof })).status).toBe(404)
    const { rows } = await admin.query<{ id: string }>(`select id from app.roles where org_id = $1 and key = 'member'`, [boss.orgId])
    const grant = { accountId: key.accountId, roleId: rows[0]?.id, scopeKind: 'org' }
    expect(await owner.post('/data/grants', grant, { ...owner.proof })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'accountId' }] },
    })
  })

  test('is named by the audit log and by histories, and repeats nothing of another key', async ({ api, person, organisation }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'] }))
    const wanted = { permissions: ['people.directory', 'people.write'] }
    const [one, two] = [await makeKey(api.app, owner, wanted), await makeKey(api.app, owner, { ...wanted, name: 'Sheet' })]
    const body = { givenName: 'Ada', familyName: 'Byron', chapterId: org.rootChapterId }
    const made = async ({ client }: typeof one) => {
      const answer = await client.post('/data/people', body, { 'idempotency-key': 'the-same-key' })
      expect(answer.status).toBe(201)
      return (answer.body as { id: string }).id
    }
    const first = await made(one)
    expect(await made(one)).toBe(first)
    const second = await made(two)
    expect(second).not.toBe(first)
    const log = (await owner.get(`/data/audit?personId=${second}`)).body as { items: { actor: unknown }[] }
    expect(log.items.length).toBeGreaterThan(0)
    expect(log.items.map(({ actor }) => actor)).toEqual(
      log.items.map(() => ({ accountId: two.key.accountId, name: 'Key Sheet', personId: null })),
    )
  })
})

test('a key is renamed and slowed down by those who saw it as it is, and its account follows', async ({ api, organisation, person }) => {
  const owner = api.as(await person({ idpRoles: ['org-owner'] }))
  const { key, client } = await makeKey(api.app, owner)
  const url = `/data/api-keys/${key.id}`
  const changed = await owner.patch(url, { name: 'New website', perMinute: 60 }, { 'if-match': `"${key.version}"` })
  expect(changed).toMatchObject({ status: 200, body: { name: 'New website', perMinute: 60, version: key.version + 1 } })
  expect((await owner.patch(url, { name: 'Third' }, { 'if-match': `"${key.version}"` })).status).toBe(412)
  expect((await client.get('/data/me')).body).toMatchObject({ account: { name: 'Key New website' } })
  expect(await idsOf(owner, '/data/api-keys?state=active')).toEqual([key.id])
  expect(await idsOf(owner, '/data/api-keys?state=revoked')).toEqual([])
  const elsewhere = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
  expect((await elsewhere.get(url)).status).toBe(404)
})

test('the page of a key says what it did by minute, and which of it failed', async ({ api, admin, person }) => {
  const owner = api.as(await person({ idpRoles: ['org-owner'] }))
  const { key, client } = await makeKey(api.app, owner)
  for (let nth = 0; nth < 3; nth++) await client.get('/data/people')
  await client.get('/data/people/01920000-0000-7000-8000-000000000001')
  await client.get('/data/people?limit=nonsense')
  const over = await makeKey(api.app, owner)
  await admin.query(`update app.api_keys set expires_at = now() - interval '1 second' where id = $1`, [over.key.id])
  await over.client.get('/data/people')
  await api.services.keyUses.write()
  type Uses = { items: { operation: string; method: string; status: number; count: number }[] }
  const usesOf = async (query = '', keyId = key.id) => {
    const sums = new Map<string, number>()
    for (const { method, operation, status, count } of ((await owner.get(`/data/api-keys/${keyId}/uses${query}`)).body as Uses).items)
      sums.set(`${method} ${operation} ${status}`, (sums.get(`${method} ${operation} ${status}`) ?? 0) + count)
    return Object.fromEntries(sums)
  }
  expect(await usesOf()).toEqual({ 'GET listPeople 200': 3, 'GET getPerson 404': 1, 'GET listPeople 400': 1 })
  expect(await usesOf('?failed=true')).toEqual({ 'GET getPerson 404': 1, 'GET listPeople 400': 1 })
  expect(await usesOf('', over.key.id)).toEqual({ 'GET listPeople 401': 1 })
  const { days } = (await owner.get(`/data/api-keys/${key.id}/activity`)).body as { days: { requests: number; refused: number }[] }
  expect(days.reduce((sum, { refused }) => sum + refused, 0)).toBe(2)
  const now = (await owner.get(`/data/api-keys/${key.id}`)).body as ApiKey
  expect(now).toMatchObject({ state: 'active', version: key.version })
  expect(Date.now() - Date.parse(now.lastUsedAt ?? '')).toBeLessThan(180_000)
  // A page at a time.
  const page = (await owner.get(`/data/api-keys/${key.id}/uses?limit=1`)).body as { nextCursor: string }
  expect(page.nextCursor).toEqual(expect.any(String))
})
