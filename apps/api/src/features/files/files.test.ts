import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileLimits } from '@guildhall/contract/features/files'
import type { StoredFile } from '@guildhall/contract/features/files'
import sharp from 'sharp'
import { afterAll, expect } from 'vitest'
import { newId } from '../../platform/records/new-id.ts'
import { endWorld, test as base } from '../../testing.ts'
import type { TestPerson } from '../../testing.ts'
import { sweepFiles } from './files.jobs.ts'
import { signFileLink } from './files.links.rules.ts'
import { fetched, send } from './files.testing.ts'

afterAll(endWorld)

const words = Buffer.from('Minutes of May')
const picture = (background: string) =>
  sharp({ create: { width: 200, height: 100, channels: 3, background } })
    .jpeg()
    .toBuffer()

const test = base.extend<{
  group: (me: TestPerson, more?: { visibility?: string }) => Promise<string>
  /** Lets the sweep run once. */
  sweep: () => Promise<void>
  /** What lies in the store of one file. */
  stored: (me: TestPerson, fileId: string) => Promise<string[]>
}>({
  group: async ({ admin }, use) => {
    await use(async (me, { visibility = 'members' } = {}) => {
      const { rows } = await admin.query<{ id: string }>(
        `insert into app.groups (org_id, name, visibility) values ($1, 'Choir', $2) returning id`,
        [me.orgId, visibility],
      )
      return rows[0]?.id ?? ''
    })
  },
  sweep: async ({ api, variant }, use) => {
    const worker = await variant({ DATABASE_URL: api.services.config.WORKER_DATABASE_URL ?? '' })
    await use(() => sweepFiles(worker.services)({}, { id: 'test', signal: new AbortController().signal }))
  },
  stored: async ({ api }, use) => {
    await use((me, fileId) => readdir(join(api.services.config.FILES_DIR, 'files', me.orgId, fileId)).catch(() => []))
  },
})

test('files of a group are added by its leaders, seen by who sees it, renamed, removed and brought back', async ({
  api,
  person,
  group,
}) => {
  const officer = await person({ idpRoles: ['org-owner'] })
  const choir = await group(officer)
  const leader = await person({ grants: [{ role: 'group-leader', groupId: choir }] })
  const member = await person({})

  const added = await send(api.app, leader, `/files/group/${choir}`, 'May.txt', words)
  expect(added).toMatchObject({
    status: 201,
    body: { name: 'May.txt', type: 'text/plain', bytes: words.length, addedBy: { id: leader.personId } },
  })
  const id = String(added.body['id'])
  expect((await send(api.app, member, `/files/group/${choir}`, 'b.txt', words)).status).toBe(403)

  const list = async (who: TestPerson) =>
    (await api.as(who).get(`/data/files?recordType=group&recordId=${choir}`)) as unknown as {
      status: number
      body: { items: StoredFile[] }
    }
  expect((await list(member)).body.items.map(({ name }) => name)).toEqual(['May.txt'])
  expect((await fetched(api.app, member, `/actions/files/${id}/content`)).content).toEqual(words)

  const renamed = await api.as(leader).patch(`/data/files/${id}`, { name: 'Minutes.exe' }, { 'if-match': '"1"' })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'Minutes.exe.txt', version: 2 } })
  expect(await api.as(leader).patch(`/data/files/${id}`, { name: 'x' }, { 'if-match': '"1"' })).toMatchObject({ status: 412 })
  expect((await api.as(member).patch(`/data/files/${id}`, { name: 'x' }, { 'if-match': '"2"' })).status).toBe(403)

  expect((await api.as(member).del(`/data/files/${id}`)).status).toBe(403)
  expect((await api.as(leader).del(`/data/files/${id}`)).status).toBe(204)
  expect((await list(member)).body.items).toEqual([])
  expect((await fetched(api.app, leader, `/actions/files/${id}/content`)).status).toBe(404)
  expect((await api.as(leader).post(`/data/files/${id}/restore`, {})).status).toBe(200)
  expect((await list(member)).body.items).toHaveLength(1)
})

test('files of an event are added by those who run it, and seen by whoever sees the event', async ({ api, person, organisation }) => {
  const org = await organisation()
  const officer = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const host = await person({ org, idpRoles: ['org-admin'] })
  const facts = { title: 'Picnic', startsAt: '2090-07-01T16:00:00Z', venueName: 'Park' }
  const made = (await officer.post('/data/events', facts)).body as { id: string; version: number }
  const files = `/data/files?recordType=event&recordId=${made.id}`
  expect(await send(api.app, host, `/files/event/${made.id}`, 'Menu.txt', words)).toMatchObject({ status: 201 })
  const member = await person({ org })
  // A draft is not there for them.
  expect((await api.as(member).get(files)).status).toBe(404)
  await officer.post(`/data/events/${made.id}/publish`, {}, { 'if-match': `"${made.version}"` })
  expect(await api.as(member).get(files)).toMatchObject({ body: { items: [{ name: 'Menu.txt' }] } })
  expect((await send(api.app, member, `/files/event/${made.id}`, 'b.txt', words)).status).toBe(403)
})

test('files of a secret group are not there for others, whatever link they have', async ({ api, person, group, admin }) => {
  const officer = await person({ idpRoles: ['org-owner'] })
  const choir = await group(officer, { visibility: 'secret' })
  const { body } = await send(api.app, officer, `/files/group/${choir}`, 'May.txt', words)
  const id = String(body['id'])
  const member = await person({})
  for (const url of [`/data/files?recordType=group&recordId=${choir}`, `/actions/files/${id}/content`])
    expect((await api.as(member).get(url)).status).toBe(404)
  expect((await api.as(member).post(`/actions/files/${id}/link`, {})).status).toBe(404)

  const insider = await person({})
  await admin.query(`insert into app.group_members (org_id, group_id, person_id, starts_on) values ($1, $2, $3, '2020-01-01')`, [
    officer.orgId,
    choir,
    insider.personId,
  ])
  const link = await api.as(insider).post(`/actions/files/${id}/link`, {})
  const { url } = link.body as { url: string }
  expect((await fetched(api.app, null, url)).content).toEqual(words)
  expect((await fetched(api.app, null, `${url}x`)).status).toBe(404)
  expect((await fetched(api.app, null, `/files/${Buffer.from('{}').toString('base64url')}.AAAA`)).status).toBe(404)
  // The same link is good for a minute and no longer.
  const signedAt = (ago: number) =>
    signFileLink(
      api.services.config.ACTOR_KEY,
      { orgId: insider.orgId, accountId: insider.accountId, fileId: id },
      new Date(Date.now() - ago),
    )
  for (const [ago, status] of [
    [61_000, 404],
    [30_000, 200],
  ] as const)
    expect((await fetched(api.app, null, signedAt(ago).url)).status).toBe(status)
  // The link says whose it is: it ends with their rights.
  await admin.query('delete from app.group_members where person_id = $1', [insider.personId])
  expect((await fetched(api.app, null, url)).status).toBe(404)
})

test('members set their own picture and officers those in reach; it shows with the person', async ({ api, person }) => {
  const me = await person({})
  const other = await person({})
  const officer = await person({ idpRoles: ['org-admin'] })
  const set = (who: TestPerson, whose: TestPerson, color: string) =>
    picture(color).then((content) => send(api.app, who, `/pictures/person/${whose.personId}`, 'me.jpg', content))
  const first = await set(me, me, '#f00')
  expect(first.status).toBe(201)
  expect((await set(other, me, '#0f0')).status).toBe(403)
  const second = await set(officer, me, '#00f')
  expect(second.status).toBe(201)
  const { pictureId } = second.body
  const row = (await api.as(other).get(`/data/people/${me.personId}`)).body as { pictureId: string }
  expect(row.pictureId).toBe(pictureId)
  expect((await fetched(api.app, other, `/actions/pictures/${String(first.body['pictureId'])}/small`)).status).toBe(404)
  expect((await fetched(api.app, other, `/actions/pictures/${String(pictureId)}/small`)).status).toBe(200)
  expect((await api.as(other).del(`/data/pictures/person/${me.personId}`)).status).toBe(403)
  expect((await api.as(me).del(`/data/pictures/person/${me.personId}`)).status).toBe(204)
  expect(((await api.as(me).get(`/data/people/${me.personId}`)).body as { pictureId: null }).pictureId).toBeNull()
})

test('the logo is set by who runs the organisation and seen by all', async ({ api, person }) => {
  const owner = await person({ idpRoles: ['org-owner'] })
  const member = await person({})
  const content = await picture('#123456')
  expect((await send(api.app, member, `/pictures/organisation/${owner.orgId}`, 'logo.png', content)).status).toBe(403)
  const { body } = await send(api.app, owner, `/pictures/organisation/${owner.orgId}`, 'logo.png', content)
  const me = (await api.as(member).get('/data/me')).body as { organisation: { logoId: string } }
  expect(me.organisation.logoId).toBe(body['pictureId'])
  const sent = await fetched(api.app, member, `/actions/pictures/${me.organisation.logoId}/large`)
  expect(await sharp(sent.content).metadata()).toMatchObject({ width: 200, height: 100 })
})

test('a face stands beside its name in rosters, among office-holders and in comments, as the picture is today', async ({
  api,
  admin,
  organisation,
  person,
}) => {
  const org = await organisation()
  const me = await person({ org })
  const reader = await person({ org, grants: [{ role: 'chapter-admin', chapterId: org.rootChapterId }] })
  const group = await api.as(reader).post('/data/groups', { name: 'Choir', chapterId: org.rootChapterId })
  const groupId = (group.body as { id: string }).id
  await admin.query(
    `insert into app.group_members (org_id, group_id, person_id, role, title, starts_on) values ($1, $2, $3, 'leader', 'Chair', '2020-01-01')`,
    [org.id, groupId, me.personId],
  )
  const office = (await api.as(reader).post(`/data/chapters/${org.rootChapterId}/positions`, { title: 'Clerk' })).body as { id: string }
  await admin.query(`insert into app.position_holders (org_id, position_id, person_id, starts_on) values ($1, $2, $3, '2020-01-01')`, [
    org.id,
    office.id,
    me.personId,
  ])
  const body = { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }] }
  expect((await api.as(me).post('/data/comments', { recordType: 'group', recordId: groupId, body })).status).toBe(201)
  const faces = async () => {
    const seen = new Set<unknown>()
    for (const url of [
      `/chapters/${org.rootChapterId}/members`,
      `/chapters/${org.rootChapterId}/officers`,
      `/groups/${groupId}`,
      `/groups/${groupId}/members`,
      `/comments?recordType=group&recordId=${groupId}`,
    ]) {
      const { text } = await api.as(reader).get(`/data${url}`)
      const found = [...text.matchAll(new RegExp(`"id":"${me.personId}","displayName":"[^"]*","pictureId":(null|"[^"]*")`, 'g'))]
      expect(found.length, url).toBeGreaterThan(0)
      for (const [, picture] of found) seen.add(picture)
    }
    return [...seen]
  }
  expect(await faces()).toEqual(['null'])
  const { body: sent } = await send(api.app, me, `/pictures/person/${me.personId}`, 'me.jpg', await picture('#abcdef'))
  expect(await faces()).toEqual([`"${String(sent['pictureId'])}"`])
})

test('an erased person’s picture is gone from the store, like files of records that are gone', async ({
  api,
  admin,
  person,
  group,
  sweep,
  stored,
}) => {
  const officer = await person({ idpRoles: ['org-owner'] })
  const gone = await person({})
  const choir = await group(officer)
  const { body } = await send(api.app, officer, `/pictures/person/${gone.personId}`, 'me.jpg', await picture('#fff'))
  const { body: file } = await send(api.app, officer, `/files/group/${choir}`, 'May.txt', words)
  const ids = [String(body['pictureId']), String(file['id'])]
  await sweep()
  expect(await Promise.all(ids.map((id) => stored(officer, id)))).toEqual([['large', 'small'], ['content']])
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [gone.personId])
  await admin.query('delete from app.groups where id = $1', [choir])
  expect((await fetched(api.app, officer, `/actions/pictures/${ids[0]}/small`)).status).toBe(404)
  await sweep()
  expect(await Promise.all(ids.map((id) => stored(officer, id)))).toEqual([[], []])
})

test('what was removed is kept for a week', async ({ api, admin, person, group, sweep, stored }) => {
  const officer = await person({ idpRoles: ['org-owner'] })
  const { body } = await send(api.app, officer, `/files/group/${await group(officer)}`, 'May.txt', words)
  const id = String(body['id'])
  await api.as(officer).del(`/data/files/${id}`)
  await sweep()
  expect(await stored(officer, id)).toEqual(['content'])
  await admin.query(`update app.files set removed_at = now() - interval '8 days' where id = $1`, [id])
  await sweep()
  expect(await stored(officer, id)).toEqual([])
})

test('an upload that was cut short by the end of its server leaves nothing for ever', async ({ api, admin, person, sweep, stored }) => {
  const me = await person({})
  const id = newId()
  // As it stands when a server is killed in the middle: noted, and partly stored.
  await admin.query('insert into app.loose_files (org_id, file_id, created_by) values ($1, $2, $3)', [me.orgId, id, me.accountId])
  await api.services.files.write(`files/${me.orgId}/${id}/upload`, Readable.from([words]))
  await sweep()
  expect(await stored(me, id)).toEqual(['upload'])
  await admin.query(`update app.loose_files set due_at = now() - interval '1 second' where file_id = $1`, [id])
  await sweep()
  expect(await stored(me, id)).toEqual([])
  const { rows } = await admin.query('select from app.loose_files where file_id = $1', [id])
  expect(rows).toEqual([])
})

test('an account has bounds', async ({ api, admin, person, group }) => {
  const officer = await person({ idpRoles: ['org-owner'] })
  const choir = await group(officer)
  const add = () => send(api.app, officer, `/files/group/${choir}`, 'May.txt', words)
  await admin.query(
    `insert into app.files (org_id, record_type, record_id, use, name, type, bytes, created_by) values ($1, 'group', $2, 'attachment', 'a', 'text/plain', $3, $4)`,
    [officer.orgId, choir, fileLimits.bytesPerDay, officer.accountId],
  )
  expect(await add()).toMatchObject({ status: 429, reason: 'uploads_per_day' })
  await admin.query('delete from app.files where org_id = $1', [officer.orgId])
  await admin.query(
    'insert into app.loose_files (org_id, file_id, created_by) select $1, app.uuid7(), $2 from generate_series(1, $3::int)',
    [officer.orgId, officer.accountId, fileLimits.underWay],
  )
  expect(await add()).toMatchObject({ status: 429, reason: 'uploads_under_way' })
  await admin.query('delete from app.loose_files where org_id = $1', [officer.orgId])
  await admin.query(
    `insert into app.files (org_id, record_type, record_id, use, name, type, bytes, created_by)
     select $1, 'group', $2, 'attachment', 'a', 'text/plain', 1, $3 from generate_series(1, $4::int)`,
    [officer.orgId, choir, officer.accountId, fileLimits.perRecord],
  )
  expect(await add()).toMatchObject({ status: 409, reason: 'too_many_files' })
})

test('the history of a group tells of its files', async ({ api, admin, person, group }) => {
  const officer = await person({ idpRoles: ['org-owner'] })
  const choir = await group(officer)
  const { body } = await send(api.app, officer, `/files/group/${choir}`, 'May.txt', words)
  await api.as(officer).del(`/data/files/${String(body['id'])}`)
  const { rows } = await admin.query<{ action: string }>(
    'select action, diff from app.audit_entries where org_id = $1 and group_id = $2 and entity = $3 order by seq',
    [officer.orgId, choir, 'files'],
  )
  expect(rows.map(({ action }) => action)).toEqual(['create', 'update'])
})
