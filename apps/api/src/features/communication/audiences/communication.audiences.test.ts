import type { AudienceDefinition, AudiencePart } from '@guildhall/contract/features/communication.audiences'
import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import { expect } from 'vitest'
import { test } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const made = ({ body }: { body: unknown }) => body as { id: string; version: number }
const url = '/data/audiences'
const everybody: AudiencePart = { kind: 'people' }
const of = (...include: AudiencePart[]) => ({ include, exclude: [] as AudiencePart[] })
type Scope = { chapterId?: string; groupId?: string }
const count = async (client: Client, definition: AudienceDefinition, scope: Scope = {}) => {
  const { status, body } = await client.post(`${url}/count`, { definition, scope })
  return status === 200 ? (body as { total: number }).total : { status, body: body as { reason?: string; errors?: { path: string }[] } }
}

async function groupOf(admin: pg.Pool, org: TestOrganisation, people: (string | null)[], facts: Record<string, string | null> = {}) {
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.groups (org_id, name, visibility, chapter_id) values ($1, $2, $3, $4) returning id`,
    [org.id, `Group ${randomUUID().slice(0, 8)}`, facts['visibility'] ?? 'members', facts['chapterId'] ?? null],
  )
  const id = rows[0]?.id ?? ''
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id, starts_on) select $1, $2, x, '2020-01-01' from unnest($3::uuid[]) x`,
    [org.id, id, people],
  )
  return id
}

test('an audience is saved, found, changed, archived and restored', async ({ api, organisation, person }) => {
  const me = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const { id } = made(await me.post(url, { name: 'Friends of Énergie', definition: of({ kind: 'people', q: 'smith' }) }))
  expect(await me.get(`${url}?q=energ`)).toMatchObject({ body: { items: [{ id, name: 'Friends of Énergie', chapter: null }], total: 1 } })
  const changed = await me.patch(`${url}/${id}`, { definition: of(everybody) }, match(1))
  expect(changed).toMatchObject({ status: 200, body: { version: 2, definition: { include: [{ kind: 'people' }], exclude: [] } } })
  expect(await me.patch(`${url}/${id}`, { name: 'Late' }, match(1))).toMatchObject({ status: 412, body: { current: { version: 2 } } })
  await me.post(`${url}/${id}/archive`, {}, match(2))
  expect(await me.get(url)).toMatchObject({ body: { items: [] } })
  expect(await me.get(`${url}?archived=true`)).toMatchObject({ body: { items: [{ id }] } })
  expect(await count(me, of({ kind: 'audience', id }))).toMatchObject({ status: 422, body: { reason: 'audience_archived' } })
  expect(await me.post(`${url}/${id}/restore`, {}, match(3))).toMatchObject({ body: { archivedAt: null, version: 4 } })
})

test('a chapter’s sender reaches the chapter and those below it, and nobody else', async ({ api, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const below = await chapter(org, 'Below', west)
  const east = await chapter(org, 'East')
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  await person({ org, chapterId: below })
  const stranger = await person({ org, chapterId: east })
  expect(await count(officer, of(everybody), { chapterId: west })).toBe(2)
  expect(await count(officer, of(everybody), { chapterId: below })).toBe(1)
  // They see the directory of the whole organisation, but do not write to it.
  expect(await count(officer, of({ kind: 'persons', ids: [stranger.personId ?? ''] }), { chapterId: west })).toBe(0)
  expect(await count(officer, of({ kind: 'chapter', id: east, below: true }), { chapterId: west })).toBe(0)
  expect(await count(officer, of(everybody), { chapterId: east })).toMatchObject({ status: 403 })
  expect(await count(officer, of(everybody))).toMatchObject({ status: 403 })
  expect(await officer.post(url, { name: 'All', definition: of(everybody) })).toMatchObject({ status: 403 })
  expect(await officer.post(url, { name: 'East', chapterId: east, definition: of(everybody) })).toMatchObject({ status: 403 })
  expect(await officer.post(url, { name: 'West', chapterId: west, definition: of(everybody) })).toMatchObject({ status: 201 })
  const admin = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  expect(await count(admin, of(everybody))).toBe(3)
  expect(await count(admin, of(everybody), { chapterId: east })).toBe(1)
})

test('a group’s leader reaches its members only', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const lead = await person({ org })
  const members = [await person({ org }), await person({ org })]
  const outsider = await person({ org })
  const group = await groupOf(admin, org, [lead.personId, ...members.map(({ personId }) => personId)])
  const other = await groupOf(admin, org, [outsider.personId])
  await admin.query(`update app.group_members set role = 'leader' where group_id = $1 and person_id = $2`, [group, lead.personId])
  const me = api.as(lead)
  expect(await count(me, of(everybody), { groupId: group })).toBe(3)
  expect(await count(me, of({ kind: 'persons', ids: [outsider.personId ?? ''] }), { groupId: group })).toBe(0)
  expect(await count(me, of({ kind: 'group', id: other }), { groupId: group })).toBe(0)
  expect(await count(me, of(everybody), { groupId: other })).toMatchObject({ status: 403 })
  expect(await count(me, of(everybody), { chapterId: org.rootChapterId })).toMatchObject({ status: 403 })
  expect(await count(api.as(outsider), of(everybody), { groupId: group })).toMatchObject({ status: 403 })
})

test('people whom somebody does not see are not counted, minors among them', async ({ api, admin, organisation, chapter, person }) => {
  const org = await organisation({ directoryReach: 'chapter' })
  const west = await chapter(org, 'West')
  const lead = await person({ org, chapterId: west })
  const elsewhere = await person({ org, chapterId: await chapter(org, 'East') })
  const minor = await person({ org, chapterId: west })
  await admin.query(`insert into app.person_private (org_id, person_id, birth_date) values ($1, $2, current_date - interval '12 years')`, [
    org.id,
    minor.personId,
  ])
  const group = await groupOf(admin, org, [lead.personId, elsewhere.personId, minor.personId])
  await admin.query(`update app.group_members set role = 'leader' where group_id = $1 and person_id = $2`, [group, lead.personId])
  expect(await count(api.as(lead), of(everybody), { groupId: group })).toBe(1)
  expect(await count(api.as(lead), of({ kind: 'group', id: group }), { groupId: group })).toBe(1)
  const owner = api.as(await person({ org, chapterId: null, idpRoles: ['org-owner'] }))
  expect(await count(owner, of(everybody), { groupId: group })).toBe(3)
})

test('whoever is excluded is out, whatever includes them', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const [ann, bob, cy] = [await person({ org }), await person({ org }), await person({ org })]
  const group = await groupOf(admin, org, [ann.personId, bob.personId])
  const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  const ids = [ann, bob, cy].map(({ personId }) => personId ?? '')
  const definition = {
    include: [everybody, { kind: 'persons' as const, ids }, { kind: 'group' as const, id: group }],
    exclude: [{ kind: 'group' as const, id: group }],
  }
  expect(await count(me, definition)).toBe(1)
  expect(await count(me, { include: [everybody], exclude: [everybody] })).toBe(0)
  expect(await count(me, of())).toBe(0)
})

test('event attendees are chosen by the status of their registration, by those who see it', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation()
  const [came, waits] = [await person({ org }), await person({ org })]
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.events (org_id, title, starts_at, ends_at, timezone, status, published_at) values ($1, 'Ball', now() + interval '1 day', now() + interval '25 hours', 'UTC', 'published', now()) returning id`,
    [org.id],
  )
  const id = rows[0]?.id ?? ''
  for (const [personId, status] of [
    [came.personId, 'confirmed'],
    [waits.personId, 'pending_approval'],
  ] as const)
    await admin.query(
      `insert into app.registrations (org_id, event_id, person_id, name, status, cause, price_amount, price_currency) values ($1, $2, $3, 'X', $4, 'registered', 0, 'EUR')`,
      [org.id, id, personId, status],
    )
  const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  expect(await count(me, of({ kind: 'event', id, statuses: ['confirmed', 'checked_in'] }))).toBe(1)
  expect(await count(me, of({ kind: 'event', id, statuses: ['confirmed', 'pending_approval'] }))).toBe(2)
  const writer = api.as(await person({ org, chapterId: null, grants: [{ role: 'communications' }] }))
  expect(await count(writer, of({ kind: 'event', id, statuses: ['confirmed'] }))).toMatchObject({
    status: 422,
    body: { reason: 'audience_part_hidden' },
  })
})

test('parts that name what is hidden or gone are refused at their place', async ({ api, admin, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const officer = api.as(await person({ org, chapterId: west, grants: [{ role: 'chapter-admin', chapterId: west }] }))
  const other = await person({ org: await organisation() })
  const secret = await groupOf(admin, org, [], { visibility: 'secret' })
  const nowhere = randomUUID()
  const scope = { chapterId: west }
  const hidden = (path: string) => ({ status: 422, body: { reason: 'audience_part_hidden', errors: [{ path }] } })
  for (const id of [secret, nowhere]) {
    expect(await count(officer, { include: [everybody], exclude: [{ kind: 'group', id }] }, scope)).toMatchObject(
      hidden('definition.exclude.0'),
    )
    const inFilter = { and: [{ or: [{ field: 'group', op: 'isNot' as const, value: id }] }] }
    expect(await count(officer, of(everybody, { kind: 'people', filter: inFilter }), scope)).toMatchObject(hidden('definition.include.1'))
  }
  expect(await count(officer, of({ kind: 'audience', id: nowhere }), scope)).toMatchObject(hidden('definition.include.0'))
  expect(await count(officer, of({ kind: 'chapter', id: nowhere, below: true }), scope)).toMatchObject(hidden('definition.include.0'))
  const unknown = { and: [{ or: [{ field: 'fields.shoe_size', op: 'is' as const, value: 'x' }] }] }
  expect(await count(officer, of({ kind: 'people', filter: unknown }), scope)).toMatchObject({
    status: 400,
    body: { reason: 'filter_field' },
  })
  const saved = { name: 'X', chapterId: west, definition: of({ kind: 'persons', ids: [other.personId ?? ''] }) }
  expect(await officer.post(url, saved)).toMatchObject({
    status: 422,
    body: { reason: 'audience_people_hidden', errors: [{ path: 'definition.include.0' }] },
  })
  expect(await count(officer, saved.definition, scope)).toBe(0)
})

test('saved audiences within others stay within their own scope, and never contain themselves', async ({
  api,
  organisation,
  chapter,
  person,
}) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  await person({ org, chapterId: west })
  await person({ org })
  const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  const westerners = made(await me.post(url, { name: 'West', chapterId: west, definition: of(everybody) }))
  expect(await count(me, of({ kind: 'audience', id: westerners.id }))).toBe(1)
  expect(await count(me, { include: [everybody], exclude: [{ kind: 'audience', id: westerners.id }] })).toBe(1)
  const outer = made(await me.post(url, { name: 'Outer', definition: of({ kind: 'audience', id: westerners.id }) }))
  const circle = await me.patch(`${url}/${westerners.id}`, { definition: of({ kind: 'audience', id: outer.id }) }, match(1))
  expect(circle).toMatchObject({ status: 422, body: { reason: 'audience_cycle' } })
  const itself = await me.patch(
    `${url}/${outer.id}`,
    { definition: { include: [everybody], exclude: [{ kind: 'audience', id: outer.id }] } },
    match(1),
  )
  expect(itself).toMatchObject({ status: 422, body: { reason: 'audience_cycle' } })
  // An audience that was used before it was archived keeps its place.
  await me.post(`${url}/${westerners.id}/archive`, {}, match(1))
  expect(await count(me, of({ kind: 'audience', id: outer.id }))).toBe(1)
  expect(await me.post(url, { name: 'New', definition: of({ kind: 'audience', id: westerners.id }) })).toMatchObject({
    status: 422,
    body: { reason: 'audience_archived' },
  })
  let { id } = outer
  for (let depth = 3; depth <= 5; depth += 1)
    ({ id } = made(await me.post(url, { name: `Depth ${depth}`, definition: of({ kind: 'audience', id }) })))
  expect(await count(me, of({ kind: 'audience', id }))).toBe(1)
  ;({ id } = made(await me.post(url, { name: 'Depth 6', definition: of({ kind: 'audience', id }) })))
  expect(await count(me, of({ kind: 'audience', id }))).toMatchObject({ status: 422, body: { reason: 'audience_too_deep' } })
})

test('a definition names at most a thousand people a part, and twenty parts a side', async ({ api, organisation, person }) => {
  const org = await organisation()
  const people = [await person({ org }), await person({ org })]
  const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  const ids = [...people.map(({ personId }) => personId ?? ''), ...Array.from({ length: 998 }, () => randomUUID())]
  expect(await count(me, of({ kind: 'persons', ids }))).toBe(2)
  expect(await count(me, of({ kind: 'persons', ids: [...ids, randomUUID()] }))).toMatchObject({ status: 422 })
  expect(await count(me, of(...Array.from({ length: 21 }, () => everybody)))).toMatchObject({ status: 422 })
  const many = Array.from({ length: 6 }, () => ({ kind: 'persons' as const, ids }))
  expect(await count(me, of(...many))).toMatchObject({ status: 422, body: { errors: [{ code: 'audience_people_many' }] } })
  expect(
    await me.post(`${url}/count`, { definition: of(everybody), scope: { chapterId: org.rootChapterId, groupId: randomUUID() } }),
  ).toMatchObject({ status: 422 })
})

test('of an audience it is told whom a mail reaches and what keeps it from the others', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const [ann, bob, cy, dee] = [
    await person({ org, givenName: 'Ann', familyName: 'A', email: 'ann@example.org' }),
    await person({ org, givenName: 'Bob', familyName: 'B' }),
    await person({ org, givenName: 'Cy', familyName: 'C', email: 'cy@example.org' }),
    await person({ org, givenName: 'Dee', familyName: 'D', email: 'dee@example.org' }),
  ]
  const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  await admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [cy.personId])
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.topics (org_id, name, kind, default_opt) values ($1, 'News', 'marketing', 'in') returning id`,
    [org.id],
  )
  const topicId = rows[0]?.id ?? ''
  await admin.query(
    `insert into app.consents (org_id, person_id, topic_id, state, at, source) values ($1, $2, $3, 'unsubscribed', now(), 'link')`,
    [org.id, dee.personId, topicId],
  )
  const asked = { definition: of(everybody), scope: {} }
  expect(await me.post(`${url}/count`, asked)).toMatchObject({
    body: {
      total: 4,
      reachable: 2,
      refused: [
        { reason: 'deceased', people: 1 },
        { reason: 'no_address', people: 1 },
      ],
    },
  })
  expect(await me.post(`${url}/count`, { ...asked, topicId })).toMatchObject({
    body: {
      total: 4,
      reachable: 1,
      refused: [
        { reason: 'deceased', people: 1 },
        { reason: 'no_address', people: 1 },
        { reason: 'unsubscribed', people: 1 },
      ],
    },
  })
  expect(await me.post(`${url}/count`, { ...asked, topicId: randomUUID() })).toMatchObject({
    status: 422,
    body: { reason: 'audience_topic' },
  })
  const named = async (more: object) => {
    const { body } = await me.post(`${url}/people`, { ...asked, topicId, ...more })
    return (body as { items: { person: { displayName: string }; refusal: string | null }[] }).items.map((item) => [
      item.person.displayName,
      item.refusal,
    ])
  }
  expect(await named({})).toEqual([
    ['Ann A', null],
    ['Bob B', 'no_address'],
    ['Cy C', 'deceased'],
    ['Dee D', 'unsubscribed'],
  ])
  expect(await named({ show: 'reachable' })).toEqual([['Ann A', null]])
  expect(await named({ show: 'unsubscribed' })).toEqual([['Dee D', 'unsubscribed']])
  const first = await me.post(`${url}/people`, { ...asked, limit: 3 })
  const { nextCursor } = first.body as { nextCursor: string }
  expect(await me.post(`${url}/people`, { ...asked, limit: 3, cursor: nextCursor })).toMatchObject({
    body: { items: [{ person: { displayName: 'Dee D' }, email: 'dee@example.org' }], nextCursor: null },
  })
  expect(await me.post(`${url}/people`, { ...asked, definition: of(), cursor: nextCursor })).toMatchObject({ status: 400 })
  // Somebody who sees no addresses counts the same people and reads no address.
  const lead = await person({ org, givenName: 'Lea', familyName: 'L' })
  const group = await groupOf(admin, org, [lead.personId, ann.personId, bob.personId])
  await admin.query(`update app.group_members set role = 'leader' where group_id = $1 and person_id = $2`, [group, lead.personId])
  await admin.query(`update app.roles set custom = true where org_id = $1 and key = 'group-leader'`, [org.id])
  await admin.query(`delete from app.role_permissions where org_id = $1 and permission = 'people.contact'`, [org.id])
  const page = await api.as(lead).post(`${url}/people`, { definition: of(everybody), scope: { groupId: group } })
  expect(page).toMatchObject({ body: { items: [{ email: null, refusal: null }, { email: null }, { person: { id: lead.personId } }] } })
  expect(page.text).not.toContain('ann@example.org')
})

test('why a person is in an audience or not is told part by part', async ({ api, admin, organisation, chapter, person }) => {
  const org = await organisation()
  const west = await chapter(org, 'West')
  const ann = await person({ org, chapterId: west, email: 'ann@example.org' })
  const bob = await person({ org })
  const group = await groupOf(admin, org, [ann.personId, bob.personId])
  const me = api.as(await person({ org, chapterId: null, idpRoles: ['org-admin'] }))
  const definition = {
    include: [everybody, { kind: 'persons', ids: [bob.personId] }, { kind: 'group', id: group }],
    exclude: [{ kind: 'persons', ids: [bob.personId] }],
  }
  const why = (personId: string | null, scope: Scope = {}) => me.post(`${url}/why`, { definition, scope, personId })
  expect(await why(ann.personId)).toMatchObject({
    body: { isIn: true, inScope: true, included: [0, 2], excluded: [], refusal: null, person: { id: ann.personId } },
  })
  expect(await why(bob.personId)).toMatchObject({ body: { isIn: false, included: [0, 1, 2], excluded: [0], refusal: 'no_address' } })
  expect(await why(bob.personId, { chapterId: west })).toMatchObject({ body: { isIn: false, inScope: false } })
  expect(await why(randomUUID())).toMatchObject({ status: 404 })
  const saved = made(await me.post(url, { name: 'X', chapterId: west, definition }))
  expect(await me.get(`${url}/${saved.id}/size`)).toMatchObject({ body: { total: 1 } })
})
