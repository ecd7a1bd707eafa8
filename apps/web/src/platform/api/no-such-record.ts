import { notFound, rootRouteId } from '@tanstack/react-router'

/**
 * What a page throws when its record does not exist or may not be seen. Named for the root, whose frame shows the not-found page:
 * without a name the router holds the page itself responsible, which has no such part.
 */
export const noSuchRecord = () => notFound({ routeId: rootRouteId })

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id an address names. Where that is no id at all there is nothing to ask for. */
export function recordId(text: string): string {
  if (!uuid.test(text)) throw noSuchRecord()
  return text
}
