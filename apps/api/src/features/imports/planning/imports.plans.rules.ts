import type { ImportFindingCode, ImportOptions } from '@guildhall/contract/features/imports'
import type { Values } from '../../../platform/records/row-changes.ts'
import type { Effect } from './imports.changes.rules.ts'
import { guardText } from '@guildhall/contract/formula-guard'
import { fieldRules } from '../mapping/imports.fields.rules.ts'
import { cleanCell, readValue } from '../mapping/imports.values.rules.ts'
import type { Value } from '../mapping/imports.values.rules.ts'
import { finding, headerOf, isRejected, textOf } from './imports.drafts.rules.ts'
import type { Abouts, Draft, Mapped } from './imports.drafts.rules.ts'

/** What is to become of one row. `key` is what it is known by; the ledger keeps it, so that a second row that means the same is found. */
export type Planned = {
  draft: Draft
  outcome: 'create' | 'update' | 'unchanged' | 'skip' | 'reject'
  key: string | null
  entityId: string | null
  changes: Effect[]
  /** Name of whom or what the row means; by default what the row itself says. */
  label?: string
  /** Set where someone has to accept what the row changes. */
  accepted?: boolean
  /** The earlier line of the file that means the same person. */
  sameAs?: number
}

/** How far the actor's rights reach, by permission. */
export type Reach = Map<string, { everywhere: boolean; chapters: Set<string>; groups: Set<string> }>
export const reaches = (reach: Reach, permission: string, chapterId: string | null) => {
  const held = reach.get(permission)
  return Boolean(held && (held.everywhere || (chapterId !== null && held.chapters.has(chapterId))))
}
export const reachesAll = (reach: Reach, permission: string) => reach.get(permission)?.everywhere ?? false

export const rejected = (draft: Draft): Planned => ({ draft, outcome: 'reject', key: null, entityId: null, changes: [] })

/** Which rows of the file, in earlier chunks or this one, already stand for a key. */
export function claimsOf(earlier: ReadonlyMap<string, number>) {
  const claims = new Map(earlier)
  return {
    /** The line that has the key; or null, and from now on this line has it. */
    take(key: string, line: number): number | null {
      const holder = claims.get(key)
      if (holder !== undefined && holder !== line) return holder
      claims.set(key, line)
      return null
    },
    has: (key: string) => claims.has(key),
  }
}
export type Claims = ReturnType<typeof claimsOf>

export const error = <C extends ImportFindingCode>(draft: Draft, code: C, message: string, fix: string, ...about: Abouts<C>) =>
  void draft.findings.push(finding('error', code, message, fix, ...about))
export const warning = <C extends ImportFindingCode>(draft: Draft, code: C, message: string, fix: string, ...about: Abouts<C>) =>
  void draft.findings.push(finding('warning', code, message, fix, ...about))

/** Notes every field that must be there and is not. */
export function requireFields(draft: Draft, mapped: Mapped, fields: Record<string, string>) {
  for (const [field, what] of Object.entries(fields)) {
    const column = headerOf(mapped, field)
    // A faulty cell was reported already.
    if (draft.fields[field] === undefined && !draft.findings.some((each) => each.level === 'error' && each.column === (column ?? ''))) {
      error(draft, 'missing', `This row has no ${what}.`, `Fill in the ${what}.`, { column, params: { field } })
    }
  }
}

/** Turns down a row that means the same as an earlier one. */
export function refuseSecond(draft: Draft, claims: Claims, key: string, held?: number): boolean {
  const first = claims.take(key, draft.line) ?? held ?? null
  if (first === null || first === draft.line) return false
  error(draft, 'duplicate_row', `Row ${first} of this file means the same.`, 'Keep one of the two rows.', { params: { row: first } })
  return true
}

/** Turns down a change to somebody whose record is read-only. */
export function refuseClosed(draft: Draft, lifecycle: unknown): void {
  const leave = 'Leave this row out.'
  if (lifecycle === 'deceased')
    error(
      draft,
      'person_deceased',
      'This person is deceased, so the record is read-only.',
      'Change the status first if that is a mistake, or leave this row out.',
    )
  else if (lifecycle === 'merged') error(draft, 'person_merged', 'This record was merged into another one, so it is read-only.', leave)
  else if (lifecycle === 'erased') error(draft, 'person_erased', 'This person was erased.', leave)
}

/** What stays when the policy, not the file, decides. */
export function byPolicy(
  options: ImportOptions,
  draft: Draft,
  key: string,
  found: { id: string; changes: Effect[] } | null,
  make: () => { id: string; changes: Effect[] },
): Planned {
  if (isRejected(draft)) return rejected(draft)
  if (!found) {
    if (options.onNew === 'skip') return { draft, outcome: 'skip', key, entityId: null, changes: [] }
    const made = make()
    return isRejected(draft) ? rejected(draft) : { draft, outcome: 'create', key, entityId: made.id, changes: made.changes }
  }
  if (options.onMatch === 'skip') return { draft, outcome: 'skip', key, entityId: found.id, changes: [] }
  return { draft, outcome: found.changes.length > 0 ? 'update' : 'unchanged', key, entityId: found.id, changes: found.changes }
}

/** What an import reads where an export wrote a stored text. */
export type Echo = (column: string, stored: string) => Value | undefined
export const echoOf =
  ({ kind, reading }: Mapped, names: Record<string, string>): Echo =>
  (column, stored) => {
    const field = Object.keys(names).find((each) => names[each] === column)
    const rule = field === undefined ? undefined : fieldRules[kind][field]
    const read = rule && readValue(cleanCell(guardText(stored)), rule, reading)
    return read && 'value' in read ? read.value : undefined
  }

/**
 * The columns whose value differs, before and after; null when none does. A column that is not wanted stays, and so does one whose own export
 * would be read as what is wanted, such as one with two spaces in it.
 */
export function difference(current: Values, wanted: Values, echo?: Echo): { before: Values; after: Values } | null {
  const changed = Object.entries(wanted).filter(([column, value]) => {
    const stored = current[column] ?? null
    return JSON.stringify(stored) !== JSON.stringify(value) && !(typeof stored === 'string' && echo && echo(column, stored) === value)
  })
  if (changed.length === 0) return null
  return { before: Object.fromEntries(changed.map(([column]) => [column, current[column] ?? null])), after: Object.fromEntries(changed) }
}

/** Fields of a draft under their columns' names. */
export function columnsOf(draft: Draft, names: Record<string, string>): Values {
  const values: Values = {}
  for (const [field, column] of Object.entries(names)) {
    const value = draft.fields[field]
    if (value !== undefined) values[column] = value
  }
  return values
}

/** A code that several groups have of those whom the actor sees. */
export const ambiguousCode = (draft: Draft, mapped: Mapped, field: string) =>
  error(
    draft,
    'ambiguous_code',
    `Several groups have the code "${textOf(draft, field) ?? ''}".`,
    'Give each of them a code of its own first.',
    {
      column: headerOf(mapped, field),
      value: textOf(draft, field),
      params: { code: textOf(draft, field) ?? '' },
    },
  )

export const unknown = (draft: Draft, mapped: Mapped, field: 'chapterCode' | 'groupCode', what: string, fix: string) =>
  error(
    draft,
    field === 'chapterCode' ? 'unknown_chapter_code' : 'unknown_group_code',
    `There is no ${what} "${textOf(draft, field) ?? ''}".`,
    fix,
    {
      column: headerOf(mapped, field),
      value: textOf(draft, field),
      params: { code: textOf(draft, field) ?? '' },
    },
  )

export const mergeFix = 'This row fills what the earlier one leaves empty; where both say something, the earlier one counts.'
