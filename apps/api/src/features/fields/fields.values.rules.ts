import type { Field, FieldChange } from '@guildhall/contract/features/fields'
import type { FieldFault, PlainReason } from '@guildhall/contract/reasons'
import * as z from 'zod'
import { CalendarDate, Id } from '@guildhall/contract/shapes'
import { matchPattern } from './fields.pattern.rules.ts'

/** What is stored of a value: one text, or one for each choice. Empty: no value. */
export type Stored = readonly string[]
export type Fault = Pick<FieldFault, 'code' | 'message' | 'params'>
type Given = FieldChange[string]

const wrong = (code: PlainReason, message: string): Fault => ({ code, message })
export const missing = ({ label }: Pick<Field, 'label'>): Fault => ({
  code: 'field_required',
  message: `Enter a value for “${label}”.`,
  params: { label },
})

/** Reads a value as its field asks for it; a fault says what to enter instead. `present`: what is there now, so that a retired choice may stay. */
export function readValue(field: Field, given: Given, present: Stored = []): Stored | Fault {
  if (given === null || given === '' || (Array.isArray(given) && given.length === 0)) {
    return field.required ? missing(field) : []
  }
  switch (field.type) {
    case 'text': {
      if (typeof given !== 'string') return wrong('field_text', 'Enter a text.')
      const answer = field.pattern ? matchPattern(field.pattern, given) : 'fits'
      if (answer === 'fits') return [given]
      return { code: 'field_pattern', message: `This has the wrong form. ${field.help}`.trim(), params: { help: field.help } }
    }
    case 'number': {
      const written = typeof given === 'number' ? String(given) : typeof given === 'string' ? given : ''
      return /^-?\d{1,12}(\.\d{1,4})?$/.test(written) ? [written] : wrong('field_number', 'Enter a number with up to 4 decimals.')
    }
    case 'date':
      return typeof given === 'string' && CalendarDate.safeParse(given).success
        ? [given]
        : wrong('field_date', 'Enter a day that exists, such as 2026-11-30.')
    case 'flag':
      return typeof given === 'boolean' ? [String(given)] : wrong('field_flag', 'Choose yes or no.')
    case 'url':
      return typeof given === 'string' && /^https?:\/\/\S+$/i.test(given) && URL.canParse(given)
        ? [given]
        : wrong('field_url', 'Enter an address that starts with https://.')
    case 'person':
      return typeof given === 'string' && Id.safeParse(given).success ? [given.toLowerCase()] : wrong('field_person', 'Choose a person.')
    case 'choice':
    case 'choices': {
      const many = Array.isArray(given) ? given : [given]
      const chosen = z.array(Id).safeParse(many)
      if (!chosen.success || (field.type === 'choice' && many.length !== 1)) return wrong('field_choice', 'Choose from the list.')
      const ids = [...new Set(chosen.data.map((id) => id.toLowerCase()))]
      const offered = (id: string) => field.choices.some((choice) => choice.id === id && (!choice.retired || present.includes(id)))
      return ids.every(offered) ? ids : wrong('field_choice', 'Choose from the list.')
    }
  }
}

export const isFault = (read: Stored | Fault): read is Fault => 'code' in read
