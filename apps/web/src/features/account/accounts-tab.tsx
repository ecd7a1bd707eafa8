import { Anchor, Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconUserPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { ListBar } from '../../ui/list/list-bar.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import table from '../../ui/display/small-table.module.css'
import { SearchField } from '../../ui/filter/search-field.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { AccountRequests } from './account-requests.tsx'
import { AccountDialog } from './account-dialog.tsx'
import { useAccounts } from './account-api.ts'
import { AccountStatusBadge } from './account-status.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './account.module.css'

const here = getRouteApi('/signed-in/account-management/{-$tab}')

/** Who can sign in, with what rights, and who awaits approval. */
export const AccountsTab = () => <Accounts status={undefined} />

/** Those of them who have not signed in yet. */
export const InvitationsTab = () => <Accounts status="invited" />

function Accounts({ status }: { status: 'invited' | undefined }) {
  const { q = '', account } = here.useSearch()
  const navigate = here.useNavigate()
  const accounts = useAccounts(q, status)
  const [inviting, setInviting] = useState(false)
  const rows = accounts.data?.items ?? []
  const open = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, account: id }), replace: id === undefined })
  return (
    <div className={classes['stack']}>
      <ListBar
        end={
          <Button leftSection={<IconUserPlus size={16} stroke={1.5} aria-hidden />} onClick={() => setInviting(true)}>
            <Trans>Invite</Trans>
          </Button>
        }
      >
        <SearchField
          label={t`Search accounts`}
          value={q}
          onChange={(text) => void navigate({ search: (before) => ({ ...before, q: text || undefined }), replace: true })}
        />
      </ListBar>
      {status === undefined && <AccountRequests onOpen={open} />}
      {accounts.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {accounts.isError && (
        <ProblemState problem={accounts.error} title={t`The accounts could not be loaded`} retry={() => void accounts.refetch()} />
      )}
      {accounts.isSuccess && rows.length === 0 && (
        <EmptyState title={q ? t`No account matches` : status ? t`No invitation is open` : t`No accounts yet`}>
          <Trans>The first person to sign in with an invited, verified address gets the account.</Trans>
        </EmptyState>
      )}
      {rows.length > 0 && (
        <div className={table['scroll']}>
          <table className={`${table['table']} ${table['stacked']}`} aria-label={t`Accounts`}>
            <thead>
              <tr>
                <th scope="col">{t`Account`}</th>
                <th scope="col">{t`State`}</th>
                <th scope="col">{t`Person`}</th>
                <th scope="col">{t`Roles`}</th>
                <th scope="col">{t`Last sign-in`}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.id}>
                  <th scope="row">
                    <Anchor component="button" type="button" onClick={() => open(row.id)}>
                      {row.name || row.email || t`Without a name`}
                    </Anchor>
                    <span className={classes['minor']}>{row.email}</span>
                  </th>
                  <td>
                    <AccountStatusBadge status={row.status} />
                  </td>
                  <td data-label={t`Person`}>{row.person?.displayName ?? '–'}</td>
                  <td data-label={t`Roles`}>{row.roles.join(', ') || '–'}</td>
                  <td data-label={t`Last sign-in`}>{row.lastLoginAt ? <RelativeTime at={row.lastLoginAt} /> : '–'}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <ShowMore query={accounts} />
      <AccountDialog accountId={account} onClose={() => open(undefined)} />
      <InviteDialog opened={inviting} onClose={() => setInviting(false)} />
    </div>
  )
}
