import { msg, t } from '@lingui/core/macro'
import { createLazyRoute, Link } from '@tanstack/react-router'
import { lazy } from 'react'
import { ApiProblem } from '../../../platform/api/problem.ts'
import type { Section } from '../../../platform/navigation/sections.tsx'
import { Section as Part } from '../../../ui/page/page.tsx'
import { RecordFrame } from '../../../platform/records/record-frame.tsx'
import { RecordHistory } from '../../people/history/history-public.ts'
import { useConnection, useLiveConnection } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'
import { ConnectionHead } from './connection-head.tsx'
import { NoSuchConnection } from './no-such-connection.tsx'

export const route = createLazyRoute('/signed-in/integrations/$integrationId')({ component: ConnectionPage })

type Subject = { connection: Connection }
const hasRuns = ({ connection: { syncs } }: Subject) => syncs

const tabs: readonly Section<Subject>[] = [
  {
    key: 'overview',
    label: msg`Overview`,
    order: 10,
    content: lazy(async () => ({ default: (await import('./overview-tab.tsx')).OverviewTab })),
  },
  {
    key: 'mapping',
    label: msg`Mapping`,
    order: 20,
    may: hasRuns,
    content: lazy(async () => ({ default: (await import('../mapping/mapping-tab.tsx')).MappingTab })),
  },
  {
    key: 'runs',
    label: msg`Runs`,
    order: 30,
    may: hasRuns,
    content: lazy(async () => ({ default: (await import('../runs/runs-tab.tsx')).RunsTab })),
  },
  {
    key: 'metrics',
    label: msg`Metrics`,
    order: 40,
    content: lazy(async () => {
      const { MetricLinks } = await import('../metrics/metric-links.tsx')
      return {
        default: ({ connection: { id, slug } }: Subject) => (
          <Part title={t`Last 30 days`}>
            <MetricLinks connectionId={id} integrationName={slug} />
          </Part>
        ),
      }
    }),
  },
  {
    key: 'settings',
    label: msg`Settings`,
    order: 50,
    content: lazy(async () => ({ default: (await import('./settings-tab.tsx')).SettingsTab })),
  },
  {
    key: 'history',
    label: msg`History`,
    order: 100,
    may: ({ connection: { may } }) => may.manage,
    content: ({ connection }) => <RecordHistory recordId={connection.id} />,
  },
]

function ConnectionPage() {
  const { integrationId } = route.useParams()
  const search = route.useSearch()
  const query = useConnection(integrationId)
  useLiveConnection(query.data?.id)
  if (query.error instanceof ApiProblem && query.error.status === 404 && !query.data) return <NoSuchConnection asked={integrationId} />
  return (
    <RecordFrame
      key={integrationId}
      kind="connection"
      id={query.data?.id ?? integrationId}
      to={`/integrations/${integrationId}`}
      noun={t`Connection`}
      failed={t`This connection could not be loaded`}
      query={query}
      name={({ name }) => name}
      subject={(connection) => ({ connection })}
      tabs={tabs}
      asked={tabs.find(({ key }) => key === search.tab)?.key}
      link={(tab, props) => (
        <Link
          to="/integrations/$integrationId"
          params={{ integrationId }}
          search={tab === undefined ? {} : { tab }}
          activeOptions={{ exact: true, includeSearch: true }}
          {...props}
        />
      )}
      header={(connection, sections) => (
        <ConnectionHead connection={connection} search={search}>
          {sections}
        </ConnectionHead>
      )}
    />
  )
}
