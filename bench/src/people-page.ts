import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { answerOf, throughput } from './load.ts'
import type { Call } from './load.ts'
import { processorSeconds } from './programs.ts'
import type { Stage } from './stage.ts'

const Page = z.object({ items: z.array(z.record(z.string(), z.unknown())), nextCursor: z.string().nullish() })

/** `cpu`: milliseconds of processor time per answer, which do not depend on how busy the machine is otherwise. */
type Side = { perSecond: number; cpu: { server: number; database: number } }
export type Ratio = { ours: Side; bare: Side; ratio: number; ratios: number[] }

const differentPages = 20

/**
 * Fifty people after a cursor, from places all over the list: the product with its token check, contract and validation against the bare
 * server with none. Runs take turns, so that whatever else the machine does meets both; the ratio is the median of the pairs.
 */
export async function comparePages(stage: Stage, pairs: number, seconds: number): Promise<{ next: Ratio; first: Ratio }> {
  const headers = await stage.as('secretary')
  const firsts: [Call, Call] = [{ url: `${stage.apiUrl}/data/people?limit=50`, headers }, { url: stage.bareUrl }]
  const nexts: [Call, Call][] = []
  let cursor = ''
  for (let nth = 0; nth < differentPages; nth++) {
    const url = `${stage.apiUrl}/data/people?limit=50`
    const page = Page.parse(await answerOf({ url: cursor ? `${url}&cursor=${encodeURIComponent(cursor)}` : url, headers }))
    if (!page.nextCursor) break
    cursor = page.nextCursor
    const { rows } = await stage.admin.query<{ sort_name: string; id: string }>('select sort_name, id from app.people where id = $1', [
      page.items.at(-1)?.['id'],
    ])
    const [last] = rows
    if (!last) throw new Error('The last person of a page is not in the database.')
    nexts.push([
      { url: `${url}&cursor=${encodeURIComponent(cursor)}`, headers },
      { url: `${stage.bareUrl}/?after=${encodeURIComponent(last.sort_name)}&id=${last.id}` },
    ])
  }
  for (const [ours, bare] of [firsts, ...nexts]) await expectSame(ours, bare)
  return { next: await compare(stage, nexts, pairs, seconds), first: await compare(stage, [firsts], Math.ceil(pairs / 2), seconds) }
}

/** The comparison is worth something only while both answer the same rows and columns. */
async function expectSame(ours: Call, bare: Call): Promise<void> {
  const [mine, theirs] = [Page.parse(await answerOf(ours)), Page.parse(await answerOf(bare))]
  if (mine.items.length !== 50) throw new Error(`A page has ${mine.items.length} people instead of 50.`)
  mine.items.forEach((item, nth) => {
    const same = Object.entries(item).every(([column, value]) => isDeepStrictEqual(value, theirs.items[nth]?.[column]))
    if (!same || Object.keys(item).length !== Object.keys(theirs.items[nth] ?? {}).length) {
      throw new Error(`Both servers answer differently:\n${JSON.stringify(item)}\n${JSON.stringify(theirs.items[nth])}`)
    }
  })
}

async function compare(stage: Stage, calls: readonly [Call, Call][], pairs: number, seconds: number): Promise<Ratio> {
  const ours = () => side(stage, stage.api.pid, calls.map(([mine]) => mine), seconds) // prettier-ignore
  const bare = () => side(stage, stage.bare.pid, calls.map(([, theirs]) => theirs), seconds) // prettier-ignore
  // The first runs warm up both.
  await ours()
  await bare()
  const runs: { ours: Side; bare: Side }[] = []
  for (let nth = 0; nth < pairs; nth++) {
    // Who goes first changes, too.
    if (nth % 2 === 0) runs.push({ ours: await ours(), bare: await bare() })
    else {
      const theirs = await bare()
      runs.push({ ours: await ours(), bare: theirs })
    }
  }
  const ratios = runs.map((run) => run.ours.perSecond / run.bare.perSecond)
  return { ours: middle(runs.map((run) => run.ours)), bare: middle(runs.map((run) => run.bare)), ratio: median(ratios), ratios }
}

async function side(stage: Stage, pid: number, calls: readonly Call[], seconds: number): Promise<Side> {
  const before = { server: processorSeconds(pid), database: processorSeconds(stage.postmaster) }
  const perSecond = await throughput(calls, seconds)
  const each = (now: number, then: number) => ((now - then) * 1_000) / (perSecond * seconds)
  return {
    perSecond,
    cpu: { server: each(processorSeconds(pid), before.server), database: each(processorSeconds(stage.postmaster), before.database) },
  }
}

const middle = (sides: readonly Side[]): Side => ({
  perSecond: median(sides.map(({ perSecond }) => perSecond)),
  cpu: { server: median(sides.map(({ cpu }) => cpu.server)), database: median(sides.map(({ cpu }) => cpu.database)) },
})

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle) - 1] ?? 0)) / 2
}
