import { Trans } from '@lingui/react/macro'
import { useFormats } from '../../ui/display/dates.tsx'
import type { ImportChange, ImportKind } from './imports-api.ts'
import { changedFieldWord, valueWord } from './imports-words.ts'
import classes from './imports.module.css'

/** What a row changes about something that is there: each field with what it was and what it becomes. */
export const ImportChanges = ({ changes, kind }: { changes: readonly ImportChange[]; kind: ImportKind }) => (
  <ul className={classes['changes']}>
    {changes.map((change, index) => (
      <li key={index}>
        <Change change={change} kind={kind} />
      </li>
    ))}
  </ul>
)

function Change({ change: { field, how, before, after, hidden }, kind }: { change: ImportChange; kind: ImportKind }) {
  const { day } = useFormats()
  const name = <strong>{changedFieldWord(kind, field)}</strong>
  const shown = (value: string | null) => (value && /^\d{4}-\d{2}-\d{2}$/.test(value) ? day(value) : valueWord(kind, field, value ?? ''))
  if (hidden)
    return (
      <Trans>
        {name}: <span className={classes['minor']}>changed; you do not have the right to see it</span>
      </Trans>
    )
  if (how === 'add')
    return (
      <Trans>
        {name} added: {shown(after)}
      </Trans>
    )
  if (how === 'remove')
    return (
      <Trans>
        {name} removed: <span className={classes['was']}>{shown(before)}</span>
      </Trans>
    )
  return (
    <>
      {name}: <span className={classes['was']}>{shown(before)}</span> → {shown(after)}
    </>
  )
}
