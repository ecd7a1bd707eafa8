import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { AccountRow } from '@guildhall/contract/features/account'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { AccountRequests } from './account-requests.tsx'

const request = (last: number, name: string): AccountRow => ({
  id: uuid(last),
  email: `${name.toLowerCase()}@example.org`,
  emailVerified: true,
  name,
  status: 'pending_link',
  person: null,
  roles: [],
  providerRoles: [],
  accessMessage: `${name} asks`,
  invitedUntil: null,
  lastLoginAt: null,
  createdAt: '2026-01-01T10:00:00Z',
  version: 1,
})

test('requests for access are approved or declined with Undo, and sent when its time is over', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  const declined: string[] = []
  const filters: unknown[] = []
  renderWithApi(<AccountRequests onOpen={() => undefined} />, {
    data: {
      account: {
        accounts: {
          list: fake.data.account.accounts.list.handler(({ input }) => {
            filters.push(input.filter)
            const items = [request(1, 'Ada'), request(2, 'Ben')].filter(({ id }) => !declined.includes(id))
            return { items, nextCursor: null, total: items.length, totalIsExact: true }
          }),
          decline: fake.data.account.accounts.decline.handler(({ input }) => void declined.push(input.accountId)),
        },
      },
    },
  })
  expect(await screen.findByText('Ada asks')).toBeVisible()
  expect(filters[0]).toContain('pending_link')
  await user.click(screen.getByRole('button', { name: 'Approve Ada' }))
  expect(screen.getByText('Ada approved')).toBeVisible()
  // A second click of a double click would be no answer.
  await act(() => vi.advanceTimersByTimeAsync(1000))
  await user.click(screen.getByRole('button', { name: 'Undo: Ada approved' }))
  await user.click(screen.getByRole('button', { name: 'Decline Ben' }))
  expect(declined).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(declined).toEqual([uuid(2)])
  expect(screen.getByRole('button', { name: 'Approve Ada' })).toBeVisible()
})
