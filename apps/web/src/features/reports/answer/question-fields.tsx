import { Select, Switch, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { ReportSpan, standardReports } from '@guildhall/contract/features/reports'
import type { StandardReport } from '@guildhall/contract/features/reports'
import { ChapterPicker } from '../../../platform/records/record-pickers.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { groupingOf, usualSpans } from '../reports-question.ts'
import type { Asked } from '../reports-question.ts'
import classes from '../reports.module.css'
import { byWords, spanWords } from '../words/question-words.ts'

type Props = { asked: Asked; onAsk: (change: Partial<Asked>) => void }

/** What a report that comes with the product can be asked: range, comparison, chapter, day of the past, grouping. */
export function StandardFields({ report, asked, onAsk }: Props & { report: StandardReport }) {
  const can = standardReports[report]
  return (
    <div className={classes['fields']} role="group" aria-label={t`Question`}>
      {can.range && <RangeFields asked={asked} onAsk={onAsk} usual={usualSpans[report] ?? 'all'} />}
      <ChapterField asked={asked} onAsk={onAsk} />
      <ByField report={report} asked={asked} onAsk={onAsk} />
      {can.asOf && <AsOfField asked={asked} onAsk={onAsk} />}
      {can.compare && <CompareField asked={asked} onAsk={onAsk} />}
    </div>
  )
}

/** A span that moves with the calendar, or a first and a last day. */
export function RangeFields({ asked, onAsk, usual, label = t`Range` }: Props & { usual: ReportSpan; label?: string }) {
  const words = spanWords()
  const today = useToday()
  const { since, until } = asked
  const own = since !== undefined && until !== undefined
  return (
    <>
      <Select
        label={label}
        allowDeselect={false}
        value={own ? 'own' : (asked.span ?? usual)}
        data={[...ReportSpan.options.map((value) => ({ value, label: words[value] })), { value: 'own', label: t`From and to` }]}
        onChange={(chosen) => {
          const span = ReportSpan.options.find((one) => one === chosen)
          if (span) onAsk({ span: span === usual ? undefined : span, since: undefined, until: undefined })
          else onAsk({ span: undefined, since: `${today.slice(0, 4)}-01-01`, until: today })
        }}
      />
      {own && (
        <>
          <TextInput
            type="date"
            label={t`From`}
            value={since}
            max={until}
            onChange={({ currentTarget: { value } }) => value && onAsk({ since: value })}
          />
          <TextInput
            type="date"
            label={t`To`}
            value={until}
            min={since}
            error={since <= until ? undefined : t`Choose a day that is not before the first one.`}
            onChange={({ currentTarget: { value } }) => value && onAsk({ until: value })}
          />
        </>
      )}
    </>
  )
}

export const ChapterField = ({ asked, onAsk }: Props) => (
  <ChapterPicker
    label={t`Chapter (with those below)`}
    placeholder={t`All`}
    clearable
    value={asked.chapter ?? null}
    onChange={(id) => onAsk({ chapter: id ?? undefined })}
  />
)

/** Today moves with the calendar; an own question can also be about everything that was ever recorded. */
export function AsOfField({ asked: { asOf }, onAsk, canBeEver = false }: Props & { canBeEver?: boolean }) {
  const today = useToday()
  const isDay = asOf !== undefined && asOf !== 'ever'
  return (
    <>
      <Select
        label={t`As of`}
        allowDeselect={false}
        value={isDay ? 'day' : (asOf ?? 'today')}
        data={[
          { value: 'today', label: t`Today` },
          { value: 'day', label: t`A day` },
          ...(canBeEver ? [{ value: 'ever', label: t`Everything ever recorded` }] : []),
        ]}
        onChange={(chosen) => onAsk({ asOf: chosen === 'day' ? today : chosen === 'ever' ? chosen : undefined })}
      />
      {isDay && (
        <TextInput
          type="date"
          label={t`Day`}
          max={today}
          value={asOf}
          error={asOf > today ? t`Choose today or an earlier day.` : undefined}
          onChange={({ currentTarget: { value } }) => value && onAsk({ asOf: value })}
        />
      )}
    </>
  )
}

export const CompareField = ({ asked, onAsk }: Props) => (
  <Switch
    className={classes['switch'] ?? ''}
    label={t`Compare with the year before`}
    checked={asked.compare === 1}
    onChange={({ currentTarget: { checked } }) => onAsk({ compare: checked ? 1 : undefined })}
  />
)

const itself = 'itself'

function ByField({ report, asked, onAsk }: Props & { report: StandardReport }) {
  const grouping = groupingOf(report)
  if (!grouping) return null
  const words = byWords()
  const usual = grouping.own ? itself : grouping.ways[0]
  return (
    <Select
      label={t`Group by`}
      allowDeselect={false}
      value={grouping.ways.find((way) => way === asked.by) ?? usual ?? null}
      data={[
        ...(grouping.own ? [{ value: itself, label: t`No further grouping` }] : []),
        ...grouping.ways.map((value) => ({ value, label: words[value] })),
      ]}
      onChange={(chosen) => {
        const by = grouping.ways.find((way) => way === chosen)
        onAsk({ by: by === usual ? undefined : by })
      }}
    />
  )
}
