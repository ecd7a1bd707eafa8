import { Select, TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { clockIn, momentAt } from '@guildhall/contract/moments'
import { useMemo, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterPicker, GroupPicker } from '../../../platform/records/record-pickers.tsx'
import { MomentField } from '../../../ui/form/moment-field.tsx'
import { Optional } from '../../../ui/form/record-form.tsx'
import { zoneOptions } from '../../../ui/form/zone-options.ts'
import { chosenOf, eventKindWords, eventVisibilityWords, optionsOf } from '../events-words.tsx'
import { usePart } from './form-context.ts'
import { RepeatsField } from './repeats-field.tsx'
import classes from './event-form.module.css'

const durations = [30, 45, 60, 90, 120, 180, 240, 480]
const minutesBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 60_000
const later = (at: string, minutes: number) => new Date(Date.parse(at) + minutes * 60_000).toISOString()

/** What it is, when, who holds it, and who sees it. */
export function BasicsPart() {
  const { values, set, errorOf, text, moment } = usePart(
    'title',
    'startsAt',
    'endsAt',
    'timezone',
    'kind',
    'chapterId',
    'groupId',
    'visibility',
    'programme',
    'registrationOpensAt',
    'registrationClosesAt',
    'cancelUntil',
  )
  const { chapters } = useApi().data
  const { startsAt, endsAt, timezone } = values
  const zones = useMemo(() => zoneOptions(timezone), [timezone])
  const length = startsAt && endsAt ? minutesBetween(startsAt, endsAt) : undefined
  const [last, setLast] = useState(length ?? 120)
  const [endIsTyped, setEndIsTyped] = useState(length !== undefined && !durations.includes(length))

  const start = (at: string | null | undefined) => {
    // The end stays as long after the start as it was.
    if (length !== undefined) setLast(length)
    set({ startsAt: at ?? undefined, ...(at && !endIsTyped && { endsAt: later(at, length ?? last) }) })
  }
  const duration = (chosen: string | null) => {
    if (chosen === null) return
    setEndIsTyped(chosen === 'other')
    if (chosen !== 'other' && startsAt) set({ endsAt: later(startsAt, Number(chosen)) })
  }
  /** The same time of day by the clocks of another zone. */
  const zone = (to: string | null) => {
    if (to === null) return
    const moved = (at: string | null | undefined) => {
      if (!at) return at
      const { date, time } = clockIn(timezone, at)
      return momentAt(to, date, time).at
    }
    set({
      timezone: to,
      startsAt: moved(startsAt),
      endsAt: moved(endsAt),
      registrationOpensAt: moved(values.registrationOpensAt),
      registrationClosesAt: moved(values.registrationClosesAt),
      cancelUntil: moved(values.cancelUntil),
      programme: values.programme.map((item) => ({ ...item, startsAt: moved(item.startsAt), endsAt: moved(item.endsAt) })),
    })
  }
  const host = async (chapterId: string | null) => {
    set({ chapterId })
    const chapter = chapterId ? await chapters.get.call({ chapterId }).catch(() => undefined) : undefined
    if (chapter?.timezone && chapter.timezone !== timezone) zone(chapter.timezone)
  }
  return (
    <>
      <TextInput
        label={t`Title`}
        required
        data-autofocus
        size="md"
        placeholder={t`Summer picnic`}
        maxLength={150}
        autoComplete="off"
        {...text('title')}
      />
      <div className={classes['pair']}>
        <MomentField label={t`Start`} required {...moment('startsAt', timezone)} onChange={start} />
        <Select
          label={t`Duration`}
          allowDeselect={false}
          value={endIsTyped ? 'other' : String(length ?? last)}
          onChange={duration}
          data={[
            ...durations.map((minutes) => ({ value: String(minutes), label: durationText(minutes) })),
            { value: 'other', label: t`Other end` },
          ]}
          error={endIsTyped ? undefined : errorOf('endsAt')}
        />
      </div>
      {endIsTyped && <MomentField label={t`End`} {...moment('endsAt', timezone)} />}
      <RepeatsField />
      <div className={classes['pair']}>
        <Select label={t`Time zone`} searchable allowDeselect={false} data={zones} value={timezone} onChange={zone} />
        <Select
          label={t`Kind`}
          allowDeselect={false}
          data={optionsOf(eventKindWords())}
          value={values.kind}
          onChange={(kind) => set({ kind: chosenOf(eventKindWords(), kind) ?? values.kind })}
        />
      </div>
      <div className={classes['pair']}>
        <ChapterPicker
          label={<Optional>{t`Chapter`}</Optional>}
          placeholder={t`The whole organisation`}
          value={values.chapterId}
          onChange={(id) => void host(id)}
          error={errorOf('chapterId')}
          disabled={values.groupId !== null}
        />
        <GroupPicker
          label={<Optional>{t`Group`}</Optional>}
          placeholder={t`No group`}
          value={values.groupId}
          onChange={(groupId) =>
            set({ groupId, visibility: groupId === null && values.visibility === 'group' ? 'members' : values.visibility })
          }
          error={errorOf('groupId')}
        />
      </div>
      <Select
        label={t`Who sees it`}
        allowDeselect={false}
        data={optionsOf(eventVisibilityWords()).filter(
          ({ value }) =>
            value === values.visibility ||
            ((value !== 'group' || values.groupId !== null) &&
              (value !== 'chapter' || values.chapterId !== null || values.groupId !== null)),
        )}
        value={values.visibility}
        onChange={(visibility) => set({ visibility: chosenOf(eventVisibilityWords(), visibility) ?? values.visibility })}
        error={errorOf('visibility')}
      />
    </>
  )
}

const durationText = (minutes: number) =>
  minutes < 60
    ? plural(minutes, { one: '# minute', other: '# minutes' })
    : minutes === 90
      ? t`1½ hours`
      : plural(minutes / 60, { one: '# hour', other: '# hours' })
