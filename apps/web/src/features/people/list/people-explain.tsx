import { t } from '@lingui/core/macro'
import { useFormats } from '../../../ui/display/dates.tsx'
import { conditionText } from '../../../ui/filter/filter-words.tsx'
import type { Filter, FilterField } from '../../../ui/filter/filter.ts'
import { useOptionNames } from '../../../ui/filter/use-option-names.ts'
import classes from '../people.module.css'
import { sortWords } from './people-sort.tsx'

type Props = { fields: readonly FilterField[]; sorts: Readonly<Record<string, string>>; q: string; filter: Filter; sort: string }

/** The question behind the list as one plain sentence. */
export function ListSentence({ fields, sorts, q, filter, sort }: Props) {
  const { list } = useFormats()
  const conditions = filter.and.flatMap((group) => group.or)
  const nameOf = useOptionNames(fields, conditions)
  const groups = filter.and.map((group) =>
    group.or
      .map((condition) => {
        const field = fields.find(({ id }) => id === condition.field)
        return conditionText(condition, field, (value) => nameOf(condition.field, value))
      })
      .join(` ${t`or`} `),
  )
  const parts = [...(q ? [t`“${q}” is found in a name, member number, e-mail address or telephone number`] : []), ...groups]
  const order = sortWords(sort, sorts)
  const asksForArchived = conditions.some(({ field }) => field === 'archived')
  return (
    <p className={classes['sentence']} role="status">
      {parts.length > 0 ? t`People of whom all of this is true: ${list(parts)}.` : t`All people you may see.`}{' '}
      {!asksForArchived && t`Archived people are left out.`} {t`Sorted by ${order}.`}
    </p>
  )
}
