import { documentOf, plainTextOf } from '@guildhall/contract/formatted-document'
import type { Note, NoteVersion, NoteVisibility } from '@guildhall/contract/features/notes'
import type { TimelineEntry } from '@guildhall/contract/features/timeline'
import { expect } from 'vitest'
import { test } from '../../testing.ts'
import type { Client, NewPerson, TestOrganisation, TestPerson } from '../../testing.ts'

const match = (version: number) => ({ 'if-match': `"${version}"` })
const say = (visibility: NoteVisibility, text: string, more: object = {}) => ({ visibility, body: documentOf(text), ...more })
const wrote = async (client: Client, personId: string | null, visibility: NoteVisibility, text: string, more: object = {}) => {
  const answer = await client.post(`/data/people/${personId}/notes`, say(visibility, text, more))
  expect(answer).toMatchObject({ status: 201 })
  return answer.body as Note
}
const notesOf = async (client: Client, personId: string | null, more = '') => {
  const answer = await client.get(`/data/people/${personId}/notes${more}`)
  expect(answer).toMatchObject({ status: 200 })
  return (answer.body as { items: Note[] }).items
}
const texts = (notes: { body: Note['body'] }[]) => notes.map(({ body }) => plainTextOf(body))

/** Everybody who could want to read what is noted about a member of Berlin. */
async function castOf(
  api: { as(person: TestPerson): Client },
  { org, berlin, lyon, person }: { org: TestOrganisation; berlin: string; lyon: string; person: (made: NewPerson) => Promise<TestPerson> },
) {
  const about = await person({ org, chapterId: berlin })
  const made = async (more: NewPerson) => api.as(await person({ org, ...more }))
  const readers = {
    owner: await made({ idpRoles: ['org-owner'] }),
    admin: await made({ idpRoles: ['org-admin'] }),
    safeguarding: await made({ grants: [{ role: 'safeguarding', chapterId: berlin }] }),
    officer: await made({ grants: [{ role: 'chapter-admin', chapterId: berlin }] }),
    elsewhere: await made({ grants: [{ role: 'chapter-admin', chapterId: lyon }] }),
    safeElsewhere: await made({ grants: [{ role: 'safeguarding', chapterId: lyon }] }),
    finance: await made({ grants: [{ role: 'finance' }] }),
    member: await made({}),
    self: api.as(about),
  }
  return { about, readers }
}

test('each visibility is for its readers, and nobody reads or writes notes about themselves', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [berlin, lyon] = [await chapter(org, 'Berlin'), await chapter(org, 'Lyon')]
  const { about, readers } = await castOf(api, { org, berlin, lyon, person })
  const stranger = api.as(await person({ org: await organisation(), idpRoles: ['org-owner'] }))
  const ids = {
    self: (await wrote(readers.admin, about.personId, 'self', 'for myself')).id,
    officers: (await wrote(readers.admin, about.personId, 'officers', 'for officers')).id,
    organisation: (await wrote(readers.admin, about.personId, 'organisation', 'for all')).id,
  }
  const seen = {
    owner: ['for all', 'for officers'],
    admin: ['for all', 'for officers', 'for myself'],
    safeguarding: ['for all', 'for officers'],
    officer: ['for all'],
    finance: [],
    member: [],
    self: [],
    elsewhere: ['for all'],
    safeElsewhere: ['for all'],
  }
  for (const [name, client] of Object.entries(readers)) {
    const expected: string[] = Object.entries(seen).find(([one]) => one === name)?.[1] ?? []
    expect(texts(await notesOf(client, about.personId)), name).toEqual(expected)
    const word = { self: 'for myself', officers: 'for officers', organisation: 'for all' }
    for (const [visibility, id] of Object.entries(ids)) {
      const may = expected.includes(Object.entries(word).find(([one]) => one === visibility)?.[1] ?? '')
      for (const url of [`/data/notes/${id}`, `/data/notes/${id}/versions`])
        expect((await client.get(url)).status, `${name} ${visibility}`).toBe(may ? 200 : 404)
      if (!may) {
        expect((await client.patch(`/data/notes/${id}`, { pinned: true }, match(1))).status, `${name} pins ${visibility}`).toBe(404)
        expect((await client.del(`/data/notes/${id}`)).status, `${name} deletes ${visibility}`).toBe(404)
      }
    }
    const told = (await client.get(`/data/people/${about.personId}/timeline?category=notes`)).body as { items: TimelineEntry[] }
    expect(told.items, name).toHaveLength(expected.length)
    const { may } = (await client.get(`/data/people/${about.personId}`)).body as { may: { keepNotes: boolean } }
    expect(may.keepNotes, name).toBe(expected.length > 0)
    const writes = async (visibility: NoteVisibility) =>
      (await client.post(`/data/people/${about.personId}/notes`, say(visibility, `by ${name}`))).status
    expect([await writes('self'), await writes('organisation')], name).toEqual(expected.length > 0 ? [201, 201] : [403, 403])
    expect(await writes('officers'), name).toBe(expected.includes('for officers') ? 201 : 403)
    await admin.query(`delete from app.notes where record_id = $1 and id <> all ($2)`, [about.personId, Object.values(ids)])
  }
  expect(await stranger.get(`/data/people/${about.personId}/notes`)).toMatchObject({ status: 404 })
  expect(await stranger.post(`/data/people/${about.personId}/notes`, say('self', 'x'))).toMatchObject({ status: 404 })

  // An owner, and an owner by another record of their own.
  const boss = await person({ org, idpRoles: ['org-owner'] })
  await wrote(readers.admin, boss.personId, 'organisation', 'about the boss')
  expect(await notesOf(api.as(boss), boss.personId)).toEqual([])
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.people (org_id, family_name, lifecycle, merged_into) values ($1, 'Twin', 'active', null) returning id`,
    [org.id],
  )
  const twin = rows[0]?.id ?? ''
  await wrote(readers.admin, twin, 'officers', 'about the twin')
  expect(texts(await notesOf(api.as(boss), twin))).toEqual(['about the twin'])
  await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [twin, boss.personId])
  // The note goes with the record, to those who read it before.
  expect(texts(await notesOf(readers.admin, boss.personId))).toEqual(['about the twin', 'about the boss'])
  expect([await notesOf(api.as(boss), boss.personId), await notesOf(readers.admin, twin)]).toEqual([[], []])
  // One that still stands with the merged record is about the same person.
  await admin.query(`update app.notes set record_id = $1 where record_id = $2 and visibility = 'officers'`, [twin, boss.personId])
  expect(await notesOf(api.as(boss), twin)).toEqual([])
  expect(texts(await notesOf(readers.admin, twin))).toEqual(['about the twin'])
  expect(await readers.admin.post(`/data/people/${twin}/notes`, say('officers', 'late'))).toMatchObject({ status: 409 })
})

test('the author edits, each reader sees what it said when it was for them, and officers pin and delete it', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [berlin, lyon] = [await chapter(org, 'Berlin'), await chapter(org, 'Lyon')]
  const { about, readers } = await castOf(api, { org, berlin, lyon, person })
  const { officer, elsewhere, safeguarding, admin } = readers
  const draft = await wrote(officer, about.personId, 'self', 'Draft')
  expect(draft).toMatchObject({ mine: true, pinned: false, editedAt: null, may: { edit: true, remove: true }, version: 1 })
  const url = `/data/notes/${draft.id}`
  expect(await officer.patch(url, { visibility: 'organisation', body: documentOf('Moves in May') }, match(1))).toMatchObject({
    status: 200,
    body: { visibility: 'organisation', editedAt: expect.any(String), version: 2 },
  })
  expect(await officer.patch(url, { body: documentOf('Late') }, match(1))).toMatchObject({ status: 412 })
  expect(await officer.patch(url, { visibility: 'officers' }, match(2))).toMatchObject({ status: 403 })
  const corrected = await officer.patch(url, { body: documentOf('Moves in June') }, match(2))
  expect(corrected).toMatchObject({ status: 200, body: { version: 3 } })
  const said = async (client: Client) => texts(((await client.get(`${url}/versions`)).body as { items: NoteVersion[] }).items)
  expect(await said(officer)).toEqual(['Moves in May', 'Draft'])
  expect(await said(elsewhere)).toEqual(['Moves in May'])

  expect(await elsewhere.patch(url, { pinned: true }, match(3))).toMatchObject({ status: 403 })
  expect(await elsewhere.del(url)).toMatchObject({ status: 403 })
  for (const client of [elsewhere, safeguarding, admin])
    for (const change of [{ body: documentOf('Mine') }, { visibility: 'self' }])
      expect(await client.patch(url, change, match(3))).toMatchObject({ status: 403 })
  expect(await safeguarding.patch(url, { pinned: true }, match(3))).toMatchObject({
    status: 200,
    body: { pinned: true, editedAt: corrected.body['editedAt'] },
  })
  await wrote(officer, about.personId, 'organisation', 'Newer')
  expect(texts(await notesOf(elsewhere, about.personId))).toEqual(['Moves in June', 'Newer'])
  const first = (await officer.get(`/data/people/${about.personId}/notes?limit=1`)).body as { nextCursor: string; total: number }
  expect(first.total).toBe(2)
  expect(texts(await notesOf(officer, about.personId, `?limit=1&cursor=${first.nextCursor}`))).toEqual(['Newer'])

  expect(await officer.post(`/data/people/${about.personId}/notes`, say('organisation', ' '))).toMatchObject({ status: 422 })
  expect(await officer.post(`/data/people/${about.personId}/notes`, say('organisation', 'x'.repeat(10_001)))).toMatchObject({ status: 422 })
})

test('a deleted note is there for 30 days for those who may restore it, then gone', async ({
  api,
  admin: database,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [berlin, lyon] = [await chapter(org, 'Berlin'), await chapter(org, 'Lyon')]
  const { about, readers } = await castOf(api, { org, berlin, lyon, person })
  const { officer, elsewhere, safeguarding } = readers
  const { id } = await wrote(officer, about.personId, 'organisation', 'Wrong person')
  expect(await safeguarding.del(`/data/notes/${id}`)).toMatchObject({ status: 204 })
  for (const client of [officer, safeguarding, elsewhere]) expect(await notesOf(client, about.personId)).toEqual([])
  expect(await elsewhere.get(`/data/notes/${id}`)).toMatchObject({ status: 404 })
  expect(await elsewhere.post(`/data/notes/${id}/restore`)).toMatchObject({ status: 404 })
  expect(texts(await notesOf(officer, about.personId, '?deleted=true'))).toEqual(['Wrong person'])
  expect(await notesOf(elsewhere, about.personId, '?deleted=true')).toEqual([])
  expect((await officer.get(`/data/people/${about.personId}/timeline?category=notes`)).body).toMatchObject({ items: [] })
  expect(await officer.patch(`/data/notes/${id}`, { body: documentOf('x') }, match(2))).toMatchObject({ status: 404 })
  expect(await officer.post(`/data/notes/${id}/restore`)).toMatchObject({ status: 200, body: { deletedAt: null } })
  expect(texts(await notesOf(elsewhere, about.personId))).toEqual(['Wrong person'])

  await officer.del(`/data/notes/${id}`)
  await database.query(`update app.notes set deleted_at = now() - interval '31 days' where id = $1`, [id])
  expect(await notesOf(officer, about.personId, '?deleted=true')).toEqual([])
  expect(await officer.post(`/data/notes/${id}/restore`)).toMatchObject({ status: 404 })
  await database.query('select app.purge_notes()')
  expect((await database.query('select from app.notes where id = $1', [id])).rows).toEqual([])
})

test('notes go with an erased person, and what an erased author noted for themselves', async ({
  api,
  admin: database,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const [berlin, lyon] = [await chapter(org, 'Berlin'), await chapter(org, 'Lyon')]
  const { about, readers } = await castOf(api, { org, berlin, lyon, person })
  const { admin } = readers
  const leaving = await person({ org, grants: [{ role: 'chapter-admin', chapterId: berlin }] })
  const other = await person({ org, chapterId: berlin })
  const writer = api.as(leaving)
  await wrote(writer, other.personId, 'self', 'My own view')
  const kept = await wrote(writer, other.personId, 'organisation', 'Has moved')
  await writer.patch(`/data/notes/${kept.id}`, { body: documentOf('Has moved to Bonn') }, match(1))
  const { id } = await wrote(admin, about.personId, 'officers', 'Elm Street 1')
  await admin.patch(`/data/notes/${id}`, { body: documentOf('Elm Street 2') }, match(1))
  await database.query(`update app.people set lifecycle = 'erased' where id = any ($1)`, [[about.personId, leaving.personId]])
  const { rows } = await database.query<{ body: unknown }>(
    'select body from app.notes where org_id = $1 union all select body from app.note_versions where org_id = $1',
    [org.id],
  )
  expect(JSON.stringify(rows)).not.toContain('Elm')
  expect(JSON.stringify(rows)).not.toContain('My own view')
  expect(await notesOf(admin, other.personId)).toMatchObject([{ author: null, pinned: false }])
  // The audit log never held what a note says, and hides from the person that there is one.
  const log = await database.query<{ entry: string }>('select e::text as entry from app.audit_entries e where org_id = $1', [org.id])
  expect(log.rows.map(({ entry }) => entry).join()).not.toMatch(/Elm|My own view|Has moved/)
  const historyOf = async (client: Client) =>
    ((await client.get(`/data/people/${other.personId}/history?entity=notes`)).body as { items: unknown[] }).items.length
  expect([await historyOf(admin), await historyOf(api.as(other))]).toEqual([4, 0])
})

test('notes about an archived person are for those who may bring them back', async ({ api, organisation, person, chapter }) => {
  const org = await organisation()
  const [berlin, lyon] = [await chapter(org, 'Berlin'), await chapter(org, 'Lyon')]
  const { about, readers } = await castOf(api, { org, berlin, lyon, person })
  const { id } = await wrote(readers.admin, about.personId, 'organisation', 'Left for Lyon')
  expect(await readers.admin.del(`/data/people/${about.personId}`)).toMatchObject({ status: 204 })
  for (const client of [readers.safeguarding, readers.elsewhere])
    for (const url of [`/data/people/${about.personId}/notes`, `/data/notes/${id}`, `/data/notes/${id}/versions`])
      expect(await client.get(url)).toMatchObject({ status: 404 })
  for (const client of [readers.admin, readers.officer]) expect(texts(await notesOf(client, about.personId))).toEqual(['Left for Lyon'])
})

test('who is mentioned is told once, if they may read the note', async ({ api, organisation, person, chapter, worker: _ }) => {
  const org = await organisation()
  const [berlin, lyon] = [await chapter(org, 'Berlin'), await chapter(org, 'Lyon')]
  const { about, readers } = await castOf(api, { org, berlin, lyon, person })
  const colleague = await person({ org, grants: [{ role: 'chapter-admin', chapterId: lyon }] })
  const member = await person({ org })
  const safe = await person({ org, grants: [{ role: 'safeguarding', chapterId: berlin }] })
  const mention = (...people: TestPerson[]): Note['body'] => ({
    type: 'doc',
    content: [{ type: 'paragraph', content: people.map(({ personId }) => ({ type: 'mention', attrs: { personId: personId ?? '' } })) }],
  })
  const told = async (who: TestPerson) =>
    ((await api.as(who).get('/data/notifications')).body as { items: { kind: string; person: { id: string } | null }[] }).items
  const url = `/data/people/${about.personId}/notes`
  const all = mention(colleague, member, safe, about)
  const { id } = (await readers.admin.post(url, { visibility: 'self', body: all })).body as { id: string }
  await readers.admin.patch(`/data/notes/${id}`, { visibility: 'officers' }, match(1))
  await expect.poll(() => told(safe), { timeout: 20_000 }).toMatchObject([{ kind: 'note-mention', person: { id: about.personId } }])
  await readers.admin.patch(`/data/notes/${id}`, { visibility: 'organisation', body: all }, match(2))
  await expect.poll(() => told(colleague), { timeout: 20_000 }).toMatchObject([{ kind: 'note-mention' }])
  expect([(await told(safe)).length, await told(member), await told(about)]).toEqual([1, [], []])
})
