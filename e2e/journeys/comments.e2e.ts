import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'

journey('a leader writes what the group is about, and a member reads it and answers in the discussion', async ({ page }) => {
  await signIn(page, 'secretary', '/groups?q=Early+Career+Network')
  await page.getByRole('link', { name: 'Early Career Network' }).first().click()
  await page.getByRole('button', { name: 'Edit About' }).click()
  const about = page.getByRole('textbox', { name: 'About' })
  await about.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('Meets in ')
  await page.getByRole('button', { name: 'Bold', exact: true }).click()
  await page.keyboard.type('January')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('strong').filter({ hasText: 'January' }).waitFor()

  await page.getByRole('link', { name: 'Discussion' }).click()
  await page.getByText('Welcome, everybody.').waitFor()
  await page.getByRole('button', { name: 'Write a comment' }).click()
  const comment = page.getByRole('textbox', { name: 'Comment' })
  await comment.click()
  await page.keyboard.type('Who brings the chairs? @Olivia')
  await page.getByRole('option', { name: /Olivia Brandt/ }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('perhaps')
  await page.keyboard.press('ControlOrMeta+Enter')
  const said = page.getByRole('article').filter({ hasText: 'Who brings the chairs?' })
  await said.getByRole('link', { name: '@Olivia Brandt' }).waitFor()
  await expectAccessible(page)
  await said.getByRole('button', { name: 'Delete comment' }).click()
  await said.waitFor({ state: 'detached' })
})
