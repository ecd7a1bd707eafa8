import { t } from '@lingui/core/macro'
import { useFormats } from './dates.tsx'

/** A stored value as a person reads it; `words` knows what codes are called. */
export function StoredValue({ value, words }: { value: unknown; words?: ((code: string) => string | undefined) | undefined }) {
  const { day, moment, number, list } = useFormats()
  return <>{read(value)}</>

  function read(part: unknown): string {
    if (part === null || part === undefined || part === '') return '–'
    if (typeof part === 'boolean') return part ? t`yes` : t`no`
    if (typeof part === 'number') return part > 1800 && part < 2200 ? String(part) : number(part)
    if (Array.isArray(part)) return part.length > 0 ? list(part.map(read)) : '–'
    if (typeof part === 'object') {
      const inner = Object.entries(part).map(([key, own]) => `${key}: ${read(own)}`)
      return inner.length > 0 ? list(inner) : '–'
    }
    if (typeof part !== 'string') return '–'
    if (/^\d{4}-\d{2}-\d{2}$/.test(part)) return day(part)
    if (/^\d{4}-\d{2}-\d{2}T/.test(part) && !Number.isNaN(Date.parse(part))) return moment(part)
    return words?.(part) ?? part
  }
}
