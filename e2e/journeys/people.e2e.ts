import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { quiet } from '../src/session.ts'

/** A family name nobody else has, so that a journey can run against a product that is in use. */
const unique = (name: string) => `${name}${Date.now().toString(36)}`

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search members' })
const found = (page: Page, name: string) => page.getByRole('table', { name: 'Members' }).getByRole('link', { name })

/** C and M open the form from anywhere, also from beside an open panel. */
async function enter(page: Page, given: string, family: string, email?: string) {
  await page.getByRole('button', { name: 'New member' }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'New member' })
  // Keys pressed in the very moment the page appears may come before it listens; a person presses them again.
  await expect
    .poll(
      async () => {
        if (!(await dialog.isVisible())) {
          await page.keyboard.press('c')
          await page.keyboard.press('m')
        }
        return dialog.isVisible()
      },
      { timeout: 15_000, interval: 1500 },
    )
    .toBe(true)
  await dialog.getByLabel('Given name').fill(given)
  await dialog.getByLabel('Family name').fill(family)
  if (email) await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Create member' }).click()
  await page.getByText(`${given} ${family} entered`).waitFor()
}

journey('a secretary enters a person, finds them without the accents, corrects a fact and takes it back', async ({ page }) => {
  const family = unique('Ångström')
  await signIn(page, 'secretary', '/members')
  await enter(page, 'Zoë', family, `zoe.${Date.now()}@example.org`)
  await page.getByRole('complementary', { name: `Zoë ${family}` }).waitFor()

  await search(page).fill(`zoe ${family.replace('Å', 'a').replace('ö', 'o').toLowerCase()}`)
  await found(page, `Zoë ${family}`).click()
  await page.getByRole('heading', { level: 1, name: `Zoë ${family}` }).waitFor()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Edit Job title' }).click()
  await page.getByRole('textbox', { name: 'Job title' }).fill('Surveyor')
  await page.keyboard.press('Enter')
  await page.getByText(`Job title of Zoë ${family} changed`).waitFor()
  await page.reload()
  await page.getByText('Surveyor', { exact: true }).first().waitFor()

  await page.getByRole('button', { name: 'Edit Employer' }).click()
  await page.getByRole('textbox', { name: 'Employer' }).fill('Wrong Ltd')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await page.reload()
  await page.getByText('Surveyor', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Edit Employer' }).click()
  expect(await page.getByRole('textbox', { name: 'Employer' }).inputValue()).toBe('')
  await page.keyboard.press('Escape')

  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByText('Person entered').waitFor()
})

journey('a secretary tags several people at once, keeps them as a view and exports them', async ({ page }) => {
  const family = unique('Journey')
  await signIn(page, 'secretary', '/members')
  for (const given of ['Anna', 'Bela']) await enter(page, given, family, `${given.toLowerCase()}.${family.toLowerCase()}@example.org`)
  await page.keyboard.press('Escape')
  await search(page).fill(family)
  await found(page, `Anna ${family}`).waitFor()
  await page.getByText('2 people', { exact: true }).waitFor()

  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check()
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Tag 2 people' })
  await dialog.getByLabel('Tag').fill(family)
  await page.getByRole('option', { name: `Create the tag “${family}” for officers only` }).click()
  await dialog.getByRole('button', { name: 'Tag 2 people' }).click()
  await page.getByText(`2 people tagged “${family}”`).waitFor()
  const tagged = () => page.getByRole('table').getByText(family, { exact: true }).count()
  await expect.poll(tagged).toBe(2)
  await page.getByRole('status').filter({ hasText: 'tagged' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone').waitFor()
  await expect.poll(tagged).toBe(0)

  await page.getByRole('button', { name: 'Save as view' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(`View ${family}`)
  await page.getByRole('dialog').getByRole('button', { name: 'Save view' }).click()
  await page
    .getByRole('button', { name: `View ${family}` })
    .and(page.locator('[aria-current="true"]'))
    .waitFor()
  await page.reload()
  await found(page, `Bela ${family}`).waitFor()

  await page.getByRole('button', { name: 'Export' }).click()
  const downloading = page.waitForEvent('download', { timeout: 60_000 })
  await page.getByRole('button', { name: 'Export 2 rows' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const csv = await readFile(await file.path(), 'utf8')
  expect(csv).toContain(`Anna ${family}`)
  expect(csv).toContain(`bela.${family.toLowerCase()}@example.org`)
  expect(csv.trim().split(/\r?\n/)).toHaveLength(3)
})

journey('two people who work on the same fact see each other’s change', async ({ browser, page }) => {
  const family = unique('Conflict')
  await signIn(page, 'secretary', '/members')
  await enter(page, 'Cora', family)
  await search(page).fill(family)
  await found(page, `Cora ${family}`).click()
  await page.getByRole('heading', { level: 1, name: `Cora ${family}` }).waitFor()

  const other = await (await browser.newContext({ baseURL: new URL(page.url()).origin, reducedMotion: 'reduce' })).newPage()
  await signIn(other, 'owner', new URL(page.url()).pathname)
  await other.getByRole('button', { name: 'Edit Job title' }).click()
  await other.getByRole('textbox', { name: 'Job title' }).fill('Director')
  await other.keyboard.press('Enter')
  await other.getByText('Job title of').waitFor()
  await other.context().close()

  await page.getByRole('button', { name: 'Edit Job title' }).click()
  await page.getByRole('textbox', { name: 'Job title' }).fill('Engineer')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Job title was changed by someone else' })
  await dialog.getByText('Director').waitFor()
  await dialog.getByRole('button', { name: 'Keep mine' }).click()
  await page.getByText('Job title of').waitFor()
})

journey('a member looks people up, and nobody’s contact data is on the page or in an answer', async ({ page }) => {
  const answers: Promise<string>[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/data/people')) answers.push(response.text().catch(() => ''))
  })
  await signIn(page, 'member', '/members')
  const first = page.getByRole('table', { name: 'Members' }).getByRole('row').nth(1).getByRole('link').first()
  await first.waitFor()
  expect(await page.getByRole('button', { name: 'New member' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('checkbox', { name: 'Tags' }).waitFor()
  expect(await page.getByRole('checkbox', { name: 'E-mail' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect((await Promise.all(answers)).join('\n')).not.toMatch(/@example\.(org|com)/)
})

journey('a member fills in what the profile lacks, and sees as others do whom that is shown to', async ({ page }) => {
  const address = `${unique('member')}@example.org`
  await signIn(page, 'member', '/profile')
  await page.getByText(/Your profile is \d+% complete/).waitFor()
  await page.getByRole('button', { name: 'Add your city' }).click()
  await page.getByRole('textbox', { name: 'City' }).fill('Lisbon')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add your street' }).waitFor()

  const preview = page.locator('section', { has: page.getByRole('heading', { name: 'View as' }) })
  const seen = (text: string) => preview.getByRole('list', { name: 'They see' }).getByText(text)
  await preview.getByText('Hidden from them').waitFor()
  await page.getByRole('button', { name: 'Add: E-mail address' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill(address)
  await dialog.getByText('Seen by officers of your chapter').waitFor()
  await dialog.getByLabel('Who sees it').selectOption('Members')
  await dialog.getByText(/^Seen by members of other chapters/).waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await seen(address).waitFor()
  expect(await seen('Lisbon').count()).toBe(0)
  await preview.getByText('An officer of my chapter').click()
  await seen('Lisbon').waitFor()
  await expectAccessible(page)
})

journey('the members list can be walked and opened without a mouse', async ({ page }) => {
  await signIn(page, 'secretary', '/members')
  const rows = page.getByRole('table', { name: 'Members' }).getByRole('row')
  await rows.nth(1).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await page.getByText('1 selected').waitFor()
  await page.keyboard.press('Space')
  await page.getByRole('complementary').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('type'))).toBe('search')
})

for (const path of ['/members', '/members?new=1', '/members?layout=cards', '/members?q=nobody-is-called-so']) {
  journey(`${path} breaks no rule of accessibility`, async ({ page }) => {
    await signIn(page, 'secretary', path)
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
    await quiet(page)
    await expectAccessible(page)
  })
}
