import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconBell, IconPlus } from '@tabler/icons-react'
import { connectors } from '@guildhall/contract/features/integrations.connectors'
import type { Connection } from '@guildhall/contract/features/integrations'
import type { MetricAlert } from '@guildhall/contract/features/integrations.metrics'
import { lazy, Suspense, useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useMe } from '../../../platform/session/session.ts'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useMetricAlerts, useMetricFigure, useMetricsChanged } from './metric-api.ts'
import { metricWords } from './metric-words-public.ts'
import classes from './metrics.module.css'

const AlertDialog = lazy(async () => ({ default: (await import('./alert-dialog.tsx')).AlertDialog }))

/** What the reader wants to be told of a connection; nobody else sees it. */
export function AlertsPanel({ connection: { id, connector } }: { connection: Pick<Connection, 'id' | 'connector'> }) {
  const alerts = useMetricAlerts(id)
  const [isAdding, setAdding] = useState(false)
  const { metrics: types } = connectors[connector]
  const add = (
    <Button variant="default" size="compact-sm" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setAdding(true)}>
      <Trans>New alert</Trans>
    </Button>
  )
  return (
    <Section title={t`Your alerts`} actions={add}>
      {alerts.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={2} />
        </Loading>
      )}
      {alerts.isError && !alerts.data && (
        <ProblemState problem={alerts.error} title={t`Your alerts could not be loaded`} retry={() => void alerts.refetch()} />
      )}
      {alerts.data?.items.length === 0 && (
        <EmptyState level={3} icon={<IconBell size={32} stroke={1.5} />} title={t`No alerts`}>
          <Trans>Be told when a metric of this connection goes above or below a limit.</Trans>
        </EmptyState>
      )}
      {alerts.data && alerts.data.items.length > 0 && <AlertRows alerts={alerts.data.items} />}
      <Suspense fallback={null}>
        <AlertDialog connectionId={id} types={types} opened={isAdding} onClose={() => setAdding(false)} />
      </Suspense>
    </Section>
  )
}

export function useAlertText() {
  const figure = useMetricFigure()
  const currency = useMe().data?.organisation.currency ?? 'EUR'
  const words = metricWords()
  return ({ metricType, above, below }: Pick<MetricAlert, 'metricType' | 'above' | 'below'>) => {
    const { label } = words[metricType]
    const limit = figure(metricType, above ?? below ?? 0, currency)
    return above === null ? t`${label} below ${limit}` : t`${label} above ${limit}`
  }
}

export function AlertRows({ alerts }: { alerts: readonly MetricAlert[] }) {
  const textOf = useAlertText()
  return (
    <ul className={classes['rows']} aria-label={t`Your alerts`}>
      {alerts.map((alert) => (
        <AlertRow key={alert.id} alert={alert} text={textOf(alert)} />
      ))}
    </ul>
  )
}

function AlertRow({ alert, text }: { alert: MetricAlert; text: string }) {
  const { metrics } = useApi().data.integrations
  const changed = useMetricsChanged()
  const { id: alertId, connectionId, metricType, above, below, firedAt, version } = alert
  const remove = async () => {
    try {
      await metrics.removeAlert.call({ connectionId, alertId }, { context: { ifMatch: version } })
      await changed()
      toast.undo(t`Alert removed`, async () => {
        await metrics.addAlert.call({ connectionId, metricType, above, below })
        await changed()
      })
    } catch (problem) {
      toast.error(t`The alert could not be removed`, problem)
    }
  }
  return (
    <li className={classes['row']}>
      <span className={classes['what']}>
        {text}
        {firedAt && (
          <span className={classes['dim']}>
            <StatusBadge tone="warning">{t`Limit crossed`}</StatusBadge> <RelativeTime at={firedAt} />
          </span>
        )}
      </span>
      <Button variant="subtle" color="gray" size="compact-sm" aria-label={t`Remove alert: ${text}`} onClick={() => void remove()}>
        <Trans>Remove</Trans>
      </Button>
    </li>
  )
}
