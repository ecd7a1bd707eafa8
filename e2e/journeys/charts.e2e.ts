import { readFile } from 'node:fs/promises'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

journey('a chart is read by keyboard, leads to its list, and leaves as picture and table', async ({ page }) => {
  await signIn(page, 'secretary', '/')
  const chart = page.getByRole('figure').filter({ hasText: 'joined and' })
  const drawing = chart.getByRole('application', { name: /joined and .* in twelve months/ })
  await drawing.waitFor()
  // The period before is behind, each line ends in its name.
  for (const name of ['Joined', 'Left', 'Joined, year before']) await drawing.getByText(name, { exact: true }).waitFor()

  for (const [item, ending, start] of [
    ['Download PNG', 'png', '\u{fffd}PNG'],
    ['Download SVG', 'svg', '<svg'],
    ['Download CSV', 'csv', '\ufeffMonth,Joined,Left'],
  ] as const) {
    await chart.getByRole('button', { name: /^Download or copy/ }).click()
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: item }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toMatch(new RegExp(`^\\d[\\d-]*-joined-and-.*\\.${ending}$`))
    const text = await readFile(await file.path(), 'utf8')
    expect(text.startsWith(start), `${item} begins ${JSON.stringify(text.slice(0, 20))}`).toBe(true)
    // A picture of its own knows nothing of the style sheets of the page.
    if (ending === 'svg') expect(text).not.toContain('var(')
  }

  await drawing.focus()
  await page.keyboard.press('ArrowRight')
  const told = chart.getByText(/^[A-Z][a-z]+ 20\d\d$/)
  await told.waitFor()
  const month = (await told.textContent()) ?? ''
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/members\?filter=/)
  const filter = new URL(page.url()).searchParams.get('filter') ?? ''
  const days = /"(\d{4}-\d{2})-01"/.exec(filter)
  expect(new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric' }).format(new Date(`${days?.[1]}-15`))).toBe(month)
})

journey('a chapter shows its kinds and its sub-chapters, largest first', async ({ page }) => {
  await signIn(page, 'secretary', '/chapters')
  await page.waitForURL(/\/chapter\//)
  await page.goto(new URL(page.url()).pathname.replace('/subchapters', ''))
  const bars = page.locator('[data-chart=bars]')
  await bars.getByRole('application').waitFor()
  const names = await bars.locator('.recharts-bar-rectangle').count()
  expect(names).toBeGreaterThan(1)
  const shares = page.locator('[data-chart=share]')
  await shares.getByRole('img').waitFor()

  // On black and white paper the parts and their legend have the same patterns.
  const fills = () =>
    shares.locator('.recharts-bar-rectangle path').evaluateAll((parts) => parts.map((part) => part.getAttribute('fill') ?? ''))
  const swatches = () =>
    shares
      .locator('[data-part]')
      .evaluateAll((parts) => parts.map((part) => `${getComputedStyle(part).backgroundColor} ${getComputedStyle(part).backgroundImage}`))
  expect((await fills()).every((fill) => fill.startsWith('var('))).toBe(true)
  await page.emulateMedia({ media: 'print' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const drawn = await fills()
  expect(drawn.map((fill) => /^url\(#print-pattern-\d\)$/.test(fill))).toEqual(drawn.map(() => true))
  expect(new Set(drawn).size).toBe(drawn.length)
  expect(await page.locator(drawn.map((fill) => `pattern${fill.slice(4, -1)}`).join(',')).count()).toBe(drawn.length)
  expect(new Set(await swatches()).size).toBe((await swatches()).length)
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
  await page.emulateMedia({ media: 'screen' })
  await shares.getByRole('button', { name: /^Alumni/ }).click()
  await page.waitForURL(/\/members\?kind=alumni/)
})

journey('read from right to left, bars grow from the right and time runs as ever', async ({ page }) => {
  await page.addInitScript(`localStorage.setItem('guildhall.preferences', '${JSON.stringify({ locale: 'ar' })}')`)
  await signIn(page, 'secretary', '/chapters')
  await page.waitForURL(/\/chapter\//)
  await page.goto(new URL(page.url()).pathname.replace('/subchapters', ''))
  const bars = page.locator('[data-chart=bars]')
  await bars.getByRole('application').waitFor()
  const place = async (part: Locator) => {
    const found = await part.first().boundingBox()
    if (!found) throw new Error('it is not drawn')
    return { start: found.x, end: found.x + found.width }
  }
  const bar = await place(bars.locator('.recharts-bar-rectangle path'))
  expect((await place(bars.locator('.recharts-label-list text'))).end).toBeLessThanOrEqual(bar.start)
  expect(bar.end).toBeLessThanOrEqual((await place(bars.locator('svg').getByText(/Region$/))).start)
  // The names at the ends of lines have the side without a scale.
  const lines = page.locator('[data-chart=line]')
  const zero = await place(lines.locator('svg').getByText('0', { exact: true }))
  expect(zero.end).toBeLessThan((await place(lines.locator('.recharts-label-list text'))).start)
})
