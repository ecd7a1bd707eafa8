import { belongingsOf } from './belonging.ts'
import { lifeOf } from './life.ts'
import { isTwin } from './plan.ts'
import type { Plan } from './plan.ts'
import { mix, streams } from './random.ts'
import type { Random } from './random.ts'

/** For each chapter, some of its people who may hold an office or lead a group: everyone in a small one, a sample of a big one. */
export type Candidates = {
  /** Someone of this chapter (or of those below it) who was a member all through these days, if there is anyone. */
  find(draw: Random, chapter: number, startDay: number, endDay: number, taken: ReadonlySet<number>): number | undefined
}

const kept = 60

export function candidatesOf(plan: Plan): Candidates {
  const byChapter: number[][] = plan.chapters.map(() => [])
  const seen = new Int32Array(plan.chapters.length)
  for (let index = 0; index < plan.people; index++) {
    const chapter = plan.homes[index] ?? 0
    const list = byChapter[chapter]
    if (!list || isTwin(plan, index)) continue
    const life = lifeOf(plan, index)
    if (life.minor || life.lifecycle === 'prospect' || (life.kind !== 'member' && life.kind !== 'alumni')) continue
    const nth = (seen[chapter] = (seen[chapter] ?? 0) + 1)
    if (list.length < kept) list.push(index)
    else {
      const place = mix(plan.seed, streams.holder, index) % nth
      if (place < kept) list[place] = index
    }
  }
  const below = (chapter: number): number[] => {
    const own = byChapter[chapter] ?? []
    return own.length >= 12 ? own : [...own, ...(plan.chapters[chapter]?.children ?? []).flatMap((child) => below(child).slice(0, kept))]
  }
  const reach = plan.chapters.map((chapter) =>
    chapter.children.length === 0 ? (byChapter[chapter.index] ?? []) : below(chapter.index).slice(0, kept * 12),
  )

  return {
    find(draw, chapter, startDay, endDay, taken) {
      const list = reach[chapter] ?? []
      const from = draw.int(Math.max(list.length, 1))
      for (let step = 0; step < list.length; step++) {
        const index = list[(from + step) % list.length]
        if (index !== undefined && !taken.has(index) && !plan.personas.has(index) && memberThrough(plan, index, startDay, endDay))
          return index
      }
      return undefined
    },
  }
}

function memberThrough(plan: Plan, index: number, startDay: number, endDay: number): boolean {
  const life = lifeOf(plan, index)
  if (life.createdDay > startDay || (life.endDay !== null && life.endDay <= endDay)) return false
  return belongingsOf(plan, index, life).some(
    (belonging) =>
      belonging.kind === 'member' &&
      belonging.startDay <= startDay &&
      (belonging.endDay === null || belonging.endDay >= Math.min(endDay, plan.today)),
  )
}
