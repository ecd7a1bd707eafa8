import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { exportJWK, generateKeyPair } from 'jose'
import { z } from 'zod'
import { readJson, writeJson } from './json-files.ts'

const Keys = z.object({
  signing: z.looseObject({ kty: z.literal('RSA'), n: z.string(), e: z.string(), d: z.string(), kid: z.string(), alg: z.literal('RS256') }),
  cookies: z.array(z.string()).min(1),
})

export type IdentityKeys = z.infer<typeof Keys>

/** The provider's keys, made once and kept in the data folder: what the API remembers of them stays right over a restart. */
export async function loadIdentityKeys(dataDir: string): Promise<IdentityKeys> {
  const file = join(dataDir, 'identity-keys.json')
  return (await readJson(Keys, file)) ?? (await createKeys(file))
}

async function createKeys(file: string): Promise<IdentityKeys> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const keys = Keys.parse({
    signing: { ...(await exportJWK(privateKey)), kid: randomBytes(9).toString('base64url'), use: 'sig', alg: 'RS256' },
    cookies: [randomBytes(32).toString('base64url')],
  })
  await writeJson(file, keys)
  return keys
}
