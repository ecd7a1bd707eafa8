import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey } from '../src/journey.ts'
import { publishEvent } from '../src/publish-event.ts'

/** Moves on with Tab until the focus is on what is looked for, as somebody without a mouse does. */
async function tabTo(page: Page, name: RegExp, most = 120) {
  for (let nth = 0; nth < most; nth += 1) {
    await page.keyboard.press('Tab')
    const said = await page.evaluate(() => {
      const there = document.activeElement
      const label = there instanceof HTMLInputElement ? there.labels?.[0]?.textContent : undefined
      return (there?.getAttribute('aria-label') ?? label ?? there?.textContent ?? '').trim()
    })
    if (name.test(said)) return
  }
  throw new Error(`the focus never came to ${name.source}`)
}

journey('an event is created, published and registered for by keyboard alone', async ({ page }) => {
  await signIn(page, 'owner', '/events')
  await page.getByRole('heading', { level: 1, name: 'Events' }).waitFor()
  const title = page.getByRole('textbox', { name: /^Title/ })
  // Keys pressed in the very moment the page appears may come before it listens; a person presses them again.
  await expect
    .poll(
      async () => {
        if (!(await title.isVisible())) {
          await page.keyboard.press('c')
          await page.keyboard.press('e')
        }
        return title.isVisible()
      },
      { timeout: 15_000, interval: 1500 },
    )
    .toBe(true)
  await tabTo(page, /^Title/)
  await page.keyboard.type('Lantern walk')
  await tabTo(page, /^Place$/)
  await page.keyboard.type('Town square')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('dialog').getByText('Lantern walk').waitFor()
  await page
    .locator('button:focus')
    .and(page.getByRole('dialog').getByRole('button', { name: /^Publish/ }))
    .waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Lantern walk' }).waitFor()
  await page.getByRole('button', { name: 'Register', exact: true }).waitFor()
  await tabTo(page, /^Register$/)
  await page.keyboard.press('Enter')
  await page.getByText('You are going').waitFor()
  await expectAccessible(page)
  await tabTo(page, /^Show ticket$/)
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: /^QR code of the ticket/ }).waitFor()
  await expectAccessible(page)
})

journey('a paid ticket is held, paid with a card, and shown', async ({ page, browser }) => {
  const office = await browser.newContext(contextOptions())
  let address: string
  try {
    address = await publishGala(await office.newPage())
  } finally {
    await office.close()
  }
  await signIn(page, 'member', address)
  await page.getByRole('button', { name: 'Register', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Register for Gala dinner' })
  await dialog.getByRole('radio', { name: 'Seat' }).check()
  await dialog.getByRole('textbox', { name: /^Promo code/ }).fill('NONSENSE')
  await dialog.getByText('This code is not valid for this ticket. Check it, or register without a code.').waitFor()
  await dialog.getByRole('textbox', { name: /^Promo code/ }).fill('EARLY')
  await dialog.getByText('€15.00').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Continue to payment' }).click()
  await page.getByRole('timer').waitFor()
  await page.getByRole('button', { name: 'Pay €15.00 by card' }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.getByText('Test payment of €15.00 received').waitFor()
  await page.getByText('You are going').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show ticket' }).click()
  await page.getByRole('img', { name: /^QR code of the ticket/ }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download PDF' }).click()
  expect((await download).suggestedFilename()).toMatch(/^Gala dinner - .*\.pdf$/)
})

async function publishGala(desk: Page): Promise<string> {
  const price = { amount: 2000, currency: 'EUR' }
  const ticketTypes = [
    { name: 'Seat', price },
    { name: 'Table', price },
  ]
  return `/event/${await publishEvent(desk, { title: 'Gala dinner', ticketTypes, promoCodes: [{ code: 'EARLY', percent: 25 }] })}`
}
