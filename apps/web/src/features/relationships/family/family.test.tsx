import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ManagedPerson } from '@guildhall/contract/features/relationships'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { acting } from '../../../platform/api/acting.ts'
import { fake, me, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

const lena: ManagedPerson = {
  person: { id: uuid(20), displayName: 'Lena Weber' },
  chapter: { id: uuid(30), name: 'West', code: 'W' },
  relationshipId: uuid(40),
  label: 'Guardian',
  grants: 'manage',
  birthDate: '2013-05-03',
  lapsesOn: '2031-05-03',
  hasAccount: false,
}
const uncle: ManagedPerson = {
  ...lena,
  person: { id: uuid(21), displayName: 'Otto Weber' },
  relationshipId: uuid(41),
  label: 'Carer',
  grants: 'view',
  birthDate: null,
  lapsesOn: null,
  hasAccount: true,
}

const family = (items: ManagedPerson[]) => ({ relationships: { family: fake.data.relationships.family.handler(() => ({ items })) } })

beforeEach(() => acting.set(null))
afterEach(() => {
  vi.restoreAllMocks()
  acting.set(null)
})

test('the family page says for whom one may act, what that allows and until when', async () => {
  renderPath('/profile?section=family', { data: family([lena, uncle]) })
  const child = (await screen.findByText('Lena Weber')).closest('li')
  const other = screen.getByText('Otto Weber').closest('li')
  if (!child || !other) throw new Error('not in a list')
  expect(child).toHaveTextContent('Guardian · West · Born May 3, 2013 · No account')
  expect(child).toHaveTextContent('You can see and edit their profile, register them for events and choose what they are sent.')
  expect(child).toHaveTextContent('This ends on May 3, 2031, when they come of age.')
  expect(other).toHaveTextContent('Has an account')
  expect(other).toHaveTextContent('You can see their profile.')
  expect(within(other).queryByRole('button')).not.toBeInTheDocument()
  await userEvent.click(within(child).getByRole('button', { name: 'Act for Lena Weber' }))
  expect(acting.get()).toBe(uuid(20))
  expect(sessionStorage.getItem('acting-for')).toBe(uuid(20))
})

test('nobody to act for is said, and what would change that', async () => {
  renderPath('/profile?section=family', { data: family([]) })
  expect(await screen.findByRole('heading', { name: 'Nobody here yet' })).toBeInTheDocument()
})

test('every page says for whom one acts, and the way back is one click', async () => {
  acting.set(uuid(20))
  const asLena = { ...me([]), person: { id: uuid(20), displayName: 'Lena Weber', pictureId: null, homeChapter: null } }
  const count = vi.fn(() => ({ unread: 3 }))
  renderPath('/profile?section=preferences', {
    data: {
      account: { me: fake.data.account.me.handler(() => asLena) },
      notifications: { count: fake.data.notifications.count.handler(count) },
    },
  })
  const banner = await screen.findByText(
    (_, element) => element?.getAttribute('role') === 'status' && /acting for Lena Weber/.test(element.textContent),
  )
  expect(screen.getByRole('main').firstElementChild).toContainElement(banner)
  // What is the account's own is not there, and not asked for.
  const sections = within(screen.getByRole('navigation', { name: 'Sections of the profile' }))
  expect(sections.queryByRole('link', { name: 'Sign-in and data' })).not.toBeInTheDocument()
  expect(sections.queryByRole('link', { name: 'Family' })).not.toBeInTheDocument()
  expect(sections.getByRole('link', { name: 'Membership' })).toBeInTheDocument()
  expect(count).not.toHaveBeenCalled()
  await userEvent.click(within(banner).getByRole('button', { name: 'Stop acting' }))
  await waitFor(() => expect(screen.queryByText(/You are acting for/)).not.toBeInTheDocument())
  expect(sessionStorage.getItem('acting-for')).toBeNull()
})

test('who acts for nobody sees no banner', async () => {
  renderPath('/profile?section=family', { data: family([]) })
  await screen.findByRole('heading', { name: 'Nobody here yet' })
  expect(screen.queryByRole('button', { name: 'Stop acting' })).not.toBeInTheDocument()
})
