import { describe, expect } from 'vitest'
import { test as base } from '../../../testing.ts'
import { act, addConnection, addRun, change, connectionStage, readConnection } from './integrations.connections.testing.ts'
import type { Stage } from './integrations.connections.testing.ts'

const test = base.extend<{ stage: Stage }>({
  stage: async ({ organisation, chapter, person }, use) => use(await connectionStage({ organisation, chapter, person })),
})
const namesOf = ({ body }: { body: never }) => (body as { items: { name: string }[] }).items.map(({ name }) => name)

describe('who sees which', () => {
  test('chapters see their own, mail and payments are seen by who writes messages and reads finance, members see none', async ({
    api,
    admin,
    stage,
  }) => {
    await addConnection(admin, stage, { name: 'All' })
    await addConnection(admin, stage, { name: 'Of the west', chapter_id: stage.west })
    await addConnection(admin, stage, { name: 'Of the east', chapter_id: stage.east })
    const mail = await addConnection(admin, stage, { name: 'Mail', category: 'email', settings: { user: 'hidden-user' } })
    await addConnection(admin, stage, { name: 'Cards', category: 'payments' })
    const list = async (who: Stage[keyof Omit<Stage, 'org' | 'west' | 'east'>]) => namesOf(await api.as(who).get('/data/connections'))
    expect(await list(stage.admin)).toEqual(['All', 'Cards', 'Mail', 'Of the east', 'Of the west'])
    expect(await list(stage.officer)).toEqual(['Of the west'])
    expect(await list(stage.mailer)).toEqual(['Mail'])
    expect(await list(stage.treasurer)).toEqual(['Cards'])
    expect(await list(stage.member)).toEqual([])
    const seen = await api.as(stage.mailer).get(`/data/connections/${mail}`)
    expect(seen).toMatchObject({ status: 200, body: { settings: {}, may: { manage: false } } })
    expect(seen.text).not.toContain('hidden-user')
    expect(await api.as(stage.mailer).get(`/data/connections/${mail}/errors`)).toMatchObject({ status: 403 })
    expect(await api.as(stage.treasurer).get(`/data/connections/${mail}`)).toMatchObject({ status: 404 })
    expect(await act(api.as(stage.mailer), mail, 'pause')).toMatchObject({ status: 403 })
  })

  test('an officer connects only within the own chapter', async ({ api, stage }) => {
    const connect = (chapterId: string | null) =>
      api.as(stage.officer).post('/actions/connections', { connector: 'sandbox', name: 'Try', chapterId })
    expect((await connect(stage.east)).status).toBe(403)
    expect((await connect(null)).status).toBe(403)
    expect(await connect(stage.west)).toMatchObject({ status: 201, body: { state: 'connected', slug: 'try', chapter: { id: stage.west } } })
    // The second of the same name has an address of its own.
    expect(await connect(stage.west)).toMatchObject({ status: 201, body: { slug: 'try-2' } })
  })
})

describe('settings and secrets', () => {
  test('every fault is named at once, and nothing is kept', async ({ api, stage }) => {
    const settings = { address: 'http://example.org/list.csv', separator: '#', pages: 3 }
    const answer = await api
      .as(stage.admin)
      .post('/actions/connections', { connector: 'sheet', name: 'Sheet', settings, secrets: { key: 'x' }, everyMinutes: 60 })
    expect(answer).toMatchObject({ status: 422 })
    expect((answer.body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => [path, code])).toEqual([
      ['settings.address', 'not_https'],
      ['settings.separator', 'setting_choice'],
      ['settings.pages', 'setting_unknown'],
      ['secrets.key', 'setting_unknown'],
    ])
    expect(namesOf(await api.as(stage.admin).get('/data/connections'))).toEqual([])
    expect(
      await api.as(stage.admin).post('/actions/connections', {
        connector: 'chat',
        name: 'Chat',
        secrets: { address: 'https://chat.example.org/x' },
        everyMinutes: 60,
      }),
    ).toMatchObject({
      status: 422,
      body: { reason: 'connection_no_runs' },
    })
    expect(await api.as(stage.admin).post('/actions/connections', { connector: 'stripe', name: 'Cards' })).toMatchObject({
      status: 409,
      body: { reason: 'connection_by_itself' },
    })
  })

  test('a secret is written, never read, sealed where it is kept, and deleted when it is disconnected', async ({ api, admin, stage }) => {
    const connectionId = await addConnection(admin, stage, {
      connector: 'listmonk',
      category: 'email',
      settings: { address: 'https://lists.example.org', user: 'u', list: 'l' },
    })
    const client = api.as(stage.admin)
    expect(await change(client, connectionId, { secrets: {} })).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'secrets.token', code: 'setting_needed' }] },
    })
    const before = await readConnection(client, connectionId)
    const answer = await change(client, connectionId, { secrets: { token: 'very-secret-token' } })
    expect(answer).toMatchObject({ status: 200, body: { version: before.version + 1, secrets: [{ name: 'token' }] } })
    expect(answer.text).not.toContain('very-secret')
    const kept = await admin.query<{ sealed: Buffer }>('select sealed from app.connection_secrets where connection_id = $1', [connectionId])
    expect(kept.rows[0]?.sealed.includes('very-secret')).toBe(false)
    const told = await admin.query('select diff::text from app.audit_entries where org_id = $1 and diff::text like any ($2)', [
      stage.org.id,
      ['%very-secret%', '%lists.example.org%', '%sealed%'],
    ])
    expect(told.rows).toEqual([])
    expect(await act(client, connectionId, 'disconnect')).toMatchObject({
      status: 200,
      body: { state: 'disconnected', secrets: [], records: 0 },
    })
    expect(await act(client, connectionId, 'disconnect')).toMatchObject({ status: 409, body: { reason: 'connection_state' } })
    // New secrets let it be connected again, with all that is tied to it.
    expect(await change(client, connectionId, { secrets: { token: 'another' } })).toMatchObject({
      status: 200,
      body: { state: 'connecting' },
    })
  })

  test('a secret is not sent to another host than it was given for', async ({ api, admin, stage }) => {
    const settings = { address: 'https://lists.example.org', user: 'u', list: 'l' }
    const connectionId = await addConnection(admin, stage, { connector: 'listmonk', category: 'email', settings })
    const client = api.as(stage.admin)
    await change(client, connectionId, { secrets: { token: 'very-secret-token' } })
    const named = (address: string, more = {}) => change(client, connectionId, { settings: { ...settings, address }, ...more })
    expect(await named('https://lists.example.org/admin')).toMatchObject({ status: 200, body: { secrets: [{ name: 'token' }] } })
    expect(await named('https://evil.example')).toMatchObject({ status: 200, body: { secrets: [] } })
    expect(await named('https://lists.example.org', { secrets: { token: 'another' } })).toMatchObject({
      status: 200,
      body: { secrets: [{ name: 'token' }] },
    })
  })

  test('who changes where data go becomes the owner, and nobody else can be made one', async ({ api, admin, stage }) => {
    const connectionId = await addConnection(admin, stage, { chapter_id: stage.west, owner_account_id: stage.admin.accountId })
    const owner = async () =>
      (await admin.query<{ owner: string }>('select owner_account_id as owner from app.connections where id = $1', [connectionId])).rows[0]
        ?.owner
    const officer = api.as(stage.officer)
    expect((await change(officer, connectionId, { name: 'Renamed' })).status).toBe(200)
    expect(await owner()).toBe(stage.admin.accountId)
    expect((await change(officer, connectionId, { settings: { people: 5 } })).status).toBe(200)
    expect(await owner()).toBe(stage.officer.accountId)
    expect(await change(officer, connectionId, { ownerAccountId: stage.admin.accountId })).toMatchObject({
      status: 422,
      body: { reason: 'connection_owner' },
    })
    expect((await change(api.as(stage.admin), connectionId, { ownerAccountId: stage.admin.accountId })).status).toBe(200)
    expect(await owner()).toBe(stage.admin.accountId)
    expect(
      (
        await change(
          officer,
          connectionId,
          { mapping: [{ ours: 'givenName', theirs: 'first', direction: 'in', rule: 'review' }] },
          '/mapping',
        )
      ).status,
    ).toBe(200)
    expect(await owner()).toBe(stage.officer.accountId)
  })
})

describe('mapping', () => {
  test('two of theirs into one of ours are refused, as are unknown fields, wrong directions and fields that the caller does not see', async ({
    api,
    admin,
    stage,
    person,
  }) => {
    const connectionId = await addConnection(admin, stage, { connector: 'sheet' })
    const set = (mapping: unknown[], more = {}, who = stage.admin) => change(api.as(who), connectionId, { mapping, ...more }, '/mapping')
    const field = (ours: string, theirs: string, direction = 'in') => ({ ours, theirs, direction, rule: 'automatic' })
    const faults = async (answer: ReturnType<typeof set>) =>
      ((await answer).body as { errors: { path: string; code: string }[] }).errors.map(({ path, code }) => `${path} ${code}`)
    expect(
      await faults(
        set([field('givenName', 'First'), field('givenName', 'Second'), field('shoeSize', 'Shoe'), field('city', 'City', 'out')], {
          matchBy: 'city',
        }),
      ),
    ).toEqual([
      'mapping.1.ours mapping_field_twice',
      'mapping.2.ours mapping_field_unknown',
      'mapping.3.direction mapping_direction',
      'matchBy mapping_match',
    ])
    const both = await addConnection(admin, stage)
    const twice = [field('givenName', 'Name', 'out'), field('familyName', 'Name', 'both')]
    expect(await change(api.as(stage.admin), both, { mapping: twice }, '/mapping')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'mapping.1.theirs' }] },
    })

    expect(await set([field('givenName', 'First')], { matchBy: 'memberNo' })).toMatchObject({
      status: 200,
      body: { mapping: [{ ours: 'givenName' }], matchBy: 'memberNo', onMissing: 'leave' },
    })
    expect(await readConnection(api.as(stage.admin), connectionId)).toMatchObject({ needsDryRun: true })
    await admin.query('update app.connections set dry_run_of = mapping_version where id = $1', [connectionId])
    expect(await readConnection(api.as(stage.admin), connectionId)).toMatchObject({ needsDryRun: false })
    await set([field('givenName', 'Given')])
    expect(await readConnection(api.as(stage.admin), connectionId)).toMatchObject({ needsDryRun: true })

    const { rows } = await admin.query<{ id: string }>(
      `insert into app.roles (org_id, key, name, custom) values ($1, 'connector', 'Connector', true) returning id`,
      [stage.org.id],
    )
    await admin.query(
      `insert into app.role_permissions (org_id, role_id, permission) select $1, $2, unnest(array['integrations.manage', 'people.directory', 'people.write'])`,
      [stage.org.id, rows[0]?.id],
    )
    const other = await person({ org: stage.org, grants: [{ role: 'connector' }] })
    expect(await faults(set([field('givenName', 'First'), field('primaryEmail', 'Mail'), field('birthDate', 'Born')], {}, other))).toEqual([
      'mapping.1.ours mapping_field_hidden',
      'mapping.2.ours mapping_field_hidden',
    ])
  })
})

describe('states', () => {
  test('pausing stops the run that is under way, and resuming lets it run again at once', async ({ api, admin, stage }) => {
    const connectionId = await addConnection(admin, stage, { every_minutes: 60 })
    const runId = await addRun(admin, stage.org, connectionId)
    const client = api.as(stage.admin)
    expect(await act(client, connectionId, 'pause')).toMatchObject({ status: 200, body: { state: 'paused', nextRunAt: null } })
    expect(await client.get(`/data/connections/${connectionId}/runs/${runId}`)).toMatchObject({ status: 200, body: { state: 'cancelled' } })
    expect(await act(client, connectionId, 'pause')).toMatchObject({ status: 409, body: { reason: 'connection_state' } })
    const { body }: { body: { nextRunAt: string | null } } = await act(client, connectionId, 'resume')
    expect(body).toMatchObject({ state: 'connected' })
    expect(Date.parse(body.nextRunAt ?? '')).toBeLessThanOrEqual(Date.now() + 1_000)
    expect(await client.post(`/data/connections/${connectionId}/pause`, {}, { 'if-match': '"1"' })).toMatchObject({ status: 412 })
  })

  test('the third run that fails in a row degrades it, its owner is told once, and one that works is the end of that', async ({
    api,
    admin,
    stage,
  }) => {
    const connectionId = await addConnection(admin, stage, { owner_account_id: stage.admin.accountId, every_minutes: 30 })
    const failure = { reason: 'sync_unreachable', detail: 'Away.' }
    const end = async (state: string, isFatal = false, more: { is_dry?: boolean } = {}) => {
      const runId = await addRun(admin, stage.org, connectionId, { state: 'running', ...more })
      const said = state === 'failed' ? JSON.stringify(failure) : null
      await admin.query('select app.note_run_end($1, $2, $3, $4, $5, $6)', [
        stage.org.id,
        runId,
        state,
        said,
        isFatal,
        JSON.stringify({ kind: 'connection-trouble', mail: 'instant', essential: true }),
      ])
      return readConnection(api.as(stage.admin), connectionId)
    }
    const told = async () =>
      (
        await admin.query<{ n: number }>(
          `select count(*)::int as n from app.notifications where account_id = $1 and kind = 'connection-trouble'`,
          [stage.admin.accountId],
        )
      ).rows[0]?.n
    expect(await end('failed')).toMatchObject({ state: 'connected', failure: null })
    expect(await end('failed')).toMatchObject({ state: 'connected' })
    expect(await told()).toBe(0)
    expect(await end('failed')).toMatchObject({ state: 'degraded', failure })
    expect(await end('failed')).toMatchObject({ state: 'degraded', failure })
    expect(await told()).toBe(1)
    expect(await end('succeeded', false, { is_dry: true })).toMatchObject({ state: 'degraded', needsDryRun: false })
    const well = await end('partial')
    expect(well).toMatchObject({
      state: 'connected',
      failure: null,
      strip: expect.arrayContaining([expect.objectContaining({ runs: 5, failed: 4 })]),
    })
    expect(well.strip).toHaveLength(14)
    expect(await end('failed', true)).toMatchObject({ state: 'error', nextRunAt: null })
    expect(await told()).toBe(2)
  })
})
