import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { MembershipBadge, usePrice } from './membership-words.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import classes from './membership.module.css'
import { OverrideDialog } from './override-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import { TermHistory } from './term-history.tsx'

/** Memberships with their terms as a bar, and what the reader may do with each. */
export function HeldMemberships({ items }: { items: readonly HeldMembershipDetail[] }) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const [paused, setPaused] = useState<HeldMembershipDetail | null>(null)
  const [left, setLeft] = useState<HeldMembershipDetail | null>(null)
  const stopRenewal = async ({ id, version }: HeldMembershipDetail) => {
    try {
      await membership.update.call({ membershipId: id, autoRenew: false }, { context: { ifMatch: version } })
      await changed()
      toast.success(t`Auto-renewal turned off`)
    } catch (failure) {
      toast.error(t`Auto-renewal could not be changed`, failure)
    }
  }
  const [overridden, setOverridden] = useState<HeldMembershipDetail | null>(null)
  const [switched, setSwitched] = useState<HeldMembershipDetail | null>(null)
  return (
    <>
      <ul className={classes['list']}>
        {items.map((held) => (
          <li key={held.id} className={classes['held']}>
            <Held
              held={held}
              onPause={() => setPaused(held)}
              onLeave={() => setLeft(held)}
              onOverride={() => setOverridden(held)}
              onChange={() => setSwitched(held)}
            />
          </li>
        ))}
      </ul>
      <ReasonDialog paused={paused} onClose={() => setPaused(null)} />
      <LeaveDialog left={left} onClose={() => setLeft(null)} onKeep={(held) => void stopRenewal(held)} />
      <ChangeDialog held={switched} onClose={() => setSwitched(null)} />
      <OverrideDialog held={overridden} onClose={() => setOverridden(null)} />
    </>
  )
}

type HeldProps = {
  held: HeldMembershipDetail
  onPause: () => void
  onLeave: () => void
  onOverride: () => void
  onChange: () => void
}

function Held({ held, onPause, onLeave, onOverride, onChange }: HeldProps) {
  const { membership } = useApi().data
  const changed = useMembershipsChanged()
  const price = usePrice()
  const [busy, setBusy] = useState(false)
  const { may, type, chapter, override, owed } = held
  const at = { context: { ifMatch: held.version } }
  const one = { membershipId: held.id }
  const act = async (run: () => Promise<unknown>, done: string, failed: string) => {
    setBusy(true)
    try {
      await run()
      await changed()
      toast.success(done)
    } catch (failure) {
      toast.error(failed, failure)
    } finally {
      setBusy(false)
    }
  }
  const owedPrice = owed ? price(owed) : ''
  return (
    <div className={classes['stack']}>
      <div className={classes['heldHead']}>
        <h3 className={classes['heldName']}>{type.name}</h3>
        <MembershipBadge status={held.counts} />
        {chapter && <span className={classes['minor']}>{chapter.name}</span>}
      </div>
      <div className={classes['facts']}>
        {held.startsOn && (
          <span>
            <Trans>Since</Trans> <PlainDate date={held.startsOn} />
          </span>
        )}
        {held.endsOn && (
          <span>
            <Trans>Ends</Trans> <PlainDate date={held.endsOn} />
          </span>
        )}
        {held.startsOn && !held.endsOn && <span>{t`Lifetime`}</span>}
        {held.status === 'grace' && held.graceUntil && (
          <span>
            <Trans>Grace period until</Trans> <PlainDate date={held.graceUntil} />
          </span>
        )}
        {held.leavesOn && (
          <span>
            <Trans>Cancelled, last day</Trans> <PlainDate date={held.leavesOn} />
          </span>
        )}
        {owed && <span>{t`Next term: ${owedPrice}, awaiting payment`}</span>}
        {held.endsOn && <span>{held.autoRenew ? t`Auto-renewal on` : t`Auto-renewal off`}</span>}
      </div>
      {override && (
        <p className={classes['minor']}>
          <Trans>Override until</Trans> <PlainDate date={override.until} />: {override.reason}
        </p>
      )}
      {held.reason && <p className={classes['minor']}>{held.reason}</p>}
      <TermHistory held={held} />
      <div className={classes['tools']}>
        {may.renew && (
          <Button
            size="compact-md"
            loading={busy}
            onClick={() => void act(() => membership.renew.call(one), t`Renewal opened`, t`The membership could not be renewed`)}
          >
            {held.status === 'cancelled' ? <Trans>Reactivate</Trans> : <Trans>Renew</Trans>}
          </Button>
        )}
        {may.autoRenew && held.endsOn && (
          <Button
            variant="default"
            size="compact-md"
            loading={busy}
            onClick={() =>
              void act(
                () => membership.update.call({ ...one, autoRenew: !held.autoRenew }, at),
                held.autoRenew ? t`Auto-renewal turned off` : t`Auto-renewal turned on`,
                t`Auto-renewal could not be changed`,
              )
            }
          >
            {held.autoRenew ? <Trans>Turn auto-renewal off</Trans> : <Trans>Turn auto-renewal on</Trans>}
          </Button>
        )}
        {may.keep && (
          <Button
            variant="default"
            size="compact-md"
            loading={busy}
            onClick={() => void act(() => membership.keep.call(one, at), t`Membership kept`, t`The membership could not be kept`)}
          >
            <Trans>Keep membership</Trans>
          </Button>
        )}
        {may.changeType && (
          <Button variant="default" size="compact-md" onClick={onChange}>
            {may.change ? <Trans>Change type or chapter</Trans> : <Trans>Change type</Trans>}
          </Button>
        )}
        {may.suspend && (
          <Button variant="default" size="compact-md" onClick={onPause}>
            <Trans>Pause</Trans>
          </Button>
        )}
        {may.resume && (
          <Button
            variant="default"
            size="compact-md"
            loading={busy}
            onClick={() => void act(() => membership.resume.call(one, at), t`Membership resumed`, t`The membership could not be resumed`)}
          >
            <Trans>Resume</Trans>
          </Button>
        )}
        {may.change && held.startsOn && (
          <Button variant="default" size="compact-md" onClick={onOverride}>
            <Trans>Override status</Trans>
          </Button>
        )}
        {may.withdraw && (
          <Button
            variant="default"
            size="compact-md"
            loading={busy}
            onClick={() =>
              void act(() => membership.withdraw.call(one, at), t`Application withdrawn`, t`The application could not be withdrawn`)
            }
          >
            <Trans>Withdraw application</Trans>
          </Button>
        )}
        {may.cancel && held.leavesOn === null && (
          <Button variant="default" color="red" size="compact-md" onClick={onLeave}>
            <Trans>Cancel membership</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
