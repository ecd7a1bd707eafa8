import { msg, t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { ChapterFigures, FinanceFigures } from '@guildhall/contract/features/finance'
import { decimalsOf, plainAmount } from '@guildhall/contract/money'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { inOrder, openTo } from '../../platform/navigation/sections.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import type { FinanceTab } from '../../platform/navigation/slots.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { useRights } from '../../platform/session/session.ts'
import { ChapterLink } from '../../platform/records/record-links.tsx'
import { Chart } from '../../ui/charts/chart.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { Subtabs } from '../chapters/chapters-public.tsx'
import { DuesRates } from './dues-rates.tsx'
import { countInvoices } from './finance-words.tsx'
import table from '../../ui/display/small-table.module.css'
import classes from './finance.module.css'
import { InvoiceTable } from './invoice-table.tsx'
import { Statement } from './statements/statement.tsx'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

const own: readonly FinanceTab[] = [
  { key: 'summary', label: msg`Summary`, order: 10, content: Summary },
  { key: 'dues', label: msg`Dues`, order: 20, content: DuesRates },
  { key: 'invoices', label: msg`Invoices`, order: 30, content: InvoiceTable },
]

/** Books of a chapter and the chapters below it. */
export function ChapterFinance({ chapter }: { chapter: Chapter }) {
  // The address may be at the next tab while this one is still shown.
  const { tab, subtab } = here.useParams()
  const { i18n } = useLingui()
  const tabs = openTo(inOrder(own, useSlot('financeTabs')), { chapter }, useRights())
  const active = useKnownTab(tab === 'finance' ? subtab : undefined, ['summary', ...tabs.map(({ key }) => key)], 'subtab')
  const Content = tabs.find(({ key }) => key === active)?.content
  return (
    <div className={classes['stack']}>
      <Subtabs
        chapterId={chapter.id}
        tab="finance"
        label={t`Finance of ${chapter.name}`}
        active={active}
        tabs={tabs.map(({ key, label }) => ({ key, label: i18n._(label) }))}
      />
      {Content && (
        <Suspense fallback={<SkeletonLines count={6} />}>
          <Content chapter={chapter} />
        </Suspense>
      )}
    </div>
  )
}

function Summary({ chapter }: { chapter: Chapter }) {
  const figures = useQuery(useApi().data.finance.summary.queryOptions({ input: { chapterId: chapter.id } }))
  if (figures.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (figures.isError)
    return <ProblemState problem={figures.error} title={t`The figures could not be loaded`} retry={() => void figures.refetch()} />
  const { items, chapters } = figures.data
  if (items.length === 0) return <p>{t`No invoices yet.`}</p>
  return (
    <div className={classes['stack']}>
      {items.map((of) => (
        <Figures key={of.currency} chapter={chapter} figures={of} />
      ))}
      {chapters.length > 0 && <BelowFigures chapters={chapters} />}
      <Statement owedById={chapter.id} />
    </div>
  )
}

function Figures({ chapter, figures: { currency, ages, ...figures } }: { chapter: Chapter; figures: FinanceFigures }) {
  const money = useMoney()
  const navigate = here.useNavigate()
  const toInvoices = {
    to: '/chapter/$chapterId/{-$tab}/{-$subtab}',
    params: { chapterId: chapter.id, tab: 'finance', subtab: 'invoices' },
  } as const
  const linked = [
    { view: 'open', label: t`Open`, figure: figures.open },
    { view: 'overdue', label: t`Overdue`, figure: figures.overdue },
    { view: 'drafts', label: t`Drafts`, figure: figures.drafts },
    {
      view: 'paid',
      label: t`Paid this year`,
      figure: figures.paidThisYear,
      note: t`${money(figures.paidLastYear.amount, currency)} by this day last year`,
    },
  ]
  const overdue = figures.overdue.amount
  const oldest = ages.findLast(({ amount }) => amount > 0)
  return (
    <Section title={currency}>
      <div className={classes['stack']}>
        <div className={classes['figures']}>
          {linked.map(({ view, label, figure, note }) => (
            <Link key={view} {...toInvoices} search={view === 'paid' ? paidThisYear() : { view }} className={classes['figure']}>
              <span>{label}</span>
              <span className={classes['amount']}>{money(figure.amount, currency)}</span>
              <span className={classes['dim']}>{note ?? countInvoices(figure.invoices)}</span>
            </Link>
          ))}
          <div className={classes['figure']}>
            <span>{t`Chapter share this year`}</span>
            <span className={classes['amount']}>{money(figures.chapterShare, currency)}</span>
            <span className={classes['dim']}>{t`Of paid invoices`}</span>
          </div>
        </div>
        {overdue > 0 && (
          <Chart
            kind="bars"
            inOrder
            format={(value) => money(Math.round(value * 10 ** decimalsOf(currency)), currency)}
            title={t`${money(overdue, currency)} overdue`}
            summary={
              oldest
                ? t`${countInvoices(figures.overdue.invoices)} are past their due date; ${money(oldest.amount, currency)} for ${oldest.days} days.`
                : ''
            }
            data={{
              heading: t`Days overdue`,
              series: [{ key: 'amount', label: t`Overdue (${currency})` }],
              rows: ages.map(({ days, amount }) => ({
                key: days,
                label: t`${days} days`,
                short: days,
                values: { amount: Number(plainAmount(amount, currency)) },
              })),
            }}
            onSelect={({ key }) => {
              const age = ages.find(({ days }) => days === key)
              if (!age) return
              const due = age.from
                ? { op: 'between' as const, value: [age.from, age.until] }
                : { op: 'before' as const, value: dayAfter(age.until) }
              void navigate({
                ...toInvoices,
                search: {
                  view: 'overdue',
                  filter: { and: [{ or: [{ field: 'overdue', op: 'is', value: true }] }, { or: [{ field: 'dueOn', ...due }] }] },
                },
              })
            }}
          />
        )}
      </div>
    </Section>
  )
}

const paidThisYear = () => ({
  view: 'paid',
  filter: {
    and: [
      { or: [{ field: 'state', op: 'in' as const, value: ['paid'] }] },
      { or: [{ field: 'paidOn', op: 'after' as const, value: `${new Date().getFullYear() - 1}-12-31` }] },
    ],
  },
})

const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

function BelowFigures({ chapters }: { chapters: readonly ChapterFigures[] }) {
  const money = useMoney()
  const list = (chapterId: string, view: string) => ({
    params: { chapterId, tab: 'finance', subtab: 'invoices' },
    search: view === 'paid' ? paidThisYear() : { view },
  })
  return (
    <Section title={t`Sub-chapters`}>
      <div className={table['scroll']}>
        <table className={table['table']}>
          <thead>
            <tr>
              <th scope="col">{t`Chapter`}</th>
              <th scope="col" className={table['figure']}>{t`Open`}</th>
              <th scope="col" className={table['figure']}>{t`Overdue`}</th>
              <th scope="col" className={table['figure']}>{t`Paid this year`}</th>
            </tr>
          </thead>
          <tbody>
            {chapters.map(({ chapter, currency, open, overdue, paidThisYear }) => (
              <tr key={`${chapter.id} ${currency}`}>
                <th scope="row">
                  <ChapterLink chapter={chapter} />
                </th>
                {[
                  { view: 'open', amount: open },
                  { view: 'overdue', amount: overdue },
                  { view: 'paid', amount: paidThisYear },
                ].map(({ view, amount }) => (
                  <td key={view} className={table['figure']}>
                    {amount === 0 ? (
                      <span className={classes['dim']}>{money(0, currency)}</span>
                    ) : (
                      <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" {...list(chapter.id, view)}>
                        {money(amount, currency)}
                      </Link>
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
