import { expect, test } from 'vitest'
import { open, seal } from './integrations.secrets.rules.ts'

const key = 'a1b2'.repeat(16)

test('a sealed text is opened with its key at its place only, and twice the same is not the same bytes', () => {
  const sealed = seal(key, 'ein Schlüssel', 'one token')
  expect(open(key, sealed, 'one token')).toBe('ein Schlüssel')
  expect(seal(key, 'ein Schlüssel', 'one token').equals(sealed)).toBe(false)
  expect(open(key, sealed, 'another token')).toBeNull()
  expect(open('b1b2'.repeat(16), sealed, 'one token')).toBeNull()
  for (const at of [0, 5, 20, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(open(key, changed, 'one token'), `byte ${at}`).toBeNull()
  }
  expect(open(key, Buffer.from('short'), 'one token')).toBeNull()
})
