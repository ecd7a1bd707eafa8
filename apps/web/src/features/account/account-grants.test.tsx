import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Account, Grant } from '@guildhall/contract/features/account'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { AccountGrants } from './account-grants.tsx'

const role = { id: uuid(7), name: 'Secretary', key: 'secretary' }
const grant: Grant = {
  id: uuid(8),
  account: { id: uuid(6), name: 'Ada Byron', email: 'ada@example.org' },
  role,
  scopeKind: 'org',
  chapter: null,
  group: null,
  startsOn: '2026-01-01',
  endsOn: null,
  when: 'current',
  reason: 'Elected',
  grantedBy: null,
  mayChange: true,
  version: 1,
  createdAt: '2026-01-01T10:00:00Z',
}
const account: Account = {
  id: uuid(6),
  email: 'ada@example.org',
  emailVerified: true,
  name: 'Ada Byron',
  status: 'active',
  person: null,
  roles: ['Secretary'],
  providerRoles: [],
  accessMessage: null,
  invitedUntil: null,
  lastLoginAt: null,
  createdAt: '2026-01-01T10:00:00Z',
  version: 1,
  locale: null,
  grants: [grant],
  offices: [],
  may: { suspend: false, link: false, grant: true },
}

test('a role that was revoked says so and is given back by Undo', async () => {
  const [ended, added]: [string[], unknown[]] = [[], []]
  renderWithApi(<AccountGrants account={account} />, {
    data: {
      account: {
        grants: {
          end: fake.data.account.grants.end.handler(({ input }) => void ended.push(input.grantId)),
          add: fake.data.account.grants.add.handler(({ input }) => {
            added.push(input)
            return grant
          }),
        },
      },
    },
  })
  await userEvent.click(screen.getByRole('button', { name: 'Revoke Secretary' }))
  expect(await screen.findByText('Secretary revoked')).toBeInTheDocument()
  expect(ended).toEqual([grant.id])
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(added).toMatchObject([{ accountId: account.id, roleId: role.id, scopeKind: 'org', reason: 'Elected' }]))
})
