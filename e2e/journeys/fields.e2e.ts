import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

journey('an administrator adds a field, a secretary fills it, filters the list by it and exports it', async ({ browser, page }) => {
  // So that a journey can run against a product that is in use.
  const label = `Locker ${Date.now().toString(36)}`
  const admin = await (
    await browser.newContext({ baseURL: new URL((await page.goto('/'))?.url() ?? '').origin, reducedMotion: 'reduce' })
  ).newPage()
  await signIn(admin, 'owner', '/account-management/fields')
  await admin.getByRole('button', { name: 'New field' }).click()
  const dialog = admin.getByRole('dialog', { name: 'New field' })
  await dialog.getByLabel('Label').fill(label)
  await dialog.getByLabel('Type').selectOption({ label: 'One choice' })
  await dialog.getByLabel('Choice 1', { exact: true }).fill('Upper row')
  await dialog.getByRole('button', { name: 'Add choice' }).click()
  await dialog.getByLabel('Choice 2', { exact: true }).fill('Lower row')
  await dialog.getByRole('button', { name: 'Create field' }).click()
  await admin.getByText(`“${label}” created`).waitFor()
  await expectAccessible(admin)
  await admin.context().close()

  await signIn(page, 'secretary', '/members')
  await page.getByRole('table', { name: 'Members' }).getByRole('link').first().waitFor()
  const name = (await page.getByRole('table', { name: 'Members' }).locator('a[href^="/person/"]').first().textContent()) ?? ''
  await page.getByRole('table', { name: 'Members' }).locator('a[href^="/person/"]').first().click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.getByRole('button', { name: `Edit ${label}` }).click()
  await page.getByRole('combobox', { name: label }).selectOption({ label: 'Lower row' })
  await page.keyboard.press('Enter')
  await page.getByText(`${label} of ${name} changed`).waitFor()

  await page.goto('/members')
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: label }).click()
  await page.getByRole('checkbox', { name: 'Lower row' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 person', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: label }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('columnheader', { name: label }).waitFor()

  await page.getByRole('button', { name: 'Export' }).click()
  const downloading = page.waitForEvent('download', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Export 1 row' }).click()
  const csv = await readFile(await (await downloading).path(), 'utf8')
  expect(csv.split(/\r?\n/)[0]).toContain(label)
  expect(csv).toContain('Lower row')
})
