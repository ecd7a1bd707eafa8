import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

// Sealed bytes: which way it was sealed, 12 random bytes, 16 that prove it, the text (AES-256-GCM).

const algorithm = 'aes-256-gcm'
const way = 1
const head = 1 + 12 + 16

const keyOf = (key: string) => Buffer.from(key, 'hex')

/** Seals a text with the key of the operator. Only where `place` is the same is it opened again, so that bytes moved to another row open nothing. */
export function seal(key: string, text: string, place = ''): Buffer {
  const random = randomBytes(12)
  const cipher = createCipheriv(algorithm, keyOf(key), random).setAAD(Buffer.from(place))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.from([way]), random, cipher.getAuthTag(), sealed])
}

/** The text; null where the bytes were sealed with another key or for another place, or were changed. */
export function open(key: string, bytes: Uint8Array, place = ''): string | null {
  const sealed = Buffer.from(bytes)
  if (sealed.length < head || sealed[0] !== way) return null
  try {
    const decipher = createDecipheriv(algorithm, keyOf(key), sealed.subarray(1, 13))
      .setAAD(Buffer.from(place))
      .setAuthTag(sealed.subarray(13, head))
    return Buffer.concat([decipher.update(sealed.subarray(head)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}

/** Where a secret of a connection is kept. */
export const secretPlace = (connectionId: string, name: string): string => `${connectionId} ${name}`
