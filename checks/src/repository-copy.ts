import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { root, tree, type Tree } from './repository.ts'

/** The working tree in a folder of its own, with the packages that are installed here; ours are those of the copy. */
export function copyOfRepository(): Tree & { remove: () => void } {
  const { files, features } = tree()
  const folder = mkdtempSync(path.join(tmpdir(), 'guildhall-copy-'))
  for (const file of files) cpSync(path.join(root, file), path.join(folder, file))
  for (const at of ['', ...files.filter((file) => /^[^/]+(\/[^/]+)?\/package\.json$/.test(file)).map(path.dirname)])
    linkPackages(folder, at)
  // Which files there are is asked of git.
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  return {
    root: folder,
    files,
    features,
    read: (file) => readFileSync(path.join(folder, file), 'utf8'),
    remove: () => rmSync(folder, { recursive: true }),
  }
}

function linkPackages(folder: string, at: string) {
  const from = path.join(root, at, 'node_modules')
  const to = path.join(folder, at, 'node_modules')
  if (!existsSync(from)) return
  mkdirSync(path.join(to, '@guildhall'), { recursive: true })
  const others = readdirSync(from).filter((name) => !['@guildhall', '.cache'].includes(name))
  for (const name of others) symlinkSync(path.join(from, name), path.join(to, name))
  for (const name of existsSync(path.join(from, '@guildhall')) ? readdirSync(path.join(from, '@guildhall')) : []) {
    const own = path.relative(root, realpathSync(path.join(from, '@guildhall', name)))
    symlinkSync(path.join(folder, own), path.join(to, '@guildhall', name))
  }
}
