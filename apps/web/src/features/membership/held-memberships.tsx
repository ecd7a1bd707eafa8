import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { HeldMembershipDetail } from '@guildhall/contract/features/membership'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { useMembershipsChanged } from './membership-api.ts'
import { MembershipBadge, usePrice } from './membership-words.tsx'
import classes from './membership.module.css'
import { OverrideDialog } from './override-dialog.tsx'
import { ReasonDialog } from './reason-dialog.tsx'
import type { ReasonFor } from './reason-dialog.tsx'

/** Memberships with their terms as a bar, and what the reader may do with each. */
export function HeldMemberships({ items }: { items: readonly HeldMembershipDetail[] }) {
  const [asked, setAsked] = useState<{ held: HeldMembershipDetail; what: ReasonFor } | null>(null)
  const [overridden, setOverridden] = useState<HeldMembershipDetail | null>(null)
  return (
    <>
      <ul className={classes['list']}>
        {items.map((held) => (
          <li key={held.id} className={classes['held']}>
            <Held held={held} onAsk={(what) => setAsked({ held, what })} onOverride={() => setOverridden(held)} />
          </li>
        ))}
      </ul>
      <ReasonDialog asked={asked} onClose={() => setAsked(null)} />
      <OverrideDialog held={overridden} onClose={() => setOverridden(null)} />
    </>
  )
}

type HeldProps = { held: HeldMembershipDetail; onAsk: (what: ReasonFor) => void; onOverride: () => void }

function Held({ held, onAsk, onOverride }: HeldProps) {
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
        {owed && <span>{t`Next term: ${owedPrice}, awaiting payment`}</span>}
        {held.endsOn && <span>{held.autoRenew ? t`Auto-renewal on` : t`Auto-renewal off`}</span>}
      </div>
      {override && (
        <p className={classes['minor']}>
          <Trans>Override until</Trans> <PlainDate date={override.until} />: {override.reason}
        </p>
      )}
      {held.reason && <p className={classes['minor']}>{held.reason}</p>}
      <TermBar terms={held.terms} />
      <div className={classes['tools']}>
        {may.renew && (
          <Button
            size="compact-md"
            loading={busy}
            onClick={() => void act(() => membership.renew.call(one), t`Renewal opened`, t`The membership could not be renewed`)}
          >
            <Trans>Renew</Trans>
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
        {may.suspend && (
          <Button variant="default" size="compact-md" onClick={() => onAsk('suspend')}>
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
        {may.cancel && (
          <Button variant="default" color="red" size="compact-md" onClick={() => onAsk('cancel')}>
            <Trans>Cancel membership</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}

/** Each settled term as a piece of one line from the first day to the last; a list says the same to readers of the screen. */
function TermBar({ terms }: { terms: HeldMembershipDetail['terms'] }) {
  const { day } = useFormats()
  const price = usePrice()
  const settled = terms.filter((term) => term.startsOn !== null).toReversed()
  if (settled.length === 0) return null
  return (
    <ol className={classes['bar']} aria-label={t`Terms`}>
      {settled.map((term) => {
        const from = day(term.startsOn ?? '')
        const to = term.endsOn ? day(term.endsOn) : t`no end`
        const cost = price(term.price)
        const said = t`${from} – ${to}, ${cost}`
        return (
          <li key={term.id} className={classes['term']} title={said}>
            {said}
          </li>
        )
      })}
    </ol>
  )
}
