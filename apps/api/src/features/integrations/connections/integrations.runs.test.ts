import { describe, expect } from 'vitest'
import type pg from 'pg'
import { test as base } from '../../../testing.ts'
import type { TestPerson } from '../../../testing.ts'
import { addConnection, addRun, connectionStage } from './integrations.connections.testing.ts'
import type { Stage } from './integrations.connections.testing.ts'

type Ran = Stage & { connectionId: string; runId: string; someone: TestPerson }
const test = base.extend<{ stage: Ran }>({
  stage: async ({ organisation, chapter, person, admin }, use) => {
    const stage = await connectionStage({ organisation, chapter, person })
    const someone = await person({ org: stage.org, chapterId: stage.west, givenName: 'Ada', familyName: 'Vale', email: 'ada@example.org' })
    const mapping = [
      { ours: 'familyName', theirs: 'last_name', direction: 'in', rule: 'review' },
      { ours: 'birthDate', theirs: 'born', direction: 'in', rule: 'review' },
    ]
    const connectionId = await addConnection(admin, stage, { chapter_id: stage.west, mapping, owner_account_id: stage.admin.accountId })
    const runId = await addRun(admin, stage.org, connectionId, { state: 'partial', finished_at: new Date() })
    await use({ ...stage, connectionId, runId, someone })
  },
})

const tie = (admin: pg.Pool, { org, connectionId, runId, someone }: Ran, values: Record<string, string>) =>
  admin.query(
    `insert into app.external_refs (org_id, connection_id, entity, person_id, external_id, agreed) values ($1, $2, 'person', $3, 'their-1', $4)`,
    [
      org.id,
      connectionId,
      someone.personId,
      JSON.stringify(
        Object.fromEntries(
          Object.entries(values).map(([field, value]) => [field, { value, at: '2026-11-01T09:00:00Z', run: runId, direction: 'in' }]),
        ),
      ),
    ],
  )
const waiting = async (admin: pg.Pool, { org, connectionId, runId, someone }: Ran, fields: unknown[]) =>
  (
    await admin.query<{ id: string }>(
      `insert into app.sync_changes (org_id, connection_id, run_id, direction, kind, state, entity, person_id, external_id, name, fields)
       values ($1, $2, $3, 'in', 'update', 'waiting', 'person', $4, 'their-1', 'Ada', $5) returning id`,
      [org.id, connectionId, runId, someone.personId, JSON.stringify(fields)],
    )
  ).rows[0]?.id ?? ''

describe('changes that wait', () => {
  test('are decided once: accepted ones are written with the rights of who decides, refused ones are not', async ({
    api,
    admin,
    stage,
  }) => {
    await tie(admin, stage, { familyName: 'Vale' })
    const changeId = await waiting(admin, stage, [{ field: 'familyName', before: 'Vale', after: 'Dale' }])
    const client = api.as(stage.officer)
    const of = `/data/connections/${stage.connectionId}/changes`
    expect(await client.get(of)).toMatchObject({
      status: 200,
      body: { total: 1, items: [{ id: changeId, name: 'Ada Vale', fields: [{ field: 'familyName', before: 'Vale', after: 'Dale' }] }] },
    })
    expect(await client.post(`${of}/${changeId}/decide`, { accept: true }, { 'if-match': '"7"' })).toMatchObject({ status: 412 })
    expect(await client.post(`${of}/${changeId}/decide`, { accept: true }, { 'if-match': '"1"' })).toMatchObject({
      status: 200,
      body: { state: 'written', version: 2 },
    })
    expect(await client.post(`${of}/${changeId}/decide`, { accept: false }, { 'if-match': '"2"' })).toMatchObject({
      status: 409,
      body: { reason: 'change_decided' },
    })
    const name = async () =>
      (await admin.query<{ n: string }>('select family_name as n from app.people where id = $1', [stage.someone.personId])).rows[0]?.n
    expect(await name()).toBe('Dale')
    const second = await waiting(admin, stage, [{ field: 'familyName', before: 'Dale', after: 'Hale' }])
    expect(await client.post(`${of}/${second}/decide`, { accept: false }, { 'if-match': '"1"' })).toMatchObject({
      status: 200,
      body: { state: 'refused' },
    })
    expect(await name()).toBe('Dale')
    expect((await client.get(of)).body).toMatchObject({ items: [] })
  })

  test('show only fields of people whom the reader sees so far', async ({ api, admin, stage, person }) => {
    await waiting(admin, stage, [
      { field: 'familyName', before: 'Vale', after: 'Dale' },
      { field: 'primaryEmail', before: 'ada@example.org', after: 'other@example.org' },
      { field: 'birthDate', before: null, after: '1990-01-01' },
    ])
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.roles (org_id, key, name, custom) values ($1, 'connector', 'Connector', true) returning id`,
      [stage.org.id],
    )
    await admin.query(
      `insert into app.role_permissions (org_id, role_id, permission) select $1, $2, unnest(array['integrations.manage', 'people.directory'])`,
      [stage.org.id, rows[0]?.id],
    )
    const narrow = await person({ org: stage.org, grants: [{ role: 'connector' }] })
    const fields = async (who: TestPerson) => {
      const { body }: { body: { items: { fields: { field: string }[] }[] } } = await api
        .as(who)
        .get(`/data/connections/${stage.connectionId}/runs/${stage.runId}/changes`)
      return body.items.flatMap((item) => item.fields.map(({ field }) => field))
    }
    expect(await fields(narrow)).toEqual(['familyName'])
    expect(await fields(stage.officer)).toEqual(['familyName', 'primaryEmail'])
    expect(await fields(stage.admin)).toEqual(['familyName', 'primaryEmail', 'birthDate'])
  })
})

describe('rows that failed', () => {
  test('are found by cause, and ignored once', async ({ api, admin, stage }) => {
    for (const [row, code] of [
      ['1', 'bad_value'],
      ['2', 'bad_value'],
      ['3', 'ambiguous'],
    ])
      await admin.query(
        `insert into app.sync_errors (org_id, connection_id, run_id, direction, row, code, message) values ($1, $2, $3, 'in', $4, $5, 'No.')`,
        [stage.org.id, stage.connectionId, stage.runId, row, code],
      )
    const client = api.as(stage.officer)
    const of = `/data/connections/${stage.connectionId}/errors`
    const { body }: { body: { items: { id: string; row: string }[] } } = await client.get(`${of}?code=bad_value&limit=1`)
    expect(body).toMatchObject({
      total: 2,
      items: [{ row: '2' }],
      causes: [
        { code: 'bad_value', count: 2 },
        { code: 'ambiguous', count: 1 },
      ],
    })
    const ignore = (version: number) => client.post(`${of}/${body.items[0]?.id}/ignore`, {}, { 'if-match': `"${version}"` })
    expect(await ignore(1)).toMatchObject({ status: 200, body: { state: 'ignored', version: 2 } })
    expect(await ignore(2)).toMatchObject({ status: 409, body: { reason: 'sync_error_settled' } })
    expect((await client.get(`/data/connections/${stage.connectionId}`)).body).toMatchObject({ openErrors: 2 })
  })
})

describe('where a value came from', () => {
  test('is told to who sees the connection, the person and the field', async ({ api, admin, stage, person }) => {
    await tie(admin, stage, { familyName: 'Vale', primaryEmail: 'ada@example.org', birthDate: '1990-01-01' })
    const trace = async (who: TestPerson) => {
      const answer = await api.as(who).get(`/data/people/${stage.someone.personId}/value-trace`)
      const { fields }: { fields?: { field: string }[] } = answer.body
      return answer.status === 200 ? fields?.map(({ field }) => field) : answer.status
    }
    expect(await trace(stage.officer)).toEqual(['familyName', 'primaryEmail'])
    expect(await api.as(stage.admin).get(`/data/people/${stage.someone.personId}/value-trace`)).toMatchObject({
      status: 200,
      body: {
        fields: [
          { field: 'birthDate' },
          { field: 'familyName', value: 'Vale', direction: 'in', externalId: 'their-1', runId: stage.runId },
          { field: 'primaryEmail' },
        ],
      },
    })
    expect(await trace(stage.mailer)).toEqual([])
    // Of mail, who writes messages sees it, and of it what they see of people.
    await admin.query(`update app.connections set category = 'email' where id = $1`, [stage.connectionId])
    expect(await trace(stage.mailer)).toEqual(['familyName', 'primaryEmail'])
    expect(await trace(stage.member)).toEqual([])
    expect(await trace(await person())).toBe(404)
    // Of somebody who was erased nothing stays.
    await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [stage.someone.personId])
    const { rows } = await admin.query('select agreed, erased_at is not null as erased from app.external_refs where connection_id = $1', [
      stage.connectionId,
    ])
    expect(rows).toEqual([{ agreed: {}, erased: true }])
  })
})
