import { t } from '@lingui/core/macro'
import { createContext, use } from 'react'
import { useFormats } from './dates.tsx'

/** By which clocks the organisation goes; null where nobody knows yet. */
export const OrganisationZone = createContext<string | null>(null)

/** "Lisbon" for Europe/Lisbon. */
export const placeOf = (zone: string): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ')

/** "23 November 2026 at 19:00 Lisbon, 20:00 your time"; without the second part where both clocks show the same. */
export function useZoneTimes() {
  const { longMoment, momentIn } = useFormats()
  const organisation = use(OrganisationZone)
  return (at: Date, zone = organisation): string => {
    if (!zone) return longMoment(at)
    const [there, here] = [momentIn(zone, at), longMoment(at)]
    if (there === here) return here
    const mine = Intl.DateTimeFormat().resolvedOptions().timeZone
    const sameDay = dayIn(zone, at) === dayIn(mine, at)
    return sameDay ? t`${there} ${placeOf(zone)}, ${momentIn(mine, at, 'time')} your time` : t`${there} ${placeOf(zone)}, ${here} your time`
  }
}

const dayIn = (zone: string, at: Date) => new Intl.DateTimeFormat('en', { timeZone: zone, dateStyle: 'short' }).format(at)
