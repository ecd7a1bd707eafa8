import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconCash } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { Payment, PaymentTotals } from '@guildhall/contract/features/payments'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import { ChapterLink, PersonLink } from '../../../platform/records/record-links.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { emptyFilter } from '../../../ui/filter/filter.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import type { TableColumn } from '../../../ui/list/data-table.tsx'
import { useBooksOf } from '../../../platform/records/books-of.ts'
import { useListView } from '../../lists/lists-public.tsx'
import type { BuiltInView } from '../../lists/lists-public.tsx'
import { RecordCard, RecordListBeside } from '../../lists/record-list-public.tsx'
import { Differences } from '../differences.tsx'
import { PaymentPanel } from '../payment-panel.tsx'
import { usePaymentList, usePaymentTotals, useWaysToPay } from '../payments-api.ts'
import { PaymentBadges, dayOf, methodWords, stateWords } from '../payments-words.tsx'
import classes from '../payments.module.css'
import { RecordPaymentDialog } from '../record-payment-dialog.tsx'
import { TestMode } from '../test-mode.tsx'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

const usual = {
  q: '',
  filter: emptyFilter,
  sort: '-created',
  columns: ['payer', 'invoices', 'money', 'state', 'method', 'day'],
  layout: 'table' as const,
}

/** Money that came, or was tried to be paid, in the books of a chapter and the chapters below it. */
export function ChapterPayments({ chapter }: { chapter: Chapter }) {
  const search = here.useSearch()
  const navigate = here.useNavigate()
  const can = useRights()
  const ways = useWaysToPay()
  const money = useMoney()
  const { day } = useFormats()
  const [recording, setRecording] = useState(false)
  const within = useBooksOf(chapter)
  const view = useListView({
    list: 'payments',
    builtIn: useBuiltIn(),
    usual,
    search,
    onSearch: (next, { replace }) => void navigate({ search: (before) => ({ ...before, ...next }), replace }),
  })
  const totals = usePaymentTotals(view.look, within, view.ready)
  const open = (paymentId: string | undefined) => void navigate({ search: (before) => ({ ...before, payment: paymentId }) })
  const mayRecord = can('finance.manage', { chapterId: chapter.id })
  return (
    <>
      <RecordListBeside
        list="payments"
        exportColumns={() => []}
        view={view}
        records={usePaymentList(view.look, within, view.ready)}
        within={within}
        columns={useColumns()}
        fields={useFields()}
        nameColumn="money"
        rowLabel={(payment) => `${money(payment.money.amount, payment.money.currency)}, ${payerOf(payment)}, ${day(dayOf(payment))}`}
        icon={IconCash}
        words={{
          title: t`Payments`,
          search: t`Search payments`,
          noMatch: t`No payment matches`,
          none: t`No payments yet`,
          about: t`Payments by card and those you record are listed here.`,
          failed: t`The payments could not be loaded`,
          create: t`Record payment`,
        }}
        onOpen={({ id }) => open(id)}
        activeId={search.payment}
        onNew={mayRecord ? () => setRecording(true) : undefined}
        renderCard={(payment) => <PaymentCard payment={payment} onOpen={() => open(payment.id)} />}
        figures={totals.data && <Totals {...totals.data} />}
        above={
          <>
            {ways.data?.isTestMode && <TestMode counts={ways.data.testsCount} />}
            {can('finance.read') && ways.data?.canPayOnline && <Differences onOpen={open} />}
          </>
        }
        panel={search.payment && <PaymentPanel paymentId={search.payment} onClose={() => open(undefined)} />}
      />
      {/* It is shown at once, also where it belongs to the books of another chapter. */}
      <RecordPaymentDialog opened={recording} onClose={() => setRecording(false)} onRecorded={({ id }) => open(id)} />
    </>
  )
}

type TotalsProps = { items: readonly PaymentTotals[]; differences: number | null }
/** What all payments of the filter come to, not only the rows that are loaded. */
function Totals({ items, differences }: TotalsProps) {
  const money = useMoney()
  const { number } = useFormats()
  if (items.length === 0 && !differences) return null
  return (
    <div className={classes['totals']}>
      {items.map(({ currency, payments, received, refunded }) => (
        <dl key={currency} className={classes['totalsOf']} aria-label={t`Totals`}>
          <Total label={t`Payments`} value={number(payments)} />
          <Total label={t`Received`} value={money(received, currency)} />
          <Total label={t`Refunded`} value={money(refunded, currency)} />
        </dl>
      ))}
      {differences !== null && differences > 0 && (
        <dl className={classes['totalsOf']} aria-label={t`Differences`}>
          <Total label={t`Open differences`} value={number(differences)} bad />
        </dl>
      )}
    </div>
  )
}
const Total = ({ label, value, bad = false }: { label: string; value: string; bad?: boolean }) => (
  <div className={classes['totalOne']}>
    <dt className={classes['dim']}>{label}</dt>
    <dd className={bad ? classes['warning'] : classes['tabular']}>{value}</dd>
  </div>
)

const payerOf = ({ person, chapter }: Payment) => person?.displayName ?? chapter?.name ?? t`Someone`

/** Numbers of the invoices that it pays, or of the one that it was begun for. */
const invoicesOf = ({ allocations, invoice }: Payment, list: (items: string[]) => string) =>
  allocations.length > 0 ? list(allocations.map(({ number }) => number ?? '')) : (invoice?.number ?? '')

function PaymentCard({ payment, onOpen }: { payment: Payment; onOpen: () => void }) {
  const money = useMoney()
  const { day } = useFormats()
  const { money: sum, method, unallocated } = payment
  return (
    <RecordCard
      name={payerOf(payment)}
      onOpen={onOpen}
      end={money(sum.amount, sum.currency)}
      facts={[day(dayOf(payment)), methodWords()[method]].join(' · ')}
      badge={<PaymentBadges payment={payment} />}
    >
      {unallocated.amount > 0 && (
        <span className={classes['warning']}>{t`${money(unallocated.amount, unallocated.currency)} not allocated`}</span>
      )}
    </RecordCard>
  )
}

const states = (...value: Payment['state'][]) => ({ filter: { and: [{ or: [{ field: 'state', op: 'in' as const, value }] }] } })
const unallocatedOnes = {
  filter: { and: [{ or: [{ field: 'unallocated', op: 'is' as const, value: true }] }] },
  columns: ['payer', 'money', 'unallocated', 'state', 'method', 'day'],
}
const useBuiltIn = () =>
  useMemo(
    (): [BuiltInView, ...BuiltInView[]] => [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'paid', label: t`Paid`, spec: states('settled', 'partly_refunded') },
      { id: 'unallocated', label: t`Not allocated`, spec: unallocatedOnes },
      { id: 'refunded', label: t`Refunded`, spec: states('partly_refunded', 'refunded') },
      { id: 'problems', label: t`Failed or disputed`, spec: states('failed', 'disputed') },
    ],
    [],
  )

function useColumns(): readonly TableColumn<Payment>[] {
  const money = useMoney()
  const { list } = useFormats()
  return useMemo(() => {
    const sum = ({ amount, currency }: Payment['money']) => (
      <span className={classes['tabular']} data-zero={amount === 0 || undefined}>
        {money(amount, currency)}
      </span>
    )
    return [
      { id: 'money', label: t`Amount`, width: 130, align: 'end', sortable: true, cell: (payment) => sum(payment.money) },
      { id: 'state', label: t`Status`, width: 170, cell: (payment) => <PaymentBadges payment={payment} /> },
      { id: 'method', label: t`Method`, width: 140, priority: 2, cell: ({ method }) => methodWords()[method] },
      {
        id: 'payer',
        label: t`Paid by`,
        width: 200,
        cell: (payment) =>
          payment.person ? (
            <PersonLink person={payment.person} />
          ) : payment.chapter ? (
            <ChapterLink chapter={payment.chapter} />
          ) : (
            payerOf(payment)
          ),
      },
      { id: 'invoices', label: t`For`, width: 200, priority: 2, cell: (payment) => invoicesOf(payment, list) },
      { id: 'day', label: t`Date`, width: 130, sortable: true, cell: (payment) => <PlainDate date={dayOf(payment)} /> },
      { id: 'refunded', label: t`Refunded`, width: 120, align: 'end', priority: 3, cell: ({ refunded }) => sum(refunded) },
      { id: 'unallocated', label: t`Not allocated`, width: 130, align: 'end', priority: 3, cell: ({ unallocated }) => sum(unallocated) },
      { id: 'reference', label: t`Reference`, width: 160, priority: 3, cell: ({ reference }) => reference },
      { id: 'note', label: t`Note`, width: 200, priority: 3, cell: ({ note }) => note },
    ]
  }, [money, list])
}

function useFields(): readonly FilterField[] {
  const { people, chapters } = useRecordSources()
  return useMemo(() => {
    const options = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))
    return [
      { id: 'state', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: options(stateWords()) },
      { id: 'method', label: t`Method`, kind: 'choice', ops: ['in', 'notIn'], options: options(methodWords()) },
      { id: 'day', label: t`Date`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      { id: 'money', label: t`Amount`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
      { id: 'unallocated', label: t`Not allocated`, kind: 'yesNo' },
      { id: 'person', label: t`Paid by person`, kind: 'record', ...people },
      { id: 'chapter', label: t`Paid by chapter`, kind: 'record', ...chapters },
      { id: 'books', label: t`Books of`, kind: 'record', ...chapters },
      { id: 'test', label: t`Test`, kind: 'yesNo' },
    ]
  }, [people, chapters])
}
