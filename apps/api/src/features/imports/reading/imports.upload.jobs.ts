import type { OwnColumn } from '../mapping/imports.exported.rules.ts'
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { Readable } from 'node:stream'
import { importLimits } from '@guildhall/contract/features/imports'
import type { ImportFormat, ImportKind, ImportSheet } from '@guildhall/contract/features/imports'
import type { AnyReason } from '@guildhall/contract/reasons'
import type { Files } from '../../../platform/files/files.ts'
import { problem } from '../../../platform/procedures/problem.ts'
import { analyse } from '../mapping/imports.analysis.rules.ts'
import type { Given } from '../mapping/imports.analysis.rules.ts'
import { createSniffer } from './imports.encoding.rules.ts'
import type { Refusal, Sniffed } from './imports.encoding.rules.ts'
import { fileGone, fileKeys, headOf, rowsKey } from './imports.file.jobs.ts'
import { convertWorkbook } from './imports.workbook.jobs.ts'
import type { Noticed } from './imports.workbook.rules.ts'

export type Stored = { size: number; hash: string; sniffed: Exclude<Sniffed, { type: 'refused' }> }

export const refusedFile = ({ message, fix, ...said }: Refusal) =>
  problem(statusOf[said.reason] ?? 'UNPROCESSABLE_CONTENT', { ...said, detail: `${message} ${fix}` })

const statusOf: { [R in AnyReason]?: 'GONE' | 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE' } = {
  binary_file: 'UNSUPPORTED_MEDIA_TYPE',
  file_gone: 'GONE',
  file_too_large: 'PAYLOAD_TOO_LARGE',
  not_a_table: 'UNSUPPORTED_MEDIA_TYPE',
  workbook_too_large: 'PAYLOAD_TOO_LARGE',
  workbook_too_slow: 'PAYLOAD_TOO_LARGE',
}

/** Stores a file as it streams in, with its size, its fingerprint and what it is; one that cannot be a table is not kept. */
export async function storeFile(files: Files, importId: string, content: Readable, limit: number = importLimits.bytes): Promise<Stored> {
  const key = fileKeys(importId).source
  const hash = createHash('sha256')
  const sniffer = createSniffer()
  let size = 0
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size > limit)
        return done(
          refusedFile({
            reason: 'file_too_large',
            params: { max: limit },
            message: `A file has at most ${Math.round(limit / 1_000_000)} MB.`,
            fix: 'Split it, or import it from the command line.',
          }),
        )
      hash.update(chunk)
      sniffer.push(chunk)
      done(null, chunk)
    },
  })
  content.on('error', (error) => watched.destroy(error))
  // A form can end before anything is written: the writing then meets this error, and nobody else must.
  watched.on('error', () => undefined)
  await files.write(key, content.pipe(watched))
  const sniffed = sniffer.result()
  if (sniffed.type !== 'refused') return { size, hash: hash.digest('hex'), sniffed }
  await files.remove(key)
  throw refusedFile(sniffed.why)
}

/** Looks at the beginning of a stored file; a workbook is turned into CSV first. */
export async function lookAt(
  files: Files,
  importId: string,
  kind: ImportKind,
  seen: Pick<ImportFormat, 'type' | 'encoding'> & { sure: boolean },
  given: Given,
  own: readonly OwnColumn[] = [],
) {
  const keys = fileKeys(importId)
  if ((await files.size(keys.source)) === null) throw refusedFile(fileGone.why)
  let sheet: string | null = null
  let sheets: ImportSheet[] = []
  let noticed: Noticed[] = []
  if (seen.type === 'xlsx') {
    const converted = await convertWorkbook(files, keys.source, keys.rows, given.sheet ?? null)
    if ('refused' in converted) throw refusedFile(converted.refused)
    sheet = converted.sheet
    sheets = converted.sheets
    noticed = converted.noticed
  }
  const format: ImportFormat = {
    type: seen.type,
    encoding: given.encoding ?? seen.encoding,
    separator: ',',
    headerRow: 1,
    dateOrder: null,
    sheet,
  }
  const key = rowsKey(importId, format)
  const bytes = 262_144
  const size = (await files.size(key)) ?? 0
  const text = await headOf(files, key, format, bytes)
  return analyse(
    kind,
    { type: seen.type, encoding: seen.encoding, sure: seen.sure, sheet, sheets, noticed, text, whole: size <= bytes },
    given,
    own,
  )
}
