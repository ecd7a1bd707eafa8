import type { Person } from '@guildhall/contract/features/people'
import { expect } from 'vitest'
import { test, uploadFile, waitFor } from '../../imports/imports.testing.ts'
import type { Client } from '../../../testing.ts'

const read = async (client: Client, id: string) => (await client.get(`/data/people/${id}`)).body as Person
const enter = async (client: Client, body: object) => {
  const answer = await client.post('/data/people', body)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as Person
}
const match = (version: number) => ({ 'if-match': `"${version}"` })
const said = ({ status, body }: { status: number; body: unknown }) => [status, (body as { reason?: string } | null)?.reason]

test('records of people who died, were merged or erased are read-only in every way', async ({
  api,
  admin,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const other = await chapter(org, 'Other')
  const tag = (await owner.post('/data/tags', { name: 'Choir' })).body as { id: string }
  const group = (await owner.post('/data/groups', { name: 'Choir' })).body as { id: string }
  const office = (await owner.post(`/data/chapters/${org.rootChapterId}/positions`, { title: 'Chair', maxHolders: 2 })).body as {
    id: string
  }
  const offices = `/data/chapters/${org.rootChapterId}/positions`
  const survivor = await enter(owner, { givenName: 'Sue', familyName: 'Survivor', chapterId: org.rootChapterId })
  const waiting = await person({ org, chapterId: null, status: 'pending_link' })
  const expected = { deceased: [409, 'person_deceased'], merged: [409, 'person_merged'], erased: [410, 'person_erased'] } as const
  for (const [lifecycle, refused] of Object.entries(expected)) {
    const made = await enter(owner, {
      familyName: lifecycle,
      chapterId: org.rootChapterId,
      emails: [{ address: 'a@b.org' }],
      phones: [{ number: '+4930901820' }],
      contact: { city: 'Bern' },
      private: { birthDate: '1950-01-01' },
      tagIds: [tag.id],
    })
    const url = `/data/people/${made.id}`
    const member = (await owner.post(`/data/groups/${group.id}/members`, { personId: made.id, status: 'active' })).body as { id: string }
    const holder = (await owner.post(`${offices}/${office.id}/holders`, { personId: made.id, startsOn: '2020-01-01' })).body as {
      id: string
    }
    expect(member.id && holder.id).toBeTruthy()
    await admin.query('update app.people set lifecycle = $2, merged_into = $3 where id = $1', [
      made.id,
      lifecycle,
      lifecycle === 'merged' ? survivor.id : null,
    ])
    // What goes with a merged record is the other one's; what that one has already stays, and is as closed as the record.
    const back = async (table: string, id: string) =>
      (await admin.query<{ version: number }>(`update app.${table} set person_id = $2 where id = $1 returning version`, [id, made.id]))
        .rows[0]?.version ?? 0
    const [membership, term] = [await back('group_members', member.id), await back('position_holders', holder.id)]
    const { version } = (await admin.query<{ version: number }>('select version from app.people where id = $1', [made.id])).rows[0] ?? {
      version: 0,
    }
    const before = await admin.query(`select to_jsonb(p) as row from app.people p where id = $1`, [made.id])

    const writes = [
      await owner.patch(url, { employer: 'X' }, match(version)),
      await owner.patch(url, { employer: 'X' }, match(version + 7)),
      await owner.del(url),
      await owner.post(`${url}/restore`),
      await owner.post(`${url}/emails`, { address: 'c@d.org' }),
      await owner.patch(`${url}/emails/${made.emails[0]?.id}`, { label: 'x' }),
      await owner.del(`${url}/emails/${made.emails[0]?.id}`),
      await owner.post(`${url}/phones`, { number: '+4930901821' }),
      await owner.patch(`${url}/phones/${made.phones[0]?.id}`, { label: 'x' }),
      await owner.del(`${url}/phones/${made.phones[0]?.id}`),
      await owner.patch(`${url}/contact`, { city: 'X' }),
      await owner.patch(`${url}/private`, { gender: 'x' }),
      await owner.patch(`${url}/private`, { gender: 'x', deceasedOn: '2026-01-01' }),
      await owner.put(`${url}/external-ids/civicrm`, { externalId: '57' }),
      await owner.del(`${url}/external-ids/civicrm`),
      await owner.put(`${url}/tags`, { tagIds: [] }),
      await owner.post(`${url}/memberships`, { chapterId: other }),
      await owner.patch(`${url}/memberships/${made.memberships[0]?.id}`, { kind: 'friend' }, match(1)),
      await owner.del(`${url}/memberships/${made.memberships[0]?.id}`),
      await owner.patch(`/data/groups/${group.id}/members/${member.id}`, { title: 'X' }, match(membership)),
      await owner.del(`/data/groups/${group.id}/members/${member.id}`),
      await owner.patch(`${offices}/${office.id}/holders/${holder.id}`, { note: 'X' }, match(term)),
      await owner.del(`${offices}/${office.id}/holders/${holder.id}`),
      await owner.post(`${offices}/${office.id}/holders`, { personId: made.id, startsOn: '2024-01-01' }),
    ]
    expect(writes.map(said)).toEqual(writes.map(() => refused))
    expect(said(await owner.put(`/data/accounts/${waiting.accountId}/person`, { personId: made.id }, match(1)))).toEqual(refused)
    expect((await admin.query(`select to_jsonb(p) as row from app.people p where id = $1`, [made.id])).rows).toEqual(before.rows)

    const reads = ['', '/overview', '/history', '/memberships', '/positions', '/neighbours']
    for (const way of reads) expect([way, (await owner.get(`${url}${way}`)).status]).toEqual([way, lifecycle === 'erased' ? 410 : 200])
    if (lifecycle !== 'erased')
      expect((await read(owner, made.id)).may).toMatchObject({
        edit: false,
        editContact: false,
        editSensitive: false,
        archive: false,
        setMemberNo: false,
      })
    if (lifecycle === 'merged') expect(writes[0]?.text).toContain('Sue Survivor')

    const kept = [
      await owner.put(`${url}/office-note`, { note: 'Daughter called.' }),
      await owner.patch(`${url}/private`, { deceasedOn: '2026-01-02' }),
    ]
    expect(kept.map(({ status }) => status)).toEqual(kept.map(() => (lifecycle === 'deceased' ? 200 : refused[0])))

    const changes = [
      { do: 'tag', tagId: tag.id },
      { do: 'untag', tagId: tag.id },
      { do: 'addToGroup', groupId: group.id },
      { do: 'affiliate', chapterId: other },
      { do: 'archive' },
    ]
    for (const change of changes) {
      const { body } = await owner.post('/actions/people/bulk', { selection: { ids: [made.id] }, change })
      expect([change.do, (body as { counts: unknown }).counts]).toEqual([change.do, { matched: 1, changed: 0, unchanged: 0, refused: 1 }])
    }
    const status = await owner.post('/actions/people/bulk', {
      selection: { ids: [made.id] },
      change: { do: 'lifecycle', lifecycle: 'active' },
    })
    expect((status.body as { counts: { changed: number } }).counts.changed).toBe(lifecycle === 'deceased' ? 1 : 0)
  }
})

test('a death entered by mistake is taken back, alone or with other facts', async ({ api, organisation, person }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const made = await enter(owner, { familyName: 'Alive', chapterId: org.rootChapterId, lifecycle: 'deceased', emails: [{ address: 'a@b.org' }], private: { deceasedOn: '2026-01-01' } }) // prettier-ignore
  const url = `/data/people/${made.id}`
  expect(made.may).toMatchObject({ edit: false, decide: true, setDeath: true, editOfficeNote: true })
  expect((await owner.patch(`${url}/private`, { deceasedOn: null })).status).toBe(200)
  expect(said(await owner.patch(url, { employer: 'X' }, match(1)))).toEqual([409, 'person_deceased'])
  expect((await owner.patch(url, { lifecycle: 'active', employer: 'X' }, match(1))).status).toBe(200)
  expect((await owner.post(`${url}/emails`, { address: 'c@d.org' })).status).toBe(201)
})

test('an import says of each row that it cannot change a read-only record, in the check and in the run', async ({
  api,
  admin,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const group = await owner.post('/data/groups', { name: 'Choir', code: 'CH' })
  expect(group.status).toBe(201)
  const states = ['deceased', 'merged', 'erased']
  for (const [index, lifecycle] of states.entries()) {
    const { id } = await enter(owner, { givenName: 'Ann', familyName: lifecycle, memberNo: `${index + 1}`, chapterId: org.rootChapterId })
    await admin.query('update app.people set lifecycle = $2 where id = $1', [id, lifecycle])
  }
  await enter(owner, { givenName: 'Ann', familyName: 'Living', memberNo: '4', chapterId: org.rootChapterId })
  const files = {
    people: 'member_no,first_name,last_name,employer\n1,Ann,deceased,X\n2,Ann,merged,X\n3,Ann,erased,X\n4,Ann,Living,X\n',
    group_members: 'group_code,member_no\nCH,1\nCH,2\nCH,3\nCH,4\n',
  } as const
  for (const kind of ['people', 'group_members'] as const) {
    const { import: one } = await uploadFile(owner, kind, 'list.csv', files[kind])
    for (const phase of ['check', 'run'] as const) {
      const done = await waitFor(owner, one.id, phase)
      expect(done.counts[phase]).toMatchObject({ reject: 3 })
      const { items } = (await owner.get(`/data/imports/${one.id}/rows?phase=${phase}&outcome=reject`)).body as {
        items: { findings: { code: string }[] }[]
      }
      expect(items.flatMap(({ findings }) => findings.map(({ code }) => code))).toEqual(states.map((state) => `person_${state}`))
    }
  }
})

test('what ends a membership is decided in the home chapter, not where somebody is merely a friend', async ({
  api,
  organisation,
  person,
  chapter,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const west = await chapter(org, 'West')
  const east = await chapter(org, 'East')
  const officerOf = async (chapterId: string) =>
    api.as(await person({ org, chapterId, grants: [{ role: 'chapter-admin', chapterId }, { role: 'safeguarding', chapterId }] })) // prettier-ignore
  const [atHome, elsewhere] = [await officerOf(west), await officerOf(east)]
  const made = await enter(owner, { familyName: 'Guest', chapterId: west })
  const url = `/data/people/${made.id}`
  expect((await owner.post(`${url}/memberships`, { chapterId: east, kind: 'friend', isPrimary: false })).status).toBe(201)
  expect(await read(elsewhere, made.id)).toMatchObject({
    homeChapter: { id: west },
    may: { edit: true, archive: false, decide: false, setDeath: false },
  })
  const refused = [403, 'person_home_chapter']
  const version = async () => match((await read(owner, made.id)).version)
  expect(said(await elsewhere.del(url))).toEqual(refused)
  expect(said(await elsewhere.patch(url, { lifecycle: 'deceased' }, await version()))).toEqual(refused)
  expect(said(await elsewhere.patch(url, { lifecycle: 'former' }, await version()))).toEqual(refused)
  expect(said(await elsewhere.patch(`${url}/private`, { deceasedOn: '2026-01-01' }))).toEqual(refused)
  for (const change of [{ do: 'archive' }, { do: 'lifecycle', lifecycle: 'former' }, { do: 'lifecycle', lifecycle: 'deceased' }]) {
    const { body } = await elsewhere.post('/actions/people/bulk', { selection: { ids: [made.id] }, change })
    expect((body as { counts: object }).counts).toMatchObject({ changed: 0, refused: 1 })
  }
  // Other edits stay theirs as well.
  expect((await elsewhere.patch(url, { employer: 'X', lifecycle: 'alumni' }, await version())).status).toBe(200)
  expect((await elsewhere.patch(`${url}/private`, { gender: 'x' })).status).toBe(200)

  expect((await atHome.patch(`${url}/private`, { deceasedOn: '2026-01-01' })).status).toBe(200)
  expect((await atHome.patch(url, { lifecycle: 'deceased' }, await version())).status).toBe(200)
  expect(said(await elsewhere.patch(url, { lifecycle: 'active' }, await version()))).toEqual(refused)
  expect((await atHome.patch(url, { lifecycle: 'active' }, await version())).status).toBe(200)
  expect((await atHome.del(url)).status).toBe(204)
  expect(said(await elsewhere.post(`${url}/restore`))).toEqual(refused)
  expect((await atHome.post(`${url}/restore`)).status).toBe(200)
  // Without a home chapter it is the organisation's.
  const homeless = await enter(owner, { familyName: 'Homeless' })
  expect((await owner.del(`/data/people/${homeless.id}`)).status).toBe(204)
})
