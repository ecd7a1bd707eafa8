import { Button, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { useId, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { placeOf, useZoneTimes } from '../display/zone-times.tsx'
import type { TypedMoment } from './typed-moments.ts'
import classes from './moment-field.module.css'

export type MomentFieldProps = {
  label: ReactNode
  /** By whose clocks the text is meant. */
  zone: string
  /** An instant in UTC; null where nothing is entered, undefined where what is typed is no moment: a form must not send that. */
  value: string | null | undefined
  onChange: (at: string | null | undefined) => void
  required?: boolean
  error?: ReactNode
}

type Reading = { text: string; moment: TypedMoment | 'not_understood' | 'no_time' }

/** A moment as people write it, "Thu 7pm" or "next Friday 18:30". How it is understood stands below before it is taken, on leaving the field or with Enter. */
export function MomentField({ zone, value, onChange, error, ...rest }: MomentFieldProps) {
  const { i18n } = useLingui()
  const momentText = useZoneTimes()
  const [typed, setTyped] = useState<string | undefined>()
  const [reading, setReading] = useState<Reading | undefined>()
  const latest = useRef('')
  const left = useRef(false)
  const status = useId()

  const locale = (Array.isArray(i18n.locales) ? i18n.locales[0] : i18n.locales) ?? i18n.locale
  const read = async (text: string) => {
    latest.current = text
    setTyped(text)
    // Until it is taken, nothing else may be sent in its place.
    onChange(text.trim() === '' ? null : undefined)
    if (text.trim() === '') return setReading(undefined)
    const { readMoment } = await import('./typed-moments.ts')
    if (latest.current !== text) return
    const found = readMoment(text, zone, new Date(), locale)
    setReading({ text, moment: found })
    // Whoever types fast has left the field before it was understood.
    if (left.current && typeof found === 'object') onChange(found.at)
  }
  const moment = reading?.text === typed ? reading?.moment : undefined
  const understood = typeof moment === 'object' ? moment : undefined
  const take = () => understood && value === undefined && onChange(understood.at)
  const wrong =
    moment === 'no_time'
      ? t`Add a time, such as 7pm or 18:30.`
      : moment === 'not_understood'
        ? t`This is not understood. Write it as Thu 7pm or 2026-12-03 18:30.`
        : undefined
  return (
    <div className={classes['field']}>
      <TextInput
        {...rest}
        autoComplete="off"
        placeholder={t`Thu 7pm`}
        value={typed ?? (value ? momentText(new Date(value), zone) : '')}
        onChange={(event) => void read(event.currentTarget.value)}
        // Typing replaces what is there: a moment is written anew, not mended.
        onFocus={({ currentTarget }) => {
          left.current = false
          currentTarget.select()
        }}
        onKeyDown={({ key }) => key === 'Enter' && take()}
        onBlur={() => {
          left.current = true
          take()
        }}
        error={wrong ?? error}
        aria-describedby={status}
      />
      <div id={status} role="status" className={classes['understood']}>
        {understood && <Understood moment={understood} value={value} zone={zone} onChoose={onChange} />}
      </div>
    </div>
  )
}

type UnderstoodProps = { moment: TypedMoment; value: string | null | undefined; zone: string; onChoose: (at: string) => void }

/** What was understood, and what the clocks of the zone do at that time. */
function Understood({ moment, value, zone, onChoose }: UnderstoodProps) {
  const momentText = useZoneTimes()
  const chosen = value ?? moment.at
  const place = placeOf(zone)
  return (
    <>
      <span>{momentText(new Date(chosen), zone)}</span>
      {moment.change === 'skipped' && (
        <span>
          <Trans>
            Clocks in {place} go forward over {moment.time} on this day, so it is taken as much later.
          </Trans>
        </span>
      )}
      {moment.change === 'doubled' && (
        <span>
          <Trans>
            Clocks in {place} go back and show {moment.time} twice on this day.
          </Trans>{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => onChoose(chosen === moment.second ? moment.at : moment.second)}>
            {chosen === moment.second ? t`Use the first` : t`Use the second`}
          </Button>
        </span>
      )}
    </>
  )
}
