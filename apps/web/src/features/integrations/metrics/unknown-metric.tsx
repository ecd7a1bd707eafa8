import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconChartLine } from '@tabler/icons-react'
import { MetricType } from '@guildhall/contract/features/integrations.metrics'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { metricWords } from './metric-words-public.ts'
import classes from './metrics.module.css'

const isMetric = (name: unknown): name is MetricType => MetricType.safeParse(name).success
const knownIn = (params: unknown): MetricType[] => {
  const known: unknown = typeof params === 'object' && params !== null && 'known' in params ? params.known : []
  return Array.isArray(known) ? known.filter(isMetric) : []
}

/** An address that names no metric of the connection lists those it has. */
export function UnknownMetric({ integrationName, asked, params }: { integrationName: string; asked: string; params: unknown }) {
  usePageTitle(t`Metric not found`)
  const words = metricWords()
  return (
    <Page>
      <PageHeader title={t`Metric not found`} />
      <EmptyState
        icon={<IconChartLine size={32} stroke={1.5} />}
        title={t`This connection has no metric called “${asked}”`}
        action={
          <ButtonLink to="/integrations/$integrationId" params={{ integrationId: integrationName }} variant="default">
            <Trans>Open the connection</Trans>
          </ButtonLink>
        }
      />
      <nav aria-labelledby="known-metrics" className={classes['stack']}>
        <h2 id="known-metrics">
          <Trans>Metrics of this connection</Trans>
        </h2>
        <ul className={classes['known']}>
          {knownIn(params).map((metricType) => (
            <li key={metricType}>
              <Link to="/integrations/$integrationName/metrics/$metricType" params={{ integrationName, metricType }}>
                {words[metricType].label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </Page>
  )
}
