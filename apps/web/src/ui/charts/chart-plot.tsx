import { AreaChart, BarChart } from '@mantine/charts'
import '@mantine/charts/styles.css'
import { useState } from 'react'
import { axisTicks, colorsOf, grey, partColor, pushedApart, valueOf } from './chart-data.ts'
import { axisHeight, indexAt, indexOf, named, shortened, Tip, topMargin } from './chart-parts.tsx'
import type { DrawingProps, PlotProps } from './chart-parts.tsx'
import { Stacked } from './chart-stacked.tsx'
import { usePrinting } from '../printing.ts'
import classes from './chart.module.css'
import { patternFill, PrintPatterns } from './print-patterns.tsx'

/** The part of a chart that needs the drawing library, and the only one that may import it. */
export function ChartPlot(props: PlotProps) {
  const { rows, onSelect } = props
  const [active, setActive] = useState<number | null>(null)
  const choose = (index: number | null) => {
    const row = index === null ? undefined : rows[index]
    if (row) onSelect?.(row)
  }
  const Drawing = { bars: Bars, share: Share, stacked: Stacked, line: Lines, area: Lines }[props.kind]
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

function Lines({ kind, label, series, rows, partial, height, narrow, limits, marks, format, choose, setActive }: DrawingProps) {
  const ticks = axisTicks([...rows.flatMap((row) => series.map((one) => valueOf(row, one) ?? 0)), ...limits.map(({ value }) => value)])
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
  const names = narrow || series.length < 2 ? [] : series.map((one) => shortened(one.label))
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
      referenceLines={referencesOf(rows, limits, marks)}
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

/** Levels across the lines and moments down through them, each with its name. */
function referencesOf(rows: DrawingProps['rows'], limits: DrawingProps['limits'], marks: DrawingProps['marks']) {
  const fill = 'var(--mantine-color-text)'
  return [
    ...limits.map(({ label, value }) => ({ y: value, label: { value: label, fill }, color: 'var(--gh-chart-3)', strokeDasharray: '6 4' })),
    ...marks.flatMap(({ row, label }) => {
      const at = rows.find(({ key }) => key === row)
      return at ? [{ x: at.short ?? at.label, label: { value: label, fill }, color: grey, labelPosition: 'insideBottomLeft' as const }] : []
    }),
  ]
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
