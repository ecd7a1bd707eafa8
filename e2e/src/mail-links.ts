import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import { contextOptions, productHere } from './journey.ts'

/** The link in the newest mail to an address whose subject has these words. The inbox has a session of its own: what it does is not ours. */
export async function linkInMail(browser: Browser, address: string, subject: string, path: string): Promise<string> {
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
    await letters.first().getByRole('link').click()
    const link = await page.frameLocator('iframe').locator(`a[href*="${path}"]`).first().getAttribute('href')
    return link ?? ''
  } finally {
    await inbox.close()
  }
}
