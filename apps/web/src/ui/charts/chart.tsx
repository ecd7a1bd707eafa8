import { ActionIcon, Button, Menu, Skeleton, useDirection } from '@mantine/core'
import { useClipboard, useElementSize, useMergedRef } from '@mantine/hooks'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDownload } from '@tabler/icons-react'
import { Suspense, lazy, useId, useRef, useState } from 'react'
import { useFormats } from '../display/dates.tsx'
import { useAfterPaint } from '../after-paint.ts'
import { usePrinting } from '../printing.ts'
import { saveFile } from '../save-file.ts'
import { chartClipboard, chartCsv, colorsOf, largestFirst, otherKey, partColor, valueOf } from './chart-data.ts'
import type { ChartData, ChartKind, ChartLimit, ChartMark, ChartRow, ChartSeries } from './chart-data.ts'
import classes from './chart.module.css'
import { HeatGrid } from './heat-grid.tsx'

/** Far more code than a page: fetched when the first chart has been on the screen as a skeleton. */
const ChartPlot = lazy(async () => ({ default: (await import('./chart-plot.tsx')).ChartPlot }))

export type ChartProps = {
  kind: ChartKind
  /** The finding where there is one: "84 more members than a year ago". */
  title: string
  /** One sentence that says what the picture shows. */
  summary: string
  data: ChartData
  /** The last point is not over yet. */
  partial?: boolean
  /** Bars keep the order of the rows, which says something itself: ages, ratings. */
  inOrder?: boolean
  /** Stacked bars stand side by side, as over time. */
  upright?: boolean
  /** Levels across lines, such as limits. */
  limits?: readonly ChartLimit[]
  /** What happened, down through lines. */
  marks?: readonly ChartMark[]
  /** The table stands below from the beginning. */
  withTable?: boolean
  /** How a value reads where it is more than a number, such as money. */
  format?: ((value: number) => string) | undefined
  /** Opens the list of what a point, bar or part counts. */
  onSelect?: ((row: ChartRow) => void) | undefined
  /** Opens the list of one value: a part of a stacked bar, a square of a grid, a cell of the table. */
  onSelectPart?: ((row: ChartRow, series: ChartSeries) => void) | undefined
}

const none: readonly never[] = []
const mostBars = 12
const mostParts = 6
const barHeight = 28
/** Below this width, names do not fit beside what they name. */
const narrowest = 420

/** A figure with its caption, its values as a table, and its files; the drawing itself arrives after the page. */
export function Chart(props: ChartProps) {
  const { kind, title, summary, data, partial = false, inOrder = false, upright = false, format, onSelect, onSelectPart } = props
  const { limits = none, marks = none, withTable = false } = props
  const { dir } = useDirection()
  const { number } = useFormats()
  const { ref: sized, width } = useElementSize<HTMLDivElement>()
  const printing = usePrinting()
  const after = useAfterPaint()
  const [tableOpen, setTableOpen] = useState(withTable)
  const plot = useRef<HTMLDivElement>(null)
  const both = useMergedRef(plot, sized)
  const narrow = width > 0 && width < narrowest
  const tableId = useId()
  const compares = kind === 'bars' || kind === 'share'
  const rows = compares && !inOrder ? largestFirst(data, kind === 'bars' ? mostBars : mostParts, t`Other`) : data.rows
  const parts = kind === 'share' ? rows.filter((row) => (firstValue(data, row) ?? 0) > 0) : []
  const lies = kind === 'bars' || (kind === 'stacked' && !upright)
  const height = lies ? rows.length * barHeight + 8 : kind === 'share' ? barHeight : 220
  const reads = format ?? number
  const legend = [
    ...parts.map((row, index) => ({ color: partColor(index), text: `${row.label} ${number(firstValue(data, row) ?? 0)}` })),
    ...(kind === 'stacked' ? data.series.map(({ label }, index) => ({ color: partColor(index), text: label })) : []),
  ]
  const select = onSelect && ((row: ChartRow) => row.key !== otherKey && onSelect(row))
  return (
    <figure className={classes['figure']} data-chart={kind}>
      <figcaption className={classes['caption']}>
        <span className={classes['title']}>{title}</span>
        <span className={classes['summary']}>{summary}</span>
      </figcaption>
      {kind === 'grid' && <HeatGrid title={title} data={data} format={reads} onSelect={onSelectPart} />}
      {kind !== 'grid' && (
        <div ref={both} className={classes['plot']} style={{ blockSize: height }}>
          {after && (
            <Suspense fallback={<Skeleton height={height} radius="sm" />}>
              <ChartPlot
                kind={kind}
                label={onSelect ? t`${title}. Arrow keys read the values, Enter opens the list.` : t`${title}. Arrow keys read the values.`}
                series={data.series}
                rows={kind === 'share' ? parts : rows}
                partial={partial}
                mirrored={dir === 'rtl'}
                height={height}
                narrow={narrow}
                upright={upright}
                limits={limits}
                marks={marks}
                format={reads}
                onSelect={select}
                onSelectPart={onSelectPart}
              />
            </Suspense>
          )}
          {!after && <Skeleton height={height} radius="sm" />}
        </div>
      )}
      {((narrow && !compares && kind !== 'grid' && data.series.length > 1) || kind === 'stacked') && (
        <LineNames series={data.series} parts={kind === 'stacked'} />
      )}
      {parts.length > 0 && <Legend parts={parts} data={data} onSelect={select} />}
      <div className={classes['tools']}>
        {kind !== 'grid' && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={tableOpen}
            aria-controls={tableId}
            onClick={() => setTableOpen(!tableOpen)}
          >
            {tableOpen ? t`Hide table` : t`View as table`}
          </Button>
        )}
        <Files
          title={title}
          data={data}
          drawing={kind === 'grid' ? undefined : () => plot.current?.querySelector('svg') ?? null}
          legend={legend}
        />
      </div>
      <div id={tableId}>
        {kind !== 'grid' && (tableOpen || (printing && !after)) && (
          <ChartTable title={title} data={data} format={reads} onSelect={onSelect} onSelectPart={onSelectPart} />
        )}
      </div>
    </figure>
  )
}

const firstValue = (data: ChartData, row: ChartRow) => (data.series[0] ? valueOf(row, data.series[0]) : null)

type LegendProps = { parts: readonly ChartRow[]; data: ChartData; onSelect: ((row: ChartRow) => void) | undefined }

function Legend({ parts, data, onSelect }: LegendProps) {
  const { number, percent } = useFormats()
  const total = parts.reduce((sum, row) => sum + (firstValue(data, row) ?? 0), 0)
  return (
    <ul className={classes['legend']}>
      {parts.map((row, index) => {
        const value = firstValue(data, row) ?? 0
        const text = (
          <>
            <span className={classes['dot']} data-part={index + 1} style={{ background: partColor(index) }} aria-hidden />
            {row.label} <strong>{number(value)}</strong> <span className={classes['summary']}>{percent(value / total)}</span>
          </>
        )
        return (
          <li key={row.key}>
            {onSelect && row.key !== otherKey ? (
              <button type="button" className={classes['part']} onClick={() => onSelect(row)}>
                {text}
              </button>
            ) : (
              <span className={classes['part']}>{text}</span>
            )}
          </li>
        )
      })}
    </ul>
  )
}

function LineNames({ series, parts }: { series: ChartData['series']; parts: boolean }) {
  const colors = colorsOf(series)
  return (
    <ul className={classes['legend']}>
      {series.map(({ key, label }, index) => (
        <li key={key} className={classes['part']}>
          <span className={classes['dot']} data-part={parts ? index + 1 : undefined} style={{ background: colors[index] }} aria-hidden />
          {label}
        </li>
      ))}
    </ul>
  )
}

type TableProps = Pick<ChartProps, 'title' | 'data' | 'onSelect' | 'onSelectPart'> & { format: (value: number) => string }

function ChartTable({ title, data, format, onSelect, onSelectPart }: TableProps) {
  return (
    <div className={classes['scroll']}>
      <table className={classes['table']}>
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
              <th scope="row">
                {onSelect ? (
                  <button type="button" className={classes['link']} onClick={() => onSelect(row)}>
                    {row.label}
                  </button>
                ) : (
                  row.label
                )}
              </th>
              {data.series.map((series) => {
                const value = valueOf(row, series)
                if (value === null) return <td key={series.key}>–</td>
                return (
                  <td key={series.key}>
                    {onSelectPart ? (
                      <button type="button" className={classes['link']} onClick={() => onSelectPart(row, series)}>
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

type FilesProps = {
  title: string
  data: ChartData
  /** Where it is drawn at all. */
  drawing: (() => SVGElement | null) | undefined
  legend: readonly { color: string; text: string }[]
}

/** The values and the picture, for elsewhere. */
function Files({ title, data, drawing, legend }: FilesProps) {
  const clipboard = useClipboard({ timeout: 3000 })
  const [failed, setFailed] = useState(false)
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-|-$/g, '')
  const picture = (kind: 'svg' | 'png') => {
    const drawn = drawing?.()
    if (!drawn) return setFailed(true)
    setFailed(false)
    import('./chart-picture.ts')
      .then(async ({ svgOf, pngOf }) => {
        const svg = svgOf(drawn, { title, legend })
        saveFile(kind === 'svg' ? new Blob([svg.text], { type: 'image/svg+xml' }) : await pngOf(svg), `${name}.${kind}`)
      })
      .catch(() => setFailed(true))
  }
  return (
    <>
      <Menu>
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" aria-label={t`Download or copy: ${title}`}>
            <IconDownload size={16} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => clipboard.copy(chartClipboard(data))}>
            <Trans>Copy table</Trans>
          </Menu.Item>
          <Menu.Item onClick={() => saveFile(new Blob([chartCsv(data)], { type: 'text/csv' }), `${name}.csv`)}>
            <Trans>Download CSV</Trans>
          </Menu.Item>
          {drawing && (
            <>
              <Menu.Item onClick={() => picture('png')}>
                <Trans>Download PNG</Trans>
              </Menu.Item>
              <Menu.Item onClick={() => picture('svg')}>
                <Trans>Download SVG</Trans>
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      <span role="status" className={classes['summary']}>
        {clipboard.copied && t`Copied`}
        {clipboard.error && t`Your browser does not allow copying. Download the CSV file instead.`}
        {failed && t`The picture could not be made. Wait until the chart is drawn and try again.`}
      </span>
    </>
  )
}
