import type { SyncError, SyncRun } from '@guildhall/contract/features/integrations'
import { expect } from 'vitest'
import { createServices } from '../../../platform/services.ts'
import { test as base } from '../../../testing.ts'
import type { Client, TestOrganisation } from '../../../testing.ts'
import { workSync } from '../engine/integrations.sync.jobs.ts'
import { startCalendar } from './integrations.icalendar.testing.ts'
import type { CalendarServer } from './integrations.icalendar.testing.ts'

type Event = {
  id: string
  title: string
  status: string
  startsAt: string
  endsAt: string
  timezone: string
  venueName: string
  chapter: { id: string } | null
  version: number
}
type Calendar = {
  org: TestOrganisation
  boss: Client
  there: CalendarServer
  connectionId: string
  run(isDry?: boolean): Promise<SyncRun>
  errors(): Promise<SyncError[]>
  events(): Promise<Record<string, Event>>
}

const ahead = (days: number, hour = 18) =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T${hour}0000Z`
const mapping = [
  ['title', 'SUMMARY'],
  ['description', 'DESCRIPTION'],
  ['place', 'LOCATION'],
  ['startsAt', 'DTSTART'],
  ['endsAt', 'DTEND'],
  ['status', 'STATUS'],
].map(([ours, theirs]) => ({ ours, theirs, direction: 'in', rule: 'automatic' }))

const test = base.extend<{ connect: (settings?: object) => Promise<Calendar> }>({
  connect: async ({ variant, organisation, chapter, person, admin }, use) => {
    const ends: (() => Promise<void>)[] = []
    await use(async (settings = {}) => {
      const there = await startCalendar()
      ends.push(there.close)
      const product = await variant({ OUTGOING_ALLOW: there.host })
      const { config, log } = product.services
      const worker = createServices(config, log, config.WORKER_DATABASE_URL)
      ends.push(() => worker.close())
      const org = await organisation()
      const chapterId = await chapter(org, 'West')
      const owner = await person({ org, idpRoles: ['org-owner'] })
      const boss = product.as(owner.token)
      const made = await boss.post('/actions/connections', {
        connector: 'icalendar',
        name: 'Club',
        chapterId,
        settings: { address: there.url, ...settings },
      })
      expect(made).toMatchObject({ status: 201, body: { state: 'connected' } })
      const { id: connectionId } = made.body as { id: string }
      const of = `/data/connections/${connectionId}`
      const { version } = (await boss.get(`${of}/mapping`)).body as { version: number }
      expect(await boss.patch(`${of}/mapping`, { mapping, onMissing: 'ask' }, { 'if-match': `"${version}"` })).toMatchObject({
        status: 200,
      })
      const run = async (isDry = false) => {
        const started = await boss.post(`/actions/connections/${connectionId}/runs`, { isDry })
        expect(started).toMatchObject({ status: 202 })
        const { id: runId } = started.body as { id: string }
        await workSync(worker, { orgId: org.id, accountId: owner.accountId, runId }, new AbortController().signal)
        return (await boss.get(`${of}/runs/${runId}`)).body as SyncRun
      }
      return {
        ...{ org, boss, there, connectionId, run },
        errors: async () => ((await boss.get(`${of}/errors?state=open`)).body as { items: SyncError[] }).items,
        events: async () => {
          const { rows } = await admin.query<{ id: string }>('select id from app.events where org_id = $1', [org.id])
          const found = await Promise.all(rows.map(async ({ id }) => (await boss.get(`/data/events/${id}`)).body as Event))
          return Object.fromEntries(found.map((event) => [event.title, event]))
        },
      }
    })
    for (const end of ends.reverse()) await end()
  },
})

test('events of a calendar become drafts of the chapter, follow it, and come once', async ({ connect }) => {
  const { there, run, events, errors, boss } = await connect()
  there.entries.set('a', ['SUMMARY:Picnic', 'LOCATION:Park', 'DESCRIPTION:Bring cake', `DTSTART:${ahead(10)}`, `DTEND:${ahead(10, 20)}`])
  there.entries.set('w', ['SUMMARY:Practice', `DTSTART:${ahead(3)}`, 'RRULE:FREQ=WEEKLY;COUNT=3'])
  there.entries.set('gone', ['SUMMARY:Never', 'STATUS:CANCELLED', `DTSTART:${ahead(4)}`])
  there.entries.set('odd', ['SUMMARY:Odd', `DTSTART:${ahead(4)}`, 'RRULE:FREQ=HOURLY'])
  const dry = await run(true)
  expect(dry).toMatchObject({ state: 'partial', in: { created: 4, failed: 1 } })
  expect(await events()).toEqual({})
  expect(await run()).toMatchObject({ in: { created: 4, updated: 0, failed: 1 } })
  expect(await errors()).toMatchObject([{ row: 'odd', code: 'bad_rule' }])
  const first = await events()
  expect(Object.keys(first).sort()).toEqual(['Picnic', 'Practice'])
  expect(first['Picnic']).toMatchObject({ status: 'draft', venueName: 'Park', timezone: 'UTC', chapter: { name: 'West' } })

  // Nothing comes twice; what changes there changes here, and what was changed here stays.
  there.entries.delete('odd')
  expect(await run()).toMatchObject({ in: { created: 0, updated: 0, failed: 0, unchanged: 4 } })
  expect(await run()).toMatchObject({ in: { read: 0 } })
  expect(there.answered.at(-1)).toBe(304)
  const picnic = first['Picnic']
  await boss.patch(`/data/events/${picnic?.id}`, { venueName: 'Big park' }, { 'if-match': `"${picnic?.version}"` })
  there.entries.set('a', [
    'SUMMARY:Picnic',
    'LOCATION:Park',
    'DESCRIPTION:Bring cake',
    `DTSTART:${ahead(11)}`,
    `DTEND:${ahead(11, 20)}`,
    'SEQUENCE:1',
  ])
  expect(await run()).toMatchObject({ in: { created: 0, updated: 1, conflicts: 0 } })
  expect((await events())['Picnic']).toMatchObject({
    venueName: 'Big park',
    startsAt: expect.stringContaining(new Date(Date.now() + 11 * 86_400_000).toISOString().slice(0, 10)),
  })
})

test('what somebody saves here while a run writes is not written over', async ({ connect, admin }) => {
  const { there, run, events } = await connect()
  const picnic = (place: string, sequence: number) =>
    there.entries.set('a', ['SUMMARY:Picnic', `LOCATION:${place}`, `DTSTART:${ahead(10)}`, `SEQUENCE:${sequence}`])
  picnic('Park', 0)
  await run(true)
  await run()
  picnic('Hill', 1)
  const editor = await admin.connect()
  try {
    await editor.query('begin')
    await editor.query(`update app.events set venue_name = 'Hall' where id = $1`, [(await events())['Picnic']?.id])
    const runs = run()
    await expect
      .poll(async () => (await admin.query('select from pg_locks where not granted and locktype = $1', ['transactionid'])).rowCount)
      .toBeGreaterThan(0)
    await editor.query('commit')
    expect(await runs).toMatchObject({ in: { updated: 0, conflicts: 1 } })
  } finally {
    editor.release()
  }
  expect(await events()).toMatchObject({ Picnic: { venueName: 'Hall' } })
})

test('what is cancelled there is cancelled here, and what is missing there waits for somebody', async ({ connect, admin }) => {
  const { there, run, events, boss, connectionId } = await connect({ publish: true })
  there.entries.set('a', ['SUMMARY:Picnic', 'LOCATION:Park', `DTSTART:${ahead(10)}`])
  there.entries.set('b', ['SUMMARY:Walk', 'LOCATION:Wood', `DTSTART:${ahead(12)}`])
  there.entries.set('c', ['SUMMARY:Nowhere', `DTSTART:${ahead(12)}`])
  await run(true)
  await run()
  expect(await events()).toMatchObject({ Picnic: { status: 'published' }, Walk: { status: 'published' }, Nowhere: { status: 'draft' } })
  there.entries.set('a', ['SUMMARY:Picnic', 'LOCATION:Park', `DTSTART:${ahead(10)}`, 'STATUS:CANCELLED', 'SEQUENCE:1'])
  there.entries.delete('b')
  await run()
  expect(await events()).toMatchObject({ Picnic: { status: 'cancelled' }, Walk: { status: 'published' } })
  const { rows } = await admin.query<{ id: string; version: number }>(
    `select id, version from app.sync_changes where connection_id = $1 and state = 'waiting' and kind = 'remove'`,
    [connectionId],
  )
  expect(rows).toHaveLength(1)
  const accepted = await boss.post(
    `/data/connections/${connectionId}/changes/${rows[0]?.id}/decide`,
    { accept: true },
    { 'if-match': `"${rows[0]?.version}"` },
  )
  expect(accepted).toMatchObject({ status: 200 })
  expect(await events()).toMatchObject({ Walk: { status: 'cancelled' } })
})

test('a page, our own calendar and our own events are refused', async ({ connect, admin }) => {
  const { there, run, errors, boss, connectionId, org } = await connect()
  const tried = async () => (await boss.post(`/actions/connections/${connectionId}/test`, {})).body as object
  there.instead = { status: 200, body: '<!doctype html><title>Sign in</title>' }
  expect(await tried()).toMatchObject({ works: false, failure: { reason: 'sync_bad_answer' } })
  there.instead = { status: 200, body: 'BEGIN:VCALENDAR\r\nPRODID:-//Guildhall//Guildhall//EN\r\nEND:VCALENDAR\r\n' }
  expect(await tried()).toMatchObject({ works: false, failure: { reason: 'sync_refused' } })
  there.instead = null
  expect(await tried()).toMatchObject({ works: true, found: [{ name: 'calendar', value: 'Club calendar' }, { name: 'events' }] })
  const { rows } = await admin.query<{ id: string }>(
    `insert into app.events (org_id, title, starts_at, ends_at, timezone) values ($1, 'Ours', now() + interval '9 days', now() + interval '10 days', 'UTC') returning id`,
    [org.id],
  )
  there.entries.set(`${rows[0]?.id}@guildhall.example.org`, ['SUMMARY:Ours', `DTSTART:${ahead(9)}`])
  expect(await run(true)).toMatchObject({ in: { created: 0, failed: 1 } })
  expect(await errors()).toMatchObject([{ code: 'not_allowed' }])
})
