import type { FieldMapping } from '@guildhall/contract/features/integrations'
import type pg from 'pg'
import { describe, expect, vi } from 'vitest'
import { bothWays, Killed, test } from './integrations.engine.testing.ts'
import type { Synced } from './integrations.engine.testing.ts'

/** Somebody's edit that is not committed before the run waits for it. */
async function editedBeside(admin: pg.Pool, synced: Synced, edit: string, values: unknown[]) {
  const { body } = await synced.start()
  const officer = await admin.connect()
  try {
    await officer.query('begin')
    const { rows } = await officer.query<{ pid: number }>(`with edited as (${edit}) select pg_backend_pid() as pid`, values)
    const working = synced.work(body.id)
    await expect
      .poll(async () => {
        const waiting = await admin.query('select from pg_stat_activity where $1::int = any (pg_blocking_pids(pid))', [rows[0]?.pid])
        return waiting.rows.length
      })
      .toBeGreaterThan(0)
    await officer.query('commit')
    await working
  } finally {
    officer.release()
  }
  return synced.read(body.id)
}

describe('an edit of the moment in which a run writes', () => {
  const ofAda = `from app.people p where p.id = c.person_id and p.org_id = $1 and p.given_name = 'Ada'`
  const moved = async (synced: Synced) => {
    const ada = synced.there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org', town: 'Bonn', note: 'old' })
    await synced.run({ isDry: true })
    await synced.run()
    Object.assign(ada.values, { town: 'Trier', note: 'theirs' })
  }
  const city = async (admin: pg.Pool, { org }: Synced) =>
    (
      await admin.query<{ city: string; postal_code: string }>(
        `select c.city, c.postal_code from app.person_contacts c where c.org_id = $1`,
        [org.id],
      )
    ).rows

  test('is a conflict, and not lost', async ({ synced, admin }) => {
    await moved(synced)
    const run = await editedBeside(admin, synced, `update app.person_contacts c set city = 'Ulm' ${ofAda} returning 1`, [synced.org.id])
    expect(run).toMatchObject({ state: 'succeeded', in: { updated: 0, conflicts: 1 } })
    expect(await city(admin, synced)).toMatchObject([{ city: 'Ulm' }])
  })

  test('control: of another field, it is none', async ({ synced, admin }) => {
    await moved(synced)
    const edit = `update app.person_contacts c set postal_code = '89073' ${ofAda} returning 1`
    expect(await editedBeside(admin, synced, edit, [synced.org.id])).toMatchObject({ in: { updated: 1, conflicts: 0 } })
    expect(await city(admin, synced)).toEqual([{ city: 'Trier', postal_code: '89073' }])
  })

  test('is a conflict in a custom field too', async ({ synced, admin }) => {
    const { boss, org } = synced
    expect(
      (await boss.post('/data/fields', { recordType: 'people', key: 'note', label: 'Note', type: 'text', audience: 'officers' })).status,
    ).toBe(201)
    await synced.map([...bothWays, { ours: 'field:note', theirs: 'note', direction: 'both', rule: 'automatic' }])
    await moved(synced)
    const run = await editedBeside(admin, synced, `update app.people_field_values c set value = 'ours' ${ofAda} returning 1`, [org.id])
    expect(run).toMatchObject({ in: { conflicts: 1 } })
    const { rows } = await admin.query('select value from app.people_field_values where org_id = $1', [org.id])
    expect(rows).toEqual([{ value: 'ours' }])
  })
})

test('of who is erased while they are on their way there, nothing is kept', async ({ synced, admin, person }) => {
  const { org } = synced
  const { personId: id } = await person({ org, givenName: 'Ada', familyName: 'Lake', email: 'ada@example.org' })
  await synced.run({ isDry: true })
  const { body } = await synced.start()
  await synced.work(body.id, {
    at: async (step) => {
      if (step === 'pushed') await admin.query(`update app.people set lifecycle = 'erased' where id = $1`, [id])
    },
  })
  const { rows } = await admin.query('select agreed, state, external_id is null as nameless from app.external_refs where person_id = $1', [
    id,
  ])
  // Its name there stays, so that the next run deletes it.
  expect(rows).toEqual([{ agreed: {}, state: 'tied', nameless: false }])
  const kept = await admin.query('select from app.sync_changes where person_id = $1 and run_id = $2', [id, body.id])
  expect(kept.rows).toEqual([])
})

test('another mapping ends the run that is under way, and the next one begins anew', async ({ connect, admin }) => {
  const synced = await connect({ pageSize: 3 })
  const { there } = synced
  for (let at = 0; at < 8; at += 1) there.add({ first: `N${at}`, last: 'Lake', mail: `n${at}@example.org`, town: 'Bonn' })
  await synced.run({ isDry: true })
  const { body } = await synced.start()
  const fewer: FieldMapping[] = bothWays.filter(({ ours }) => ours !== 'city')
  let paged = 0
  await synced.work(body.id, {
    at: async (step) => {
      if (step === 'paged' && (paged += 1) === 1) await synced.map(fewer)
    },
  })
  expect(await synced.read(body.id)).toMatchObject({ state: 'cancelled', in: { created: 3 } })
  const { rows } = await admin.query('select cursor, mark from app.connections where id = $1', [synced.connectionId])
  expect(rows).toEqual([{ cursor: null, mark: null }])
  expect(await synced.start()).toMatchObject({ status: 409, body: { reason: 'sync_dry_run_first' } })
})

for (const when of ['written', 'tied', 'pushed'] as const)
  test(`of two workers at one run the first stops where the second took it up: ${when}`, async ({ synced, person }) => {
    const { org, there } = synced
    for (const name of ['ada', 'ben']) await person({ org, givenName: name, familyName: 'Lake', email: `${name}@example.org` })
    for (let at = 0; at < 3; at += 1) there.add({ first: `N${at}`, last: 'Lake', mail: `n${at}@example.org` })
    await synced.run({ isDry: true })
    const { body } = await synced.start()
    const steps: string[] = []
    let isTaken = false
    await synced.work(body.id, {
      at: async (step) => {
        if (isTaken) steps.push(step)
        if (step !== when || isTaken) return
        await synced.work(body.id)
        isTaken = true
      },
    })
    expect(steps.filter((step) => step !== 'pushed')).toEqual([])
    expect(await synced.read(body.id)).toMatchObject({ state: 'succeeded', in: { created: 3 }, out: { created: 2 } })
    expect(there.rows.size).toBe(5)
    expect(await synced.people()).toHaveLength(5)
  })

describe('a worker that is killed', () => {
  test('at the very end leaves a run that has ended, with its counts', async ({ synced }) => {
    const { there, worker } = synced
    there.add({ first: 'Ada', last: 'Lake', mail: 'ada@example.org' })
    await synced.run({ isDry: true })
    const { body } = await synced.start()
    // What the worker would do outside the transactions of the run, it does not live to do.
    const dies = vi.spyOn(worker.database, 'withoutActor').mockRejectedValue(new Killed())
    await synced.work(body.id).catch(() => undefined)
    dies.mockRestore()
    await synced.work(body.id)
    expect(await synced.read(body.id)).toMatchObject({ state: 'succeeded', in: { read: 1, created: 1 } })
  })

  test('in a dry run leaves one that says the same as one that was not cut off', async ({ connect }) => {
    const synced = await connect({ pageSize: 3 })
    for (let at = 0; at < 5; at += 1) synced.there.add({ first: 'N', last: 'Lake', mail: at === 1 ? 'no address' : `n${at}@example.org` })
    const { body } = await synced.start({ isDry: true })
    await expect(synced.work(body.id, { kill: (step) => step === 'paged' })).rejects.toBeInstanceOf(Killed)
    await synced.work(body.id)
    expect(await synced.read(body.id)).toMatchObject({ state: 'partial', in: { read: 5, created: 4, failed: 1 } })
    expect(await synced.errors()).toHaveLength(1)
  })
})
