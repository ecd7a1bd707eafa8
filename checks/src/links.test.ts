import { expect, test } from 'vitest'
import { links } from './links.ts'

function problems(pages: Record<string, string>) {
  const content: Record<string, string> = { 'docs/a.md': '# At the `provider`\n\ntext', 'src/code.ts': '', ...pages }
  return links({ files: Object.keys(content), read: (file) => content[file] ?? '' })
}

test('links to pages, files, folders, headings and the web have no findings', () => {
  expect(
    problems({ 'docs/b.md': '[1](a.md) [2](a.md#at-the-provider) [3](../src/code.ts) [4](../src) [5](https://example.org) `[x](y)`' }),
  ).toEqual([])
})

test.each([
  ['a page that is not there', '[1](gone.md)', /gone.md leads nowhere/],
  ['a heading that is not there', '[1](a.md#gone)', /has no such heading/],
])('%s is found', (_, text, finding) => {
  expect(problems({ 'docs/b.md': text })).toEqual([expect.stringMatching(finding)])
})
