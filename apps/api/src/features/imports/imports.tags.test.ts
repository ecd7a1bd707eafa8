import type { ImportKind, ImportRow } from '@guildhall/contract/features/imports'
import type { Export } from '@guildhall/contract/features/lists'
import { expect } from 'vitest'
import type { Client } from '../../testing.ts'
import { bringIn, test, uploadFile, waitFor } from './imports.testing.ts'

type Tag = { name: string; audience: string; uses: Record<string, number> }
const tagsIn = async (client: Client) => {
  const { items } = (await client.get('/data/tags')).body as { items: Tag[] }
  return Object.fromEntries(items.map(({ name, audience, uses }) => [name, { audience, uses }]))
}
const rowsOf = async (client: Client, importId: string, phase: string) =>
  ((await client.get(`/data/imports/${importId}/rows?phase=${phase}`)).body as { items: ImportRow[] }).items
const checked = async (client: Client, kind: ImportKind, content: string) => {
  const { import: one } = await uploadFile(client, kind, 'list.csv', content)
  return waitFor(client, one.id, 'check')
}

test.for([
  ['chapters', 'chapter'],
  ['groups', 'group'],
] as const)(
  'tags of %s are added, shown before the run, taken back, and change nothing the second time',
  async ([kind, type], { api, organisation, person, worker: _ }) => {
    const org = await organisation()
    const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
    expect((await owner.post('/data/tags', { name: 'Old', audience: 'members' })).status).toBe(201)
    const known = await bringIn(owner, kind, 'code,name,Tags\nA,Alpha,old\n')
    expect(known.columns.map(({ target }) => target)).toEqual(['code', 'name', 'tag'])
    expect(await tagsIn(owner)).toEqual({ Old: { audience: 'members', uses: { person: 0, [type]: 1 } } })

    // New words become officers' tags; what a record carries already stays, and one tag serves all rows.
    const file = 'code,name,Tags,Label\nA,Alpha,Pilot; OLD,\nB,Beta,pilot,"Rural, far"\nC,Gamma,,\n'
    const check = await checked(owner, kind, file)
    expect(check.counts.check).toMatchObject({ create: 2, update: 1, reject: 0 })
    expect((await rowsOf(owner, check.id, 'check'))[0]?.changes).toEqual([
      { field: 'tag', how: 'add', before: null, after: 'Pilot', hidden: false },
    ])
    expect(Object.keys(await tagsIn(owner))).toEqual(['Old'])
    const run = await waitFor(owner, check.id, 'run')
    expect(run.counts.run).toMatchObject({ create: 2, update: 1 })
    expect(await tagsIn(owner)).toEqual({
      Old: { audience: 'members', uses: { person: 0, [type]: 1 } },
      Pilot: { audience: 'officers', uses: { person: 0, [type]: 2 } },
      Rural: { audience: 'officers', uses: { person: 0, [type]: 1 } },
      far: { audience: 'officers', uses: { person: 0, [type]: 1 } },
    })
    expect((await bringIn(owner, kind, file)).counts.run).toMatchObject({ create: 0, update: 0, unchanged: 3 })

    // An export comes back as it is, its tags too.
    const { id } = (
      await owner.post('/actions/exports', {
        list: kind,
        format: 'csv',
        columns: ['code', 'name', 'tags'],
        selection: { all: {}, except: [] },
      })
    ).body as Export
    await expect.poll(async () => (await owner.get(`/data/exports/${id}`)).text, { timeout: 10_000 }).toContain('"downloadable":true')
    const exported = await owner.get(`/actions/exports/${id}/file`)
    expect(exported.text).toContain('Old; Pilot')
    const again = await bringIn(owner, kind, exported.text)
    expect(again.columns.find(({ header }) => header === 'Tags')?.target).toBe('tag')
    expect(again.counts.run).toMatchObject({ create: 0, update: 0, reject: 0 })

    expect((await waitFor(owner, check.id, 'undo')).counts.undo).toMatchObject({ removed: 2, restored: 1, kept: 0 })
    expect(await tagsIn(owner)).toEqual({ Old: { audience: 'members', uses: { person: 0, [type]: 1 } } })
  },
)

test('a tag that somebody else has come to use stays after the undo, and the row says so', async ({
  api,
  organisation,
  person,
  worker: _,
}) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  const first = await bringIn(owner, 'groups', 'code,name,tag\nA,Alpha,Pilot\n')
  await bringIn(owner, 'people', 'member_no,last_name,tag\n1,Archer,Pilot\n')
  const undone = await waitFor(owner, first.id, 'undo')
  expect(undone.counts.undo).toMatchObject({ removed: 1 })
  expect((await rowsOf(owner, first.id, 'undo'))[0]?.findings[0]).toMatchObject({ code: 'in_use', params: { names: 'Archer' } })
  expect((await tagsIn(owner))['Pilot']?.uses).toEqual({ person: 1 })
})

test('somebody who may not edit people uses the tags they see, and creates none', async ({ api, organisation, person, worker: _ }) => {
  const org = await organisation()
  const owner = api.as(await person({ org, idpRoles: ['org-owner'], chapterId: null }))
  await owner.post('/data/tags', { name: 'Open', audience: 'members' })
  await owner.post('/data/tags', { name: 'Secret', audience: 'officers' })
  const permissions = ['people.directory', 'people.import', 'groups.manage']
  const { id: roleId } = (await owner.post('/data/roles', { name: 'Registrar', description: '', permissions })).body as { id: string }
  const registrar = await person({ org, chapterId: null })
  expect((await owner.post('/data/grants', { accountId: registrar.accountId, roleId, scopeKind: 'org' })).status).toBe(201)
  const one = await checked(api.as(registrar), 'groups', 'code,name,tag\nA,Alpha,open\nB,Beta,secret\nC,Gamma,New\n')
  expect(one.counts.check).toMatchObject({ create: 1, reject: 2 })
  // An officers' tag is refused in the same words as one that does not exist.
  expect(
    (await rowsOf(api.as(registrar), one.id, 'check')).map(({ findings }) => findings.map(({ code, params }) => [code, params])),
  ).toEqual([[], [['unknown_tag', { tag: 'secret' }]], [['unknown_tag', { tag: 'New' }]]])
  expect((await waitFor(api.as(registrar), one.id, 'run')).counts.run).toMatchObject({ create: 1, reject: 2 })
  expect(await tagsIn(owner)).toMatchObject({ Open: { uses: { group: 1 } }, Secret: { uses: {} } })
  expect(Object.keys(await tagsIn(owner))).toHaveLength(2)
})
