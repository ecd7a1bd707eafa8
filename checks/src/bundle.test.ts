import { expect, test } from 'vitest'
import { measure, type Manifest } from './bundle.ts'

const manifest: Manifest = {
  'index.html': { file: 'index.js', isEntry: true, imports: ['_shared.js'], css: ['index.css'] },
  '_shared.js': { file: 'shared.js' },
  'auth/signinwin.html': { file: 'win.js', isEntry: true },
  'auth/signinpop.html': { file: 'pop.js', isEntry: true },
  'auth/signoutpop.html': { file: 'out.js', isEntry: true },
  'auth/signinsilent.html': { file: 'silent.js', isEntry: true, dynamicImports: ['src/later.ts'] },
  'src/later.ts': { file: 'later.js', isDynamicEntry: true },
  'src/people-page.tsx': { file: 'people.js', isDynamicEntry: true, imports: ['_shared.js', '_table.js'] },
  '_table.js': { file: 'table.js' },
  'src/rich-editor.tsx': { file: 'editor.js', isDynamicEntry: true },
}
const sound: Record<string, number> = {
  'index.js': 90e3,
  'shared.js': 90e3,
  'index.css': 20e3,
  'silent.js': 20e3,
  'later.js': 4e3,
  'people.js': 20e3,
  'table.js': 30e3,
  'editor.js': 130e3,
}
const problems = async (planted: Record<string, number>) =>
  (await measure(manifest, async (file) => ({ ...sound, ...planted })[file] ?? 0)).problems

test('a build within its limits has no findings', async () => {
  expect(await problems({})).toEqual([])
})

test.each([
  ['a first load that grew, wherever the code sits', { 'shared.js': 101e3 }, /first load, scripts: 191.0 kB/],
  ['styles that grew', { 'index.css': 31e3 }, /first load, styles/],
  ['a sign-in callback that loads the application', { 'silent.js': 26e3 }, /signinsilent/],
  ['what a sign-in callback fetches later', { 'later.js': 6e3 }, /signinsilent/],
  ['a page that grew', { 'people.js': 61e3 }, /people-page.tsx: 61.0 kB/],
  ['a part that pages share and that grew', { 'table.js': 61e3 }, /table.js: 61.0 kB/],
  ['a heavy part that grew', { 'editor.js': 141e3 }, /rich-editor/],
])('%s is found', async (_, planted, finding) => {
  expect(await problems(planted)).toEqual([expect.stringMatching(finding)])
})

test('a build without one of the four callback pages is a finding', async () => {
  const { 'auth/signinwin.html': _, ...rest } = manifest
  expect((await measure(rest, async (file) => sound[file] ?? 0)).problems).toEqual(['the build has no auth/signinwin.html'])
})

test('a build without its page is a finding', async () => {
  expect((await measure({}, async () => 0)).problems).toEqual(['the build has no index.html'])
})
