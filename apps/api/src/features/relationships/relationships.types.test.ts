import { describe, expect } from 'vitest'
import type { TestPerson } from '../../testing.ts'
import { born, list, made, match, relate, step, test } from './relationships.testing.ts'

describe('rules', () => {
  test('refuse a circle and name the way round, as far as the reader sees it', async ({ cast: { types, boss, someone, as }, admin }) => {
    const people = await Promise.all(['Ada', 'Bo', 'Cy', 'Di'].map((name) => someone(name)))
    const [ada, bo, cy, di] = people as [TestPerson, TestPerson, TestPerson, TestPerson]
    for (const [from, to] of [
      [ada, bo],
      [bo, cy],
      [cy, di],
    ] as const)
      expect(await relate(boss, types['lineage'], from, to)).toMatchObject({ status: 201 })
    const path = 'Ada Vale → Bo Vale → Cy Vale → Di Vale → Ada Vale'
    expect(await relate(boss, types['lineage'], di, ada)).toMatchObject({
      status: 422,
      body: { reason: 'relationship_cycle', params: { path } },
    })
    // Another type is another tree, and a household has no top.
    expect(await relate(boss, types['mentor'], di, ada)).toMatchObject({ status: 201 })
    expect(await relate(boss, types['household'], ada, bo)).toMatchObject({ status: 201 })
    expect(await relate(boss, types['household'], bo, ada)).toMatchObject({ status: 201 })
    // Bo is a minor, whom members do not see.
    await born(admin, bo, '2015-01-01')
    expect(await relate(as(ada), types['lineage'], di, ada)).toMatchObject({
      status: 422,
      body: { params: { path: 'Ada Vale → … → Cy Vale → Di Vale → Ada Vale' } },
    })
  })

  test('count what was active on one day: what is over makes room, and closes no circle later', async ({
    cast: { types, boss, ann, ben, cleo },
  }) => {
    const first = made(await relate(boss, types['lineage'], ann, cleo, { startsOn: '2020-01-01' }))
    expect(await relate(boss, types['lineage'], ben, cleo)).toMatchObject({
      status: 422,
      body: { reason: 'relationship_max_parents', params: { max: 1 } },
    })
    await step(boss, first, 'end', { endsOn: '2021-01-01' })
    expect(await relate(boss, types['lineage'], ben, cleo, { startsOn: '2021-01-01' })).toMatchObject({ status: 422 })
    expect(await relate(boss, types['lineage'], ben, cleo, { startsOn: '2021-01-02' })).toMatchObject({ status: 201 })
    expect(await relate(boss, types['lineage'], cleo, ann, { startsOn: '2021-01-01' })).toMatchObject({
      status: 422,
      body: { reason: 'relationship_cycle' },
    })
    expect(await relate(boss, types['lineage'], cleo, ann, { startsOn: '2021-01-02' })).toMatchObject({ status: 201 })
    expect(await step(boss, { ...first, version: 2 }, 'reopen')).toMatchObject({ status: 422 })
  })

  test('keep guardians of age, unmanaged, and to minors', async ({ cast: { types, boss, someone }, admin }) => {
    const [parent, teen, child, adult] = [await someone('Pat'), await someone('Tee'), await someone('Chi'), await someone('Al')]
    await born(admin, parent, '1980-01-01')
    await born(admin, teen, '2010-06-01')
    await born(admin, child, '2016-01-01')
    const guardian = (from: TestPerson, to: TestPerson) => relate(boss, types['guardian'], from, to)
    expect(await guardian(parent, adult)).toMatchObject({ status: 422, body: { reason: 'relationship_minors_only' } })
    expect(await guardian(teen, child)).toMatchObject({ status: 422, body: { reason: 'relationship_under_age' } })
    expect(await guardian(parent, child)).toMatchObject({ status: 201 })
    expect(await guardian(parent, parent)).toMatchObject({ status: 422, body: { reason: 'related_to_oneself' } })
    const carer = await boss.post('/data/relationship-types', {
      ...{ key: 'carer', name: 'Carer', forwardLabel: 'Carer', inverseLabel: 'In care' },
      ...{ grants: 'manage', approval: 'office' },
    })
    expect(carer).toMatchObject({ status: 201, body: { active: 0 } })
    expect(await relate(boss, made(carer).id, adult, parent)).toMatchObject({
      status: 422,
      body: { reason: 'relationship_manager_managed' },
    })
    await admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [adult.personId])
    expect(await relate(boss, types['mentor'], adult, parent)).toMatchObject({ status: 409, body: { reason: 'person_deceased' } })
    await admin.query(`update app.people set lifecycle = 'active', deleted_at = now() where id = $1`, [adult.personId])
    expect(await relate(boss, types['mentor'], adult, parent)).toMatchObject({ status: 409, body: { reason: 'person_archived' } })
  })
})

describe('types', () => {
  test('are made and changed by administrators, while their relationships agree with it', async ({
    cast: { types, boss, west, ann, ben, cleo, as },
  }) => {
    expect(
      await west.post('/data/relationship-types', { key: 'buddy', name: 'Buddy', forwardLabel: 'Buddy', inverseLabel: 'Buddy' }),
    ).toMatchObject({ status: 403 })
    const buddy = await boss.post('/data/relationship-types', {
      key: 'buddy',
      name: 'Buddy',
      forwardLabel: 'Buddy',
      inverseLabel: 'Buddy',
      acyclic: false,
    })
    expect(buddy).toMatchObject({ status: 201, body: { acyclic: false, maxParents: null, grants: 'none', approval: 'none', active: 0 } })
    const id = made(buddy).id
    expect(await boss.post('/data/relationship-types', { key: 'buddy', name: 'B', forwardLabel: 'B', inverseLabel: 'B' })).toMatchObject({
      status: 409,
      body: { reason: 'relationship_type_key_taken' },
    })
    expect(await boss.post('/data/relationship-types', { key: 'Bud dy', name: 'B', forwardLabel: 'B', inverseLabel: 'B' })).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'not_a_type_key' }] },
    })
    const change = (body: Record<string, unknown>, version = 1) => boss.patch(`/data/relationship-types/${id}`, body, match(version))
    expect(await change({ grants: 'view' })).toMatchObject({ status: 422, body: { reason: 'relationship_grant_unapproved' } })
    for (const [from, to] of [
      [ann, ben],
      [ben, cleo],
      [cleo, ann],
    ] as const)
      await relate(boss, id, from, to)
    expect(await change({ acyclic: true })).toMatchObject({ status: 422, body: { reason: 'relationship_cycle' } })
    expect(await change({ grants: 'manage', approval: 'office' })).toMatchObject({
      status: 422,
      body: { reason: 'relationship_type_in_use' },
    })
    await relate(boss, id, ann, cleo)
    expect(await change({ maxParents: 1 })).toMatchObject({ status: 422, body: { reason: 'relationship_type_parents' } })
    expect(await change({ maxParents: 2, name: 'Buddies' })).toMatchObject({
      status: 200,
      body: { name: 'Buddies', maxParents: 2, active: 4, version: 2 },
    })
    expect(await change({ name: 'Mates' })).toMatchObject({ status: 412 })
    expect(await boss.post(`/data/relationship-types/${id}/archive`, undefined, match(2))).toMatchObject({
      status: 200,
      body: { archivedAt: expect.any(String) },
    })
    expect(await relate(boss, id, ben, ann)).toMatchObject({ status: 422, body: { reason: 'relationship_type_archived' } })
    expect((await list(as(ann), `?typeId=${id}`)).length).toBe(3)
    const seen = (await as(ann).get('/data/relationship-types')).body as { items: { key: string; active: number | null }[] }
    expect(seen.items.map(({ key }) => key).toSorted()).toEqual(Object.keys(types).toSorted())
    expect(seen.items[0]?.active).toBeNull()
  })

  test('that changed since a relationship ended ask anew before it goes on', async ({ cast: { types, boss, ann, ben, as } }) => {
    const ended = made(await step(as(ann), made(await relate(boss, types['mentor'], ann, ben)), 'end'))
    const carers = await boss.patch(`/data/relationship-types/${types['mentor']}`, { grants: 'manage', approval: 'office' }, match(1))
    expect(carers).toMatchObject({ status: 200 })
    expect(await step(as(ann), ended, 'reopen')).toMatchObject({ status: 200, body: { state: 'proposed' } })
  })
})
