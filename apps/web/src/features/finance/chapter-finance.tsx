import { Button, SegmentedControl } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { useRights } from '../../platform/session/session.ts'
import { useMoney } from '../../ui/display/money.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { Subtabs } from '../chapters/chapters-public.tsx'
import { DuesRates } from './dues-rates.tsx'
import classes from './finance.module.css'
import { InvoiceList } from './invoice-list.tsx'
import { InvoicePanel } from './invoice-panel.tsx'
import { NewInvoiceDialog } from './new-invoice-dialog.tsx'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')
const shows = ['all', 'open', 'overdue', 'draft', 'paid', 'void'] as const

/** Books of a chapter and the chapters below it. */
export function ChapterFinance({ chapter }: { chapter: Chapter }) {
  const { subtab } = here.useParams()
  const active = useKnownTab(subtab, ['summary', 'dues', 'invoices'], 'subtab')
  return (
    <div className={classes['stack']}>
      <Subtabs
        chapterId={chapter.id}
        tab="finance"
        label={t`Finance of ${chapter.name}`}
        active={active}
        tabs={[
          { key: 'summary', label: t`Summary` },
          { key: 'dues', label: t`Dues` },
          { key: 'invoices', label: t`Invoices` },
        ]}
      />
      {active === 'summary' && <Summary chapter={chapter} />}
      {active === 'dues' && <DuesRates chapter={chapter} />}
      {active === 'invoices' && <Invoices chapter={chapter} />}
    </div>
  )
}

function Summary({ chapter }: { chapter: Chapter }) {
  const figures = useQuery(useApi().data.finance.summary.queryOptions({ input: { chapterId: chapter.id } }))
  const money = useMoney()
  if (figures.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (figures.isError)
    return <ProblemState problem={figures.error} title={t`The figures could not be loaded`} retry={() => void figures.refetch()} />
  const { items } = figures.data
  if (items.length === 0) return <p>{t`No invoices yet.`}</p>
  return items.map(({ currency, open, overdue, drafts, paidThisYear, chapterShare }) => {
    const linked = [
      { show: 'open', label: t`Open`, figure: open },
      { show: 'overdue', label: t`Overdue`, figure: overdue },
      { show: 'draft', label: t`Drafts`, figure: drafts },
      { show: 'paid', label: t`Paid this year`, figure: paidThisYear },
    ] as const
    return (
      <Section key={currency} title={currency}>
        <div className={classes['figures']}>
          {linked.map(({ show, label, figure }) => (
            <Link
              key={show}
              to="/chapter/$chapterId/{-$tab}/{-$subtab}"
              params={{ chapterId: chapter.id, tab: 'finance', subtab: 'invoices' }}
              search={{ show }}
              className={classes['figure']}
            >
              <span>{label}</span>
              <span className={classes['amount']}>{money(figure.amount, currency)}</span>
              <span className={classes['dim']}>{plural(figure.invoices, { one: '# invoice', other: '# invoices' })}</span>
            </Link>
          ))}
          <div className={classes['figure']}>
            <span>{t`Chapter share this year`}</span>
            <span className={classes['amount']}>{money(chapterShare, currency)}</span>
            <span className={classes['dim']}>{t`Of paid invoices`}</span>
          </div>
        </div>
      </Section>
    )
  })
}

function Invoices({ chapter }: { chapter: Chapter }) {
  const { show = 'all', invoice } = here.useSearch()
  const navigate = here.useNavigate()
  const can = useRights()
  const [isNew, setIsNew] = useState(false)
  const words = { all: t`All`, open: t`Open`, overdue: t`Overdue`, draft: t`Drafts`, paid: t`Paid`, void: t`Void` }
  const open = (invoiceId: string | undefined) => void navigate({ search: (before) => ({ ...before, invoice: invoiceId }) })
  return (
    <Section title={t`Invoices`}>
      <div className={classes['stack']}>
        <div className={classes['head']}>
          <SegmentedControl
            aria-label={t`Show`}
            value={show}
            data={shows.map((value) => ({ value, label: words[value] }))}
            onChange={(chosen) => {
              const wanted = shows.find((value) => value === chosen)
              void navigate({ search: (before) => ({ ...before, show: wanted === 'all' ? undefined : wanted }), replace: true })
            }}
          />
          {can('finance.manage', { chapterId: chapter.id }) && (
            <Button onClick={() => setIsNew(true)}>
              <Trans>New invoice</Trans>
            </Button>
          )}
        </div>
        <InvoiceList question={{ chapterId: chapter.id, ...(show !== 'all' && { show }) }} withOwing onOpen={open} />
      </div>
      {invoice && <InvoicePanel invoiceId={invoice} onClose={() => open(undefined)} />}
      <NewInvoiceDialog opened={isNew} onClose={() => setIsNew(false)} onDone={({ id }) => open(id)} />
    </Section>
  )
}
