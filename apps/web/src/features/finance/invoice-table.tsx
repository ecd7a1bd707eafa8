import { t } from '@lingui/core/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconReceipt } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { Invoice, InvoiceTotals } from '@guildhall/contract/features/finance'
import { ChapterLink, PersonLink } from '../../platform/records/record-links.tsx'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import { useRights } from '../../platform/session/session.ts'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { emptyFilter } from '../../ui/filter/filter.ts'
import type { FilterField } from '../../ui/filter/filter.ts'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { useListView } from '../lists/lists-public.tsx'
import type { BuiltInView } from '../lists/lists-public.tsx'
import { RecordCard, RecordListBeside } from '../lists/record-list-public.tsx'
import { useBooksOf } from '../../platform/records/books-of.ts'
import { useInvoiceList, useInvoiceTotals } from './finance-api.ts'
import { InvoiceStateBadge, invoiceStateOptions } from './finance-words.tsx'
import classes from './finance.module.css'
import { useInvoiceBulk } from './bulk/invoice-bulk.tsx'
import { InvoicePanel } from './invoice-panel.tsx'
import { NewInvoiceDialog } from './new-invoice-dialog.tsx'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

const usual = {
  q: '',
  filter: emptyFilter,
  sort: '-created',
  columns: ['number', 'owing', 'reason', 'state', 'dueOn', 'total', 'balance'],
  layout: 'table' as const,
}

export function InvoiceTable({ chapter }: { chapter: Chapter }) {
  const search = here.useSearch()
  const navigate = here.useNavigate()
  const can = useRights()
  const [isNew, setIsNew] = useState(false)
  const within = useBooksOf(chapter)
  const view = useListView({
    list: 'invoices',
    builtIn: useBuiltIn(),
    usual,
    search,
    onSearch: (next, { replace }) => void navigate({ search: (before) => ({ ...before, ...next }), replace }),
  })
  const open = (invoiceId: string | undefined) => void navigate({ search: (before) => ({ ...before, invoice: invoiceId }) })
  const totals = useInvoiceTotals(view.look, within, view.ready)
  const bulk = useInvoiceBulk()
  const mayMake = can('finance.manage', { chapterId: chapter.id })
  return (
    <>
      <RecordListBeside
        list="invoices"
        exportColumns={() => []}
        view={view}
        records={useInvoiceList(view.look, within, view.ready)}
        within={within}
        columns={useColumns()}
        fields={useFields()}
        nameColumn="number"
        rowLabel={nameOf}
        icon={IconReceipt}
        words={{
          title: t`Invoices`,
          search: t`Search by number or name`,
          noMatch: t`No invoice matches`,
          none: t`No invoices yet`,
          about: t`Invoices and credit notes of this chapter and its sub-chapters.`,
          failed: t`The invoices could not be loaded`,
          create: t`New invoice`,
        }}
        onOpen={({ id }) => open(id)}
        activeId={search.invoice}
        onNew={mayMake ? () => setIsNew(true) : undefined}
        renderCard={(invoice) => <InvoiceCard invoice={invoice} onOpen={() => open(invoice.id)} />}
        figures={totals.data && <Totals totals={totals.data.items} />}
        bulk={bulk}
        panel={search.invoice && <InvoicePanel invoiceId={search.invoice} onClose={() => open(undefined)} />}
      />
      <NewInvoiceDialog opened={isNew} onClose={() => setIsNew(false)} onDone={({ id }) => open(id)} />
    </>
  )
}

const owing = ({ billedTo }: Invoice) => billedTo ?? t`Someone`
const nameOf = (invoice: Invoice) => `${invoice.number ?? t`Draft`}, ${owing(invoice)}`

function InvoiceCard({ invoice, onOpen }: { invoice: Invoice; onOpen: () => void }) {
  const money = useMoney()
  const { total, balance } = invoice
  return (
    <RecordCard
      name={owing(invoice)}
      onOpen={onOpen}
      end={money(total.amount, total.currency)}
      facts={[invoice.number ?? t`Draft`, invoice.reason].join(' · ')}
      badge={<InvoiceStateBadge invoice={invoice} />}
    >
      {balance.amount !== 0 && balance.amount !== total.amount && (
        <span className={classes['dim']}>{t`${money(balance.amount, balance.currency)} still open`}</span>
      )}
    </RecordCard>
  )
}

/** What all invoices of the filter come to, not only the rows that are loaded. */
function Totals({ totals }: { totals: readonly InvoiceTotals[] }) {
  const money = useMoney()
  const { number } = useFormats()
  if (totals.length === 0) return null
  return (
    <div className={classes['totals']}>
      {totals.map(({ currency, invoices, open, overdue, paid }) => (
        <dl key={currency} className={classes['totalsOf']} aria-label={t`Totals`}>
          <Total label={t`Invoices`} value={number(invoices)} />
          <Total label={t`Open`} value={money(open, currency)} />
          <Total label={t`Overdue`} value={money(overdue, currency)} bad={overdue > 0} />
          <Total label={t`Paid`} value={money(paid, currency)} />
        </dl>
      ))}
    </div>
  )
}
const Total = ({ label, value, bad = false }: { label: string; value: string; bad?: boolean }) => (
  <div className={classes['totalOne']}>
    <dt className={classes['dim']}>{label}</dt>
    <dd className={classes['tabular']} data-bad={bad || undefined}>
      {value}
    </dd>
  </div>
)

const only = (field: string, op: 'is' | 'in', value: boolean | string[]) => ({ filter: { and: [{ or: [{ field, op, value }] }] } })
const useBuiltIn = () =>
  useMemo(
    (): [BuiltInView, ...BuiltInView[]] => [
      { id: 'all', label: t`All`, spec: {} },
      { id: 'open', label: t`Open`, spec: { ...only('open', 'is', true), sort: 'dueOn' } },
      { id: 'overdue', label: t`Overdue`, spec: { ...only('overdue', 'is', true), sort: 'dueOn' } },
      { id: 'drafts', label: t`Drafts`, spec: only('state', 'in', ['draft']) },
      { id: 'paid', label: t`Paid`, spec: only('state', 'in', ['paid']) },
      { id: 'credit-notes', label: t`Credit notes`, spec: only('kind', 'in', ['credit_note']) },
    ],
    [],
  )

function useColumns(): readonly TableColumn<Invoice>[] {
  const money = useMoney()
  const { moment } = useFormats()
  return useMemo(
    () => [
      {
        id: 'number',
        label: t`Number`,
        width: 150,
        sortable: true,
        cell: ({ number }) => <span className={classes['tabular']}>{number ?? <span className={classes['dim']}>{t`Draft`}</span>}</span>,
      },
      {
        id: 'owing',
        label: t`Billed to`,
        width: 220,
        cell: (invoice) =>
          invoice.person ? (
            <PersonLink person={invoice.person} />
          ) : invoice.chapter ? (
            <ChapterLink chapter={invoice.chapter} />
          ) : (
            owing(invoice)
          ),
      },
      { id: 'reason', label: t`For`, width: 220, priority: 2, cell: ({ reason }) => reason },
      { id: 'state', label: t`Status`, width: 130, cell: (invoice) => <InvoiceStateBadge invoice={invoice} /> },
      {
        id: 'issuedOn',
        label: t`Issued`,
        width: 130,
        priority: 3,
        sortable: true,
        cell: ({ issuedOn }) => issuedOn && <PlainDate date={issuedOn} />,
      },
      { id: 'dueOn', label: t`Due`, width: 130, priority: 2, sortable: true, cell: ({ dueOn }) => dueOn && <PlainDate date={dueOn} /> },
      { id: 'paidOn', label: t`Paid on`, width: 130, priority: 3, cell: ({ paidOn }) => paidOn && <PlainDate date={paidOn} /> },
      { id: 'sentAt', label: t`Sent`, width: 130, priority: 3, cell: ({ sentAt }) => sentAt && moment(sentAt) },
      { id: 'remindedAt', label: t`Reminded`, width: 130, priority: 3, cell: ({ remindedAt }) => remindedAt && moment(remindedAt) },
      {
        id: 'total',
        label: t`Total`,
        width: 120,
        align: 'end',
        sortable: true,
        cell: ({ total }) => <span className={classes['tabular']}>{money(total.amount, total.currency)}</span>,
      },
      {
        id: 'balance',
        label: t`Balance`,
        width: 120,
        align: 'end',
        sortable: true,
        cell: ({ balance }) => (
          <span className={classes['tabular']} data-zero={balance.amount === 0 || undefined}>
            {money(balance.amount, balance.currency)}
          </span>
        ),
      },
    ],
    [money, moment],
  )
}

function useFields(): readonly FilterField[] {
  const { people, chapters, events } = useRecordSources()
  return useMemo(
    () => [
      { id: 'state', label: t`Status`, kind: 'choice', ops: ['in', 'notIn'], options: invoiceStateOptions() },
      { id: 'open', label: t`Open`, kind: 'yesNo' },
      { id: 'overdue', label: t`Overdue`, kind: 'yesNo' },
      { id: 'sent', label: t`Sent`, kind: 'yesNo' },
      { id: 'reminded', label: t`Reminded`, kind: 'yesNo' },
      {
        id: 'kind',
        label: t`Kind`,
        kind: 'choice',
        ops: ['in', 'notIn'],
        options: [
          { value: 'invoice', label: t`Invoice` },
          { value: 'credit_note', label: t`Credit note` },
        ],
      },
      { id: 'dueOn', label: t`Due`, kind: 'date', ops: ['is', 'before', 'after', 'between'] },
      { id: 'issuedOn', label: t`Issued`, kind: 'date' },
      { id: 'paidOn', label: t`Paid on`, kind: 'date' },
      { id: 'person', label: t`Billed to person`, kind: 'record', ...people },
      { id: 'chapter', label: t`Billed to chapter`, kind: 'record', ...chapters },
      { id: 'books', label: t`Books of`, kind: 'record', ...chapters },
      { id: 'event', label: t`Event`, kind: 'record', ops: ['in'], ...events },
      { id: 'total', label: t`Total`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
      { id: 'balance', label: t`Balance`, kind: 'number', ops: ['is', 'before', 'after', 'between'] },
    ],
    [people, chapters, events],
  )
}
