import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { call, inParallel, sending } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { startProxy } from '../proxy.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

type Kind = { path: string; body: (name: string) => unknown; count: string }

/** Things whose doubling somebody would notice; `count` says how often each name is there. */
const kinds: Kind[] = [
  { path: '/data/people', body: (name) => ({ givenName: 'Double', familyName: name }), count: `select family_name as name from app.people where org_id = $1 and given_name = 'Double'` },
  { path: '/data/tags', body: (name) => ({ name }), count: 'select name from app.tags where org_id = $1' },
  { path: '/data/groups', body: (name) => ({ name, kind: 'committee' }), count: 'select name from app.groups where org_id = $1' },
  { path: '/data/views', body: (name) => ({ list: 'people', name, spec: {} }), count: 'select name from app.saved_views where org_id = $1' },
] // prettier-ignore

const effects = async ({ admin, orgId }: Stage, names: string[]) =>
  rowOf<{ once: number; more: number }>(
    admin,
    `select (count(*) filter (where times = 1))::int as once, (count(*) filter (where times > 1))::int as more
       from (select name, count(*) as times from (${kinds.map(({ count }) => `(${count})`).join(' union all ')}) x where name = any ($2) group by 1) y`,
    [orgId, names],
  )

/** Each thing is asked for twice at the same moment, once on each server. */
async function clickTwice(stage: Stage, headers: Record<string, string>, count: number, isKeyed: boolean) {
  const names: string[] = []
  const answers: Record<string, number> = {}
  await inParallel(4, count, async (nth) => {
    const kind = kinds[nth % kinds.length]
    if (!kind) return
    const name = `Twice ${randomUUID()}`
    names.push(name)
    const init = sending(headers, kind.body(name), isKeyed ? { 'idempotency-key': randomUUID() } : {})
    const both = await Promise.all(stage.servers.slice(0, 2).map(({ url }) => call(`${url}${kind.path}`, init)))
    const key = both.map(({ status }) => status).join(' ')
    answers[key] = (answers[key] ?? 0) + 1
    const [first, second] = both
    if (isKeyed && !isDeepStrictEqual(first?.body, second?.body)) answers['different bodies'] = (answers['different bodies'] ?? 0) + 1
  })
  return { names, answers }
}

/** The answer gets lost on the way; whoever asked tries again, on another server, until it is heard. */
async function retryUnheard(stage: Stage, headers: Record<string, string>, count: number, { random }: Run, isKeyed: boolean) {
  const names: string[] = []
  let repeated = 0
  let cutting = true
  const lines = await Promise.all(stage.servers.slice(0, 2).map(({ url }) => startProxy(() => Number(new URL(url).port))))
  const cut = async () => {
    while (cutting) {
      // Rarely enough for a busy machine to be heard in the end.
      await new Promise((resolve) => setTimeout(resolve, random.between(5, 200)))
      lines[random.between(0, 1)]?.cut()
    }
  }
  const cuts = cut()
  await inParallel(4, count, async (nth) => {
    const kind = kinds[nth % kinds.length]
    if (!kind) return
    const name = `Retried ${randomUUID()}`
    names.push(name)
    const init = sending(headers, kind.body(name), isKeyed ? { 'idempotency-key': randomUUID() } : {})
    for (let attempt = 0; attempt < 50; attempt++) {
      const { status } = await call(`http://127.0.0.1:${lines[attempt % 2]?.port ?? 0}${kind.path}`, init)
      if (status === 201 || status === 409) return
      repeated += 1
    }
    throw new Error(`${name} was never answered`)
  })
  cutting = false
  await cuts
  await Promise.all(lines.map((line) => line.stop()))
  return { names, repeated }
}

async function run(ordered: Run): Promise<void> {
  const { size, check, control, log } = ordered
  const stage = await setStage({ workers: 0, log })
  try {
    const headers = await stage.as('secretary')
    const twice = await clickTwice(stage, headers, size, true)
    const found = await effects(stage, twice.names)
    check(`${size} double clicks on two servers: effects`, found, found.once === size && found.more === 0)
    check('both get the same answer', twice.answers, Object.keys(twice.answers).join() === '201 201')
    const retried = await retryUnheard(stage, headers, size, ordered, true)
    const kept = await effects(stage, retried.names)
    check(`${size} requests repeated ${retried.repeated} times because the answer was lost: effects`, kept, kept.once === size && kept.more === 0 && retried.repeated > 0) // prettier-ignore
    const key = randomUUID()
    const [url] = stage.servers.map((server) => server.url)
    await call(`${url ?? ''}/data/tags`, sending(headers, { name: 'One thing' }, { 'idempotency-key': key }))
    const other = await call(`${url ?? ''}/data/tags`, sending(headers, { name: 'Another thing' }, { 'idempotency-key': key }))
    check('another request under the same key', other.status, other.status === 422)
    const without = await effects(stage, (await clickTwice(stage, headers, 40, false)).names)
    control('without keys a double click counts twice', without, without.more > 0)
  } finally {
    await stage.stop()
  }
}

export const doubleClicks: Case = {
  name: 'double-clicks',
  about: 'what is sent twice or repeated by the network happens once (F6)',
  full: { kills: 0, size: 1_000 },
  short: { kills: 0, size: 24 },
  run,
}
