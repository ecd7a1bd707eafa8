import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderPath } from '../../testing/render-with-api.tsx'

const at = '2026-11-20T10:00:00.000Z'
const ada = { id: uuid(7), account: { id: uuid(8), name: 'Ada', email: null }, parts: 2, bytes: 2100, startedAt: at, endedAt: at }

test('administrators find recorded sessions beside the accounts and can delete them', async () => {
  let items = [ada]
  const remove = vi.fn(() => {
    items = []
  })
  renderPath('/account-management/recordings', {
    data: {
      recordings: {
        list: fake.data.recordings.list.handler(() => ({ items, nextCursor: null, total: items.length, totalIsExact: true })),
        remove: fake.data.recordings.remove.handler(remove),
      },
    },
  })
  expect(await screen.findByText(/3 kB/)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Delete: Ada' }))
  expect(await screen.findByText('Nothing was recorded')).toBeVisible()
  expect(remove).toHaveBeenCalledOnce()
})
