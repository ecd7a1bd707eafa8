import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { desktop, phone } from './journey.ts'

const wide = { width: 1440, height: 900 }

const looks = [
  { name: 'light, desktop', colorScheme: 'light', viewport: wide },
  { name: 'dark, desktop', colorScheme: 'dark', viewport: wide },
  { name: 'light, phone', colorScheme: 'light', viewport: phone },
  { name: 'dark, phone', colorScheme: 'dark', viewport: phone },
] as const

/** The page as it is now breaks no rule of axe (WCAG 2.2 A and AA, best practices), light and dark, on a desktop and on a phone. */
export async function expectAccessible(page: Page) {
  expect(await accessibilityProblems(page), page.url()).toEqual([])
}

/** `darkRules` are those asked about in the dark, where they are not all: a scheme changes colours and nothing else. */
export async function accessibilityProblems(page: Page, darkRules?: string[]) {
  const before = page.viewportSize() ?? desktop
  const violations: string[] = []
  for (const { name, colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await settled(page)
    const only = colorScheme === 'dark' && darkRules ? { runOnly: darkRules } : {}
    // No page here has frames of another origin, for which alone the slower mode is.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'], ...only })
    const report = await axe.analyze()
    violations.push(
      ...report.violations.flatMap(({ id, help, nodes }) =>
        nodes.map(
          (node) => `${name}: ${id} (${help}) at ${node.target.join(' ')}\n  ${node.html.slice(0, 200)}\n  ${node.failureSummary ?? ''}`,
        ),
      ),
    )
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(before)
  return violations
}

/** Colours in the middle of a transition would be measured as too faint. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const finite = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(finite.map((animation) => animation.finished.catch(() => undefined)))
  })
