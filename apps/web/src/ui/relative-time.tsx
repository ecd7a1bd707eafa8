import { useLingui } from '@lingui/react'
import { useEffect, useState } from 'react'

/** "3 days ago", with the exact moment in the tooltip and in the markup. Kept right while the page stays open. */
export function RelativeTime({ at }: { at: string | Date }) {
  const { i18n } = useLingui()
  const date = new Date(at)
  const now = useMinutes()
  if (Number.isNaN(date.getTime())) return null
  const exact = new Intl.DateTimeFormat(i18n.locales ?? i18n.locale, { dateStyle: 'long', timeStyle: 'short' }).format(date)
  return (
    <time dateTime={date.toISOString()} title={exact}>
      {relative(date.getTime() - now, i18n.locales ?? i18n.locale)}
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

function relative(difference: number, locale: string | string[]) {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  for (const [unit, size] of units) if (Math.abs(difference) >= size) return format.format(Math.trunc(difference / size), unit)
  return format.format(0, 'second')
}

function useMinutes() {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}
