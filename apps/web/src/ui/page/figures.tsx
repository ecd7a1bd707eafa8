import type { ReactNode } from 'react'
import { useFormats } from '../display/dates.tsx'
import classes from './figures.module.css'

export type StatProps = {
  label: ReactNode
  value: ReactNode
  /** Change against the period before, with its sign. */
  change?: ReactNode
  tone?: 'good' | 'bad' | 'neutral'
  children?: ReactNode
}

/** One figure; the children are its picture. Wrap it in a link to the list it counts. */
export const Stat = ({ label, value, change, tone = 'neutral', children }: StatProps) => (
  <div className={classes['stat']}>
    <div className={classes['label']}>{label}</div>
    <div className={classes['value']}>{value}</div>
    {change && (
      <div className={classes['change']} data-tone={tone}>
        {change}
      </div>
    )}
    {children}
  </div>
)

/** A line without axes. `label` says in words what it shows. */
export function Sparkline({
  values,
  label,
  width = 120,
  height = 32,
}: {
  values: readonly number[]
  label: string
  width?: number
  height?: number
}) {
  if (values.length < 2) return null
  const high = Math.max(...values)
  const low = Math.min(...values)
  const span = high - low || 1
  const points = values.map(
    (value, index) =>
      `${((index / (values.length - 1)) * (width - 4) + 2).toFixed(1)},${(height - 3 - ((value - low) / span) * (height - 6)).toFixed(1)}`,
  )
  return (
    <svg role="img" aria-label={label} viewBox={`0 0 ${width} ${height}`} width={width} height={height} className={classes['spark']}>
      <polyline
        points={points.join(' ')}
        fill="none"
        stroke="var(--gh-chart-1)"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

export type Part = { key: string; label: string; value: number; onSelect?: () => void }

const mostParts = 6

/** Shares of a whole with their numbers; more than six parts end in "Other", which the caller names. */
export function StackedBar({ parts, label }: { parts: readonly Part[]; label: string }) {
  const { number, percent } = useFormats()
  const shown = parts.filter(({ value }) => value > 0).slice(0, mostParts)
  const total = shown.reduce((sum, { value }) => sum + value, 0)
  if (total === 0) return null
  return (
    <figure className={classes['figure']} aria-label={label}>
      <div className={classes['bar']} aria-hidden>
        {shown.map(({ key, value }, index) => (
          <span key={key} data-part={index + 1} style={{ flexGrow: value, background: `var(--gh-chart-${index + 1})` }} />
        ))}
      </div>
      <ul className={classes['legend']}>
        {shown.map(({ key, label: name, value, onSelect }, index) => {
          const text = (
            <>
              <span className={classes['dot']} data-part={index + 1} style={{ background: `var(--gh-chart-${index + 1})` }} aria-hidden />
              {name} <strong>{number(value)}</strong> <span className={classes['share']}>{percent(value / total)}</span>
            </>
          )
          return (
            <li key={key}>
              {onSelect ? (
                <button type="button" className={classes['part']} onClick={onSelect}>
                  {text}
                </button>
              ) : (
                <span className={classes['part']}>{text}</span>
              )}
            </li>
          )
        })}
      </ul>
    </figure>
  )
}

export type MonthFigure = { month: string; value: number; onSelect: () => void }

/** A bar for each month, each of which leads to what it counts. */
export function MonthBars({ months, label }: { months: readonly MonthFigure[]; label: string }) {
  const { number, month: nameOf } = useFormats()
  const highest = Math.max(1, ...months.map(({ value }) => value))
  return (
    <figure className={classes['figure']} aria-label={label}>
      <ol className={classes['months']}>
        {months.map(({ month, value, onSelect }) => (
          <li key={month}>
            <button
              type="button"
              className={classes['month']}
              title={`${nameOf(month, 'long')}: ${number(value)}`}
              aria-label={`${nameOf(month, 'long')}: ${number(value)}`}
              onClick={onSelect}
            >
              <span className={classes['monthBar']} style={{ blockSize: `${(value / highest) * 100}%` }} />
              <span className={classes['monthName']} aria-hidden>
                {nameOf(month, 'narrow')}
              </span>
            </button>
          </li>
        ))}
      </ol>
      <figcaption className={classes['share']}>{label}</figcaption>
    </figure>
  )
}
