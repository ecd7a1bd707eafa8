import { plural, t } from '@lingui/core/macro'
import { IconChartBar } from '@tabler/icons-react'
import type { LineStatistics } from '@guildhall/contract/features/relationships.lines'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useLineStatistics } from '../lines-api.ts'
import type { LineScope } from '../lines-api.ts'
import type { LineKind } from './line-kinds.ts'
import classes from './lines.module.css'
import { PathFinder } from './path-finder.tsx'
import { useLinesPlace } from './use-lines-place.ts'

/** How the lines of a kind are doing, and how two people are connected. */
export function StatisticsView({ scope, kind }: { scope: LineScope; kind: LineKind }) {
  const statistics = useLineStatistics(scope)
  if (statistics.isError)
    return <ProblemState problem={statistics.error} title={t`The statistics could not be loaded`} retry={() => void statistics.refetch()} />
  if (!statistics.data)
    return (
      <Loading label={t`Loading the statistics`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  const { data } = statistics
  const ofChapters = kind.type === undefined
  if (data.people === 0)
    return (
      <EmptyState icon={<IconChartBar size={32} stroke={1.5} />} title={t`No lines of this kind yet`}>
        {t`Figures are shown once there are relationships of this kind.`}
      </EmptyState>
    )
  return (
    <div className={classes['stack']}>
      <Figures data={data} ofChapters={ofChapters} />
      <div className={classes['halves']}>
        {data.survival.length > 0 && (
          <Section title={t`Lines that live on`}>
            <Survival data={data} />
          </Section>
        )}
        {data.generations.length > 0 && (
          <Section title={t`Generations`}>
            <Generations data={data} ofChapters={ofChapters} />
          </Section>
        )}
      </div>
      <Section title={ofChapters ? t`Path between two chapters` : t`Path between two people`}>
        <PathFinder scope={scope} ofChapters={ofChapters} />
      </Section>
    </div>
  )
}

function Figures({ data, ofChapters }: { data: LineStatistics; ofChapters: boolean }) {
  const { number } = useFormats()
  return (
    <div className={classes['figures']}>
      <Stat label={ofChapters ? t`Chapters in lines` : t`People in lines`} value={number(data.people)} />
      <Stat label={t`Pairs`} value={number(data.links)} />
      <Stat label={t`Lines`} value={number(data.roots)} />
      <Stat label={t`Longest line, in generations`} value={number(data.longest)} />
      <Stat label={t`Children on average`} value={number(Math.round(data.averageChildren * 10) / 10)} />
      {!ofChapters && <Stat label={t`Active members in no line`} value={number(data.isolated)} />}
    </div>
  )
}

function Survival({ data: { survival } }: { data: LineStatistics }) {
  const { percent } = useFormats()
  const lines = survival.reduce((sum, year) => sum + year.lines, 0)
  const alive = survival.reduce((sum, year) => sum + year.alive, 0)
  return (
    <Chart
      kind="line"
      title={t`${percent(lines === 0 ? 0 : alive / lines)} of all lines took in somebody in the last three years`}
      summary={t`Lines by the year in which they began, and how many of them grew in the last three years.`}
      data={{
        heading: t`Year`,
        series: [
          { key: 'lines', label: t`Began` },
          { key: 'alive', label: t`Still growing` },
        ],
        rows: everyYear(survival).map(({ year, lines: began, alive: growing }) => ({
          key: String(year),
          label: String(year),
          values: { lines: began, alive: growing },
        })),
      }}
    />
  )
}

/** Years in which no line began stand in their place, or the axis would leave them out. */
function everyYear(survival: LineStatistics['survival']): LineStatistics['survival'] {
  const [first, last] = [survival[0]?.year ?? 0, survival.at(-1)?.year ?? -1]
  const known = new Map(survival.map((one) => [one.year, one]))
  return Array.from({ length: last - first + 1 }, (_, at) => known.get(first + at) ?? { year: first + at, lines: 0, alive: 0 })
}

function Generations({ data: { generations }, ofChapters }: { data: LineStatistics; ofChapters: boolean }) {
  const { go } = useLinesPlace()
  const largest = generations.reduce((most, one) => (one.people > most.people ? one : most), generations[0] ?? { generation: 1, people: 0 })
  const { generation, people } = largest
  return (
    <Chart
      kind="bars"
      inOrder
      title={
        ofChapters
          ? plural(people, { one: `Level ${generation} has the most: # chapter`, other: `Level ${generation} has the most: # chapters` })
          : plural(people, {
              one: `Generation ${generation} is the largest: # person`,
              other: `Generation ${generation} is the largest: # people`,
            })
      }
      summary={t`Generation 1 has nobody above. Choose one to see its pairs.`}
      data={{
        heading: t`Generation`,
        series: [{ key: 'people', label: ofChapters ? t`Chapters` : t`People` }],
        rows: generations.map((one) => ({
          key: String(one.generation),
          label: t`Generation ${one.generation}`,
          short: String(one.generation),
          values: { people: one.people },
        })),
      }}
      onSelect={({ key }) => go({ view: 'pairs', generation: key })}
    />
  )
}
