import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { IconSitemap } from '@tabler/icons-react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from '../reports.module.css'

/** How the lines of bigs and littles in a chapter are doing. */
export function ChapterLineage({ chapter }: { chapter: Chapter }) {
  const { number } = useFormats()
  const statistics = useQuery(
    useApi().data.relationships.lines.statistics.queryOptions({ input: { kind: 'lineage', chapterId: chapter.id } }),
  )
  if (statistics.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  const isUnknown = statistics.error instanceof ApiProblem && statistics.error.status === 404
  if (statistics.isError && !isUnknown)
    return <ProblemState problem={statistics.error} title={t`The lines could not be loaded`} retry={() => void statistics.refetch()} />
  const figures = statistics.data
  if (!figures || figures.people === 0) {
    return (
      <EmptyState icon={<IconSitemap size={32} stroke={1.5} />} title={t`No lines in this chapter`}>
        <Trans>Record who is whose big and little on the pages of members, and the lines of the chapter stand here.</Trans>
      </EmptyState>
    )
  }
  const { people, roots, longest, averageChildren, isolated, generations, survival } = figures
  return (
    <>
      <div className={classes['figures']}>
        <Stat label={t`People in lines`} value={number(people)} />
        <Stat label={t`Lines`} value={number(roots)} />
        <Stat label={t`Generations of the longest line`} value={number(longest)} />
        <Stat label={t`Littles of each big, on average`} value={number(Math.round(averageChildren * 10) / 10)} />
        <Stat label={t`Active members in no line`} value={number(isolated)} />
      </div>
      <Section
        title={t`Generations`}
        actions={
          <AppLink href={`/reports/parent-child?kind=lineage&chapter=${chapter.id}`}>
            <Trans>Open lines</Trans>
          </AppLink>
        }
      >
        <Chart
          kind="bars"
          inOrder
          title={t`${number(people)} people in ${number(longest)} generations`}
          summary={t`How many people stand in each generation, counted from the top of their line.`}
          data={{
            heading: t`Generation`,
            series: [{ key: 'people', label: t`People` }],
            rows: generations.map(({ generation, people: count }) => ({
              key: String(generation),
              label: t`Generation ${generation}`,
              values: { people: count },
            })),
          }}
        />
      </Section>
      {survival.length > 0 && (
        <Section title={t`Line survival`}>
          <Chart
            kind="line"
            title={t`Lines that took in somebody in the last three years`}
            summary={t`Lines by the year in which they began.`}
            data={{
              heading: t`Began in`,
              series: [
                { key: 'lines', label: t`Lines` },
                { key: 'alive', label: t`Still growing` },
              ],
              rows: survival.map(({ year, lines, alive }) => ({ key: String(year), label: String(year), values: { lines, alive } })),
            }}
          />
        </Section>
      )}
    </>
  )
}
