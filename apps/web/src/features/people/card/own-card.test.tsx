import { configure, screen, waitFor, within } from '@testing-library/react'
import { notifications } from '@mantine/notifications'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { wholePerson } from '../../../testing/people.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { MemberCard } from './card-api.ts'

// The first of them fetches the page's code; a busy machine takes its time.
configure({ asyncUtilTimeout: 15_000 })
afterEach(() => notifications.clean())

const none: MemberCard = {
  organisation: { name: 'Demo Society', color: '#1c4f9c', onColor: '#ffffff' },
  holder: { displayName: 'Olive Owner', memberNo: '17', pictureId: null },
  membership: { chapter: { id: uuid(900), name: 'Bern', code: 'BE' }, until: null },
  card: null,
  may: { issue: true, revoke: false },
}
const issued = (code: string): MemberCard => ({
  ...none,
  card: {
    id: uuid(30),
    state: 'eligible',
    address: `https://members.example.org/public/cards/${code}`,
    validUntil: '2027-05-01',
    issuedAt: '2026-05-01T10:00:00Z',
    reason: '',
  },
})

function open(path: string, first: MemberCard) {
  const reasons: string[] = []
  let now = first
  let codes = 0
  const agreed = { shown: true, withPicture: false }
  const people = {
    card: fake.data.people.card.handler(() => now),
    issueCard: fake.data.people.issueCard.handler(() => (now = issued(`code${(codes += 1)}`))),
    revokeCard: fake.data.people.revokeCard.handler(({ input: { reason } }) => {
      reasons.push(reason)
      const before = issued('gone')
      return (now = { ...before, card: before.card && { ...before.card, state: 'revoked', address: null, reason } })
    }),
    publicName: fake.data.people.publicName.handler(() => ({ ...agreed })),
    setPublicName: fake.data.people.setPublicName.handler(({ input: { shown, withPicture } }) => ({
      ...Object.assign(agreed, { shown, withPicture }),
    })),
    overview: fake.data.people.overview.handler(() => ({ person: wholePerson(4, 'Ada', 'Ash'), recentChanges: [] })),
  }
  renderPath(path, { data: { people } })
  return { reasons, agreed }
}

const codeOf = () => screen.getByRole('img', { name: 'Code of the member card' }).innerHTML

test('a member gets their card, shows its code full screen, and replaces it once they have read what that ends', async () => {
  const user = userEvent.setup()
  open('/profile?section=card', none)
  await user.click(await screen.findByRole('button', { name: 'Get my card' }))
  const card = await screen.findByRole('group', { name: 'Member card' })
  for (const part of ['Demo Society', 'Olive Owner', 'Bern', '17']) expect(within(card).getByText(part)).toBeVisible()
  const first = codeOf()

  await user.click(screen.getByRole('button', { name: 'Show full screen' }))
  const door = await screen.findByRole('dialog', { name: 'Demo Society' })
  expect(within(door).getByRole('img', { name: 'Code of the member card' }).innerHTML).toBe(first)
  await user.click(within(door).getByRole('button', { name: 'Close' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  await user.click(screen.getByRole('button', { name: 'New code' }))
  expect(await screen.findByText(/stops working at once, also on cards that you have printed/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Replace code' }))
  await waitFor(() => expect(codeOf()).not.toBe(first))
})

test('name and picture on the public page are the holder’s choice, beside the card', async () => {
  const user = userEvent.setup()
  const { agreed } = open('/profile?section=card', issued('code'))
  await user.click(await screen.findByRole('switch', { name: /^Show my picture as well/ }))
  await waitFor(() => expect(agreed).toEqual({ shown: true, withPicture: true }))
  await user.click(screen.getByRole('switch', { name: /^Show my name on public pages/ }))
  await waitFor(() => expect(screen.queryByRole('switch', { name: /^Show my picture as well/ })).toBeNull())
})

test.each([
  ['is no member', { ...none, membership: null, may: { issue: false, revoke: false } }, 'Only current members have a member card.'],
  [
    'had theirs revoked',
    {
      ...issued('x'),
      card: { ...issued('x').card, state: 'revoked', address: null, reason: 'Lent out' },
      may: { issue: false, revoke: false },
    },
    'Reason: Lent out. Ask an officer of your chapter for a new card.',
  ],
])('who %s is told so and offered none', async (_name, card, text) => {
  open('/profile?section=card', card as MemberCard)
  expect(await screen.findByText(text)).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Get my card' })).toBeNull()
})

test('an officer revokes a card with a reason that its holder will read', async () => {
  const user = userEvent.setup()
  const { reasons } = open(`/person/${uuid(4)}/memberships`, { ...issued('code'), may: { issue: true, revoke: true } })
  await user.click(await screen.findByRole('button', { name: 'Revoke card' }))
  const dialog = await screen.findByRole('dialog', { name: 'Revoke the member card of Ada Ash?' })
  await user.click(within(dialog).getByRole('button', { name: 'Revoke card' }))
  expect(await within(dialog).findByText('Enter a reason.')).toBeVisible()
  await user.type(within(dialog).getByLabelText('Reason'), 'Lent to somebody else')
  await user.click(within(dialog).getByRole('button', { name: 'Revoke card' }))
  expect(await screen.findByText('Revoked')).toBeVisible()
  expect(reasons).toEqual(['Lent to somebody else'])
  expect(screen.queryByRole('button', { name: 'Download PDF' })).toBeNull()
})
