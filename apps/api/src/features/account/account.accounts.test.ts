import { describe, expect } from 'vitest'
import { test } from '../../testing.ts'

const nobody = '01920000-0000-7000-8000-000000000000'
const match = (version: number) => ({ 'if-match': `"${version}"` })
type Made = { id: string; version: number }
const names = (answer: { body: unknown }) => (answer.body as { items: { name: string }[] }).items.map(({ name }) => name)
const filtered = (field: string, value: unknown) =>
  `filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field, op: 'is', value }] }] }))}`

describe('accounts', () => {
  test('are listed for administrators with the roles they hold today', async ({ api, organisation, chapter, person }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const boss = await person({ org, idpRoles: ['org-admin'], givenName: 'Ana', email: 'ana@example.org' })
    await person({ org, givenName: 'Ben', grants: [{ role: 'finance' }, { role: 'chapter-admin', chapterId: west, endsOn: '2020-12-31' }] })
    await person({ org, givenName: 'Cleo', status: 'pending_link', chapterId: null })
    const me = api.as(boss)
    expect(await me.get('/data/accounts')).toMatchObject({
      status: 200,
      body: {
        total: 3,
        items: [
          { name: 'Ana', email: 'ana@example.org', providerRoles: ['org-admin'], roles: ['Administrator'], person: { id: boss.personId } },
          { name: 'Ben', roles: ['Finance'] },
          { name: 'Cleo', status: 'pending_link', person: null },
        ],
      },
    })
    expect(names(await me.get('/data/accounts?q=ANA@'))).toEqual(['Ana'])
    expect(names(await me.get(`/data/accounts?${filtered('status', 'pending_link')}`))).toEqual(['Cleo'])
    expect(names(await me.get(`/data/accounts?${filtered('linked', false)}`))).toEqual(['Cleo'])
    const { body } = await me.get('/data/roles')
    const finance = (body as { items: { id: string; key: string }[] }).items.find(({ key }) => key === 'finance')
    expect(names(await me.get(`/data/accounts?${filtered('role', finance?.id)}`))).toEqual(['Ben'])
    expect(names(await me.get('/data/accounts?sort=-name&limit=1'))).toEqual(['Cleo'])
  })

  test.for(['chapter-admin', 'finance', 'communications', 'event-manager', 'member'])(
    'are nobody’s business but one’s own for %s',
    async (role, { api, organisation, person }) => {
      const org = await organisation()
      const other = await person({ org })
      const someone = await person({ org, grants: [{ role }] })
      const me = api.as(someone)
      expect(await me.get('/data/accounts')).toMatchObject({ body: { items: [], total: 0 } })
      expect(await me.get(`/data/accounts/${other.accountId}`)).toMatchObject({ status: 404 })
      expect(await me.get(`/data/accounts/${someone.accountId}`)).toMatchObject({
        status: 200,
        body: { may: { suspend: false, link: false, grant: false } },
      })
      expect(await me.post(`/data/accounts/${other.accountId}/suspend`, {}, match(1))).toMatchObject({ status: 404 })
      expect(await me.post(`/data/accounts/${someone.accountId}/suspend`, {}, match(1))).toMatchObject({ status: 403 })
      expect(await me.post('/data/accounts', { email: 'new@example.org' })).toMatchObject({ status: 403 })
    },
  )

  test('of another organisation do not exist', async ({ api, organisation, person }) => {
    const theirs = await person({ org: await organisation() })
    const me = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
    expect(await me.get(`/data/accounts/${theirs.accountId}`)).toMatchObject({ status: 404 })
    expect(await me.post(`/data/accounts/${theirs.accountId}/suspend`, {}, match(1))).toMatchObject({ status: 404 })
    expect(await api.as(null).get('/data/accounts')).toMatchObject({ status: 401 })
  })

  test('are suspended and let in again, but nobody suspends themselves', async ({ api, organisation, person }) => {
    const org = await organisation()
    const boss = await person({ org, idpRoles: ['org-admin'] })
    const someone = await person({ org })
    const me = api.as(boss)
    const url = `/data/accounts/${someone.accountId}`
    expect(await me.post(`${url}/suspend`, {})).toMatchObject({ status: 428 })
    expect(await me.post(`${url}/suspend`, {}, match(1))).toMatchObject({ status: 200, body: { status: 'suspended', version: 2 } })
    expect(await me.post(`${url}/suspend`, {}, match(2))).toMatchObject({ status: 409, body: { reason: 'already_suspended' } })
    expect(await api.as(someone).get('/data/me')).toMatchObject({ status: 403, body: { reason: 'suspended' } })
    expect(await me.post(`${url}/activate`, {}, match(1))).toMatchObject({ status: 412 })
    expect(await me.post(`${url}/activate`, {}, match(2))).toMatchObject({ status: 200, body: { status: 'active' } })
    expect(await me.post(`/data/accounts/${boss.accountId}/suspend`, {}, match(1))).toMatchObject({
      status: 403,
      body: { detail: 'Nobody suspends themselves.' },
    })
  })

  test('are linked to one person each; linking lets a waiting account in', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const taken = await person({ org })
    const waiting = await person({ org, status: 'pending_link', chapterId: null })
    const url = `/data/accounts/${waiting.accountId}/person`
    expect(await me.put(url, { personId: taken.personId }, match(1))).toMatchObject({ status: 409, body: { reason: 'person_linked' } })
    expect(await me.put(url, { personId: nobody }, match(1))).toMatchObject({ status: 422, body: { reason: 'person_not_found' } })
    expect(await me.del(`/data/accounts/${taken.accountId}/person`, undefined, match(1))).toMatchObject({
      status: 200,
      body: { person: null },
    })
    expect(await me.put(url, { personId: taken.personId }, match(1))).toMatchObject({
      status: 200,
      body: { status: 'active', person: { id: taken.personId } },
    })
    expect(await me.del(`/data/accounts/${taken.accountId}/person`, undefined, match(2))).toMatchObject({
      status: 409,
      body: { reason: 'not_linked' },
    })
  })

  test('are opened by an invitation, which is mailed', async ({ api, admin, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'], email: 'boss@example.org' }))
    const invited = await me.post('/data/accounts', { email: 'new@example.org', name: 'New' })
    expect(invited).toMatchObject({ status: 201, body: { status: 'invited', email: 'new@example.org', lastLoginAt: null } })
    expect(await me.post('/data/accounts', { email: 'NEW@example.org' })).toMatchObject({ status: 409, body: { reason: 'account_exists' } })
    expect(await me.post('/data/accounts', { email: 'not an address' })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'email' }] },
    })
    const { rows } = await admin.query(`select template, account_id, state from app.mail_messages where org_id = $1`, [org.id])
    expect(rows).toEqual([{ template: 'invitation', account_id: (invited.body as Made).id, state: 'queued' }])
  })
})

describe('the organisation', () => {
  test('is shown to everybody in it and changed by administrators', async ({ api, organisation, person }) => {
    const org = await organisation()
    const me = api.as(await person({ org, idpRoles: ['org-admin'] }))
    const member = api.as(await person({ org }))
    expect(await member.get('/data/organisation')).toMatchObject({ status: 200, body: { id: org.id, timezone: 'UTC', mayEdit: false } })
    const { version } = (await me.get('/data/organisation')).body as Made
    expect(
      await me.patch(
        '/data/organisation',
        { name: 'Society', timezone: 'Europe/Paris', contactEmail: 'office@example.org' },
        match(version),
      ),
    ).toMatchObject({
      status: 200,
      body: { name: 'Society', timezone: 'Europe/Paris', contactEmail: 'office@example.org', mayEdit: true },
    })
    expect(await me.patch('/data/organisation', { name: 'Club' }, match(version))).toMatchObject({
      status: 412,
      body: { current: { name: 'Society' } },
    })
    expect(await me.patch('/data/organisation', { timezone: 'Mars/Base' }, match(version + 1))).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'timezone' }] },
    })
    expect(await me.patch('/data/organisation', { currency: 'euro' }, match(version + 1))).toMatchObject({ status: 422 })
    expect(await member.patch('/data/organisation', { name: 'Mine' }, match(version + 1))).toMatchObject({ status: 403 })
  })
})
