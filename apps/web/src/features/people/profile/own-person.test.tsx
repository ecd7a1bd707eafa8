import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Field } from '@guildhall/contract/features/fields'
import type { AudienceView, Person } from '../people-api.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const { may } = wholePerson(2, 'Olive', 'Owner')
const olive = wholePerson(2, 'Olive', 'Owner', {
  may: { ...may, edit: false, editSelf: true, editContact: true, seeSensitive: true, editSensitive: true },
  emails: [
    { id: uuid(21), address: 'open@example.org', label: '', isPrimary: true, visibleTo: 'members' },
    { id: uuid(22), address: 'hidden@example.org', label: '', isPrimary: false, visibleTo: 'officers' },
  ],
})
const usual: AudienceView[] = [
  { audience: 'elsewhere', seesPerson: true, sees: ['members'] },
  { audience: 'chapter', seesPerson: true, sees: ['members'] },
  { audience: 'officer', seesPerson: true, sees: ['officers', 'members'] },
]

/** The profile of somebody whose record the fake keeps. */
function open(path: string, stored: Person = olive, items: AudienceView[] = usual, fields: Field[] = []) {
  let now = stored
  const people = {
    overview: fake.data.people.overview.handler(() => ({ person: now, recentChanges: [] })),
    audiences: fake.data.people.audiences.handler(() => ({ items })),
    get: fake.data.people.get.handler(() => now),
    update: fake.data.people.update.handler(({ input: { personId: _, ...change } }) => (now = Object.assign({}, now, change))),
    addPhone: fake.data.people.addPhone.handler(({ input: { number, visibleTo } }) => {
      const phone = { id: uuid(23), number, label: '', isPrimary: true, visibleTo }
      now = { ...now, phones: [phone] }
      return phone
    }),
  }
  renderPath(path, { data: { people, fields: { list: fake.data.fields.list.handler(() => ({ items: fields })) } } })
}

const viewAs = async () => {
  const region = (await screen.findByRole('heading', { level: 2, name: 'View as' })).closest('section')
  if (!region) throw new Error('there is no preview')
  return within(region)
}

test('the profile offers neither a day of death nor a note of the office', async () => {
  open('/profile')
  expect(await screen.findByRole('heading', { name: 'Private' })).toBeVisible()
  expect(screen.getByText('Born')).toBeVisible()
  expect(screen.queryByText('Died')).toBeNull()
  expect(screen.queryByText(/note/i)).toBeNull()
})

test('the profile says how complete it is and opens what is missing next, in whichever section that is', async () => {
  const user = userEvent.setup()
  open('/profile')
  expect(await screen.findByText('Your profile is 14% complete.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Add a telephone number' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add: Telephone number' })
  await user.type(within(dialog).getByLabelText('Telephone number'), '+41446681800')
  await user.click(within(dialog).getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Your profile is 29% complete.')).toBeVisible()
  expect(screen.getByRole('link', { name: 'Contact' })).toHaveAttribute('aria-current', 'page')

  await user.click(screen.getByRole('button', { name: 'Add your city' }))
  expect(screen.getByRole('textbox', { name: 'City' })).toHaveFocus()
})

const field = (n: number, key: string, label: string, more: Partial<Field> = {}): Field => ({
  ...{ id: uuid(n), recordType: 'people', key, label, help: '', type: 'text', required: false, pattern: '', section: 'Diet' },
  ...{ audience: 'self', ownEditable: false, sensitive: false, searchable: false, reach: 'own', archivedAt: null, choices: [], version: 1 },
  ...more,
})

test('fields of the organisation that are one’s own to change are on the profile, and required ones count for it', async () => {
  const user = userEvent.setup()
  open('/profile?section=contact', { ...olive, fields: { locker: '17' } }, usual, [
    field(70, 'diet', 'Dietary needs', { required: true, ownEditable: true }),
    field(71, 'hobby', 'Hobby', { ownEditable: true }),
    field(72, 'locker', 'Locker'),
    field(73, 'kept', 'Kept by the office'),
  ])
  expect(await screen.findByText('Your profile is 13% complete.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Add “Dietary needs”' }))
  expect(await screen.findByRole('heading', { name: 'Diet' })).toBeVisible()
  // What one sees and others keep is shown, and the rest is not.
  expect(screen.getByText('17')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Edit Locker' })).toBeNull()
  expect(screen.queryByText('Kept by the office')).toBeNull()
  await user.type(screen.getByRole('textbox', { name: 'Dietary needs' }), 'No nuts{Enter}')
  expect(await screen.findByText('Your profile is 25% complete.')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Edit Hobby' })).toBeVisible()
})

test('a field that was opened once does not open again for who comes back to its section', async () => {
  const user = userEvent.setup()
  const phones = [{ id: uuid(23), number: '+41446681800', label: '', isPrimary: true, visibleTo: 'officers' as const }]
  const contact = {
    street: 'Gasse 1',
    city: 'Bern',
    region: '',
    postalCode: '',
    country: '',
    website: '',
    links: {},
    visibleTo: 'members' as const,
  }
  open('/profile?section=contact', { ...olive, phones, contact })
  await user.click(await screen.findByRole('button', { name: 'Add your job title' }))
  expect(await screen.findByRole('textbox', { name: 'Job title' })).toHaveFocus()
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('link', { name: 'Contact' }))
  await screen.findByRole('heading', { level: 2, name: 'View as' })
  await user.click(screen.getByRole('link', { name: 'About' }))
  expect(await screen.findByRole('button', { name: 'Edit Job title' })).toBeVisible()
})

test('one’s own contact data is shown as each of the others sees it', async () => {
  const user = userEvent.setup()
  open('/profile?section=contact')
  const preview = await viewAs()
  const seen = () =>
    within(preview.getByRole('list', { name: 'They see' }))
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
  expect(await preview.findByRole('radio', { name: 'A member of another chapter' })).toBeChecked()
  expect(seen()).toEqual(['open@example.org'])
  await user.click(preview.getByRole('radio', { name: 'An officer of my chapter' }))
  await waitFor(() => expect(seen()).toEqual(['open@example.org', 'hidden@example.org']))
})

test('whom others do not find at all, they see nothing of', async () => {
  open('/profile?section=contact', olive, [{ audience: 'elsewhere', seesPerson: false, sees: [] }])
  expect(await (await viewAs()).findByText(/do not find you in the directory/)).toBeVisible()
})

test('who sees it is said while it is chosen, before anything is saved', async () => {
  const user = userEvent.setup()
  open('/profile?section=contact')
  await user.click(await screen.findByRole('button', { name: 'Add: E-mail address' }))
  const choice = within(await screen.findByRole('dialog')).getByLabelText('Who sees it')
  expect(choice).toHaveAccessibleDescription('Seen by officers of your chapter')
  await user.selectOptions(choice, 'members')
  expect(choice).toHaveAccessibleDescription('Seen by members of other chapters, members of your chapter, and officers of your chapter')
})

test('nobody is shown how complete somebody else’s profile is, or whom they show what', async () => {
  const other = wholePerson(11, 'Zoë', 'Ångström')
  open(`/person/${other.id}`, other)
  expect(await screen.findByRole('heading', { level: 1, name: /Zoë Ångström/ })).toBeVisible()
  expect(await screen.findByRole('heading', { level: 2, name: 'Contact' })).toBeVisible()
  expect(screen.queryByText(/complete/)).not.toBeInTheDocument()
  expect(screen.queryByText('View as')).not.toBeInTheDocument()
  expect(screen.queryByText(/Seen by/)).not.toBeInTheDocument()
})
