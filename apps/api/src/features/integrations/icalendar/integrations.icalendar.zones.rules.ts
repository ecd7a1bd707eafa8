import ICAL from 'ical.js'
import { readRule } from './integrations.recurrence.rules.ts'

/** A part of a calendar file by itself. */
export const parsed = (part: string) => ICAL.Component.fromString(`BEGIN:VCALENDAR\r\n${part}\r\nEND:VCALENDAR`)

const mostZones = 200
/** Changes of clocks that a file describes: a zone has two, or some dozens where it tells its history. */
const mostChanges = 500

/**
 * Zones as the file describes them. Their rules are gone through by the library, which searches for ever where one asks for every second, or for a day that there
 * never is: a zone that says more than clocks do is left out, and entries of it are told by the clocks of the organisation.
 */
export function zonesIn(parts: readonly { text: string }[]): Map<string, ICAL.Timezone> {
  const zones = new Map<string, ICAL.Timezone>()
  let changes = 0
  for (const { text } of parts.slice(0, mostZones)) {
    try {
      const component = parsed(text).getFirstSubcomponent('vtimezone')
      const tzid: unknown = component?.getFirstPropertyValue('tzid')
      if (!component || typeof tzid !== 'string' || zones.has(tzid)) continue
      const parts = component.getAllSubcomponents()
      changes += parts.length
      if (changes > mostChanges) break
      if (parts.every(isOfClocks)) zones.set(tzid, new ICAL.Timezone({ component, tzid }))
    } catch {
      // One that cannot be read is left out as well.
    }
  }
  return zones
}

const isOfClocks = (part: ICAL.Component) =>
  part.getAllProperties('rrule').every((rule) => isYearly(rule.toICALString().replace(/^RRULE[^:]*:/i, '')))

/** Once a year in one month: on the second Sunday, on the last one, on the Sunday within a week, on a day that each such month has. */
function isYearly(text: string): boolean {
  const rule = readRule(text, () => '9999-12-31')
  if (rule?.every !== 'YEARLY' || rule.months.length > 1 || rule.places.length > 0) return false
  const { weekdays, monthDays } = rule
  const [weekday] = weekdays
  if (!weekday) return monthDays.length <= 1 && monthDays.every((day) => Math.abs(day) <= 28)
  if (weekdays.length > 1 || rule.months.length === 0) return false
  return weekday.nth === null
    ? monthDays.length === 7 && monthDays.every((day) => day > 0 && day <= 31)
    : monthDays.length === 0 && Math.abs(weekday.nth) <= 5
}
