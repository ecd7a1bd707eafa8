import { useRights } from '../platform/session.ts'
import { areaGroups, createKinds } from './areas.tsx'

/** What this account may open; the rest is absent, not disabled. */
export function useAllowedAreas() {
  const can = useRights()
  return areaGroups.map((group) => group.filter(({ permission }) => !permission || can(permission))).filter((group) => group.length > 0)
}

/** What can be created here by this account; areas that are still planned create nothing. */
export function useAllowedKinds() {
  const can = useRights()
  return createKinds.filter(({ planned, permission }) => !planned && (!permission || can(permission)))
}
