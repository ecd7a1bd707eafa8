import { Button, CloseButton, NativeSelect } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import classes from './filter-chips.module.css'
import { FilterValueEditor } from './filter-value-editor.tsx'
import { operatorText } from './filter-words.tsx'
import { blankCondition, blankValue, operatorsOf, takesList } from './filter.ts'
import type { FilterCondition, FilterField } from './filter.ts'

type Props = {
  fields: readonly FilterField[]
  conditions: FilterCondition[]
  onChange: (conditions: FilterCondition[]) => void
  onDone: () => void
  onCancel: () => void
}

const most = 20

export function FilterGroupEditor({ fields, conditions, onChange, onDone, onCancel }: Props) {
  const set = (index: number, condition: FilterCondition) => onChange(conditions.map((known, at) => (at === index ? condition : known)))
  const last = conditions.at(-1)
  return (
    <div
      className={classes['editor']}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement && !event.defaultPrevented) onDone()
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
        }
      }}
    >
      {conditions.map((condition, index) => {
        const field = fields.find(({ id }) => id === condition.field)
        if (!field) return null
        return (
          <div key={index} className={classes['condition']}>
            {index > 0 && (
              <span className={classes['or']}>
                <Trans>or</Trans>
              </span>
            )}
            <div className={classes['row']}>
              <NativeSelect
                aria-label={t`Field`}
                value={field.id}
                data={fields.map(({ id, label }) => ({ value: id, label }))}
                onChange={(event) => {
                  const next = fields.find(({ id }) => id === event.currentTarget.value)
                  if (next) set(index, blankCondition(next))
                }}
              />
              <NativeSelect
                aria-label={t`Condition`}
                value={condition.op}
                data={operatorsOf(field).map((op) => ({ value: op, label: operatorText(op, field.kind) }))}
                onChange={(event) => {
                  const op = operatorsOf(field).find((known) => known === event.currentTarget.value)
                  if (!op) return
                  const value = takesList(op) && takesList(condition.op) ? condition.value : blankValue(field, op)
                  set(index, { field: field.id, op, value })
                }}
              />
              <CloseButton aria-label={t`Remove condition`} onClick={() => onChange(conditions.filter((_, at) => at !== index))} />
            </div>
            <FilterValueEditor field={field} condition={condition} onChange={(value) => set(index, { ...condition, value })} />
          </div>
        )
      })}
      <div className={classes['foot']}>
        <Button
          variant="subtle"
          size="compact-sm"
          disabled={conditions.length >= most}
          onClick={() => {
            const field = fields.find(({ id }) => id === last?.field) ?? fields[0]
            if (field) onChange([...conditions, blankCondition(field)])
          }}
        >
          <Trans>Or…</Trans>
        </Button>
        <Button size="compact-sm" onClick={onDone}>
          <Trans>Apply</Trans>
        </Button>
      </div>
    </div>
  )
}
