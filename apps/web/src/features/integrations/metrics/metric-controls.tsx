import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { maxMetricDays } from '@guildhall/contract/features/integrations.metrics'
import type { MetricAnswer } from '@guildhall/contract/features/integrations.metrics'
import { daysFrom } from '@guildhall/contract/moments'
import { useState } from 'react'
import { spanDays } from './metric-range.ts'
import type { MetricRange } from './metric-range.ts'
import type { MetricSearch } from './metric-search.ts'
import classes from './metrics.module.css'

type Props = {
  search: MetricSearch
  range: MetricRange
  metric: MetricAnswer | undefined
  onChange: (change: Partial<MetricSearch>) => void
}

/** Which days, by what they are counted, and what they are compared with. */
export function MetricControls({ search, range, metric, onChange }: Props) {
  const lastDays = (days: number) => plural(days, { one: 'Last day', other: 'Last # days' })
  const asked = search.bucket ?? 'day'
  return (
    <>
      <div className={classes['controls']}>
        <NativeSelect
          label={t`Range`}
          value={range.span ?? 'own'}
          data={[
            ...([7, 30, 90, 365] as const).map((days) => ({ value: String(days), label: lastDays(days) })),
            { value: 'own', label: t`Choose days` },
          ]}
          onChange={({ currentTarget: { value } }) => {
            const days = (['7', '90', '365'] as const).find((span) => span === value)
            if (value === 'own') onChange({ days: undefined, from: range.from, to: range.to })
            else onChange({ days, from: undefined, to: undefined })
          }}
        />
        {range.span === null && <Days key={`${range.from} ${range.to}`} range={range} onChange={onChange} />}
        <NativeSelect
          label={t`Group by`}
          value={asked}
          data={[
            { value: 'hour', label: t`Hour` },
            { value: 'day', label: t`Day` },
            { value: 'week', label: t`Week` },
          ]}
          onChange={({ currentTarget: { value } }) => onChange({ bucket: value === 'hour' || value === 'week' ? value : undefined })}
        />
        <div className={classes['checks']}>
          <Switch
            label={t`Compare with the days before`}
            checked={search.compare === 1}
            onChange={({ currentTarget: { checked } }) => onChange({ compare: checked ? 1 : undefined })}
          />
          {(metric?.type === 'records' || metric?.parts) && (
            <Switch
              label={t`Split by direction`}
              checked={search.split === 1}
              onChange={({ currentTarget: { checked } }) => onChange({ split: checked ? 1 : undefined })}
            />
          )}
        </div>
      </div>
      {metric && metric.bucket !== asked && (
        <p className={classes['dim']} role="status">{t`Grouped by day: this range has too many hours to draw.`}</p>
      )}
    </>
  )
}

/** Two days of the reader's own, taken once they make sense. */
function Days({ range, onChange }: { range: MetricRange; onChange: (change: Partial<MetricSearch>) => void }) {
  const [typed, setTyped] = useState({ from: range.from, to: range.to })
  const length = typed.from && typed.to ? spanDays(typed) : 0
  const wrong =
    length < 1
      ? t`Choose a day that is not before the first one.`
      : length > maxMetricDays
        ? t`Choose at most ${maxMetricDays} days.`
        : null
  const take = (next: typeof typed) => {
    setTyped(next)
    const days = next.from && next.to ? spanDays(next) : 0
    if (days >= 1 && days <= maxMetricDays) onChange(next)
  }
  return (
    <>
      <TextInput
        type="date"
        label={t`From`}
        value={typed.from}
        min={daysFrom(range.to, 1 - maxMetricDays)}
        onChange={({ currentTarget: { value } }) => take({ ...typed, from: value })}
      />
      <TextInput
        type="date"
        label={t`To`}
        value={typed.to}
        error={wrong}
        onChange={({ currentTarget: { value } }) => take({ ...typed, to: value })}
      />
    </>
  )
}
