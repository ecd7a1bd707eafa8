import { useEffect, useState } from 'react'
import { useFormats } from './dates.tsx'
import { useZoneTimes } from './zone-times.tsx'

/** "3 days ago", with the exact moment, by the clocks of the organisation and of the reader, in the tooltip and in the markup. Kept right while the page stays open. */
export function RelativeTime({ at }: { at: string | Date }) {
  const { ago } = useFormats()
  const momentText = useZoneTimes()
  const date = new Date(at)
  const now = useMinutes()
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={date.toISOString()} title={momentText(date)}>
      {ago(...distance(date.getTime() - now))}
    </time>
  )
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_557_600_000],
  ['month', 2_629_800_000],
  ['week', 604_800_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

function distance(difference: number): [number, Intl.RelativeTimeFormatUnit] {
  const [unit, size] = units.find(([, least]) => Math.abs(difference) >= least) ?? ['second', Infinity]
  return [Math.trunc(difference / size), unit]
}

function useMinutes() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
