import { asId, asOneOf, searchParams } from '../../platform/navigation/search-params.ts'

export const HomeSearch = searchParams({ scope: asOneOf('me', 'chapter', 'organisation'), chapter: asId })
export type HomeSearch = ReturnType<typeof HomeSearch>
