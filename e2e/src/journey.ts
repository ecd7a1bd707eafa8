import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import type { Product } from './product.ts'
import { watch, type Watch } from './watch.ts'
import { screenshot } from './screenshots.ts'

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

/** The product of this worker. */
export function productHere(): Product {
  const product = inject('products')[Number(process.env['VITEST_POOL_ID'] ?? 1) - 1]
  if (!product) throw new Error('this worker has no product')
  return product
}

export const launchOptions = {
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  // Chromium's own sandbox does not work for root and in most containers; the only site visited is ours.
  args: ['--no-sandbox', '--disable-dev-shm-usage'],
}

/** Of a person at a desktop in London who has asked for little motion. */
export const contextOptions = () => ({
  baseURL: productHere().url,
  viewport: desktop,
  locale: 'en-GB',
  timezoneId: 'Europe/London',
  reducedMotion: 'reduce' as const,
})

type Journey = { browser: Browser; context: BrowserContext; page: Page; trouble: Watch }

/**
 * A person's errand in a real browser, each in a session of its own. Whatever goes wrong behind the scenes fails it too: an error on the
 * console, a breach of the content security policy, an answer 5xx; `trouble.expect(/…/)` names what an errand provokes on purpose.
 */
export const journey = test.extend<Journey>({
  browser: [
    // eslint-disable-next-line no-empty-pattern -- Vitest wants a pattern even where a fixture needs no other
    async ({}, use) => {
      const browser = await chromium.launch(launchOptions)
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  context: async ({ browser }, use) => {
    const context = await browser.newContext(contextOptions())
    context.setDefaultTimeout(20_000)
    await use(context)
    await context.close()
  },
  trouble: [
    async ({ context }, use) => {
      const trouble = await watch(context)
      await use(trouble)
      expect(trouble.unexpected()).toEqual([])
    },
    { auto: true },
  ],
  page: async ({ context, task }, use) => {
    const page = await context.newPage()
    await use(page)
    if (task.result?.errors?.length) await screenshot(page, `failed ${task.name}`)
  },
})
