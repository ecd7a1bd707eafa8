import { createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

/** As SendGrid shows it: the key without its frame. */
export const publicKeyOf = (key: string): KeyObject =>
  createPublicKey(key.includes('BEGIN') ? key : { key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' })
