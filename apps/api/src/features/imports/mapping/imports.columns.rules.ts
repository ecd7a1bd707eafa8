import { importFields, importNeeds } from '@guildhall/contract/features/imports'
import type { ImportColumn, ImportKind } from '@guildhall/contract/features/imports'
import { exportedTargets, ownTarget } from './imports.exported.rules.ts'
import type { OwnColumn } from './imports.exported.rules.ts'
import { looksLikeData } from './imports.dates.rules.ts'
import { externalSystems, linkServices, synonyms } from './imports.synonyms.rules.ts'
import { showable } from './imports.values.rules.ts'

/** A header as the synonyms are written: "E-Mail-Adresse " is "emailadresse". */
export const foldHeader = (header: string) =>
  header
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/[^\p{L}\p{N}]/gu, '')

const targetsByHeader = new Map<ImportKind, Map<string, string>>()
function lookup(kind: ImportKind): Map<string, string> {
  let known = targetsByHeader.get(kind)
  if (!known) {
    known = new Map()
    for (const [target, words] of Object.entries(synonyms[kind])) {
      known.set(foldHeader(target), target)
      for (const word of words.split(' ')) if (!known.has(foldHeader(word))) known.set(foldHeader(word), target)
    }
    targetsByHeader.set(kind, known)
  }
  return known
}

/** What a header says its column is; `ignore` when it says nothing. */
export function guessTarget(kind: ImportKind, header: string): string {
  const folded = foldHeader(header)
  // Only a person knows what a column without a name is.
  if (folded === '') return 'ignore'
  const target = lookup(kind).get(folded)
  if (target) return target
  if (kind === 'chapters' || kind === 'groups' || kind === 'relationships') return 'ignore'
  const named = /^external id \(([a-z0-9_-]{1,40})\)$/i.exec(header.trim())?.[1]
  const system = named?.toLowerCase() ?? folded.replace(/(contact|person|constituent|customer|member)?(id|number|key)$/, '')
  if (named !== undefined || (externalSystems.has(system) && folded !== system)) return `externalId:${system}`
  const service = folded.replace(/(id|url|handle|link|account|username|profile|page)$/, '')
  return linkServices.has(service) ? `link:${service}` : 'ignore'
}

// Fields that several columns may fill together.
const repeatable = new Set(['email', 'phone', 'tag', 'formerName', 'externalIds'])

/** Guesses for a whole header row: a field that holds one value goes to the first column that asks for it. */
export function guessColumns(
  kind: ImportKind,
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  own: readonly OwnColumn[] = [],
): ImportColumn[] {
  const taken = new Set<string>()
  const ours = exportedTargets(kind, headers, own)
  const guesses = headers.map((header, index) => {
    const known = ours ? (ours[index] ?? 'ignore') : guessTarget(kind, header)
    const guess = known === 'ignore' && !ours ? (ownTarget(own, header) ?? known) : known
    if (guess === 'ignore' || repeatable.has(guess)) return guess
    if (taken.has(guess)) return 'ignore'
    taken.add(guess)
    return guess
  })
  // A full name is only needed where the parts are missing.
  const hasParts = taken.has('givenName') || taken.has('familyName')
  return headers.map((header, index) => {
    const raw = guesses[index] ?? 'ignore'
    const guess = raw === 'fullName' && hasParts ? 'ignore' : raw
    const values = rows.map((row) => (row[index] ?? '').trim()).filter((value) => value !== '')
    const samples = [...new Set(values)].slice(0, 3).map((value) => `${showable(value, 119)}${value.length > 119 ? '…' : ''}`)
    return { header, samples, target: guess, guess, suggestions: guess === 'ignore' ? suggest(kind, header, values) : [] }
  })
}

/** What the values of a column that nobody knows look like: addresses of pages, or a few words that come again and again. */
function suggest(kind: ImportKind, header: string, values: readonly string[]): string[] {
  const fields: readonly string[] = importFields[kind]
  const name = foldHeader(header)
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 40)
  const distinct = new Set(values.map((value) => value.toLowerCase()))
  const pages = values.length > 0 && values.every((value) => /^https?:\/\/\S+$/i.test(value))
  const words =
    values.length >= 5 && distinct.size <= values.length / 3 && values.every((value) => value.length <= 60 && !looksLikeData(value))
  return [...(pages && name ? [`link:${name}`] : []), ...(words ? ['tag'] : [])].filter((target) =>
    fields.includes(target.split(':')[0] ?? ''),
  )
}

/** Needed fields that no column is chosen for; one of each list must be. */
export function missingFields(kind: ImportKind, targets: readonly string[], hasDefaultChapter = false): string[][] {
  const chosen = new Set(targets.map((target) => target.split(':')[0]))
  return importNeeds[kind]
    .filter(
      (choice) => !choice.some((field) => chosen.has(field)) && !(hasDefaultChapter && choice.some((field) => field === 'chapterCode')),
    )
    .map((choice) => [...choice])
}

/** Fields with one value that several columns were chosen for. */
export function doubledFields(targets: readonly string[]): string[] {
  const named = targets.map((target) => (target === 'externalId:default' ? 'externalId' : target))
  return [...new Set(named.filter((target, index) => target !== 'ignore' && !repeatable.has(target) && named.indexOf(target) !== index))]
}

/** Saved mappings are offered again for the same headers in the same order, spelling aside. */
export const headerKey = (headers: readonly string[]) => headers.map(foldHeader).join('|')
