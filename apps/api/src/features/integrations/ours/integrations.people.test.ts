import type { FieldMapping, SyncChange } from '@guildhall/contract/features/integrations'
import { describe, expect } from 'vitest'
import { bothWays, directoryConnector, test } from '../engine/integrations.engine.testing.ts'
import type { Synced } from '../engine/integrations.engine.testing.ts'

const note: FieldMapping = { ours: 'field:note', theirs: 'note', direction: 'both', rule: 'automatic' }
async function withNote(synced: Synced, more: Record<string, unknown> = {}) {
  const field = { recordType: 'people', key: 'note', label: 'Note', type: 'text', audience: 'officers', ...more }
  const made: { status: number; body: { id: string } } = await synced.boss.post('/data/fields', field)
  expect(made.status).toBe(201)
  await synced.map([...bothWays, note])
  return made.body.id
}

test('two rows of one of ours are that one and a row that failed, and the others come', async ({ synced, person, admin }) => {
  const { org, there } = synced
  const { personId: id } = await person({ org, givenName: 'Ada', familyName: 'Lake', email: 'ada@example.org' })
  await admin.query(`insert into app.person_emails (org_id, person_id, address) values ($1, $2, 'ada@work.example.org')`, [org.id, id])
  there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org' })
  there.add({ first: 'Ada', last: 'Lake', mail: 'ada@work.example.org' })
  there.add({ first: 'Ben', last: 'Moor', mail: 'ben@example.org' })
  const dry = await synced.run({ isDry: true })
  expect(dry).toMatchObject({ state: 'partial', in: { read: 3, created: 1, failed: 1 } })
  expect(await synced.run()).toMatchObject({ state: 'partial', in: dry.in })
  expect(await synced.errors()).toMatchObject([{ row: 'p000002', code: 'twice' }])
})

test('two rows with one external id fail in the dry run as they do after it', async ({ connect }) => {
  const synced = await connect({ pageSize: 1 })
  await synced.map([...bothWays, { ours: 'externalId', theirs: 'number', direction: 'in', rule: 'automatic' }])
  for (const name of ['ada', 'ben']) synced.there.add({ first: name, last: 'Lake', mail: `${name}@example.org`, number: '7' })
  const dry = await synced.run({ isDry: true })
  expect(dry).toMatchObject({ in: { created: 1, failed: 1 } })
  expect(await synced.run()).toMatchObject({ in: dry.in })
})

test('what is kept from the owner about themselves is left alone on both sides', async ({ connect, organisation, person, admin }) => {
  const org = await organisation()
  const owner = await person({
    org,
    idpRoles: ['org-owner'],
    chapterId: org.rootChapterId,
    givenName: 'Olga',
    familyName: 'Lake',
    email: 'olga@example.org',
  })
  const synced = await connect({ org, owner })
  const fieldId = await withNote(synced)
  const put = (value: string) =>
    admin.query('insert into app.people_field_values (org_id, person_id, field_id, value) values ($1, $2, $3, $4)', [
      org.id,
      owner.personId,
      fieldId,
      value,
    ])
  await put('Ours')
  const olga = synced.there.add({ first: 'Olga', last: 'Lake', mail: 'olga@example.org', note: 'Theirs' })
  await synced.run({ isDry: true })
  expect(await synced.run()).toMatchObject({ state: 'succeeded', in: { unchanged: 1, conflicts: 0, failed: 0 } })
  expect(olga.values['note']).toBe('Theirs')
  const { rows } = await admin.query('select value from app.people_field_values where org_id = $1', [org.id])
  expect(rows).toEqual([{ value: 'Ours' }])
})

test('what the owner no longer sees of people is left alone on the other side', async ({ synced, admin }) => {
  const { org, there, owner } = synced
  await synced.map([...bothWays, { ours: 'externalId', theirs: 'number', direction: 'both', rule: 'automatic' }])
  const ada = there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org', town: 'Bonn', groups: 'Board', number: '7' })
  await synced.run({ isDry: true })
  await synced.run()
  const { body } = await synced.start()
  await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [owner.accountId])
  await admin.query(
    `with made as (insert into app.roles (org_id, key, name, custom) values ($1, 'links', 'Links', true) returning id),
      may as (insert into app.role_permissions (org_id, role_id, permission) select $1, id, unnest(array['integrations.manage', 'people.directory']) from made)
     insert into app.grants (org_id, account_id, role_id, scope_kind) select $1, $2, id, 'org' from made`,
    [org.id, owner.accountId],
  )
  const before = { ...ada.values }
  await synced.work(body.id)
  expect(await synced.read(body.id)).toMatchObject({ state: 'succeeded', in: { unchanged: 1 } })
  expect(ada.values).toEqual(before)
})

test('a value that people must have is not emptied by an empty one there', async ({ synced }) => {
  await withNote(synced, { required: true })
  const ada = synced.there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org', note: 'Kept' })
  await synced.run({ isDry: true })
  await synced.run()
  ada.values['note'] = null
  expect(await synced.run()).toMatchObject({ in: { failed: 1 } })
  expect(await synced.errors()).toMatchObject([{ code: 'missing' }])
})

test('tags that were given while a change of tags waited stay when it is accepted', async ({ synced, admin }) => {
  const { org, there, boss, connectionId } = synced
  await synced.map(bothWays.map((field): FieldMapping => (field.ours === 'tags' ? { ...field, rule: 'review' } : field)))
  const ada = there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org', groups: null })
  await synced.run({ isDry: true })
  await synced.run()
  ada.values['groups'] = 'Choir'
  await synced.run()
  await admin.query(
    `with made as (insert into app.tags (org_id, name) values ($1, 'Board') returning id)
     insert into app.person_tags (org_id, person_id, tag_id) select $1, p.id, made.id from app.people p, made where p.org_id = $1 and p.given_name = 'Ada'`,
    [org.id],
  )
  const { body }: { body: { items: SyncChange[] } } = await boss.get(`/data/connections/${connectionId}/changes`)
  const [change] = body.items
  const decided = await boss.post(
    `/data/connections/${connectionId}/changes/${change?.id ?? ''}/decide`,
    { accept: true },
    { 'if-match': `"${change?.version ?? 0}"` },
  )
  expect(decided).toMatchObject({ status: 200 })
  expect(await synced.people()).toMatchObject([{ tags: 'Board; Choir' }])
})

describe('a row that failed', () => {
  test('for what is in it leaves the others alone, however large it is', async ({ synced }) => {
    synced.there.add({
      first: 'Ada',
      last: 'Lake',
      mail: 'ada@example.org',
      groups: Array.from({ length: 9_000 }, (_n, at) => `T${at}`).join(', '),
    })
    synced.there.add({ first: 'Ben', last: 'Lake', mail: 'ben@example.org' })
    await synced.run({ isDry: true })
    expect(await synced.run()).toMatchObject({ state: 'partial', in: { created: 1, failed: 1 } })
  })

  test('and is not there any more is settled by the next pass, or when it is tried again', async ({ synced }) => {
    const { there } = synced
    const wrong = ['x', 'y'].map((mail) => there.add({ first: 'Ada', last: 'Lake', mail }))
    await synced.run({ isDry: true })
    const { id } = await synced.run()
    expect(await synced.errors()).toHaveLength(2)
    there.rows.delete(wrong[0]?.id ?? '')
    expect(await synced.run({ retryRunId: id })).toMatchObject({ in: { read: 1, failed: 1 } })
    expect(await synced.errors()).toMatchObject([{ row: wrong[1]?.id }])
    there.rows.delete(wrong[1]?.id ?? '')
    await synced.run()
    expect(await synced.errors()).toEqual([])
  })
})

test('who is gone there is planned to be removed once', async ({ synced }) => {
  const { there } = synced
  await synced.map(bothWays, { onMissing: 'ask' })
  there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org' })
  await synced.run({ isDry: true })
  await synced.run()
  const connector = directoryConnector(there)
  const { id } = await synced.run(
    { isDry: true },
    {
      connectorOf: () => ({
        ...connector,
        pull: async (reach, cursor, mark) => {
          const page = await connector.pull?.(reach, cursor, mark)
          return { bad: [], cursor: null, total: null, ...page, rows: (page?.rows ?? []).map((row) => ({ ...row, isGone: true })) }
        },
      }),
    },
  )
  expect((await synced.changes(id)).map(({ kind }) => kind)).toEqual(['remove'])
})

test('a field that the other side has under another name now stops a run before it writes', async ({ synced, person, admin }) => {
  const { org, there, connectionId } = synced
  await person({ org, givenName: 'Ada', familyName: 'Lake', email: 'ada@example.org' })
  await synced.run({ isDry: true })
  there.add({ first: 'Ada', last: 'Lake', mail: null, email: 'ada@example.org' })
  const connector = directoryConnector(there)
  const columns = ['first', 'last', 'email', 'town', 'groups']
  const renamed = () =>
    synced.run(
      {},
      {
        connectorOf: () => ({
          ...connector,
          pull: async (reach, cursor, mark) => {
            const page = await connector.pull?.(reach, cursor, mark)
            return { rows: [], bad: [], cursor: null, total: null, ...page, columns }
          },
        }),
      },
    )
  expect(await renamed()).toMatchObject({
    state: 'failed',
    failure: { reason: 'sync_bad_answer', detail: expect.stringContaining('“mail”') },
  })
  expect(await synced.people()).toHaveLength(1)
  // The third time its owner is told.
  for (let at = 0; at < 2; at += 1) await renamed()
  const { rows } = await admin.query('select state from app.connections where id = $1', [connectionId])
  const told = await admin.query(`select from app.notifications where org_id = $1 and kind = 'connection-trouble'`, [org.id])
  expect([rows, told.rows.length]).toEqual([[{ state: 'degraded' }], 1])
})
