import { Switch } from '@mantine/core'
import { keyUseDays } from '@guildhall/contract/features/integrations.keys'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import type { Tone } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useKeyUses } from './keys-api.ts'
import classes from '../account-tab.module.css'

/** What a key asked for, minute by minute. */
export function KeyUses({ apiKeyId }: { apiKeyId: string }) {
  const [failed, setFailed] = useState(false)
  const { moment, number } = useFormats()
  const uses = useKeyUses(apiKeyId, failed)
  const rows = uses.data?.items ?? []
  return (
    <section className={classes['part']} aria-labelledby="key-uses">
      <div className={classes['head']}>
        <h3 id="key-uses">
          <Trans>Requests</Trans>
        </h3>
        <Switch label={t`Failed only`} checked={failed} onChange={(event) => setFailed(event.currentTarget.checked)} />
      </div>
      <p className={classes['intro']}>
        <Trans>Counted by minute, kept for {keyUseDays} days, and written down within seconds.</Trans>
      </p>
      {uses.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {uses.isError && <ProblemState problem={uses.error} title={t`The requests could not be loaded`} retry={() => void uses.refetch()} />}
      {uses.isSuccess && rows.length === 0 && (
        <EmptyState title={failed ? t`No request failed` : t`No requests yet`}>
          {failed ? <Trans>Show all requests to see what the key does.</Trans> : <Trans>The first one shows within seconds.</Trans>}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Requests`}>
            <thead>
              <tr>
                <th scope="col">{t`Operation`}</th>
                <th scope="col">{t`Answer`}</th>
                <th scope="col">{t`Requests`}</th>
                <th scope="col">{t`Minute`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, at, operation, method, status, count }) => (
                <tr key={id}>
                  <th scope="row">
                    <span className={classes['code']}>
                      {method} {operation}
                    </span>
                  </th>
                  <td>
                    <StatusBadge tone={toneOf(status)}>{status}</StatusBadge>
                  </td>
                  <td data-label={t`Requests`}>{number(count)}</td>
                  <td data-label={t`Minute`}>{moment(at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={uses} />
    </section>
  )
}

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'warning' : 'good')
