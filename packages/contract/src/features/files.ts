import * as z from 'zod'
import { act, del, get, patch, post } from '../base.ts'
import { Cursor, Id, Instant, Limit, PersonRef, Version, page, text } from '../shapes.ts'

const tag = 'Files'

/** `keptDays`: so long a removed file can be restored. */
export const fileLimits = {
  bytes: 100_000_000,
  pictureBytes: 20_000_000,
  pixels: 40_000_000,
  bytesPerDay: 2_000_000_000,
  underWay: 6,
  perRecord: 1_000,
  keptDays: 7,
} as const

/** Records that have files. Another one is added here once its table is registered with register_record. */
export const FiledRecord = z.enum(['chapter', 'group', 'event'])
export type FiledRecord = z.infer<typeof FiledRecord>
/** Records that have a picture. */
export const PicturedRecord = z.enum(['person', 'organisation', 'event', 'campaign', 'message_picture'])
export type PicturedRecord = z.infer<typeof PicturedRecord>
export const PictureSize = z
  .enum(['small', 'large'])
  .describe(
    'small: 128 pixels, for lists; large: 512 pixels. Covers of events and campaigns: 480 × 270 and 1280 × 720; pictures of messages: at most 480 and 1104 wide',
  )
export type PictureSize = z.infer<typeof PictureSize>

/** What may be stored, by the media type that the content shows, with the endings that belong to it. None of them runs in a browser. */
export const storedTypes = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'image/gif': ['gif'],
  'image/avif': ['avif'],
  'application/pdf': ['pdf'],
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': ['docx'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': ['xlsx'],
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': ['pptx'],
  'application/vnd.oasis.opendocument.text': ['odt'],
  'application/vnd.oasis.opendocument.spreadsheet': ['ods'],
  'application/vnd.oasis.opendocument.presentation': ['odp'],
  'text/plain': ['txt', 'log'],
  'text/csv': ['csv'],
  'text/tab-separated-values': ['tsv'],
  'text/markdown': ['md'],
  'text/calendar': ['ics'],
  'text/vcard': ['vcf'],
  'audio/mpeg': ['mp3'],
  'audio/x-m4a': ['m4a'],
  'audio/wav': ['wav'],
  'audio/ogg': ['ogg'],
  'video/mp4': ['mp4'],
  'video/quicktime': ['mov'],
  'video/webm': ['webm'],
} as const satisfies Record<string, readonly [string, ...string[]]>
export type StoredType = keyof typeof storedTypes

export const StoredFile = z.object({
  id: Id,
  name: z.string(),
  type: z.string().describe('Media type, found from the content'),
  bytes: z.int(),
  addedBy: PersonRef.nullable().describe('Null when it was nobody of the directory, or somebody you do not see'),
  createdAt: Instant,
  version: Version,
})
export type StoredFile = z.infer<typeof StoredFile>

const OneFile = z.strictObject({ fileId: Id })
const upload = {
  file: z.file().optional(),
  name: text(200).optional().describe('For a file sent as `content`'),
  content: z.base64().max(700_000).optional().describe('A small file in base64, instead of multipart/form-data'),
}

export const filesData = {
  list: get('/files', 'listFiles', { needs: 'signed-in', whileActing: true, tag, summary: 'Files of a record, newest first' })
    .input(z.strictObject({ recordType: FiledRecord, recordId: Id, cursor: Cursor.optional(), limit: Limit.optional() }))
    .output(page(StoredFile)),
  update: patch('/files/{fileId}', 'updateFile', {
    needs: 'signed-in',
    tag,
    summary: 'Rename a file',
    description: 'The ending stays what the content is.',
  })
    .input(OneFile.extend({ name: text(200, 1) }).meta({ examples: [{ name: 'Minutes of May.pdf' }] }))
    .output(StoredFile),
  remove: del('/files/{fileId}', 'removeFile', {
    needs: 'signed-in',
    tag,
    summary: 'Remove a file from its record',
    description: 'It can be restored for 7 days.',
  })
    .input(OneFile)
    .output(z.void()),
  restore: act('/files/{fileId}/restore', 'restoreFile', {
    needs: 'signed-in',
    ifMatch: false,
    tag,
    summary: 'Bring back a file that was removed',
  })
    .input(OneFile)
    .output(StoredFile),
  removePicture: del('/pictures/{recordType}/{recordId}', 'removePicture', {
    needs: 'signed-in',
    whileActing: true,
    tag,
    summary: 'Remove a picture',
  })
    .input(z.strictObject({ recordType: PicturedRecord.exclude(['event', 'campaign', 'message_picture']), recordId: Id }))
    .output(z.void()),
}

export const filesActions = {
  upload: post('/files/{recordType}/{recordId}', 'uploadFile', {
    needs: 'signed-in',
    idempotent: false,
    upload: true,
    perHour: 600,
    tag,
    summary: 'Add a file to a record',
    description:
      'Send multipart/form-data with one part named `file` (at most 100 MB). The type is found from the content, not from the name. Accepted are pictures, PDF, ' +
      'documents of Office and OpenDocument without macros, text, audio and video. Pictures are written anew, without anything hidden in them.',
  })
    .input(z.strictObject({ recordType: FiledRecord, recordId: Id, ...upload }))
    .output(StoredFile),
  download: get('/files/{fileId}/content', 'downloadFile', { needs: 'signed-in', whileActing: true, tag, summary: 'The content of a file' })
    .input(OneFile)
    .output(z.file()),
  link: post('/files/{fileId}/link', 'linkFile', {
    needs: 'signed-in',
    idempotent: false,
    tag,
    summary: 'An address that downloads a file without a token, for one minute',
    description: 'It ends early when you may no longer see the file.',
  })
    .input(OneFile)
    .output(z.object({ url: z.string(), expiresAt: Instant })),
  setPicture: post('/pictures/{recordType}/{recordId}', 'setPicture', {
    needs: 'signed-in',
    whileActing: true,
    idempotent: false,
    upload: true,
    perHour: 120,
    tag,
    summary: 'Set the picture of a person or the logo of the organisation, or upload one for an event, a campaign or a message',
    description:
      'Send multipart/form-data with one part named `file` (JPEG, PNG, WebP, GIF or AVIF, at most 20 MB and 40 megapixels). A person’s picture becomes a square ' +
      'from its middle, one of an event or a campaign is cut to 16:9. Nothing but what is to be seen is kept. These show it once it is their `coverFileId`; a picture ' +
      'that none of them has shown for 7 days is removed. One for a message keeps its shape.',
  })
    .input(z.strictObject({ recordType: PicturedRecord, recordId: Id, ...upload }))
    .output(z.object({ pictureId: Id })),
  picture: get('/pictures/{pictureId}/{size}', 'getPicture', { needs: 'signed-in', whileActing: true, tag, summary: 'A picture, as WebP' })
    .input(z.strictObject({ pictureId: Id, size: PictureSize }))
    .output(z.file()),
}
