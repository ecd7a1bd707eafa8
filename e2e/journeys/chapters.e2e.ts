import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn } from '../src/demo-people.ts'
import { contextOptions, journey, productHere } from '../src/journey.ts'

journey('an officer takes the public page of a chapter down and publishes it again, and a visitor sees each', async ({ page, browser }) => {
  await signIn(page, 'secretary', '/chapters')
  await page.waitForURL(/\/chapter\//)
  await page.goto(new URL(page.url()).pathname.replace('/subchapters', '/settings'))
  const name = await page.getByRole('heading', { level: 1 }).innerText()
  const path = await page.getByRole('link', { name: 'Open public page' }).getAttribute('href')
  const address = new URL(path ?? '', productHere().url).href
  const set = async (choice: 'Published' | 'Not published') => {
    await page.getByRole('button', { name: 'Edit Public page' }).click()
    await page.getByRole('combobox', { name: 'Public page' }).selectOption(choice)
    await page.keyboard.press('Enter')
    await page.getByLabel('Saved').waitFor()
  }
  // Signed out, and with nothing kept from the visit before.
  const visit = async (see: (visitor: typeof page) => Promise<unknown>) => {
    const context = await browser.newContext(contextOptions())
    const visitor = await context.newPage()
    const answer = await visitor.goto(address)
    await see(visitor)
    await context.close()
    return answer?.status()
  }
  const gone = (visitor: typeof page) => visitor.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor()

  await set('Not published')
  expect(await visit(gone)).toBe(404)
  await set('Published')
  const seen = await visit(async (visitor) => {
    await visitor.getByRole('heading', { level: 1, name }).waitFor()
    await visitor.getByRole('link', { name: 'Sign in' }).waitFor()
    await expectAccessible(visitor)
  })
  expect(seen).toBe(200)
})
