import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

for (const path of ['/privacy', '/tos', '/contact']) {
  journey(`${path} is open to everyone and accessible`, async ({ page }) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    await expectAccessible(page)
  })
}

journey('an unknown address says so to everyone and leads home', async ({ page }) => {
  await page.goto('/no/such/page')
  await page.getByRole('heading', { name: /can.t find this page/i }).waitFor()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Go home' }).click()
  await page.getByLabel('Password').waitFor()
})

journey('an area that comes later says so plainly', async ({ page }) => {
  await signIn(page, 'member', '/fundraising')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expectAccessible(page)
})
