import { configure, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ThankRow } from '@guildhall/contract/features/fundraising.gifts'
import { beforeAll, expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { around, euros, gift, giftRow, pageOf } from '../giving-testing.ts'

configure({ asyncUtilTimeout: 25_000 })
// The code of the page, which a busy machine takes its time to make.
beforeAll(() => Promise.all([import('../campaigns/campaign-page.tsx'), import('./thanks-tab.tsx')]), 180_000)

const { gifts } = fake.data.fundraising
const row = (nth: number, name: string, more: Partial<ThankRow> = {}): ThankRow => ({
  gift: { ...giftRow, id: uuid(600 + nth), donor: { id: uuid(700 + nth), displayName: name }, donorName: name, money: euros(nth * 1000) },
  ...{ days: 1, late: false, subject: `Thank you, ${name}`, body: `Dear ${name}, thank you.`, canMail: true },
  ...more,
})
const find = (rows: readonly ThankRow[], giftId: string) => ({
  ...gift,
  ...rows.find((one) => one.gift.id === giftId)?.gift,
  receipt: null,
})

test('donors are thanked one after the other: the draft is changed and mailed, a call is noted, and the next comes into focus', async () => {
  const user = userEvent.setup()
  let waiting = [row(1, 'Ada Byron', { days: 9, late: true }), row(2, 'Ben Holt'), row(3, 'Cleo Park', { canMail: false })]
  const all = waiting
  const said: unknown[] = []
  const done = (giftId: string) => {
    waiting = waiting.filter((one) => one.gift.id !== giftId)
    return find(all, giftId)
  }
  renderPath('/fundraising/all/thanks', {
    data: {
      ...around,
      fundraising: {
        gifts: {
          get: gifts.get.handler(({ input }) => find(all, input.giftId)),
          thanks: {
            list: gifts.thanks.list.handler(() => pageOf(waiting)),
            mail: gifts.thanks.mail.handler(({ input }) => {
              said.push(input)
              return done(input.giftId)
            }),
            note: gifts.thanks.note.handler(({ input }) => {
              said.push(input)
              return done(input.giftId)
            }),
          },
        },
      },
    },
  })
  expect(await screen.findByText('3 donors to thank')).toBeVisible()
  const queue = within(screen.getByRole('list', { name: 'Donors to thank' }))
  expect(queue.getAllByRole('button')[0]).toHaveAccessibleName(/Ada Byron.*€10.00.*9 days ago.*Late/)
  const text = screen.getByRole('textbox', { name: 'Text' })
  await user.clear(text)
  await user.type(text, 'Dear Ada!')
  await user.keyboard('{Control>}{Enter}{/Control}')
  await waitFor(() => expect(said).toEqual([{ giftId: uuid(601), subject: 'Thank you, Ada Byron', body: 'Dear Ada!' }]))
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Ben Holt' })).toHaveFocus())
  expect(screen.getByRole('textbox', { name: 'Text' })).toHaveValue('Dear Ben Holt, thank you.')
  await user.click(screen.getByRole('button', { name: 'Called' }))
  await waitFor(() => expect(said).toHaveLength(2))
  expect(said[1]).toEqual({ giftId: uuid(602), how: 'call' })
  // Nobody may write to Cleo: there is nothing to mail, and a letter can be noted.
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Cleo Park' })).toHaveFocus())
  expect(screen.queryByRole('button', { name: 'Mail thanks' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Wrote a letter' }))
  expect(await screen.findByRole('heading', { name: 'Every donor has been thanked' })).toBeVisible()
  expect(screen.getByText('You thanked 3 donors just now. Well done.')).toBeVisible()
})

test('thanks that were noted by mistake are undone: the donor waits again', async () => {
  const user = userEvent.setup()
  const all = [row(1, 'Ada Byron'), row(2, 'Ben Holt')]
  let waiting = all
  const undone: unknown[] = []
  renderPath('/fundraising/all/thanks', {
    data: {
      ...around,
      fundraising: {
        gifts: {
          get: gifts.get.handler(({ input }) => find(all, input.giftId)),
          thanks: {
            list: gifts.thanks.list.handler(() => pageOf(waiting)),
            note: gifts.thanks.note.handler(({ input }) => {
              waiting = waiting.filter(({ gift: { id } }) => id !== input.giftId)
              return { ...find(all, input.giftId), version: 9 }
            }),
            undo: gifts.thanks.undo.handler(({ input }) => {
              undone.push(input)
              waiting = all
              return find(all, input.giftId)
            }),
          },
        },
      },
    },
  })
  await user.click(await screen.findByRole('button', { name: 'Called' }))
  expect(await screen.findByRole('heading', { name: 'Ben Holt' })).toBeVisible()
  expect(screen.getByText('1 donor to thank')).toBeVisible()
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('2 donors to thank')).toBeVisible()
  expect(undone).toEqual([{ giftId: uuid(601) }])
  expect(within(screen.getByRole('list', { name: 'Donors to thank' })).getByRole('button', { name: /Ada Byron/ })).toBeVisible()
})

test('a mail that fails leaves the draft as it was written', async () => {
  const user = userEvent.setup()
  renderPath('/fundraising/all/thanks', {
    data: {
      ...around,
      fundraising: {
        gifts: {
          get: gifts.get.handler(() => gift),
          thanks: {
            list: gifts.thanks.list.handler(() => pageOf([row(1, 'Ada Byron')])),
            mail: gifts.thanks.mail.handler(() => {
              throw new Error('down')
            }),
          },
        },
      },
    },
  })
  const text = await screen.findByRole('textbox', { name: 'Text' })
  await user.type(text, ' Truly.')
  await user.click(screen.getByRole('button', { name: 'Mail thanks' }))
  expect(await screen.findByRole('alert')).toBeVisible()
  expect(text).toHaveValue('Dear Ada Byron, thank you. Truly.')
})
