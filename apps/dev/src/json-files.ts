import { readFile, rename, writeFile } from 'node:fs/promises'
import type { z } from 'zod'

/** A text as what it should be; undefined when it is not JSON, or something else. */
export function jsonOf<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> | undefined {
  try {
    return schema.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

/** A file as what it should be; undefined when there is none, or it is not that. */
export async function readJson<Schema extends z.ZodType>(schema: Schema, file: string): Promise<z.output<Schema> | undefined> {
  return jsonOf(schema, await readFile(file, 'utf8').catch(() => ''))
}

/** Replaces a file as a whole, readable by its owner only: a crash leaves the old one or the new one, never half. */
export async function writeJson(file: string, value: unknown): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}
