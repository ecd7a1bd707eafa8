import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { fake, uuid } from '../../../testing/fake-api.ts'
import { renderPath } from '../../../testing/render-with-api.tsx'
import { answers, at, sheet } from '../integrations-testing.ts'

const { scim } = fake.data.integrations

test('an identity provider is told an address, and a token that is shown once', async () => {
  const provider = { ...sheet, id: uuid(75), connector: 'scim' as const, slug: 'provider', name: 'Provider', syncs: false, settings: {} }
  const address = 'https://us.example/scim/v2'
  let hint: string | null = null
  const metrics = {
    list: fake.data.integrations.metrics.list.handler(() => ({ items: [] })),
    alerts: fake.data.integrations.metrics.alerts.handler(() => ({ items: [] })),
  }
  renderPath('/integrations/provider', {
    data: {
      integrations: {
        ...answers(() => provider),
        metrics,
        scim: {
          access: scim.access.handler(() => ({ address, hint, madeAt: hint && at, usedAt: null })),
          makeToken: scim.makeToken.handler(() => {
            hint = 'wxyz'
            return { address, hint, madeAt: at, usedAt: null, token: 'ghscim_wxyz' }
          }),
        },
      },
    },
  })
  expect(await screen.findByLabelText('SCIM address', undefined, { timeout: 20_000 })).toHaveValue(address)
  await userEvent.click(screen.getByRole('button', { name: 'Make token' }))
  const asked = await screen.findByRole('dialog', { name: 'Make a token?' }, { timeout: 10_000 })
  await userEvent.click(within(asked).getByRole('button', { name: 'Make token' }))
  const dialog = await screen.findByRole('dialog', { name: 'Copy the token now' }, { timeout: 10_000 })
  expect(dialog).toHaveTextContent('only time')
  expect(screen.getByLabelText('Token')).toHaveValue('ghscim_wxyz')
  await userEvent.click(screen.getByRole('button', { name: 'I have copied the token' }))
  expect(await screen.findByText(/ends in wxyz/)).toBeVisible()
})
