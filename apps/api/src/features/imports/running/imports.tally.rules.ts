import { closedList, countValue, valueCounter } from '../mapping/imports.choices.rules.ts'
import { countGarbled, mixedColumns, noGarbled } from '../reading/imports.garbled.rules.ts'
import type { Preview, StoredImport } from '../imports.queries.ts'

/** What only all rows together tell about the columns that are imported. */
export function createTally({ kind, mapping, preview }: Pick<StoredImport, 'kind' | 'mapping' | 'preview'>) {
  const read = mapping.flatMap((target, index) => (target === 'ignore' ? [] : [index]))
  const letters = preview.columns.map(() => noGarbled())
  const counters = mapping.flatMap((target, index) => (closedList(kind, target) ? [valueCounter(index)] : []))
  return {
    add(cells: readonly string[]) {
      for (const index of read) {
        const count = letters[index]
        if (count) countGarbled(count, cells[index] ?? '')
      }
      for (const counter of counters) countValue(counter, cells[counter.index] ?? '')
    },
    result: (): Pick<Preview, 'mixed' | 'values'> => ({
      mixed: mixedColumns(letters),
      values: [
        ...(preview.values ?? []).filter(({ index }) => !counters.some((counter) => counter.index === index)),
        ...counters.map(({ index, values }) => ({ index, whole: true, values: [...values.values()] })),
      ],
    }),
  }
}
