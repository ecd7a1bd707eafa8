import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { fileLimits, storedTypes } from '@guildhall/contract/features/files'
import type { FiledRecord, PicturedRecord } from '@guildhall/contract/features/files'
import { contentKey, contentParts } from '../../platform/files/content.ts'
import type { Inspected, Use } from '../../platform/files/inspection-task.ts'
import type { CallerContext } from '../../platform/procedures/context.ts'
import { fault, problem } from '../../platform/procedures/problem.ts'
import { newId } from '../../platform/records/new-id.ts'
import { forgetUpload, insertFile, isOpen, isThere, noteUpload, readUse, removePicture } from './files.queries.ts'
import { keptName } from './files.rules.ts'

type Asked = { recordType: FiledRecord | PicturedRecord; recordId: string; name?: string | undefined; content?: string | undefined }

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000)

/**
 * Takes a file in: refuses what the account may not send before anything is stored, notes that something will lie in the store, stores it as it
 * streams in, has it looked at, and makes the row in the transaction that ends the note. What goes wrong leaves nothing.
 */
export async function takeIn(context: CallerContext, asked: Asked, use: Use): Promise<string> {
  const { actor, services } = context
  const { files, inspect } = services
  await admit(context, asked)
  const fileId = newId()
  const { name, content } = await contentOf(context, asked)
  await context.inTx((db) => noteUpload(db, actor, fileId))
  const key = (part: (typeof contentParts)[number]) => contentKey(actor.orgId, fileId, part)
  try {
    const limit = use === 'attachment' ? fileLimits.bytes : fileLimits.pictureBytes
    const { size } = await files.write(key('upload'), content.pipe(limited(content, limit)))
    const kept = await files.lend(key('upload'), (source) =>
      files.scratch(async (folder) => {
        const seen = await inspect({ source, folder, name, use })
        let bytes = seen.made.length === 0 ? size : 0
        for (const part of seen.made) {
          bytes += (await stat(join(folder, part))).size
          await files.write(key(part), createReadStream(join(folder, part)))
        }
        if (seen.made.length === 0) await files.write(key('content'), createReadStream(source))
        return { ...seen, bytes }
      }),
    )
    await files.remove(key('upload'))
    await context.inTx((db) => keep(db, { ...asked, ...kept, id: fileId, name, use }))
  } catch (error) {
    for (const part of contentParts) await files.remove(key(part)).catch(() => undefined)
    await context.inTx((db) => forgetUpload(db, fileId)).catch(() => undefined)
    throw error
  }
  return fileId

  async function keep(
    db: Parameters<typeof insertFile>[0],
    made: Asked & Inspected & { id: string; bytes: number; name: string; use: Use },
  ) {
    const { id, recordType, recordId, type, bytes } = made
    const isPicture = made.use !== 'attachment'
    if (isPicture && (recordType === 'person' || recordType === 'organisation')) await removePicture(db, recordType, recordId)
    const named = isPicture ? 'Picture.webp' : keptName(made.name, storedTypes[made.type], made.ending)
    await insertFile(db, actor, { id, recordType, recordId, use: isPicture ? 'picture' : 'attachment', name: named, type, bytes })
    await forgetUpload(db, id)
  }
}

/** Bounds of the account and of the record. Whether the record may be changed is said again by the database when the row is made. */
async function admit(context: CallerContext, { recordType, recordId }: Asked): Promise<void> {
  await context.inTx(async (db) => {
    if (!(await isThere(db, recordType, recordId))) throw problem('NOT_FOUND')
    if (!(await isOpen(db, recordType, recordId))) throw problem('FORBIDDEN')
    const use = await readUse(db, recordType, recordId)
    if (use.underWay >= fileLimits.underWay)
      throw problem('TOO_MANY_REQUESTS', {
        reason: 'uploads_under_way',
        params: { max: fileLimits.underWay },
        detail: `At most ${fileLimits.underWay} files are uploaded at once. Wait for one of them to finish.`,
      })
    if (use.bytesToday >= fileLimits.bytesPerDay)
      throw problem('TOO_MANY_REQUESTS', {
        reason: 'uploads_per_day',
        params: { max: fileLimits.bytesPerDay },
        detail: `You have uploaded ${megabytes(fileLimits.bytesPerDay)} MB within a day. Go on tomorrow.`,
      })
    if (use.files >= fileLimits.perRecord)
      throw problem('CONFLICT', {
        reason: 'too_many_files',
        params: { max: fileLimits.perRecord },
        detail: `There are ${fileLimits.perRecord} files here already. Remove some first.`,
      })
  })
}

async function contentOf(context: CallerContext, { name, content }: Asked): Promise<{ name: string; content: Readable }> {
  if (content !== undefined) return { name: name ?? '', content: Readable.from([Buffer.from(content, 'base64')], { objectMode: false }) }
  const part = await context.upload()
  if (!part)
    throw problem('UNPROCESSABLE_CONTENT', fault('file', 'no_file', 'Choose a file.', { detail: 'Send a file in a part named "file".' }))
  return { name: name ?? part.fileName, content: part.content }
}

function limited(content: Readable, limit: number): Transform {
  let size = 0
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length
      if (size <= limit) return done(null, chunk)
      return done(
        problem('PAYLOAD_TOO_LARGE', {
          reason: 'upload_too_large',
          params: { max: limit },
          detail: `This file is larger than ${megabytes(limit)} MB. Choose a smaller one.`,
        }),
      )
    },
  })
  content.on('error', (error) => watched.destroy(error))
  // A form can end before anything is written: the writing then meets this error, and nobody else must.
  watched.on('error', () => undefined)
  return watched
}
