import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod'
import { answerOf, throughput } from './load.ts'
import type { Call } from './load.ts'
import { median } from './median.ts'
import { peopleAfter, readPostgraphile } from './postgraphile.ts'
import { processorSeconds } from './programs.ts'
import type { Rivals } from './rivals.ts'
import type { Stage } from './stage.ts'

const Page = z.object({ items: z.array(z.record(z.string(), z.unknown())), nextCursor: z.string().nullish() })
type Item = Record<string, unknown>

export type RivalName = keyof Rivals
/** `cpu`: milliseconds of processor time per answer, which do not depend on how busy the machine is otherwise. */
export type Side = { perSecond: number; cpu: { server: number; database: number } }
export type Against = { name: RivalName; side: Side; ratio: number; ratios: number[] }
export type Comparison = { ours: Side; against: Against[] }

const differentPages = 20
/** Runs that count for nothing, for each. */
const warmUps = 5

/**
 * Fifty people after a cursor, and the first fifty with how many there are: the product with its token check, contract and validation against
 * servers without. All take turns, so that whatever else the machine does meets each; a ratio is the median over the rounds.
 */
export async function comparePages(stage: Stage, rivals: Rivals, rounds: number, seconds: number) {
  const headers = await stage.as('secretary')
  const url = `${stage.apiUrl}/data/people?limit=50`
  const nexts: Call[] = []
  const after: { name: string; id: string }[] = []
  let cursor = ''
  for (let nth = 0; nth < differentPages; nth++) {
    const call = { url: cursor ? `${url}&cursor=${encodeURIComponent(cursor)}` : url, headers }
    const page = Page.parse(await answerOf(call))
    if (!page.nextCursor) break
    cursor = page.nextCursor
    const { rows } = await stage.admin.query<{ name: string; id: string }>('select sort_name as name, id from app.people where id = $1', [
      page.items.at(-1)?.['id'],
    ])
    const [last] = rows
    if (!last) throw new Error('The last person of a page is not in the database.')
    nexts.push({ url: `${url}&cursor=${encodeURIComponent(cursor)}`, headers })
    after.push(last)
  }
  const bareAfter = (base: string) => after.map(({ name, id }) => ({ url: `${base}?after=${encodeURIComponent(name)}&id=${id}` }))
  const next = {
    ours: nexts,
    bare: bareAfter(rivals.bare.url),
    oneTrip: bareAfter(rivals.oneTrip.url),
    postgraphile: after.map((place) => peopleAfter(rivals.postgraphile.url, place)),
  }
  const first = { ours: [{ url, headers }], bare: [{ url: rivals.bare.url }], oneTrip: [{ url: rivals.oneTrip.url }] }
  const shown = (url: string) => `${url}&columns=membership`
  const membership = {
    ours: nexts.map((call) => ({ ...call, url: shown(call.url) })),
    bare: next.bare.map(({ url }) => ({ url: `${url}&membership` })),
    oneTrip: next.oneTrip.map(({ url }) => ({ url: `${url}&membership` })),
  }
  for (const contest of [first, next, membership]) await expectSame(contest)
  return {
    membership: await compare(stage, rivals, membership, rounds, seconds),
    next: await compare(stage, rivals, next, rounds, seconds),
    first: await compare(stage, rivals, first, Math.ceil(rounds / 2), seconds),
  }
}

type Contest = { ours: Call[] } & Partial<Record<RivalName, Call[]>>
const names = (contest: Contest): RivalName[] => (['bare', 'oneTrip', 'postgraphile'] as const).filter((name) => contest[name])

/** The comparison is worth something only while all answer the same rows and columns. */
async function expectSame(contest: Contest): Promise<void> {
  for (const [nth, mine] of contest.ours.entries()) {
    const { items } = Page.parse(await answerOf(mine))
    if (items.length !== 50) throw new Error(`A page has ${items.length} people instead of 50.`)
    for (const name of names(contest)) {
      const theirs = contest[name]?.[nth]
      const answer = theirs && (await answerOf(theirs))
      const others = name === 'postgraphile' ? readPostgraphile(answer) : Page.parse(answer).items
      items.forEach((item, row) => expectEqual(name, item, others[row]))
    }
  }
}

function expectEqual(name: string, mine: Item, theirs: Item | undefined): void {
  const same = Object.entries(mine).every(([column, value]) => isDeepStrictEqual(value, theirs?.[column]))
  if (!same || Object.keys(mine).length !== Object.keys(theirs ?? {}).length)
    throw new Error(`${name} answers something else:\n${JSON.stringify(mine)}\n${JSON.stringify(theirs)}`)
}

async function compare(stage: Stage, rivals: Rivals, contest: Contest, rounds: number, seconds: number): Promise<Comparison> {
  const run = {
    ours: () => side(stage, stage.api.pid, contest.ours, seconds),
    ...Object.fromEntries(names(contest).map((name) => [name, () => side(stage, rivals[name].pid, contest[name] ?? [], seconds)])),
  }
  const order = Object.entries(run)
  // Everybody has some time first in which their code is compiled and their caches fill: what a server does all day is compared, not its first seconds.
  for (let nth = 0; nth < warmUps; nth++) for (const [, go] of order) await go()
  const sides = new Map<string, Side[]>(order.map(([name]) => [name, []]))
  for (let nth = 0; nth < rounds; nth++) {
    // Who goes first changes, too.
    for (const [name, go] of nth % 2 === 0 ? order : order.toReversed()) sides.get(name)?.push(await go())
  }
  const ours = sides.get('ours') ?? []
  return {
    ours: middle(ours),
    against: names(contest).map((name) => {
      const theirs = sides.get(name) ?? []
      const ratios = ours.map(({ perSecond }, nth) => perSecond / (theirs[nth]?.perSecond ?? Number.NaN))
      return { name, side: middle(theirs), ratio: median(ratios), ratios }
    }),
  }
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
