import classes from '../reports.module.css'

export type Thumb = { label: string | null; value: number | null }

const [width, height, gap] = [240, 56, 2]

/** A few bars without words: what they say stands beside them. */
export function Thumbnail({ rows }: { rows: readonly Thumb[] }) {
  const values = rows.map(({ value }) => Math.max(0, value ?? 0))
  const highest = Math.max(0, ...values)
  if (highest === 0) return <div className={classes['noThumb']} aria-hidden />
  const each = width / Math.max(values.length, 4)
  return (
    <svg viewBox={`0 0 ${width} ${height}`} className={classes['thumb']} preserveAspectRatio="none" aria-hidden focusable="false">
      {values.map((value, at) => {
        const high = (value / highest) * height
        return (
          <rect key={at} x={at * each} y={height - high} width={Math.max(1, each - gap)} height={high} rx={1} fill="var(--gh-chart-1)" />
        )
      })}
    </svg>
  )
}
