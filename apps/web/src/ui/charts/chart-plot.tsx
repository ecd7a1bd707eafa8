import { AreaChart, BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useEffect, useState } from 'react'
import { axisTicks, colorsOf, grey, partColor, pushedApart, valueOf } from './chart-data.ts'
import type { ChartKind, ChartRow, ChartSeries } from './chart-data.ts'
import { usePrinting } from '../printing.ts'
import classes from './chart.module.css'
import { patternFill, PrintPatterns } from './print-patterns.tsx'

type PlotProps = {
  kind: ChartKind
  label: string
  series: readonly ChartSeries[]
  rows: readonly ChartRow[]
  partial: boolean
  /** The page reads from right to left: bars grow from the right; time still runs from left to right, with its scale before it. */
  mirrored: boolean
  height: number
  /** Too little room beside the lines for their names, which then stand below. */
  narrow: boolean
  /** How a value reads. */
  format: (value: number) => string
  onSelect: ((row: ChartRow) => void) | undefined
}

/** The part of a chart that needs the drawing library, and the only one that may import it. */
export function ChartPlot(props: PlotProps) {
  const { rows, onSelect } = props
  const [active, setActive] = useState<number | null>(null)
  const choose = (index: number | null) => {
    const row = index === null ? undefined : rows[index]
    if (row) onSelect?.(row)
  }
  const Drawing = props.kind === 'bars' ? Bars : props.kind === 'share' ? Share : Lines
  return (
    // The library lets arrow keys walk over the values, and Enter do nothing.
    <div
      role="presentation"
      className={classes['root']}
      data-selects={onSelect ? true : undefined}
      onKeyDown={({ key }) => key === 'Enter' && choose(active)}
    >
      <Drawing {...props} choose={choose} setActive={setActive} />
    </div>
  )
}

type DrawingProps = PlotProps & { choose: (index: number | null) => void; setActive: (index: number | null) => void }

const topMargin = 8
const axisHeight = 30

/** Longer names of lines and bars are cut off. */
const mostLetters = 20
const shortened = (name: string, most: number) => (name.length > most ? `${name.slice(0, most - 1).trimEnd()}…` : name)

function Lines({ kind, label, series, rows, partial, height, narrow, format, choose, setActive }: DrawingProps) {
  const ticks = axisTicks(rows.flatMap((row) => series.map((one) => valueOf(row, one) ?? 0)))
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const last = rows.length - 1
  const colors = colorsOf(series)
  // Each of several lines ends in its name; a single one is named by the title. Names of lines that end close together move apart.
  const inner = height - topMargin - axisHeight
  const ends = series.map((one) => {
    const value = rows[last] ? valueOf(rows[last], one) : null
    return ((high - (value ?? low)) / (high - low || 1)) * inner
  })
  const labelled = pushedApart(ends, 14, inner)
  const drawn = series.flatMap((one, index) => {
    const color = colors[index] ?? grey
    const line = { name: one.key, label: one.label, color, index, dashed: false }
    return partial && !one.previous ? [line, { ...line, name: `${one.key}\u2026`, dashed: true }] : [line]
  })
  const data = rows.map((row, at) => ({
    at,
    name: row.short ?? row.label,
    ...Object.fromEntries(
      drawn.map(({ name, index, dashed }) => {
        const one = series[index]
        const whole = !partial || one?.previous || (dashed ? at >= last - 1 : at < last)
        return [name, one && whole ? valueOf(row, one) : null]
      }),
    ),
  }))
  const byName = new Map(drawn.map((line) => [line.name, line]))
  const names = narrow || series.length < 2 ? [] : series.map((one) => shortened(one.label, mostLetters))
  const longest = Math.max(0, ...names.map((name) => name.length))
  return (
    <AreaChart
      h={height}
      data={data}
      dataKey="name"
      // The grey line of the period before stands behind the present one.
      series={drawn
        .toSorted((a, b) => Number(series[b.index]?.previous ?? false) - Number(series[a.index]?.previous ?? false))
        .map(({ name, color, dashed }) => ({ name, color, ...(dashed && { strokeDasharray: '4 4' }) }))}
      curveType="linear"
      connectNulls={false}
      withGradient={false}
      withDots={false}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      gridColor="var(--gh-border)"
      textColor="var(--mantine-color-dimmed)"
      valueFormatter={format}
      xAxisProps={{ minTickGap: 12 }}
      yAxisProps={{
        domain: [low, high],
        ticks,
        width: 22 + 7 * Math.max(...ticks.map((tick) => format(tick).length)),
      }}
      areaChartProps={{
        ...named(label),
        margin: { top: topMargin, right: longest * 7 + 12 },
        onClick: ({ activeTooltipIndex }) => choose(indexOf(activeTooltipIndex)),
      }}
      areaProps={({ name }) => {
        const line = byName.get(name)
        const one = line && series[line.index]
        return {
          isAnimationActive: false,
          fillOpacity: kind === 'area' && !one?.previous ? 0.15 : 0,
          strokeWidth: one?.previous ? 1 : 2,
          activeDot: { r: 4 },
          label: ({ x, index }: { x?: number | string | undefined; index?: number | undefined }) =>
            line && one && names.length > 0 && index === last && (line.dashed || !partial || one.previous) ? (
              <text
                x={Number(x) + 6}
                y={topMargin + (labelled[line.index] ?? 0)}
                dominantBaseline="central"
                fill={one.previous ? 'var(--mantine-color-dimmed)' : 'var(--mantine-color-text)'}
                fontSize={12}
              >
                {names[line.index]}
              </text>
            ) : (
              <></>
            ),
        }
      }}
      tooltipProps={{
        content: ({ active, payload }) => (
          <Tip index={active ? indexAt(payload) : null} rows={rows} series={series} colors={colors} format={format} onShow={setActive} />
        ),
      }}
    />
  )
}

function Bars({ label, series, rows, mirrored, height, narrow, format, choose, setActive }: DrawingProps) {
  const [one] = series
  if (!one) return null
  const colors = colorsOf(series)
  const data = rows.map((row, at) => ({ at, name: row.short ?? row.label, value: valueOf(row, one) ?? 0 }))
  const ticks = axisTicks(data.map(({ value }) => value))
  const longest = Math.max(0, ...data.map(({ name }) => name.length))
  const widest = Math.max(0, ...data.map(({ value }) => format(value).length))
  return (
    <BarChart
      h={height}
      data={data}
      dataKey="name"
      orientation="vertical"
      series={[{ name: 'value', label: one.label, color: colors[0] ?? grey }]}
      gridAxis="none"
      tickLine="none"
      textColor="var(--mantine-color-text)"
      valueFormatter={format}
      withXAxis={false}
      xAxisProps={{ domain: [ticks[0] ?? 0, ticks.at(-1) ?? 1], reversed: mirrored }}
      yAxisProps={{
        width: Math.min(narrow ? 130 : 190, longest * 7 + 24),
        interval: 0,
        orientation: mirrored ? 'right' : 'left',
        tick: { transform: `translate(${mirrored ? 10 : -10}, 0)`, fontSize: 12, fill: 'currentColor' },
        tickFormatter: (name: string) => shortened(name, narrow ? 16 : 24),
      }}
      barChartProps={{
        ...named(label),
        margin: { top: 0, bottom: 0, [mirrored ? 'left' : 'right']: Math.max(48, widest * 7 + 8) },
        onClick: ({ activeTooltipIndex }) => choose(indexOf(activeTooltipIndex)),
      }}
      barProps={{ isAnimationActive: false, barSize: 16, radius: 2 }}
      withBarValueLabel
      valueLabelProps={{ position: 'right', fill: 'var(--mantine-color-text)' }}
      tooltipProps={{
        content: ({ active, payload }) => (
          <Tip index={active ? indexAt(payload) : null} rows={rows} series={series} colors={colors} format={format} onShow={setActive} />
        ),
      }}
    />
  )
}

/** One bar of all parts. Its single row holds every part, so the part under the pointer is what counts; keys reach the legend instead. */
function Share({ label, series, rows, mirrored, height, format, choose }: DrawingProps) {
  const printing = usePrinting()
  const [one] = series
  if (!one) return null
  const values = Object.fromEntries(rows.map((row) => [row.key, valueOf(row, one) ?? 0]))
  return (
    <>
      {printing && <PrintPatterns />}
      <BarChart
        h={height}
        data={[{ name: '', ...values }]}
        dataKey="name"
        type="stacked"
        orientation="vertical"
        accessibilityLayer={false}
        series={rows.map((row, index) => ({ name: row.key, label: row.label, color: printing ? patternFill(index) : partColor(index) }))}
        gridAxis="none"
        valueFormatter={format}
        withXAxis={false}
        withYAxis={false}
        withTooltip={false}
        xAxisProps={{ domain: [0, 'dataMax'], reversed: mirrored }}
        barChartProps={{ ...named(label, 'img'), margin: { top: 0, bottom: 0, left: 0, right: 0 } }}
        barProps={({ name }) => ({
          isAnimationActive: false,
          barSize: 20,
          stroke: printing ? '#000' : 'var(--gh-raised)',
          onClick: () => choose(rows.findIndex(({ key }) => key === name)),
        })}
      />
    </>
  )
}

/** Passed on to the drawing, which is an application without a name otherwise; the types of the library leave it out. */
const named = (label: string, role = 'application') => ({ 'aria-label': label, role })

const indexOf = (at: number | string | null | undefined) => (at === null || at === undefined || at === '' ? null : Number(at))

/** Which row a tooltip is about. */
function indexAt(payload: readonly { payload?: unknown }[] | undefined): number | null {
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
function Tip({ index, rows, series, colors, format, onShow }: TipProps) {
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
