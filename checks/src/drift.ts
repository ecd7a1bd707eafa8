import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { generatedFiles, mergedChecksums, migrationChecksums } from './generated.ts'
import { root } from './repository.ts'

/** Generated files that differ from what migrations and contract make now, and migrations changed after they were merged. */
export async function drift() {
  const stale = await Promise.all(
    [...(await generatedFiles())].map(async ([file, content]) => {
      const committed = await readFile(path.join(root, file), 'utf8').catch(() => null)
      if (committed === content) return []
      return [
        committed === null
          ? `${file} is missing; run \`npm run generate\``
          : `${file} is stale from ${firstDifference(committed, content)}; run \`npm run generate\``,
      ]
    }),
  )
  return [...stale.flat(), ...editedMigrations(await migrationChecksums(), await mergedChecksums())]
}

function firstDifference(before: string, after: string) {
  const now = after.split('\n')
  return `line ${before.split('\n').findIndex((line, index) => line !== now[index]) + 1 || now.length}`
}

/** A merged migration has run somewhere: it is never edited or removed, and what is new runs after it. */
export function editedMigrations(now: Record<string, string>, merged: Record<string, string>) {
  const last = Object.keys(merged).sort().at(-1) ?? ''
  const changed = Object.entries(merged).flatMap(([name, sum]) => {
    if (!(name in now)) return [`${name}: a merged migration was removed; write a new one that takes its effect back`]
    return now[name] === sum ? [] : [`${name}: a merged migration was edited; write a new one`]
  })
  const early = Object.keys(now).filter((name) => !(name in merged) && name < last)
  return [...changed, ...early.map((name) => `${name}: sorts before ${last}, which has been merged; give it a later time`)]
}
