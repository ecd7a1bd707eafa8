import { t } from '@lingui/core/macro'
import type { ReportBucket, ReportPicture, ReportSpan } from '@guildhall/contract/features/reports'
import type { StandardBy } from '../reports-question.ts'

export const spanWords = (): Record<ReportSpan, string> => ({
  thisMonth: t`This month`,
  lastMonth: t`Last month`,
  thisQuarter: t`This quarter`,
  lastQuarter: t`Last quarter`,
  thisYear: t`This year`,
  lastYear: t`Last year`,
  last12Months: t`Last 12 months`,
  last5Years: t`Last 5 years`,
  all: t`Whole history`,
})
export const bucketWords = (): Record<ReportBucket, string> => ({
  day: t`Day`,
  week: t`Week`,
  month: t`Month`,
  quarter: t`Quarter`,
  year: t`Year`,
})
export const pictureWords = (): Record<ReportPicture, string> => ({
  table: t`Table only`,
  number: t`Figures`,
  bars: t`Bars`,
  line: t`Line`,
  area: t`Area`,
  share: t`Shares`,
  stacked: t`Stacked bars`,
  grid: t`Grid`,
})
export const byWords = (): Record<StandardBy, string> => ({
  month: t`Month`,
  quarter: t`Quarter`,
  year: t`Year`,
  chapter: t`Chapter`,
  region: t`Region`,
  type: t`Type`,
})
