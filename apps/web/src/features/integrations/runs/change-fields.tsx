import { VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Change } from '../integrations-api.ts'
import { ourFieldName } from '../words/field-words.ts'
import classes from './runs.module.css'

/** The fields of one record: as they are and as they would be, or ours beside theirs where the two disagree. */
export function ChangeFields({
  change: { fields, direction, kind, name },
}: {
  change: Pick<Change, 'fields' | 'direction' | 'kind' | 'name'>
}) {
  if (kind === 'remove')
    return (
      <p className={classes['dim']}>
        <Trans>The record is no longer on the other side.</Trans>
      </p>
    )
  if (fields.length === 0) return null
  // Of a change that goes out, what is there now stands before what we hold.
  const sides = kind === 'create' ? undefined : direction === 'in' ? ([t`Here`, t`There`] as const) : ([t`There`, t`Here`] as const)
  return (
    <table className={classes['fields']}>
      <caption>
        <VisuallyHidden>{t`Fields of ${name}`}</VisuallyHidden>
      </caption>
      <thead>
        <tr>
          <th scope="col">{t`Field`}</th>
          {sides && <th scope="col">{sides[0]}</th>}
          <th scope="col">{sides ? sides[1] : t`Value`}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{ourFieldName(field)}</th>
            {sides && <td>{before ?? <Empty />}</td>}
            <td>{after ?? <Empty />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const Empty = () => <span className={classes['dim']}>{t`Empty`}</span>
