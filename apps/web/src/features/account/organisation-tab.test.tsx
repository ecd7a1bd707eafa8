import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { Organisation } from '@guildhall/contract/features/account'
import { expect, test } from 'vitest'
import { fake } from '../../testing/fake-api.ts'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { OrganisationTab } from './organisation-tab.tsx'

const society: Organisation = {
  id: '01920000-0000-7000-8000-000000000001',
  slug: 'society',
  name: 'Demo Society',
  locale: 'en',
  timezone: 'Europe/Lisbon',
  currency: 'EUR',
  directoryReach: 'organisation',
  majorityAge: 18,
  eventReminderHours: 24,
  contactEmail: null,
  brandColor: null,
  publicChapters: false,
  mayEdit: true,
  version: 1,
  createdAt: '2020-01-01T00:00:00Z',
  updatedAt: '2020-01-01T00:00:00Z',
}

test('currency and time zone are chosen from lists, in which what is set already stays', async () => {
  const stored = { ...society, currency: 'BGN' }
  const organisation = {
    get: fake.data.account.organisation.get.handler(() => ({ ...stored })),
    update: fake.data.account.organisation.update.handler(({ input }) => Object.assign(stored, input, { version: stored.version + 1 })),
  }
  const user = userEvent.setup()
  renderWithApi(<OrganisationTab />, { data: { account: { organisation } } })
  await user.click(await screen.findByRole('button', { name: 'Edit Currency' }))
  const currency = screen.getByRole('combobox', { name: 'Currency' })
  expect(screen.getByRole('option', { name: 'BGN – Bulgarian Lev' })).toBeInTheDocument()
  await user.selectOptions(currency, 'KWD – Kuwaiti Dinar')
  await user.tab()
  await waitFor(() => expect(stored.currency).toBe('KWD'))
  await user.click(screen.getByRole('button', { name: 'Edit Time zone' }))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Time zone' }), 'America/New York')
  await user.tab()
  await waitFor(() => expect(stored.timezone).toBe('America/New_York'))
})
