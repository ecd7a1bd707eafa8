import { valueOf } from './chart-data.ts'
import type { ChartData, ChartRow, ChartSeries } from './chart-data.ts'
import classes from './heat-grid.module.css'

type Props = {
  title: string
  data: ChartData
  format: (value: number) => string
  onSelect: ((row: ChartRow, series: ChartSeries) => void) | undefined
}

/** Rows and columns whose squares are darker the higher their value; a table, so everything in it can be read and reached by keys. */
export function HeatGrid({ title, data, format, onSelect }: Props) {
  const highest = Math.max(0, ...data.rows.flatMap((row) => data.series.map((one) => valueOf(row, one) ?? 0)))
  return (
    // Wide grids scroll inside, which keys have to reach.
    <div className={classes['scroll']} role="region" aria-label={title} tabIndex={0}>
      <table className={classes['grid']}>
        <caption className={classes['hiddenCaption']}>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{data.heading}</th>
            {data.series.map(({ key, label }) => (
              <th key={key} scope="col">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {data.series.map((series) => {
                const value = valueOf(row, series)
                return (
                  <td key={series.key} className={classes['cell']} style={{ background: shade(value, highest) }}>
                    {value === null ? (
                      <span className={classes['none']}>–</span>
                    ) : onSelect ? (
                      <button
                        type="button"
                        onClick={() => onSelect(row, series)}
                        aria-label={`${row.label}, ${series.label}: ${format(value)}`}
                      >
                        {format(value)}
                      </button>
                    ) : (
                      format(value)
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Never so dark that the number on it could not be read, on a light or a dark ground. */
const darkest = 40
const shade = (value: number | null, highest: number) =>
  value === null || highest <= 0 || value <= 0
    ? undefined
    : `color-mix(in srgb, var(--gh-chart-1) ${Math.max(4, Math.round((value / highest) * darkest))}%, transparent)`
