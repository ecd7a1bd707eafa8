import type { Life } from './life.ts'
import type { Plan } from './plan.ts'
import { random, streams } from './random.ts'

export type Belonging = { chapter: number; kind: Life['kind']; startDay: number; endDay: number | null; primary: boolean }

/** Chances to be found in more than one chapter; over all people they come to 30 %. */
const elsewhereToo = { living: 0.36, past: 0.12 }
const appliedFirst = 0.45

/** Which chapters someone belongs and belonged to: applied, joined, moved on and stayed in touch, or was a friend of a second one. */
export function belongingsOf(plan: Plan, index: number, life: Life): Belonging[] {
  const draw = random(plan.seed, streams.belonging, index)
  const chapter = plan.homes[index] ?? 0
  const { createdDay, endDay, kind } = life
  if (life.lifecycle === 'prospect') return [{ chapter, kind: 'applicant', startDay: createdDay, endDay: null, primary: true }]
  const persona = plan.personas.has(index)
  const result: Belonging[] = []
  const until = endDay ?? plan.today
  const second =
    !persona && draw.chance(endDay === null ? elsewhereToo.living : elsewhereToo.past) ? otherChapter(plan, index, chapter) : chapter
  const membershipDays = until - createdDay
  const first: Belonging = { chapter, kind, startDay: createdDay, endDay, primary: true }
  if (second !== chapter && membershipDays > 400 && draw.chance(0.55)) {
    // Moved to another city: the first chapter keeps them as one of its alumni.
    const movedDay = createdDay + 200 + Math.floor(draw.next() * (membershipDays - 300))
    result.push({ chapter: second, kind: 'member', startDay: createdDay, endDay: movedDay - 1, primary: true })
    result.push({ chapter: second, kind: 'alumni', startDay: movedDay, endDay, primary: false })
    first.startDay = movedDay
  } else if (second !== chapter) {
    const startDay = createdDay + Math.floor(draw.next() * membershipDays)
    result.push({ chapter: second, kind: draw.chance(0.8) ? 'friend' : 'advisor', startDay, endDay, primary: false })
  }
  if (kind === 'alumni' && first.endDay === null && plan.today - first.startDay > 700) {
    const retiredDay = first.startDay + 365 + Math.floor(draw.next() * (plan.today - first.startDay - 400))
    result.push({ ...first, kind: 'member', endDay: retiredDay - 1 })
    first.startDay = retiredDay
  }
  if (createdDay - 21 > plan.foundedDay && draw.chance(appliedFirst)) {
    const where = result.find(({ startDay, kind: as }) => startDay === createdDay && as === 'member')?.chapter ?? chapter
    result.unshift({
      chapter: where,
      kind: 'applicant',
      startDay: createdDay - draw.between(4, 20),
      endDay: createdDay - 1,
      primary: false,
    })
  }
  result.push(first)
  return result
}

/** Mostly a neighbour below the same parent, sometimes anywhere; never the biggest, whose share is promised. */
function otherChapter(plan: Plan, index: number, own: number): number {
  const draw = random(plan.seed, streams.belonging, index + plan.people)
  const { chapters, biggest } = plan
  for (let attempt = 0; attempt < 6; attempt++) {
    const parent = chapters[chapters[own]?.parent ?? 0]
    const other = draw.chance(0.4) && parent ? draw.pick(parent.children) : draw.int(chapters.length)
    const founded = (chapters[other]?.charteredDay ?? plan.today) < plan.today - 30
    if (other !== own && other !== biggest && other !== 0 && founded) return other
  }
  return own === 1 ? 2 : 1
}
