import { Button, NativeSelect } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { IconPlus, IconRefresh, IconWand } from '@tabler/icons-react'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { failureText } from '../../../platform/api/reason-text.ts'
import { Section } from '../../../ui/page/page.tsx'
import { useConnectionActs } from '../connections/use-connection-acts.ts'
import { useIntegrationsChanged } from '../integrations-api.ts'
import type { Connection, ConnectionMapping } from '../integrations-api.ts'
import { ourFieldName } from '../words/field-words.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { draftOf, emptyRow, faultsOf, isChanged, suggested } from './mapping-draft.ts'
import type { Draft } from './mapping-draft.ts'
import { MappingPreview } from './mapping-preview.tsx'
import { MappingRows } from './mapping-rows.tsx'
import { useMappingSave } from './use-mapping-save.ts'
import classes from './mapping.module.css'

const size = { size: 16, stroke: 1.5, 'aria-hidden': true } as const
const mostRows = 80

type Props = { connection: Connection; saved: ConnectionMapping }

/** Two columns of fields with what goes between them. Nothing counts until it is saved, and nothing is written before a dry run. */
export function MappingEditor({ connection, saved }: Props) {
  const { matchBy, directions } = connectors[connection.connector]
  const usual = directions?.[0] ?? 'in'
  const [base, setBase] = useState(saved)
  const [draft, setDraft] = useState(() => draftOf(saved))
  const [shown, setShown] = useState(false)
  const dirty = isChanged(draft, base)
  // Somebody else's save is shown as long as nothing here would be lost.
  if (base !== saved && !dirty) {
    setBase(saved)
    setDraft(draftOf(saved))
  }
  const faults = faultsOf(draft.rows)
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  const { save, busy, failure } = useMappingSave(connection, base, (now) => {
    setBase(now)
    setDraft(draftOf(now))
    setShown(false)
  })
  const submit = () => {
    setShown(true)
    if (faults.size === 0) void save(draft)
  }
  const fill = () => {
    const found = suggested(base, draft.rows, usual)
    change({ rows: [...draft.rows, ...found] })
    toast.success(
      found.length === 0
        ? t`No more fields are called alike.`
        : plural(found.length, { one: '# field matched by name', other: '# fields matched by name' }),
    )
  }
  return (
    <div className={classes['stack']}>
      <LeaveGuard dirty={dirty} name={connection.name} />
      <Section
        title={t`Fields`}
        count={draft.rows.length}
        actions={
          <span className={classes['tools']}>
            <ReadFields connection={connection} />
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconWand {...size} />}
              disabled={base.theirs.length === 0}
              onClick={fill}
            >
              <Trans>Match by name</Trans>
            </Button>
          </span>
        }
      >
        <div className={classes['stack']}>
          {base.theirs.length === 0 && (
            <p className={classes['dim']}>
              <Trans>The fields on the other side are not known yet. Read them, or type their names.</Trans>
            </p>
          )}
          <MappingRows
            connection={connection}
            mapping={base}
            rows={draft.rows}
            faults={faults}
            shown={shown}
            onChange={(rows) => change({ rows })}
          />
          <div>
            <Button
              variant="default"
              leftSection={<IconPlus {...size} />}
              disabled={draft.rows.length >= mostRows}
              onClick={() => change({ rows: [...draft.rows, emptyRow(usual)] })}
            >
              <Trans>Add field</Trans>
            </Button>
          </div>
        </div>
      </Section>
      <Section title={t`Records`}>
        <div className={classes['choices']}>
          {matchBy.length > 0 && (
            <NativeSelect
              label={t`Match records by`}
              description={t`Used once for each record; afterwards its id on the other side counts.`}
              value={draft.matchBy ?? matchBy[0] ?? ''}
              data={matchBy.map((key) => ({ value: key, label: ourFieldName(key) }))}
              onChange={({ currentTarget }) => change({ matchBy: currentTarget.value })}
            />
          )}
          <NativeSelect
            label={t`When a record is missing there`}
            description={t`Nothing is ever deleted here without a decision.`}
            value={draft.onMissing}
            data={[
              { value: 'leave', label: t`Leave it alone` },
              { value: 'ask', label: t`Ask` },
            ]}
            onChange={({ currentTarget }) => change({ onMissing: currentTarget.value === 'ask' ? 'ask' : 'leave' })}
          />
        </div>
      </Section>
      <MappingPreview connection={connection} rows={draft.rows} ready={faults.size === 0} />
      <div className={classes['foot']}>
        <span role="status" className={failure === undefined ? classes['dim'] : classes['bad']}>
          {failure === undefined ? (dirty ? t`Unsaved changes` : t`All changes saved`) : problemText(failure)}
        </span>
        <span className={classes['tools']}>
          {dirty && (
            <Button variant="default" onClick={() => setDraft(draftOf(base))}>
              <Trans>Discard</Trans>
            </Button>
          )}
          <Button loading={busy} disabled={!dirty} onClick={submit}>
            <Trans>Save mapping</Trans>
          </Button>
        </span>
      </div>
      {!dirty && connection.needsDryRun && base.mapping.length > 0 && <DryRunNext connection={connection} />}
    </div>
  )
}

/** Asks the other side what its fields are called now. */
function ReadFields({ connection: { id: connectionId } }: { connection: Connection }) {
  const { test } = useApi().actions.integrations
  const changed = useIntegrationsChanged()
  const [busy, setBusy] = useState(false)
  const read = async () => {
    setBusy(true)
    try {
      const { works, failure } = await test.call({ connectionId })
      await changed()
      if (works) toast.success(t`Fields read`)
      else toast.error(failure ? failureText(failure) : t`The fields could not be read.`)
    } catch (problem) {
      toast.error(t`The fields could not be read.`, problem)
    }
    setBusy(false)
  }
  return (
    <Button variant="default" size="compact-sm" leftSection={<IconRefresh {...size} />} loading={busy} onClick={() => void read()}>
      <Trans>Read fields</Trans>
    </Button>
  )
}

function DryRunNext({ connection }: { connection: Connection }) {
  const acts = useConnectionActs(connection)
  const [busy, setBusy] = useState(false)
  return (
    <Section title={t`Next: a dry run`}>
      <div className={classes['stack']}>
        <p>
          <Trans>
            It lists every record that this mapping would create, update or leave in conflict. Nothing is written. Runs use the rights of
            the person who saved the mapping.
          </Trans>
        </p>
        <div>
          <Button
            loading={busy}
            disabled={connection.state === 'paused'}
            onClick={() => {
              setBusy(true)
              void acts.run({ isDry: true }).then(() => setBusy(false))
            }}
          >
            <Trans>Start dry run</Trans>
          </Button>
        </div>
      </div>
    </Section>
  )
}
