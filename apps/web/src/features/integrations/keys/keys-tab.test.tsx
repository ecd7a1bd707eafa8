import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ApiKey, ApiKeyUse } from '@guildhall/contract/features/integrations.keys'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath, renderWithApi } from '../../../testing/render-with-api.tsx'
import { pageOf } from '../integrations-testing.ts'
import { KeyPage } from './key-page.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

const { keys } = fake.data.integrations
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const website: ApiKey = {
  id: uuid(40),
  name: 'Website',
  purpose: 'Shows our events',
  perMinute: 300,
  prefix: 'ghk_Ab3dEf7h',
  permissions: ['events.read'],
  chapter: null,
  expiresAt: inDays(200),
  state: 'active',
  accountId: uuid(41),
  createdBy: 'Olive Owner',
  createdAt: '2026-01-01T10:00:00Z',
  lastUsedAt: null,
  revokedAt: null,
  version: 3,
}
const use = (last: number, operation: string, status: number): ApiKeyUse => ({
  id: uuid(last),
  at: '2026-11-20T10:00:00Z',
  operation,
  method: 'GET',
  status,
  count: 7,
})

test('keys are listed with their state, and those that expire within two weeks are marked', async () => {
  const soon: ApiKey = {
    ...website,
    id: uuid(42),
    name: 'Sheet',
    expiresAt: inDays(5),
    chapter: { id: uuid(43), name: 'Lyon', code: 'LYO' },
  }
  renderPath('/account-management/api', {
    data: {
      integrations: {
        keys: { list: keys.list.handler(() => pageOf([website, soon, { ...website, id: uuid(44), name: 'Old', state: 'revoked' }])) },
      },
    },
  })
  const table = await screen.findByRole('table', { name: 'API keys' })
  const rows = within(table).getAllByRole('row').slice(1)
  expect(rows.map((row) => [within(row).getByRole('link').textContent, within(row).getAllByRole('cell')[0]?.textContent])).toEqual([
    ['Website', 'Active'],
    ['Sheet', 'Expires soon'],
    ['Old', 'Revoked'],
  ])
  expect(within(table).getByText('Lyon and below')).toBeInTheDocument()
})

function Making() {
  const [opened, setOpened] = useState(true)
  return <NewKeyDialog opened={opened} onClose={() => setOpened(false)} />
}

test('a key is made with chosen permissions, and shown once', async () => {
  const asked: unknown[] = []
  const secret = `ghk_${'a'.repeat(40)}`
  const create = keys.create.handler(({ input }) => {
    asked.push(input)
    return { key: website, secret }
  })
  renderWithApi(<Making />, { data: { integrations: { keys: { create } } } })
  const user = userEvent.setup()
  await user.click(await screen.findByRole('button', { name: 'Create API key' }))
  expect(await screen.findAllByText('Choose at least one permission.')).not.toHaveLength(0)
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Website')
  expect(screen.queryByRole('checkbox', { name: /Manage accounts/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('checkbox', { name: 'See events for members' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Expires after' }), '365 days')
  await user.click(screen.getByRole('button', { name: 'Create API key' }))

  const dialog = await screen.findByRole('dialog', { name: 'Copy the API key now' })
  expect(within(dialog).getByRole('textbox', { name: 'API key' })).toHaveValue(secret)
  expect(within(dialog).getByText(/^curl -H/)).toHaveTextContent(`Authorization: Bearer ${secret}`)
  expect(asked).toEqual([{ name: 'Website', purpose: '', permissions: ['events.read'], chapterId: null, days: 365, perMinute: 300 }])
  await user.click(within(dialog).getByRole('button', { name: 'I have copied the key' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  expect(document.body.textContent).not.toContain(secret)
})

test('the page of a key says what it did, and revokes it once that is confirmed', async () => {
  const stored = { ...website }
  const revoked: unknown[] = []
  renderWithApi(<KeyPage apiKeyId={website.id} />, {
    data: {
      integrations: {
        keys: {
          get: keys.get.handler(() => ({ ...stored })),
          activity: keys.activity.handler(() => ({ days: [{ day: '2026-11-20', requests: 14, refused: 7 }] })),
          uses: keys.uses.handler(({ input }) =>
            pageOf([use(50, 'listPeople', 403), ...(input.failed ? [] : [use(51, 'listEvents', 200)])]),
          ),
          revoke: keys.revoke.handler(({ input }) => {
            revoked.push(input)
            return Object.assign(stored, { state: 'revoked' as const, revokedAt: '2026-11-21T10:00:00Z', version: 4 })
          }),
        },
      },
    },
  })
  const user = userEvent.setup()
  const table = await screen.findByRole('table', { name: 'Requests' })
  expect(within(table).getByText('GET listEvents')).toBeInTheDocument()
  expect(await screen.findByText('14 requests in the last 30 days')).toBeInTheDocument()
  await user.click(screen.getByRole('switch', { name: 'Failed only' }))
  await waitFor(() => expect(screen.queryByText('GET listEvents')).not.toBeInTheDocument())
  expect(screen.getByText('GET listPeople')).toBeInTheDocument()

  await user.click(screen.getByRole('button', { name: 'Revoke' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Revoke API key' }))
  expect(await screen.findByText('Website revoked')).toBeInTheDocument()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Revoke' })).not.toBeInTheDocument())
  expect(revoked).toEqual([{ apiKeyId: website.id }])
})

test('without keys the tab says what they are for', async () => {
  renderPath('/account-management/api', { data: { integrations: { keys: { list: keys.list.handler(() => pageOf<ApiKey>([])) } } } })
  expect(await screen.findByText('No API keys yet')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'New API key' })).toBeInTheDocument()
})
