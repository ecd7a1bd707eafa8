import { Button, Select } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconChartBar, IconClock, IconMail, IconPlus } from '@tabler/icons-react'
import { StandardReport, standardReports } from '@guildhall/contract/features/reports'
import { reportCategories } from '@guildhall/contract/features/reports.subjects'
import type { ReportCategory } from '@guildhall/contract/features/reports.subjects'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useRights } from '../../../platform/session/session.ts'
import { folded } from '../../../ui/filter/folded.ts'
import { SearchField } from '../../../ui/filter/search-field.tsx'
import { ListBar } from '../../../ui/list/list-bar.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonCards } from '../../../ui/page/skeletons.tsx'
import { RunsPanel } from '../answer/runs-panel.tsx'
import { useSavedReports } from '../reports-api.ts'
import { useReportsMove } from '../reports-move.ts'
import { mayOpen } from '../reports-rights.ts'
import classes from '../reports.module.css'
import { asPart } from '../saved/report-acts.tsx'
import { SchedulePanel } from '../saved/schedule-list.tsx'
import { standardWords } from '../words/standard-words.ts'
import { categoryWords } from '../words/subject-words.ts'
import { SavedCard, StandardCard } from './report-card.tsx'

export const route = createLazyRoute('/signed-in/reports')({ component: ReportsPage })

function ReportsPage() {
  usePageTitle(t`Reports`)
  const search = route.useSearch()
  const move = useReportsMove()
  const can = useRights()
  const mayRead = can('reports.read')
  const { q = '' } = search
  const category = reportCategories.find((one) => one === search.category)
  const open = asPart(search.open)
  const closePanel = () => move({ open: undefined }, { replace: true })
  return (
    <Page
      panel={
        open === 'schedules' ? <SchedulePanel onClose={closePanel} /> : open === 'runs' ? <RunsPanel onClose={closePanel} /> : undefined
      }
    >
      <PageHeader
        title={t`Reports`}
        description={t`How the organisation is doing, from what you may see.`}
        actions={
          mayRead && (
            <>
              <Button
                variant="default"
                leftSection={<IconMail size={16} stroke={1.5} aria-hidden />}
                onClick={() => move({ open: 'schedules' })}
              >
                <Trans>Mailed reports</Trans>
              </Button>
              <Button
                variant="default"
                leftSection={<IconClock size={16} stroke={1.5} aria-hidden />}
                onClick={() => move({ open: 'runs' })}
              >
                <Trans>Recent runs</Trans>
              </Button>
              <ButtonLink to="/reports/new" leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}>
                <Trans>New report</Trans>
              </ButtonLink>
            </>
          )
        }
      />
      <ListBar>
        <SearchField label={t`Search reports`} value={q} onChange={(text) => move({ q: text || undefined }, { replace: true })} />
        <CategoryField category={category} onCategory={(chosen) => move({ category: chosen })} />
      </ListBar>
      <div className={classes['stack']}>
        {category === undefined && mayRead && <SavedReports q={q} />}
        <StandardReports q={q} category={category} />
      </div>
    </Page>
  )
}

type CategoryProps = { category: ReportCategory | undefined; onCategory: (category: ReportCategory | undefined) => void }

function CategoryField({ category, onCategory }: CategoryProps) {
  const words = categoryWords()
  return (
    <Select
      aria-label={t`Subject`}
      placeholder={t`All subjects`}
      clearable
      value={category ?? null}
      data={reportCategories.map((value) => ({ value, label: words[value] }))}
      onChange={(chosen) => onCategory(reportCategories.find((one) => one === chosen))}
    />
  )
}

/** The reader's own and those shared with them, starred ones first. */
function SavedReports({ q }: { q: string }) {
  const saved = useSavedReports(q)
  if (saved.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonCards count={3} height={120} />
      </Loading>
    )
  }
  if (saved.isError && !saved.data)
    return <ProblemState problem={saved.error} title={t`The saved reports could not be loaded`} retry={() => void saved.refetch()} />
  const { items } = saved.data
  if (items.length === 0) return null
  const ordered = items.toSorted((one, other) => Number(other.isStarred) - Number(one.isStarred))
  return (
    <section className={classes['shelf']} aria-labelledby="saved-reports">
      <h2 id="saved-reports" className={classes['shelfTitle']}>
        <Trans>Saved reports</Trans>
      </h2>
      <ul className={classes['cards']} aria-label={t`Saved reports`}>
        {ordered.map((one) => (
          <SavedCard key={one.id} saved={one} />
        ))}
      </ul>
      <ShowMore query={saved} />
    </section>
  )
}

/** Those that come with the product, as far as the reader may see what they count. */
function StandardReports({ q, category }: { q: string; category: ReportCategory | undefined }) {
  const can = useRights()
  const words = standardWords()
  const categories = categoryWords()
  const sought = folded(q)
  const matches = (...texts: string[]) => texts.some((text) => folded(text).includes(sought))
  const shelves = reportCategories
    .filter((one) => category === undefined || one === category)
    .map((one) => ({
      category: one,
      reports: StandardReport.options.filter(
        (report) =>
          standardReports[report].category === one &&
          can('reports.read') &&
          mayOpen(report, can) &&
          matches(words[report].title, words[report].purpose, categories[one]),
      ),
    }))
    .filter(({ reports }) => reports.length > 0)
  const showsLines = (category === undefined || category === 'membership') && matches(t`Parent-child report`, t`Lineage`)
  if (shelves.length === 0 && !showsLines) {
    return (
      <EmptyState icon={<IconChartBar size={32} stroke={1.5} />} title={q ? t`No report matches` : t`No reports here`}>
        {q ? <Trans>Search for another word, or choose all subjects.</Trans> : <Trans>Reports show what your role may see.</Trans>}
      </EmptyState>
    )
  }
  return (
    <>
      {shelves.map(({ category: one, reports }) => (
        <section key={one} className={classes['shelf']} aria-labelledby={`reports-${one}`}>
          <h2 id={`reports-${one}`} className={classes['shelfTitle']}>
            {categories[one]}
          </h2>
          <ul className={classes['cards']} aria-label={categories[one]}>
            {reports.map((report) => (
              <StandardCard key={report} report={report} />
            ))}
          </ul>
        </section>
      ))}
      {showsLines && <LinesShelf ofAll={can('relationships.read')} />}
    </>
  )
}

/** Everybody may follow their own line. */
const LinesShelf = ({ ofAll }: { ofAll: boolean }) => (
  <section className={classes['shelf']} aria-labelledby="reports-lines">
    <h2 id="reports-lines" className={classes['shelfTitle']}>
      <Trans>Relationships</Trans>
    </h2>
    <ul className={classes['cards']} aria-label={t`Relationships`}>
      <li className={classes['card']}>
        <Link to="/reports/parent-child" className={classes['cardName']}>
          <Trans>Parent-child report</Trans>
        </Link>
        <p className={classes['note']}>
          {ofAll ? (
            <Trans>Who stands under whom: lineages, mentors, families and chapters</Trans>
          ) : (
            <Trans>Your own line, and the tree of chapters</Trans>
          )}
        </p>
      </li>
    </ul>
  </section>
)
