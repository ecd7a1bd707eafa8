import { asText, searchParams } from '../../platform/search-params.ts'

export const ContactSearch = searchParams({ q: asText(200) })
