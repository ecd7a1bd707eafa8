import { expect } from 'vitest'
import { expectAccessible } from '../src/accessibility.ts'
import { journey, productHere } from '../src/journey.ts'

journey('choosing a demo person fills in the sign-in page, which breaks no rule of accessibility', async ({ page, trouble }) => {
  await page.goto('/')
  await page.getByLabel('Email').waitFor()
  await expectAccessible(page)
  await page.getByLabel('Email').fill('member@demo.example')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
  trouble.expect(/400/)
  await expectAccessible(page)
  await page.getByRole('button', { name: /secretary@demo\.example/ }).click()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^Account of/ }).waitFor()
})

journey('the mail inbox breaks no rule of accessibility', async ({ page }) => {
  await page.goto(productHere().mail)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Mail inbox')
  await expectAccessible(page)
})

journey('the test payments break no rule of accessibility', async ({ page }) => {
  await page.goto(productHere().payments)
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Test payments')
  await expectAccessible(page)
})
