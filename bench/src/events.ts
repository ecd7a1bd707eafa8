/**
 * `npm run bench:events`: how long the figures and lists of events take, and how many registrations and scans a second there can be.
 * `npm run bench:events -- --events 6000 --registrations 3000 --calls 300` gives an answer in a minute.
 */
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { addEvents } from './event-rows.ts'
import { answerOf, latency } from './load.ts'
import type { Call, Latency } from './load.ts'
import { log, onStage } from './on-stage.ts'
import { missed, round, table } from './report.ts'
import type { Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '10000' },
    events: { type: 'string', default: '60000' },
    registrations: { type: 'string', default: '30000' },
    calls: { type: 'string', default: '2000' },
  },
})
const [people, events, registrations, calls] = [values.people, values.events, values.registrations, values.calls].map(Number)
if (!people || !events || !registrations || !calls)
  throw new Error('Give whole numbers: --people 10000 --events 60000 --registrations 30000 --calls 2000')

const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

type Row = Latency & { what: string; limitMs?: number; leastPerSecond?: number }

async function timeReads(stage: Stage, { largeId, earlierId }: Awaited<ReturnType<typeof addEvents>>): Promise<Row[]> {
  const headers = await stage.as('secretary')
  const year = `from=${day(-365)}&to=${day(0)}`
  const subjects = [
    { what: `a month of ${round(events ?? 0)} events a year`, path: `events/calendar?from=${day(-30)}&to=${day(0)}`, limitMs: 200 },
    { what: 'events, first page', path: 'events?limit=50', limitMs: 150 },
    { what: `analytics of ${round(registrations ?? 0)} registrations`, path: `events/${largeId}/analytics`, limitMs: 500 },
    { what: 'the same beside another event', path: `events/${largeId}/analytics?compareTo=${earlierId}`, limitMs: 750 },
    { what: 'a year of events by month', path: `events/analytics?${year}&by=month`, limitMs: 3_000 },
    { what: 'a year of events by chapter', path: `events/analytics?${year}&by=chapter`, limitMs: 3_000 },
    { what: 'a year of events, the largest', path: `events/analytics?${year}&by=event`, limitMs: 3_000 },
    { what: 'overview of events', path: 'events/overview', limitMs: 500 },
  ]
  const rows: Row[] = []
  for (const { what, path, limitMs } of subjects) {
    const call: Call = { url: `${stage.apiUrl}/data/${path}`, headers }
    await answerOf(call)
    rows.push({ what, limitMs, ...(await latency(Array.from({ length: 10 }, () => call), 1)) }) // prettier-ignore
    log(`${what}: p95 ${round(rows.at(-1)?.p95 ?? 0)} ms`)
  }
  return rows
}

const Made = z.object({ id: z.string(), version: z.int() })
async function publish(stage: Stage, headers: Record<string, string>, title: string): Promise<string> {
  const facts = { title, startsAt: '2090-07-01T16:00:00Z', venueName: 'Hall', visibility: 'members' }
  const { id, version } = Made.parse(await answerOf({ url: `${stage.apiUrl}/data/events`, headers, body: JSON.stringify(facts) }))
  await answerOf({ url: `${stage.apiUrl}/data/events/${id}/publish`, headers: { ...headers, 'if-match': `"${version}"` }, body: '{}' })
  return id
}

const Roster = z.object({ items: z.array(z.object({ id: z.string(), status: z.string(), code: z.string() })) })
async function timeWrites(stage: Stage, largeId: string): Promise<Row[]> {
  const headers = await stage.as('secretary')
  const register = async (where: number): Promise<Call[]> => {
    const ids: string[] = []
    for (let nth = 0; nth < where; nth++) ids.push(await publish(stage, headers, `Bench rush ${nth}`))
    return Array.from({ length: calls ?? 0 }, (_, nth) => ({
      url: `${stage.apiUrl}/data/events/${ids[nth % where]}/registrations`,
      headers,
      body: JSON.stringify({ name: `Guest ${nth}` }),
    }))
  }
  const rows: Row[] = [
    { what: 'registrations for one event', limitMs: 500, leastPerSecond: 200, ...(await latency(await register(1), 32)) },
    { what: 'registrations for 50 events', limitMs: 500, leastPerSecond: 400, ...(await latency(await register(50), 32)) },
  ]
  const { items } = Roster.parse(await answerOf({ url: `${stage.apiUrl}/data/events/${largeId}/check-in/roster`, headers }))
  const waiting = items.filter(({ status }) => status === 'confirmed').slice(0, calls)
  const scans = waiting.map(({ code, id }): Call => ({
    url: `${stage.apiUrl}/data/events/${largeId}/check-ins`,
    headers,
    body: JSON.stringify({ code, clientId: `bench-${id}`, device: 'Door' }),
  }))
  rows.push({ what: `scans at ${round(registrations ?? 0)} registrations, six devices`, limitMs: 100, ...(await latency(scans, 6)) })
  return rows
}

await onStage(people, {}, async (stage) => {
  const made = await addEvents(stage, { events, registrations }, log)
  const rows = [...(await timeReads(stage, made)), ...(await timeWrites(stage, made.largeId))]
  console.log(
    `\n${table([
      ['events', 'p50 ms', 'p95 ms', 'at most', 'a second', 'at least', 'failed'],
      ...rows.map(({ what, p50, p95, limitMs, perSecond, leastPerSecond, failed }) => [
        what,
        round(p50),
        `${round(p95)}${missed(limitMs !== undefined && p95 > limitMs)}`,
        limitMs === undefined ? '' : round(limitMs),
        `${round(perSecond)}${missed(leastPerSecond !== undefined && perSecond < leastPerSecond)}`,
        leastPerSecond === undefined ? '' : round(leastPerSecond),
        `${failed}${missed(failed > 0)}`,
      ]),
    ])}`,
  )
})
