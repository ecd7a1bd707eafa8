import { countGarbled, mixedColumns, noGarbled } from './imports.garbled.rules.ts'
import type { Preview, StoredImport } from './imports.queries.ts'

/** What only all rows together tell about the columns that are imported. */
export function createTally({ mapping, preview }: Pick<StoredImport, 'mapping' | 'preview'>) {
  const letters = preview.columns.map(() => noGarbled())
  const read = mapping.flatMap((target, index) => (target === 'ignore' ? [] : [index]))
  return {
    add(cells: readonly string[]) {
      for (const index of read) {
        const count = letters[index]
        if (count) countGarbled(count, cells[index] ?? '')
      }
    },
    result: (): Pick<Preview, 'mixed'> => ({ mixed: mixedColumns(letters) }),
  }
}
