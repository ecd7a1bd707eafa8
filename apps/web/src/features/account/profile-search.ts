import { asText, searchParams } from '../../platform/navigation/search-params.ts'

export const ProfileSearch = searchParams({ section: asText(40), invitation: asText(60) })
export type ProfileSearch = ReturnType<typeof ProfileSearch>
