import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { QrCode } from '../../../ui/display/qr-code.tsx'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { MemberCard } from './card-api.ts'
import classes from './card.module.css'

type Props = { card: MemberCard; opened: boolean; onClose: () => void }

/** The code as large as the screen, for whoever checks it at the door. */
export const DoorDialog = ({ card, opened, onClose }: Props) => (
  <Dialog opened={opened} onClose={onClose} fullScreen title={card.organisation.name}>
    {opened && <Shown card={card} />}
  </Dialog>
)

function Shown({ card: { holder, card } }: Pick<Props, 'card'>) {
  useAwakeScreen()
  return (
    <div className={classes['door']}>
      <div className={classes['holder']}>{holder.displayName}</div>
      {card?.address && (
        <div className={classes['doorCode']}>
          <QrCode content={card.address} label={t`Code of the member card`} />
        </div>
      )}
      <div>
        {t`Valid until`} {card && <PlainDate date={card.validUntil} />}
      </div>
    </div>
  )
}

/** A telephone that is held out must not go dark; where the browser cannot keep it awake, it does. */
function useAwakeScreen() {
  useEffect(() => {
    const lock = 'wakeLock' in navigator ? navigator.wakeLock.request('screen').catch(() => undefined) : undefined
    return () => void lock?.then((held) => held?.release())
  }, [])
}
