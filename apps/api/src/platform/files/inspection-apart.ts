import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileLimits, storedTypes } from '@guildhall/contract/features/files'
import type { StoredType } from '@guildhall/contract/features/files'
import { fileTypeFromFile } from 'file-type'
import sharp from 'sharp'
import type { Sharp } from 'sharp'
import { openPromise } from 'yauzl'
import { Task } from './inspection-task.ts'
import type { Inspected, Refusal, Use } from './inspection-task.ts'

// Runs in a process of its own (apart.ts): it reads what anyone may have made.

class Refused extends Error {
  readonly why: Refusal
  constructor(why: Refusal) {
    super(why)
    this.why = why
  }
}

const isStoredType = (type: string): type is StoredType => Object.hasOwn(storedTypes, type)
/** The type to which an ending belongs. */
const typeOfEnding = (ending: string): StoredType | undefined =>
  Object.keys(storedTypes)
    .filter(isStoredType)
    .find((type) => storedTypes[type].some((one) => one === ending))
/** Other names of the same. */
const synonyms: Record<string, StoredType> = {
  'audio/mp4': 'audio/x-m4a',
  'audio/opus': 'audio/ogg',
  'audio/vnd.wave': 'audio/wav',
  'video/x-m4v': 'video/mp4',
}
const endingOf = (name: string) => /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

async function typeOf(source: string, name: string): Promise<StoredType> {
  const found = await fileTypeFromFile(source).catch(() => undefined)
  if (found?.mime.includes('macroenabled') || found?.mime.includes('macroEnabled')) throw new Refused('macros')
  const type = found ? (synonyms[found.mime] ?? found.mime) : ''
  if (!found || type.startsWith('text/')) return textOf(source, name)
  if (!isStoredType(type)) throw new Refused('not_accepted')
  return type
}

/** What a browser or another program could take for something to run, at the beginning of a text. */
const runs = /^\s*(<|%!|#!|MZ|@echo|\{\\rtf)|<(script|html|svg|iframe|object|embed|body|img|\?php|\?xml|!doctype|!entity)\b/i

/** Text is what reads as UTF-8 without control characters; its name says which kind of text. */
async function textOf(source: string, name: string): Promise<StoredType> {
  const ending = endingOf(name)
  const type = ending === '' ? 'text/plain' : typeOfEnding(ending)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let beginning = ''
  try {
    const chunks: AsyncIterable<Buffer> = createReadStream(source)
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true })
      // eslint-disable-next-line no-control-regex -- what no text holds
      if (/[\u0000-\u0008\u000e-\u001f\u007f]/.test(text)) throw new Refused('not_accepted')
      if (beginning.length < 4_096) beginning += text.slice(0, 4_096)
    }
    decoder.decode()
  } catch (error) {
    throw error instanceof Refused ? error : new Refused('not_accepted')
  }
  if (runs.test(beginning)) throw new Refused('not_accepted')
  // A program, or a text under the name of a picture.
  if (!type?.startsWith('text/')) throw new Refused(type ? 'wrong_type' : 'not_accepted')
  return type
}

async function edgeOf(source: string, bytes: number): Promise<Buffer> {
  const file = await open(source)
  try {
    const { size } = await file.stat()
    const length = Math.min(size, bytes)
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length)
    return buffer
  } finally {
    await file.close()
  }
}

const archiveLimits = { entries: 10_000, bytes: 500_000_000, ratio: 200 }
const programs = /(^|\/)(vbaproject\.bin|vbadata\.xml|activex\d*\.(bin|xml)|basic\/script-lc\.xml)$|^basic\//i

/** A document is an archive: not one that unpacks to gigabytes, nor one with programs in it. Nothing of it is unpacked here. */
async function checkArchive(source: string): Promise<void> {
  const refuse = () => {
    throw new Refused('broken')
  }
  const archive = await openPromise(source, { lazyEntries: true, autoClose: false }).catch(refuse)
  if (archive.entryCount > archiveLimits.entries) throw new Refused('too_complex')
  let packed = 0
  let unpacked = 0
  const iterate = async () => {
    for await (const entry of archive.eachEntry()) {
      if (programs.test(entry.fileName)) throw new Refused('macros')
      packed += entry.compressedSize
      unpacked += entry.uncompressedSize
    }
  }
  await iterate().catch((error: unknown) => {
    throw error instanceof Refused ? error : new Refused('broken')
  })
  if (unpacked > archiveLimits.bytes || (unpacked > 1_000_000 && unpacked > packed * archiveLimits.ratio)) throw new Refused('too_complex')
}

// Pictures ------------------------------------------------------------------------------------------------------------------------------

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadHeifFile',
  ],
})

const isPicture = (type: StoredType) => type.startsWith('image/')
const pixels = { small: 128, large: 512 } as const

/** The picture turned the way it was taken. Nothing of what else its file held is written: no place, no camera, no preview. */
const picture = (source: string, animated = false) =>
  sharp(source, { limitInputPixels: fileLimits.pixels, failOn: 'error', animated }).autoOrient()

async function written(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw new Refused(error instanceof Error && /pixel limit|too large|too big/i.test(error.message) ? 'too_many_pixels' : 'broken')
  }
}

const encoded = (image: Sharp, type: StoredType): Sharp => {
  switch (type) {
    case 'image/png':
      return image.png()
    case 'image/webp':
      return image.webp({ quality: 88 })
    case 'image/gif':
      return image.gif()
    case 'image/avif':
      return image.avif({ quality: 60, effort: 2 })
    default:
      return image.jpeg({ quality: 90 })
  }
}

const covers = { small: { width: 480, height: 270 }, large: { width: 1280, height: 720 } } as const

/** Twice as many pixels as a message is wide, for screens that show them so. */
const inMessages = { small: { width: 480, height: 960 }, large: { width: 1104, height: 2208 } } as const

/** Of a cover, and for messages, also as JPEG, which every messenger and mail program shows. */
async function makePicture(source: string, folder: string, use: Exclude<Use, 'attachment'>): Promise<Inspected['made']> {
  for (const size of ['small', 'large'] as const) {
    const edge = pixels[size]
    const fitted =
      use === 'cover'
        ? picture(source).resize({ ...covers[size], fit: 'cover', position: 'centre' })
        : use === 'message'
          ? picture(source).resize({ ...inMessages[size], fit: 'inside', withoutEnlargement: true })
          : use === 'face'
            ? picture(source).resize(edge, edge, { fit: 'cover', position: 'centre' })
            : picture(source).resize(edge, edge, { fit: 'inside', withoutEnlargement: true })
    await written(fitted.webp({ quality: 84 }).toFile(join(folder, size)))
  }
  if (use !== 'cover' && use !== 'message') return ['small', 'large']
  const plain = picture(join(folder, 'large')).flatten({ background: '#fff' })
  await written(plain.jpeg({ quality: 82, mozjpeg: true }).toFile(join(folder, 'content')))
  return ['small', 'large', 'content']
}

async function inspect({ source, folder, name, use }: Task): Promise<Inspected> {
  if ((await edgeOf(source, 1)).length === 0) throw new Refused('empty')
  if (use !== 'attachment') {
    const type = await typeOf(source, 'picture.txt').catch(() => undefined)
    if (!type || !isPicture(type)) throw new Refused('not_a_picture')
    return { type: 'image/webp', ending: 'webp', made: await makePicture(source, folder, use) }
  }
  const type = await typeOf(source, name)
  const endings: readonly string[] = storedTypes[type]
  const given = endingOf(name)
  const ending = endings.includes(given) ? given : (endings[0] ?? 'txt')
  if (isPicture(type)) {
    await written(encoded(picture(source, type === 'image/gif'), type).toFile(join(folder, 'content')))
    return { type, ending, made: ['content'] }
  }
  if (type === 'application/pdf' && !(await edgeOf(source, 4_096)).includes('%%EOF')) throw new Refused('broken')
  if (/officedocument|oasis/.test(type)) await checkArchive(source)
  return { type, ending, made: [] }
}

for await (const line of createInterface(process.stdin)) {
  const answer = await inspect(Task.parse(JSON.parse(line))).catch((error: unknown) => {
    if (error instanceof Refused) return { refused: error.why }
    throw error
  })
  await new Promise<void>((resolve) => process.stdout.write(JSON.stringify(answer), () => resolve()))
  break
}
// Its stdin stays open for as long as the server lives.
process.exit(0)
