import { configure, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { renderPath } from '../../testing/render-with-api.tsx'
import { answering, pageOf, reports, saved } from './reports-testing.ts'

configure({ asyncUtilTimeout: 25_000 })

test('the palette finds reports by their titles, and saved ones by name', async () => {
  const user = userEvent.setup()
  renderPath(
    '/reports/membership',
    { data: { reports: { ask: answering(), list: reports.list.handler(({ input: { q } }) => pageOf(q === 'retention' ? [saved] : [])) } } },
    { holding: ['reports.read', 'memberships.read'] },
  )
  await screen.findByRole('figure')
  await user.click(screen.getByRole('button', { name: /Search or go to/ }))
  await user.type(within(await screen.findByRole('dialog')).getByRole('combobox'), 'retention')
  expect(await screen.findByRole('option', { name: /Ages of members.*Saved report/ })).toBeVisible()
  expect(screen.getByRole('option', { name: /^Retention/ })).toBeVisible()
  expect(screen.queryByRole('option', { name: /Donor retention/ })).toBeNull()
})
