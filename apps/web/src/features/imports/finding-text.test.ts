import { ImportFindingCode, importFindings } from '@guildhall/contract/features/imports'
import type { ImportFinding } from '@guildhall/contract/features/imports'
import { expect, test } from 'vitest'
import { findingLine, findingText } from './finding-text.ts'

const finding = (code: ImportFindingCode, params?: ImportFinding['params']): ImportFinding => ({
  level: 'error',
  code,
  ...(params && { params }),
  column: null,
  value: null,
  message: 'The server’s own words.',
  fix: 'And its fix.',
})
const filled = (code: ImportFindingCode) => Object.fromEntries(importFindings[code].map((name) => [name, 3]))

// A rule of the database that has no text of its own says what the server says.
test.each(ImportFindingCode.options.filter((code) => code !== 'refused'))('%s has a text of its own', (code) => {
  const { message } = findingText(finding(code, filled(code)))
  expect(message).not.toBe('')
  expect(message).not.toContain('The server’s own words.')
})

test('a text is filled with what the finding is about', () => {
  expect(findingLine(finding('not_accepted', { chapter: 'City', people: 1, phase: 'check' }))).toBe(
    'This changes the chapter City, with 1 person in it and below. Accept the change, or use another code; otherwise the row is left out.',
  )
  expect(findingLine(finding('dates_reversed', { first: 'birthDate', second: 'deceasedOn' }))).toMatch(/^Died on is before Birth date\. /)
})

test('a row that a rule of the database refuses is said as the rule is said elsewhere', () => {
  expect(findingLine(finding('refused', { rule: 'groups_no_circle' }))).toMatch(/^This group is above the parent you chose\./)
  expect(findingLine(finding('refused', { rule: 'a_rule_without_text' }))).toBe('The server’s own words. Correct the row.')
})

test('a finding that says less than its text needs is shown as the server wrote it', () => {
  expect(findingLine(finding('duplicate_row'))).toBe('The server’s own words. And its fix.')
})
