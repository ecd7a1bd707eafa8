import type { SyncChange } from '@guildhall/contract/features/integrations'
import type pg from 'pg'
import { expect } from 'vitest'
import { drawing, Killed, test } from './integrations.engine.testing.ts'
import type { Synced } from './integrations.engine.testing.ts'

const seed = process.env['SYNC_SEED'] ?? 'one'
const size = Number(process.env['SYNC_SIZE'] ?? 90)
const kills = Number(process.env['SYNC_KILLS'] ?? 14)
/** Kills are spread over the run: one in so many steps. */
const oneIn = Math.max(7, Math.round(size / 700))
const isLarge = size > 1_000

const since = (from: number, to = performance.now()) => `${Math.round((to - from) / 1_000)} s`
const say = (text: string) => {
  if (isLarge) process.stdout.write(`${text}\n`)
}

async function fill(admin: pg.Pool, { org }: Synced, count: number) {
  await admin.query(
    `with made as (insert into app.people (org_id, given_name, family_name, lifecycle) select $1, 'Ours' || n, 'Lake', 'active' from generate_series(1, $2::int) n returning org_id, id, given_name),
      mailed as (insert into app.person_emails (org_id, person_id, address, is_primary) select org_id, id, lower(given_name) || '@example.org', true from made)
     insert into app.person_contacts (org_id, person_id, city) select org_id, id, 'Bonn' from made`,
    [org.id, count],
  )
}
const moveOurs = (admin: pg.Pool, { org }: Synced, given: string, town: string) =>
  admin.query(
    'update app.person_contacts c set city = $3 from app.people p where p.id = c.person_id and p.org_id = $1 and p.given_name = $2',
    [org.id, given, town],
  )

const held = (rows: readonly { mail: string | null; town: string | null; given: string }[]) =>
  rows.map(({ mail, given, town }) => `${mail ?? ''} ${given} ${town ?? ''}`).sort()
const heldThere = ({ there }: Synced) =>
  held(
    [...there.rows.values()].map(({ values }) => ({
      mail: values['mail'] ?? null,
      given: values['first'] ?? '',
      town: values['town'] ?? null,
    })),
  )

test(
  'people of both sides become the same through kills, faults, limits and changes in between, each once and without an echo',
  { timeout: isLarge ? 7_200_000 : 240_000 },
  async ({ connect, admin }) => {
    const draw = drawing(seed)
    const synced = await connect(isLarge ? { pageSize: 500 } : {})
    const { there } = synced
    await fill(admin, synced, size)
    for (let at = 1; at <= size; at += 1) there.add({ first: `Theirs${at}`, last: 'Lake', mail: `theirs${at}@example.org`, town: 'Ulm' })
    for (let at = 1; at <= size / 3; at += 1) there.add({ first: `Ours${at}`, last: 'Lake', mail: `ours${at}@example.org`, town: 'Bonn' })
    const begun = performance.now()
    await synced.run({ isDry: true })
    const dry = performance.now()

    const faults = [
      'cut',
      'lose',
      { status: 500 },
      { status: 503, headers: { 'retry-after': '1' } },
      { status: 429, headers: { 'retry-after': '2' } },
      { status: 429, headers: { 'retry-after': '900' } },
    ] as const
    let added = 0
    let moved = 0
    there.hooks.pulled = () => {
      const rows = [...there.rows.values()]
      const row = rows[draw(rows.length)]
      // Theirs move with even numbers, ours with odd ones, so that nobody has to decide.
      if (row?.values['first']?.match(/[02468]$/)) row.values['town'] = `Town ${draw(9)}`
      if (draw(3) === 0) there.add({ first: `Late${(added += 1)}`, last: 'Lake', mail: `late${added}@example.org` })
    }
    let killed = 0
    let runs = 0
    while (killed < kills) {
      runs += 1
      const started = await synced.start()
      expect(started.status).toBe(202)
      for (let isOver = false; !isOver;) {
        if (draw(2) === 0) there.faults.push({ of: () => true, does: faults[draw(faults.length)] ?? 'cut' })
        await moveOurs(admin, synced, `Ours${draw(size / 2) * 2 + 1}`, `Ort ${(moved += 1)}`)
        await synced
          .work(started.body.id, {
            kill: () => {
              if (killed >= kills || draw(oneIn) > 0) return false
              killed += 1
              return true
            },
          })
          .catch((error: unknown) => {
            if (!(error instanceof Killed)) throw error
          })
        const { state } = await synced.read(started.body.id)
        isOver = state !== 'running' && state !== 'queued'
        expect(['running', 'succeeded', 'partial', 'failed']).toContain(state)
      }
    }
    const ended = performance.now()
    say(`dry run ${since(begun, dry)}, runs with kills ${since(dry)}`)
    delete there.hooks.pulled
    there.faults.length = 0
    // What changed in between converges.
    for (let at = 0; at < 2; at += 1) await synced.run()
    // Where both held something else when they first met, somebody decides.
    const { body }: { body: { items: SyncChange[] } } = await synced.boss.get(`/data/connections/${synced.connectionId}/changes?limit=200`)
    expect(body.items.every(({ kind }) => kind === 'conflict')).toBe(true)
    for (const { id, version } of body.items)
      expect(
        await synced.boss.post(
          `/data/connections/${synced.connectionId}/changes/${id}/decide`,
          { accept: version % 2 === 0 },
          { 'if-match': `"${version}"` },
        ),
      ).toMatchObject({ status: 200 })
    await synced.run()
    expect(await synced.errors()).toEqual([])
    const ours = await synced.people()
    expect(ours).toHaveLength(2 * size + added)
    expect(new Set(ours.map(({ mail }) => mail)).size).toBe(ours.length)
    expect(there.rows.size).toBe(ours.length)
    expect(heldThere(synced)).toEqual(held(ours))
    expect(killed).toBeGreaterThanOrEqual(kills)
    expect(runs).toBeGreaterThan(1)

    const versions = () => [...there.rows.values()].map(({ id, version }) => `${id} ${version}`)
    const before = versions()
    const last = await synced.run()
    expect(last).toMatchObject({
      state: 'succeeded',
      in: { read: ours.length, unchanged: ours.length, created: 0, updated: 0, conflicts: 0 },
      out: { created: 0, updated: 0 },
    })
    expect(await synced.changes(last.id)).toEqual([])
    expect(versions()).toEqual(before)
    say(`${ours.length} people, ${killed} kills, ${runs} runs; converged and at rest after ${since(ended)} more`)
  },
)

test('control: without ties, who changed their address is made a second time', async ({ synced }) => {
  const { there } = synced
  for (let at = 1; at <= 6; at += 1) there.add({ first: `N${at}`, last: 'Lake', mail: `n${at}@example.org` })
  await synced.run({ isDry: true })
  await synced.run({}, { remembers: false })
  for (const row of there.rows.values()) row.values['mail'] = `new-${row.values['mail'] ?? ''}`
  await synced.run({}, { remembers: false })
  expect((await synced.people()).length).toBeGreaterThan(6)
})
