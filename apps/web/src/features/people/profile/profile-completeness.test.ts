import { expect, test } from 'vitest'
import { wholePerson } from '../../../testing/people.ts'
import { completenessOf } from './profile-completeness.ts'

const { may } = wholePerson(11, 'Ada', 'Byron')
const self = { ...may, edit: false, editSelf: true, editContact: true, editSensitive: true }
const ada = wholePerson(11, 'Ada', 'Byron', { may: self })
const contact = {
  street: 'Gasse 1',
  city: 'Bern',
  region: '',
  postalCode: '',
  country: '',
  website: '',
  links: {},
  visibleTo: 'officers' as const,
}

test('the next field is the most useful one that is missing', () => {
  expect(completenessOf(ada)).toEqual({ filled: 1, of: 7, next: 'phone' })
  expect(completenessOf({ ...ada, emails: [] })).toMatchObject({ filled: 0, next: 'email' })
  expect(completenessOf({ ...ada, contact })).toMatchObject({ filled: 3, next: 'phone' })
})

test('where somebody works counts as what they do, and nothing is missing from a whole profile', () => {
  const phones = [{ id: ada.id, number: '+41', label: '', isPrimary: true, visibleTo: 'members' as const }]
  const kept = { birthDate: '1980-01-01', gender: '', deceasedOn: null }
  const whole = { ...ada, phones, contact, private: kept, employer: 'Acme', bio: 'Sings.' }
  expect(completenessOf(whole)).toEqual({ filled: 7, of: 7, next: undefined })
  expect(completenessOf({ ...whole, employer: '' })).toMatchObject({ filled: 6, next: 'jobTitle' })
})

test('what is not one’s own to change does not count', () => {
  expect(completenessOf({ ...ada, may: { ...self, editSensitive: false } })).toMatchObject({ of: 6 })
  expect(completenessOf({ ...ada, may: { ...self, editSelf: false, editContact: false } })).toEqual({ filled: 0, of: 1, next: 'birthDate' })
})
