import { useEffect } from 'react'
import { valueOf } from './chart-data.ts'
import type { ChartKind, ChartLimit, ChartMark, ChartRow, ChartSeries } from './chart-data.ts'
import classes from './chart.module.css'

export type PlotProps = {
  kind: Exclude<ChartKind, 'grid'>
  label: string
  series: readonly ChartSeries[]
  rows: readonly ChartRow[]
  partial: boolean
  /** The page reads from right to left: bars grow from the right; time still runs from left to right, with its scale before it. */
  mirrored: boolean
  height: number
  /** Too little room beside the lines for their names, which then stand below. */
  narrow: boolean
  /** Stacked bars stand side by side, as over time. */
  upright: boolean
  /** How a value reads. */
  format: (value: number) => string
  onSelect: ((row: ChartRow) => void) | undefined
  /** Drawn across lines. */
  limits: readonly ChartLimit[]
  /** Drawn down through lines. */
  marks: readonly ChartMark[]
  /** Of one part of a stacked bar. */
  onSelectPart: ((row: ChartRow, series: ChartSeries) => void) | undefined
}

export type DrawingProps = PlotProps & { choose: (index: number | null) => void; setActive: (index: number | null) => void }

export const topMargin = 8
export const axisHeight = 30

/** Longer names of lines and bars are cut off. */
const mostLetters = 20
export const shortened = (name: string, most = mostLetters) => (name.length > most ? `${name.slice(0, most - 1).trimEnd()}…` : name)

/** Passed on to the drawing, which is an application without a name otherwise; the types of the library leave it out. */
export const named = (label: string, role = 'application') => ({ 'aria-label': label, role })

export const indexOf = (at: number | string | null | undefined) => (at === null || at === undefined || at === '' ? null : Number(at))

/** Which row a tooltip is about. */
export function indexAt(payload: readonly { payload?: unknown }[] | undefined): number | null {
  const row = payload?.[0]?.payload
  return typeof row === 'object' && row !== null && 'at' in row && typeof row.at === 'number' ? row.at : null
}

type TipProps = {
  index: number | null
  rows: readonly ChartRow[]
  series: readonly ChartSeries[]
  colors: readonly string[]
  format: (value: number) => string
  onShow: (index: number | null) => void
}

/** The same for the pointer and for the keyboard. */
export function Tip({ index, rows, series, colors, format, onShow }: TipProps) {
  useEffect(() => onShow(index), [index, onShow])
  const row = index === null ? undefined : rows[index]
  if (!row) return null
  return (
    <div className={classes['tip']} dir="auto">
      <span>{row.label}</span>
      {series.map((one, at) => {
        const value = valueOf(row, one)
        return (
          value !== null && (
            <span key={one.key} className={classes['tipRow']}>
              <span className={classes['dot']} style={{ background: colors[at] }} aria-hidden />
              {one.label} <strong>{format(value)}</strong>
            </span>
          )
        )
      })}
    </div>
  )
}
