import type { ProcedureMeta } from '@guildhall/contract/base'
import { actionsContract, dataContract } from '@guildhall/contract'
import type { Me } from '@guildhall/contract/features/account'
import type { HistoryEntry } from '@guildhall/contract/features/people'
import { isContractProcedure } from '@orpc/contract'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { describe, expect } from 'vitest'
import type { Services } from '../../platform/services.ts'
import { test as base } from '../../testing.ts'
import type { Client, NewPerson, TestOrganisation, TestPerson, Variant } from '../../testing.ts'

type Operation = { id: string; method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'; url: string; meta: ProcedureMeta }

function operationsOf(part: unknown, prefix: string): Operation[] {
  if (isContractProcedure(part)) {
    const { route, meta } = part['~orpc']
    const url = `${prefix}${(route.path ?? '').replace(/\{\w+\}/g, () => randomUUID())}`
    return [{ id: route.operationId ?? '', method: route.method as Operation['method'], url, meta: meta as ProcedureMeta }]
  }
  return typeof part === 'object' && part !== null ? Object.values(part).flatMap((inner) => operationsOf(inner, prefix)) : []
}
const operations = [...operationsOf(dataContract, '/data'), ...operationsOf(actionsContract, '/actions')]

/** The same caller for somebody else. */
function actingFor(client: Client, personId: string): Client {
  const header = { 'acting-for': personId }
  const through =
    (call: Client['get']): Client['get'] =>
    (url, body, headers) =>
      call(url, body, { ...header, ...headers })
  const { get, post, patch, put, del } = client
  return { get: through(get), post: through(post), patch: through(patch), put: through(put), del: through(del), proof: client.proof }
}

type Tools = {
  admin: pg.Pool
  api: { as(person: TestPerson | null): Client; services: Services }
  organisation: () => Promise<TestOrganisation>
  person: (made?: NewPerson) => Promise<TestPerson>
  variant: (settings: Record<string, string>) => Promise<Variant>
}
const test = base.extend<{ tools: Tools }>({
  tools: async ({ admin, api, organisation, person, variant }, use) => use({ admin, api, organisation, person, variant }),
})

/** A guardian with a child, Lena Weber, who has an account of her own. */
async function family({ admin, api, organisation, person }: Tools, guardian: NewPerson = {}) {
  const org = await organisation()
  const parent = await person({ org, givenName: 'Gerda', familyName: 'Weber', ...guardian })
  const lena = await person({ org, givenName: 'Lena', familyName: 'Weber', email: 'lena@example.org' })
  const [personId, childId] = [parent.personId ?? '', lena.personId ?? '']
  await admin.query(
    `insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - 3650), ($1, $3, '1980-05-17')`,
    [org.id, childId, personId],
  )
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.relationships (org_id, type_id, from_person_id, to_person_id, state, starts_on)
      select $1, t.id, $2, $3, 'active', '2020-01-01' from app.relationship_types t where t.org_id = $1 and t.key = 'guardian' returning id`,
    [org.id, personId, childId],
  )
  const self = api.as(parent)
  const end = () => admin.query(`update app.relationships set state = 'ended', ends_on = current_date where id = $1`, [rows[0]?.id])
  return { org, parent, lena, personId, childId, self, acting: actingFor(self, childId), child: api.as(lena), end }
}

const match = (version: number) => ({ 'if-match': `"${version}"` })
const send = (client: Client, { method, url }: Operation) => {
  const { get, post, patch, put, del } = client
  const call = { GET: get, POST: post, PATCH: patch, PUT: put, DELETE: del }[method]
  return call(url, method === 'GET' ? undefined : {}, match(1))
}

describe('while somebody acts', () => {
  test('what is not named as open is refused, whoever they are', async ({ tools }) => {
    const { acting } = await family(tools, { idpRoles: ['org-owner'] })
    const closed = operations.filter(({ meta }) => meta.needs !== 'public' && !meta.whileActing)
    expect(closed.length).toBeGreaterThan(300)
    const otherwise: string[] = []
    for (const operation of closed) {
      const answer = await send(acting, operation)
      if (answer.status !== 403 || !answer.text.includes('"reason":"not_while_acting"'))
        otherwise.push(`${operation.id}: ${answer.status} ${answer.text}`)
    }
    expect(otherwise).toEqual([])
  })

  // The control of the line above, and what a reviewer looks at: all that can be changed in the name of somebody else.
  test('only this changes anything, and the account itself is read nowhere', () => {
    const open = operations.filter(({ meta }) => meta.whileActing)
    const named = (some: Operation[]) => some.map(({ id }) => id).sort()
    expect(named(open.filter(({ method, id }) => method !== 'GET' && !id.startsWith('print')))).toEqual(
      [
        ...['updateAccountLogin', 'addRecordingPart'],
        ...['updatePerson', 'updatePersonContact', 'updatePersonPrivate', 'setPublicName', 'setPicture', 'removePicture'],
        ...['addPersonEmail', 'updatePersonEmail', 'removePersonEmail', 'addPersonPhone', 'updatePersonPhone', 'removePersonPhone'],
        ...['chooseTopic', 'setMailPreferences'],
        ...['registerForEvent', 'priceRegistration', 'cancelRegistration', 'acceptOffer', 'answerRegistration', 'declineEventInvitation'],
        ...['payInvoice', 'checkPayment'],
      ].sort(),
    )
    expect(open.filter(({ meta }) => meta.recentSignIn)).toEqual([])
    expect(
      open.filter(({ url }) =>
        /\/(accounts|roles|grants|audit|mails|exports|bulk|imports|notifications|payment-methods|family)(\/|$)/.test(url),
      ),
    ).toEqual([])
  })

  test('what is open answers as to the child itself', async ({ tools }) => {
    const { acting, child, lena, childId } = await family(tools, { idpRoles: ['org-owner'] })
    const own = operations
      .filter(
        ({ id, meta, method }) =>
          meta.whileActing && method === 'GET' && /Person|Giving|MailChoices|PublicName|MemberCard|OfPerson|Memberships$/.test(id),
      )
      .map((operation) => ({ ...operation, url: operation.url.replace(/[0-9a-f-]{36}/, childId) }))
    expect(own.length).toBeGreaterThan(8)
    const reads = operations.filter(
      ({ meta, method, url }) => meta.whileActing && method === 'GET' && !/[0-9a-f]{12}/.test(url) && !url.endsWith('/me/changes'),
    )
    expect(reads.length).toBeGreaterThan(25)
    // How the child signs in stands in its own history, and in no answer to somebody else.
    const told = ({ text }: { text: string }) => {
      const body: unknown = JSON.parse(text)
      return JSON.stringify(body, (key, value: unknown) =>
        key === 'asOf' || key === 'at'
          ? null
          : Array.isArray(value)
            ? value.filter((entry) => (entry as { entity?: string } | null)?.entity !== 'accounts')
            : value,
      )
    }
    const differing: string[] = []
    for (const { id, url } of [...reads, ...own]) {
      const [theirs, mine] = [await child.get(url), await acting.get(url)]
      if (theirs.status !== mine.status || (theirs.status === 200 && id !== 'getMe' && told(theirs) !== told(mine)))
        differing.push(`${id} ${theirs.status} ${mine.status}`)
      if (mine.text.includes(lena.accountId) || mine.text.includes(lena.subject)) differing.push(`${id} tells of the account`)
      if (id === 'listPersonHistory') expect(theirs.text).toContain(lena.subject)
    }
    expect(differing).toEqual([])
  })

  test('they are the child to the app, with their own account and no other', async ({ tools }) => {
    const { acting, self, childId, personId, parent, lena } = await family(tools, { idpRoles: ['org-owner'], email: 'gerda@example.org' })
    const me = (await acting.get('/data/me')).body as Me
    expect(me).toMatchObject({
      account: { id: parent.accountId, email: 'gerda@example.org' },
      person: { id: childId, displayName: 'Lena Weber' },
    })
    expect(me.permissions.map(({ permission }) => permission).sort()).toEqual([
      'events.read',
      'fundraising.read',
      'groups.read',
      'people.directory',
    ])
    expect(JSON.stringify(me)).not.toContain(lena.accountId)
    expect((await self.get('/data/me')).body).toMatchObject({ person: { id: personId } })
  })

  test('an owner is none: they see and change of others what the child does', async ({ tools }) => {
    const { acting, self, personId, org } = await family(tools, { idpRoles: ['org-owner'] })
    const other = await tools.person({ org, email: 'other@example.org' })
    const secret = `/data/people/${other.personId}`
    expect((await self.get(secret)).body).toMatchObject({ emails: [{ address: 'other@example.org' }] })
    const seen = (await acting.get(secret)).body as { emails: unknown[]; version: number }
    expect(seen.emails).toEqual([])
    expect((await acting.patch(secret, { preferredName: 'X' }, match(seen.version))).status).toBe(403)
    expect((await self.patch(secret, { preferredName: 'X' }, match(seen.version))).status).toBe(200)
    // Nor are they themselves.
    const own = (await acting.get(`/data/people/${personId}`)).body as { version: number }
    expect((await acting.patch(`/data/people/${personId}`, { preferredName: 'X' }, match(own.version))).status).toBe(403)
  })
})

describe('who may not', () => {
  test('is told so everywhere, before anything else happens', async ({ tools }) => {
    const { self, org, personId, end, acting } = await family(tools)
    const stranger = await tools.person({ org })
    const elsewhere = await tools.person({ org: await tools.organisation() })
    const refused = { status: 403, body: { reason: 'acting_not_allowed' } }
    for (const id of [stranger.personId, elsewhere.personId, personId, randomUUID()]) {
      const client = actingFor(self, id ?? '')
      expect(await client.get('/data/me')).toMatchObject(refused)
      expect(await client.get('/data/me/changes')).toMatchObject(refused)
      expect(await client.get('/data/people/not-an-id')).toMatchObject(refused)
      expect(await client.post(`/data/people/${id}/phones`, { number: '+4930123456', kind: 'mobile' })).toMatchObject(refused)
    }
    expect((await acting.get('/data/me')).status).toBe(200)
    await end()
    expect(await acting.get('/data/me')).toMatchObject(refused)
    expect((await self.get('/data/me')).status).toBe(200)
  })

  test('be told apart from a header that names nobody', async ({ tools }) => {
    const { self, childId } = await family(tools)
    for (const value of [
      '',
      'Lena',
      `${childId}, ${childId}`,
      `{${childId}}`,
      childId.replaceAll('-', ''),
      `${childId}0`,
      '0',
      'null',
      `${childId}|x`,
    ])
      expect(await actingFor(self, value).get('/data/me'), value).toMatchObject({ status: 400, body: { reason: 'acting_for' } })
    expect((await actingFor(self, childId.toUpperCase()).get('/data/me')).status).toBe(200)
    expect((await actingFor(tools.api.as(null), childId).get('/data/me')).status).toBe(401)
    expect((await actingFor(tools.api.as(null), 'nobody').get('/data/site/chapters')).status).not.toBe(400)
  })

  test('a guardian whose account was suspended does not act either', async ({ tools }) => {
    const { acting, parent } = await family(tools)
    await tools.admin.query(`update app.accounts set status = 'suspended' where id = $1`, [parent.accountId])
    tools.api.as(parent)
    await new Promise((resolve) => setTimeout(resolve, 3_200))
    expect(await acting.get('/data/me')).toMatchObject({ status: 403, body: { reason: 'suspended' } })
  })
})

describe('what a guardian does', () => {
  async function published(boss: Client, more: Record<string, unknown> = {}) {
    const facts = {
      title: 'Summer camp',
      startsAt: '2090-07-01T16:00:00Z',
      venueName: 'Park',
      visibility: 'members',
      timezone: 'Europe/Lisbon',
    }
    const event = (await boss.post('/data/events', { ...facts, ...more })).body as { id: string; version: number }
    return (await boss.post(`/data/events/${event.id}/publish`, {}, match(event.version))).body as { id: string; version: number }
  }
  type Mine = { items: { id: string; status: string }[] }

  test('registers the child for an event and cancels it, and is registered themselves by neither', async ({ tools }) => {
    const { acting, self, child, org, childId, personId } = await family(tools)
    const boss = tools.api.as(await tools.person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss)
    const made = await acting.post(`/data/events/${event.id}/registrations`, {})
    expect(made).toMatchObject({ status: 201, body: { status: 'confirmed', person: { id: childId } } })
    const mine = async (client: Client) =>
      ((await client.get('/data/registrations')).body as Mine).items.map(({ id, status }) => `${id} ${status}`)
    const { id } = made.body as { id: string }
    expect(await mine(acting)).toEqual([`${id} confirmed`])
    expect(await mine(child)).toEqual([`${id} confirmed`])
    expect(await mine(self)).toEqual([])
    expect((await self.get(`/data/registrations/${id}`)).status).toBe(404)
    expect((await self.get(`/data/events/${event.id}`)).body).toMatchObject({ taken: 1, mine: null })
    // In the name of the child they register the child, not themselves.
    expect(await acting.post(`/data/events/${event.id}/registrations`, { personId })).toMatchObject({ status: 403 })
    expect(await acting.post(`/data/registrations/${id}/cancel`, {})).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect((await acting.get(`/data/registrations/${id}`)).body).toMatchObject({ status: 'cancelled' })
    expect((await self.get(`/data/registrations/${id}`)).status).toBe(404)
  })

  test('answers an invitation of the child', async ({ tools }) => {
    const { acting, self, org, childId } = await family(tools)
    const boss = tools.api.as(await tools.person({ org, idpRoles: ['org-admin'] }))
    const event = await published(boss, { visibility: 'invite' })
    await tools.admin.query(`insert into app.event_invitations (org_id, event_id, person_id) values ($1, $2, $3)`, [
      org.id,
      event.id,
      childId,
    ])
    expect((await self.get(`/data/events/${event.id}`)).status).toBe(404)
    expect((await acting.get(`/data/events/${event.id}`)).status).toBe(200)
    expect((await acting.post(`/data/events/${event.id}/invitation/decline`, {})).status).toBe(200)
    const { rows } = await tools.admin.query(`select answer from app.event_invitations where event_id = $1`, [event.id])
    expect(rows).toEqual([{ answer: 'declined' }])
  })

  test('changes the child’s telephone number; history and audit log say who, and for whom', async ({ tools }) => {
    const { acting, child, self, childId, parent, personId, org } = await family(tools)
    expect(await self.post(`/data/people/${childId}/phones`, { number: '+4930123456' })).toMatchObject({ status: 403 })
    expect(await acting.post(`/data/people/${childId}/phones`, { number: '+4930123456' })).toMatchObject({ status: 201 })
    const said = { actor: { accountId: parent.accountId, personId, name: 'Gerda Weber' }, actingFor: 'Lena Weber' }
    const history = async (client: Client) =>
      ((await client.get(`/data/people/${childId}/history`)).body as { items: HistoryEntry[] }).items.filter(
        ({ entity }) => entity === 'person_phones',
      )
    expect(await history(child)).toMatchObject([said])
    expect(await history(acting)).toMatchObject([said])
    const owner = tools.api.as(await tools.person({ org, idpRoles: ['org-owner'] }))
    expect(await owner.get('/data/audit?entity=person_phones')).toMatchObject({ body: { items: [said] } })
    expect(await owner.get('/data/audit/verification')).toMatchObject({ body: { firstBroken: null } })
    // What the child does itself is nobody's for it.
    await child.post(`/data/people/${childId}/phones`, { number: '+4930123457' })
    expect((await history(child))[0]).toMatchObject({ actor: { personId: childId }, actingFor: null })
  })

  test('sets consents of the child and leaves its age alone', async ({ tools }) => {
    const { acting, child, self, childId, org } = await family(tools)
    const boss = tools.api.as(await tools.person({ org, idpRoles: ['org-admin'] }))
    const topic = (await boss.post('/data/communication/topics', { name: 'Camps' })).body as { id: string }
    const choice = `/data/people/${childId}/topics/${topic.id}`
    expect((await self.put(choice, { subscribed: true })).status).not.toBe(200)
    expect((await acting.put(choice, { subscribed: true })).status).toBe(200)
    expect((await child.get(`/data/people/${childId}/mail-choices`)).text).toContain('subscribed')
    const stored = (await acting.get(`/data/people/${childId}`)).body as { version: number; private: { birthDate: string } }
    const older = await acting.patch(`/data/people/${childId}/private`, { birthDate: '2020-01-01' }, match(stored.version))
    expect(older).toMatchObject({ status: 403, body: { reason: 'person_own_majority' } })
  })
})

describe('two identities of one account', () => {
  test('share no answer kept for a key', async ({ tools }) => {
    const { acting, self, childId, personId } = await family(tools)
    const key = { 'idempotency-key': randomUUID() }
    const add = (client: Client, person: string) => client.post(`/data/people/${person}/phones`, { number: '+4930123456' }, key)
    expect((await add(acting, childId)).status).toBe(201)
    expect((await add(acting, childId)).status).toBe(201)
    expect(await add(self, childId)).toMatchObject({ status: 422, body: { reason: 'key_reused' } })
    expect(await add(self, personId)).toMatchObject({ status: 422, body: { reason: 'key_reused' } })
    const list = await tools.admin.query(`select person_id as id from app.person_phones where person_id in ($1, $2)`, [childId, personId])
    expect(list.rows).toEqual([{ id: childId }])
  })

  test('read people out of one account', async ({ tools }) => {
    const { parent, childId, org } = await family(tools)
    for (let n = 0; n < 5; n++) await tools.person({ org })
    const narrow = await tools.variant({ PEOPLE_PER_HOUR: '12,400,40' })
    const self = narrow.as(parent.token)
    const acting = actingFor(self, childId)
    let read = 0
    for (let turn = 0; turn < 10; turn++) {
      const answer = await (turn % 2 === 0 ? acting : self).get('/data/people?limit=3')
      if (answer.status === 429) break
      read += (answer.body as { items: unknown[] }).items.length
    }
    expect(read).toBeLessThanOrEqual(15)
    await narrow.services.reading.close()
    const { rows } = await tools.admin.query<{ uses: number }>(
      `select uses from app.use_counts where operation = 'readPeople' and who = $1`,
      [parent.accountId],
    )
    expect(rows[0]?.uses).toBe(read)
    expect((await acting.get('/data/people?limit=3')).status).toBe(429)
    expect((await self.get('/data/people?limit=3')).status).toBe(429)
  })
})

test('a stream of changes says when somebody may act no longer, and tells no news of the account', async ({ tools }) => {
  const { parent, childId, end } = await family(tools)
  const { changes, identities } = tools.api.services
  const caller = await identities.identify(`Bearer ${parent.token}`)
  if (!caller) throw new Error('nobody')
  const leaving = new AbortController()
  const stream = await changes.follow(caller, leaving.signal, { actingFor: childId })
  expect((await stream.next()).value).toEqual({ type: 'ready' })
  await tools.admin.query(
    `insert into app.notifications (org_id, account_id, kind, in_inbox, mail) values ($1, $2, 'transfer-request', true, 'off')`,
    [parent.orgId, parent.accountId],
  )
  await end()
  const told: unknown[] = []
  for await (const change of stream) told.push(change)
  leaving.abort()
  expect(told.filter((change) => JSON.stringify(change) !== '{"type":"alive"}')).toEqual([{ type: 'rights' }])
})
