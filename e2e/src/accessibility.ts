import axe from 'axe-core'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { desktop, phone } from './journey.ts'

const wide = { width: 1440, height: 900 }

const looks = [
  { name: 'light, desktop', colorScheme: 'light', viewport: wide },
  { name: 'dark, desktop', colorScheme: 'dark', viewport: wide },
  { name: 'dark, phone', colorScheme: 'dark', viewport: phone },
  { name: 'light, phone', colorScheme: 'light', viewport: phone },
] as const

/** The page as it is now breaks no rule of axe (WCAG 2.2 A and AA, best practices), light and dark, on a desktop and on a phone. */
export async function expectAccessible(page: Page) {
  expect(await accessibilityProblems(page), page.url()).toEqual([])
}

/** `colourRules` are those asked about on a phone in the dark, where they are not all: what differs there was asked about before. */
export async function accessibilityProblems(page: Page, colourRules?: string[]) {
  const before = page.viewportSize() ?? desktop
  const violations: string[] = []
  for (const { name, colorScheme, viewport } of looks) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize(viewport)
    await settled(page)
    const report = await ask(page, colorScheme === 'dark' && viewport === phone && colourRules ? { runOnly: colourRules } : {})
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

/** axe is brought in once for each document: handing it over takes longer than most of its answers. */
async function ask(page: Page, options: RunOptions): Promise<AxeResults> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })})`)
}

/** Colours in the middle of a transition would be measured as too faint. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const finite = document.getAnimations().filter((animation) => animation.effect?.getComputedTiming().iterations !== Infinity)
    await Promise.all(finite.map((animation) => animation.finished.catch(() => undefined)))
  })
