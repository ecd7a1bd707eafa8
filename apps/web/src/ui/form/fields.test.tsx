import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderWithApi } from '../../testing/render-with-api.tsx'
import { OrganisationZone } from '../display/zone-times.tsx'
import { RelativeTime } from '../display/relative-time.tsx'
import { useMoney } from '../display/money.tsx'
import { AmountField } from './amount-field.tsx'
import { MomentField } from './moment-field.tsx'

function Amount({ currency, start }: { currency: string; start: number | null }) {
  const [value, setValue] = useState<number | null | undefined>(start)
  return (
    <>
      <AmountField label="Price" currency={currency} value={value} onChange={setValue} />
      <output>{JSON.stringify({ value })}</output>
    </>
  )
}
const result = () => screen.getAllByRole('status').find((element) => element.tagName === 'OUTPUT')?.textContent

test('an amount is typed as people write numbers and kept in minor units', async () => {
  const user = userEvent.setup()
  renderWithApi(<Amount currency="EUR" start={125_000} />)
  const field = screen.getByLabelText('Price')
  expect(field).toHaveValue('1,250.00')
  await user.clear(field)
  expect(result()).toBe('{"value":null}')
  await user.type(field, '€ 1,300.5')
  await user.tab()
  expect(field).toHaveValue('1,300.50')
  expect(result()).toBe('{"value":130050}')
})

test('what is no amount stays to be corrected, and the former one is not sent in its place', async () => {
  const user = userEvent.setup()
  renderWithApi(<Amount currency="JPY" start={500} />)
  const field = screen.getByLabelText('Price')
  await user.clear(field)
  await user.type(field, '12.5')
  await user.tab()
  expect(field).toHaveValue('12.5')
  expect(screen.getByText('JPY has no decimals. Enter a whole amount.')).toBeVisible()
  expect(result()).toBe('{}')
  await user.clear(field)
  await user.type(field, '-3')
  await user.tab()
  expect(screen.getByText('Enter an amount of zero or more.')).toBeVisible()
})

function Moment({ zone }: { zone: string }) {
  const [value, setValue] = useState<string | null | undefined>(null)
  return (
    <>
      <MomentField label="Starts" zone={zone} value={value} onChange={setValue} />
      <output>{JSON.stringify({ value })}</output>
    </>
  )
}

test('a moment is shown as it is understood before it is taken, by the clocks of its zone and of the reader', async () => {
  const user = userEvent.setup()
  renderWithApi(<Moment zone="Asia/Tokyo" />)
  const field = screen.getByLabelText('Starts')
  await user.type(field, '2026-12-03 18:30')
  expect(await screen.findByText(/^December 3, 2026 at 6:30.PM Tokyo, .* your time$/)).toBeVisible()
  expect(result()).toBe('{}')
  await user.tab()
  expect(result()).toBe('{"value":"2026-12-03T09:30:00Z"}')
  await user.clear(field)
  await user.type(field, 'next Friday')
  expect(await screen.findByText('Add a time, such as 7pm or 18:30.')).toBeVisible()
  await user.tab()
  expect(result()).toBe('{}')
})

test('of an hour that comes twice the reader chooses', async () => {
  const user = userEvent.setup()
  renderWithApi(<Moment zone="Europe/Lisbon" />)
  await user.type(screen.getByLabelText('Starts'), '2026-10-25 01:30')
  expect(await screen.findByText(/Clocks in Lisbon go back and show 01:30 twice/)).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Use the second' }))
  expect(result()).toBe('{"value":"2026-10-25T01:30:00Z"}')
  await user.click(screen.getByRole('button', { name: 'Use the first' }))
  expect(result()).toBe('{"value":"2026-10-25T00:30:00Z"}')
})

test('a moment that was typed and left before it was understood is taken all the same', async () => {
  const user = userEvent.setup()
  renderWithApi(<Moment zone="Europe/Lisbon" />)
  await user.click(screen.getByRole('textbox', { name: 'Starts' }))
  await user.paste('3 December 2096 19:00')
  await user.tab()
  await waitFor(() => expect(result()).toBe('{"value":"2096-12-03T19:00:00Z"}'))
})

test('a past moment names the clocks of the organisation where the reader’s show something else', () => {
  renderWithApi(
    <>
      <OrganisationZone value="Asia/Kathmandu">
        <RelativeTime at="2020-06-01T12:00:00Z" />
      </OrganisationZone>
      <OrganisationZone value={Intl.DateTimeFormat().resolvedOptions().timeZone}>
        <RelativeTime at="2020-06-01T12:00:00Z" />
      </OrganisationZone>
    </>,
  )
  const [far, near] = [...document.querySelectorAll('time')].map((element) => element.title)
  expect(far).toMatch(/^June 1, 2020 at 5:45.PM Kathmandu, .* your time$/)
  expect(near).not.toContain('your time')
})

function Amounts() {
  const money = useMoney()
  return <p>{[money(125_050, 'EUR'), money(1_250, 'JPY'), money(-5, 'KWD')].join(' | ')}</p>
}

test('money is shown with the decimals of its currency', () => {
  renderWithApi(<Amounts />)
  expect(screen.getByText(/^€1,250\.50 \| ¥1,250 \| -KWD.0\.005$/)).toBeVisible()
})
