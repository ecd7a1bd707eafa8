import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { useRecordSources } from '../../platform/records/record-sources.ts'
import { ComboboxPicker } from '../../ui/form/combobox-picker.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { SkeletonLines } from '../../ui/page/skeletons.tsx'
import { AccountGrants } from './account-grants.tsx'
import { useAccount, useAccountsChanged } from './account-api.ts'
import type { Account } from './account-api.ts'
import { AccountStatusBadge } from './account-status.tsx'
import classes from './account.module.css'

/** One account: its state, the person it is, and every right it has with where that comes from. */
export function AccountDialog({ accountId, onClose }: { accountId: string | undefined; onClose: () => void }) {
  const account = useAccount(accountId)
  return (
    <Dialog
      opened={accountId !== undefined}
      onClose={onClose}
      size="lg"
      title={account.data ? account.data.name || account.data.email || t`Account` : t`Account`}
    >
      {accountId !== undefined && account.isPending && <SkeletonLines count={6} />}
      {account.isError && (
        <ProblemState problem={account.error} title={t`The account could not be loaded`} retry={() => void account.refetch()} />
      )}
      {account.data && <Details account={account.data} onClose={onClose} />}
    </Dialog>
  )
}

function Details({ account, onClose }: { account: Account; onClose: () => void }) {
  const { accounts } = useApi().data.account
  const changed = useAccountsChanged()
  const { people } = useRecordSources()
  const [busy, setBusy] = useState(false)
  const context = { context: { ifMatch: account.version } }
  const attempt = async (act: () => Promise<unknown>, failed: string) => {
    setBusy(true)
    try {
      await act()
    } catch (failure) {
      toast.error(failed, failure)
    } finally {
      await changed()
      setBusy(false)
    }
  }
  return (
    <div className={classes['stack']}>
      <FactList>
        <Fact label={t`State`}>
          <AccountStatusBadge status={account.status} />
        </Fact>
        <Fact label={t`E-mail`}>{account.email}</Fact>
        <Fact label={t`Last sign-in`}>{account.lastLoginAt && <RelativeTime at={account.lastLoginAt} />}</Fact>
        <Fact label={t`Roles from the sign-in service`}>{account.providerRoles.join(', ')}</Fact>
        <Fact label={t`Person`}>{account.person?.displayName}</Fact>
        {account.invitedUntil && (
          <Fact label={t`Invitation expires`}>
            <RelativeTime at={account.invitedUntil} />
          </Fact>
        )}
        {account.accessMessage && <Fact label={t`Asked for access with`}>{account.accessMessage}</Fact>}
      </FactList>
      {account.may.link && (
        <div className={classes['row']}>
          <ComboboxPicker
            label={account.person ? t`Link to somebody else` : t`Link to a person`}
            value={null}
            search={people.search}
            onChange={(option) =>
              option &&
              void attempt(
                () => accounts.link.call({ accountId: account.id, personId: option.value }, context),
                t`The account could not be linked.`,
              )
            }
          />
          {account.person && (
            <Button
              variant="default"
              loading={busy}
              onClick={() =>
                void attempt(() => accounts.unlink.call({ accountId: account.id }, context), t`The person could not be unlinked.`)
              }
            >
              <Trans>Unlink person</Trans>
            </Button>
          )}
        </div>
      )}
      <AccountGrants account={account} />
      {account.may.suspend && account.status === 'invited' && account.lastLoginAt === null && (
        <div className={classes['row']}>
          <Button
            variant="default"
            loading={busy}
            onClick={() =>
              void attempt(
                async () => {
                  await accounts.inviteAgain.call({ accountId: account.id }, context)
                  toast.success(t`Invitation sent again`)
                },
                t`The invitation could not be sent again.`,
              )
            }
          >
            <Trans>Resend invitation</Trans>
          </Button>
          <Button
            variant="default"
            loading={busy}
            onClick={() =>
              void attempt(
                async () => {
                  await accounts.revokeInvitation.call({ accountId: account.id }, context)
                  toast.success(t`Invitation revoked`)
                  onClose()
                },
                t`The invitation could not be revoked.`,
              )
            }
          >
            <Trans>Revoke invitation</Trans>
          </Button>
        </div>
      )}
      {account.may.suspend && (
        <div className={classes['row']}>
          {account.status === 'active' || account.status === 'invited' ? (
            <Button
              color="red"
              variant="light"
              loading={busy}
              onClick={() =>
                void attempt(
                  async () => {
                    const { version } = await accounts.suspend.call({ accountId: account.id }, context)
                    toast.undo(t`${account.name || account.email || t`Account`} suspended`, async () => {
                      await accounts.activate.call({ accountId: account.id }, { context: { ifMatch: version } })
                      await changed()
                    })
                  },
                  t`The account could not be suspended.`,
                )
              }
            >
              <Trans>Suspend account</Trans>
            </Button>
          ) : account.status === 'suspended' ? (
            <Button
              loading={busy}
              onClick={() =>
                void attempt(() => accounts.activate.call({ accountId: account.id }, context), t`The account could not be activated.`)
              }
            >
              <Trans>Reactivate</Trans>
            </Button>
          ) : (
            <p className={classes['none']}>
              <Trans>Approve or decline this account under Awaiting approval in the list of accounts.</Trans>
            </p>
          )}
        </div>
      )}
    </div>
  )
}
