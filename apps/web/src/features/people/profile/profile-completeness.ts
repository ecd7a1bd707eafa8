import { fieldPrefix } from '@guildhall/contract/features/fields'
import type { Field } from '@guildhall/contract/features/fields'
import type { Person } from '../people-api.ts'

/** What makes a profile useful to others and is one's own to fill in, the most useful first. */
const parts = {
  email: 'contact',
  phone: 'contact',
  city: 'contact',
  street: 'contact',
  jobTitle: 'about',
  birthDate: 'about',
  bio: 'about',
} as const
type Fact = keyof typeof parts
/** A fact, or a field of the organisation by its name in lists. */
export type OwnField = Fact | `${typeof fieldPrefix}${string}`
export type ProfilePart = (typeof parts)[Fact]
const isFact = (field: OwnField): field is Fact => field in parts

/** In which section of the profile a fact is changed. */
export const partOf = (field: OwnField): ProfilePart => (isFact(field) ? parts[field] : 'about')

/** How much of it is there, and what to fill in next; facts that are the office's to keep do not count. What the organisation requires comes first. */
export function completenessOf(
  person: Person,
  fields: readonly Pick<Field, 'key' | 'required' | 'ownEditable'>[] = [],
): { filled: number; of: number; next: OwnField | undefined } {
  const { may, emails, phones, contact } = person
  const ownContact = may.editContact || may.editSelf
  const ownFacts = may.edit || may.editSelf
  const required = fields.filter((field) => field.required && field.ownEditable)
  const facts: readonly { field: OwnField; mine: boolean; filled: boolean }[] = [
    ...required.map(({ key }) => ({
      field: `${fieldPrefix}${key}` as const,
      mine: may.editSelf,
      filled: person.fields[key] !== undefined,
    })),
    { field: 'email', mine: ownContact, filled: emails.length > 0 },
    { field: 'phone', mine: ownContact, filled: phones.length > 0 },
    { field: 'city', mine: ownContact, filled: Boolean(contact?.city) },
    { field: 'street', mine: ownContact, filled: Boolean(contact?.street) },
    // Where somebody works says as much as what they do there.
    { field: 'jobTitle', mine: ownFacts, filled: Boolean(person.jobTitle || person.employer) },
    { field: 'birthDate', mine: may.editSensitive, filled: Boolean(person.private?.birthDate) },
    { field: 'bio', mine: ownFacts, filled: Boolean(person.bio) },
  ]
  const mine = facts.filter((fact) => fact.mine)
  return { filled: mine.filter(({ filled }) => filled).length, of: mine.length, next: mine.find(({ filled }) => !filled)?.field }
}
