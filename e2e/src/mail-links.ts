import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { contextOptions, productHere } from './journey.ts'

/** Mails to an address whose subject has these words, as soon as there is one. The inbox has a session of its own: what it does is not ours. */
async function inInbox<T>(browser: Browser, { address, subject }: Wanted, look: (page: Page, letters: Locator) => Promise<T>): Promise<T> {
  const inbox = await browser.newContext(contextOptions())
  try {
    const page = await inbox.newPage()
    const letters = page.getByRole('listitem').filter({ hasText: subject })
    // Mails of events are written every minute.
    await expect
      .poll(
        async () => {
          await page.goto(`${productHere().mail}?search=${encodeURIComponent(address)}`)
          return letters.count()
        },
        { timeout: 150_000, interval: 1_000 },
      )
      .toBeGreaterThan(0)
    return await look(page, letters)
  } finally {
    await inbox.close()
  }
}
type Wanted = { address: string; subject: string }

export const mailsTo = (browser: Browser, wanted: Wanted): Promise<number> => inInbox(browser, wanted, (_page, letters) => letters.count())

/** The link in the newest of them. */
export const linkInMail = (browser: Browser, address: string, subject: string, path: string): Promise<string> =>
  inInbox(browser, { address, subject }, async (page, letters) => {
    await letters.first().getByRole('link').click()
    const link = await page.frameLocator('iframe').locator(`a[href*="${path}"]`).first().getAttribute('href')
    return link ?? ''
  })
