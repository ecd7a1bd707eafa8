import type { Browser, Page } from 'playwright-core'
import { expect } from 'vitest'
import { signIn } from '../src/demo-people.ts'
import { desktop, journey } from '../src/journey.ts'
import { endSessionElsewhere, settled, storedUser, withSettings } from '../src/session.ts'

/** Until the page is told of changes. */
const followed = (page: Page) => page.waitForResponse((response) => response.url().endsWith('/data/me/changes') && response.ok())

/** A browser of its own, with nothing in common but the address. */
const otherBrowser = (browser: Browser, page: Page) => browser.newContext({ baseURL: new URL(page.url()).origin, viewport: desktop })

/** A call with the rights of whoever is signed in. */
async function call(page: Page, method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const token = (await storedUser(page))?.access_token ?? ''
  const answer = await page.request.fetch(path, { method, headers: { ...headers, authorization: `Bearer ${token}` } })
  expect(answer.ok(), `${method} ${path} answered ${answer.status()}`).toBe(true)
  return answer.json()
}

type Account = { id: string; email: string; version: number }

journey('A14 S4-6 a sign-out at the provider ends the session in another browser within five seconds', async ({ page, browser }) => {
  // Only the server is told: nothing of the first browser reaches the second one, and the frame that watches the provider is off.
  await withSettings(page, { monitor_session: false })
  await signIn(page, 'member', '/groups?q=board')
  await settled(page)
  const { origin } = new URL(page.url())
  const context = await otherBrowser(browser, page)
  await context.addCookies(await page.context().cookies())
  const other = await context.newPage()
  await withSettings(other, { monitor_session: false })
  const following = followed(other)
  await other.goto('/groups?q=board')
  await settled(other)
  await following
  // What is issued in the second of the sign-out itself cannot be told from what is issued after it.
  await other.waitForTimeout(1500)
  await endSessionElsewhere(page)
  const start = Date.now()
  await other.getByLabel('Password').waitFor({ timeout: 5000 })
  expect(Date.now() - start).toBeLessThan(5000)
  expect(new URL(other.url()).origin).not.toBe(origin)
  await context.close()
})

journey('A14 whoever is locked out loses the page within five seconds, and has it back when let in', async ({ page, browser, trouble }) => {
  trouble.expect(/Failed to update last_login/)
  await signIn(page, 'owner', '/groups')
  await settled(page)
  const context = await otherBrowser(browser, page)
  const other = await context.newPage()
  const following = followed(other)
  await signIn(other, 'events', '/groups')
  await settled(other)
  await following
  const events = async () => {
    const answer: unknown = await call(page, 'GET', '/data/accounts?q=events%40demo.example')
    const { items } = answer as { items: Account[] }
    const found = items.find(({ email }) => email === 'events@demo.example')
    if (!found) throw new Error('there is no such account')
    return found
  }
  const suspended = await events()
  await call(page, 'POST', `/data/accounts/${suspended.id}/suspend`, { 'if-match': `"${suspended.version}"` })
  try {
    await other
      .getByText(/account is suspended/i)
      .first()
      .waitFor({ timeout: 5000 })
    expect(await other.getByRole('button', { name: /^Account of/ }).count()).toBe(0)
  } finally {
    const { id, version } = await events()
    await call(page, 'POST', `/data/accounts/${id}/activate`, { 'if-match': `"${version}"` })
  }
  await other.reload()
  await settled(other)
  await context.close()
})

async function exported(page: Page) {
  await page.getByRole('table').first().waitFor()
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('To see how long it takes')
  const downloading = page.waitForEvent('download', { timeout: 60_000 })
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Export .*rows?$/ })
    .click()
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/)
}

journey('an export is handed over as soon as the server tells that it is done', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (/\/data\/exports\/[0-9a-f-]{36}$/.test(request.url())) asked.push(request.url())
  })
  const following = followed(page)
  await signIn(page, 'secretary', '/members')
  await settled(page)
  await following
  await exported(page)
  // Once, for what came of it; whoever is not told asks every second.
  expect(asked).toHaveLength(1)
})

journey('an export is handed over also where changes cannot be followed', async ({ page }) => {
  await page.route('**/data/me/changes', (route) => route.abort())
  await signIn(page, 'secretary', '/members')
  await settled(page)
  await exported(page)
})
