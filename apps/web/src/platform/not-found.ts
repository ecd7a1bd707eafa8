import { notFound, rootRouteId } from '@tanstack/react-router'

/** What a page throws when its record does not exist, or is not the reader's to see: the root shows the not-found page. */
export const recordNotFound = () => notFound({ routeId: rootRouteId })
