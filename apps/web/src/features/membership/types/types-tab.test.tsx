import { configure, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { MembershipType, NewMembershipType } from '@guildhall/contract/features/membership'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'

configure({ asyncUtilTimeout: 15_000 })

const full: MembershipType = {
  id: uuid(7),
  name: 'Full member',
  description: '',
  period: 'rolling',
  months: 12,
  startsMonth: null,
  startsDay: null,
  rolloverDays: 0,
  price: { amount: 6000, currency: 'EUR' },
  graceDays: 30,
  renewalDays: 30,
  needsApproval: true,
  chapterShareBps: 2500,
  openTo: 'everyone',
  leaving: 'any_time',
  questions: [],
  archivedAt: null,
  version: 1,
}

test('a membership type is created with the rules of its period', async () => {
  const stored: MembershipType[] = [full]
  const sent: NewMembershipType[] = []
  const { types } = fake.data.membership
  renderPath(
    '/account-management/membership-types',
    {
      data: {
        membership: {
          types: {
            list: types.list.handler(() => ({ items: stored })),
            create: types.create.handler(({ input }) => {
              sent.push(input)
              const made: MembershipType = { ...full, id: uuid(8), name: input.name, period: input.period }
              stored.push(made)
              return made
            }),
          },
        },
      },
    },
    { holding: ['memberships.manage'] },
  )
  expect(await screen.findByRole('rowheader', { name: 'Full member' })).toBeVisible()
  expect(screen.getByText('€60.00')).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'New membership type' }))
  await userEvent.type(await screen.findByRole('textbox', { name: 'Name' }), 'Student')
  await userEvent.type(screen.getByRole('textbox', { name: /Price of one term/ }), '20')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Period' }), 'fixed')
  await userEvent.click(screen.getByRole('button', { name: 'Create membership type' }))
  expect(await screen.findByRole('rowheader', { name: 'Student' })).toBeVisible()
  expect(sent).toMatchObject([
    { name: 'Student', period: 'fixed', months: 12, startsMonth: 1, startsDay: 1, price: { amount: 2000, currency: 'EUR' } },
  ])
})
