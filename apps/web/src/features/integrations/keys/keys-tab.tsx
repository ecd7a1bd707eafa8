import { Button, NativeSelect } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi, Link } from '@tanstack/react-router'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import table from '../../../ui/display/small-table.module.css'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { KeyPage } from './key-page.tsx'
import { placeOf, stateOf } from './key-words.ts'
import { useKeys } from './keys-api.ts'
import type { ApiKey } from './keys-api.ts'
import classes from '../account-tab.module.css'
import { NewKeyDialog } from './new-key-dialog.tsx'

const here = getRouteApi('/signed-in/account-management/{-$tab}')

/** The keys by which programs use the API, or one of them. */
export function KeysTab() {
  const { key } = here.useSearch()
  return key === undefined ? <KeyList /> : <KeyPage key={key} apiKeyId={key} />
}

function KeyList() {
  const [state, setState] = useState<ApiKey['state'] | undefined>()
  const [making, setMaking] = useState(false)
  const keys = useKeys(state)
  const rows = keys.data?.items ?? []
  const stateNames = { active: t`Active`, expired: t`Expired`, revoked: t`Revoked` }
  return (
    <div className={classes['stack']}>
      <div className={classes['row']}>
        <p className={classes['intro']}>
          <Trans>
            A program sends an API key instead of signing in. Each key has permissions, a place and a last day of its own, and the audit log
            names it.
          </Trans>
        </p>
        <NativeSelect
          label={t`State`}
          value={state ?? ''}
          data={[{ value: '', label: t`Any` }, ...Object.entries(stateNames).map(([value, label]) => ({ value, label }))]}
          onChange={(event) => setState(states.find((one) => one === event.currentTarget.value))}
        />
        <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setMaking(true)}>
          <Trans>New API key</Trans>
        </Button>
      </div>
      {keys.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {keys.isError && <ProblemState problem={keys.error} title={t`The API keys could not be loaded`} retry={() => void keys.refetch()} />}
      {keys.isSuccess && rows.length === 0 && (
        <EmptyState icon={<IconKey size={32} stroke={1.5} />} title={state ? t`No API key matches` : t`No API keys yet`}>
          {state ? (
            <Trans>Choose another state.</Trans>
          ) : (
            <Trans>Create one for each program, so that you can revoke it alone. The API is documented at /docs.</Trans>
          )}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`API keys`}>
            <thead>
              <tr>
                <th scope="col">{t`Name`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Permissions`}</th>
                <th scope="col">{t`Place`}</th>
                <th scope="col">{t`Expires`}</th>
                <th scope="col">{t`Last used`}</th>
                <th scope="col">{t`Created by`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <KeyRow key={row.id} apiKey={row} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={keys} />
      <NewKeyDialog opened={making} onClose={() => setMaking(false)} />
    </div>
  )
}

const states: readonly ApiKey['state'][] = ['active', 'expired', 'revoked']

function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { moment, number } = useFormats()
  const { label, tone } = stateOf(apiKey)
  const { id, name, prefix, permissions, expiresAt, lastUsedAt, createdBy } = apiKey
  return (
    <tr>
      <th scope="row">
        <Link to="/account-management/{-$tab}" params={{ tab: 'api' }} search={{ key: id }}>
          {name}
        </Link>
        <span className={`${classes['minor']} ${classes['code']}`}>{prefix}…</span>
      </th>
      <td>
        <StatusBadge tone={tone}>{label}</StatusBadge>
      </td>
      <td data-label={t`Permissions`}>{number(permissions.length)}</td>
      <td data-label={t`Place`}>{placeOf(apiKey)}</td>
      <td data-label={t`Expires`}>{moment(expiresAt)}</td>
      <td data-label={t`Last used`}>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : t`Never`}</td>
      <td data-label={t`Created by`}>{createdBy || '–'}</td>
    </tr>
  )
}
