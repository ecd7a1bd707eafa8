import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { command } from './command.ts'
import { root, tree } from './repository.ts'

/** What `npm install` in a fresh clone leaves in package-lock.json, and what was there before. */
async function installed(change: (file: string, content: string) => string = (_, content) => content) {
  const clone = await mkdtemp(path.join(tmpdir(), 'guildhall-lock-'))
  onTestFinished(() => rm(clone, { recursive: true, force: true }))
  for (const file of tree().files.filter((name) => /(^|\/)(package\.json|package-lock\.json|\.npmrc)$/.test(name))) {
    await cp(path.join(root, file), path.join(clone, file))
    await writeFile(path.join(clone, file), change(file, await readFile(path.join(root, file), 'utf8')))
  }
  // Nothing is fetched: the lock file has to say everything by itself.
  const { code, output } = await command('npm', ['install', '--package-lock-only', '--ignore-scripts', '--offline'], { cwd: clone })
  expect(code, output).toBe(0)
  return readFile(path.join(clone, 'package-lock.json'), 'utf8')
}

test('npm install leaves package-lock.json as it is', async () => {
  expect(await installed()).toBe(await readFile(path.join(root, 'package-lock.json'), 'utf8'))
})

test('a lock file that npm would write otherwise is noticed', async () => {
  const careless = (file: string, content: string) => (file === 'package-lock.json' ? content.replace('      "dev": true,\n', '') : content)
  expect(await installed(careless)).not.toBe(careless('package-lock.json', await readFile(path.join(root, 'package-lock.json'), 'utf8')))
})
