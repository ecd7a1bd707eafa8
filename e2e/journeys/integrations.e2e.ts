import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { startSheet } from '../src/outside-sheet.ts'

journey(
  'a sheet is connected, mapped, tried and run; a changed row comes with the next run, and the metric counts it',
  async ({ page }) => {
    const stamp = Date.now().toString(36)
    const name = `Volunteers ${stamp}`
    const heads = ['Id', 'First name', 'Last name', 'E-mail', 'Town']
    const rows = ['Ada', 'Bea', 'Cleo'].map((given, nth) => [
      `${stamp}-${nth}`,
      given,
      `Sheet ${stamp}`,
      `${given}.${stamp}@example.org`,
      'Leeds',
    ])
    const sheet = await startSheet([heads, ...rows])
    try {
      await signIn(page, 'owner', '/integrations')
      await page.getByRole('heading', { level: 1, name: 'Integrations' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('searchbox', { name: 'Search integrations' }).fill('sheet')
      await page.getByRole('button', { name: 'Connect Sheet by address' }).click()
      const dialog = page.getByRole('dialog', { name: 'Connect Sheet by address' })
      await dialog.getByRole('heading', { name: 'Goes out' }).waitFor()
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Agree and continue' }).click()
      await dialog.getByRole('textbox', { name: 'Name' }).fill(name)
      await dialog.getByLabel('Address of the CSV file').fill(sheet.address)
      await dialog.getByLabel('Id column').fill('Id')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Test and connect' }).click()
      await dialog.getByText('It works.').waitFor()
      await expectAccessible(page)
      await dialog.getByRole('link', { name: 'Map fields' }).click()

      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByRole('button', { name: 'Match by name' }).click()
      await page.getByRole('combobox', { name: 'Field here, row 4' }).waitFor()
      await page.getByRole('button', { name: 'Preview with real records' }).click()
      await page.getByRole('table', { name: 'Ada' }).waitFor()
      await page.getByRole('button', { name: 'Save mapping' }).click()
      await page.getByText('All changes saved').waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Start dry run' }).click()
      await page.getByText('Nothing was written: 3 to create.').waitFor({ timeout: 60_000 })
      await page.getByRole('list', { name: 'What would change' }).getByText(`Bea Sheet ${stamp}`, { exact: true }).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Run now and write 3 records' }).click()
      await page.getByText('3 created.').waitFor({ timeout: 60_000 })

      sheet.change([heads, ...rows.map((row, nth) => (nth === 1 ? [...row.slice(0, 4), 'York'] : row))])
      await page.getByRole('button', { name: 'Run now', exact: true }).click()
      await page.getByText('1 updated.').waitFor({ timeout: 60_000 })
      await expectAccessible(page)

      // The person says where the value came from.
      await page
        .getByRole('list', { name: 'What changed' })
        .getByRole('link', { name: `Bea Sheet ${stamp}` })
        .click()
      const synced = page.getByRole('list', { name: 'Synced values' })
      await synced.getByText('York').waitFor()
      await expectAccessible(page)
      await synced.getByRole('link', { name, exact: true }).first().click()

      await page.getByRole('heading', { level: 1, name }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Metrics', exact: true }).click()
      await page.getByRole('link', { name: 'Records written' }).click()
      await page.getByRole('heading', { level: 1, name: `${name}: records written, last 30 days` }).waitFor()
      await page.getByRole('figure').first().waitFor()
      await page.getByRole('main').getByText('4', { exact: true }).first().waitFor()
      await expectAccessible(page)
    } finally {
      await sheet.stop()
    }
  },
)
