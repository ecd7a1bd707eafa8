import { t } from '@lingui/core/macro'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useAudiences } from '../people-api.ts'

/** Says of a choice of visibility, made already or not, who sees one's own data with it; nothing until that is known. */
export function useWhoSees() {
  const { list } = useFormats()
  const { data } = useAudiences()
  return (visibleTo: 'officers' | 'members'): string | undefined => {
    if (!data) return undefined
    const words = { elsewhere: t`members of other chapters`, chapter: t`members of your chapter`, officer: t`officers of your chapter` }
    const readers = data.items.filter(({ sees }) => sees.includes(visibleTo)).map(({ audience }) => words[audience])
    return readers.length > 0 ? t`Seen by ${list(readers)}` : t`Seen by the organisation’s office alone`
  }
}
export type WhoSees = ReturnType<typeof useWhoSees>
