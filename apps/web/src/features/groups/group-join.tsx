import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { toast } from '../../platform/activity/toast.tsx'
import { useGroupsChanged } from './groups-api.ts'
import type { Group } from './groups-api.ts'

/** Joining, asking, accepting, leaving: whatever this reader may do with this group now. */
export function GroupJoin({ group }: { group: Group }) {
  const { join, leave } = useApi().data.groups
  const changed = useGroupsChanged()
  const [busy, setBusy] = useState(false)
  const { may, mine } = group
  const attempt = async (act: () => Promise<unknown>, failed: string) => {
    setBusy(true)
    try {
      await act()
      await changed()
    } catch (failure) {
      toast.error(failed, failure)
    } finally {
      setBusy(false)
    }
  }
  const goIn = () =>
    attempt(
      async () => {
        const { mine: now } = await join.call({ groupId: group.id })
        toast.success(now?.status === 'active' ? t`You are now in ${group.name}` : t`Your request to join ${group.name} is on its way`)
      },
      t`You could not join ${group.name}.`,
    )
  const goOut = () =>
    attempt(
      async () => {
        await leave.call({ groupId: group.id })
        toast.success(mine?.status === 'active' ? t`You have left ${group.name}` : t`Withdrawn`)
      },
      t`You could not leave ${group.name}.`,
    )
  return (
    <>
      {may.join && (
        <Button loading={busy} onClick={() => void goIn()}>
          {may.join === 'join' && <Trans>Join</Trans>}
          {may.join === 'request' && <Trans>Ask to join</Trans>}
          {may.join === 'accept' && <Trans>Accept invitation</Trans>}
          {may.join === 'wait' && <Trans>Wait for a place</Trans>}
        </Button>
      )}
      {may.leave && (
        <Button variant="default" loading={busy} onClick={() => void goOut()}>
          {mine?.status === 'requested' ? (
            <Trans>Withdraw request</Trans>
          ) : mine?.status === 'invited' ? (
            <Trans>Decline</Trans>
          ) : (
            <Trans>Leave</Trans>
          )}
        </Button>
      )}
    </>
  )
}
