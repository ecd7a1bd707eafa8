import type { Comparison } from './analytics-api.ts'

type Days = Pick<Comparison, 'from' | 'to'>
const shifted = (day: string, years: number) => {
  const [year = '', ...rest] = day.split('-')
  const there = [String(Number(year) + years), ...rest].join('-')
  // 29 February has no such day in most years.
  return new Date(`${there}T00:00Z`).getUTCDate() === Number(day.slice(8)) ? there : `${there.slice(0, 8)}28`
}
export const yearBefore = ({ from, to }: Days): Days => ({ from: shifted(from, -1), to: shifted(to, -1) })

export const periods = ['year', 'thisYear', 'lastYear', 'next'] as const
export type Period = (typeof periods)[number]

/** The days of a period that the address names, seen from today. */
export function daysOf(period: Period, today: string): Days {
  const year = today.slice(0, 4)
  if (period === 'thisYear') return { from: `${year}-01-01`, to: `${year}-12-31` }
  if (period === 'lastYear') return yearBefore({ from: `${year}-01-01`, to: `${year}-12-31` })
  if (period === 'next') return { from: today, to: shifted(today, 1) }
  return { from: shifted(today, -1), to: today }
}
