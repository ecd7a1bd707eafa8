import { expect, test } from 'vitest'
import { languageFor, textsFor, textsIn } from './texts.ts'

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

test('dates and amounts are written as in the reader’s region, else in the organisation’s', () => {
  const written = (accepted: string | undefined, organisation: string) => textsFor(accepted, organisation).date('2026-11-23')
  expect(written('en-GB,en;q=0.9', 'en')).toBe('23 November 2026')
  expect(written('en-US,en;q=0.9', 'en-GB')).toBe('November 23, 2026')
  expect(written('en', 'en-GB')).toBe('23 November 2026')
  expect(written('fr-FR, fr;q=0.9', 'en-PT')).toBe('23 November 2026')
  expect(written('en;q=0.8, en-IE;q=0.7', 'en')).toBe('23 November 2026')
  // The region of another language says nothing about this one.
  expect(written('ar-EG;q=0.1, en;q=0.9', 'en')).toBe('November 23, 2026')
  for (const odd of ['en-XX', 'en-', 'en-' + 'x'.repeat(300), 'en_GB', 'en-u-ca-hebrew', 'en-GB-u-ca-hebrew-nu-arab'])
    expect(written(odd, 'en')).toMatch(/^(November 23, 2026|23 November 2026)$/)
  expect(textsFor('en-GB', 'en').moment('2026-11-23T18:30:00Z', 'Europe/London')).toBe('Monday, 23 November 2026 at 18:30 GMT')
  expect(textsFor(undefined, 'en-GB')).toBe(textsFor('en-GB-oxendict', 'ar'))
})
