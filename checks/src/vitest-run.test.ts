import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { settled, vitestRun, vitestRunTwice } from './vitest-run.ts'

/** A real run over these test files, in a folder of their own. */
async function run(files: Record<string, string>, runner: typeof vitestRunTwice = vitestRun) {
  const folder = await mkdtemp(path.join(tmpdir(), 'guildhall-tests-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, `${name}.test.js`), text)
    return await runner(['--globals', '--root', folder], { quiet: true })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('passed tests are counted over all files, and each failure says file, name and message; skipped ones are neither', async () => {
  const { passed, failures } = await run({
    sums: `describe('sums', () => { test('add up', () => {}); test.skip('later', () => {}); test('are right', () => expect(1 + 1).toBe(3)) })`,
    loading: `test('never', () => {}); throw new Error('cannot be loaded')`,
    hooks: `describe('a stage', () => { beforeAll(() => { throw new Error('no stage') }); test('plays', () => {}) })`,
    late: `test('ends first', () => { void Promise.reject(new Error('too late')) })`,
  })
  expect(passed).toBe(2)
  const said = failures.map(({ name, message }) => [name.replace(/^.*\//, ''), message.split('\n')[0]])
  expect(said).toHaveLength(4)
  expect(said).toEqual(
    expect.arrayContaining([
      ['sums.test.js > sums > are right', expect.stringContaining('expected 2 to be 3')],
      ['loading.test.js', expect.stringContaining('cannot be loaded')],
      ['hooks.test.js', expect.stringContaining('no stage')],
      ['outside of every test', expect.stringContaining('too late')],
    ]),
  )
})

test('a run that ended badly without a failed test is a failure', () => {
  expect(settled({ passed: 1, failures: [] }, 1).failures).toHaveLength(1)
  expect(settled({ passed: 1, failures: [] }, 0).failures).toEqual([])
})

test('what fails runs once more by itself: what fails again has failed, what passes then is counted', async () => {
  const { passed, failures } = await run(
    {
      steady: `test('stands', () => {})`,
      chance: `test('passes when asked again', async () => {
        const { existsSync, writeFileSync } = await import('node:fs')
        const seen = new URL('./seen', import.meta.url)
        const isSecond = existsSync(seen)
        writeFileSync(seen, '')
        expect(isSecond).toBe(true)
      })`,
      wrong: `test('is wrong', () => expect(1).toBe(2)); test('is right', () => {})`,
    },
    vitestRunTwice,
  )
  expect(passed).toBe(3)
  expect(failures.map(({ name }) => name.replace(/^.*\//, ''))).toEqual(['wrong.test.js > is wrong'])
})
