import { useLingui } from '@lingui/react'

/** A calendar day without a time zone, from "2026-11-21". */
export function PlainDate({ date }: { date: string }) {
  const format = useFormats()
  return <time dateTime={date}>{format.day(date)}</time>
}

/** "fr" as the reader calls it; what is no language tag stays as typed. */
export const LanguageName = ({ tag }: { tag: string }) => useFormats().language(tag)

/** Numbers, days, languages and lists in the reader's language; the same object for as long as the language stays. */
export function useFormats() {
  const { i18n } = useLingui()
  return formatsIn(i18n.locales ?? i18n.locale)
}

type Formats = ReturnType<typeof makeFormats>
const made = new Map<string, Formats>()

function formatsIn(locale: string | string[]): Formats {
  const key = String(locale)
  const known = made.get(key) ?? makeFormats(locale)
  made.set(key, known)
  return known
}

/** A format of Intl costs more to make than to use a hundred times, and a list uses several in each row. */
function makeFormats(locale: string | string[]) {
  const number = once(() => new Intl.NumberFormat(locale))
  const percent = once(() => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))
  const day = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }))
  const moment = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }))
  const longMoment = once(() => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' }))
  const time = once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }))
  const language = once(() => new Intl.DisplayNames(locale, { type: 'language' }))
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))
  const ago = once(() => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }))
  return {
    number: (value: number) => number().format(value),
    percent: (share: number) => percent().format(share),
    day: (date: string) => {
      const noon = new Date(`${date}T12:00:00Z`)
      return Number.isNaN(noon.getTime()) ? date : day().format(noon)
    },
    moment: (at: string) => moment().format(new Date(at)),
    longMoment: (at: Date) => longMoment().format(at),
    /** The same by the clocks of a zone. */
    momentIn: (zone: string, at: Date, style: 'long' | 'time' = 'long') =>
      new Intl.DateTimeFormat(locale, {
        ...(style === 'long' && { dateStyle: 'long' as const }),
        timeStyle: 'short',
        timeZone: zone,
      }).format(at),
    /** A month of a year, from "2026-11". */
    month: (month: string, style: 'narrow' | 'short' | 'long') =>
      new Intl.DateTimeFormat(locale, { month: style, ...(style === 'long' && { year: 'numeric' }), timeZone: 'UTC' }).format(
        new Date(`${month}-15T12:00:00Z`),
      ),
    time: (at: string | Date) => time().format(new Date(at)),
    language: (tag: string) => {
      try {
        return language().of(tag) ?? tag
      } catch {
        return tag
      }
    },
    list: (items: string[]) => list().format(items),
    /** "3 days ago". */
    ago: (count: number, unit: Intl.RelativeTimeFormatUnit) => ago().format(count, unit),
  }
}

function once<Format>(make: () => Format) {
  let format: Format | undefined
  return () => (format ??= make())
}
