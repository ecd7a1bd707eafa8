import type { DemoArea } from '../area.ts'

export const __area__Demo: DemoArea = {
  table: '__records_table__',
  rows: ({ chapters }) =>
    ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth'].map((nth, index) => ({
      name: `${nth} __record_words__`,
      chapter_id: chapters[index]?.id ?? null,
      status: index < 2 ? 'done' : index < 4 ? 'active' : 'planned',
      description: 'Looked after by the chapter. Changes are discussed at its monthly meeting.',
    })),
}
