import { addYears, dayOf, yearOf } from './days.ts'
import { createdDayOf } from './plan.ts'
import type { Plan } from './plan.ts'
import { random, streams } from './random.ts'

/** When someone joined, whether and when it ended, how old they are: what everything else about them has to agree with. */
export type Life = {
  createdDay: number
  createdSecond: number
  joinedDay: number | null
  /** Day on which membership lapsed or the person died. */
  endDay: number | null
  lifecycle: 'prospect' | 'active' | 'alumni' | 'former' | 'deceased'
  kind: 'member' | 'alumni' | 'advisor' | 'friend' | 'applicant'
  birthDay: number
  minor: boolean
}

/** Chances per year since joining; over all members they come to a fifth who lapsed and a twentieth who died. */
const lapsePerYear = 0.0433
const deathPerYear = 0.0108

export function lifeOf(plan: Plan, index: number): Life {
  const draw = random(plan.seed, streams.life, index)
  const createdDay = createdDayOf(plan, index)
  const createdSecond = 25_200 + draw.int(43_200)
  const persona = plan.personas.get(index)
  if (persona) {
    const birthDay = dayOf(`${persona.birthYear}-01-01`) + draw.int(365)
    return { createdDay, createdSecond, joinedDay: createdDay, endDay: null, lifecycle: 'active', kind: 'member', birthDay, minor: false }
  }
  const years = (plan.today - createdDay) / 365.25
  const fate = draw.next()
  const died = fate < deathPerYear * years
  const lapsed = !died && fate < (deathPerYear + lapsePerYear) * years
  const since = plan.today - createdDay
  const endDay = (died || lapsed) && since > 60 ? createdDay + 30 + Math.floor(draw.next() * (since - 31)) : null
  const ageThen = died ? draw.between(48, 84) : Math.floor(21 + draw.next() ** 1.7 * 42)
  const minor = !died && !lapsed && years < 2.5 && draw.chance(0.09)
  const age = minor ? draw.between(14, 16) : ageThen
  const birthDay = (minor ? addYears(plan.today, -age) : addYears(createdDay, -age)) - draw.int(360) - 1
  const rest = { createdDay, createdSecond, endDay, birthDay, minor }
  if (endDay !== null && died) return { ...rest, joinedDay: createdDay, lifecycle: 'deceased', kind: 'member' }
  if (endDay !== null) return { ...rest, joinedDay: createdDay, lifecycle: 'former', kind: 'member' }
  if (since < 75 && !minor && draw.chance(0.75)) return { ...rest, joinedDay: null, lifecycle: 'prospect', kind: 'applicant' }
  if (!minor && yearOf(plan.today) - yearOf(birthDay) > 58 && draw.chance(0.5)) {
    return { ...rest, joinedDay: createdDay, lifecycle: 'alumni', kind: 'alumni' }
  }
  const dice = draw.next()
  const kind = minor || dice < 0.95 ? 'member' : dice < 0.98 ? 'friend' : 'advisor'
  return { ...rest, joinedDay: createdDay, lifecycle: 'active', kind }
}
