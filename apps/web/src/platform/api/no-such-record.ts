import { notFound, rootRouteId } from '@tanstack/react-router'

/**
 * What a page throws when its record does not exist or may not be seen. Named for the root, whose frame shows the not-found page:
 * without a name the router holds the page itself responsible, which has no such part.
 */
export const noSuchRecord = () => notFound({ routeId: rootRouteId })
