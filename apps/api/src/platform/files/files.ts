import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Where uploads, exports and the files of records lie. Keys are ours (`imports/{id}`), never a name that a person gave. */
export type Files = {
  /** Stores a stream whole or not at all. */
  write(key: string, content: Readable): Promise<{ size: number }>
  read(key: string): Readable
  /** Null when there is none. */
  size(key: string): Promise<number | null>
  /** Removes it, also what a server left that was killed while it wrote it. */
  remove(key: string): Promise<void>
  /** Everything that is stored whole, for backups. */
  all(): AsyncIterable<{ key: string; size: number; changedAt: Date }>
  /** Lends a path for libraries that want one, as long as `run` runs. */
  lend<T>(key: string, run: (path: string) => Promise<T>): Promise<T>
  /** Lends a path to write to; what stands there when `run` has ended is stored. */
  make<T>(key: string, run: (path: string) => Promise<T>): Promise<T>
  /** Lends an empty folder of this machine, which is gone when `run` has ended. */
  scratch<T>(run: (folder: string) => Promise<T>): Promise<T>
}

const keys = /^[a-z0-9-]+(\/[A-Za-z0-9._-]+)+$/

/** Keys lead nowhere but into the store. */
export function checkedKey(key: string): string {
  if (!keys.test(key) || key.includes('..')) throw new Error(`not a storage key: ${key}`)
  return key
}

/** Work that needs a path is done in a folder of its own below the store's. */
export const scratchIn =
  (root: string): Files['scratch'] =>
  async (run) => {
    const parent = join(resolve(root), 'scratch')
    await mkdir(parent, { recursive: true, mode: 0o700 })
    const folder = await mkdtemp(join(parent, 'at-'))
    try {
      return await run(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

/** The local directory, the default store. */
export function localFiles(root: string): Files {
  const base = resolve(root)
  const path = (key: string) => join(base, checkedKey(key))
  const sizeOf = async (key: string) =>
    stat(path(key)).then(
      (found) => found.size,
      () => null,
    )
  const scratch = scratchIn(root)
  const write: Files['write'] = async (key, content) => {
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
  }
  return {
    write,
    read: (key) => createReadStream(path(key)),
    size: sizeOf,
    remove: async (key) => {
      await rm(path(key), { force: true })
      await rm(`${path(key)}.part`, { force: true })
    },
    async *all() {
      for (const entry of await readdir(base, { recursive: true, withFileTypes: true }).catch(() => [])) {
        const found = join(entry.parentPath, entry.name)
        const key = relative(base, found).split(sep).join('/')
        if (!entry.isFile() || key.startsWith('scratch/') || key.endsWith('.part')) continue
        // What expired meanwhile is gone for good.
        const now = await stat(found).catch(() => undefined)
        if (now) yield { key, size: now.size, changedAt: now.mtime }
      }
    },
    lend: (key, run) => run(path(key)),
    make: (key, run) =>
      scratch(async (folder) => {
        const made = join(folder, 'made')
        const answer = await run(made)
        await mkdir(dirname(path(key)), { recursive: true, mode: 0o700 })
        await rename(made, path(key)).catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
        return answer
      }),
    scratch,
  }
}

/** Nothing was made, which is no fault. */
export const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT'

/** A file of the store as an answer: read as it is sent, so that one of any size costs no memory. */
export class StoredContent extends File {
  readonly #read: () => Readable
  constructor(files: Files, key: string, { name, type, size }: { name: string; type: string; size: number }) {
    super([], name, { type })
    this.#read = () => files.read(key)
    Object.defineProperty(this, 'size', { value: size })
  }
  override stream(): ReturnType<File['stream']> {
    return Readable.toWeb(this.#read())
  }
}

/** What a browser does with it: save it, under its own name. */
export const savedAs = (name: string) =>
  `attachment; filename="${name.replace(/[^\x20-\x7e]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`
