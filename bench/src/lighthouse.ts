import lighthouse, { desktopConfig } from 'lighthouse'
import { launch } from 'puppeteer-core'
import type { Page } from 'puppeteer-core'

export type Audit = {
  page: string
  form: 'phone' | 'desktop'
  performance: number
  accessibility: number
  bestPractices: number
  lcp: number
  blocking: number
  shift: number
  wanted: number
}

const pages = ['/privacy', '/', '/members']
const categories = ['performance', 'accessibility', 'best-practices']

/** Lighthouse on a public page, home and the list of people, signed in; of several runs the median by performance. */
export async function audit(browserPath: string, url: string, runs: number, log: (line: string) => void): Promise<Audit[]> {
  const browser = await launch({
    executablePath: browserPath,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  try {
    const page = await browser.newPage()
    await signIn(page, url)
    const audits: Audit[] = []
    for (const path of pages) {
      for (const form of ['phone', 'desktop'] as const) {
        log(`Lighthouse: ${path}, ${form}`)
        const results: Audit[] = []
        for (let run = 0; run < runs; run += 1) results.push(await once(page, url, path, form))
        const median = results.toSorted((a, b) => a.performance - b.performance)[Math.floor(runs / 2)]
        if (median) audits.push(median)
      }
    }
    return audits
  } finally {
    await browser.close()
  }
}

async function once(page: Page, url: string, path: string, form: 'phone' | 'desktop'): Promise<Audit> {
  const result = await lighthouse(
    new URL(path, url).href,
    // The session is in the page's storage, which Lighthouse would empty.
    { onlyCategories: categories, disableStorageReset: true, logLevel: 'silent' },
    form === 'desktop' ? desktopConfig : undefined,
    page,
  )
  if (!result) throw new Error(`Lighthouse gave no answer for ${path}.`)
  const { categories: scores, audits } = result.lhr
  const score = (name: string) => (scores[name]?.score ?? 0) * 100
  const value = (name: string) => audits[name]?.numericValue ?? 0
  return {
    page: path,
    form,
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    lcp: value('largest-contentful-paint'),
    blocking: value('total-blocking-time'),
    shift: value('cumulative-layout-shift'),
    wanted: form === 'phone' ? 90 : 98,
  }
}

async function signIn(page: Page, url: string) {
  await page.goto(new URL('/', url).href)
  await page.locator('input[type=email], input[name=email]').fill('secretary@demo.example')
  await page.locator('input[type=password]').fill('guildhall')
  await page.focus('input[type=password]')
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav[aria-label=Main]', { timeout: 30_000 })
}
