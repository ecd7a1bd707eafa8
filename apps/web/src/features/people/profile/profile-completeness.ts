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
export type OwnField = keyof typeof parts
export type ProfilePart = (typeof parts)[OwnField]

/** In which section of the profile a fact is changed. */
export const partOf = (field: OwnField): ProfilePart => parts[field]

/** How much of it is there, and what to fill in next; facts that are the office's to keep do not count. */
export function completenessOf(person: Person): { filled: number; of: number; next: OwnField | undefined } {
  const { may, emails, phones, contact } = person
  const ownContact = may.editContact || may.editSelf
  const ownFacts = may.edit || may.editSelf
  const facts: readonly { field: OwnField; mine: boolean; filled: boolean }[] = [
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
