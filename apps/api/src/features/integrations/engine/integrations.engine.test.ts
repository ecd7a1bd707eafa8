import type { Connection, FieldMapping, SyncChange } from '@guildhall/contract/features/integrations'
import { describe, expect } from 'vitest'
import { purgeSync } from '../connections/integrations.states.queries.ts'
import { dueSyncs } from './integrations.due.jobs.ts'
import { bothWays, test } from './integrations.engine.testing.ts'
import type { Synced } from './integrations.engine.testing.ts'
import { createServices } from '../../../platform/services.ts'

const names = (changes: readonly SyncChange[], kind: string, direction = 'in') =>
  changes
    .filter((change) => change.kind === kind && change.direction === direction)
    .map(({ name }) => name)
    .sort()
const connectionOf = async ({ boss, connectionId }: Synced): Promise<Connection> =>
  (await boss.get(`/data/connections/${connectionId}`)).body
const decide = ({ boss, connectionId }: Synced, change: SyncChange | undefined, accept: boolean) =>
  boss.post(`/data/connections/${connectionId}/changes/${change?.id ?? ''}/decide`, { accept }, { 'if-match': `"${change?.version ?? 0}"` })
const waiting = async ({ boss, connectionId }: Synced): Promise<SyncChange[]> => {
  const { body }: { body: { items: SyncChange[] } } = await boss.get(`/data/connections/${connectionId}/changes`)
  return body.items
}
const quiet = { created: 0, updated: 0, conflicts: 0, failed: 0 }

describe('a run both ways', () => {
  test('does what its dry run said, and the next one finds nothing to do', async ({ synced, person }) => {
    const { org, there } = synced
    await person({ org, givenName: 'Ada', familyName: 'Lake', email: 'ada@example.org' })
    await person({ org, givenName: 'Ben', familyName: 'Moor', email: 'ben@example.org' })
    const ada = there.add({ first: 'Ada', last: 'Lake', mail: 'ADA@example.org ', town: 'Bonn', groups: 'Choir, Board' })
    there.add({ first: 'Cleo', last: 'Marsh', mail: 'cleo@example.org', town: 'Ulm' })
    there.add({ first: null, last: null, mail: 'nobody@example.org' })
    expect(await synced.start()).toMatchObject({ status: 409, body: { reason: 'sync_dry_run_first' } })

    const dry = await synced.run({ isDry: true })
    expect(dry).toMatchObject({ state: 'partial', in: { read: 3, created: 1, updated: 1, failed: 1 }, out: { created: 1, updated: 0 } })
    expect(there.rows.size).toBe(3)
    expect(await synced.people()).toHaveLength(2)
    const planned = await synced.changes(dry.id)
    expect(planned.every(({ state }) => state === 'planned')).toBe(true)

    const real = await synced.run()
    expect(real).toMatchObject({ state: 'partial', in: dry.in, out: dry.out })
    const written = await synced.changes(real.id)
    for (const kind of ['create', 'update', 'conflict'])
      for (const direction of ['in', 'out']) expect(names(written, kind, direction)).toEqual(names(planned, kind, direction))
    expect(await synced.people()).toMatchObject([
      { given: 'Ada', mail: 'ada@example.org', town: 'Bonn', tags: 'Board; Choir' },
      { given: 'Ben', mail: 'ben@example.org' },
      { given: 'Cleo', mail: 'cleo@example.org', town: 'Ulm' },
    ])
    expect(there.byMail('ben@example.org')?.values).toMatchObject({ first: 'Ben', last: 'Moor' })
    expect(await synced.errors()).toMatchObject([{ code: 'no_name', direction: 'in', row: 'p000003' }])

    const again = await synced.run()
    expect(again).toMatchObject({ in: { ...quiet, read: 4, unchanged: 3, failed: 1 }, out: quiet })
    expect(await synced.errors()).toHaveLength(1)
    expect(ada.version).toBe(1)
  })

  test('carries what changed on one side to the other, and asks where both did', async ({ synced, admin }) => {
    const { org, there } = synced
    const rows = ['ada', 'ben', 'cleo', 'dora'].map((name) =>
      there.add({ first: name, last: 'Lake', mail: `${name}@example.org`, town: 'Bonn' }),
    )
    await synced.run({ isDry: true })
    await synced.run()
    const [ada, ben, cleo] = rows
    if (!ada || !ben || !cleo) throw new Error('rows')
    ada.values['town'] = 'Trier'
    ben.values['mail'] = 'benjamin@example.org'
    ben.values['town'] = null
    cleo.values['town'] = 'Köln'
    const settle = (given: string, town: string) =>
      admin.query(
        `update app.person_contacts c set city = $3 from app.people p where p.id = c.person_id and p.org_id = $1 and p.given_name = $2`,
        [org.id, given, town],
      )
    await settle('dora', 'Worms')
    await settle('cleo', 'Ulm')
    const run = await synced.run()
    expect(run).toMatchObject({
      state: 'succeeded',
      in: { created: 0, updated: 2, conflicts: 1, unchanged: 1 },
      out: { created: 0, updated: 1 },
    })
    expect(await synced.people()).toMatchObject([
      { town: 'Trier' },
      { mail: 'benjamin@example.org', town: null },
      { town: 'Ulm' },
      { town: 'Worms' },
    ])
    expect(there.byMail('dora@example.org')?.values['town']).toBe('Worms')
    expect(cleo.values['town']).toBe('Köln')

    // What waits is said once, and says what holds now.
    await synced.run()
    cleo.values['town'] = 'Kiel'
    await synced.run()
    const [conflict, ...more] = await waiting(synced)
    expect(more).toEqual([])
    expect(conflict).toMatchObject({ kind: 'conflict', name: 'cleo Lake', fields: [{ field: 'city', before: 'Ulm', after: 'Kiel' }] })
    expect(await decide(synced, conflict, false)).toMatchObject({ status: 200, body: { state: 'refused' } })
    // Ours was kept, and goes there.
    expect(await synced.run()).toMatchObject({ in: quiet, out: { updated: 1 } })
    expect(cleo.values['town']).toBe('Ulm')

    cleo.values['town'] = 'Kiel'
    await settle('cleo', 'Ulm am See')
    await synced.run()
    const [second] = await waiting(synced)
    expect(await decide(synced, second, true)).toMatchObject({ status: 200, body: { state: 'written' } })
    expect((await synced.people())[2]).toMatchObject({ town: 'Kiel' })
    expect(await synced.run()).toMatchObject({ in: quiet, out: quiet })
  })

  test('lets changes wait by the rule review, and proposes what was refused no more', async ({ synced, admin }) => {
    const { org, there, worker } = synced
    const mapping = bothWays.map((field): FieldMapping => (field.ours === 'city' ? { ...field, rule: 'review' } : field))
    await synced.map(mapping)
    const [ada, ben] = ['ada', 'ben'].map((name) => there.add({ first: name, last: 'Lake', mail: `${name}@example.org` }))
    await synced.run({ isDry: true })
    await synced.run()
    if (ada) ada.values['town'] = 'Trier'
    await admin.query(
      `insert into app.person_contacts (org_id, person_id, city) select p.org_id, p.id, 'Worms' from app.people p where p.org_id = $1 and p.given_name = 'ben'`,
      [org.id],
    )
    expect(await synced.run()).toMatchObject({ in: { updated: 0, skipped: 2 }, out: quiet })
    const changes = await waiting(synced)
    const ofAda = changes.find(({ direction }) => direction === 'in')
    const ofBen = changes.find(({ direction }) => direction === 'out')
    expect([ofAda, ofBen]).toMatchObject([{ fields: [{ before: null, after: 'Trier' }] }, { fields: [{ before: null, after: 'Worms' }] }])
    await decide(synced, ofAda, false)
    await decide(synced, ofBen, true)
    // Also not after what was written is forgotten.
    await admin.query(`update app.sync_changes set created_at = now() - interval '31 days' where org_id = $1`, [org.id])
    await worker.database.withoutActor((db) => purgeSync(db, org.id))
    expect(await synced.run()).toMatchObject({ in: { ...quiet, unchanged: 2 }, out: { updated: 1 } })
    expect(await waiting(synced)).toEqual([])
    expect(ben?.values['town']).toBe('Worms')
    if (ada) ada.values['town'] = 'Kiel'
    await synced.run()
    expect(await waiting(synced)).toMatchObject([{ fields: [{ before: null, after: 'Kiel' }] }])
  })
})

describe('rows that cannot be written', () => {
  test('are told with their cause, and only they are tried again', async ({ synced, person }) => {
    const { org, there } = synced
    for (const given of ['Ann', 'Bea']) await person({ org, givenName: given, familyName: 'Hill', email: 'shared@example.org' })
    there.add({ first: 'Ann', last: 'Hill', mail: 'shared@example.org' })
    const wrong = there.add({ first: 'Cas', last: 'Hill', mail: 'no address' })
    there.add({ first: 'Dan', last: 'Hill', mail: 'dan@example.org' })
    there.add({ first: 'Dan', last: 'Double', mail: 'Dan@Example.org' })
    await synced.run({ isDry: true })
    const run = await synced.run()
    expect(run).toMatchObject({ state: 'partial', in: { read: 4, created: 1, failed: 3 } })
    const codes = async () =>
      Object.fromEntries((await synced.errors()).filter(({ direction }) => direction === 'in').map(({ row, code }) => [row, code]))
    expect(await codes()).toEqual({ p000001: 'ambiguous', p000002: 'bad_value', p000004: 'twice' })

    wrong.values['mail'] = 'cas@example.org'
    const retried = await synced.run({ retryRunId: run.id })
    expect(retried).toMatchObject({ trigger: 'retry', in: { read: 3, created: 1, failed: 2 } })
    expect(await codes()).toEqual({ p000001: 'ambiguous', p000004: 'twice' })
    expect(await synced.start({ retryRunId: run.id })).toMatchObject({ status: 409, body: { reason: 'sync_no_errors' } })
    const ambiguous = (await synced.errors()).find(({ code }) => code === 'ambiguous')
    expect(await synced.run({ retryErrorId: ambiguous?.id })).toMatchObject({ in: { read: 1, failed: 1 } })
  })
})

describe('records that are gone there', () => {
  test('stay here; where that was chosen, somebody decides, and what is there again needs no decision', async ({ synced, admin }) => {
    const { org, there } = synced
    await synced.map(bothWays, { onMissing: 'ask' })
    for (const name of ['ada', 'ben', 'cleo']) there.add({ first: name, last: 'Lake', mail: `${name}@example.org` })
    await synced.run({ isDry: true })
    await synced.run()
    const [first, second] = [...there.rows.entries()]
    if (!first || !second) throw new Error('rows')
    there.rows.delete(first[0])
    there.rows.delete(second[0])
    const run = await synced.run()
    expect(run).toMatchObject({ in: quiet, out: quiet })
    expect((await waiting(synced)).map(({ kind, name }) => [kind, name]).sort()).toEqual([
      ['remove', 'ada Lake'],
      ['remove', 'ben Lake'],
    ])
    there.rows.set(second[0], second[1])
    await synced.run()
    const [left, ...more] = await waiting(synced)
    expect([left?.name, more]).toEqual(['ada Lake', []])
    expect(await decide(synced, left, true)).toMatchObject({ status: 200 })
    const { rows } = await admin.query<{ given: string }>(
      'select given_name as given from app.people where org_id = $1 and deleted_at is not null',
      [org.id],
    )
    expect(rows).toEqual([{ given: 'ada' }])
    // Put away here, it is not made there again.
    expect(await synced.run()).toMatchObject({ in: quiet, out: quiet })
    expect(there.rows.size).toBe(2)
  })
})

describe('the owner of a connection', () => {
  test('lends it their rights: people of the chapter come and go, others stay as they are', async ({
    connect,
    organisation,
    chapter,
    person,
  }) => {
    const org = await organisation()
    const west = await chapter(org, 'West')
    const east = await chapter(org, 'East')
    const owner = await person({
      org,
      grants: [{ role: 'chapter-admin', chapterId: west }],
      chapterId: west,
      givenName: 'Olga',
      familyName: 'West',
      email: 'olga@example.org',
    })
    await person({ org, chapterId: east, givenName: 'Eve', familyName: 'East', email: 'eve@example.org' })
    const synced = await connect({ org, owner, chapterId: west })
    const { there } = synced
    there.add({ first: 'Wim', last: 'West', mail: 'wim@example.org', town: 'Bonn' })
    await synced.run({ isDry: true })
    expect(await synced.run()).toMatchObject({ in: { created: 1 }, out: { created: 1 } })
    expect([...there.rows.values()].map(({ values }) => values['mail']).sort()).toEqual(['olga@example.org', 'wim@example.org'])
    const { body }: { body: { items: { givenName: string; homeChapter: { id: string } | null }[] } } =
      await synced.boss.get('/data/people?q=wim')
    expect(body.items).toMatchObject([{ givenName: 'Wim', homeChapter: { id: west } }])
  })

  test('who may manage it no more stops it, with that cause', async ({ synced, admin }) => {
    const { org, owner, there } = synced
    there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org' })
    await synced.run({ isDry: true })
    const started = await synced.start()
    await admin.query(`update app.accounts set idp_roles = '{}' where id = $1`, [owner.accountId])
    await synced.work(started.body.id)
    const { rows } = await admin.query('select state, failure ->> $2 as why from app.connections where org_id = $1', [org.id, 'reason'])
    expect(rows).toEqual([{ state: 'error', why: 'sync_owner' }])
    expect(await synced.people()).toEqual([])
  })
})

describe('a run that is held up', () => {
  test('waits for as long as it is asked to; beyond bounds it ends, and the next one goes on there', async ({ connect }) => {
    const synced = await connect({ pageSize: 3 })
    const { there } = synced
    for (let at = 0; at < 8; at += 1) there.add({ first: `N${at}`, last: 'Lake', mail: `n${at}@example.org` })
    await synced.run({ isDry: true })
    const pauses: number[] = []
    const limit = (seconds: string, after: string) =>
      there.faults.push({ of: ({ query }) => query.get('after') === after, does: { status: 429, headers: { 'retry-after': seconds } } })
    limit('7', '')
    limit('3600', 'p000003')
    const run = await synced.run({}, { pause: (milliseconds) => Promise.resolve(pauses.push(milliseconds)) })
    expect(pauses).toEqual([7_000])
    expect(run).toMatchObject({ state: 'partial', done: 3, failure: { reason: 'sync_rate_limited' }, in: { created: 3 } })
    there.requests.length = 0
    expect(await synced.run()).toMatchObject({ state: 'succeeded', trigger: 'resume', in: { read: 5, created: 5 } })
    expect(there.requests[0]?.query.get('after')).toBe('p000003')
    expect(await synced.people()).toHaveLength(8)
    expect(await connectionOf(synced)).toMatchObject({ state: 'connected', records: 8 })
  })

  test('is cancelled between two steps, and keeps what it wrote', async ({ connect }) => {
    const synced = await connect({ pageSize: 3 })
    const { there, boss, connectionId } = synced
    for (let at = 0; at < 8; at += 1) there.add({ first: `N${at}`, last: 'Lake', mail: `n${at}@example.org` })
    await synced.run({ isDry: true })
    const started = await synced.start()
    expect(await synced.start()).toMatchObject({ status: 409, body: { reason: 'sync_running' } })
    const cancel = () => boss.post(`/actions/connections/${connectionId}/runs/${started.body.id}/cancel`, {})
    let paged = 0
    await synced.work(started.body.id, {
      at: async (step) => {
        if (step === 'paged' && (paged += 1) === 1) expect(await cancel()).toMatchObject({ status: 200, body: { state: 'cancelled' } })
      },
    })
    expect(await synced.people()).toHaveLength(3)
    expect(await cancel()).toMatchObject({ status: 409, body: { reason: 'sync_not_running' } })
    expect(await synced.run()).toMatchObject({ trigger: 'resume', state: 'succeeded', in: { created: 5 } })
  })

  test('is begun by the clock, once, and not before a dry run', async ({ synced, admin, api }) => {
    const { org, connectionId } = synced
    const { config, log } = api.services
    const worker = createServices(config, log, config.WORKER_DATABASE_URL)
    try {
      const due = async () => {
        await admin.query(`update app.connections set every_minutes = 60, next_run_at = now() - interval '1 minute' where id = $1`, [
          connectionId,
        ])
        await Promise.all([1, 2].map(() => dueSyncs(worker)({}, { id: '', signal: new AbortController().signal })))
        const { rows } = await admin.query<{ trigger: string; state: string }>(
          'select trigger, state from app.sync_runs where org_id = $1 and not is_dry',
          [org.id],
        )
        return rows
      }
      expect(await due()).toEqual([])
      await synced.run({ isDry: true })
      expect(await due()).toEqual([{ trigger: 'schedule', state: 'queued' }])
      expect(await due()).toHaveLength(1)
    } finally {
      await worker.close()
    }
  })
})
