import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { PersonAvatar } from '../../../platform/records/picture.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { QrCode } from '../../../ui/display/qr-code.tsx'
import type { MemberCard } from './card-api.ts'
import classes from './card.module.css'

/** A valid card as it lies in the hand, in the colours of the organisation. */
export function CardFace({ card: { organisation, holder, membership, card } }: { card: MemberCard }) {
  const { color, onColor } = organisation
  return (
    <div className={classes['card']} role="group" aria-label={t`Member card`}>
      <div className={classes['band']} style={{ background: color, color: onColor }}>
        <span>{organisation.name}</span>
        <span>
          <Trans>Member card</Trans>
        </span>
      </div>
      <div className={classes['body']}>
        <div className={classes['facts']}>
          <div className={classes['holder']}>
            <PersonAvatar person={holder} size={64} />
            <span>{holder.displayName}</span>
          </div>
          <dl className={classes['list']}>
            <dt>{t`Chapter`}</dt>
            <dd>{membership?.chapter.name}</dd>
            {holder.memberNo && (
              <>
                <dt>{t`Member number`}</dt>
                <dd>{holder.memberNo}</dd>
              </>
            )}
            <dt>{t`Valid until`}</dt>
            <dd>{card && <PlainDate date={card.validUntil} />}</dd>
          </dl>
        </div>
        {card?.address && (
          <div className={classes['code']}>
            <QrCode content={card.address} label={t`Code of the member card`} />
          </div>
        )}
      </div>
    </div>
  )
}
