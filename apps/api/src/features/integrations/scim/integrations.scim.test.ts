import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { hashOf } from '../../../platform/links/signed-links.ts'
import { test as base } from '../../../testing.ts'
import type { TestOrganisation, TestPerson } from '../../../testing.ts'
import { patchSchema, userSchema } from './integrations.scim.user.rules.ts'

type Answer = { status: number; body: never; headers: Record<string, unknown> }
type Ask = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>
type Provider = { org: TestOrganisation; owner: TestPerson; connectionId: string; token: string; ask: Ask }

/** A provider that is connected by an owner, with a token that the product has made. */
const test = base.extend<{ provider: (settings?: object, owner?: TestPerson) => Promise<Provider> }>({
  provider: async ({ api, admin, organisation, person }, use) =>
    use(async (settings = {}) => {
      const org = await organisation()
      const owner = await person({ org, idpRoles: ['org-admin'], givenName: 'Olga', email: 'olga@example.org' })
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.connections (org_id, connector, category, slug, name, state, settings, owner_account_id, is_single)
         values ($1, 'scim', 'identity', 'provider', 'Provider', 'connected', $2, $3, true) returning id`,
        [org.id, settings, owner.accountId],
      )
      const connectionId = rows[0]?.id ?? ''
      const token = `ghscim_${randomUUID()}`
      await admin.query(`insert into app.scim_tokens (org_id, connection_id, secret_hash, hint) values ($1, $2, $3, 'test')`, [
        org.id,
        connectionId,
        hashOf(token),
      ])
      const ask: Ask = async (method, path, body, headers = {}) => {
        const response = await api.app.inject({
          method,
          url: `/scim/v2${path}`,
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json', ...headers },
          ...(body !== undefined && { payload: JSON.stringify(body) }),
        })
        return { status: response.statusCode, body: (response.body === '' ? null : response.json()) as never, headers: response.headers }
      }
      return { org, owner, connectionId, token, ask }
    }),
})

const newUser = (userName: string, more: object = {}) => ({ schemas: [userSchema], userName, ...more })
const patch = (...Operations: object[]) => ({ schemas: [patchSchema], Operations })
const idOf = ({ body }: Answer) => (body as { id: string }).id
const eq = (field: string, value: string) => `filter=${encodeURIComponent(`${field} eq "${value}"`)}`

describe('users of an identity provider', () => {
  test('are accounts: created, found, changed, suspended and back', async ({ provider, api, admin, issuer }) => {
    const { ask, org, owner, connectionId } = await provider()
    const subject = randomUUID()
    expect(await ask('GET', `/Users?${eq('userName', 'ana@example.org')}`)).toMatchObject({
      status: 200,
      body: { totalResults: 0, Resources: [] },
    })
    const made = await ask(
      'POST',
      '/Users',
      newUser('ana@example.org', { externalId: subject, name: { givenName: 'Ana', familyName: 'Fall' } }),
    )
    const id = idOf(made)
    expect(made).toMatchObject({
      status: 201,
      headers: { 'content-type': expect.stringContaining('application/scim+json'), location: expect.stringContaining(`/scim/v2/Users/${id}`) },
      body: { userName: 'ana@example.org', externalId: subject, active: true, displayName: 'Ana Fall', emails: [{ value: 'ana@example.org' }], meta: { resourceType: 'User' } },
    }) // prettier-ignore
    // The provider's id of somebody is what they sign in as.
    const { rows } = await admin.query(`select issuer, subject, status, email, name, person_id from app.accounts where id = $1`, [id])
    expect(rows).toEqual([{ issuer: issuer.url, subject, status: 'active', email: 'ana@example.org', name: 'Ana Fall', person_id: null }])

    expect(await ask('POST', '/Users', newUser('ANA@example.org'))).toMatchObject({
      status: 409,
      body: { status: '409', scimType: 'uniqueness' },
    })
    for (const found of [eq('userName', 'Ana@Example.org'), eq('externalId', subject), eq('id', id), eq('emails.value', 'ana@example.org')])
      expect(await ask('GET', `/Users?${found}`)).toMatchObject({ body: { totalResults: 1, Resources: [{ id }] } })

    const changed = await ask(
      'PATCH',
      `/Users/${id}`,
      patch({ op: 'Replace', path: 'active', value: 'False' }, { op: 'Add', path: 'displayName', value: 'Ana F' }),
    )
    expect(changed).toMatchObject({ status: 200, body: { active: false, displayName: 'Ana F' } })
    expect(await api.as(owner).get(`/data/accounts/${id}`)).toMatchObject({ body: { status: 'suspended', name: 'Ana F' } })
    expect(
      await ask('PUT', `/Users/${id}`, newUser('ana.fall', { externalId: subject, active: true, emails: [{ value: 'ana@example.org' }] })),
    ).toMatchObject({
      body: { userName: 'ana.fall', active: true },
    })
    expect(await api.as(owner).get(`/data/accounts/${id}`)).toMatchObject({ body: { status: 'active' } })

    // Who reads the log sees by which connection it was done, in whose name.
    const log = await admin.query(
      `select distinct via, account_id from app.audit_entries where org_id = $1 and entity = 'accounts' and entity_id = $2`,
      [org.id, id],
    )
    expect(log.rows).toEqual([{ via: `scim:${connectionId}`, account_id: owner.accountId }])
  })

  test('that are removed are suspended, unknown, and the same account when they come again', async ({ provider, admin }) => {
    const { ask } = await provider()
    const id = idOf(await ask('POST', '/Users', newUser('bo@example.org', { externalId: 'bo-1' })))
    expect(await ask('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
    for (const gone of [
      await ask('GET', `/Users/${id}`),
      await ask('DELETE', `/Users/${id}`),
      await ask('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'active', value: true })),
    ])
      expect(gone).toMatchObject({ status: 404, body: { status: '404' } })
    expect((await admin.query('select status from app.accounts where id = $1', [id])).rows).toEqual([{ status: 'suspended' }])
    // Another person who gets the name is another account.
    const other = idOf(await ask('POST', '/Users', newUser('bo@example.org', { externalId: 'bo-2' })))
    expect(other).not.toBe(id)
    expect(await ask('POST', '/Users', newUser('bo.old@example.org', { externalId: 'bo-1' }))).toMatchObject({
      status: 201,
      body: { id, active: true },
    })
  })

  test('wait for their first sign-in where external ids are not how people sign in', async ({ provider, admin, api }) => {
    const { ask, owner } = await provider({ subjectIsExternalId: false })
    const id = idOf(await ask('POST', '/Users', newUser('cleo@example.org', { externalId: 'cleo' })))
    expect((await admin.query('select status, subject, invited_until from app.accounts where id = $1', [id])).rows).toEqual([
      { status: 'invited', subject: null, invited_until: null },
    ])
    await ask('PATCH', `/Users/${id}`, patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'cleo.new@example.org' }))
    expect(await api.as(owner).get(`/data/accounts/${id}`)).toMatchObject({ body: { email: 'cleo.new@example.org', status: 'invited' } })
  })

  test('take over only accounts whose address is certain', async ({ provider, person, admin }) => {
    const { ask, org } = await provider()
    const sure = await person({ org, email: 'sure@example.org' })
    await admin.query('update app.accounts set email_verified = true where id = $1', [sure.accountId])
    const unsure = await person({ org, email: 'unsure@example.org' })
    await person({ org, email: 'asks@example.org', status: 'pending_link', chapterId: null })
    const users = (await ask('GET', '/Users')).body as { Resources: { id: string }[]; totalResults: number }
    expect(users.Resources.map(({ id }) => id)).toEqual([sure.accountId])
    expect((await ask('GET', `/Users/${unsure.accountId}`)).status).toBe(404)
    expect(await ask('PATCH', `/Users/${sure.accountId}`, patch({ op: 'replace', path: 'active', value: false }))).toMatchObject({
      status: 200,
    })
  })

  test('that somebody here has invited stay theirs, also where somebody has their address at the provider', async ({
    provider,
    api,
    admin,
  }) => {
    const { ask, owner } = await provider()
    const invited = await api.as(owner).post('/data/accounts', { email: 'iris@example.org', name: 'Iris' })
    expect(invited).toMatchObject({ status: 201 })
    const [{ id } = { id: '' }] = (
      (await ask('GET', `/Users?${eq('userName', 'iris@example.org')}`)).body as { Resources: { id: string }[] }
    ).Resources
    expect(
      await ask('PUT', `/Users/${id}`, newUser('iris@example.org', { externalId: 'mallory', emails: [{ value: 'mallory@example.org' }] })),
    ).toMatchObject({ status: 200, body: { externalId: 'mallory' } })
    const { rows } = await admin.query('select status, subject, email from app.accounts where id = $1', [id])
    expect(rows).toEqual([{ status: 'invited', subject: null, email: 'iris@example.org' }])
  })

  test('that somebody here has suspended do not come back with the next change', async ({ provider, api }) => {
    const { ask, owner } = await provider()
    const made = newUser('dan@example.org', { externalId: 'dan', active: true })
    const id = idOf(await ask('POST', '/Users', made))
    const account = async () => (await api.as(owner).get(`/data/accounts/${id}`)).body as { status: string; version: number }
    const { version } = await account()
    expect(await api.as(owner).post(`/data/accounts/${id}/suspend`, {}, { 'if-match': `"${version}"` })).toMatchObject({ status: 200 })
    expect(await ask('PUT', `/Users/${id}`, made)).toMatchObject({ status: 200, body: { active: false } })
    expect(await ask('DELETE', `/Users/${id}`)).toMatchObject({ status: 204 })
    expect(await ask('POST', '/Users', made)).toMatchObject({ status: 201, body: { id, active: false } })
    expect(await account()).toMatchObject({ status: 'suspended' })
  })

  test('are read in pages, and written only as they were read', async ({ provider }) => {
    const { ask } = await provider()
    const ids: string[] = []
    for (const name of ['a', 'b', 'c']) ids.push(idOf(await ask('POST', '/Users', newUser(`${name}@example.org`))))
    expect(await ask('GET', '/Users?startIndex=2&count=1&attributes=userName')).toMatchObject({
      body: { totalResults: 3, startIndex: 2, itemsPerPage: 1, Resources: [{ id: ids[1], userName: 'b@example.org' }] },
    })
    const { headers } = await ask('GET', `/Users/${ids[0]}`)
    const etag = String(headers['etag'])
    expect((await ask('GET', `/Users/${ids[0]}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    const rename = (displayName: string) =>
      ask('PATCH', `/Users/${ids[0]}`, patch({ op: 'replace', value: { displayName } }), { 'if-match': etag })
    expect(await rename('One')).toMatchObject({ status: 200 })
    expect(await rename('Two')).toMatchObject({ status: 412, body: { status: '412' } })
  })
})

describe('groups of an identity provider', () => {
  test('take one of several changes of what was read before', async ({ provider, admin }) => {
    const { ask, org } = await provider()
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(idOf(await ask('POST', '/Users', newUser(`${n}@example.org`))))
    const { rows } = await admin.query<{ id: string }>(`select id from app.roles where org_id = $1 and key = 'finance'`, [org.id])
    const path = `/Groups/${rows[0]?.id}`
    const { headers } = await ask('GET', path)
    const add = (value: string) =>
      ask('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value }] }), { 'if-match': String(headers['etag']) })
    const answers = (await Promise.all(ids.map(add))).map(({ status }) => status)
    expect(answers.sort()).toEqual([200, 412, 412, 412, 412, 412])
  })

  test('are the standard roles in the whole organisation, never the owner’s', async ({ provider, admin }) => {
    const { ask, org } = await provider()
    const ana = idOf(await ask('POST', '/Users', newUser('ana@example.org')))
    const groups = (await ask('GET', '/Groups?excludedAttributes=members')).body as {
      Resources: { id: string; displayName: string; members?: unknown }[]
    }
    expect(groups.Resources.map(({ displayName }) => displayName)).toEqual([
      'Administrator',
      'Communications',
      'Event manager',
      'Finance',
      'Member',
      'Safeguarding',
    ])
    expect(groups.Resources.every(({ members }) => members === undefined)).toBe(true)
    const finance = groups.Resources.find(({ displayName }) => displayName === 'Finance')?.id ?? ''
    const path = `/Groups/${finance}`
    expect(await ask('PATCH', path, patch({ op: 'Add', path: 'members', value: [{ value: ana }] }))).toMatchObject({
      status: 200,
      body: { displayName: 'Finance', members: [{ value: ana }] },
    })
    await ask('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value: ana }] }))
    const { rows } = await admin.query('select scope_kind, chapter_id, group_id from app.grants where account_id = $1', [ana])
    expect(rows).toEqual([{ scope_kind: 'org', chapter_id: null, group_id: null }])
    expect(await ask('GET', `/Groups?filter=${encodeURIComponent(`id eq "${finance}" and members eq "${ana}"`)}`)).toMatchObject({
      body: { totalResults: 1 },
    })
    expect(await ask('GET', `/Users/${ana}`)).toMatchObject({ body: { groups: [{ value: finance, display: 'Finance' }] } })
    expect(
      await ask(
        'PATCH',
        path,
        patch({ op: 'Remove', path: `members[value eq "${ana}"]` }, { op: 'Add', path: 'externalId', value: 'g-1' }),
      ),
    ).toMatchObject({
      body: { members: [], externalId: 'g-1' },
    })

    const owners = await admin.query<{ id: string }>(
      `select id from app.roles where org_id = $1 and key in ('org-owner', 'chapter-admin')`,
      [org.id],
    )
    for (const { id } of owners.rows)
      expect(await ask('PATCH', `/Groups/${id}`, patch({ op: 'add', path: 'members', value: [{ value: ana }] }))).toMatchObject({
        status: 404,
      })
    expect(
      await ask('POST', '/Groups', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'finance' }),
    ).toMatchObject({ status: 409 })
    expect(await ask('POST', '/Groups', { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: 'New' })).toMatchObject({
      status: 403,
    })
    expect(await ask('DELETE', path)).toMatchObject({ status: 403 })
    expect(await ask('PATCH', path, patch({ op: 'add', path: 'members', value: [{ value: randomUUID() }] }))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue' },
    })
    expect(await ask('PATCH', path, patch({ op: 'replace', path: 'displayName', value: 'Money' }))).toMatchObject({
      status: 400,
      body: { scimType: 'mutability' },
    })
  })

  test('carry no more than the owner of the connection holds', async ({ provider, admin, issuer }) => {
    const { ask, org, owner } = await provider()
    const ana = idOf(await ask('POST', '/Users', newUser('ana@example.org')))
    // Of a role that the owner held when connecting, only accounts are left.
    await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [owner.accountId])
    await admin.query(`insert into app.roles (org_id, key, name, custom) values ($1, 'keeper', 'Keeper', true)`, [org.id])
    await admin.query(
      `insert into app.role_permissions (org_id, role_id, permission) select $1, id, unnest(array['account.manage', 'integrations.manage']) from app.roles where org_id = $1 and key = 'keeper'`,
      [org.id],
    )
    await admin.query(
      `insert into app.grants (org_id, account_id, role_id, scope_kind) select $1, $2, id, 'org' from app.roles where org_id = $1 and key = 'keeper'`,
      [org.id, owner.accountId],
    )
    const { rows } = await admin.query<{ id: string }>(`select id from app.roles where org_id = $1 and key = 'org-admin'`, [org.id])
    expect(await ask('PATCH', `/Groups/${rows[0]?.id}`, patch({ op: 'add', path: 'members', value: [{ value: ana }] }))).toMatchObject({
      status: 403,
    })
    expect((await admin.query('select from app.grants where account_id = $1', [ana])).rowCount).toBe(0)
    expect(issuer.url).not.toBe('')
  })
})

test('nobody removes the account that the connection acts as', async ({ provider, admin }) => {
  const { ask, owner } = await provider()
  await admin.query('update app.accounts set email_verified = true where id = $1', [owner.accountId])
  expect(await ask('PATCH', `/Users/${owner.accountId}`, patch({ op: 'replace', path: 'active', value: false }))).toMatchObject({
    status: 403,
  })
  expect((await ask('DELETE', `/Users/${owner.accountId}`)).status).toBe(403)
  expect((await admin.query('select status from app.accounts where id = $1', [owner.accountId])).rows).toEqual([{ status: 'active' }])
})

test('without a valid token, with a paused connection or an owner who lost their rights nothing is answered', async ({
  provider,
  admin,
  api,
}) => {
  const { ask, owner, connectionId, token } = await provider()
  for (const authorization of ['', 'Bearer ghscim_wrong', `Basic ${token}`]) {
    const answer = await ask('GET', '/Users', undefined, { authorization })
    expect(answer).toMatchObject({ status: 401, body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401' } })
    expect(answer.headers['www-authenticate']).toContain('Bearer')
  }
  await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [owner.accountId])
  expect(await ask('GET', '/Users')).toMatchObject({ status: 403 })
  await admin.query(`update app.accounts set idp_roles = '{org-admin}', status = 'suspended' where id = $1`, [owner.accountId])
  expect(await ask('GET', '/Users')).toMatchObject({ status: 403 })
  await admin.query(`update app.accounts set status = 'active' where id = $1`, [owner.accountId])
  await admin.query(`update app.connections set state = 'paused' where id = $1`, [connectionId])
  expect(await ask('GET', '/Users')).toMatchObject({ status: 403 })
  await admin.query(`update app.connections set state = 'disconnected' where id = $1`, [connectionId])
  expect(await ask('GET', '/Users')).toMatchObject({ status: 401 })
  expect((await admin.query('select from app.scim_tokens where connection_id = $1', [connectionId])).rowCount).toBe(0)
  expect(api.app).toBeDefined()
})

test('another organisation’s accounts are not there', async ({ provider }) => {
  const ours = await provider()
  const theirs = await provider()
  const id = idOf(await theirs.ask('POST', '/Users', newUser('them@example.org')))
  expect(await ours.ask('GET', `/Users?${eq('userName', 'them@example.org')}`)).toMatchObject({ body: { totalResults: 0 } })
  for (const method of ['GET', 'DELETE'] as const) expect((await ours.ask(method, `/Users/${id}`)).status).toBe(404)
})

test('what cannot be read is refused in the words of SCIM', async ({ provider, api }) => {
  const { ask, token } = await provider()
  const raw = (payload: string, contentType: string) =>
    api.app.inject({
      method: 'POST',
      url: '/scim/v2/Users',
      payload,
      headers: { authorization: `Bearer ${token}`, 'content-type': contentType },
    })
  expect((await raw('{', 'application/scim+json')).statusCode).toBe(400)
  expect((await raw('{}', 'application/scim+json')).json()).toMatchObject({ status: '400', scimType: 'invalidSyntax' })
  expect((await raw('<a/>', 'text/xml')).statusCode).toBe(415)
  expect((await raw(JSON.stringify(newUser('a@example.org', { title: 'x'.repeat(300_000) })), 'application/json')).statusCode).toBe(413)
  for (const bad of ['\\u0000', '\\ud800'])
    for (const path of ['/Users', '/Groups'])
      expect((await ask('GET', `${path}?filter=${encodeURIComponent(`externalId eq "${bad}"`)}`)).status).not.toBe(500)
  expect(await ask('POST', '/Users', newUser('\ud800@example.org', { externalId: '\ud800' }))).toMatchObject({ status: 400 })
  expect(await ask('GET', '/Users?filter=title+pr')).toMatchObject({ status: 400, body: { scimType: 'invalidFilter' } })
  expect(await ask('GET', '/Users/nonsense')).toMatchObject({ status: 404 })
  expect(await ask('GET', '/Bulk')).toMatchObject({ status: 404, body: { status: '404' } })
  expect(await ask('POST', '/Users', newUser('no-address'))).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } })
})

test('says what it can do', async ({ provider, admin }) => {
  const { ask, connectionId } = await provider()
  expect(await ask('GET', '/ServiceProviderConfig')).toMatchObject({
    status: 200,
    body: { patch: { supported: true }, bulk: { supported: false }, etag: { supported: true } },
  })
  expect(await ask('GET', '/ResourceTypes')).toMatchObject({
    body: { totalResults: 2, Resources: [{ id: 'User', endpoint: '/Users' }, { id: 'Group' }] },
  })
  expect(await ask('GET', '/Schemas')).toMatchObject({ body: { totalResults: 2 } })
  expect(await ask('GET', `/Schemas/${userSchema}`)).toMatchObject({ body: { id: userSchema, name: 'User' } })
  await ask('POST', '/Users', newUser('ana@example.org'))
  await ask('POST', '/Users', newUser('ana@example.org'))
  const { rows } = await admin.query(
    'select type, sum(total)::int as total from app.metric_hours where connection_id = $1 and type <> $2 group by 1 order by 1',
    [connectionId, 'latency'],
  )
  expect(rows).toEqual([{ type: 'errors', total: 1 }, { type: 'records', total: 1 }]) // prettier-ignore
  expect((await admin.query('select last_success_at is not null as was from app.connections where id = $1', [connectionId])).rows).toEqual([
    { was: true },
  ])
})

test('the token is shown once, to an administrator who signed in a moment ago, and ends when another is made', async ({
  api,
  organisation,
  person,
}) => {
  const org = await organisation()
  const boss = await person({ org, idpRoles: ['org-admin'] })
  const me = api.as(boss)
  const made = await me.post('/actions/connections', { connector: 'scim', name: 'Provider' })
  expect(made).toMatchObject({ status: 201, body: { state: 'connected' } })
  const { id } = made.body as { id: string }
  const at = `/data/connections/${id}`
  expect(await me.get(`${at}/scim`)).toMatchObject({ status: 200, body: { address: expect.stringContaining('/scim/v2'), hint: null } })
  expect(await me.post(`${at}/scim-token`, {})).toMatchObject({ status: 403, body: { reason: 'recent_sign_in' } })
  const newToken = async () => ((await me.post(`${at}/scim-token`, {}, boss.proof)).body as { token: string }).token
  const users = async (token: string) =>
    (await api.app.inject({ method: 'GET', url: '/scim/v2/Users', headers: { authorization: `Bearer ${token}` } })).statusCode
  const first = await newToken()
  expect(await users(first)).toBe(200)
  const shown = await me.get(`${at}/scim`)
  expect(shown).toMatchObject({ body: { hint: first.slice(-4), usedAt: expect.any(String) } })
  expect(shown.text).not.toContain(first)
  const second = await newToken()
  expect([await users(first), await users(second)]).toEqual([401, 200])
  for (const role of ['finance', 'communications', 'member'])
    expect((await api.as(await person({ org, grants: [{ role }] })).get(`${at}/scim`)).status).toBe(404)
})
