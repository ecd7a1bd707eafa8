import type { FieldMapping } from '@guildhall/contract/features/integrations'
import { joinTexts, splitTexts } from '../../../platform/files/joined-texts.ts'
import type { Values } from '../ours/integrations.ours.rules.ts'

/**
 * What both sides held when they last agreed. `ours` is kept where our side writes it in other words than theirs; `accepted` is what somebody let go there that
 * would otherwise wait.
 */
export type Base = { value: string | null; ours?: string | null; accepted?: string | null }
export type Agreed = Readonly<Record<string, Base>>

/** A field that is written on one side: what stood there, and what will. */
export type Change = { field: string; before: string | null; after: string | null }

export type Compared = {
  /** To be written to ours, and to theirs. */
  in: Change[]
  out: Change[]
  /** Changed on both sides: before is ours, after theirs. */
  conflicts: Change[]
  /** By the rule `review`: they wait for somebody. */
  waitIn: Change[]
  waitOut: Change[]
  /** Settled without writing anything: both sides hold it, or held it first. */
  settled: Record<string, Base>
}

type Sides = { agreed: Agreed; ours: Values; theirs: Values; sets: ReadonlySet<string> }

const goesIn = ({ direction }: FieldMapping) => direction !== 'out'
const goesOut = ({ direction }: FieldMapping) => direction !== 'in'

/** Compares one record field by field with what both sides last agreed on. A value that a side does not show is left alone. */
export function compare(mapping: readonly FieldMapping[], { agreed, ours, theirs, sets }: Sides): Compared {
  const found: Compared = { in: [], out: [], conflicts: [], waitIn: [], waitOut: [], settled: {} }
  for (const field of mapping) {
    const { ours: key, rule } = field
    const mine = ours[key]
    const other = theirs[key]
    if (rule === 'never' || mine === undefined || other === undefined) continue
    const base = agreed[key]
    if (mine === other) {
      if (!base || base.value !== other || (base.ours ?? base.value) !== mine) found.settled[key] = { value: other }
      continue
    }
    const step = sets.has(key) ? stepOfSet(field, base, mine, other) : stepOf(field, base, mine, other)
    if (step.settled !== undefined) found.settled[key] = step.settled
    if (step.conflict) found.conflicts.push({ field: key, before: mine, after: other })
    if (step.ours !== undefined && step.ours !== mine)
      (rule === 'review' ? found.waitIn : found.in).push({ field: key, before: mine, after: step.ours })
    if (step.theirs !== undefined && step.theirs !== other)
      (rule === 'review' && !(base?.accepted !== undefined && base.accepted === step.theirs) ? found.waitOut : found.out).push({
        field: key,
        before: other,
        after: step.theirs,
      })
  }
  return found
}

type Step = { ours?: string | null; theirs?: string | null; conflict?: boolean; settled?: Base }

function stepOf(field: FieldMapping, base: Base | undefined, mine: string | null, other: string | null): Step {
  if (!base) return firstStep(field, mine, other)
  const mineChanged = mine !== (base.ours === undefined ? base.value : base.ours)
  const otherChanged = other !== base.value
  if (mineChanged && otherChanged) return { conflict: true }
  if (otherChanged) return goesIn(field) ? { ours: other } : {}
  if (mineChanged) return goesOut(field) ? { theirs: mine } : {}
  return {}
}

/** Two records that meet for the first time: nothing is emptied, and where both say something else the direction decides, or somebody. */
function firstStep(field: FieldMapping, mine: string | null, other: string | null): Step {
  if (other === null) return goesOut(field) ? { theirs: mine } : { settled: { value: other, ours: mine } }
  if (mine === null) return goesIn(field) ? { ours: other } : { settled: { value: other, ours: mine } }
  if (field.direction === 'in') return { ours: other }
  return field.direction === 'out' ? { theirs: mine } : { conflict: true }
}

const textsOf = (value: string | null | undefined) => new Map(splitTexts(value ?? '').map((text) => [text.toLowerCase(), text]))

/** The texts of a set in their one order; nothing where there are none. */
export function setOf(texts: Iterable<string>): string | null {
  const sorted = [...new Map([...texts].map((text) => [text.toLowerCase(), text])).entries()].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.length === 0 ? null : joinTexts(sorted.map(([, text]) => text))
}

/** A set with what another one has more than it had before, and without what it has no more. */
export function mergedSet(
  into: string | null | undefined,
  from: string | null | undefined,
  before: string | null | undefined,
): string | null {
  const merged = textsOf(into)
  const [now, then] = [textsOf(from), textsOf(before)]
  for (const [key, text] of now) if (!then.has(key) && !merged.has(key)) merged.set(key, text)
  for (const key of then.keys()) if (!now.has(key)) merged.delete(key)
  return setOf(merged.values())
}

/** Sets never contradict: what one side added or removed is added or removed on the other. */
function stepOfSet(field: FieldMapping, base: Base | undefined, mine: string | null, other: string | null): Step {
  const toOurs = goesIn(field) ? mergedSet(mine, other, base?.value) : mine
  const toTheirs = goesOut(field) ? mergedSet(other, mine, base && base.ours !== undefined ? base.ours : base?.value) : other
  const settled =
    toOurs === mine && toTheirs === other && (base?.value !== other || (base.ours === undefined ? base.value : base.ours) !== mine)
  return { ours: toOurs, theirs: toTheirs, ...(settled && { settled: { value: other, ours: mine } }) }
}
