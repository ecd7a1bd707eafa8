import type { Candidates } from './candidates.ts'
import type { DemoChapter } from './chapters.ts'
import { dayOf, yearOf } from './days.ts'
import { chapterIn } from './plan.ts'
import type { Plan } from './plan.ts'
import { random, streams } from './random.ts'

export type Office = {
  index: number
  chapter: number
  title: string
  role: string | null
  seats: number
  mandatory: boolean
  memberOnly: boolean
}
export type Holder = { office: Office; person: number; startDay: number; endDay: number; note: string }

type OfficeKind = Omit<Office, 'index' | 'chapter'>
const office = (title: string, role: string | null = null, more: Partial<OfficeKind> = {}): OfficeKind => ({
  title,
  role,
  seats: 1,
  mandatory: false,
  memberOnly: true,
  ...more,
})

const national = [
  office('President', null, { mandatory: true }),
  office('Secretary General', null, { mandatory: true }),
  office('Treasurer', null, { mandatory: true }),
  office('Communications Officer'),
  office('Events Officer'),
  office('Safeguarding Officer', 'safeguarding', { mandatory: true }),
  office('Council Member', null, { seats: 5 }),
  office('Honorary Auditor', null, { memberOnly: false }),
]
const regional = [
  office('President', 'chapter-admin', { mandatory: true }),
  office('Vice President'),
  office('Secretary', 'chapter-admin'),
  office('Treasurer'),
]
const local = [
  office('President', 'chapter-admin', { mandatory: true }),
  office('Vice President'),
  office('Secretary', 'chapter-admin', { mandatory: true }),
  office('Treasurer', null, { mandatory: true }),
  office('Membership Officer'),
]

export const termMonths = 24
const vacant = 0.07
const reelected = 0.3
/** Successors are elected in the last months of a term. */
const electedAheadDays = 120

export function officesOf({ chapters }: Plan): Office[] {
  const offices: Office[] = []
  for (const chapter of chapters) {
    const kinds = chapter.depth === 1 ? national : chapter.children.length > 0 ? regional : local
    for (const kind of kinds) offices.push({ ...kind, index: offices.length, chapter: chapter.index })
  }
  return offices
}

/** Everyone who held, holds or was elected to an office, term by term; streamed, as a big tree has many. */
export function* holdersOf(plan: Plan, offices: readonly Office[], candidates: Candidates): Generator<Holder> {
  let chapter = -1
  let terms: Term[] = []
  let busy: Set<number>[] = []
  for (const each of offices) {
    if (each.chapter !== chapter) {
      chapter = each.chapter
      terms = termsOf(plan.chapters[chapter], plan.today)
      busy = terms.map(() => new Set())
    }
    const draw = random(plan.seed, streams.holder, each.index)
    for (let seat = 0; seat < each.seats; seat++) {
      let last: number | undefined
      for (const [k, term] of terms.entries()) {
        const taken = busy[k] ?? new Set()
        const person =
          chosen(plan, each, term) ?? (draw.chance(vacant) || (term.upcoming && draw.chance(0.4)) ? undefined : next(term, taken, last))
        last = person
        if (person === undefined) continue
        taken.add(person)
        yield {
          office: each,
          person,
          startDay: term.startDay,
          endDay: term.endDay,
          note: term.upcoming ? 'Elected, takes office at the start of the term' : '',
        }
      }

      function next(term: Term, taken: ReadonlySet<number>, before: number | undefined): number | undefined {
        const found = candidates.find(draw, each.chapter, term.startDay, term.endDay, taken)
        if (before === undefined || taken.has(before) || plan.personas.has(before) || !draw.chance(reelected)) return found
        return candidates.find(
          draw,
          each.chapter,
          term.startDay,
          term.endDay,
          new Set([...taken, ...(found === undefined ? [] : [found])]),
        ) === before
          ? before
          : found
      }
    }
  }
}

type Term = { startDay: number; endDay: number; upcoming: boolean }

/** Two calendar years each, the first one from the founding of the chapter. */
function termsOf(chapter: DemoChapter | undefined, today: number): Term[] {
  if (!chapter) return []
  const terms: Term[] = []
  let startDay = chapter.charteredDay
  while (startDay <= today || startDay - today <= electedAheadDays) {
    const endDay = dayOf(`${yearOf(startDay) + 1}-12-31`)
    terms.push({ startDay, endDay, upcoming: startDay > today })
    startDay = endDay + 1
  }
  return terms
}

/** The demo people hold their offices today. */
function chosen(plan: Plan, { chapter, title }: Office, { startDay, endDay }: Term): number | undefined {
  if (startDay > plan.today || endDay < plan.today) return undefined
  for (const [index, { office, city }] of plan.personas) {
    if (office?.title !== title) continue
    const place = office.chapter === 'national' ? 0 : regionOf(plan, city)
    if (place === chapter) return index
  }
  return undefined
}

/** The uppermost chapter below the national body in whose tree the city lies: a region, or in a tree without regions the city itself. */
function regionOf({ chapters }: Pick<Plan, 'chapters'>, city: string): number {
  let chapter = chapters[chapterIn(chapters, city)]
  while (chapter && chapter.depth > 2) chapter = chapters[chapter.parent ?? 0]
  return chapter?.index ?? 0
}
