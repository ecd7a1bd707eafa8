import { asFlag, asId, asText, searchParams } from '../../platform/navigation/search-params.ts'

export const ProfileSearch = searchParams({ section: asText(40), invitation: asText(60), join: asFlag, paid: asId, unpaid: asId })
export type ProfileSearch = ReturnType<typeof ProfileSearch>
