import { useMatches } from '@tanstack/react-router'
import type { AreaKey } from '../../platform/navigation/area.ts'

/** The area of the page that is open; none on public pages and on what was not found. */
export function useCurrentArea(): AreaKey | undefined {
  return useMatches({ select: (matches) => matches.findLast((match) => match.staticData.area !== undefined)?.staticData.area })
}
