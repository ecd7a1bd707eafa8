import { unlisted } from '@guildhall/contract/features/reports.standard'
import type { Measure } from './answer-words.ts'

/** Whether records stand behind a figure: a difference is of figures, not of records. */
export const hasList = ({ key }: Pick<Measure, 'key'>): boolean => !unlisted.some((none) => none === key)

/** Whether the records behind a figure add up to it, as those behind an average or a share do not. */
export const addsUp = ({ key, unit }: Pick<Measure, 'key' | 'unit'>): boolean => (unit === 'count' || unit === 'money') && key !== 'average'
