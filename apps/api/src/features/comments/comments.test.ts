import { documentOf, plainTextOf } from '@guildhall/contract/formatted-document'
import type { Comment } from '@guildhall/contract/features/comments'
import { expect, vi } from 'vitest'
import { dailyUpkeep } from '../../platform/jobs/upkeep.ts'
import { createServices } from '../../platform/services.ts'
import { test } from '../../testing.ts'
import type { Client } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const say = (groupId: string, text: string, more: object = {}) => ({
  recordType: 'group',
  recordId: groupId,
  body: documentOf(text),
  ...more,
})
const wrote = async (client: Client, groupId: string, text: string, more: object = {}) => {
  const answer = await client.post('/data/comments', say(groupId, text, more))
  expect(answer).toMatchObject({ status: 201 })
  return answer.body as Comment
}
const read = async (client: Client, groupId: string, more = '') =>
  (await client.get(`/data/comments?recordType=group&recordId=${groupId}${more}`)).body as {
    items: Comment[]
    nextCursor: string | null
    total: number
  }
const texts = (page: { items: Comment[] }) => page.items.map(({ body }) => body && plainTextOf(body))
const grouped = async (boss: Client, more: object = {}) =>
  ((await boss.post('/data/groups', { name: 'Choir', visibility: 'members', ...more })).body as { id: string }).id

test('members write, answer, edit and delete, and read page after page', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [ann, bea] = [api.as(await person({ org })), api.as(await person({ org }))]
  const group = await grouped(boss)
  const first = await wrote(ann, group, 'First')
  await wrote(bea, group, 'Second')
  const answer = await wrote(bea, group, 'Why?', { parentId: first.id })
  expect(await ann.post('/data/comments', say(group, 'Deeper', { parentId: answer.id }))).toMatchObject({ status: 409 })
  expect(await ann.post('/data/comments', say(group, ' '))).toMatchObject({ status: 422 })
  expect(await ann.post('/data/comments', say(group, 'x'.repeat(10_001)))).toMatchObject({ status: 422 })

  const page = await read(ann, group, '&limit=1')
  expect([texts(page), page.total]).toEqual([['Second'], 2])
  const rest = await read(ann, group, `&limit=1&cursor=${page.nextCursor}`)
  expect(rest.items).toMatchObject([
    { replies: 1, mine: true, may: { edit: true, moderate: false }, editedAt: null, author: { displayName: expect.any(String) } },
  ])
  expect(texts(await read(ann, group, `&parentId=${first.id}`))).toEqual(['Why?'])

  const url = `/data/comments/${first.id}`
  expect(await bea.patch(url, { body: documentOf('Mine') }, match(1))).toMatchObject({ status: 403 })
  expect(await boss.patch(url, { body: documentOf('Mine') }, match(1))).toMatchObject({ status: 403 })
  expect(await ann.patch(url, { body: documentOf('First!') }, match(1))).toMatchObject({
    status: 200,
    body: { editedAt: expect.any(String), version: 2 },
  })
  expect(await ann.patch(url, { body: documentOf('Late') }, match(1))).toMatchObject({ status: 412 })
  expect(await boss.del(url)).toMatchObject({ status: 403 })
  expect(await ann.del(url)).toMatchObject({ status: 204 })
  // It has an answer, which stays.
  expect((await read(bea, group)).items[1]).toMatchObject({ deleted: true, body: null, replies: 1 })
  expect(await bea.post(`${url}/restore`)).toMatchObject({ status: 403 })
  expect(await ann.post(`${url}/restore`)).toMatchObject({ status: 200, body: { deleted: false } })
})

test('whoever looks after the group hides a comment with the reason, and nobody their own', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const lead = await person({ org })
  const [leader, ann, bea] = [api.as(lead), api.as(await person({ org })), api.as(await person({ org }))]
  const group = await grouped(boss)
  await boss.post(`/data/groups/${group}/members`, { personId: lead.personId, role: 'leader' })
  const { id } = await wrote(ann, group, 'Buy my boat')
  const hide = (client: Client, version: number) => client.post(`/data/comments/${id}/hide`, { reason: 'Advertising' }, match(version))
  expect(await hide(bea, 1)).toMatchObject({ status: 403 })
  expect(await hide(ann, 1)).toMatchObject({ status: 403 })
  expect((await read(leader, group)).items).toMatchObject([{ may: { edit: false, moderate: true } }])
  expect(await hide(leader, 1)).toMatchObject({ status: 200, body: { hidden: { reason: 'Advertising' } } })
  expect((await read(bea, group)).items).toMatchObject([{ body: null, hidden: { reason: 'Advertising' } }])
  for (const client of [ann, leader]) expect(texts(await read(client, group))).toEqual(['Buy my boat'])
  expect(await ann.post(`/data/comments/${id}/show`, {}, match(2))).toMatchObject({ status: 403 })
  expect(await leader.post(`/data/comments/${id}/show`, {}, match(2))).toMatchObject({ status: 200, body: { hidden: null } })
})

test('the discussion of a private group is for the group and who looks after it', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const member = await person({ org })
  const [inside, outside] = [api.as(member), api.as(await person({ org }))]
  const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-admin'] }))
  const group = await grouped(boss, { visibility: 'private' })
  await boss.post(`/data/groups/${group}/members`, { personId: member.personId })
  const { id } = await wrote(inside, group, 'Between us')
  expect(texts(await read(boss, group))).toEqual(['Between us'])
  expect(await read(outside, group)).toMatchObject({ items: [], total: 0 })
  expect(await outside.get(`/data/comments/${id}`)).toMatchObject({ status: 404 })
  expect(await outside.post('/data/comments', say(group, 'Me too'))).toMatchObject({ status: 403 })
  expect(await stranger.get(`/data/comments?recordType=group&recordId=${group}`)).toMatchObject({ status: 404 })
  expect(await stranger.post('/data/comments', say(group, 'Hello'))).toMatchObject({ status: 404 })
})

test('what an erased person said is gone, and answers stay', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const leaving = await person({ org })
  const group = await grouped(boss)
  const { id } = await wrote(api.as(leaving), group, 'My address is Elm 1')
  await wrote(boss, group, 'Noted', { parentId: id })
  await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [leaving.personId])
  expect((await read(boss, group)).items).toMatchObject([{ body: null, deleted: true, author: null, replies: 1 }])
  const { rows } = await admin.query(
    'select c::text, w::text from app.comments c left join app.comment_withheld w on w.comment_id = c.id where c.id = $1',
    [id],
  )
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toContain('Elm')
})

test('an archived group accepts no comment and no edit, and says so', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const ann = api.as(await person({ org }))
  const group = await grouped(boss)
  const { id } = await wrote(ann, group, 'Before')
  expect(await boss.post(`/data/groups/${group}/archive`, {}, match(1))).toMatchObject({ status: 200 })
  const closed = { status: 422, body: { reason: 'record_closed' } }
  expect(await ann.post('/data/comments', say(group, 'After'))).toMatchObject(closed)
  expect(await ann.patch(`/data/comments/${id}`, { body: documentOf('Later') }, match(1))).toMatchObject(closed)
  expect(texts(await read(ann, group))).toEqual(['Before'])
  expect(await ann.del(`/data/comments/${id}`)).toMatchObject({ status: 204 })
})

test('a hidden comment is edited by its author out of sight, and shown again as it was edited', async ({ api, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const [ann, bea] = [api.as(await person({ org })), api.as(await person({ org }))]
  const group = await grouped(boss)
  const { id } = await wrote(ann, group, 'Rude')
  const url = `/data/comments/${id}`
  await boss.post(`${url}/hide`, { reason: 'Rude' }, match(1))
  expect(await ann.patch(url, { body: documentOf('Polite') }, match(2))).toMatchObject({ status: 200, body: { hidden: {}, version: 3 } })
  expect(texts(await read(ann, group))).toEqual(['Polite'])
  expect(texts(await read(bea, group))).toEqual([null])
  await boss.post(`${url}/show`, {}, match(3))
  expect(texts(await read(bea, group))).toEqual(['Polite'])
})

test('a deleted comment is forgotten after 30 days; with replies, only what it said', async ({ api, admin, organisation, person }) => {
  const org = await organisation()
  const boss = api.as(await person({ org, idpRoles: ['org-admin'] }))
  const group = await grouped(boss)
  const ids = { alone: '', recent: '', answered: '' }
  for (const [name, days] of [
    ['alone', 31],
    ['recent', 29],
    ['answered', 31],
  ] as const) {
    ids[name] = (await wrote(boss, group, `Elm ${name}`)).id
    if (name === 'answered') await wrote(boss, group, 'Answer', { parentId: ids[name] })
    await boss.del(`/data/comments/${ids[name]}`)
    await admin.query(`update app.comments set deleted_at = now() - make_interval(days => $2) where id = $1`, [ids[name], days])
  }
  const { config, log } = api.services
  const worker = createServices(config, log, config.WORKER_DATABASE_URL)
  await dailyUpkeep(worker)({}, { id: 'test', signal: new AbortController().signal }).finally(() => worker.close())
  const left = await admin.query(
    'select c.id, w.body::text as body from app.comments c left join app.comment_withheld w on w.comment_id = c.id where c.record_id = $1 and c.parent_id is null order by c.id',
    [group],
  )
  expect(left.rows).toEqual([
    { id: ids.recent, body: expect.stringContaining('Elm') },
    { id: ids.answered, body: null },
  ])
  expect((await read(boss, group)).items).toMatchObject([{ id: ids.answered, deleted: true, replies: 1 }])
  expect(await boss.post(`/data/comments/${ids.recent}/restore`)).toMatchObject({ status: 200 })
  expect(await boss.post(`/data/comments/${ids.answered}/restore`)).toMatchObject({ status: 422, body: { reason: 'comment_purged' } })
})

const mentioning = (...people: string[]) => ({
  type: 'doc',
  content: [
    {
      type: 'paragraph',
      content: [{ type: 'text', text: 'Ask ' }, ...people.map((personId) => ({ type: 'mention', attrs: { personId } }))],
    },
  ],
})
type Told = { items: { kind: string; recordId: string; person: unknown; group: unknown }[] }

test('mentioned people who can read the comment are told once, and the author of a comment of its replies', async ({
  api,
  admin,
  organisation,
  person,
  worker: _worker,
}) => {
  const org = await organisation()
  const boss = await person({ org, idpRoles: ['org-admin'] })
  const [writer, inside, outside, late] = [
    await person({ org, givenName: 'Wim' }),
    await person({ org }),
    await person({ org }),
    await person({ org }),
  ]
  const group = await grouped(api.as(boss), { visibility: 'private' })
  for (const { personId } of [writer, inside, late]) await api.as(boss).post(`/data/groups/${group}/members`, { personId })
  const told = async (who: typeof boss) =>
    ((await api.as(who).get('/data/notifications')).body as Told).items.filter(({ kind }) => kind.startsWith('comment'))
  /** Every job that was there has been done. */
  const done = () =>
    vi.waitFor(async () => {
      const { rows } = await admin.query(`select from pgboss.job where name = 'comments' and state < 'completed'`)
      expect(rows).toHaveLength(0)
    }, 20_000)

  const { personId: writerId } = writer
  const body = mentioning(...[writerId, inside.personId, outside.personId].filter((id) => id !== null))
  const first = (await api.as(writer).post('/data/comments', { recordType: 'group', recordId: group, body })).body as Comment
  await done()
  const mention = {
    kind: 'comment-mention',
    recordId: first.id,
    person: { displayName: expect.stringContaining('Wim') },
    group: { id: group },
  }
  expect(await told(inside)).toMatchObject([mention])
  expect([await told(outside), await told(writer), await told(late)]).toEqual([[], [], []])

  // An edit tells only those who were not mentioned before.
  const edited = mentioning(...[inside.personId, late.personId].filter((id) => id !== null))
  expect(await api.as(writer).patch(`/data/comments/${first.id}`, { body: edited }, match(1))).toMatchObject({ status: 200 })
  const reply = await wrote(api.as(inside), group, 'Yes', { parentId: first.id })
  await wrote(api.as(writer), group, 'Thanks', { parentId: first.id })
  await done()
  expect([await told(inside), await told(late)]).toMatchObject([[mention], [mention]])
  expect(await told(writer)).toMatchObject([{ kind: 'comment-reply', recordId: reply.id }])

  // Taken out and put back in, nobody is told again; somebody who joins later is told when they are mentioned then.
  const edit = async (version: number, ...who: (string | null)[]) =>
    expect(
      await api.as(writer).patch(`/data/comments/${first.id}`, { body: mentioning(...who.filter((id) => id !== null)) }, match(version)),
    ).toMatchObject({ status: 200 })
  await edit(2, inside.personId)
  await edit(3, inside.personId, late.personId)
  await done()
  expect(await told(late)).toMatchObject([mention])
  await api.as(boss).post(`/data/groups/${group}/members`, { personId: outside.personId })
  await edit(4, inside.personId)
  await edit(5, inside.personId, outside.personId)
  await done()
  expect([await told(inside), await told(outside)]).toMatchObject([[mention], [mention]])

  // Preferences decide: a digest mails nothing at once, and off tells nothing at all.
  const prefer = (who: typeof boss, inInbox: boolean, mail: string) =>
    api.as(who).put('/data/notifications/preferences/comment-mention', { inInbox, mail })
  expect([await prefer(inside, true, 'daily'), await prefer(late, false, 'off')]).toMatchObject([{ status: 200 }, { status: 200 }])
  const people = [inside.personId, late.personId].filter((id) => id !== null)
  const second = await api.as(writer).post('/data/comments', { recordType: 'group', recordId: group, body: mentioning(...people) })
  await done()
  const { rows } = await admin.query('select account_id, in_inbox, mail, mailed_at from app.notifications where record_id = $1', [
    (second.body as Comment).id,
  ])
  expect(rows).toEqual([{ account_id: inside.accountId, in_inbox: true, mail: 'daily', mailed_at: null }])
})
