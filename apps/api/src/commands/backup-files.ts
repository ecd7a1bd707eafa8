import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import { Transform } from 'node:stream'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import * as z from 'zod'
import type { Files } from '../platform/files/files.ts'

/** What a backup says of itself, in backup.json, written last: a folder without it is no backup. */
export const BackupNote = z.object({
  format: z.literal(1),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  serverVersion: z.string(),
  position: z.string(),
  migrations: z.array(z.string()),
  digests: z.record(z.string(), z.string()),
})
export type BackupNote = z.infer<typeof BackupNote>

export const archives = { database: 'database.tar.gz', manifest: 'manifest.json', files: 'files.tar.gz', note: 'backup.json' } as const

/** Passes everything through and knows its digest at the end. */
export function digesting(): { stream: Transform; digest: () => string } {
  const hash = createHash('sha256')
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      done(null, chunk)
    },
  })
  return { stream, digest: () => hash.digest('hex') }
}

/** A file to write to, compressed if its name says so; `written` resolves with the digest of what lies on disk. */
export function createArchive(path: string): { target: Writable; written: Promise<string> } {
  const { stream, digest } = digesting()
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx' })
  if (!path.endsWith('.gz')) return { target: stream, written: pipeline(stream, file).then(digest) }
  const target = createGzip({ level: 1 })
  return { target, written: pipeline(target, stream, file).then(digest) }
}

/** Everything of the file store, into a tar. */
export async function packFiles(files: Files, target: Writable): Promise<void> {
  const tar = pack()
  const written = pipeline(tar, target)
  for await (const { key, size, changedAt } of files.all()) {
    const place = tar.entry({ name: key, size, mtime: changedAt, mode: 0o600 })
    await pipeline(files.read(key), place)
  }
  tar.finalize()
  await written
}

/** Unpacks an archive into a folder, and checks it: against its digest, and each file against `digests` where that knows it. */
export async function unpack(
  archive: string,
  wanted: string | undefined,
  folder: string,
  digests = new Map<string, string>(),
): Promise<number> {
  const root = resolve(folder)
  await mkdir(root, { recursive: true, mode: 0o700 })
  const whole = digesting()
  const tar = extract()
  let files = 0
  const reading = pipeline(createReadStream(archive), whole.stream, createGunzip(), tar)
  for await (const entry of tar) {
    const { name, type } = entry.header
    const path = resolve(root, name)
    if (path !== root && !path.startsWith(root + sep)) throw new Error(`${archive} leads out of its folder: ${name}`)
    if (type === 'directory') {
      await mkdir(path, { recursive: true, mode: 0o700 })
      entry.resume()
    } else if (type === 'file') {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const digest = await store(entry, path)
      const known = digests.get(name)
      if (known !== undefined && known !== digest) throw new Error(`${name} in ${archive} is not what was backed up.`)
      digests.delete(name)
      files += 1
    } else throw new Error(`${archive} holds a ${type} that is not restored: ${name}`)
  }
  await reading
  if (wanted !== whole.digest()) throw new Error(`${archive} was changed since it was written.`)
  const [missing] = digests.keys()
  if (missing !== undefined) throw new Error(`${archive} lacks ${digests.size} files, such as ${missing}.`)
  await chmod(root, 0o700)
  return files
}

async function store(content: AsyncIterable<unknown>, path: string): Promise<string> {
  const { stream, digest } = digesting()
  await pipeline(content, stream, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
  return digest()
}

const ServerManifest = z.object({ Files: z.array(z.object({ Path: z.string().optional(), Checksum: z.string().optional() })) })

/** The digests that the database server itself gave its files. */
export async function manifestDigests(path: string): Promise<Map<string, string>> {
  const { Files } = ServerManifest.parse(JSON.parse(await readFile(path, 'utf8')))
  return new Map(Files.flatMap(({ Path, Checksum }) => (Path && Checksum ? [[Path, Checksum] as const] : [])))
}
