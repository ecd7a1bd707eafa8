import { call, sending } from '../calls.ts'
import type { Answer } from '../calls.ts'
import type { Case, Run } from '../case.ts'
import { rowOf, setStage } from '../stage.ts'
import type { Stage } from '../stage.ts'

const limitMs = 500
/** Each is asked so often, so that one hiccup among all of a kind is not yet its p99. */
const rounds = 10
const megabyte = 1_000_000

const times = (text: string, count: number) => Array.from({ length: count }, () => text).join('')

/** Texts that cost a search most: wildcards of LIKE, too little for an index, too much of it, patterns of other engines. */
const texts = {
  'wildcards in turn': times('%_', 100),
  'wildcards of one letter': times('_', 200),
  'wildcards of any length': times('%', 200),
  'letters between wildcards': times('%a', 100),
  'a wildcard before and after': '%son%',
  backslashes: times('\\', 200),
  quotes: times(`'`, 200),
  'one letter': 'e',
  'two letters': 'an',
  'letters one by one': times('a ', 100),
  'common words': 'an er in ar el on',
  'a common word': 'ann',
  'a domain': '@example.org',
  'an at sign': '@',
  digits: '000',
  'a long number': times('0', 200),
  'a long word': times('x', 200),
  'the same letters again and again': times('ann', 66),
  'a regular expression': '(a+)+$',
  'SQL': `' or 1=1 --`,
  spaces: `${times(' ', 199)}e`,
} // prettier-ignore

const anyOf = (conditions: object[]) => ({
  and: Array.from({ length: Math.ceil(conditions.length / 20) }, (_, nth) => ({ or: conditions.slice(nth * 20, nth * 20 + 20) })),
})
const fifty = (condition: (nth: number) => object) => anyOf(Array.from({ length: 50 }, (_, nth) => condition(nth)))
const two = (nth: number) => String.fromCharCode(97 + (nth % 26), 97 + ((nth * 7) % 26))

/** Fifty conditions, which is what a filter may have, each of which nearly everybody has to be looked at for. */
const filters = {
  'names, each anywhere': fifty((nth) => ({ field: 'name', op: 'contains', value: two(nth) })),
  'names with wildcards': fifty((nth) => ({ field: 'name', op: 'contains', value: `%_${two(nth)}%_` })),
  'names nobody has': fifty((nth) => ({ field: 'name', op: 'contains', value: `zzq${two(nth)}` })),
  'e-mail addresses': fifty((nth) => ({ field: 'email', op: 'contains', value: `zzq${two(nth)}` })),
  towns: fifty((nth) => ({ field: 'city', op: 'contains', value: `zzq${two(nth)}` })),
  offices: fifty((nth) => ({ field: 'positionEver', op: 'contains', value: `zzq${two(nth)}` })),
  'a bit of everything': fifty((nth) => ({ field: ['name', 'employer', 'jobTitle', 'memberNo', 'city', 'email'][nth % 6], op: 'contains', value: `zzq${two(nth)}` })),
} // prettier-ignore

type Asked = { what: string; ask: () => Promise<Answer> }

async function asked(stage: Stage): Promise<Record<string, Asked[]>> {
  const server = stage.servers[0]?.url ?? ''
  const readers = { secretary: await stage.as('secretary'), member: await stage.as('member') }
  const list = (headers: Record<string, string>, path: string, query: Record<string, string>) => () =>
    call(`${server}/data/${path}?${new URLSearchParams({ limit: '50', ...query }).toString()}`, { headers })
  const each = (headers: Record<string, string>, path: string, more: Record<string, string> = {}) =>
    Object.entries(texts).map(([what, q]) => ({ what, ask: list(headers, path, { q, ...more }) }))
  const send = (path: string, body: unknown) => () => call(`${server}${path}`, sending(readers.secretary, body))
  const { id: chapterId } = await rowOf<{ id: string }>(stage.admin, 'select chapter_id as id from app.chapter_counts order by people desc limit 1') // prettier-ignore
  const { id: groupId } = await rowOf<{ id: string }>(stage.admin, 'select group_id as id from app.group_members group by 1 order by count(*) desc limit 1') // prettier-ignore
  const large = times('%_', megabyte / 2)
  return {
    'people, as a secretary': each(readers.secretary, 'people'),
    'people, as a member': each(readers.member, 'people'),
    'people in another order': each(readers.secretary, 'people', { sort: '-joinedOn' }),
    'people with filters': Object.entries(filters).map(([what, filter]) => ({
      what,
      ask: list(readers.secretary, 'people', { filter: JSON.stringify(filter) }),
    })),
    'other lists': [
      ...['groups', 'chapters', 'accounts', 'group-memberships', `chapters/${chapterId}/members`, `groups/${groupId}/members`].flatMap(
        (path) => each(readers.secretary, path).map(({ what, ask }) => ({ what: `${path}, ${what}`, ask })),
      ),
    ],
    'patterns of a megabyte': [
      { what: 'in an address', ask: list(readers.secretary, 'people', { q: large }) },
      { what: 'in a filter', ask: list(readers.secretary, 'people', { filter: JSON.stringify(anyOf([{ field: 'name', op: 'contains', value: large }])) }) }, // prettier-ignore
      { what: 'in an export', ask: send('/actions/exports', { list: 'people', format: 'csv', columns: ['displayName'], selection: { all: { q: large } } }) }, // prettier-ignore
      { what: 'in a view', ask: send('/data/views', { list: 'people', name: 'Large', spec: { q: large } }) },
      { what: 'among duplicates', ask: send('/data/people/duplicates', { familyName: large }) },
    ],
  }
}

async function run({ size, check, control, log }: Run): Promise<void> {
  const stage = await setStage({ people: size, servers: 1, workers: 0, log })
  try {
    await stage.admin.query('vacuum analyze')
    for (const [kind, all] of Object.entries(await asked(stage))) {
      const took: { what: string; ms: number; status: number }[] = []
      // What is asked first prepares its statement and warms the cache, as it does for everybody after it.
      for (const { ask } of all) await ask()
      for (let round = 0; round < rounds; round++) {
        for (const { what, ask } of all) {
          const started = performance.now()
          const { status } = await ask()
          took.push({ what, ms: performance.now() - started, status })
        }
      }
      took.sort((a, b) => a.ms - b.ms)
      const p99 = took[Math.floor(took.length * 0.99)]?.ms ?? Number.NaN
      const slowest = [...new Map(took.map(({ what, ms }) => [what, ms]))].sort(([, a], [, b]) => b - a).slice(0, 3)
      const statuses = [...new Set(took.map(({ status }) => status))].sort()
      check(`${kind}: p99 of ${took.length}, slowest ones`, `${p99.toFixed(0)} ms: ${slowest.map(([what, ms]) => `${what} ${ms.toFixed(0)} ms`).join(', ')}`, p99 <= limitMs) // prettier-ignore
      check(`${kind}: answers`, statuses, statuses.every((status) => status > 0 && status < 500)) // prettier-ignore
    }
    // A wildcard that is taken for one finds everybody, and no index helps.
    const { found, ms } = await unescaped(stage)
    const { total } = await rowOf<{ total: number }>(stage.admin, 'select count(*)::int as total from app.people')
    control(`a pattern of wildcards as it is finds, of ${total} people, in ${ms.toFixed(0)} ms`, found, found > total / 2)
  } finally {
    await stage.stop()
  }
}

async function unescaped({ admin }: Stage): Promise<{ found: number; ms: number }> {
  const started = performance.now()
  const { found } = await rowOf<{ found: number }>(admin, 'select count(*)::int as found from app.people where search like $1', [times('%_', 4) + '%']) // prettier-ignore
  return { found, ms: performance.now() - started }
}

export const costlySearches: Case = {
  name: 'costly-searches',
  about: 'no text or filter makes a search among 200,000 people take long (B12)',
  full: { kills: 0, size: 200_000 },
  run,
}
