import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import classes from './data-table.module.css'
import type { DataTableProps } from './data-table-model.ts'
import { useFormats } from '../display/dates.tsx'

type Props = Pick<DataTableProps<object>, 'rows' | 'total' | 'hasMore' | 'moreFailed' | 'onMore'> & {
  /** Index of the last row in view. */
  last: number
}

/** Where in the list the reader is; that rows are on their way, or a way to ask for them again; on paper, how many there are beyond. */
export function ListPosition({ rows, total, hasMore, moreFailed, onMore, last }: Props) {
  const { number } = useFormats()
  if (rows.length === 0 || (!hasMore && last < 0)) return null
  const loaded = number(rows.length)
  const at = number(Math.min(last + 1, rows.length))
  const all = total === undefined ? undefined : number(total)
  if (hasMore && moreFailed) {
    return (
      <p className={classes['position']} role="status">
        {typeof moreFailed === 'string' ? moreFailed : t`More could not be loaded.`}{' '}
        <Button variant="subtle" size="compact-sm" onClick={onMore}>
          {t`Try again`}
        </Button>
      </p>
    )
  }
  if (!hasMore) return all && total !== undefined && total > 20 ? <p className={classes['position']}>{t`${at} of ${all}`}</p> : null
  return (
    <>
      <p className={classes['position']} role={last >= rows.length - 1 ? 'status' : undefined}>
        {last >= rows.length - 1
          ? all
            ? t`Loading more: ${loaded} of ${all}`
            : t`Loading more`
          : all
            ? t`${at} of ${all}`
            : t`${at}, and more`}
      </p>
      <p className={classes['paper']}>
        {all
          ? t`The first ${loaded} of ${all}. Scroll to the end of the list, or export it, to print them all.`
          : t`The first ${loaded}. Scroll to the end of the list, or export it, to print them all.`}
      </p>
    </>
  )
}
