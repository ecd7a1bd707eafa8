import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Readable } from 'node:stream'

/** Where uploads and exports lie. Keys are ours (`imports/{id}`), never a name that a person gave. */
export type Files = {
  /** Stores a stream whole or not at all. */
  write(key: string, content: Readable): Promise<{ size: number }>
  read(key: string, range?: { start: number }): Readable
  size(key: string): Promise<number | null>
  remove(key: string): Promise<void>
  /** A path for libraries that want one; only for the local store. */
  path(key: string): string
}

/** The local directory, the default store. */
export function localFiles(root: string): Files {
  const base = resolve(root)
  const path = (key: string) => {
    if (!/^[a-z0-9-]+(\/[A-Za-z0-9._-]+)+$/.test(key) || key.includes('..')) throw new Error(`not a storage key: ${key}`)
    return join(base, key)
  }
  return {
    async write(key, content) {
      const target = path(key)
      const partial = `${target}.part`
      await mkdir(dirname(target), { recursive: true, mode: 0o700 })
      try {
        await pipeline(content, createWriteStream(partial, { mode: 0o600 }))
        await rename(partial, target)
      } catch (error) {
        await rm(partial, { force: true })
        throw error
      }
      return { size: (await stat(target)).size }
    },
    read: (key, range) => createReadStream(path(key), range ?? {}),
    size: (key) =>
      stat(path(key)).then(
        (found) => found.size,
        () => null,
      ),
    remove: (key) => rm(path(key), { force: true }),
    path,
  }
}
