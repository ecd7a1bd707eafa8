import { Button } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconPlus, IconWebhook } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { WebhookDialog } from './webhook-dialog.tsx'
import { WebhookPage } from './webhook-page.tsx'
import { endpointWord } from './webhook-words.ts'
import { useEndpoints } from './webhooks-api.ts'
import type { WebhookEndpoint } from './webhooks-api.ts'
import classes from '../account-tab.module.css'

const here = getRouteApi('/signed-in/account-management/{-$tab}')

/** The addresses that are told of what happens, or one of them. */
export function WebhooksTab() {
  const { webhook } = here.useSearch()
  return webhook === undefined ? <EndpointList /> : <WebhookPage key={webhook} endpointId={webhook} />
}

function EndpointList() {
  const [adding, setAdding] = useState(false)
  const endpoints = useEndpoints()
  const rows = endpoints.data?.items ?? []
  return (
    <div className={classes['stack']}>
      <div className={classes['row']}>
        <p className={classes['intro']}>
          <Trans>
            A webhook tells another system what happens here, within seconds. It sends ids and no personal data; the other system asks the
            API for the rest.
          </Trans>
        </p>
        <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setAdding(true)}>
          <Trans>New webhook</Trans>
        </Button>
      </div>
      {endpoints.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {endpoints.isError && (
        <ProblemState problem={endpoints.error} title={t`The webhooks could not be loaded`} retry={() => void endpoints.refetch()} />
      )}
      {endpoints.isSuccess && rows.length === 0 && (
        <EmptyState icon={<IconWebhook size={32} stroke={1.5} />} title={t`No webhooks yet`}>
          <Trans>Add one with the address of the other system, and choose what it is told.</Trans>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Webhooks`}>
            <thead>
              <tr>
                <th scope="col">{t`Name`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Events`}</th>
                <th scope="col">{t`Last delivery`}</th>
                <th scope="col">{t`Waiting`}</th>
                <th scope="col">{t`Given up`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <EndpointRow key={row.id} endpoint={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <WebhookDialog opened={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

/** Counted up to 1,000. */
const countText = (count: number, number: (value: number) => string): string => (count > 1_000 ? t`1,000+` : number(count))

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { number } = useFormats()
  const { label, tone } = endpointWord(endpoint)
  const { id, name, url, eventTypes, lastDeliveredAt, waiting, dead } = endpoint
  return (
    <tr>
      <th scope="row">
        <Link to="/account-management/{-$tab}" params={{ tab: 'webhooks' }} search={{ webhook: id }}>
          {name}
        </Link>
        <span className={`${classes['minor']} ${classes['code']}`}>{url}</span>
      </th>
      <td>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </td>
      <td data-label={t`Events`} title={eventTypes.join(', ')}>
        {plural(eventTypes.length, { one: '# event', other: '# events' })}
      </td>
      <td data-label={t`Last delivery`}>{lastDeliveredAt ? <RelativeTime at={lastDeliveredAt} /> : t`Never`}</td>
      <td data-label={t`Waiting`}>{countText(waiting, number)}</td>
      <td data-label={t`Given up`}>{countText(dead, number)}</td>
    </tr>
  )
}
