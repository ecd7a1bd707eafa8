import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { quiet } from '../src/session.ts'

for (const path of ['/privacy', '/tos', '/contact']) {
  journey(`${path} is open to everyone and accessible`, async ({ page }) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    await expectAccessible(page)
  })
}

journey('a visitor finds a chapter on the contact page, for as long as the organisation shows its chapters', async ({ page, browser }) => {
  await signIn(page, 'owner', '/account-management/organisation')
  await page.getByText('Shown to everybody').waitFor()
  const visitor = await (await browser.newContext({ baseURL: new URL(page.url()).origin, reducedMotion: 'reduce' })).newPage()
  await visitor.goto('/contact')
  const search = visitor.getByRole('searchbox', { name: 'Name, town or region' })
  await search.fill('nordic copenh')
  await visitor.getByText('1 chapter', { exact: true }).waitFor()
  await visitor.getByRole('listitem').getByText('Copenhagen', { exact: true }).waitFor()
  expect(await visitor.getByRole('link', { name: 'copenhagen@example.org' }).getAttribute('href')).toBe('mailto:copenhagen@example.org')
  await expectAccessible(visitor)

  const show = async (choice: string) => {
    await page.getByRole('button', { name: 'Edit Chapters on the contact page' }).click()
    await page.getByRole('combobox', { name: 'Chapters on the contact page' }).selectOption(choice)
    await page.keyboard.press('Enter')
    await page.getByLabel('Saved').waitFor()
  }
  await show('Not shown')
  await visitor.goto('/contact')
  await visitor.getByRole('link', { name: 'office@example.org' }).waitFor()
  await quiet(visitor)
  expect(await search.count()).toBe(0)
  await show('Shown to everybody')
  await visitor.reload()
  await search.waitFor()
  await visitor.context().close()
})

journey('a member hides a card of home, finds it hidden elsewhere too, and brings it back without a mouse', async ({ page }) => {
  await signIn(page, 'member')
  const menu = page.getByRole('button', { name: 'Card: My groups' })
  const back = page.getByRole('button', { name: 'Show My groups' })
  await menu.focus()
  await page.keyboard.press('Enter')
  const hide = page.getByRole('menuitem', { name: 'Hide this card' })
  await hide.waitFor()
  // A key that comes before the menu has the focus is lost.
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown')
      return hide.evaluate((item) => item === document.activeElement)
    })
    .toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('“My groups” hidden').waitFor()
  expect(await menu.count()).toBe(0)
  await page.reload()
  await back.waitFor()
  await expectAccessible(page)
  await back.focus()
  await page.keyboard.press('Enter')
  await menu.waitFor()
  expect(await back.count()).toBe(0)
})

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

journey('a member takes all that is kept about them along in one file', async ({ page }) => {
  await signIn(page, 'member', '/profile?section=security')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('my-data.json')
  const kept = JSON.parse(await readFile(await download.path(), 'utf8')) as {
    person: { emails: { address: string }[]; memberships: unknown[] }
  }
  expect(kept.person.emails.map(({ address }) => address)).toContain('member@demo.example')
  expect(kept.person.memberships.length).toBeGreaterThan(0)
})
