import { buffer } from 'node:stream/consumers'
import type { Files } from './files.ts'

/** Where the content of a file lies in the store, and everything that can lie there of one. */
export const contentKey = (orgId: string, fileId: string, part: 'content' | 'small' | 'large' | 'upload') =>
  `files/${orgId}/${fileId}/${part}`
export const contentParts = ['upload', 'content', 'small', 'large'] as const

/** A picture for what is made on the server; undefined where it is no longer in the store. `content` is a cover as JPEG. */
export async function readPicture(
  files: Files,
  orgId: string,
  pictureId: string,
  size: 'small' | 'large' | 'content',
): Promise<Buffer | undefined> {
  const key = contentKey(orgId, pictureId, size)
  return (await files.size(key)) === null ? undefined : buffer(files.read(key))
}
