import { plural, t } from '@lingui/core/macro'
import { decimalsOf, plainAmount } from '@guildhall/contract/money'
import type { ReportAnswer, ReportKey, ReportQuestion } from '@guildhall/contract/features/reports'
import type * as z from 'zod'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { fieldWord } from '../words/field-words.ts'
import { measuresOf } from '../words/measure-words.ts'
import type { MeasureWord } from '../words/measure-words.ts'
import { optionWords } from '../words/option-words.ts'
import { standardCode, standardDimension, standardMeasure } from '../words/standard-measures.ts'

type Answer = ReportAnswer
type Dimension = Answer['dimensions'][number]
export type Measure = Answer['measures'][number]
type Key = z.infer<typeof ReportKey>

/** How an answer reads: codes and days in the reader's language, names as the organisation has them. */
export function useAnswerWords(question: ReportQuestion) {
  const { number, percent, day, month } = useFormats()
  const money = useMoney()

  const bucketText = (bucket: Dimension['bucket'], value: string): string => {
    const year = value.slice(0, 4)
    switch (bucket) {
      case 'year':
        return year
      case 'quarter': {
        const quarter = /Q([1-4])$/.exec(value)?.[1] ?? String(Math.ceil(Number(value.slice(5, 7)) / 3))
        return t`Q${quarter} ${year}`
      }
      case 'month':
        return month(value.slice(0, 7), 'long')
      case 'week':
        return t`Week of ${day(value)}`
      case 'day':
      case null:
        return day(value)
    }
  }

  const keyText = ({ key, kind, bucket }: Dimension, { value, label }: Key): string => {
    if (label !== null) return label
    if (value === null) return kind === 'chapter' ? t`No chapter` : t`Not stated`
    if (kind === 'day') return bucketText(bucket, value)
    if (kind === 'yesNo') return value === 'true' ? t`Yes` : t`No`
    if (question.kind === 'standard') return standardCode(key, value) ?? value
    return optionWords()[question.subject][key]?.[value] ?? value
  }

  /** Shorter, for an axis. */
  const shortText = (dimension: Dimension, key: Key): string => {
    const { kind, bucket } = dimension
    if (kind !== 'day' || bucket !== 'month' || key.value === null) return keyText(dimension, key)
    const name = month(key.value.slice(0, 7), 'short')
    return key.value.slice(5, 7) === '01' ? `${name} ${key.value.slice(0, 4)}` : name
  }

  const dimensionText = ({ key }: Dimension): string =>
    question.kind === 'own' ? fieldWord(question.subject, key) : standardDimension(question.report, key)

  const measureWord = (key: string): MeasureWord => {
    const word = question.kind === 'own' ? measuresOf(question.subject)[key] : standardMeasure(question.report, key)
    return word ?? { label: key, definition: '' }
  }

  const valueText = ({ unit, currency }: Measure, value: number | null): string => {
    if (value === null) return '–'
    switch (unit) {
      case 'money':
        return currency ? money(Math.round(value), currency) : number(value)
      case 'percent':
        return percent(value / 100)
      case 'days':
        return plural(value, { one: '# day', other: '# days' })
      case 'count':
      case 'number':
        return number(value)
    }
  }

  /** The value as a drawing has it, and how a value of the drawing reads. */
  const drawn = (measure: Measure) => {
    const { unit, currency } = measure
    if (unit !== 'money' || !currency) return { of: (value: number | null) => value, format: (value: number) => valueText(measure, value) }
    return {
      of: (value: number | null) => (value === null ? null : Number(plainAmount(Math.round(value), currency))),
      format: (value: number) => money(Math.round(value * 10 ** decimalsOf(currency)), currency),
    }
  }

  return { keyText, shortText, dimensionText, measureWord, valueText, drawn }
}
export type AnswerWords = ReturnType<typeof useAnswerWords>

export const changeOf = (now: number | null | undefined, before: number | null | undefined): number | null =>
  now === null || now === undefined || before === null || before === undefined ? null : now - before
