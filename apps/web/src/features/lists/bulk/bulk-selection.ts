import type { NewExport } from '@guildhall/contract/features/lists'
import type { Selection } from '../../../ui/list/selection.ts'
import type { Filter } from '../../../ui/filter/filter.ts'

type Question = { q: string; filter: Filter }

/** The most that can be ticked one by one; beyond it, the filter says who is meant. */
export const mostTicked = 1000

/** What is selected, as the server wants it; with nothing selected, all that the list shows. */
export function toSelection({ state, isEmpty }: Selection, { q, filter }: Question): NewExport['selection'] {
  if (state.kind === 'some' && !isEmpty) return { ids: [...state.ids] }
  return { all: { ...(q && { q }), ...(filter.and.length > 0 && { filter }) }, except: state.kind === 'all' ? [...state.except] : [] }
}

/** More ticks or exceptions than one request takes. */
export const isTooFine = ({ state }: Selection) => (state.kind === 'some' ? state.ids.size : state.except.size) > mostTicked
