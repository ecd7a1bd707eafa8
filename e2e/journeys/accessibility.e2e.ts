import type { Page } from 'playwright-core'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

/** Waits until a page shows its content and nothing more is on its way. */
async function loaded(page: Page) {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

for (const path of ['/groups', '/profile', '/menu', '/account-management']) {
  journey(`${path} breaks no rule of accessibility`, async ({ page }) => {
    await signIn(page, 'owner', path)
    await loaded(page)
    await expectAccessible(page)
  })
}
