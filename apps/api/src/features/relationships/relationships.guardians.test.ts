import { describe, expect } from 'vitest'
import type { Client } from '../../testing.ts'
import { born, day, inbox, list, made, match, relate, step, test } from './relationships.testing.ts'

describe('guardians', () => {
  test('see the record of the child and how to reach it, until the day of majority', async ({
    cast: { types, boss, ann, ben, as, someone, orgId },
    admin,
  }) => {
    const child = await someone('Kim')
    await born(admin, child, day(-365 * 18 + 30))
    await admin.query(`insert into app.person_emails (org_id, person_id, address) values ($1, $2, 'kim@example.org')`, [
      orgId,
      child.personId,
    ])
    expect(await as(ann).get(`/data/people/${child.personId}`)).toMatchObject({ status: 404 })
    const recorded = made(await relate(boss, types['guardian'], ann, child))
    expect(await as(ann).get(`/data/people/${child.personId}`)).toMatchObject({
      status: 200,
      body: { emails: [{ address: 'kim@example.org' }] },
    })
    expect(await as(ben).get(`/data/people/${child.personId}`)).toMatchObject({ status: 404 })
    expect(await as(ann).get('/data/family')).toMatchObject({
      body: {
        items: [
          { person: { displayName: 'Kim Vale' }, label: 'Guardian', grants: 'manage', lapsesOn: recorded.lapsesOn, hasAccount: true },
        ],
      },
    })
    expect(await as(child).get('/data/family')).toMatchObject({ body: { items: [] } })
    expect(await as(child).get('/data/relationships')).toMatchObject({
      body: { items: [{ from: { displayName: 'Ann Vale' }, may: { end: false } }] },
    })

    // Everybody is told once that it ends, and on the day it does.
    const note = JSON.stringify({ kind: 'relationship-majority', mail: 'instant', essential: false })
    for (const on of [day(0), day(1)]) await admin.query('select app.warn_of_majority($1, $2, $3::jsonb)', [orgId, on, note])
    expect(await inbox(as(ann))).toEqual(['relationship-majority Kim Vale'])
    expect(await inbox(as(child))).toEqual(['relationship-majority Ann Vale'])
    expect(await inbox(boss)).toEqual(['relationship-majority Kim Vale'])
    const last = recorded.lapsesOn ?? ''
    await admin.query('select app.end_due_relationships($1, $2::date - 1)', [orgId, last])
    expect(await boss.get(`/data/relationships/${recorded.id}`)).toMatchObject({ body: { state: 'active' } })
    await admin.query('select app.end_due_relationships($1, $2)', [orgId, last])
    const { rows } = await admin.query(`select state, ends_on = $2::date - 1 as before from app.relationships where id = $1`, [
      recorded.id,
      last,
    ])
    expect(rows).toEqual([{ state: 'ended', before: true }])
    expect(await as(ann).get(`/data/people/${child.personId}`)).toMatchObject({ status: 404 })
  })

  test('lose what they were granted when the child comes of age, whether or not the schedule has run', async ({
    cast: { types, boss, ann, as, someone },
    admin,
  }) => {
    const child = await someone('Kim')
    await born(admin, child, '2015-01-01')
    await relate(boss, types['guardian'], ann, child)
    expect(await as(ann).get('/data/family')).toMatchObject({ body: { items: [{}] } })
    await born(admin, child, '2000-01-01')
    expect(await as(ann).get('/data/family')).toMatchObject({ body: { items: [] } })
  })

  test('step down by themselves; a child does not end their rights', async ({ cast: { types, boss, ann, as, someone }, admin }) => {
    const child = await someone('Kim')
    await born(admin, child, '2015-01-01')
    const recorded = made(await relate(boss, types['guardian'], ann, child))
    expect(await step(as(child), recorded, 'end')).toMatchObject({ status: 403 })
    const ended = made(await step(as(ann), recorded, 'end'))
    expect(ended.state).toBe('ended')
    expect(await as(ann).get('/data/family')).toMatchObject({ body: { items: [] } })
  })

  test('neither put off nor undo the end that an officer set', async ({ cast: { types, boss, ann, as, someone }, admin }) => {
    const child = await someone('Kim')
    await born(admin, child, '2016-01-01')
    const recorded = made(await relate(boss, types['guardian'], ann, child))
    const ending = made(await step(boss, recorded, 'end', { endsOn: day(10) }))
    expect(await step(as(ann), ending, 'end', { endsOn: day(11) })).toMatchObject({
      status: 403,
      body: { reason: 'relationship_not_yours' },
    })
    const earlier = made(await step(as(ann), ending, 'end', { endsOn: day(5) }))
    expect(earlier).toMatchObject({ state: 'active', endsOn: day(5) })
    expect(await step(as(ann), earlier, 'end', { endsOn: day(9) })).toMatchObject({ status: 403 })
    // It waits for an officer, and grants nothing until then.
    expect(await step(as(ann), earlier, 'reopen')).toMatchObject({ status: 200, body: { state: 'proposed', may: { answer: false } } })
    // An end of their own is theirs to put off, for a day.
    const again = made(await step(boss, { ...earlier, version: earlier.version + 1 }, 'accept'))
    const own = made(await step(as(ann), again, 'end', { endsOn: day(3) }))
    expect(await step(as(ann), own, 'end', { endsOn: day(4) })).toMatchObject({ status: 200, body: { endsOn: day(4) } })
  })
})

test('minors follow from the age of majority of the organisation', async ({ cast: { types, boss, ann, as, someone, orgId }, admin }) => {
  const grown = await someone('Kim')
  await born(admin, grown, day(-365 * 19))
  expect(await relate(boss, types['guardian'], ann, grown)).toMatchObject({ status: 422, body: { reason: 'relationship_minors_only' } })
  const { body } = await boss.get('/data/organisation')
  const { version }: { version: number } = body
  expect(await boss.patch('/data/organisation', { majorityAge: 21 }, match(version))).toMatchObject({
    status: 200,
    body: { majorityAge: 21 },
  })
  expect(await as(ann).get(`/data/people/${grown.personId}`)).toMatchObject({ status: 404 })
  expect(await relate(boss, types['guardian'], ann, grown)).toMatchObject({ status: 201 })
  expect(await as(ann).get(`/data/people/${grown.personId}`)).toMatchObject({ status: 200 })
  await boss.patch('/data/organisation', { majorityAge: 18 }, match(version + 1))
  const { rows } = await admin.query(
    'select minor_until <= current_date or minor_until is null as of_age from app.people where org_id = $1 and id = $2',
    [orgId, grown.personId],
  )
  expect(rows).toEqual([{ of_age: true }])
  expect(await as(ann).get('/data/family')).toMatchObject({ body: { items: [] } })
})

describe('people', () => {
  test('who are merged take their relationships along; what the other has already, and what would lead to itself, is dropped', async ({
    cast: { types, boss, ann, ben, cleo, someone },
    admin,
  }) => {
    const [gone, top] = [await someone('Gone'), await someone('Top')]
    await relate(boss, types['mentor'], top, gone)
    await relate(boss, types['mentor'], top, ann)
    await relate(boss, types['mentor'], ann, gone)
    await relate(boss, types['lineage'], gone, ben)
    await relate(boss, types['lineage'], cleo, gone)
    await admin.query(`update app.people set lifecycle = 'merged', merged_into = $2 where id = $1`, [gone.personId, ann.personId])
    expect(await list(boss, `?personId=${gone.personId}`)).toEqual([])
    const { rows } = await admin.query<{ pair: string }>(
      `select concat(t.key, ' ', f.given_name, ' ', s.given_name) as pair from app.relationships r join app.relationship_types t on t.id = r.type_id
       join app.people f on f.id = r.from_person_id join app.people s on s.id = r.to_person_id where r.org_id = $1 order by 1`,
      [ann.orgId],
    )
    expect(rows.map(({ pair }) => pair)).toEqual(['lineage Ann Ben', 'lineage Cleo Ann', 'mentor Top Ann'])
  })

  test('who are erased leave none, and history tells who saw the relationship what became of it', async ({
    cast: { types, boss, ann, ben, as },
    admin,
  }) => {
    const recorded = made(await relate(boss, types['mentor'], ann, ben, { note: 'Private words' }))
    await step(boss, recorded, 'end')
    const entries = async (client: Client, personId: string | null) =>
      (
        (await client.get(`/data/people/${personId}/history`)).body as {
          items: { entity: string; action: string; subject: string | null }[]
        }
      ).items
        .filter(({ entity }) => entity === 'relationships')
        .map(({ action, subject }) => `${action} ${subject}`)
    expect(await entries(boss, ben.personId)).toEqual([
      'update Mentor and mentee: Ann Vale, Ben Vale',
      'create Mentor and mentee: Ann Vale, Ben Vale',
    ])
    expect((await entries(boss, ann.personId)).length).toBe(2)
    expect((await entries(as(ann), ann.personId)).length).toBe(2)
    const { rows } = await admin.query(
      `select from app.audit_entries where entity = 'relationships' and org_id = $1 and diff::text like '%Private%'`,
      [ann.orgId],
    )
    expect(rows.length).toBe(0)
    await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [ben.personId])
    expect(await list(boss)).toEqual([])
  })

  test('stand in a small picture with those around them, two steps far', async ({ cast: { types, boss, ann, ben, cleo, as, someone } }) => {
    const far = await someone('Far')
    await relate(boss, types['lineage'], ann, ben)
    await relate(boss, types['lineage'], ben, cleo)
    await relate(boss, types['lineage'], cleo, far)
    const graph = (await boss.get(`/data/people/${ann.personId}/relationship-graph`)).body as {
      people: { person: { displayName: string }; isCentre: boolean }[]
      links: unknown[]
      isCut: boolean
    }
    expect(graph.people.map(({ person, isCentre }) => [person.displayName, isCentre])).toEqual([
      ['Ann Vale', true],
      ['Ben Vale', false],
      ['Cleo Vale', false],
    ])
    expect([graph.links.length, graph.isCut]).toEqual([2, false])
    expect(await as(cleo).get(`/data/people/${ann.personId}/relationship-graph`)).toMatchObject({ status: 200, body: { links: [] } })
  })
})
