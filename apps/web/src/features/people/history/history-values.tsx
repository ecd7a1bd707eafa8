import { t } from '@lingui/core/macro'
import { useFormats } from '../../../ui/display/dates.tsx'
import { lifecycleWords, affiliationWords } from '../people-words.tsx'

/** A stored value as a person reads it. */
export function ValueText({ value }: { value: unknown }) {
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
    const text = part
    if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return day(text)
    if (/^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text))) return moment(text)
    return words()[text] ?? text
  }
}

const words = (): Record<string, string> => ({
  ...affiliationWords(),
  ...lifecycleWords(),
  officers: t`officers`,
  members: t`members`,
  leader: t`leader`,
  moderator: t`moderator`,
  requested: t`requested`,
  invited: t`invited`,
  declined: t`declined`,
  removed: t`removed`,
})
