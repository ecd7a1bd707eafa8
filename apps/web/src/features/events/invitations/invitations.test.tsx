import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { EventInvitation, EventInvitationCounts } from '@guildhall/contract/features/events.invitations'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import type { Event } from '../events-api.ts'
import { lecture, runs } from '../events-testing.ts'
import { addressesIn } from './invite-dialog.tsx'

const event: Event = { ...lecture, visibility: 'invite', may: runs }
const sent: EventInvitation = {
  ...{ id: uuid(71), person: { id: uuid(2), displayName: 'Olive Owner' }, email: '', emailRemoved: false, state: 'sent', mails: 1 },
  ...{ mailedAt: '2026-01-02T10:00:00Z', answeredAt: null, createdAt: '2026-01-02T09:00:00Z' },
}
const counts: EventInvitationCounts = { invited: 5, waiting: 2, accepted: 1, declined: 1, bounced: 0, open: 3, remindable: 1 }

function open(shown: Event, items: EventInvitation[], figures: EventInvitationCounts) {
  const sentOff: unknown[] = []
  const { events } = fake.data
  renderPath(`/event/${shown.id}?section=invitations`, {
    data: {
      events: {
        get: events.get.handler(() => shown),
        registrations: { list: events.registrations.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })) },
        invitations: {
          list: events.invitations.list.handler(() => ({ items, nextCursor: null, total: items.length, totalIsExact: true })),
          counts: events.invitations.counts.handler(() => figures),
          create: events.invitations.create.handler(({ input: { eventId: _, ...input } }) => {
            sentOff.push(input)
            return { invited: 2, already: 1, registered: 0 }
          }),
          remind: events.invitations.remind.handler(() => {
            sentOff.push('remind')
            return { reminded: 1 }
          }),
          revoke: events.invitations.revoke.handler(({ input }) => {
            sentOff.push(input)
          }),
          decline: events.invitations.decline.handler(() => {
            sentOff.push('decline')
            return { answer: 'declined' as const }
          }),
        },
      },
    },
  })
  return sentOff
}

test('organisers see how invitations stand, remind and revoke', async () => {
  const user = userEvent.setup()
  const done = open(event, [sent], counts)
  expect(await screen.findByText(/5 invited · 1 accepted · 1 declined · 3 without an answer/)).toBeVisible()
  expect(screen.getByText('2 mails are being sent')).toBeVisible()
  expect(await screen.findByRole('link', { name: /Olive Owner/ })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remind' }))
  await user.click(await screen.findByRole('button', { name: 'Send reminders' }))
  expect(await screen.findByText('1 person is reminded')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Revoke invitation of Olive Owner' }))
  await user.click(await screen.findByRole('button', { name: 'Revoke invitation' }))
  expect(await screen.findByText('Invitation revoked')).toBeVisible()
  expect(done).toEqual(['remind', { invitationId: sent.id }])
})

test('e-mail addresses are invited as they are pasted, once what is wrong with them is mended', async () => {
  const user = userEvent.setup()
  const done = open(event, [], { invited: 0, waiting: 0, accepted: 0, declined: 0, bounced: 0, open: 0, remindable: 0 })
  expect(await screen.findByText('Nobody is invited yet')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Invite' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Invite to Winter lecture' }))
  await user.click(dialog.getByRole('radio', { name: 'E-mail addresses' }))
  const field = dialog.getByRole('textbox', { name: 'E-mail addresses' })
  await user.type(field, 'kim@example.org, bo')
  await user.click(dialog.getByRole('button', { name: 'Send invitations' }))
  expect((await dialog.findAllByText('bo is not an e-mail address.'))[0]).toBeVisible()
  await user.type(field, '@example.org')
  await user.click(dialog.getByRole('button', { name: 'Send invitations' }))
  expect(await screen.findByText('2 people invited; 1 was invited already')).toBeVisible()
  expect(done).toMatchObject([{ emails: ['kim@example.org', 'bo@example.org'] }])
})

test('who is invited is told so on the page of the event, and declines there', async () => {
  const user = userEvent.setup()
  const done = open({ ...lecture, invitation: { answer: null } }, [], counts)
  const prompt = within(await screen.findByRole('region', { name: 'Your invitation' }))
  await user.click(prompt.getByRole('button', { name: 'Decline' }))
  expect(await screen.findByText('Invitation declined')).toBeVisible()
  expect(done).toEqual(['decline'])
})

test('addresses stand on lines, or between commas, semicolons and spaces', () => {
  expect(addressesIn(' a@x.org,b@x.org;\nc@x.org a@x.org ')).toEqual(['a@x.org', 'b@x.org', 'c@x.org'])
})
