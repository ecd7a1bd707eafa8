import { useLingui } from '@lingui/react'

/** A calendar day without a time zone, from "2026-11-21". */
export function PlainDate({ date }: { date: string }) {
  const format = useFormats()
  return <time dateTime={date}>{format.day(date)}</time>
}

/** "fr" as the reader calls it; what is no language tag stays as typed. */
export const LanguageName = ({ tag }: { tag: string }) => useFormats().language(tag)

/** Numbers, days, languages and lists in the reader's language. */
export function useFormats() {
  const { i18n } = useLingui()
  const locale = i18n.locales ?? i18n.locale
  return {
    number: (value: number) => new Intl.NumberFormat(locale).format(value),
    percent: (share: number) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share),
    money: (minorUnits: number, currency: string) => {
      const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
      return format.format(minorUnits / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
    },
    day: (date: string) => {
      const noon = new Date(`${date}T12:00:00Z`)
      return Number.isNaN(noon.getTime()) ? date : new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(noon)
    },
    moment: (at: string) => new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at)),
    /** A month of a year, from "2026-11". */
    month: (month: string, style: 'narrow' | 'long') =>
      new Intl.DateTimeFormat(locale, { month: style, ...(style === 'long' && { year: 'numeric' }), timeZone: 'UTC' }).format(
        new Date(`${month}-15T12:00:00Z`),
      ),
    time: (at: string | Date) => new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(new Date(at)),
    language: (tag: string) => {
      try {
        return new Intl.DisplayNames(locale, { type: 'language' }).of(tag) ?? tag
      } catch {
        return tag
      }
    },
    list: (items: string[]) => new Intl.ListFormat(locale, { type: 'conjunction' }).format(items),
  }
}
