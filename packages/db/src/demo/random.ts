/** Draws that are the same on every machine for the same seed, stream and index; not for secrets. */
export type Random = {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  int(below: number): number
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
}

/** Mixes numbers into 32 well-spread bits (the finaliser of MurmurHash3 after each). */
export function mix(...numbers: readonly number[]): number {
  let hash = 0x9e3779b9
  for (const number of numbers) {
    hash = Math.imul(hash ^ number ^ Math.floor(number / 0x1_0000_0000), 0x85ebca6b)
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
    hash ^= hash >>> 16
  }
  return hash >>> 0
}

/**
 * A stream of draws of its own for each index, so that any row can be made without making those before it.
 * The generator is mulberry32.
 */
export function random(seed: number, stream: number, index: number): Random {
  let state = mix(seed, stream, index)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 0x1_0000_0000
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    next,
    int,
    between: (low, high) => low + int(high - low + 1),
    chance: (probability) => next() < probability,
    pick(list) {
      const picked = list[int(list.length)]
      if (picked === undefined) throw new Error('There is nothing to pick from.')
      return picked
    },
  }
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')

/** A version 7 UUID whose random bits follow from seed, stream and index. */
export function idOf(seed: number, stream: number, index: number, milliseconds: number): string {
  const time = hex(milliseconds, 12)
  const a = mix(seed, stream, index, 1)
  const b = mix(seed, stream, index, 2)
  const c = mix(seed, stream, index, 3)
  const variant = hex(0x8000 | (a & 0x3fff), 4)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(a >>> 20, 3)}-${variant}-${hex(b, 8)}${hex(c & 0xffff, 4)}`
}

/** One stream per kind of row or of question, so that a new question leaves the answers to the others as they were. */
export const streams = {
  organisation: 1,
  role: 2,
  chapter: 3,
  person: 4,
  names: 5,
  life: 6,
  contacts: 7,
  work: 8,
  belonging: 9,
  groups: 10,
  email: 11,
  phone: 12,
  affiliation: 13,
  position: 14,
  holder: 15,
  group: 16,
  groupMember: 17,
  tag: 18,
  account: 19,
  grant: 20,
  twin: 21,
  history: 22,
  placement: 23,
  externalId: 24,
  message: 25,
  communicationSettings: 26,
  automation: 27,
  syncRun: 28,
} as const

/** SQL for an id made of a text, the same every time: a UUID of version 8, which readers of the API accept. */
export const drawnId = (text: string) => `overlay(overlay(md5(${text}) placing '8' from 13) placing '8' from 17)::uuid`

/** SQL for an id that is the same every time and sorts by when its row was made, as those of the database do. */
export const datedId = (text: string, at: string) =>
  `overlay(${drawnId(text)}::text placing regexp_replace(lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0'), '(.{8})', '\\1-') from 1 for 13)::uuid`

/** SQL for a draw of a key, spread over 0 to 999. */
export const drawn = (text: string) => `abs(hashtextextended(${text}, 11) % 1000)::int`
