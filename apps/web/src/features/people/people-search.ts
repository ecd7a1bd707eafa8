import { asFlag, asText, searchParams } from '../../platform/navigation/search-params.ts'
import { listSearch } from '../lists/list-search-public.ts'

/** Everything the list shows is in its address; a value that makes no sense is dropped instead of failing the page. */
export const PeopleSearch = searchParams({ ...listSearch, panel: asText(100), new: asFlag, figures: asFlag, import: asFlag })
export type PeopleSearch = ReturnType<typeof PeopleSearch>
