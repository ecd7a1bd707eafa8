import { expect, test } from 'vitest'
import { scopeOf } from './home.rules.ts'

const member = { everywhere: false, chapters: [], asked: false }
const officer = { everywhere: false, chapters: [{ id: 'west' }, { id: 'quay' }], asked: false }
const admin = { everywhere: true, chapters: [], asked: true }

test.each([
  ['a member looks at themselves', {}, member, { kind: 'me' }],
  ['a member who asks for more, too', { scope: 'organisation' }, member, { kind: 'me' }],
  ['a member who asks for a chapter, too', { scope: 'chapter', chapterId: 'west' }, member, { kind: 'me' }],
  ['an officer looks at their chapter', {}, officer, { kind: 'chapter', chapterId: 'west' }],
  ['an officer may look at themselves', { scope: 'me' }, officer, { kind: 'me' }],
  [
    'an officer gets a chapter within reach',
    { scope: 'chapter', chapterId: 'quay' },
    { ...officer, asked: true },
    { kind: 'chapter', chapterId: 'quay' },
  ],
  [
    'an officer gets their own chapter instead of another',
    { scope: 'chapter', chapterId: 'east' },
    officer,
    { kind: 'chapter', chapterId: 'west' },
  ],
  ['an officer gets their chapter instead of the organisation', { scope: 'organisation' }, officer, { kind: 'chapter', chapterId: 'west' }],
  ['an administrator looks at the organisation', {}, admin, { kind: 'organisation' }],
  ['an administrator gets any chapter', { scope: 'chapter', chapterId: 'west' }, admin, { kind: 'chapter', chapterId: 'west' }],
] as const)('%s', (_name, wanted, offices, scope) => {
  expect(scopeOf(wanted, offices)).toEqual(scope)
})
