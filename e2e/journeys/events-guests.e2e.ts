import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { contextOptions, journey } from '../src/journey.ts'
import { linkInMail } from '../src/mail-links.ts'
import { expectGood } from '../src/public-page.ts'
import { publishEvent } from '../src/publish-event.ts'

async function published(browser: Browser, facts: Parameters<typeof publishEvent>[1]): Promise<string> {
  const office = await browser.newContext(contextOptions())
  try {
    return await publishEvent(await office.newPage(), { visibility: 'public', ...facts })
  } finally {
    await office.close()
  }
}

journey(
  'somebody without an account registers with a guest, changes an answer, fetches the tickets and cancels',
  async ({ browser, page }) => {
    const event = await published(browser, {
      title: 'Lighthouse tour',
      guestsPerPerson: 2,
      questions: [
        { text: 'What do you eat?', required: true, ofGuests: true },
        { text: 'Which halves?', kind: 'choices', options: ['Morning', 'Afternoon'] },
      ],
    })
    await page.goto('/public/events')
    await expectGood(page)
    await page.getByRole('link', { name: 'Lighthouse tour' }).click()
    expect(page.url()).toContain(event)
    await page.getByText('Bring guests').click()
    await page.getByText('Already registered?').click()
    await expectGood(page)
    await page.getByLabel('Name', { exact: true }).fill('Wanda Walker')
    await page.getByLabel('E-mail', { exact: true }).fill('wanda@example.org')
    await page.getByLabel('What do you eat?').first().fill('Everything')
    await page.getByLabel('Morning').check()
    await page.getByLabel('Name of guest 1').fill('Gus Guest')
    await page.getByLabel(/may use my details/).check()
    await page.getByRole('button', { name: 'Register' }).click()
    // Of the guest nothing was said, and what was typed is still there.
    await page.getByRole('alert').getByText('Answer “What do you eat?”.').waitFor()
    await expectGood(page)
    await page.getByRole('group', { name: 'Guest 1' }).getByLabel('What do you eat?').fill('Vegan')
    await page.getByRole('button', { name: 'Register' }).click()
    await page.getByRole('heading', { name: 'Check your e-mail' }).waitFor()
    await expectGood(page)

    await page.goto(await linkInMail(browser, 'wanda@example.org', 'Lighthouse tour', '/public/registrations/'))
    await page.getByText('Your place at Lighthouse tour is confirmed.').waitFor()
    await page.getByRole('img', { name: 'Ticket code of Gus Guest, to be scanned at the entrance' }).waitFor()
    await expectGood(page)
    await page.getByRole('group', { name: 'Gus Guest' }).getByLabel('What do you eat?').fill('Fish')
    await page.getByRole('button', { name: 'Save answers' }).click()
    await page.getByText('Your answers are saved.').waitFor()
    await expect.poll(() => page.getByRole('group', { name: 'Gus Guest' }).getByLabel('What do you eat?').inputValue()).toBe('Fish')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download PDF' }).click()
    expect((await download).suggestedFilename()).toBe('ticket.pdf')
    await page.getByRole('button', { name: 'Cancel registration' }).click()
    await page.getByText('Your registration for Lighthouse tour is cancelled.').waitFor()
    await expectGood(page)
  },
)

journey('a ticket with a price is paid by the link in the mail, without an account', async ({ browser, page }) => {
  const event = await published(browser, {
    title: 'Lighthouse dinner',
    ticketTypes: [{ name: 'Seat', price: { amount: 2000, currency: 'EUR' } }],
    promoCodes: [{ code: 'EARLY', percent: 25 }],
  })
  await page.goto(`/public/events/${event}`)
  await page.getByLabel('Name', { exact: true }).fill('Pia Payer')
  await page.getByLabel('E-mail', { exact: true }).fill('pia@example.org')
  await page.getByLabel(/^Promo code/).fill('NONSENSE')
  await page.getByLabel(/may use my details/).check()
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByRole('alert').getByText('This code is not valid for this ticket.').waitFor()
  await expectGood(page)
  await page.getByLabel(/^Promo code/).fill('early')
  await page.getByRole('button', { name: 'Register' }).click()
  await page.getByText('Pay within 30 minutes').waitFor()
  const link = await linkInMail(browser, 'pia@example.org', 'Lighthouse dinner', '/public/registrations/')
  await page.goto(link)
  await page.getByText('Pay €15.00 by then to confirm it.').waitFor()
  await expectGood(page)
  await page.getByRole('button', { name: 'Pay €15.00 by card' }).click()
  await expectGood(page)
  await page.getByRole('link', { name: 'Continue to payment' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect
    .poll(
      async () => {
        await page.goto(link)
        return page.getByText('Your place at Lighthouse dinner is confirmed.').count()
      },
      { timeout: 60_000 },
    )
    .toBe(1)
  await expectGood(page)
})
