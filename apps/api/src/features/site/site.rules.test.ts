import { expect, test } from 'vitest'
import { newReference } from './site.rules.ts'

test('a reference can be read out over the telephone', () => {
  const references = new Set(Array.from({ length: 100 }, newReference))
  expect(references.size).toBe(100)
  for (const reference of references) expect(reference).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/)
})
