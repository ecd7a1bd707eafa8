import { asId, asText, searchParams } from '../../platform/navigation/search-params.ts'

/** Of the catalogue and of a connection: which tab, dialog, run or filter is open. */
export const IntegrationsSearch = searchParams({
  q: asText(200),
  area: asText(20),
  connect: asText(20),
  tab: asText(20),
  run: asId,
  open: asText(20),
})
export type IntegrationsSearch = ReturnType<typeof IntegrationsSearch>
