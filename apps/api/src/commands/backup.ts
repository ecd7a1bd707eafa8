import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { openAdmin } from '@guildhall/db/admin'
import { takeBaseBackup } from '@guildhall/db/base-backup'
import { readBackupConfig } from '../platform/config.ts'
import { openFiles } from '../platform/files/open-files.ts'
import { archives, createArchive, packFiles } from './backup-files.ts'
import type { BackupNote } from './backup-files.ts'
import type { Command } from './command.ts'

const name = /^guildhall-\d{8}T\d{6}Z$/

export const backup: Command = {
  usage: 'FOLDER [--keep NUMBER]',
  summary: 'copy the whole database and all files while they are used; docs/operators/back-up.md',
  async run(args) {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { keep: { type: 'string' } } })
    const [folder] = positionals
    if (!folder || (values.keep !== undefined && !/^[1-9]\d*$/.test(values.keep)))
      throw new Error('Say where to: backup FOLDER [--keep NUMBER]')
    const { adminUrl, store } = readBackupConfig(process.env)
    const startedAt = new Date().toISOString()
    const finished = join(folder, `guildhall-${startedAt.slice(0, 19).replace(/[-:]/g, '')}Z`)
    const unfinished = `${finished}.part`
    await mkdir(unfinished, { recursive: true, mode: 0o700 })
    try {
      const database = createArchive(join(unfinished, archives.database))
      const manifest = createArchive(join(unfinished, archives.manifest))
      const taken = await takeBaseBackup(adminUrl, { files: database.target, manifest: manifest.target })
      // After the database: a file is written before the row that names it.
      const files = createArchive(join(unfinished, archives.files))
      await packFiles(openFiles(store), files.target)
      const note: BackupNote = {
        format: 1,
        startedAt,
        finishedAt: new Date().toISOString(),
        serverVersion: taken.serverVersion,
        position: taken.position,
        migrations: await migrationsOf(adminUrl),
        digests: {
          [archives.database]: await database.written,
          [archives.manifest]: await manifest.written,
          [archives.files]: await files.written,
        },
      }
      await writeFile(join(unfinished, archives.note), `${JSON.stringify(note, null, 2)}\n`, { mode: 0o600, flush: true })
      await rename(unfinished, finished)
      await openAdmin(adminUrl, (query) =>
        query(
          `insert into app_private.last_backup (finished_at) values ($1) on conflict (singleton) do update set finished_at = excluded.finished_at`,
          [note.finishedAt],
        ),
      )
    } catch (error) {
      await rm(unfinished, { recursive: true, force: true })
      throw error
    }
    if (values.keep) await forgetOlder(folder, Number(values.keep))
    process.stdout.write(`${finished}\n`)
    return 0
  },
}

const migrationsOf = (adminUrl: string): Promise<string[]> =>
  openAdmin(adminUrl, async (query) =>
    (await query<{ name: string }>('select name from app_private.migrations order by id')).map((row) => row.name),
  )

async function forgetOlder(folder: string, keep: number): Promise<void> {
  const taken = (await readdir(folder)).filter((entry) => name.test(entry)).sort()
  for (const old of taken.slice(0, -keep)) await rm(join(folder, old), { recursive: true })
}
