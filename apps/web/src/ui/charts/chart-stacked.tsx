import { BarChart } from '@mantine/charts'
import { axisTicks, partColor, valueOf } from './chart-data.ts'
import { axisHeight, indexAt, indexOf, named, shortened, Tip, topMargin } from './chart-parts.tsx'
import type { DrawingProps } from './chart-parts.tsx'
import { usePrinting } from '../printing.ts'
import { patternFill, PrintPatterns } from './print-patterns.tsx'

/** One bar a row, divided into the series. Upright ones go over time; the others lie beside their names. */
export function Stacked(props: DrawingProps) {
  const { label, series, rows, upright, mirrored, height, narrow, format, choose, setActive, onSelectPart } = props
  const printing = usePrinting()
  const totals = rows.map((row) => series.reduce((sum, one) => sum + (valueOf(row, one) ?? 0), 0))
  const ticks = axisTicks(totals)
  const domain = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const longest = Math.max(0, ...rows.map((row) => (row.short ?? row.label).length))
  const colors = series.map((_, index) => partColor(index))
  const data = rows.map((row, at) => ({
    at,
    name: row.short ?? row.label,
    ...Object.fromEntries(series.map((one) => [one.key, valueOf(row, one) ?? 0])),
  }))
  return (
    <>
      {printing && <PrintPatterns />}
      <BarChart
        h={height}
        data={data}
        dataKey="name"
        type="stacked"
        orientation={upright ? 'horizontal' : 'vertical'}
        series={series.map((one, index) => ({
          name: one.key,
          label: one.label,
          color: printing ? patternFill(index) : (colors[index] ?? partColor(0)),
        }))}
        gridAxis={upright ? 'x' : 'none'}
        tickLine="none"
        strokeDasharray="0"
        gridColor="var(--gh-border)"
        textColor={upright ? 'var(--mantine-color-dimmed)' : 'var(--mantine-color-text)'}
        valueFormatter={format}
        withXAxis={upright}
        xAxisProps={upright ? { minTickGap: 12, height: axisHeight } : { domain, reversed: mirrored }}
        yAxisProps={
          upright
            ? { domain, ticks, width: 22 + 7 * Math.max(...ticks.map((tick) => format(tick).length)) }
            : {
                width: Math.min(narrow ? 130 : 190, longest * 7 + 24),
                interval: 0,
                orientation: mirrored ? 'right' : 'left',
                tick: { transform: `translate(${mirrored ? 10 : -10}, 0)`, fontSize: 12, fill: 'currentColor' },
                tickFormatter: (name: string) => shortened(name, narrow ? 16 : 24),
              }
        }
        barChartProps={{
          ...named(label),
          margin: upright ? { top: topMargin } : { top: 0, bottom: 0 },
          onClick: ({ activeTooltipIndex }) => !onSelectPart && choose(indexOf(activeTooltipIndex)),
        }}
        barProps={({ name }) => ({
          isAnimationActive: false,
          ...(upright ? { maxBarSize: 40 } : { barSize: 16 }),
          stroke: printing ? '#000' : 'var(--gh-raised)',
          onClick: (_, index) => {
            const [row, part] = [rows[index], series.find(({ key }) => key === name)]
            if (row && part) onSelectPart?.(row, part)
          },
        })}
        tooltipProps={{
          content: ({ active, payload }) => (
            <Tip index={active ? indexAt(payload) : null} rows={rows} series={series} colors={colors} format={format} onShow={setActive} />
          ),
        }}
      />
    </>
  )
}
