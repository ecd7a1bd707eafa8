import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { format, resolveConfig } from 'prettier'
import * as z from 'zod'
import { rightsPage } from '../../apps/api/tests/rights/rights-page.ts'
import { withMigratedDatabase } from './migrated-database.ts'
import { openApiDocuments } from './openapi.ts'
import { root } from './repository.ts'
import { rowTypes } from './row-types.ts'
import { schemaSql } from './schema-sql.ts'
import { signInRowsPage } from './sign-in-rows.ts'

/** Every generated file with what it must contain now, from migrations and contract alone. */
export async function generatedFiles(): Promise<Map<string, string>> {
  const [database, documents, merged, checksums] = await Promise.all([
    withMigratedDatabase(async (client) => ({ rows: await rowTypes(client), schema: await schemaSql(client) })),
    openApiDocuments(),
    mergedChecksums(),
    migrationChecksums(),
  ])
  const rowsFile = 'packages/db/src/schema.ts'
  return new Map([
    [rowsFile, await format(database.rows, { ...(await resolveConfig(path.join(root, rowsFile))), parser: 'typescript' })],
    ['packages/db/schema.sql', database.schema],
    [checksumsFile, json({ ...checksums, ...merged })],
    ['openapi/data.json', json(documents.data)],
    ['openapi/actions.json', json(documents.actions)],
    [signInRowsFile, await format(signInRowsPage(), { ...(await resolveConfig(path.join(root, signInRowsFile))), parser: 'markdown' })],
    [rightsFile, await format(rightsPage(), { ...(await resolveConfig(path.join(root, rightsFile))), parser: 'markdown' })],
  ])
}

const signInRowsFile = 'docs/developers/sign-in-rows.md'
const rightsFile = 'docs/users/rights-in-full.md'
const checksumsFile = 'packages/db/checksums.json'

/** The checksums as committed. To change a migration that nobody has run yet, take its line out of the file and generate again. */
export async function mergedChecksums(): Promise<Record<string, string>> {
  return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(path.join(root, checksumsFile), 'utf8').catch(() => '{}')))
}

/** The content of each migration, so that one which has run somewhere is never changed unnoticed. */
export async function migrationChecksums(folder = path.join(root, 'packages/db/migrations')): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const sums: Record<string, string> = {}
  for (const name of names) {
    const content = await readFile(path.join(folder, name))
    sums[name] = createHash('sha256').update(content).digest('hex')
  }
  return sums
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
