import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { journey } from '../src/journey.ts'
import { allStored, enterPassword, settled, signOut, storedUser, withSettings } from '../src/session.ts'

/** Opens an address and presses the button; a window of its own then asks who is there. */
async function openPopup(page: Page, address: string) {
  await withSettings(page, { auth_type: 'popup' })
  // A browser that lets pages open windows unasked has opened it already when the button is pressed, and pressing changes nothing.
  const opened = page.waitForEvent('popup')
  await page.goto(address)
  await page.getByRole('button', { name: 'Continue to sign in' }).click()
  const popup = await opened
  await popup.getByLabel('Password').waitFor()
  return popup
}

async function pressToSignIn(page: Page) {
  const [popup] = await Promise.all([page.waitForEvent('popup'), page.getByRole('button', { name: /sign in/i }).click()])
  await popup.getByLabel('Password').waitFor()
  return popup
}

const untilClosed = (popup: Page) => (popup.isClosed() ? Promise.resolve() : popup.waitForEvent('close').then(() => undefined))

journey('S2-12 signing in with a window of its own: the page behind goes on where it was', async ({ page }) => {
  const popup = await openPopup(page, '/groups?q=board')
  expect(await popup.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 500])
  await enterPassword(popup, 'member')
  await untilClosed(popup)
  await settled(page)
  expect(page.url()).toMatch(/\/groups\?q=board$/)
})

journey('P01 S8-13 a sign-in window that is closed leaves a button within a second, and no error text', async ({ page, trouble }) => {
  trouble.expect(/Popup window closed/)
  const popup = await openPopup(page, '/members')
  await page.getByText('Taking you to sign in').waitFor()
  await popup.close()
  await page.getByText('Sign in to continue').waitFor({ timeout: 1000 })
  expect(await page.locator('body').innerText()).not.toMatch(/error|fail|closed/i)
  await enterPassword(await pressToSignIn(page), 'member')
  await settled(page)
})

journey('P02 a window that the browser blocks leaves the button', async ({ page, trouble }) => {
  trouble.expect(/disposed window/)
  await page.addInitScript(() => {
    window.open = () => null
  })
  await withSettings(page, { auth_type: 'popup' })
  await page.goto('/members')
  const button = page.getByRole('button', { name: 'Continue to sign in' })
  await button.click()
  await page.getByText('Sign in to continue').waitFor()
  expect(await button.isVisible()).toBe(true)
})

journey('S4-9 S2-13 signing out with a window of its own ends the session, and its other tabs', async ({ page, context }) => {
  const popup = await openPopup(page, '/groups')
  await enterPassword(popup, 'member')
  await settled(page)
  const [leaving] = await Promise.all([page.waitForEvent('popup'), signOut(page)])
  await untilClosed(leaving)
  await page.getByText('You are signed out').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  expect(await storedUser(page)).toBeNull()
  expect(await allStored(page)).not.toMatch(/eyJ|refresh_token/)
  // The provider knows nobody any more either.
  await pressToSignIn(page)
  expect(context.pages()).toHaveLength(2)
})

journey('P03 a sign-out window that is closed ends the session here all the same', async ({ page, context, trouble }) => {
  trouble.expect(/Popup window closed/)
  const popup = await openPopup(page, '/groups')
  await enterPassword(popup, 'member')
  await settled(page)
  await context.route('**/oidc/v1/end_session*', () => {})
  const [leaving] = await Promise.all([page.waitForEvent('popup'), signOut(page)])
  await leaving.close()
  await page.getByText('You are signed out').waitFor({ timeout: 5000 })
  expect(await storedUser(page)).toBeNull()
})
