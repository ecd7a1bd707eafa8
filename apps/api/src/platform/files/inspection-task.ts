import { storedTypes } from '@guildhall/contract/features/files'
import type { StoredType } from '@guildhall/contract/features/files'
import * as z from 'zod'

/** How a picture is kept: a square of a person's face, all of a logo, what fits the frame of a cover, or all of it as wide as a message. */
export type Use = 'attachment' | 'face' | 'logo' | 'cover' | 'message'
export const Task = z.object({
  source: z.string(),
  folder: z.string(),
  name: z.string(),
  use: z.enum(['attachment', 'face', 'logo', 'cover', 'message']),
})
export type Task = z.infer<typeof Task>
const isStoredType = (value: string): value is StoredType => Object.hasOwn(storedTypes, value)
/** `made`: which of the files that are kept were written to the folder; without `content` the source is kept as it is. */
export const Inspected = z.object({
  type: z.string().refine(isStoredType),
  ending: z.string(),
  made: z.array(z.enum(['content', 'small', 'large'])),
})
export type Inspected = z.infer<typeof Inspected>
export const refusals = {
  empty: 'This file is empty. Choose another one.',
  not_accepted:
    'Files of this kind are not accepted. Upload pictures, PDF, documents of Office or OpenDocument, text, audio or video; unpack archives first.',
  wrong_type: 'The content of this file is not what its name says. Save it in the format that its name promises, and try again.',
  not_a_picture: 'This is not a picture that can be used. Choose a JPEG, PNG, WebP, GIF or AVIF file.',
  macros: 'Documents with macros are not accepted. Save it without macros.',
  broken: 'This file is damaged or incomplete. Open it, save it again and try once more.',
  too_many_pixels: 'This picture has more than 40 megapixels. Make it smaller first.',
  too_complex: 'This file takes too much work to read. Save it again in a simpler form.',
} as const
export type Refusal = keyof typeof refusals
