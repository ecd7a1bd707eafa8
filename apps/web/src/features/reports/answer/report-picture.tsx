import { SegmentedControl, Select } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { ReportAnswer } from '@guildhall/contract/features/reports'
import { Chart } from '../../../ui/charts/chart.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import classes from '../reports.module.css'
import { changeOf } from './answer-words.ts'
import type { AnswerWords } from './answer-words.ts'
import { hasList } from './has-list.ts'
import { lastDayOf } from './list-address.ts'
import { crossed, findingOf, firstStacks, mostParts, otherColumn, seriesOf, shownMeasures, summaryOf } from './report-series.ts'

export type Open = (keys: (string | null)[], measure: string) => void

type Props = {
  answer: ReportAnswer
  title: string
  words: AnswerWords
  shown: string | undefined
  onShown?: ((measure: string | undefined) => void) | undefined
  /** Opens the list behind a figure. */
  onOpen: Open | undefined
}

/** The picture that the data asks for: figures where nothing is grouped, otherwise one chart of one measure, or of several alike. */
export function ReportPicture({ answer, title, words, shown, onShown, onOpen }: Props) {
  const { picture, measures, dimensions, rows } = answer
  const at = shownMeasures(answer, shown)
  const first = at[0] ?? 0
  const measure = measures[first]
  if (!measure) return null
  if (dimensions.length === 0 || picture === 'number') return <Figures answer={answer} words={words} onOpen={onOpen} />
  if (rows.length === 0) return null
  const text = { title: at.map((index) => findingOf(answer, index, words, title)).join(' · '), summary: summaryOf(answer, first, words) }
  const { format } = words.drawn(measure)
  const open = hasList(measure) ? onOpen : undefined
  const isOverTime = dimensions[0]?.kind === 'day'
  return (
    <div className={classes['picture']}>
      {measures.length > 1 && onShown && (
        <MeasureChoice answer={answer} words={words} value={at.length > 1 ? together : measure.key} onChange={onShown} />
      )}
      {picture !== 'table' && dimensions.length === 2 && (
        <Chart
          {...text}
          kind={picture === 'stacked' ? 'stacked' : 'grid'}
          upright={isOverTime}
          format={format}
          data={picture === 'stacked' ? firstStacks(crossed(answer, first, words, mostParts)) : crossed(answer, first, words, mostColumns)}
          onSelectPart={open && ((row, part) => part.key !== otherColumn && open([valueOf(row.key), valueOf(part.key)], measure.key))}
        />
      )}
      {picture !== 'table' && dimensions.length === 1 && (
        <Chart
          {...text}
          kind={picture === 'line' || picture === 'area' || picture === 'share' ? picture : 'bars'}
          partial={isPartial(answer)}
          inOrder={picture === 'bars' && (isOverTime || dimensions[0]?.kind === 'choice')}
          format={format}
          data={seriesOf(answer, at, words)}
          onSelect={open && (({ key }) => open(keysOf(key), measure.key))}
        />
      )}
    </div>
  )
}

const mostColumns = 40

/** The last month, quarter or year is not over yet. */
function isPartial({ dimensions: [dimension], rows, asOf, at }: ReportAnswer): boolean {
  const last = rows.at(-1)?.keys[0]?.value
  return dimension?.kind === 'day' && last !== null && last !== undefined && lastDayOf(last, dimension.bucket) >= (asOf ?? at.slice(0, 10))
}

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string'
const valueOf = (text: string): string | null => {
  const value: unknown = JSON.parse(text)
  return isText(value) ? value : null
}
const keysOf = (text: string): (string | null)[] => {
  const values: unknown = JSON.parse(text)
  return Array.isArray(values) ? values.filter(isText) : []
}

const fewMeasures = 5
/** Those of one scale in the same picture. */
const together = 'together'

type ChoiceProps = { answer: ReportAnswer; words: AnswerWords; value: string; onChange: (key: string | undefined) => void }

function MeasureChoice({ answer, words, value, onChange }: ChoiceProps) {
  const data = [
    ...(shownMeasures(answer, undefined).length > 1 ? [{ value: together, label: t`Together` }] : []),
    ...answer.measures.map(({ key }) => ({ value: key, label: words.measureWord(key).label })),
  ]
  const choose = (key: string) => onChange(key === together ? undefined : key)
  return data.length <= fewMeasures ? (
    <div className={classes['choice']}>
      <SegmentedControl aria-label={t`Measure shown`} value={value} data={data} onChange={choose} />
    </div>
  ) : (
    <Select
      className={classes['choiceField'] ?? ''}
      aria-label={t`Measure shown`}
      value={value}
      data={data}
      allowDeselect={false}
      onChange={(key) => key && choose(key)}
    />
  )
}

function Figures({ answer, words, onOpen }: Pick<Props, 'answer' | 'words' | 'onOpen'>) {
  const { total: values, previousTotal: before } = answer
  return (
    <div className={classes['figures']}>
      {answer.measures.map((measure, at) => {
        const then = before?.[at]
        const change = changeOf(values[at], then)
        const stat = (
          <Stat
            label={words.measureWord(measure.key).label}
            value={words.valueText(measure, values[at] ?? null)}
            change={then === null || then === undefined ? undefined : t`${words.valueText(measure, then)} a year before`}
            tone={change !== null && change > 0 ? 'good' : 'neutral'}
          />
        )
        return onOpen && hasList(measure) ? (
          <button key={measure.key} type="button" className={classes['figure']} onClick={() => onOpen([], measure.key)}>
            {stat}
          </button>
        ) : (
          <div key={measure.key}>{stat}</div>
        )
      })}
    </div>
  )
}
