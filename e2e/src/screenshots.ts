import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'

const folder = path.resolve(import.meta.dirname, '../screenshots')

/** Keeps a picture of the page in e2e/screenshots, which git ignores, under a name made of the title. */
export async function screenshot(page: Page, title: string) {
  await mkdir(folder, { recursive: true })
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
  await page.screenshot({ path: path.join(folder, `${name}.png`) })
}
