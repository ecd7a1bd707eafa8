import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './json-files.ts'
import { endAlongWithUs } from './last-will.ts'
import { explainDiskFault, PlainError } from './plain-error.ts'
import { root } from './settings.ts'

const Built = z.object({ sources: z.string(), page: z.string() })

const web = join(root, 'apps/web')
const dist = join(web, 'dist')
const cache = join(root, 'node_modules/.cache/guildhall')
const marker = join(cache, 'web-build.json')

/** The built web app, made anew only when what it is made of has changed since. */
export async function buildWebApp(onBuild: () => void): Promise<string> {
  const sources = await hashOf(['apps/web', 'packages/contract/src', 'package-lock.json'])
  const last = await readJson(Built, marker)
  if (last?.sources === sources && last.page === (await pageHash())) return dist
  onBuild()
  await build()
  await writeJson(marker, { sources, page: await pageHash() })
  return dist
}

/** Beside, and then put in place: an interrupted build is no build, and of two at a time the later one stays. */
async function build(): Promise<void> {
  const unfinished = join(cache, `web-${process.pid}`)
  await mkdir(cache, { recursive: true })
  const { code, output } = await vite(['build', '--outDir', unfinished, '--emptyOutDir', '--logLevel', 'warn'])
  if (code !== 0) {
    await rm(unfinished, { recursive: true, force: true })
    throw new PlainError(explainDiskFault(output, root) ?? `The web app could not be built:\n${output.trim()}`)
  }
  await rm(dist, { recursive: true, force: true })
  await rename(unfinished, dist)
}

function vite(args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), ...args], {
      cwd: web,
      env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    const cancel = child.pid ? endAlongWithUs(-child.pid, 'TERM') : () => {}
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()))
    child.once('error', reject)
    child.once('close', (code) => {
      cancel()
      resolve({ code, output })
    })
  })
}

const pageHash = async (): Promise<string> => (existsSync(join(dist, 'index.html')) ? digest(await readFile(join(dist, 'index.html'))) : '')

const leftOut = /(^|\/)(node_modules|dist)(\/|$)|\.test\.tsx?$|\.tsbuildinfo$/

async function hashOf(paths: string[]): Promise<string> {
  const files = await Promise.all(
    paths.map(async (path) => {
      if (path.endsWith('.json')) return [path]
      const entries = await readdir(join(root, path), { recursive: true, withFileTypes: true })
      return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    }),
  )
  const names = files.flat().filter((name) => !leftOut.test(name))
  const parts = await Promise.all(names.sort().map(async (name) => `${name} ${digest(await readFile(join(root, name)))}`))
  return digest(parts.join('\n'))
}

const digest = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex')
