import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localFiles, savedAs } from './files.ts'
import type { Files } from './files.ts'
import { s3Files } from './s3-files.ts'
import { startTestStore } from './s3-testing.ts'
import type { TestStore } from './s3-testing.ts'

let folder: string
let store: TestStore
/** What both stores must do; ours for tests stands for any that speaks S3, and STORE_SETTINGS names a real one. */
const stores: Record<string, () => Files> = {
  'a folder': () => localFiles(join(folder, 'local')),
  'a bucket': () =>
    s3Files({ ...store.settings, ...(JSON.parse(process.env['STORE_SETTINGS'] ?? '{}') as object), scratchDir: join(folder, 's3') }),
}
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'guildhall-files-'))
  store = await startTestStore()
})
afterAll(async () => {
  await store.close()
  await rm(folder, { recursive: true })
})

const of = (content: Buffer | string) => Readable.from([Buffer.from(content)], { objectMode: false })
async function* failing(bytes: number): AsyncGenerator<Buffer> {
  yield await Promise.resolve(randomBytes(bytes))
  throw new Error('the line broke')
}

describe.each(Object.entries(stores))('%s', (_name, open) => {
  test('keeps what is written, and forgets what is removed', async () => {
    const files = open()
    const content = randomBytes(70_000)
    expect(await files.size('files/a/one')).toBeNull()
    expect(await files.write('files/a/one', of(content))).toEqual({ size: content.length })
    expect(await files.size('files/a/one')).toBe(content.length)
    expect(await buffer(files.read('files/a/one'))).toEqual(content)
    await files.write('files/a/one', of('other'))
    expect((await buffer(files.read('files/a/one'))).toString()).toBe('other')
    await files.remove('files/a/one')
    await files.remove('files/a/one')
    expect(await files.size('files/a/one')).toBeNull()
    await expect(buffer(files.read('files/a/one'))).rejects.toThrow()
  })

  test('keeps a stream of many parts in their order', async () => {
    const files = open()
    const parts = Array.from({ length: 20 }, () => randomBytes(1_000_000))
    await files.write('files/a/large', Readable.from(parts, { objectMode: false }))
    expect((await buffer(files.read('files/a/large'))).equals(Buffer.concat(parts))).toBe(true)
    await files.remove('files/a/large')
  })

  test.each([100, 12_000_000])('stores a stream that breaks after %i bytes not at all', async (bytes) => {
    const files = open()
    await expect(files.write('files/a/broken', Readable.from(failing(bytes), { objectMode: false }))).rejects.toThrow('the line broke')
    expect(await files.size('files/a/broken')).toBeNull()
    await files.remove('files/a/broken')
  })

  test('lends a path, and keeps what was made at one', async () => {
    const files = open()
    await files.write('files/a/lent', of('words'))
    expect(await files.lend('files/a/lent', (path) => readFile(path, 'utf8'))).toBe('words')
    expect(await files.make('files/a/made', async (path) => writeFile(path, 'made').then(() => 7))).toBe(7)
    expect((await buffer(files.read('files/a/made'))).toString()).toBe('made')
    await files.make('files/a/none', () => Promise.resolve())
    expect(await files.size('files/a/none')).toBeNull()
    await expect(files.make('files/a/none', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    const lent = await files.scratch(async (path) => {
      await writeFile(join(path, 'x'), 'x')
      return path
    })
    await expect(readdir(lent)).rejects.toThrow()
  })

  test('lists all that it keeps', async () => {
    const files = open()
    for (const key of ['exports/1', 'files/b/1', 'files/b/2', 'imports/1/source']) await files.write(key, of(key))
    const found: [string, number][] = []
    for await (const { key, size } of files.all()) found.push([key, size])
    expect(found.filter(([key]) => !key.startsWith('files/a/')).toSorted()).toEqual([
      ['exports/1', 9],
      ['files/b/1', 9],
      ['files/b/2', 9],
      ['imports/1/source', 16],
    ])
  })

  test.each(['../etc/passwd', '/etc/passwd', 'files', 'files/../../x', 'files/a b', 'files/\u0000', ''])(
    'refuses the key %j',
    async (key) => {
      const files = open()
      await expect(files.write(key, of('x'))).rejects.toThrow('not a storage key')
      await expect(files.size(key)).rejects.toThrow()
    },
  )
})

test('what a server left in the middle of writing goes with the file', async () => {
  const local = localFiles(join(folder, 'local'))
  await local.write('files/c/1', of('x'))
  await writeFile(join(folder, 'local', 'files/c/2.part'), 'half')
  await local.remove('files/c/2')
  expect(await readdir(join(folder, 'local', 'files/c'))).toEqual(['1'])

  const remote = s3Files({ ...store.settings, scratchDir: folder })
  store.begun.set('left', { key: 'files/c/2', parts: new Map([[1, Buffer.from('half')]]) })
  store.begun.set('other', { key: 'files/c/22', parts: new Map() })
  await remote.remove('files/c/2')
  expect([...store.begun.keys()]).toEqual(['other'])
})

test('a bucket that another key opens is not opened', async () => {
  const files = s3Files({ ...store.settings, secretAccessKey: 'wrong', scratchDir: folder })
  await expect(files.write('files/a/x', of('x'))).rejects.toThrow()
  expect(store.objects.has('files/a/x')).toBe(false)
})

test.each([
  ['plain.pdf', `attachment; filename="plain.pdf"; filename*=UTF-8''plain.pdf`],
  ['Zürich "x".pdf', `attachment; filename="Z_rich _x_.pdf"; filename*=UTF-8''Z%C3%BCrich%20%22x%22.pdf`],
  [`a';*%.pdf`, `attachment; filename="a';*_.pdf"; filename*=UTF-8''a%27%3B%2a%25.pdf`],
])('%s is saved under its own name', (name, header) => {
  expect(savedAs(name)).toBe(header)
})
