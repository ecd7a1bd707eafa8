import { asText, searchParams } from '../../platform/navigation/search-params.ts'

export const ContactSearch = searchParams({ q: asText(200) })
