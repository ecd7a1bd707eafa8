import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { IconBell, IconNote, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import type { MetricAnswer } from '@guildhall/contract/features/integrations.metrics'
import { lazy, Suspense, useState } from 'react'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { useToday } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Page, PageHeader, Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { NoSuchConnection } from '../connections/no-such-connection.tsx'
import { AlertRows } from './alerts-panel.tsx'
import { useLiveMetrics, useMetric, useMetricAlerts } from './metric-api.ts'
import { MetricControls } from './metric-controls.tsx'
import { MetricLinks } from './metric-links.tsx'
import { MetricNotes } from './metric-notes.tsx'
import { MetricPicture } from './metric-picture.tsx'
import { rangeIn } from './metric-range.ts'
import type { MetricRange } from './metric-range.ts'
import type { MetricSearch } from './metric-search.ts'
import { metricWords } from './metric-words-public.ts'
import classes from './metrics.module.css'
import { UnknownMetric } from './unknown-metric.tsx'

export const route = createLazyRoute('/signed-in/integrations/$integrationName/metrics/$metricType')({ component: MetricPage })

const AlertDialog = lazy(async () => ({ default: (await import('./alert-dialog.tsx')).AlertDialog }))
const NoteDialog = lazy(async () => ({ default: (await import('./note-dialog.tsx')).NoteDialog }))

/** One metric of a connection over time. */
function MetricPage() {
  const { integrationName, metricType } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const range = rangeIn(search, useToday())
  const [isPaused, setPaused] = useState(false)
  const query = useMetric(
    {
      connectionId: integrationName,
      metricType,
      from: range.from,
      to: range.to,
      bucket: search.bucket ?? 'day',
      compare: search.compare === 1,
      split: search.split === 1,
    },
    isPaused,
  )
  // The one shown before stays until another has come, but not as that of another address.
  const metric = query.data?.type === metricType ? query.data : undefined
  useLiveMetrics(isPaused ? null : (metric?.connection.id ?? null))
  const problem = query.error instanceof ApiProblem && query.error.status === 404 ? query.error : undefined
  const titleOf = useTitle()
  const title = metric ? titleOf(metric, range) : t`Metric`
  usePageTitle(title)
  if (problem?.reason === 'metric_unknown')
    return <UnknownMetric integrationName={integrationName} asked={metricType} params={problem.body['params']} />
  if (problem) return <NoSuchConnection asked={integrationName} />
  const go = (change: Partial<MetricSearch>) => void navigate({ search: (before) => ({ ...before, ...change }) })
  return (
    <Page>
      <PageHeader
        title={title}
        description={
          metric && (
            <Link to="/integrations/$integrationId" params={{ integrationId: metric.connection.slug }} search={{ tab: 'metrics' }}>
              <Trans>All metrics of {metric.connection.name}</Trans>
            </Link>
          )
        }
        actions={
          metric && <Acts metric={metric} isPaused={isPaused} onPause={() => setPaused(!isPaused)} onOpen={(open) => go({ open })} />
        }
      />
      <div className={classes['stack']}>
        <MetricControls search={search} range={range} metric={metric} onChange={go} />
        {!metric && query.isPending && (
          <Loading label={t`Loading`}>
            <SkeletonLines count={12} />
          </Loading>
        )}
        {query.isError && (!metric || !query.isFetching) && (
          <ProblemState problem={query.error} title={t`This metric could not be loaded`} retry={() => void query.refetch()} />
        )}
        {metric && !query.isError && <Shown metric={metric} range={range} isPaused={isPaused} />}
      </div>
      {metric && (
        <Suspense fallback={null}>
          <AlertDialog
            connectionId={metric.connection.id}
            types={metric.types}
            metricType={metric.type}
            opened={search.open === 'alert'}
            onClose={() => go({ open: undefined })}
          />
          {metric.mayAnnotate && (
            <NoteDialog connectionId={metric.connection.id} opened={search.open === 'note'} onClose={() => go({ open: undefined })} />
          )}
        </Suspense>
      )}
    </Page>
  )
}

/** "Mailing list: records written, last 30 days" */
function useTitle() {
  const { day } = useFormats()
  return ({ connection: { name }, type }: MetricAnswer, { from, to, span }: MetricRange) => {
    const { phrase } = metricWords()[type]
    if (span === null) return t`${name}: ${phrase}, ${day(from)} to ${day(to)}`
    const days = plural(Number(span), { one: 'last day', other: 'last # days' })
    return t`${name}: ${phrase}, ${days}`
  }
}

type ActsProps = { metric: MetricAnswer; isPaused: boolean; onPause: () => void; onOpen: (open: 'alert' | 'note') => void }

const Acts = ({ metric, isPaused, onPause, onOpen }: ActsProps) => (
  <>
    <Button variant="default" leftSection={<IconBell size={16} stroke={1.5} aria-hidden />} onClick={() => onOpen('alert')}>
      <Trans>Alert me</Trans>
    </Button>
    {metric.mayAnnotate && (
      <Button variant="default" leftSection={<IconNote size={16} stroke={1.5} aria-hidden />} onClick={() => onOpen('note')}>
        <Trans>Add note</Trans>
      </Button>
    )}
    <Button
      variant="subtle"
      leftSection={
        isPaused ? <IconPlayerPlay size={16} stroke={1.5} aria-hidden /> : <IconPlayerPause size={16} stroke={1.5} aria-hidden />
      }
      onClick={onPause}
    >
      {isPaused ? <Trans>Resume updates</Trans> : <Trans>Pause updates</Trans>}
    </Button>
  </>
)

function Shown({ metric, range, isPaused }: { metric: MetricAnswer; range: MetricRange; isPaused: boolean }) {
  const { connection, type } = metric
  const { time } = useFormats()
  const mine = useMetricAlerts(connection.id).data?.items.filter(({ metricType }) => metricType === type) ?? []
  return (
    <>
      <MetricPicture metric={metric} range={range} alerts={mine} />
      <p className={classes['dim']} role="status">
        {isPaused ? t`Updates are paused. As of ${time(metric.at)}.` : t`Updates by itself. As of ${time(metric.at)}.`}
      </p>
      {metric.annotations.length > 0 && <MetricNotes metric={metric} />}
      {mine.length > 0 && (
        <Section title={t`Your alerts`}>
          <AlertRows alerts={mine} />
        </Section>
      )}
      <Section title={t`Other metrics, last 30 days`}>
        <MetricLinks connectionId={connection.id} integrationName={connection.slug} but={type} />
      </Section>
    </>
  )
}
