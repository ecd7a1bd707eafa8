import type { ImportFinding, ImportKind } from '@guildhall/contract/features/imports'
import type { RowChange, Values } from '../../../platform/records/row-changes.ts'
import { edited } from '../../../platform/records/row-holds.ts'
import type { Hold } from '../../../platform/records/row-holds.ts'
import { finding } from '../planning/imports.drafts.rules.ts'

const same = (one: unknown, other: unknown) => JSON.stringify(one ?? null) === JSON.stringify(other ?? null)

/**
 * What of an update can be taken back: columns that still hold what the import set. `changed` are those that someone changed since;
 * those that hold again what they held before are neither.
 */
export function restorable(row: Values, { before, after }: RowChange): { values: Values; changed: string[] } {
  const values: Values = {}
  const changed: string[] = []
  for (const [column, set] of Object.entries(after ?? {})) {
    const was = before?.[column] ?? null
    if (same(row[column], set)) values[column] = was
    else if (before === null || !same(row[column], was)) changed.push(column)
  }
  return { values, changed }
}

/** What uses or changed a row: a later import, another row of the same import, or something else. */
export type Holder = { id: string; fileName: string } | 'this import' | undefined

const nouns: Record<ImportKind, string> = {
  chapters: 'chapter',
  people: 'person',
  positions: 'term of office',
  groups: 'group',
  group_members: 'membership',
  memberships: 'term',
  invoices: 'invoice',
  registrations: 'registration',
  gifts: 'gift',
  relationships: 'relationship',
}
export const sharedNouns: Record<string, string> = { tags: 'tag', positions: 'office', field_choices: 'choice' }
export const rootNoun = (kind: ImportKind) => nouns[kind]

function mend(by: Holder, otherwise: string): string {
  if (by === 'this import') return 'That is held back itself; its own row says why.'
  return by ? `Undo the import ${by.fileName} first, then undo the rest of this one.` : otherwise
}
const heldHow = (by: Holder) => (by === 'this import' ? 'row' : by ? 'import' : '')
const heldBy = (by: Holder) => (typeof by === 'object' ? { heldBy: { id: by.id, fileName: by.fileName } } : {})

/** Why a row that the import made stays. */
export function heldFinding(noun: string, { why, total, users }: Pick<Hold, 'why' | 'total' | 'users'>, by: Holder): ImportFinding {
  const names = users.map(({ name }) => name).filter((name) => name !== '')
  const more = total - names.length
  const list = names.length === 0 ? '' : ` (${names.join('; ')}${more > 0 ? ` and ${more} more` : ''})`
  const source = typeof by === 'object' ? `, ${why === edited ? 'by' : 'from'} the import ${by.fileName}` : ''
  return {
    ...finding(
      'warning',
      'in_use',
      `This ${noun} ${why}${list}${source}, so it stays.`,
      mend(
        by,
        why === edited ? `Remove the ${noun} by hand if it is not wanted.` : 'Remove that by hand if it is not wanted, then undo the rest.',
      ),
      { params: { why: why === edited ? 'edited' : 'used', names: list.slice(2, -1), by: heldHow(by) } },
    ),
    ...heldBy(by),
  }
}

/** Why a value that the import set stays. */
export const changedFinding = (what: string, by: Holder): ImportFinding => ({
  ...finding(
    'warning',
    'changed_since',
    `${what.replace(/_/g, ' ')} was changed since${typeof by === 'object' ? ` by the import ${by.fileName}` : ''}, so it stays.`,
    mend(by, 'Change it by hand if needed.'),
    { params: { field: what, by: heldHow(by) } },
  ),
  ...heldBy(by),
})
