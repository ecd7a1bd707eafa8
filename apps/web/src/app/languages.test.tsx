import { screen, within } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { activateLocale } from '../platform/i18n.ts'
import { setPreference } from '../platform/session/preferences.ts'
import { renderPath } from '../testing/render-with-api.tsx'

afterEach(async () => {
  setPreference('locale', 'en')
  await activateLocale('en')
})

const inLanguage = async (key: 'ar' | 'pseudo') => {
  await activateLocale(key)
  setPreference('locale', key)
  renderPath('/careers')
  return within((await screen.findAllByRole('navigation'))[0] ?? document.body)
}

test('Arabic is written and read from the right', async () => {
  await inLanguage('ar')
  expect(document.documentElement).toHaveAttribute('dir', 'rtl')
  expect(document.documentElement).toHaveAttribute('lang', 'ar')
  expect(await screen.findByRole('heading', { level: 1, name: 'الوظائف' })).toBeVisible()
  expect(screen.getAllByText('الأعضاء')[0]).toBeInTheDocument()
})

test('in the pseudo-locale every text of the frame is translated', async () => {
  await inLanguage('pseudo')
  const heading = await screen.findByRole('heading', { level: 1 })
  expect(heading).not.toHaveTextContent('Careers')
  // Plain ASCII words left over were written past the translation.
  const plain = screen
    .getAllByRole('link')
    .map((link) => link.textContent.trim())
    .filter((text) => /^[A-Za-z ]{3,}$/.test(text) && text !== 'Guildhall')
  expect(plain).toEqual([])
})

test('back in English nothing of the other language is left', async () => {
  await inLanguage('ar')
  await screen.findByRole('heading', { level: 1, name: 'الوظائف' })
  await activateLocale('en')
  setPreference('locale', 'en')
  expect(await screen.findByRole('heading', { level: 1, name: 'Careers' })).toBeVisible()
  expect(document.documentElement).toHaveAttribute('dir', 'ltr')
  expect(screen.queryByText('الأعضاء')).toBeNull()
})
