import { expect, test } from 'vitest'
import { words } from './words.ts'

const problems = (file: string, content: string) => words({ files: [file], read: () => content })

test.each([
  ['apps/web/src/locales/en.po', 'msgid "Take back {0}"\nmsgstr "Take back {0}"'],
  ['apps/web/src/locales/en.po', 'msgid "The file has none"'],
  ['apps/api/src/features/people/people.data.ts', "  detail: 'It was changed meanwhile.',"],
  ['openapi/data.json', '"description": "Whoever asks"'],
  ['docs/users/people.md', 'A row is known by its number.'],
])('in %s, "%s" is found, once', (file, content) => {
  expect(problems(file, content)).toEqual([expect.stringMatching(new RegExp(`^${file}:1: write `))])
})

test('comments, tests and ordinary words have no findings', () => {
  expect(problems('apps/api/src/platform/a.ts', '/** Whoever asks meanwhile. */\n// Whoever asks.\nconst a = 1 // whoever')).toEqual([])
  expect(problems('apps/api/src/platform/a.test.ts', "test('whoever asks')")).toEqual([])
  expect(problems('apps/web/src/locales/en.po', 'msgid "Revoke {0}"\nmsgid "Back to the members"')).toEqual([])
})
