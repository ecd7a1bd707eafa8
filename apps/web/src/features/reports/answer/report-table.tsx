import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ReportAnswer } from '@guildhall/contract/features/reports'
import { usePrinting } from '../../../ui/printing.ts'
import classes from '../reports.module.css'
import { changeOf } from './answer-words.ts'
import { hasList } from './has-list.ts'
import type { AnswerWords, Measure } from './answer-words.ts'
import type { Open } from './report-picture.tsx'
import { nameOf, rowKey } from './report-series.ts'

type Props = { answer: ReportAnswer; title: string; words: AnswerWords; onOpen: Open | undefined }
type Row = ReportAnswer['rows'][number]

/** Drawn at once; the rest when it is asked for, or printed. */
const atFirst = 100

/** All rows with their totals. Every figure opens the list behind it. */
export function ReportTable({ answer, title, words, onOpen }: Props) {
  const printing = usePrinting()
  const [all, setAll] = useState(false)
  const { dimensions, measures, rows, total, previousTotal, isCut, hidden } = answer
  const shown = all || printing ? rows : rows.slice(0, atFirst)
  const compares = previousTotal !== null || rows.some(({ previous }) => previous !== null)
  const hasTotal = dimensions.length > 0 && total.some((value) => value !== null)
  return (
    <div className={classes['tableBox']}>
      <div className={classes['scroll']} role="region" aria-label={t`Table: ${title}`} tabIndex={0}>
        <table className={classes['table']}>
          <thead>
            <tr>
              {dimensions.map((dimension) => (
                <th key={dimension.key} scope="col" rowSpan={compares ? 2 : 1}>
                  {words.dimensionText(dimension)}
                </th>
              ))}
              {measures.map(({ key }) => (
                <th key={key} scope="col" className={classes['value']} colSpan={compares ? 3 : 1}>
                  {words.measureWord(key).label}
                </th>
              ))}
            </tr>
            {compares && (
              <tr>
                {measures.map(({ key }) => (
                  <Compared key={key} label={words.measureWord(key).label} />
                ))}
              </tr>
            )}
          </thead>
          <tbody>
            {shown.map((row) => (
              <TableRow key={rowKey(row.keys)} row={row} answer={answer} words={words} compares={compares} onOpen={onOpen} />
            ))}
          </tbody>
          {hasTotal && (
            <tfoot>
              <tr>
                <th scope="row" colSpan={dimensions.length}>
                  <Trans>Total</Trans>
                </th>
                {measures.map((measure, at) => (
                  <Cells
                    key={measure.key}
                    name={t`Total`}
                    measure={measure}
                    value={total[at] ?? null}
                    before={previousTotal?.[at] ?? null}
                    {...{ words, compares }}
                    open={onOpen && hasList(measure) ? () => onOpen([], measure.key) : undefined}
                  />
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {rows.length > shown.length && (
        <div>
          <Button variant="subtle" onClick={() => setAll(true)}>
            <Trans>Show all {rows.length} rows</Trans>
          </Button>
        </div>
      )}
      {isCut && (
        <p className={classes['note']}>
          <Trans>Only the first {rows.length} rows are shown. The total counts all of them.</Trans>
        </p>
      )}
      {hidden > 0 && (
        <p className={classes['note']}>
          <Plural
            value={hidden}
            one="# row is about fewer than five people. Its figures are hidden so that nobody can be recognised."
            other="# rows are about fewer than five people each. Their figures are hidden so that nobody can be recognised."
          />
        </p>
      )}
    </div>
  )
}

const Compared = ({ label }: { label: string }) => (
  <>
    <th scope="col" className={classes['value']} aria-label={t`${label}, now`}>
      <Trans>Now</Trans>
    </th>
    <th scope="col" className={classes['value']} aria-label={t`${label}, a year before`}>
      <Trans>Year before</Trans>
    </th>
    <th scope="col" className={classes['value']} aria-label={t`${label}, change`}>
      <Trans>Change</Trans>
    </th>
  </>
)

type RowProps = { row: Row; answer: ReportAnswer; words: AnswerWords; compares: boolean; onOpen: Open | undefined }

function TableRow({ row, answer: { dimensions, measures }, answer, words, compares, onOpen }: RowProps) {
  const name = nameOf(answer, row.keys, words)
  const keys = row.keys.map(({ value }) => value)
  const measure = measures.find(hasList)
  return (
    <tr>
      {dimensions.map((dimension, at) => {
        const text = row.keys[at] ? words.keyText(dimension, row.keys[at]) : ''
        return at === 0 ? (
          <th key={dimension.key} scope="row">
            {onOpen && measure && !row.isHidden ? (
              <button type="button" className={classes['link']} onClick={() => onOpen(keys, measure.key)}>
                {text}
              </button>
            ) : (
              text
            )}
          </th>
        ) : (
          <td key={dimension.key}>{text}</td>
        )
      })}
      {row.isHidden ? (
        <td className={classes['hidden']} colSpan={measures.length * (compares ? 3 : 1)}>
          <Trans>Hidden: fewer than five people</Trans>
        </td>
      ) : (
        measures.map((one, at) => (
          <Cells
            key={one.key}
            name={name}
            measure={one}
            value={row.values[at] ?? null}
            before={row.previous?.[at] ?? null}
            {...{ words, compares }}
            open={onOpen && hasList(one) ? () => onOpen(keys, one.key) : undefined}
          />
        ))
      )}
    </tr>
  )
}

type CellsProps = {
  name: string
  measure: Measure
  value: number | null
  before: number | null
  words: AnswerWords
  compares: boolean
  open: (() => void) | undefined
}

function Cells({ name, measure, value, before, words, compares, open }: CellsProps) {
  const text = words.valueText(measure, value)
  const change = changeOf(value, before)
  const { label } = words.measureWord(measure.key)
  return (
    <>
      <td className={classes['value']}>
        {open && value !== null ? (
          <button type="button" className={classes['plain']} aria-label={t`${text}: list behind ${label}, ${name}`} onClick={open}>
            {text}
          </button>
        ) : (
          text
        )}
      </td>
      {compares && (
        <>
          <td className={classes['value']}>{words.valueText(measure, before)}</td>
          <td className={classes['value']}>{change === null ? '–' : signed(change, words.valueText(measure, Math.abs(change)))}</td>
        </>
      )}
    </>
  )
}

const signed = (change: number, text: string) => (change > 0 ? `+${text}` : change < 0 ? `−${text}` : text)
