import { appendFile, chmod, mkdir, readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { archives, BackupNote, manifestDigests, unpack } from './backup-files.ts'
import type { Command } from './command.ts'

export const restore: Command = {
  usage: 'BACKUP FOLDER',
  summary: 'unpack a backup into an empty folder, checking every file; docs/operators/back-up.md',
  async run(args) {
    const [from, to] = args
    if (!from || !to) throw new Error('Say what and where to: restore BACKUP FOLDER')
    const folder = resolve(to)
    if ((await readdir(folder).catch(() => [])).length > 0)
      throw new Error(`${folder} is not empty. A backup is never restored over anything.`)
    const note = BackupNote.parse(
      JSON.parse(
        await readFile(join(from, archives.note), 'utf8').catch(() => {
          throw new Error(`${from} is no finished backup: it has no ${archives.note}.`)
        }),
      ),
    )
    const cluster = join(folder, 'postgres', 'cluster')
    await mkdir(cluster, { recursive: true, mode: 0o700 })
    // The account that PostgreSQL runs as passes through, and sees nothing.
    for (const passage of [folder, join(folder, 'postgres')]) await chmod(passage, 0o711)
    const digests = await manifestDigests(join(from, archives.manifest))
    const files = await unpack(join(from, archives.database), note.digests[archives.database], cluster, digests)
    await appendFile(join(cluster, 'postgresql.auto.conf'), `guildhall.restored = '${note.finishedAt}'\n`)
    const uploads = await unpack(join(from, archives.files), note.digests[archives.files], join(folder, 'files'))
    process.stdout.write(
      `Restored the state of ${note.startedAt}: ${files} files of PostgreSQL ${note.serverVersion} in ${cluster}, ${uploads} files in ${join(folder, 'files')}.\n` +
        `Mail that was waiting then will be held back: it may have been sent since.\n`,
    )
    return 0
  },
}
