import type { Page } from 'playwright-core'

export type DemoPerson = 'owner' | 'secretary' | 'chapter' | 'finance' | 'comms' | 'events' | 'leader' | 'member' | 'guest' | 'suspended'

/** Opens an address of the product and signs in on the provider's page, as a person does. */
export async function signIn(page: Page, person: DemoPerson, address = '/') {
  await page.goto(address)
  await page.getByLabel('Email').fill(`${person}@demo.example`)
  await page.getByLabel('Password').fill('guildhall')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
