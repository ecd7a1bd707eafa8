import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Event, EventRow, Registration } from '@guildhall/contract/features/events'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import type { Handlers } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { evening, lecture, seat } from '../events-testing.ts'
import { NextEventsCard } from './next-events-card.tsx'

type Data = NonNullable<Handlers['data']>
const open = { ...lecture, may: { ...lecture.may, register: true } } satisfies Event
const { registrations } = fake.data.events

/** An event, and the reader's registrations for it; what `registering` answers is there from then on. */
function show(event: Event, { own = [], registering, more = {}, rest = {} }: Given = {}) {
  const there = [...own]
  const asked: unknown[] = []
  const view = renderPath(
    `/event/${event.id}`,
    {
      data: {
        events: {
          get: fake.data.events.get.handler(() => event),
          registrations: {
            list: registrations.list.handler(() => ({ items: [...there], nextCursor: null, total: there.length, totalIsExact: true })),
            create: registrations.create.handler(({ input, errors }) => {
              asked.push(input)
              const made = registering?.(errors) ?? seat
              there.unshift(made)
              return made
            }),
            cancel: registrations.cancel.handler(() => {
              const [first] = there
              const cancelled: Registration = { ...(first ?? seat), status: 'cancelled', cause: 'cancelled', ticketCode: null }
              there.splice(0, 1, cancelled)
              return cancelled
            }),
            ...more,
          },
        },
        ...rest,
      },
    },
    { holding: [] },
  )
  return { ...view, asked, there }
}
type Errors = Parameters<Parameters<typeof registrations.create.handler>[0]>[0]['errors']
type Given = { own?: Registration[]; registering?: (errors: Errors) => Registration; more?: Data; rest?: Data }

const panel = async () => within(await screen.findByRole('region', { name: 'Your registration' }))

test('one click registers for a free event, and the ticket is shown as a QR code', async () => {
  const user = userEvent.setup()
  const { asked } = show(open)
  await user.click(await (await panel()).findByRole('button', { name: 'Register' }))
  expect(await (await panel()).findByText('You are going')).toBeVisible()
  expect(asked).toMatchObject([{ eventId: open.id, guests: [], answers: [] }])
  expect((await panel()).getByText(/^You can cancel until/)).toBeVisible()
  await user.click((await panel()).getByRole('button', { name: 'Show ticket' }))
  expect(await screen.findByRole('img', { name: 'QR code of the ticket of Olive Owner' })).toBeVisible()
})

test('registered on another device meanwhile, the page shows the ticket and no error', async () => {
  const user = userEvent.setup()
  const { there } = show(open, {
    registering: (errors) => {
      there.push(seat)
      throw errors.CONFLICT({ data: { reason: 'registration_exists' } })
    },
  })
  await user.click(await (await panel()).findByRole('button', { name: 'Register' }))
  expect(await (await panel()).findByRole('button', { name: 'Show ticket' })).toBeVisible()
  expect(screen.queryByText('You could not be registered')).toBeNull()
})

const standard = {
  ...{ id: uuid(91), name: 'Standard', description: '', price: { amount: 2000, currency: 'EUR' }, memberPrice: 1500, myPrice: 1500 },
  ...{
    quota: 10,
    taken: 1,
    audience: 'everyone' as const,
    sellsFrom: null,
    sellsUntil: null,
    minPerOrder: 1,
    maxPerOrder: 4,
    onSale: true,
  },
}
const diet = { id: uuid(95), text: 'Diet', kind: 'choice' as const, required: true, options: ['None', 'Vegan'], ofGuests: false }
const paid: Event = {
  ...open,
  ...{ oneClick: false, guestsPerPerson: 2, price: { amount: 2000, currency: 'EUR' }, questions: [diet] },
  ticketTypes: [standard, { ...standard, id: uuid(92), name: 'Gala', taken: 10 }],
}

test('the dialog says prices, sold out tickets, the total and a wrong code, and keeps what was typed', async () => {
  const user = userEvent.setup()
  const { asked } = show(paid, {
    registering: () => ({ ...seat, status: 'waitlisted', waiting: { position: 2, of: 3 }, ticketCode: null }),
    more: {
      price: registrations.price.handler(({ input, errors }) => {
        if (input.promoCode !== 'EARLY') throw errors.UNPROCESSABLE_CONTENT({ data: { reason: 'promo_code_invalid', errors: [] } })
        return { price: 750, guestPrice: 1000, total: 750 + input.guests * 1000, currency: 'EUR' }
      }),
    },
  })
  await user.click(await (await panel()).findByRole('button', { name: 'Register' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Register for Winter lecture' }))
  expect(await dialog.findByText('Sold out. You can join the waiting list.')).toBeVisible()
  expect(dialog.getAllByText('Member price, instead of €20.00')[0]).toBeVisible()
  await user.click(dialog.getByRole('button', { name: /^(Register|Continue to payment)$/ }))
  expect((await dialog.findAllByText('Answer this question.'))[0]).toBeVisible()
  await user.click(dialog.getByRole('radio', { name: 'Standard' }))
  await user.click(dialog.getByRole('radio', { name: 'Vegan' }))
  await user.click(dialog.getByRole('button', { name: 'Add guest' }))
  await user.type(dialog.getByRole('textbox', { name: 'Name of guest 1' }), 'Kim Larsen')
  expect(await dialog.findByText('€35.00')).toBeVisible()
  await user.type(dialog.getByRole('textbox', { name: /^Promo code/ }), 'LATE')
  expect(await dialog.findByText('This code is not valid for this ticket. Check it, or register without a code.')).toBeVisible()
  await user.clear(dialog.getByRole('textbox', { name: /^Promo code/ }))
  await user.type(dialog.getByRole('textbox', { name: /^Promo code/ }), 'EARLY')
  expect(await dialog.findByText('€17.50')).toBeVisible()
  // Left with Escape, it is there again.
  await user.keyboard('{Escape}')
  await user.click(await (await panel()).findByRole('button', { name: 'Register' }))
  const again = within(await screen.findByRole('dialog', { name: 'Register for Winter lecture' }))
  expect(await again.findByRole('textbox', { name: 'Name of guest 1' })).toHaveValue('Kim Larsen')
  await user.click(again.getByRole('button', { name: 'Continue to payment' }))
  expect(await (await panel()).findByText(/^Place 2 of 3/)).toBeVisible()
  expect(asked).toMatchObject([
    {
      ticketTypeId: standard.id,
      promoCode: 'EARLY',
      guests: [{ name: 'Kim Larsen' }],
      answers: [{ questionId: diet.id, value: 'Vegan' }],
    },
  ])
})

test('a full event offers its waiting list, and says the place on it', async () => {
  const user = userEvent.setup()
  show(
    { ...open, registration: 'full' },
    { registering: () => ({ ...seat, status: 'waitlisted', waiting: { position: 1, of: 1 }, ticketCode: null }) },
  )
  await user.click(await (await panel()).findByRole('button', { name: 'Join the waiting list' }))
  expect(await (await panel()).findByText(/^Place 1 of 1/)).toBeVisible()
  await user.click((await panel()).getByRole('button', { name: 'Leave waiting list' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Leave the waiting list?' }))
  await user.click(dialog.getByRole('button', { name: 'Leave waiting list' }))
  expect(await (await panel()).findByText('Your registration is cancelled')).toBeVisible()
})

test('an offered seat is accepted before its clock runs out', async () => {
  const user = userEvent.setup()
  const soon = new Date(Date.now() + 20 * 60_000).toISOString()
  const offered: Registration = { ...seat, status: 'offered', offerUntil: soon, ticketCode: null, may: { ...seat.may, answerOffer: true } }
  const { there } = show(open, {
    own: [offered],
    more: {
      accept: registrations.accept.handler(() => {
        there.splice(0, 1, seat)
        return seat
      }),
    },
  })
  expect(await (await panel()).findByRole('timer')).toHaveTextContent(/^(20:00|19:\d\d) left$/)
  await user.click((await panel()).getByRole('button', { name: 'Accept seat' }))
  expect(await (await panel()).findByText('You are going')).toBeVisible()
})

test('a rejected registration says why, and cancelling says what goes back', async () => {
  const user = userEvent.setup()
  const first = show(lecture, { own: [{ ...seat, status: 'rejected', cause: 'rejected', reason: 'For the choir only', ticketCode: null }] })
  expect(await (await panel()).findByText('For the choir only')).toBeVisible()
  first.unmount()
  show(lecture, { own: [{ ...seat, price: { amount: 2000, currency: 'EUR' }, invoice: { id: uuid(120), state: 'paid' } }] })
  await user.click(await (await panel()).findByRole('button', { name: 'Change registration' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Cancel registration' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cancel your registration?' }))
  expect(dialog.getByText('You get €20.00 back.')).toBeVisible()
})

test('a ticket goes to somebody else, and answers are changed', async () => {
  const user = userEvent.setup()
  const asked: unknown[] = []
  const answered: Registration = { ...seat, answers: [{ questionId: diet.id, text: 'Diet', value: 'None' }] }
  show(
    { ...open, questions: [diet] },
    {
      own: [answered],
      more: {
        answer: registrations.answer.handler(({ input }) => {
          asked.push(input)
          return answered
        }),
        transfer: registrations.transfer.handler(({ input }) => {
          asked.push(input)
          return { ...seat, person: null, name: input.name ?? '' }
        }),
      },
    },
  )
  const change = async (item: string) => {
    await user.click(await (await panel()).findByRole('button', { name: 'Change registration' }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
  }
  await change('Change answers')
  const answers = within(await screen.findByRole('dialog', { name: 'Change answers' }))
  expect(await answers.findByRole('radio', { name: 'None' })).toBeChecked()
  await user.click(answers.getByRole('radio', { name: 'Vegan' }))
  await user.click(answers.getByRole('button', { name: 'Save answers' }))
  expect(await screen.findByText('Answers saved')).toBeVisible()
  await change('Transfer ticket')
  const transfer = within(await screen.findByRole('dialog', { name: 'Transfer ticket' }))
  await user.type(await transfer.findByRole('textbox', { name: 'Name' }), 'Kim Larsen')
  await user.click(transfer.getByRole('button', { name: 'Transfer ticket' }))
  expect(await screen.findByText('Ticket transferred to Kim Larsen')).toBeVisible()
  expect(asked).toMatchObject([{ answers: [{ questionId: diet.id, value: 'Vegan' }] }, { name: 'Kim Larsen' }])
})

test('home shows the next events, and going is one click, taken back by Undo', async () => {
  const user = userEvent.setup()
  let mine: EventRow['mine'] = null
  const done: string[] = []
  renderWithApi(<NextEventsCard />, {
    data: {
      events: {
        list: fake.data.events.list.handler(() => ({
          items: [
            { ...evening, mine },
            { ...evening, id: uuid(52), title: 'Gala', oneClick: false },
          ],
          nextCursor: null,
          total: 2,
          totalIsExact: true,
        })),
        registrations: {
          create: registrations.create.handler(({ input }) => {
            done.push(`going ${input.eventId}`)
            mine = { registrationId: seat.id, status: 'confirmed', position: null, offerUntil: null }
            return seat
          }),
          cancel: registrations.cancel.handler(({ input }) => {
            done.push(`not going ${input.registrationId}`)
            mine = null
            return { ...seat, status: 'cancelled' }
          }),
        },
      },
    },
  })
  expect(await screen.findByRole('link', { name: 'Register for Gala' })).toHaveAttribute('href', `/event/${uuid(52)}?register=1`)
  const answer = within(screen.getByRole('group', { name: 'Your answer for Winter lecture' }))
  await user.click(answer.getByRole('button', { name: 'Going' }))
  await user.click(await answer.findByRole('button', { name: 'Not going' }))
  await user.click(await screen.findByRole('button', { name: /Undo/ }))
  expect(await answer.findByRole('button', { name: 'Not going' })).toBeVisible()
  expect(done).toEqual([`going ${evening.id}`, `not going ${seat.id}`, `going ${evening.id}`])
})

test('home says when nothing is coming up', async () => {
  renderWithApi(<NextEventsCard />, {
    data: { events: { list: fake.data.events.list.handler(() => ({ items: [], nextCursor: null, total: 0, totalIsExact: true })) } },
  })
  expect(await screen.findByText('No upcoming events. They stand here as soon as they are published.')).toBeVisible()
})
