import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setStage } from './stage.ts'
import type { Place, Role, Stage } from './stage.ts'

let stage: Stage
const connections = new Map<Place, string>()
const topics: Record<string, string> = {}
beforeAll(async () => {
  stage = await setStage()
  for (const place of [stage.west, stage.east, stage.foreign])
    connections.set(
      place,
      await one(
        `insert into app.connections (org_id, connector, category, name, chapter_id, state, syncs) values ($1, 'listmonk', 'email', 'Letters', $2, 'connected', true) returning id`,
        [place.orgId, place.chapter],
      ),
    )
  for (const [name, set] of Object.entries({ news: `'out', false`, asked: `'out', true`, usual: `'in', false` }))
    topics[name] = await one(
      `insert into app.topics (org_id, name, kind, default_opt, confirm) select $1, $2, 'marketing', ${set} returning id`,
      [stage.west.orgId, name],
    )
})
afterAll(() => stage.end())

const one = async (text: string, values: unknown[]) => (await stage.admin.query<{ id: string }>(text, values)).rows[0]?.id ?? ''
const topic = (name: string) => topics[name] ?? ''

/** Somebody of a chapter with an address of their own. */
async function member(place: Place = stage.west): Promise<string> {
  const id = await one(`insert into app.people (org_id, given_name) values ($1, 'Some') returning id`, [place.orgId])
  await stage.admin.query(
    `with a as (insert into app.affiliations (org_id, person_id, chapter_id, starts_on, is_primary) values ($1, $2, $3, '2020-01-01', true))
     insert into app.person_emails (org_id, person_id, address, is_primary) values ($1, $2, $2 || '@example.org', true)`,
    [place.orgId, id, place.chapter],
  )
  return id
}
const consent = (person: string, state: string, name = 'news') =>
  stage.admin.query(`insert into app.consents (org_id, person_id, topic_id, state, source) values ($1, $2, $3, $4, 'officer')`, [
    stage.west.orgId,
    person,
    topic(name),
    state,
  ])
const suppress = (address: string, reason: string) =>
  stage.admin.query(
    `insert into app.mail_suppressions (org_id, address_hash, reason, source) values ($1, encode(sha256(convert_to(lower($2), 'UTF8')), 'hex'), $3, 'test')`,
    [stage.west.orgId, address, reason],
  )

type Said = { person_id: string; says: string | null }
const asked = (role: Role, name: string | null, people: string[]) =>
  stage.database.asActor(stage.actors[role], async (db) => {
    const { rows } = await sql<Said>`select * from app.connection_consents(${name && topic(name)}::uuid, ${people}::uuid[])`.execute(db)
    return Object.fromEntries(rows.map(({ person_id, says }) => [person_id, says]))
  })
const taken = (role: Role, place: Place, name: string, changes: [string, boolean][]) =>
  stage.database.asActor(stage.actors[role], async (db) => {
    const { rows } = await sql<Said>`select * from app.consents_from_connection(${connections.get(place) ?? ''}::uuid, ${topic(name)}::uuid,
      ${changes.map(([person]) => person)}::uuid[], ${changes.map(([, wanted]) => wanted)}::boolean[])`.execute(db)
    return Object.fromEntries(rows.map(({ person_id, says }) => [person_id, says]))
  })
const stored = async (person: string, name = 'news') => {
  const { rows } = await stage.admin.query<{ state: string; source: string; proof: object; by_account_id: string | null }>(
    'select state, source, proof, by_account_id from app.consents where person_id = $1 and topic_id = $2',
    [person, topic(name)],
  )
  return rows[0]
}

describe('what people say about a topic', () => {
  test('is yes only of whom mail about it reaches, on all of their addresses', async () => {
    const [yes, never, left, waits, paused, shy, bounced] = await Promise.all(Array.from({ length: 7 }, () => member()))
    if (!yes || !never || !left || !waits || !paused || !shy || !bounced) throw new Error('seven people')
    for (const person of [yes, paused, shy, bounced]) await consent(person, 'subscribed')
    await consent(left, 'unsubscribed')
    await consent(waits, 'pending')
    const { orgId } = stage.west
    await stage.admin.query(
      `insert into app.mail_preferences (org_id, person_id, paused_until) values ($1, $2, now() + interval '1 week')`,
      [orgId, paused],
    )
    await stage.admin.query('update app.people set do_not_contact = true where id = $1', [shy])
    await stage.admin.query(`insert into app.person_emails (org_id, person_id, address) values ($1, $2, $3)`, [
      orgId,
      bounced,
      `${bounced}@bounces.example`,
    ])
    await suppress(`${bounced}@bounces.example`, 'hard_bounce')
    const people = [yes, never, left, waits, paused, shy, bounced]
    expect(await asked('admin', 'news', people)).toEqual({
      ...{ [yes]: 'yes', [never]: null, [left]: 'no', [waits]: null },
      ...{ [paused]: 'no', [shy]: 'no', [bounced]: 'no' },
    })
    expect(await asked('admin', 'usual', [never, shy])).toEqual({ [never]: 'yes', [shy]: 'no' })
    expect(await asked('admin', null, people)).toEqual({
      ...{ [yes]: 'yes', [never]: 'yes', [left]: 'yes', [waits]: 'yes' },
      ...{ [paused]: 'no', [shy]: 'no', [bounced]: 'no' },
    })
  })

  test('is told of people whom the actor may contact', async () => {
    const [here, there] = [await member(), await member(stage.east)]
    expect(await asked('officer', 'news', [here, there])).toEqual({ [here]: null })
    for (const role of ['member', 'guest', 'stranger'] as const) expect(await asked(role, 'news', [here, there]), role).toEqual({})
  })
})

describe('what people said in a connected system', () => {
  test('an unsubscription always counts, with the connection as its source', async () => {
    const [subscribed, never] = [await member(), await member()]
    await consent(subscribed, 'subscribed')
    expect(
      await taken('officer', stage.west, 'news', [
        [subscribed, false],
        [never, false],
      ]),
    ).toEqual({ [subscribed]: 'no', [never]: 'no' })
    const proof = { note: 'Letters', connection: connections.get(stage.west), connector: 'listmonk' }
    for (const person of [subscribed, never])
      expect(await stored(person)).toEqual({ state: 'unsubscribed', source: 'connection', proof, by_account_id: null })
  })

  test('a subscription counts of who never chose, of a topic without confirmation', async () => {
    const [never, left, waits, shy] = await Promise.all(Array.from({ length: 4 }, () => member()))
    if (!never || !left || !waits || !shy) throw new Error('four people')
    await consent(left, 'unsubscribed')
    await consent(waits, 'pending')
    await stage.admin.query('update app.people set do_not_contact = true where id = $1', [shy])
    const all = [never, left, waits, shy].map((person): [string, boolean] => [person, true])
    expect(await taken('officer', stage.west, 'news', all)).toEqual({ [never]: 'yes', [left]: 'no', [waits]: null, [shy]: 'no' })
    expect([(await stored(never))?.source, (await stored(left))?.state, (await stored(waits))?.state, await stored(shy)]).toEqual([
      'connection',
      'unsubscribed',
      'pending',
      undefined,
    ])
    expect(await taken('officer', stage.west, 'asked', [[never, true]])).toEqual({ [never]: null })
    const { rows } = await stage.admin.query(`select 1 from app.mail_messages where person_id = $1`, [never])
    expect(rows).toEqual([])
  })

  test('is taken by who manages the connection, of people in reach or tied to it', async () => {
    const [out, tied, gone] = [await member(stage.east), await member(stage.east), await member()]
    await stage.admin.query(
      `insert into app.external_refs (org_id, connection_id, entity, person_id, external_id) values ($1, $2, 'person', $3, '7')`,
      [stage.west.orgId, connections.get(stage.west), tied],
    )
    await stage.admin.query(`update app.people set lifecycle = 'deceased' where id = $1`, [gone])
    await taken('officer', stage.west, 'news', [
      [out, false],
      [tied, false],
      [gone, false],
    ])
    expect([await stored(out), (await stored(tied))?.state, await stored(gone)]).toEqual([undefined, 'unsubscribed', undefined])
    for (const role of ['member', 'communications', 'stranger'] as const)
      await expect(taken(role, stage.west, 'news', [[out, false]]), role).rejects.toMatchObject({ code: '42501' })
    await expect(taken('officer', stage.east, 'news', [[tied, false]])).rejects.toMatchObject({ code: '42501' })
  })
})
