import * as z from 'zod'
import { addFields } from './fields.ts'
import { answerOf, latency } from './load.ts'
import type { Call, Latency } from './load.ts'
import { membershipSubjects } from './memberships.ts'
import type { Stage } from './stage.ts'

export type Timing = Latency & { what: string; users: number; limitMs: number }

/** What must hardly take longer when there are a hundred times as many people. */
export const firstPage = 'people, first page'
export const nextPage = 'people, page after a cursor'
export const personPage = 'person overview'

const manyUsers = 32
const differentPages = 10
/** How much longer an answer may take when 32 ask at once. */
const patience = 5

/** How long people wait: first page, each keystroke of a search, a person, the tree. */
export async function timePages(stage: Stage, log: (line: string) => void): Promise<Timing[]> {
  const [secretary, member] = [await stage.as('secretary'), await stage.as('member')]
  const { rows: people } = await stage.admin.query<{ id: string; given_name: string; family_name: string }>(
    // By hash, so that the same ones are asked for every time.
    `select id, given_name, family_name from app.people where char_length(family_name) >= 6 and minor_until is null order by hashtext(id::text) limit 300`,
  )
  const data = (path: string, headers = secretary): Call => ({ url: `${stage.apiUrl}/data/${path}`, headers })
  const typed = people.slice(0, 60).flatMap(({ family_name: name }, nth) => keystrokes(name, nth % 3))
  const search = (headers: Record<string, string>) => typed.map((text) => data(`people?limit=50&q=${encodeURIComponent(text)}`, headers))
  const { rows: counted } = await stage.admin.query<{ chapters: string }>('select count(*) as chapters from app.chapters')
  const subjects: { what: string; calls: Call[]; limitMs: number }[] = [
    { what: firstPage, calls: repeat(data('people?limit=50'), 150), limitMs: 100 },
    { what: nextPage, calls: (await afterCursors(data)).flatMap((call) => repeat(call, 15)), limitMs: 100 },
    { what: 'people, first page, as a plain member', calls: repeat(data('people?limit=50', member), 150), limitMs: 100 },
    { what: 'search as you type (3 letters and more)', calls: search(secretary), limitMs: 150 },
    { what: 'search as you type, as a plain member', calls: search(member), limitMs: 150 },
    { what: personPage, calls: people.map(({ id }) => data(`people/${id}/overview`)), limitMs: 50 },
    { what: `tree of ${counted[0]?.chapters} chapters`, calls: repeat(data('chapters/tree'), 60), limitMs: 150 },
  ]
  // Fields come when everything else was timed without them.
  const withFields = async () => {
    const asked = await addFields(stage, log)
    return asked.flatMap(({ what, path, limitMs }) => [
      { what, calls: repeat(data(path), 60), limitMs },
      { what: `${what}, as a plain member`, calls: repeat(data(path, member), 60), limitMs },
    ])
  }
  const timings: Timing[] = []
  const time = async (some: typeof subjects) => {
    for (const { what, calls, limitMs } of some) {
      for (const users of [1, manyUsers]) {
        const measured = await latency(users === 1 ? calls : [...calls, ...calls], users)
        log(`${what}, ${users} at once: p95 ${Math.round(measured.p95)} ms`)
        timings.push({ what, users, limitMs: limitMs * (users === 1 ? 1 : patience), ...measured })
      }
    }
  }
  await time(subjects)
  await time(membershipSubjects.map(({ what, path, limitMs }) => ({ what, calls: repeat(data(path), 60), limitMs })))
  await time(await withFields())
  return timings
}

async function afterCursors(data: (path: string) => Call): Promise<Call[]> {
  const calls: Call[] = []
  let call = data('people?limit=50')
  while (calls.length < differentPages) {
    const { nextCursor } = Cursor.parse(await answerOf(call))
    call = data(`people?limit=50&cursor=${encodeURIComponent(nextCursor)}`)
    calls.push(call)
  }
  return calls
}

const Cursor = z.object({ nextCursor: z.string() })

const repeat = (call: Call, times: number): Call[] => Array.from({ length: times }, () => call)

/** What stands in the box while someone types part of a name, from the third letter on. */
function keystrokes(name: string, from: number): string[] {
  const part = name.slice(from, from + 6)
  return [3, 4, 5, 6].filter((length) => part.length >= length).map((length) => part.slice(0, length))
}
