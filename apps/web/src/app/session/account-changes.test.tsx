import type { AccountChange } from '@guildhall/contract/features/account'
import { expect, test, vi } from 'vitest'
import { fake, me } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { useMe } from '../../platform/session/session.ts'
import { AccountChanges } from './account-changes.tsx'

function Page() {
  useMe()
  return <AccountChanges />
}

function told(...changes: AccountChange[]) {
  const asked = vi.fn(() => me())
  const account = {
    me: fake.data.account.me.handler(asked),
    changes: fake.data.account.changes.handler(async function* ({ signal }) {
      yield { type: 'ready' }
      yield* changes
      await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    }),
  }
  return { asked, ...renderWithApi(<Page />, { data: { account } }) }
}

test('S4-6 a sign-out at the provider ends the session, once the provider itself has done with it', async () => {
  const { authCalls } = told({ type: 'ended', reason: 'signed_out' })
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(authCalls).toEqual([])
  await vi.waitFor(() => expect(authCalls).toEqual(['end']), { timeout: 3000 })
})

test.each<AccountChange>([{ type: 'rights' }, { type: 'ended', reason: 'suspended' }])('%j has the rights read again', async (change) => {
  const { asked, authCalls } = told(change)
  await vi.waitFor(() => expect(asked.mock.calls.length).toBeGreaterThanOrEqual(2))
  expect(authCalls).toEqual([])
})

test('without a change nothing is read twice (the control)', async () => {
  const { asked } = told({ type: 'alive' })
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(asked).toHaveBeenCalledTimes(1)
})
