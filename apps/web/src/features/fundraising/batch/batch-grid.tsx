import { VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconUserCheck, IconX } from '@tabler/icons-react'
import { memo, useId } from 'react'
import type { ClipboardEvent, KeyboardEvent, ReactNode, RefObject } from 'react'
import { useDonorBox } from '../gifts/donor-box.tsx'
import classes from './batch.module.css'
import { batchColumns, cellOf } from './batch-rows.ts'
import type { BatchColumn, BatchRow, CellFaults } from './batch-rows.ts'

type Fund = { id: string; name: string }
export type Place = { row: number; column: number }

type Props = {
  table: RefObject<HTMLTableElement | null>
  rows: readonly BatchRow[]
  faults: CellFaults
  funds: readonly Fund[]
  /** What a row without a fund of its own goes to; without one, each row needs one. */
  usualFund: string | undefined
  onRow: (row: number, change: Partial<BatchRow>) => void
  onLeaveAmount: (row: number) => void
  onRemove: (row: number) => void
  onMove: (to: Place) => void
  onPaste: (at: Place, text: string) => void
}

/** Cells are plain fields: two hundred rows of them are typed into without waiting. */
export function BatchGrid({ table, rows, faults, funds, usualFund, onRow, onLeaveAmount, onRemove, onMove, onPaste }: Props) {
  return (
    <table
      ref={table}
      className={classes['grid']}
      aria-label={t`Gifts of the batch`}
      onKeyDown={(event) => moveBy(event, onMove)}
      onPaste={(event) => takePaste(event, onPaste)}
    >
      <thead>
        <tr>
          <th scope="col" className={classes['nth']}>
            #
          </th>
          <th scope="col">{t`Donor`}</th>
          <th scope="col" className={classes['amount']}>{t`Amount`}</th>
          <th scope="col">{t`Number`}</th>
          <th scope="col">{t`Fund`}</th>
          <th scope="col">{t`Note`}</th>
          <th scope="col">
            <VisuallyHidden>{t`Remove`}</VisuallyHidden>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, at) => (
          <Row
            key={row.key}
            row={row}
            at={at}
            faults={faultsOf(faults, at)}
            funds={funds}
            usualFund={usualFund}
            onRow={onRow}
            onLeaveAmount={onLeaveAmount}
            onRemove={onRemove}
          />
        ))}
      </tbody>
    </table>
  )
}

/** As one text, so that a row is drawn anew only when its own faults change. */
const faultsOf = (faults: CellFaults, at: number) => JSON.stringify(batchColumns.map((column) => faults.get(cellOf(at, column)) ?? ''))

type RowProps = Pick<Props, 'funds' | 'usualFund' | 'onRow' | 'onLeaveAmount' | 'onRemove'> & { row: BatchRow; at: number; faults: string }

const Row = memo(function Row({ row, at, faults, funds, usualFund, onRow, onLeaveAmount, onRemove }: RowProps) {
  const said: unknown = JSON.parse(faults)
  const faultIn = (column: BatchColumn) => {
    const text: unknown = Array.isArray(said) ? said[batchColumns.indexOf(column)] : ''
    return typeof text === 'string' ? text : ''
  }
  const nth = at + 1
  return (
    <tr data-row={at}>
      <td className={classes['nth']}>{nth}</td>
      <Cell column="donor" label={t`Donor`} fault={faultIn('donor')}>
        {(about) => <Donor row={row} label={t`Donor, row ${nth}`} about={about} onChange={(donor) => onRow(at, { donor })} />}
      </Cell>
      <Cell column="amount" label={t`Amount`} fault={faultIn('amount')}>
        {(about) => (
          <input
            {...about}
            aria-label={t`Amount, row ${nth}`}
            className={`${classes['input']} ${classes['amount']}`}
            inputMode="decimal"
            autoComplete="off"
            maxLength={40}
            value={row.amount}
            onChange={(event) => onRow(at, { amount: event.currentTarget.value })}
            onBlur={() => onLeaveAmount(at)}
          />
        )}
      </Cell>
      <Cell column="reference" label={t`Number`} fault={faultIn('reference')}>
        {(about) => (
          <input
            {...about}
            aria-label={t`Number, row ${nth}`}
            className={classes['input']}
            autoComplete="off"
            maxLength={140}
            value={row.reference}
            onChange={(event) => onRow(at, { reference: event.currentTarget.value })}
          />
        )}
      </Cell>
      <Cell column="fundId" label={t`Fund`} fault={faultIn('fundId')}>
        {(about) => (
          <select
            {...about}
            aria-label={t`Fund, row ${nth}`}
            className={classes['input']}
            value={row.fundId}
            onChange={(event) => onRow(at, { fundId: event.currentTarget.value })}
          >
            <option value="">{usualFund ?? t`Choose a fund`}</option>
            {funds.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Cell>
      <Cell column="note" label={t`Note`} fault={faultIn('note')}>
        {(about) => (
          <input
            {...about}
            aria-label={t`Note, row ${nth}`}
            className={classes['input']}
            autoComplete="off"
            maxLength={500}
            value={row.note}
            onChange={(event) => onRow(at, { note: event.currentTarget.value })}
          />
        )}
      </Cell>
      <td className={classes['end']}>
        {/* Not a stop on the way from one gift to the next: an emptied row counts for nothing. */}
        <button type="button" tabIndex={-1} className={classes['remove']} aria-label={t`Remove row ${nth}`} onClick={() => onRemove(at)}>
          <IconX size={14} aria-hidden />
        </button>
      </td>
    </tr>
  )
})

type About = { 'aria-invalid': true | undefined; 'aria-describedby': string | undefined }
type CellProps = { column: BatchColumn; label: string; fault: string; children: (about: About) => ReactNode }

function Cell({ column, label, fault, children }: CellProps) {
  const id = useId()
  return (
    <td data-col={batchColumns.indexOf(column)} data-label={label}>
      {children({ 'aria-invalid': fault !== '' || undefined, 'aria-describedby': fault === '' ? undefined : id })}
      {fault !== '' && (
        <span id={id} className={classes['fault']}>
          {fault}
        </span>
      )}
    </td>
  )
}

type DonorProps = { row: BatchRow; label: string; about: About; onChange: (donor: BatchRow['donor']) => void }

function Donor({ row: { donor }, label, about, onChange }: DonorProps) {
  const { input, popup } = useDonorBox({ value: donor, onChange })
  return (
    <span className={classes['donor']}>
      <input {...input} {...about} aria-label={label} maxLength={150} className={classes['input']} />
      {donor.personId && <IconUserCheck size={14} stroke={1.5} role="img" aria-label={t`In the directory`} className={classes['known']} />}
      {popup}
    </span>
  )
}

const placeOf = (target: EventTarget): Place | undefined => {
  if (!(target instanceof HTMLElement)) return undefined
  const row = target.closest<HTMLElement>('[data-row]')?.dataset['row']
  const column = target.closest<HTMLElement>('[data-col]')?.dataset['col']
  return row === undefined || column === undefined ? undefined : { row: Number(row), column: Number(column) }
}

/** Enter goes to the next gift, arrows to the cells around; within a text they stay the text's own. */
function moveBy(event: KeyboardEvent<HTMLTableElement>, onMove: Props['onMove']) {
  const { key, target } = event
  const at = placeOf(target)
  if (!at || event.ctrlKey || event.metaKey || event.altKey || event.nativeEvent.isComposing) return
  const to = targetOf(key, event.shiftKey, target, at)
  if (!to) return
  event.preventDefault()
  onMove(to)
}

function targetOf(key: string, shift: boolean, target: EventTarget, { row, column }: Place): Place | undefined {
  if (key === 'Enter') return shift ? { row: row - 1, column } : { row: row + 1, column: 0 }
  // Arrows choose in a list of funds.
  if (shift || !(target instanceof HTMLInputElement)) return undefined
  if (key === 'ArrowDown') return { row: row + 1, column }
  if (key === 'ArrowUp') return { row: row - 1, column }
  const onwards = key === (document.documentElement.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight')
  if (!onwards && key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const { selectionStart, selectionEnd, value } = target
  if (selectionStart !== selectionEnd || selectionStart !== (onwards ? value.length : 0)) return undefined
  return { row, column: column + (onwards ? 1 : -1) }
}

/** One value goes into its cell as always; several are rows of a spreadsheet. */
function takePaste(event: ClipboardEvent<HTMLTableElement>, onPaste: Props['onPaste']) {
  const at = placeOf(event.target)
  const text = event.clipboardData.getData('text/plain')
  if (!at || !/[\t\n]/.test(text.replace(/\r?\n$/, ''))) return
  event.preventDefault()
  onPaste(at, text)
}
