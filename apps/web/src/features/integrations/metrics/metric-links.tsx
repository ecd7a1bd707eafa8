import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { IconChartLine } from '@tabler/icons-react'
import type { MetricType } from '@guildhall/contract/features/integrations.metrics'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Sparkline } from '../../../ui/page/figures.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMetricFigure, useMetricOverview } from './metric-api.ts'
import { metricWords } from './metric-words-public.ts'
import classes from './metrics.module.css'

type Props = {
  connectionId: string
  /** Its name in addresses. */
  integrationName: string
  /** The metric whose page this is. */
  but?: MetricType
}

/** Every metric of a connection over 30 days, each with its line and a link to its page. */
export function MetricLinks({ connectionId, integrationName, but }: Props) {
  const overview = useMetricOverview(connectionId)
  const figure = useMetricFigure()
  const words = metricWords()
  if (overview.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={4} />
      </Loading>
    )
  if (overview.isError)
    return <ProblemState problem={overview.error} title={t`The metrics could not be loaded`} retry={() => void overview.refetch()} />
  const items = overview.data.items.filter(({ type }) => type !== but)
  if (items.length === 0)
    return <EmptyState level={3} icon={<IconChartLine size={32} stroke={1.5} />} title={t`This connection has no metrics`} />
  return (
    <ul className={classes['links']} aria-label={t`Metrics of the last 30 days`}>
      {items.map(({ type, total, current, currency, points }) => {
        const value = total ?? current
        const { label } = words[type]
        const values = points.flatMap((point) => (point.value === null ? [] : [point.value]))
        return (
          <li key={type} className={classes['link']}>
            <Link
              to="/integrations/$integrationName/metrics/$metricType"
              params={{ integrationName, metricType: type }}
              className={classes['linkName']}
            >
              {label}
            </Link>
            <strong className={classes['linkValue']}>{value === null ? t`No data` : figure(type, value, currency)}</strong>
            <Sparkline values={values} label={t`${label}, last 30 days`} />
          </li>
        )
      })}
    </ul>
  )
}
