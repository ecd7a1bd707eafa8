import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { phone } from './journey.ts'

/** Breaks no rule, and nothing sticks out of a phone. */
export async function expectGood(page: Page) {
  await expectAccessible(page)
  const before = page.viewportSize()
  await page.setViewportSize(phone)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), page.url()).toBeLessThanOrEqual(0)
  if (before) await page.setViewportSize(before)
}
