import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { z } from 'zod'
import { readJson, writeJson } from './json-files.ts'

const Secrets = z.object({ apiPassword: z.string().min(32), workerPassword: z.string().min(32), actorKey: z.string().length(64) })
export type Secrets = z.infer<typeof Secrets>

/** Passwords of the two login roles and the key that signs the actor: random, made at the first start and kept in the data folder. */
export async function loadSecrets(dataDir: string): Promise<Secrets> {
  const file = join(dataDir, 'secrets.json')
  const known = await readJson(Secrets, file)
  if (known) return known
  const made = { apiPassword: random(24), workerPassword: random(24), actorKey: random(32) }
  await writeJson(file, made)
  return made
}

const random = (bytes: number): string => randomBytes(bytes).toString('hex')
