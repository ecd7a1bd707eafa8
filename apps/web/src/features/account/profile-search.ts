import { asText, searchParams } from '../../platform/navigation/search-params.ts'

export const ProfileSearch = searchParams({ section: asText(40) })
export type ProfileSearch = ReturnType<typeof ProfileSearch>
