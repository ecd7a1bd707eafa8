import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconArrowRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useState } from 'react'
import type { Transfer } from '@guildhall/contract/features/membership'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ChapterLink, PersonLink } from '../../../platform/records/record-links.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMembershipsChanged } from '../membership-api.ts'
import classes from '../membership.module.css'
import { TransferBadge } from './transfer-words.tsx'

type Props = { transfer: Transfer; onReject: () => void; withPerson?: boolean; tools?: ReactNode }

/** One transfer, with what the reader may do; `tools` answers it in a queue. */
export function TransferRow({ transfer, onReject, withPerson = true, tools }: Props) {
  const { transfers } = useApi().data.membership
  const changed = useMembershipsChanged()
  const [busy, setBusy] = useState(false)
  const { id, version, may, person, from, to, movesOn, completedOn, note, reason } = transfer
  const who = person.displayName
  const act = async (what: 'approve' | 'withdraw') => {
    setBusy(true)
    try {
      await transfers[what].call({ transferId: id }, { context: { ifMatch: version } })
      await changed()
      toast.success(what === 'approve' ? t`Transfer approved` : t`Transfer withdrawn`)
    } catch (failure) {
      toast.error(what === 'approve' ? t`The transfer could not be approved` : t`The transfer could not be withdrawn`, failure)
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={classes['item']}>
      <div className={classes['words']}>
        <div className={classes['heldHead']}>
          {withPerson && <PersonLink person={person} />}
          <span className={classes['move']}>
            <ChapterLink chapter={from} />
            <IconArrowRight size={16} role="img" aria-label={t`to`} className={classes['arrow']} />
            <ChapterLink chapter={to} />
          </span>
          <TransferBadge transfer={transfer} />
        </div>
        <span className={classes['minor']}>
          {completedOn ? <Trans>Transferred on</Trans> : <Trans>Transfer date:</Trans>} <PlainDate date={completedOn ?? movesOn} />
        </span>
        {note && <p className={classes['answer']}>{note}</p>}
        {reason && (
          <p className={classes['answer']}>
            <span className={classes['minor']}>
              <Trans>Reason:</Trans>
            </span>{' '}
            {reason}
          </p>
        )}
      </div>
      <div className={classes['tools']}>
        {tools}
        {!tools && may.approve && (
          <Button size="compact-md" loading={busy} aria-label={t`Approve the transfer of ${who}`} onClick={() => void act('approve')}>
            <Trans>Approve</Trans>
          </Button>
        )}
        {may.reject && (
          <Button variant="default" size="compact-md" aria-label={t`Reject the transfer of ${who}`} onClick={onReject}>
            <Trans>Reject</Trans>
          </Button>
        )}
        {may.withdraw && (
          <Button variant="default" size="compact-md" loading={busy} onClick={() => void act('withdraw')}>
            <Trans>Withdraw</Trans>
          </Button>
        )}
      </div>
    </div>
  )
}
