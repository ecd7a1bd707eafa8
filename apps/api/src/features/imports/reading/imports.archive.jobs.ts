import type { Readable } from 'node:stream'
import { openPromise } from 'yauzl'
import type { Entry } from 'yauzl'
import { WorkbookFault, damaged, locked, tooLarge, workbookLimits } from './imports.workbook.rules.ts'

/** The parts of a workbook, by lower-cased name. */
export type Archive = {
  names: ReadonlySet<string>
  /** The bytes of a part as they are unpacked; more than `most`, or than all parts together may have, ends the reading. */
  read(name: string, most?: number): AsyncGenerator<Buffer>
  /** The beginning of a part. */
  begin(name: string): Promise<string>
}

export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, validateEntrySizes: true }).catch(refuse)
  if (zip.entryCount > workbookLimits.entries) throw new WorkbookFault(tooLarge)
  const entries = new Map<string, Entry>()
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.isEncrypted()) throw new WorkbookFault(locked)
      const name = entry.fileName.toLowerCase()
      // Two parts of one name are read differently by different programs.
      if (entries.has(name)) throw new WorkbookFault(damaged)
      entries.set(name, entry)
      if (entries.size > workbookLimits.entries) throw new WorkbookFault(tooLarge)
    }
  } catch (error) {
    refuse(error)
  }
  let inflated = 0

  const open = async (name: string): Promise<Readable> => {
    const entry = entries.get(name)
    if (!entry) throw new WorkbookFault(damaged)
    return zip.openReadStreamPromise(entry).catch(refuse)
  }
  const archive: Archive = {
    names: new Set(entries.keys()),
    async *read(name, most = workbookLimits.inflated) {
      const stream = await open(name)
      let size = 0
      try {
        const chunks: AsyncIterable<Buffer> = stream
        for await (const chunk of chunks) {
          size += chunk.length
          inflated += chunk.length
          if (size > most || inflated > workbookLimits.inflated) throw new WorkbookFault(tooLarge)
          yield chunk
        }
      } catch (error) {
        refuse(error)
      } finally {
        stream.destroy()
      }
    },
    async begin(name) {
      for await (const chunk of archive.read(name)) return chunk.toString('latin1')
      return ''
    },
  }
  return archive
}

/** Whatever is wrong inside a ZIP archive, the file is damaged. */
function refuse(error: unknown): never {
  throw error instanceof WorkbookFault ? error : new WorkbookFault(damaged)
}
