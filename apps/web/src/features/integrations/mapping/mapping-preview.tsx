import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { MappingPreview as Preview } from '@guildhall/contract/features/integrations'
import { useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { Connection } from '../integrations-api.ts'
import { errorDetail, errorText } from '../words/error-words.ts'
import { directionWords, ourFieldName } from '../words/field-words.ts'
import { sentRows } from './mapping-draft.ts'
import type { DraftRow } from './mapping-draft.ts'
import classes from './mapping.module.css'

type Props = { connection: Connection; rows: readonly DraftRow[]; ready: boolean }
type Shown = { rows: readonly DraftRow[]; answer: Preview } | { rows: readonly DraftRow[]; problem: unknown }

/** Real records as the mapping on the screen would change them, saved or not. */
export function MappingPreview({ connection: { id: connectionId }, rows, ready }: Props) {
  const { preview } = useApi().actions.integrations
  const [shown, setShown] = useState<Shown>()
  const [busy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    try {
      setShown({ rows, answer: await preview.call({ connectionId, mapping: sentRows(rows) }) })
    } catch (problem) {
      setShown({ rows, problem })
    }
    setBusy(false)
  }
  const stale = shown !== undefined && JSON.stringify(sentRows(shown.rows)) !== JSON.stringify(sentRows(rows))
  return (
    <Section
      title={t`Preview`}
      actions={
        <Button variant="default" size="compact-sm" disabled={!ready || rows.length === 0} loading={busy} onClick={() => void look()}>
          {shown ? <Trans>Preview again</Trans> : <Trans>Preview with real records</Trans>}
        </Button>
      }
    >
      <div className={classes['stack']} role="status">
        {stale && (
          <p className={classes['dim']}>
            <Trans>The mapping has changed since this preview.</Trans>
          </p>
        )}
        {shown === undefined ? (
          <p className={classes['dim']}>
            <Trans>Up to five records as this mapping would change them. Nothing is written.</Trans>
          </p>
        ) : 'problem' in shown ? (
          <ProblemState problem={shown.problem} title={t`The preview could not be made`} retry={() => void look()} />
        ) : (
          <Records answer={shown.answer} />
        )}
      </div>
    </Section>
  )
}

function Records({ answer: { records } }: { answer: Preview }) {
  const directions = directionWords()
  if (records.length === 0)
    return (
      <p className={classes['dim']}>
        <Trans>No record that you may see would change.</Trans>
      </p>
    )
  return records.map(({ name, fields, error }, nth) =>
    fields.length === 0 ? (
      <p key={nth}>
        <strong>{name}</strong> {error ? `${errorText(error.code)} ${errorDetail(error.message)}` : t`Stays as it is.`}
      </p>
    ) : (
      <div key={nth} className={classes['scroll']}>
        <table className={classes['table']}>
          <caption className={classes['caption']}>{name}</caption>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Direction`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(({ ours, before, after, direction }) => (
              <tr key={`${ours} ${direction}`} data-changed={before !== after || undefined}>
                <th scope="row">{ourFieldName(ours)}</th>
                <td>{directions[direction]}</td>
                <td>{before ?? '–'}</td>
                <td>{after ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    ),
  )
}
