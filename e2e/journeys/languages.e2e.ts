import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

const addresses = [
  '/',
  '/members',
  '/members?layout=cards',
  '/groups',
  '/profile',
  '/menu',
  '/account-management/roles',
  '/privacy',
  '/contact',
]
const widths = [320, 820, 1440]

/** Arabic runs from right to left; the pseudo-locale has texts four tenths longer than English. Neither is offered, both must fit. */
for (const locale of ['ar', 'pseudo'] as const) {
  journey(`pages fit every width in ${locale === 'ar' ? 'a language from right to left' : 'a wordy language'}`, async ({ page }) => {
    await page.addInitScript(`localStorage.setItem('guildhall.preferences', '${JSON.stringify({ locale })}')`)
    await signIn(page, 'owner')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const tooWide: string[] = []
    for (const address of addresses) {
      await page.goto(address)
      await page.getByRole('heading', { level: 1 }).waitFor()
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 })
        const over = await overflow(page)
        if (over > 0) tooWide.push(`${address} at ${width}: ${over} px`)
      }
    }
    expect(tooWide).toEqual([])
    if (locale === 'ar') {
      await page.setViewportSize({ width: 1440, height: 800 })
      await page.goto('/members')
      // The navigation stands where reading begins.
      const side = page.getByRole('navigation').filter({ has: page.locator('a[href="/groups"]'), visible: true })
      expect((await side.first().boundingBox())?.x).toBeGreaterThan(1440 / 2)
      expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl')
    }
  })
}

const overflow = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
