import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

journey('a secretary creates __a_record_words__, finds it again and changes its status', async ({ page }) => {
  const name = `Garden ${Date.now().toString(36)}`
  await signIn(page, 'secretary', '/__list_url__')
  await page.getByRole('button', { name: 'New __record_words__' }).click()
  const dialog = page.getByRole('dialog', { name: 'New __record_words__' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create __record_words__' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()

  await page.getByRole('button', { name: 'Edit Status' }).click()
  await page.getByRole('combobox', { name: 'Status' }).selectOption('Active')
  await page.keyboard.press('Enter')
  await page.getByRole('img', { name: 'Saved' }).waitFor()
  await expectAccessible(page)

  await page.getByRole('link', { name: 'History', exact: true }).click()
  await page.getByText('__Record_words__ changed').waitFor()
  await page.goto('/__list_url__')
  await page.getByRole('searchbox', { name: 'Search __records_words__' }).fill(name.toLowerCase())
  await page.getByRole('table').getByRole('link', { name }).waitFor()
})
