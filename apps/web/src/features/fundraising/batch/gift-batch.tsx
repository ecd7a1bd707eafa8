import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { currencyCodes } from '@guildhall/contract/money'
import { toast } from '../../../platform/activity/toast.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { useMe, useToday } from '../../../platform/session/session.ts'
import { Remedy } from '../../../ui/dialog/remedy.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { AmountField } from '../../../ui/form/amount-field.tsx'
import { useFormDraft } from '../../../ui/form/form-drafts.ts'
import { Optional, useRecordForm } from '../../../ui/form/record-form.tsx'
import { useMoneyMoved } from '../../payments/payments-public.tsx'
import { useFunds } from '../fundraising-api.ts'
import { CampaignField, useChosenCampaign } from '../gifts/campaign-field.tsx'
import { offlineMethodOptions } from '../giving-words.tsx'
import giving from '../giving.module.css'
import { BatchGrid } from './batch-grid.tsx'
import type { Place } from './batch-grid.tsx'
import {
  batchColumns,
  blankRow,
  faultsFrom,
  faultsIn,
  firstRows,
  isBlank,
  mostRows,
  pasted,
  tableOf,
  tallyOf,
  tidied,
} from './batch-rows.ts'
import type { BatchRow, CellFaults } from './batch-rows.ts'
import classes from './batch.module.css'
import { giftBatch, useSendOnce } from './batch-send.ts'
import type { BatchValues } from './batch-send.ts'
import { useMatchNames } from './match-names.ts'

type Props = { campaignId: string | undefined; onClose: () => void }

const none: CellFaults = new Map()

/** A pile of cheques: what they share above, one row for each below, and what they should come to. */
export function GiftBatch({ campaignId, onClose }: Props) {
  const { data: me } = useMe()
  const today = useToday()
  const usualCurrency = me?.organisation.currency ?? 'EUR'
  const [start] = useState((): BatchValues => ({
    ...{ campaignId: campaignId ?? null, method: 'cheque', receivedOn: today, currency: usualCurrency, sendReceipts: true },
    ...{ controlTotal: null, controlCount: '', rows: firstRows() },
  }))
  const form = useRecordForm<BatchValues>({}, start)
  const { restored, forget, startAnew } = useFormDraft(form, `gift-batch-${campaignId ?? 'all'}`)
  const { values, getValues, setFieldValue } = form
  const [faults, setFaults] = useState<CellFaults>(none)
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const table = useRef<HTMLTableElement>(null)
  const { i18n } = useLingui()
  const money = useMoney()
  const moved = useMoneyMoved()
  const funds = useFunds().data?.items ?? []
  const campaign = useChosenCampaign(values.campaignId).data
  const currency = campaign?.currency ?? values.currency
  const locale = i18n.locales ?? i18n.locale
  const tally = tallyOf(values.rows, { currency, locale })
  const send = useSendOnce()

  const setRows = useCallback(
    (change: (rows: readonly BatchRow[]) => readonly BatchRow[]) => setFieldValue('rows', [...change(getValues().rows)]),
    [setFieldValue, getValues],
  )
  const put = useCallback(
    (at: number, change: Partial<BatchRow>) => {
      setRows((rows) => rows.map((row, nth) => (nth === at ? { ...row, ...change } : row)))
      // What was wrong with a cell is looked at again when the batch is sent.
      setFaults((before) =>
        before.size === 0
          ? before
          : new Map([...before].filter(([cell]) => !Object.keys(change).some((field) => cell === `${at}.${field}`))),
      )
    },
    [setRows],
  )
  const leaveAmount = useCallback(
    (at: number) =>
      setRows((rows) => rows.map((row, nth) => (nth === at ? { ...row, amount: tidied(row.amount, { currency, locale }) } : row))),
    [setRows, currency, locale],
  )
  const remove = useCallback(
    (at: number) => {
      setFaults(none)
      setRows((rows) => (rows.length > 1 ? rows.filter((_, nth) => nth !== at) : [blankRow()]))
    },
    [setRows],
  )
  const { match, told } = useMatchNames(setRows)

  // A row that was just added is there after the next drawing.
  const [wanted, setWanted] = useState<Place>()
  useEffect(() => {
    if (!wanted) return
    const cell = table.current?.querySelector(`[data-row="${wanted.row}"] [data-col="${wanted.column}"]`)
    const field = cell?.querySelector<HTMLElement>('input, select')
    field?.focus()
    if (field instanceof HTMLInputElement) field.select()
  }, [wanted])
  const move = ({ row, column }: Place) => {
    const count = getValues().rows.length
    if (row < 0 || column < 0 || column >= batchColumns.length) return
    if (row >= count) {
      if (count >= mostRows) return toast.error(t`A batch has at most ${mostRows} gifts. Record these first.`)
      setRows((rows) => [...rows, blankRow(rows.at(-1)?.fundId)])
    }
    setWanted({ row, column })
  }
  const paste = (at: Place, text: string) => {
    const pastedTable = tableOf(text)
    if (at.row + pastedTable.length > mostRows) toast.error(t`A batch has at most ${mostRows} gifts. The rest was not pasted.`)
    setRows((rows) => pasted(rows, at, pastedTable, funds))
    if (at.column === 0) void match(getValues().rows.slice(at.row, at.row + pastedTable.length))
  }

  const submit = async () => {
    const wrong = faultsIn(values.rows, { currency, locale }, values.campaignId === null)
    const said = controlFault(values, tally, (amount) => money(amount, currency))
    setFaults(wrong)
    setFailure(said === null ? undefined : new Error(said))
    if (wrong.size > 0) return focusFirst(table.current)
    if (said !== null) return
    if (tally.count === 0) return setFailure(new Error(t`Enter at least one gift.`))
    setBusy(true)
    const sent = values.rows.flatMap((row, at) => (isBlank(row) ? [] : [at]))
    try {
      const { gifts, total } = await send(giftBatch(values, currency, locale))
      forget()
      toast.success(
        plural(gifts, {
          one: `# gift recorded: ${money(total.amount, total.currency)}`,
          other: `# gifts recorded: ${money(total.amount, total.currency)}`,
        }),
      )
      void moved()
      onClose()
    } catch (problem) {
      const cells = problem instanceof ApiProblem ? faultsFrom(problem.errors, sent) : none
      setFaults(cells)
      setFailure(problem)
      if (cells.size > 0) focusFirst(table.current)
    } finally {
      setBusy(false)
    }
  }
  const names = funds.map(({ id, name }) => ({ id, name }))
  return (
    <form
      noValidate
      className={classes['page']}
      aria-label={t`Batch of gifts`}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
        event.preventDefault()
        void submit()
      }}
    >
      {restored && (
        <p className={classes['tools']} role="status">
          <Trans>This is what you typed before.</Trans>
          <Button variant="subtle" size="compact-sm" onClick={startAnew}>
            <Trans>Start over</Trans>
          </Button>
        </p>
      )}
      <div className={classes['head']}>
        <CampaignField label={<Optional>{t`Campaign`}</Optional>} {...form.getInputProps('campaignId')} />
        <NativeSelect label={t`Method`} data={offlineMethodOptions()} {...form.getInputProps('method')} />
        <TextInput type="date" label={t`Received on`} max={today} {...form.getInputProps('receivedOn')} />
        {values.campaignId === null && (
          <NativeSelect label={t`Currency`} data={[...new Set([usualCurrency, ...currencyCodes])]} {...form.getInputProps('currency')} />
        )}
        <AmountField
          label={<Optional>{t`Control total`}</Optional>}
          currency={currency}
          value={values.controlTotal}
          onChange={(amount) => form.setFieldValue('controlTotal', amount)}
        />
        <TextInput
          label={<Optional>{t`Control count`}</Optional>}
          inputMode="numeric"
          maxLength={4}
          {...form.getInputProps('controlCount')}
        />
      </div>
      <Checkbox label={t`Mail receipts, where an address is known`} {...form.getInputProps('sendReceipts', { type: 'checkbox' })} />
      <p className={classes['dim']}>
        <Trans>
          Tab goes to the next cell, Enter to the next gift. Rows of a spreadsheet can be pasted: donor, amount, number, fund, note.
        </Trans>
      </p>
      {told && (
        <p className={classes['dim']} role="status">
          {told}
        </p>
      )}
      {failure !== undefined && (
        <div role="alert" className={giving['alarm']}>
          {problemText(failure)}
          <Remedy after={failure} onDone={() => void submit()} />
        </div>
      )}
      <div className={classes['scroll']}>
        <BatchGrid
          table={table}
          rows={values.rows}
          faults={faults}
          funds={names}
          usualFund={values.campaignId === null ? undefined : (campaign?.fund?.name ?? t`Fund of the campaign`)}
          onRow={put}
          onLeaveAmount={leaveAmount}
          onRemove={remove}
          onMove={move}
          onPaste={paste}
        />
      </div>
      <div className={classes['foot']}>
        <Tally values={values} tally={tally} currency={currency} />
        <div className={classes['tools']}>
          <Button variant="subtle" onClick={() => move({ row: values.rows.length, column: 0 })}>
            <Trans>Add a row</Trans>
          </Button>
          <Button variant="default" onClick={onClose}>
            <Trans>Back to the list</Trans>
          </Button>
          <Button type="submit" loading={busy}>
            {tally.count === 0 ? t`Record gifts` : plural(tally.count, { one: 'Record # gift', other: 'Record # gifts' })}
          </Button>
        </div>
      </div>
    </form>
  )
}

const focusFirst = (table: HTMLTableElement | null) =>
  setTimeout(() => table?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(), 0)

const countOf = (text: string) => (/^\s*\d+\s*$/.test(text) ? Number(text) : null)

/** What the rows should come to and do not. */
function controlFault(
  { controlTotal, controlCount }: BatchValues,
  { total, count }: { total: number; count: number },
  money: (amount: number) => string,
) {
  if (controlTotal === undefined) return t`The control total is not an amount.`
  if (controlTotal !== null && controlTotal !== total)
    return t`The gifts come to ${money(total)}, the control total is ${money(controlTotal)}. Correct a gift or the control total.`
  if (controlCount.trim() === '') return null
  const wanted = countOf(controlCount)
  if (wanted === null) return t`The control count is not a number.`
  return wanted === count ? null : t`There are ${count} gifts, the control count is ${wanted}. Correct a gift or the control count.`
}

type TallyProps = { values: BatchValues; tally: { count: number; total: number }; currency: string }

/** What has been entered so far, against what it should come to. */
function Tally({ values: { controlTotal, controlCount }, tally: { count, total }, currency }: TallyProps) {
  const money = useMoney()
  const left = controlTotal ? controlTotal - total : null
  const wanted = countOf(controlCount)
  return (
    <span className={classes['tally']} role="status" aria-label={t`Entered so far`}>
      <strong>{money(total, currency)}</strong>
      <span>{wanted === null ? plural(count, { one: '# gift', other: '# gifts' }) : t`${count} of ${wanted} gifts`}</span>
      {left !== null && (
        <span className={left === 0 ? classes['dim'] : classes['off']}>
          {left === 0
            ? t`Matches the control total`
            : left > 0
              ? t`${money(left, currency)} short of the control total`
              : t`${money(-left, currency)} over the control total`}
        </span>
      )}
    </span>
  )
}
