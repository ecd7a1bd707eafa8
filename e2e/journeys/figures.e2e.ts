import type { Page } from 'playwright-core'
import { expect, vi } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import type { DemoPerson } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

const digits = (text: string) => Number(text.replace(/\D/g, ''))

/** The figure, the list behind it, and how it says how many there are. */
type Figure = { label: string; counted: (card: string) => number }

const value = (label: string): Figure => ({ label, counted: (card) => digits(/^[\d,]+$/m.exec(card)?.[0] ?? '') })
const onHome: Figure[] = [value('Members'), value('New this month'), value('Alumni')]
const onChapter: Figure[] = [value('Members'), value('Alumni')]

/** "2,276 people", or "143 people; 4 more are not visible to you". */
async function listed(page: Page): Promise<number> {
  const said = page
    .getByRole('main')
    .getByText(/^[\d,]+ (person|people)\b/)
    .first()
  await said.waitFor()
  return ((await said.textContent()) ?? '').split(';').reduce((sum, part) => sum + digits(part), 0)
}

async function compare(page: Page, start: string, figures: Figure[]) {
  for (const { label, counted } of figures) {
    // Another journey may bring in people between the figure and its list: then both are read again.
    await vi.waitFor(async () => {
      await page.goto(start)
      const figure = page
        .getByRole('main')
        .getByRole('link')
        .filter({ hasText: new RegExp(`^${label}.*\\d`) })
        .first()
      await figure.waitFor()
      const figured = counted(await figure.innerText())
      await figure.click()
      await page.waitForURL((url) => url.pathname !== new URL(start, page.url()).pathname)
      await expect.poll(() => listed(page), { message: `${label} of ${start} is ${figured}`, timeout: 5_000 }).toBe(figured)
    }, 30_000)
  }
}

journey.for<DemoPerson>(['secretary', 'chapter'])('a figure is the length of the list behind it: %s', async (person, { page }) => {
  await signIn(page, person, '/')
  const main = page.getByRole('main')
  await main.getByText('Members', { exact: true }).first().waitFor()
  // Where another journey imported a second tree, no one roster is behind the members of the whole organisation.
  const leads = await main
    .getByRole('link')
    .filter({ hasText: /^Members.*\d/ })
    .count()
  const figures = leads > 0 ? onHome : onHome.filter(({ label }) => label === 'New this month')
  await compare(page, '/', person === 'secretary' ? figures : onHome)
  await page.goto('/chapters')
  await page.waitForURL(/\/chapter\//)
  const top = new URL(page.url()).pathname.replace('/subchapters', '')
  await compare(page, top, onChapter)
})
