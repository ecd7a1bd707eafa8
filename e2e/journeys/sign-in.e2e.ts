import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { signIn, type DemoPerson } from '../src/demo-people.ts'
import { journey } from '../src/journey.ts'
import { quiet } from '../src/session.ts'

const active: DemoPerson[] = ['owner', 'secretary', 'chapter', 'finance', 'comms', 'events', 'leader', 'member', 'guest']

for (const person of active) {
  journey(`${person} signs in on the provider's page and lands on home`, async ({ page }) => {
    await signIn(page, person)
    await page.getByRole('navigation').first().waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('button', { name: /^Account of/ }).click()
    await page.getByText(`${person}@demo.example`).waitFor()
  })
}

journey('a suspended account is told so wherever it goes', async ({ page, trouble }) => {
  trouble.expect(/Failed to update last_login and status/)
  const told = page.getByText(/account is suspended/i).first()
  await signIn(page, 'suspended')
  await told.waitFor()
  await page.goto('/members')
  await told.waitFor()
})

journey('the page someone asked for is opened after signing in', async ({ page }) => {
  await signIn(page, 'member', '/groups?q=board')
  await page.waitForURL(/\/groups\?q=board$/)
})

journey('a wrong password is refused on the provider’s page', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Email').fill('member@demo.example')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
})

journey('S4-10 signing out ends the session: the next visit asks to sign in again', async ({ page }) => {
  await signIn(page, 'member')
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByText('Sign out', { exact: true }).click()
  await page.getByText('You are signed out').waitFor()
  await page.goto('/groups')
  await page.getByLabel('Password').waitFor()
})

journey('home breaks no rule of accessibility', async ({ page }) => {
  await signIn(page, 'secretary')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await quiet(page)
  await expectAccessible(page)
})
