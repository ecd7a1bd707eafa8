import { candidatesOf } from './candidates.ts'
import { mailNames } from './contacts.ts'
import type { MailNames } from './contacts.ts'
import { millisecondsOf } from './days.ts'
import { groupsOf } from './groups.ts'
import type { Groups } from './groups.ts'
import { holdersOf, officesOf } from './offices.ts'
import type { Holder, Office } from './offices.ts'
import { createdDayOf, planOf } from './plan.ts'
import type { Plan, PlanOptions } from './plan.ts'
import { idOf, streams } from './random.ts'

/** Everything that one person's rows may refer to. */
export type World = Plan & { mail: MailNames; groups: Groups; offices: readonly Office[]; holders(): Generator<Holder> }

export function worldOf(options: PlanOptions): World {
  const plan = planOf(options)
  const candidates = candidatesOf(plan)
  const offices = officesOf(plan)
  return {
    ...plan,
    mail: mailNames(plan),
    groups: groupsOf(plan, candidates),
    offices,
    holders: () => holdersOf(plan, offices, candidates),
  }
}

export const personId = (plan: Plan, index: number): string =>
  idOf(plan.seed, streams.person, index, millisecondsOf(createdDayOf(plan, index), 43_200) + (index % 1_000))
export const officeId = (plan: Plan, office: Office): string =>
  idOf(plan.seed, streams.position, office.index, millisecondsOf(plan.chapters[office.chapter]?.charteredDay ?? plan.foundedDay, 30_000))
export const accountId = (plan: Plan, index: number): string =>
  idOf(plan.seed, streams.account, index, millisecondsOf(plan.foundedDay, 0) + index)
export const roleId = (plan: Plan, key: string): string =>
  idOf(
    plan.seed,
    streams.role,
    Array.from(key).reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) % 1_000_003,
    millisecondsOf(plan.foundedDay, 0),
  )
export const tagId = (plan: Plan, nth: number): string => idOf(plan.seed, streams.tag, nth, millisecondsOf(plan.foundedDay, 0))
