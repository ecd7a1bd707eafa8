import { StandardReport } from '@guildhall/contract/features/reports'
import type { PaletteItem } from '../../platform/navigation/palette.ts'
import type { Can } from '../../platform/session/session.ts'
import { folded } from '../../ui/filter/folded.ts'
import { mayOpen } from './reports-rights.ts'
import { standardWords } from './words/standard-words.ts'

/** The reports that come with the product whose titles hold the words, of those that have something for the reader. */
export function standardFound(q: string, can: Can): PaletteItem[] {
  const words = standardWords()
  return StandardReport.options
    .filter((report) => mayOpen(report, can) && folded(words[report].title).includes(folded(q)))
    .map((report) => ({ id: `report:${report}`, label: words[report].title, hint: words[report].purpose, to: `/reports/${report}` }))
}
