import { ActionIcon, Button, Menu, Popover, UnstyledButton } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconFilterPlus, IconX } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import { afterPaint } from '../after-paint.ts'
import classes from './filter-chips.module.css'
import { conditionText } from './filter-words.tsx'
import { blankCondition, isComplete } from './filter.ts'
import type { Filter, FilterCondition, FilterField } from './filter.ts'
import { part } from '../page/part.tsx'
import { useOptionNames } from './use-option-names.ts'

const FilterGroupEditor = part(async () => (await import('./filter-group-editor.tsx')).FilterGroupEditor)
/** Not before the editor is there: a dialog that opens empty has nothing that could be focused. */
const withEditor = (open: () => void) => void FilterGroupEditor.fetch().then(() => afterPaint(open))

export type FilterChipsProps = {
  fields: readonly FilterField[]
  value: Filter
  /** Only ever called with complete conditions. */
  onChange: (filter: Filter) => void
}

/** One chip per group; the groups narrow each other, the conditions inside a group widen it. */
export function FilterChips({ fields, value, onChange }: FilterChipsProps) {
  const [draft, setDraft] = useState<FilterCondition[] | undefined>()
  const replace = (index: number, or: FilterCondition[]) => {
    const complete = or.filter(isComplete)
    onChange({ and: value.and.flatMap((group, at) => (at !== index ? [group] : complete.length ? [{ or: complete }] : [])) })
  }
  const finishDraft = () => {
    const complete = draft?.filter(isComplete) ?? []
    setDraft(undefined)
    if (complete.length) onChange({ and: [...value.and, { or: complete }] })
  }
  return (
    <div className={classes['chips']} role="group" aria-label={t`Filters`}>
      {value.and.map((group, index) => (
        <Chip key={index} fields={fields} conditions={group.or} onChange={(or) => replace(index, or)} />
      ))}
      <Popover
        opened={draft !== undefined}
        onDismiss={finishDraft}
        closeOnEscape={false}
        returnFocus
        trapFocus
        position="bottom-start"
        width={380}
        withRoles={false}
      >
        <Popover.Target>
          <span>
            <Menu position="bottom-start" onOpen={() => void FilterGroupEditor.fetch()}>
              <Menu.Target>
                <Button variant="subtle" color="gray" size="compact-md" leftSection={<IconFilterPlus size={16} stroke={1.5} aria-hidden />}>
                  <Trans>Filter</Trans>
                </Button>
              </Menu.Target>
              <Menu.Dropdown mah={360} className={classes['menu'] ?? ''}>
                <FieldItems fields={fields} onPick={(field) => withEditor(() => setDraft([blankCondition(field)]))} />
              </Menu.Dropdown>
            </Menu>
          </span>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t`New filter`} className={classes['popover'] ?? ''}>
          {draft && (
            <FilterGroupEditor
              fields={fields}
              conditions={draft}
              onChange={setDraft}
              onDone={finishDraft}
              onCancel={() => setDraft(undefined)}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      {value.and.length > 0 && (
        <Button variant="subtle" color="gray" size="compact-md" onClick={() => onChange({ and: [] })}>
          <Trans>Clear filters</Trans>
        </Button>
      )}
    </div>
  )
}

/** As many as fit are there at once, those to scroll to a moment later. */
function FieldItems({ fields, onPick }: { fields: readonly FilterField[]; onPick: (field: FilterField) => void }) {
  const all = useDeferredValue(true, false)
  return (all ? fields : fields.slice(0, atOnce)).map((field) => (
    <Menu.Item key={field.id} onClick={() => onPick(field)}>
      {field.label}
    </Menu.Item>
  ))
}

const atOnce = 10

type ChipProps = { fields: readonly FilterField[]; conditions: FilterCondition[]; onChange: (conditions: FilterCondition[]) => void }

function Chip({ fields, conditions, onChange }: ChipProps) {
  const [edited, setEdited] = useState<FilterCondition[] | undefined>()
  const nameOf = useOptionNames(fields, conditions)
  const text = conditions
    .map((condition) => {
      const field = fields.find(({ id }) => id === condition.field)
      return conditionText(condition, field, (value) => nameOf(condition.field, value))
    })
    .join(` ${t`or`} `)
  const finish = () => {
    setEdited(undefined)
    if (edited) onChange(edited)
  }
  const lost = conditions.some(({ field }) => !fields.some(({ id }) => id === field))
  return (
    <span className={classes['chip']} data-lost={lost || undefined}>
      <Popover
        opened={edited !== undefined}
        onDismiss={finish}
        closeOnEscape={false}
        returnFocus
        trapFocus
        position="bottom-start"
        width={380}
        withRoles={false}
      >
        <Popover.Target>
          <UnstyledButton
            className={classes['text']}
            aria-haspopup="dialog"
            aria-expanded={edited !== undefined}
            onClick={() => (edited ? finish() : withEditor(() => setEdited(conditions)))}
          >
            {text}
          </UnstyledButton>
        </Popover.Target>
        <Popover.Dropdown role="dialog" aria-label={t`Change filter`} className={classes['popover'] ?? ''}>
          {edited && (
            <FilterGroupEditor
              fields={fields}
              conditions={edited}
              onChange={setEdited}
              onDone={finish}
              onCancel={() => setEdited(undefined)}
            />
          )}
        </Popover.Dropdown>
      </Popover>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t`Remove filter ${text}`} onClick={() => onChange([])}>
        <IconX size={14} aria-hidden />
      </ActionIcon>
    </span>
  )
}
