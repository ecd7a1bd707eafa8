import type { Area } from '../../platform/navigation/slots.tsx'
import { useFrameSlot } from '../../platform/navigation/slots.tsx'
import { useRights } from '../../platform/session/session.ts'

/** What this account may open, in groups; the rest is absent, not disabled. */
export function useAllowedAreas(): Area[][] {
  const can = useRights()
  const allowed = useFrameSlot('areas').filter(({ permission }) => !permission || can(permission))
  return [...Map.groupBy(allowed, ({ group }) => group).values()]
}

/** What can be created here by this account. */
export function useAllowedKinds() {
  const can = useRights()
  return useFrameSlot('createActions').filter(({ permission }) => !permission || can(permission))
}
