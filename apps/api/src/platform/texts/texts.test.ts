import { expect, test } from 'vitest'
import { languageFor, textsIn } from './texts.ts'

test('the reader’s first language that there is goes before the organisation’s', () => {
  expect(languageFor('ar-EG,en;q=0.8', 'en')).toBe('ar')
  expect(languageFor('en;q=0.3, ar;q=0.9', 'en')).toBe('ar')
  expect(languageFor('fr, en-GB;q=0.5, ar;q=0', 'ar')).toBe('en')
  expect(languageFor('fr', 'ar-MA')).toBe('ar')
  for (const nothing of [undefined, '', '*', ';;,,', 'constructor', 'x'.repeat(10_000)]) expect(languageFor(nothing, 'xx')).toBe('en')
})

test('texts take arguments and plurals, and stay English where nobody translated them', () => {
  const i18n = textsIn('en')
  const text = '{n, plural, one {# chapter of {name}} other {# chapters of {name}}}'
  expect(i18n._(text, { n: 1, name: 'Lyon' })).toBe('1 chapter of Lyon')
  expect(i18n._(text, { n: 2, name: '{n} <b>' })).toBe('2 chapters of {n} <b>')
  expect(textsIn('ar')).toMatchObject({ language: 'ar', direction: 'rtl' })
  expect(textsIn('ar')._(text, { n: 2, name: 'Lyon' })).toBe('2 chapters of Lyon')
  expect(i18n.date('2026-11-24')).toBe('November 24, 2026')
})
