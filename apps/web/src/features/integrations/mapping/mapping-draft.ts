import type { FieldMapping, SyncDirection } from '@guildhall/contract/features/integrations'
import { folded } from '../../../ui/filter/folded.ts'
import type { ConnectionMapping } from '../integrations-api.ts'
import { ourFieldName, theirFieldName } from '../words/field-words.ts'

/** A row as it is edited: a side that is not chosen yet is empty. */
export type DraftRow = FieldMapping & { key: string }

export type Draft = { rows: readonly DraftRow[]; matchBy: string | null; onMissing: ConnectionMapping['onMissing'] }

let made = 0
const keyed = (row: FieldMapping): DraftRow => ({ ...row, key: `row-${made++}` })

export const draftOf = ({ mapping, matchBy, onMissing }: ConnectionMapping): Draft => ({ rows: mapping.map(keyed), matchBy, onMissing })

export const sentRows = (rows: readonly DraftRow[]): FieldMapping[] =>
  rows.map(({ ours, theirs, direction, rule }) => ({ ours, theirs, direction, rule }))

/** Whether anything is left to save. */
export const isChanged = (draft: Draft, saved: ConnectionMapping) =>
  draft.matchBy !== saved.matchBy ||
  draft.onMissing !== saved.onMissing ||
  JSON.stringify(sentRows(draft.rows)) !== JSON.stringify(draftRows(saved))
const draftRows = ({ mapping }: ConnectionMapping) => sentRows(mapping.map((row) => ({ ...row, key: '' })))

const takes = (direction: SyncDirection) => direction !== 'out'
const gives = (direction: SyncDirection) => direction !== 'in'

/** What is wrong with a row. */
export type RowFault = { field: 'ours' | 'theirs'; kind: 'missing' | 'taken'; by?: number }

/** Two of theirs into one of ours would write over each other, and two of ours into one of theirs. */
export function faultsOf(rows: readonly DraftRow[]): ReadonlyMap<string, RowFault> {
  const faults = new Map<string, RowFault>()
  rows.forEach((row, at) => {
    if (row.theirs.trim() === '') faults.set(row.key, { field: 'theirs', kind: 'missing' })
    else if (row.ours === '') faults.set(row.key, { field: 'ours', kind: 'missing' })
    else {
      const former = (clashes: (other: DraftRow) => boolean) => rows.slice(0, at).findIndex(clashes)
      const ours = former((other) => other.ours === row.ours && takes(other.direction) && takes(row.direction))
      const theirs = former((other) => other.theirs === row.theirs && gives(other.direction) && gives(row.direction))
      if (ours !== -1) faults.set(row.key, { field: 'ours', kind: 'taken', by: ours })
      else if (theirs !== -1) faults.set(row.key, { field: 'theirs', kind: 'taken', by: theirs })
    }
  })
  return faults
}

export const emptyRow = (direction: SyncDirection): DraftRow => keyed({ ours: '', theirs: '', direction, rule: 'automatic' })

/** The names under which other systems often have our fields. */
const alike: Readonly<Record<string, readonly string[]>> = {
  givenName: ['first name', 'firstname', 'given name', 'fname', 'forename'],
  familyName: ['last name', 'lastname', 'surname', 'lname', 'family name'],
  primaryEmail: ['email', 'e-mail', 'email address', 'mail'],
  primaryPhone: ['phone', 'telephone', 'mobile', 'phone number'],
  memberNo: ['member number', 'member no', 'member id'],
  postalCode: ['zip', 'zip code', 'postcode', 'postal code'],
  city: ['city', 'town'],
  birthDate: ['birthday', 'date of birth', 'born'],
  fullName: ['name', 'full name'],
}
const plain = (text: string) => folded(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Rows for the fields that are called alike on both sides and are not mapped yet. */
export function suggested({ ours, theirs }: ConnectionMapping, rows: readonly DraftRow[], direction: SyncDirection): DraftRow[] {
  const free = theirs.filter(({ key }) => !rows.some((row) => row.theirs === key))
  return ours
    .filter(({ key }) => !rows.some((row) => row.ours === key))
    .flatMap((field) => {
      const names = [field.key, ourFieldName(field.key, field.label), ...(alike[field.key] ?? [])].map(plain)
      const at = free.findIndex((their) => names.includes(plain(their.key)) || names.includes(plain(theirFieldName(their))))
      const [found] = at === -1 ? [] : free.splice(at, 1)
      return found ? [keyed({ ours: field.key, theirs: found.key, direction, rule: 'automatic' })] : []
    })
}
