/**
 * `npm run bench:giving`: how long a campaign and the list of donors take with few gifts and with many.
 * `npm run bench:giving -- --people 3000 --gifts 6000 --donors 2500` gives an answer in a minute.
 */
import { parseArgs } from 'node:util'
import { addGifts } from './gift-rows.ts'
import { answerOf, latency } from './load.ts'
import type { Call } from './load.ts'
import { log, onStage } from './on-stage.ts'
import { missed, round, table } from './report.ts'
import type { Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '60000' },
    gifts: { type: 'string', default: '120000' },
    donors: { type: 'string', default: '50000' },
  },
})
const [people, gifts, donors] = [values.people, values.gifts, values.donors].map(Number)
if (!people || !gifts || !donors) throw new Error('Give whole numbers: --people 60000 --gifts 120000 --donors 50000')

const few = 1_000

/** Median and p95 in ms of what the page of a campaign asks, and of the list of donors. */
async function times(stage: Stage, campaignId: string) {
  const headers = await stage.as('finance')
  const subjects = [
    { what: 'campaign', path: `campaigns/${campaignId}`, limitMs: 200 },
    { what: 'its overview', path: `campaigns/${campaignId}/overview`, limitMs: 200 },
    { what: 'its gifts', path: `gifts?filter=${encodeURIComponent(JSON.stringify({ and: [{ or: [{ field: 'campaign', op: 'is', value: campaignId }] }] }))}`, limitMs: 200 }, // prettier-ignore
    { what: 'donors', path: 'donors', limitMs: 150 },
    { what: 'donors, gave last year but not this year', path: `donors?filter=${encodeURIComponent('{"and":[{"or":[{"field":"segment","op":"is","value":"notYet"}]}]}')}`, limitMs: 150 }, // prettier-ignore
    { what: 'donors by name', path: 'donors?sort=name', limitMs: 150 },
  ]
  const rows: { what: string; limitMs: number; p50: number; p95: number }[] = []
  for (const { what, path, limitMs } of subjects) {
    const call: Call = { url: `${stage.apiUrl}/data/${path}`, headers }
    await answerOf(call)
    const { p50, p95 } = await latency(Array.from({ length: 20 }, () => call), 1) // prettier-ignore
    rows.push({ what, limitMs, p50, p95 })
  }
  return rows
}

await onStage(people, {}, async (stage) => {
  const small = await times(stage, await addGifts(stage, 'Bench, small', { gifts: few, donors: few }, log))
  const large = await times(stage, await addGifts(stage, 'Bench, large', { gifts, donors }, log))
  console.log(
    `\n${table([
      ['giving', `${round(few)} gifts, p95 ms`, `${round(gifts)} gifts, p50 ms`, 'p95 ms', 'at most', 'ratio of p50'],
      ...large.map(({ what, p50, p95, limitMs }, nth) => [
        what,
        round(small[nth]?.p95 ?? 0),
        round(p50),
        `${round(p95)}${missed(p95 > limitMs)}`,
        round(limitMs),
        round(p50 / (small[nth]?.p50 ?? 1), 1),
      ]),
    ])}`,
  )
})
