import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { PaperButton } from '../../../platform/records/paper-button.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { methodWords } from '../../payments/payments-public.tsx'
import { Donor, GiftBadges, giftDay } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { useGifts } from './gifts-api.ts'
import type { GiftQuestion } from './gifts-api.ts'

type Props = {
  question: GiftQuestion
  /** Left out where all of them are of one donor. */
  withDonor?: boolean
  /** Opens the gift beside the page; without it, lines are only read. */
  onOpen?: ((giftId: string) => void) | undefined
  none?: string
}

/** Gifts in short, with their receipts. */
export function GiftLines({ question, withDonor = true, onOpen, none = t`No gifts yet.` }: Props) {
  const { papers } = useApi().actions.finance
  const gifts = useGifts(question, 20)
  const money = useMoney()
  if (gifts.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  if (gifts.isError)
    return <ProblemState problem={gifts.error} title={t`The gifts could not be loaded`} retry={() => void gifts.refetch()} />
  const { items } = gifts.data
  if (items.length === 0) return <p className={classes['dim']}>{none}</p>
  return (
    <>
      <ul className={classes['rows']} aria-label={t`Gifts`}>
        {items.map((gift) => {
          const amount = money(gift.money.amount, gift.money.currency)
          return (
            <li key={gift.id} className={classes['row']}>
              <span className={classes['what']}>
                <span>{withDonor ? <Donor of={gift} /> : (gift.campaign?.name ?? <Trans>Without a campaign</Trans>)}</span>
                <span className={classes['dim']}>
                  <PlainDate date={giftDay(gift)} /> · {methodWords()[gift.method]}
                </span>
              </span>
              {gift.status !== 'settled' && <GiftBadges gift={gift} />}
              {gift.receipt && (
                <PaperButton
                  compact
                  label={t`PDF of receipt ${gift.receipt.number}`}
                  name={`${gift.receipt.number}.pdf`}
                  load={() => papers.receipt.call({ receiptId: gift.receipt?.id ?? '' })}
                />
              )}
              {onOpen ? (
                <button type="button" className={`${classes['plain']} ${classes['sum']}`} onClick={() => onOpen(gift.id)}>
                  {amount}
                </button>
              ) : (
                <span className={classes['sum']}>{amount}</span>
              )}
            </li>
          )
        })}
      </ul>
      <ShowMore query={gifts} />
    </>
  )
}
