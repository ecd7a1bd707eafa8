import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PlainError } from './plain-error.ts'
import { findAccount, giveTo, programOptions, type Account } from './postgres-account.ts'
import type { Log } from './supervise.ts'

export type PostgresFolder = { folder: string; account: Account | undefined }

/**
 * Where the server's files live and as whom it runs. When its account may not enter the data folder (below root's home, say), they get
 * a place of their own in /var/lib, which survives a reboot; `moved-to` in the data folder remembers it.
 */
export async function findPostgresFolder(dataDir: string, log: Log): Promise<PostgresFolder> {
  const pointer = join(dataDir, 'moved-to')
  const movedTo = (await readFile(pointer, 'utf8').catch(() => '')).trim()
  const account = await findAccount(movedTo || dataDir)
  if (await isUsable(movedTo || dataDir, account)) return { folder: movedTo || dataDir, account }
  if (!account) throw new PlainError(`The database cannot use the folder ${dataDir}: it must belong to the user who starts Guildhall.`)
  if (await stat(join(dataDir, 'cluster')).catch(() => undefined))
    throw new PlainError(`The user that PostgreSQL runs as may not enter ${dataDir}, where a database lies: move it outside root's home.`)
  await chown(dataDir, 0, 0)
  const name = `guildhall-${createHash('sha256').update(dataDir).digest('hex').slice(0, 12)}`
  for (const parent of ['/var/lib', '/var/tmp', tmpdir()]) {
    const folder = join(parent, name)
    await setAsideOrphan(folder, log)
    if (!(await isUsable(folder, account))) continue
    await writeFile(pointer, `${folder}\n`)
    log(`The database is kept in ${folder}, because the user it runs as may not enter ${dataDir}.`)
    return { folder, account }
  }
  throw new PlainError(
    `The user that PostgreSQL runs as may enter neither ${dataDir} nor /var/lib. ` +
      "Choose a folder outside root's home, for example GUILDHALL_DATA=/srv/guildhall npm start.",
  )
}

/** Without its pointer, a place belongs to a data folder that was deleted to begin anew: kept, but not used again. */
async function setAsideOrphan(folder: string, log: Log): Promise<void> {
  if (!(await stat(folder).catch(() => undefined))) return
  const aside = `${folder}-until-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
  await rename(folder, aside)
  log(`An older database of this folder was set aside in ${aside}; delete it when you do not need it.`)
}

/** Tried rather than computed: mount options, access lists and foreign file systems count as well as modes. */
async function isUsable(folder: string, account: Account | undefined): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true })
    await giveTo(account, folder)
    await chmod(folder, 0o700)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') throw error
    return false
  }
  const probe = 'cd "$1" && mkdir .probe && rmdir .probe'
  return spawnSync('/bin/sh', ['-c', probe, 'sh', folder], { ...programOptions(account), stdio: 'ignore' }).status === 0
}
