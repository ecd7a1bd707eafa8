import { createPrivateKey, createPublicKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'

export type Dkim = { domain: string; selector: string; key: KeyObject; pem: string }
/** Of the configuration, which asks this file about them. */
type Settings = { [name in 'DKIM_DOMAIN' | 'DKIM_SELECTOR' | 'DKIM_PRIVATE_KEY']?: string | undefined }

/** With what mail is signed; undefined where nothing is said of it. Throws what is wrong with the key. */
export function dkimOf({ DKIM_DOMAIN: domain, DKIM_SELECTOR: selector, DKIM_PRIVATE_KEY: given }: Settings): Dkim | undefined {
  if (domain === undefined || selector === undefined || given === undefined) return undefined
  const pem = given.includes('-----BEGIN') ? given.replaceAll('\\n', '\n') : readFileSync(given, 'utf8')
  const key = createPrivateKey(pem)
  if (key.asymmetricKeyType !== 'rsa') throw new Error('the key must be an RSA key')
  if ((key.asymmetricKeyDetails?.modulusLength ?? 0) < 1024) throw new Error('the key must have 1024 bits at least, better 2048')
  return { domain, selector, key, pem }
}

/** Where receiving servers look for the key, and what has to stand there. */
export function dkimRecordOf({ domain, selector, key }: Dkim): { name: string; value: string; publicKey: string } {
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64')
  return { name: `${selector}._domainkey.${domain}`, value: `v=DKIM1; k=rsa; p=${publicKey}`, publicKey }
}

/** What keeps the settings from being used. */
export function dkimFaults(config: Settings): string[] {
  const names = ['DKIM_DOMAIN', 'DKIM_SELECTOR', 'DKIM_PRIVATE_KEY'] as const
  const missing = names.filter((name) => config[name] === undefined)
  if (missing.length === names.length) return []
  if (missing.length > 0) return missing.map((name) => `${name}: missing; mail is signed with all three of ${names.join(', ')}`)
  try {
    dkimOf(config)
    return []
  } catch (error) {
    return [`DKIM_PRIVATE_KEY: ${error instanceof Error ? error.message : 'cannot be read'}`]
  }
}
