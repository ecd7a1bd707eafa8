import { describe, expect } from 'vitest'
import { born, day, inbox, list, made, match, relate, step, test, typesOf } from './relationships.testing.ts'

describe('a proposal', () => {
  test('is answered by the other of the two, who is told of it, and never by who made it', async ({
    cast: { types, ann, ben, as, west },
  }) => {
    const [me, other] = [as(ann), as(ben)]
    const asked = await relate(me, types['lineage'], ann, ben, { startsOn: '2025-10-01', note: 'Autumn class' })
    expect(asked).toMatchObject({
      status: 201,
      body: {
        state: 'proposed',
        from: { displayName: 'Ann Vale' },
        to: { displayName: 'Ben Vale' },
        type: { key: 'lineage', forwardLabel: 'Big' },
        startsOn: '2025-10-01',
        proposedBy: 'Ann Vale',
        may: { answer: false, verify: false, edit: true, end: true, reopen: false },
      },
    })
    expect(await inbox(other)).toEqual(['relationship-request Ann Vale'])
    expect(await inbox(west)).toEqual([])
    expect(await step(me, made(asked), 'accept')).toMatchObject({ status: 403, body: { reason: 'relationship_not_yours' } })
    expect(await list(other, '?mineToAnswer=true')).toMatchObject([{ id: made(asked).id, may: { answer: true } }])
    expect(await list(me, '?mineToAnswer=true')).toEqual([])
    expect(await relate(other, types['lineage'], ann, ben)).toMatchObject({ status: 409, body: { reason: 'relationship_taken' } })

    const agreed = await step(other, made(asked), 'accept')
    expect(agreed).toMatchObject({ status: 200, body: { state: 'active', version: 2 } })
    expect(await step(other, made(asked), 'accept')).toMatchObject({ status: 412, body: { reason: 'stale' } })
    expect(await step(other, made(agreed), 'accept')).toMatchObject({ status: 409, body: { reason: 'relationship_answered' } })
    expect(await inbox(me)).toEqual(['relationship-answer approved Ben Vale'])
  })

  test('for an office is answered by an officer who is none of the two', async ({
    cast: { types, ann, ben, as, someone, chapters, boss, west, east },
    admin,
    person,
  }) => {
    const child = await someone('Kim')
    await born(admin, child, '2015-05-01')
    await born(admin, ann, '1980-05-01')
    const asked = await relate(as(child), types['guardian'], ann, child)
    expect(asked).toMatchObject({ status: 201, body: { state: 'proposed', lapsesOn: '2033-05-01', may: { answer: false, end: true } } })
    // Ann is one of the two; the officers of West do not see minors; the administrator decides.
    expect(await step(as(ann), made(asked), 'accept')).toMatchObject({ status: 403 })
    expect(await step(west, made(asked), 'accept')).toMatchObject({ status: 404 })
    expect(await step(as(ben), made(asked), 'accept')).toMatchObject({ status: 404 })
    expect(await inbox(boss)).toEqual(['relationship-request Kim Vale'])
    expect(await inbox(west)).toEqual([])
    expect(await step(boss, made(asked), 'accept')).toMatchObject({ status: 200, body: { state: 'active' } })
    expect(await inbox(as(child))).toEqual(['relationship-answer approved Ann Vale'])
    expect(await list(east)).toEqual([])
    // An officer who sees minors of the chapter decides there as well.
    const both = as(
      await person({
        org: { id: ann.orgId, rootChapterId: chapters.west },
        chapterId: chapters.west,
        grants: [
          { role: 'chapter-admin', chapterId: chapters.west },
          { role: 'safeguarding', chapterId: chapters.west },
        ],
      }),
    )
    expect(await list(both)).toMatchObject([{ id: made(asked).id, may: { verify: true, end: true } }])
  })

  test('can be rejected, withdrawn and opened again', async ({ cast: { types, ann, ben, as } }) => {
    const asked = made(await relate(as(ann), types['mentor'], ann, ben))
    const rejected = made(await step(as(ben), asked, 'reject'))
    expect(rejected).toMatchObject({ state: 'rejected', may: { reopen: true } })
    expect(await inbox(as(ann))).toEqual(['relationship-answer rejected Ben Vale'])
    expect(await step(as(ann), rejected, 'reopen')).toMatchObject({ status: 403 })
    const again = made(await step(as(ben), rejected, 'reopen'))
    expect(again.state).toBe('proposed')
    expect(await step(as(ann), again, 'end')).toMatchObject({ status: 200, body: { state: 'rejected', endsOn: null } })
  })
})

describe('officers', () => {
  test('record relationships of their chapters at once, verify and end them, but not their own', async ({
    cast: { types, ann, ben, cleo, as, west, east, someone, chapters, boss },
    person,
  }) => {
    const recorded = made(await relate(west, types['lineage'], ann, ben))
    expect(recorded).toMatchObject({ state: 'active', may: { verify: true, edit: true, end: true } })
    expect(await relate(west, types['lineage'], cleo, await someone('Dee', chapters.east))).toMatchObject({
      status: 403,
      body: { reason: 'relationship_not_yours' },
    })
    // Either of the two belongs to the chapter.
    expect(await relate(west, types['mentor'], cleo, ann)).toMatchObject({ status: 201, body: { state: 'active' } })
    expect((await list(west)).length).toBe(2)
    expect((await list(east)).length).toBe(1)
    const verified = made(await step(west, recorded, 'verify'))
    expect(verified).toMatchObject({ verifiedBy: expect.any(String), verifiedAt: expect.any(String), version: 2 })
    expect(await step(as(ann), verified, 'verify')).toMatchObject({ status: 403 })
    const changed = made(await west.patch(`/data/relationships/${recorded.id}`, { startsOn: '2024-01-01' }, match(2)))
    expect(changed).toMatchObject({ startsOn: '2024-01-01', note: '', verifiedBy: expect.any(String) })
    expect(await step(west, changed, 'end', { endsOn: '2023-12-31' })).toMatchObject({ status: 422, body: { reason: 'relationship_ends' } })
    const ended = made(await step(west, changed, 'end', { endsOn: '2025-06-30' }))
    expect(ended).toMatchObject({ state: 'ended', endsOn: '2025-06-30' })
    expect(await step(west, ended, 'end')).toMatchObject({ status: 409, body: { reason: 'relationship_over' } })
    expect(await step(west, ended, 'reopen')).toMatchObject({ status: 200, body: { state: 'active', endsOn: null } })

    const officer = await person({
      org: { id: ann.orgId, rootChapterId: chapters.west },
      chapterId: chapters.west,
      grants: [{ role: 'chapter-admin', chapterId: chapters.west }],
    })
    const own = made(await relate(as(officer), types['mentor'], officer, ann))
    expect(own.state).toBe('proposed')
    expect(await step(as(officer), own, 'accept')).toMatchObject({ status: 403 })
    expect(await step(boss, own, 'accept')).toMatchObject({ status: 200, body: { state: 'active', may: { verify: true } } })
  })

  test('give nobody more than they have: what opens a record is agreed to by who sees as much of it', async ({
    cast: { ann, ben, as, west, boss },
  }) => {
    const carer = await boss.post('/data/relationship-types', {
      ...{ key: 'carer', name: 'Carer', forwardLabel: 'Carer', inverseLabel: 'In care' },
      ...{ grants: 'manage', approval: 'office' },
    })
    expect(await relate(west, made(carer).id, ann, ben)).toMatchObject({ status: 403 })
    const asked = made(await relate(as(ann), made(carer).id, ann, ben))
    expect(await step(west, asked, 'accept')).toMatchObject({ status: 403 })
    expect(await step(boss, asked, 'accept')).toMatchObject({ status: 200, body: { state: 'active' } })
  })

  test('of a day to come end it on that day', async ({ cast: { types, ann, ben, boss, orgId }, admin }) => {
    const recorded = made(await relate(boss, types['mentor'], ann, ben))
    const ending = made(await step(boss, recorded, 'end', { endsOn: day(10) }))
    expect(ending).toMatchObject({ state: 'active', endsOn: day(10), may: { reopen: true } })
    await admin.query('select app.end_due_relationships($1, $2)', [orgId, day(10)])
    expect(await boss.get(`/data/relationships/${ending.id}`)).toMatchObject({ body: { state: 'active' } })
    await admin.query('select app.end_due_relationships($1, $2)', [orgId, day(11)])
    expect(await boss.get(`/data/relationships/${ending.id}`)).toMatchObject({ body: { state: 'ended', endsOn: day(10) } })
  })
})

describe('one of the two', () => {
  test('undoes what they ended by mistake, and later proposes it anew', async ({ cast: { types, ann, ben, as, boss }, admin }) => {
    const recorded = made(await relate(boss, types['mentor'], ann, ben))
    const ended = made(await step(as(ann), recorded, 'end'))
    expect(ended.state).toBe('ended')
    const again = made(await step(as(ann), ended, 'reopen'))
    expect(again.state).toBe('active')
    const over = made(await step(as(ann), again, 'end'))
    await admin.query(
      `set session_replication_role = replica; update app.relationships set ended_at = now() - interval '2 days' where id = '${over.id}'; set session_replication_role = default`,
    )
    expect(await step(as(ann), over, 'reopen')).toMatchObject({ status: 200, body: { state: 'proposed', may: { answer: false } } })
    expect(await inbox(as(ben))).toEqual(['relationship-request Ann Vale'])
  })

  test('is no stranger: others neither propose for them nor see it without the right', async ({ cast: { types, ann, ben, cleo, as } }) => {
    const asked = made(await relate(as(ann), types['recruiter'], ann, ben))
    expect(asked.state).toBe('active')
    expect(await relate(as(cleo), types['mentor'], ann, ben)).toMatchObject({ status: 403 })
    expect(await as(cleo).get(`/data/relationships/${asked.id}`)).toMatchObject({ status: 404 })
    expect(await list(as(cleo))).toEqual([])
    expect(await list(as(ben))).toMatchObject([{ id: asked.id }])
    expect(await step(as(cleo), asked, 'end')).toMatchObject({ status: 404 })
  })
})

test('another organisation sees and changes nothing', async ({ cast: { types, boss, ann, ben }, api, person, organisation, admin }) => {
  const recorded = made(await relate(boss, types['mentor'], ann, ben))
  const other = await organisation()
  const stranger = api.as(await person({ org: other, idpRoles: ['org-owner'] }))
  const theirs = await typesOf(admin, other.id)
  expect(await stranger.get(`/data/relationships/${recorded.id}`)).toMatchObject({ status: 404 })
  expect(await step(stranger, recorded, 'end')).toMatchObject({ status: 404 })
  expect(await relate(stranger, types['mentor'], ann, ben)).toMatchObject({ status: 422, body: { reason: 'relationship_type_unknown' } })
  expect(await relate(stranger, theirs['mentor'], ann, ben)).toMatchObject({ status: 422, body: { reason: 'person_not_found' } })
  expect(await list(stranger)).toEqual([])
})
