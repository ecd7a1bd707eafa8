import { ActionIcon, NativeSelect, TextInput } from '@mantine/core'
import type { InputWrapperProps } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { SyncDirection } from '@guildhall/contract/features/integrations'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import { IconTrash } from '@tabler/icons-react'
import type { Connection, ConnectionMapping } from '../integrations-api.ts'
import { connectorWords } from '../words/connector-words.ts'
import { directionWords, ourFieldName, ruleWords, theirFieldName } from '../words/field-words.ts'
import { DirectionArrow } from './direction-arrow.tsx'
import type { DraftRow, RowFault } from './mapping-draft.ts'
import classes from './mapping.module.css'

type Props = {
  connection: Connection
  mapping: ConnectionMapping
  rows: readonly DraftRow[]
  faults: ReadonlyMap<string, RowFault>
  /** What is missing is said once somebody has tried to save; what is taken at once. */
  shown: boolean
  onChange: (rows: readonly DraftRow[]) => void
}

export function MappingRows({ connection, mapping, rows, faults, shown, onChange }: Props) {
  if (rows.length === 0)
    return (
      <p className={classes['dim']}>
        <Trans>No fields are mapped yet. Match them by name, or add one after the other.</Trans>
      </p>
    )
  const change = (key: string, part: Partial<DraftRow>) => onChange(rows.map((row) => (row.key === key ? { ...row, ...part } : row)))
  return (
    <ol className={classes['rows']} aria-label={t`Mapped fields`}>
      <li className={classes['heads']} aria-hidden>
        <span>{connectorWords()[connection.connector].name}</span>
        <span>{t`Direction`}</span>
        <span>{t`Here`}</span>
        <span>{t`Rule`}</span>
      </li>
      {rows.map((row, nth) => (
        <Row
          key={row.key}
          nth={nth + 1}
          row={row}
          connection={connection}
          mapping={mapping}
          error={faultText(faults.get(row.key), rows, mapping, shown)}
          onChange={(part) => change(row.key, part)}
          onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
    </ol>
  )
}

type Fault = { field: RowFault['field']; text: string } | undefined

function faultText(fault: RowFault | undefined, rows: readonly DraftRow[], mapping: ConnectionMapping, shown: boolean): Fault {
  if (fault === undefined || (fault.kind === 'missing' && !shown)) return undefined
  if (fault.kind === 'missing') return { field: fault.field, text: t`Choose a field.` }
  const by = fault.by === undefined ? undefined : rows[fault.by]
  if (by === undefined) return undefined
  const [theirs, ours] = [nameOfTheirs(mapping, by.theirs), nameOfOurs(mapping, by.ours)]
  return {
    field: fault.field,
    text:
      fault.field === 'ours'
        ? t`${ours} is already filled from ${theirs}. Choose another field, or remove one of them.`
        : t`${theirs} is already filled from ${ours}. Choose another field, or remove one of them.`,
  }
}

const nameOfTheirs = ({ theirs }: ConnectionMapping, key: string) => {
  const field = theirs.find((one) => one.key === key)
  return field ? theirFieldName(field) : key
}
const nameOfOurs = ({ ours }: ConnectionMapping, key: string) => ourFieldName(key, ours.find((one) => one.key === key)?.label)

type RowProps = {
  nth: number
  row: DraftRow
  connection: Connection
  mapping: ConnectionMapping
  error: Fault
  onChange: (part: Partial<DraftRow>) => void
  onRemove: () => void
}

function Row({ nth, row, connection, mapping, error, onChange, onRemove }: RowProps) {
  const possible: readonly SyncDirection[] = connectors[connection.connector].directions ?? ['in']
  const [directions, rules] = [directionWords(), ruleWords()]
  const example = mapping.theirs.find(({ key }) => key === row.theirs)?.example
  const errorOf = (field: RowFault['field']) => (error?.field === field ? error.text : undefined)
  const theirs = {
    inputWrapperOrder,
    'aria-label': t`Field there, row ${nth}`,
    value: row.theirs,
    error: errorOf('theirs'),
    description: example && t`For example ${example}`,
  }
  return (
    <li className={classes['row']}>
      {mapping.theirs.length > 0 ? (
        <NativeSelect
          {...theirs}
          data={options(
            mapping.theirs.map((field) => ({ value: field.key, label: theirFieldName(field) })),
            row.theirs,
          )}
          onChange={({ currentTarget }) => onChange({ theirs: currentTarget.value })}
        />
      ) : (
        <TextInput {...theirs} maxLength={200} onChange={({ currentTarget }) => onChange({ theirs: currentTarget.value })} />
      )}
      <div className={classes['direction']}>
        <DirectionArrow direction={row.direction} />
        {possible.length === 1 ? (
          <span>{directions[row.direction]}</span>
        ) : (
          <NativeSelect
            aria-label={t`Direction, row ${nth}`}
            value={row.direction}
            data={possible.map((value) => ({ value, label: directions[value] }))}
            onChange={({ currentTarget }) => {
              const direction = possible.find((one) => one === currentTarget.value)
              if (direction) onChange({ direction })
            }}
          />
        )}
      </div>
      <NativeSelect
        aria-label={t`Field here, row ${nth}`}
        value={row.ours}
        error={errorOf('ours')}
        data={options(
          mapping.ours.map(({ key, label }) => ({ value: key, label: ourFieldName(key, label) })),
          row.ours,
        )}
        onChange={({ currentTarget }) => onChange({ ours: currentTarget.value })}
      />
      <NativeSelect
        aria-label={t`Rule, row ${nth}`}
        inputWrapperOrder={inputWrapperOrder}
        value={row.rule}
        description={rules[row.rule].meaning}
        data={ruleKeys.map((value) => ({ value, label: rules[value].label }))}
        onChange={({ currentTarget }) => {
          const rule = ruleKeys.find((one) => one === currentTarget.value)
          if (rule) onChange({ rule })
        }}
      />
      <ActionIcon variant="subtle" color="gray" aria-label={t`Remove row ${nth}`} onClick={onRemove}>
        <IconTrash size={16} stroke={1.5} aria-hidden />
      </ActionIcon>
    </li>
  )
}

/** A hint below its field, so that the fields of a row stand in one line. */
const inputWrapperOrder = ['label', 'input', 'description', 'error'] satisfies InputWrapperProps['inputWrapperOrder']
const ruleKeys = ['automatic', 'review', 'never'] as const

/** A field that is gone on its side stays visible as what was chosen. */
const options = (known: { value: string; label: string }[], chosen: string) => [
  { value: '', label: t`Choose a field` },
  ...known,
  ...(chosen === '' || known.some(({ value }) => value === chosen) ? [] : [{ value: chosen, label: t`${chosen} (not there anymore)` }]),
]
