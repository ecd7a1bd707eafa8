import type { Field } from '@guildhall/contract/features/fields'
import { splitTexts } from '../../../platform/files/joined-texts.ts'
import { readFieldValue } from '../../fields/fields.public.ts'
import { cellFault, cleanCell, fieldRules, ownRule, readValue, saysNothing } from '../../imports/imports.values.public.ts'
import type { FieldRule } from '../../imports/imports.values.public.ts'
import { setOf } from '../engine/integrations.compare.rules.ts'
import type { Normal } from './integrations.ours.rules.ts'

/** What a field of people is called in files. */
const names: Record<string, string> = { primaryEmail: 'email', primaryPhone: 'phone', tags: 'tag' }

export const ownKey = (field: string): string | null => (field.startsWith('field:') ? field.slice('field:'.length) : null)

const bad = (message: string): Normal => ({ error: { code: 'bad_value', message } })

/** A text as a field of people holds it, by the rules by which files are read. */
export function normalOfPeople(field: string, text: string | null, own: ReadonlyMap<string, Field>): Normal {
  const value = cleanCell(text ?? '')
  const key = ownKey(field)
  const mine = key === null ? undefined : own.get(key)
  if (key !== null && !mine) return bad(`There is no field ${key}.`)
  if (mine?.type === 'person') return bad(`“${mine.label}” names a person, which no other system can.`)
  if (field === 'subscribed' || field === 'fullName') return { value: value === '' ? null : value }
  const rule: FieldRule | undefined = mine ? ownRule(mine) : fieldRules.people[names[field] ?? field]
  if (!rule) return bad(`People have no field ${field}.`)
  if (value === '' || saysNothing(value, rule)) return { value: null }
  const fault = cellFault(value)
  if (fault) return bad(`${field}: ${fault.message}`)
  if (field === 'tags') return tagsIn(value)
  if (mine && (mine.type === 'choice' || mine.type === 'choices')) return choicesIn(mine, value)
  const read = readValue(value, rule, { dateOrder: 'ymd', phoneCountry: null })
  if ('fault' in read) return bad(`${field}: ${read.fault.message}`)
  const normal = String(read.value)
  if (mine) {
    const kept = readFieldValue({ ...mine, required: false }, mine.type === 'flag' ? normal === 'true' : normal)
    if ('code' in kept) return bad(`${mine.label}: ${kept.message}`)
  }
  return { value: normal === '' ? null : field === 'primaryEmail' ? normal.toLowerCase() : normal }
}

function tagsIn(value: string): Normal {
  const tags = splitTexts(value, ';,|')
  const long = tags.find((tag) => tag.length > 60)
  if (tags.join('').length > 5_000) return bad('tags: These are more tags than one person can have.')
  return long === undefined ? { value: setOf(tags) } : bad('tags: A tag has at most 60 characters.')
}

function choicesIn({ label, type, choices }: Field, value: string): Normal {
  const texts = type === 'choices' ? splitTexts(value, ';') : [value]
  const found = texts.map((text) => choices.find((choice) => choice.label.toLowerCase() === text.toLowerCase())?.label)
  const known = found.filter((one) => one !== undefined)
  if (known.length < texts.length) return bad(`“${label}” has no such choice.`)
  return { value: type === 'choices' ? setOf(known) : (known[0] ?? null) }
}

/** The rows that a custom field keeps for a value in normal form: the ids of choices, or the value itself. */
export function storedValues({ type, choices }: Field, value: string | null): string[] {
  if (value === null) return []
  if (type !== 'choice' && type !== 'choices') return [value]
  const texts = type === 'choices' ? splitTexts(value) : [value]
  return texts.flatMap((text) => choices.find(({ label }) => label.toLowerCase() === text.toLowerCase())?.id ?? [])
}

/** The other way round. */
export function shownValue({ type, choices }: Field, stored: readonly string[]): string | null {
  const [first] = stored
  if (first === undefined) return null
  const labelOf = (id: string) => choices.find((choice) => choice.id === id)?.label
  if (type === 'choices') return setOf(stored.flatMap((id) => labelOf(id) ?? []))
  return type === 'choice' ? (labelOf(first) ?? null) : first
}

/** Whether a change of the status ends a membership, which the home chapter decides. */
export const endsMembership = (before: string | null | undefined, after: string | null | undefined): boolean =>
  after !== undefined && (after === 'former' || after === 'deceased' || before === 'deceased') && before !== after
