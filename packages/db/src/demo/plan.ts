import { chaptersOf } from './chapters.ts'
import type { DemoChapter } from './chapters.ts'
import { addYears, dayOf } from './days.ts'
import { personas } from './personas.ts'
import type { Persona } from './personas.ts'
import { idOf, mix, random, streams } from './random.ts'
import { demoShapes, yearsOfHistory } from './sizes.ts'
import type { DemoSize } from './sizes.ts'

/** What is settled before the first person is made; small enough to keep even for a million people. */
export type Plan = {
  seed: number
  size: DemoSize
  people: number
  today: number
  foundedDay: number
  orgId: string
  chapters: readonly DemoChapter[]
  /** The chapter with 6 % of all people. */
  biggest: number
  /** Home chapter of every person. */
  homes: Int32Array
  personas: ReadonlyMap<number, Persona>
}

export type PlanOptions = { size: DemoSize; seed?: number; today: string; people?: number }

const shareOfBiggest = 0.06
const twinEvery = 33
const familyEvery = 100
const growth = 1.6

export function planOf({ size, seed = 20_141_121, today: todayIso, people = demoShapes[size].people }: PlanOptions): Plan {
  const today = dayOf(todayIso)
  const foundedDay = addYears(today, -yearsOfHistory)
  const chapters = chaptersOf(seed, demoShapes[size].levels, foundedDay, today)
  const biggest = chapters.findIndex((chapter) => chapter.children.length === 0 && chapter.city.name === 'London')
  const places = personaPlaces(people)
  const plan = {
    seed,
    size,
    people,
    today,
    foundedDay,
    chapters,
    biggest,
    personas: places,
    orgId: idOf(seed, streams.organisation, 0, foundedDay * 86_400_000),
  }
  return { ...plan, homes: homesOf(plan) }
}

/** People are numbered in the order in which they joined; more joined every year. */
export const createdDayOf = ({ foundedDay, today, people }: Pick<Plan, 'foundedDay' | 'today' | 'people'>, index: number): number =>
  foundedDay + Math.floor((index / people) ** (1 / growth) * (today - foundedDay))

/** Whether this person stands in the register a second time, under a slightly different name: every 33rd. */
export const isTwin = (plan: Pick<Plan, 'personas'>, index: number): boolean =>
  index % twinEvery === twinEvery - 1 && !plan.personas.has(index)

/** The person whom a twin repeats. */
export function originalOf(plan: Pick<Plan, 'seed' | 'personas'>, twin: number): number {
  const index = twin - 1 - (mix(plan.seed, streams.twin, twin) % 20)
  return plan.personas.has(index) ? index - 1 : index
}

/** Whether this person shares home, family name and e-mail address with the one before: every hundredth. */
export const isRelative = (plan: Pick<Plan, 'personas'>, index: number): boolean =>
  index % familyEvery === familyEvery - 43 && !isTwin(plan, index) && !isTwin(plan, index - 1) && !plan.personas.has(index)

function personaPlaces(people: number): Map<number, Persona> {
  const places = new Map<number, Persona>()
  for (const persona of personas) {
    let index = Math.floor(persona.place * people)
    // Neither a twin nor one of a family, and nobody's place twice.
    while (index % twinEvery === twinEvery - 1 || [56, 57].includes(index % familyEvery) || places.has(index)) index++
    places.set(index, persona)
  }
  return places
}

function homesOf(plan: Omit<Plan, 'homes'>): Int32Array {
  const { seed, chapters, biggest } = plan
  const weights = chapters.map((chapter) => {
    if (chapter.index === biggest) return 0
    if (chapter.depth < 3 && chapter.children.length > 0) return 0.06
    return (chapter.children.length > 0 ? 0.3 : 1) * (0.5 + random(seed, streams.placement, chapter.index).next() * 0.8)
  })
  const sums = new Float64Array(chapters.length)
  weights.reduce((sum, weight, index) => (sums[index] = sum + weight), 0)
  const total = sums.at(-1) ?? 0
  const homes = new Int32Array(plan.people)
  for (let index = 0; index < plan.people; index++) homes[index] = homeOf(index)
  return homes

  function homeOf(index: number): number {
    const persona = plan.personas.get(index)
    if (persona) return chapterIn(chapters, persona.city)
    if (isRelative(plan, index)) return homes[index - 1] ?? 0
    const draw = random(seed, streams.placement, chapters.length + index)
    if (isTwin(plan, index) && draw.chance(0.7)) return homes[originalOf(plan, index)] ?? 0
    const day = createdDayOf(plan, index)
    if (draw.chance(shareOfBiggest)) return biggest
    for (let attempt = 0; attempt < 12; attempt++) {
      const found = search(sums, draw.next() * total)
      if ((chapters[found]?.charteredDay ?? day) <= day) return found
    }
    // Before there were chapters, one joined the national body itself.
    return 0
  }
}

/** The chapter of a city where people are, the nearest thing to it in a smaller tree. */
export function chapterIn(chapters: readonly DemoChapter[], city: string): number {
  const found =
    chapters.find((chapter) => chapter.city.name === city && chapter.children.length === 0) ??
    chapters.find((chapter) => chapter.depth > 1 && chapter.children.length === 0)
  return found?.index ?? 0
}

/** First position whose running sum exceeds the value. */
function search(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sums[middle] ?? 0) > value) high = middle
    else low = middle + 1
  }
  return low
}
