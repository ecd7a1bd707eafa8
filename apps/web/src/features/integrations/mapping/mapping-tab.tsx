import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMapping } from '../integrations-api.ts'
import type { Connection, ConnectionMapping } from '../integrations-api.ts'
import { directionWords, ourFieldName, ruleWords, theirFieldName } from '../words/field-words.ts'
import { DirectionArrow } from './direction-arrow.tsx'
import { MappingEditor } from './mapping-editor.tsx'
import classes from './mapping.module.css'

/** Which field goes where. Readers see it, managers edit it. */
export function MappingTab({ connection }: { connection: Connection }) {
  const mapping = useMapping(connection.id)
  if (mapping.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (mapping.isError && !mapping.data)
    return <ProblemState problem={mapping.error} title={t`The mapping could not be loaded`} retry={() => void mapping.refetch()} />
  if (connection.may.manage && connection.state !== 'disconnected') return <MappingEditor connection={connection} saved={mapping.data} />
  return <ReadMapping connection={connection} mapping={mapping.data} />
}

function ReadMapping({ connection, mapping }: { connection: Connection; mapping: ConnectionMapping }) {
  const [directions, rules] = [directionWords(), ruleWords()]
  const theirs = new Map(mapping.theirs.map((field) => [field.key, theirFieldName(field)]))
  const ours = new Map(mapping.ours.map(({ key, label }) => [key, ourFieldName(key, label)]))
  return (
    <Section title={t`Mapping`} count={mapping.mapping.length}>
      {mapping.mapping.length === 0 ? (
        <p className={classes['dim']}>
          <Trans>No fields are mapped.</Trans>
        </p>
      ) : (
        <div className={classes['scroll']}>
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">{t`There`}</th>
                <th scope="col">{t`Direction`}</th>
                <th scope="col">{t`Here`}</th>
                <th scope="col">{t`Rule`}</th>
              </tr>
            </thead>
            <tbody>
              {mapping.mapping.map((row) => (
                <tr key={`${row.ours} ${row.theirs}`}>
                  <th scope="row">{theirs.get(row.theirs) ?? row.theirs}</th>
                  <td>
                    <span className={classes['direction']}>
                      <DirectionArrow direction={row.direction} /> {directions[row.direction]}
                    </span>
                  </td>
                  <td>{ours.get(row.ours) ?? ourFieldName(row.ours)}</td>
                  <td>{rules[row.rule].label}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {connectors[connection.connector].matchBy.length > 0 && mapping.matchBy && (
        <p className={classes['dim']}>
          <Trans>Records are first matched by {ourFieldName(mapping.matchBy)}.</Trans>
        </p>
      )}
    </Section>
  )
}
