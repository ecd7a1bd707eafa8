import { Chip, Group, NumberInput, Select, TextInput } from '@mantine/core'
import '@mantine/core/styles/Chip.css'
import '@mantine/core/styles/NumberInput.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { clockIn, monthsFrom } from '@guildhall/contract/moments'
import { daysOfSeries, Repeats } from '@guildhall/contract/repeats'
import { useState } from 'react'
import { useEventTimes } from '../event-times.ts'
import { nthText, weekdayName } from '../series-text.ts'
import { chosenOf, optionsOf } from '../events-words.tsx'
import { asNumber, usePart } from './form-context.ts'
import classes from './event-form.module.css'

type Pattern = 'none' | 'week' | 'fortnight' | 'date' | 'weekday' | 'custom'
const rules: Record<Exclude<Pattern, 'none' | 'custom'>, Pick<Repeats, 'every' | 'interval' | 'monthly'>> = {
  week: { every: 'week', interval: 1, monthly: 'date' },
  fortnight: { every: 'week', interval: 2, monthly: 'date' },
  date: { every: 'month', interval: 1, monthly: 'date' },
  weekday: { every: 'month', interval: 1, monthly: 'weekday' },
}
const patterns = ['week', 'fortnight', 'date', 'weekday'] as const

function patternOf(repeats: Repeats | null): Pattern {
  if (!repeats) return 'none'
  const is = (pattern: (typeof patterns)[number]) =>
    repeats.weekdays.length === 0 &&
    repeats.every === rules[pattern].every &&
    repeats.interval === rules[pattern].interval &&
    (repeats.every === 'week' || repeats.monthly === rules[pattern].monthly)
  return patterns.find(is) ?? 'custom'
}

/** Whether the event repeats, how, and on which days that is. */
export function RepeatsField() {
  const { values, set, errorOf, inSeries } = usePart('repeats', 'startsAt', 'timezone')
  const { repeats, startsAt, timezone } = values
  if (inSeries || !startsAt) return null
  const startsOn = clockIn(timezone, startsAt).date
  return <RepeatsInput repeats={repeats} startsOn={startsOn} onChange={(changed) => set({ repeats: changed })} errorOf={errorOf} />
}

type Props = {
  repeats: Repeats | null
  startsOn: string
  onChange: (repeats: Repeats | null) => void
  errorOf: (path: string) => string | undefined
  /** A series always repeats. */
  required?: boolean
}

/** A rule, and the days that come of it. */
export function RepeatsInput({ repeats, startsOn, onChange, errorOf, required = false }: Props) {
  const times = useEventTimes()
  const [isCustom, setIsCustom] = useState(patternOf(repeats) === 'custom')
  const change = (part: Partial<Repeats>) => repeats && onChange({ ...repeats, ...part })
  const names: Record<Pattern, string> = {
    none: t`Does not repeat`,
    week: t`Every week`,
    fortnight: t`Every two weeks`,
    date: t`Every month on day ${Number(startsOn.slice(8))}`,
    weekday: t`Every month ${nthText(startsOn, times)}`,
    custom: t`Custom`,
  }
  const choose = (chosen: Pattern | undefined) => {
    if (!chosen) return
    setIsCustom(chosen === 'custom')
    const start: Repeats = repeats ?? { every: 'week', interval: 1, weekdays: [], monthly: 'date', untilOn: monthsFrom(startsOn, 3) }
    if (chosen === 'none') onChange(null)
    else onChange(chosen === 'custom' ? start : { ...start, weekdays: [], ...rules[chosen] })
  }
  const units: Record<Repeats['every'], string> = { day: t`days`, week: t`weeks`, month: t`months` }
  const days = repeats && Repeats.safeParse(repeats).success ? daysOfSeries(repeats, startsOn) : []
  const first = days.slice(0, 6).map((day) => times.shortDay(`${day}T12:00:00`))
  return (
    <>
      <div className={classes['pair']}>
        <Select
          label={t`Repeats`}
          allowDeselect={false}
          data={optionsOf(names).filter(({ value }) => !required || value !== 'none')}
          value={isCustom ? 'custom' : patternOf(repeats)}
          onChange={(chosen) => choose(chosenOf(names, chosen))}
          error={errorOf('repeats')}
        />
        {repeats && (
          <TextInput
            type="date"
            label={t`Until`}
            required
            min={startsOn}
            value={repeats.untilOn}
            onChange={({ currentTarget }) => change({ untilOn: currentTarget.value })}
            error={errorOf('repeats.untilOn')}
            data-path="repeats.untilOn"
          />
        )}
      </div>
      {repeats && isCustom && (
        <>
          <div className={classes['pair']}>
            <NumberInput
              label={t`Every`}
              min={1}
              max={12}
              value={repeats.interval}
              onChange={(value) => change({ interval: asNumber(value) ?? 1 })}
              error={errorOf('repeats.interval')}
              data-path="repeats.interval"
            />
            <Select
              label={t`Days, weeks or months`}
              allowDeselect={false}
              data={optionsOf(units)}
              value={repeats.every}
              onChange={(chosen) => change({ every: chosenOf(units, chosen) ?? repeats.every })}
            />
          </div>
          {repeats.every === 'week' && (
            <Chip.Group multiple value={repeats.weekdays.map(String)} onChange={(chosen) => change({ weekdays: chosen.map(Number) })}>
              <Group gap="xs" role="group" aria-label={t`Days of the week`}>
                {[1, 2, 3, 4, 5, 6, 7].map((weekday) => (
                  <Chip key={weekday} value={String(weekday)}>
                    {weekdayName(times, weekday)}
                  </Chip>
                ))}
              </Group>
            </Chip.Group>
          )}
          {repeats.every === 'month' && (
            <Select
              label={t`Day of the month`}
              allowDeselect={false}
              data={[
                { value: 'date', label: t`On day ${Number(startsOn.slice(8))}` },
                { value: 'weekday', label: nthText(startsOn, times) },
              ]}
              value={repeats.monthly}
              onChange={(chosen) => change({ monthly: chosen === 'weekday' ? 'weekday' : 'date' })}
            />
          )}
        </>
      )}
      {days.length > 1 && (
        <p className={classes['note']} aria-live="polite">
          <Plural value={days.length} one="# event:" other="# events:" /> {first.join(' · ')}
          {days.length > first.length ? ' …' : '.'} <Trans>People register for each date separately.</Trans>
        </p>
      )}
    </>
  )
}
