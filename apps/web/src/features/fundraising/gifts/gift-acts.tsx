import { Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import type { GiftRow } from '@guildhall/contract/features/fundraising.gifts'
import { useRights } from '../../../platform/session/session.ts'
import { useMoney } from '../../../ui/display/money.tsx'
import { donorName, isReceived } from '../giving-words.tsx'
import { RowMenu } from '../row-menu.tsx'
import { useFetchGift } from './gifts-api.ts'

/** What can be done with a gift. */
export type GiftAct = 'refund' | 'correct' | 'thank' | 'receipt' | 'reverse'
export type AskedGift = { act: GiftAct; giftId: string }

export const actWords = (): Record<GiftAct, string> => ({
  refund: t`Refund`,
  correct: t`Correct`,
  thank: t`Thank`,
  receipt: t`Mail receipt`,
  reverse: t`Reverse`,
})

/** As far as a row of a list tells; the gift itself says for certain. */
function actsOn(gift: GiftRow): GiftAct[] {
  const { status, method, thankedAt, receipt } = gift
  if (status === 'failed' || status === 'cancelled' || status === 'reversed') return []
  if (!isReceived(gift)) return ['correct']
  const acts: GiftAct[] = ['refund', 'correct']
  if (thankedAt === null) acts.push('thank')
  if (receipt) acts.push('receipt')
  if (method !== 'card' && status === 'settled') acts.push('reverse')
  return acts
}

/** "€50.00 from Ada Byron" */
export function useGiftName() {
  const money = useMoney()
  return (gift: Pick<GiftRow, 'money' | 'donor' | 'donorName'>) =>
    t`${money(gift.money.amount, gift.money.currency)} from ${donorName(gift)}`
}

type Props = { gift: GiftRow; onAsk: (asked: AskedGift) => void }

/** Nothing for those who may only look. */
export function GiftMenu({ gift, onAsk }: Props) {
  const can = useRights()
  const name = useGiftName()(gift)
  const fetch = useFetchGift()
  const acts = can('gifts.manage', { chapterId: gift.chapter?.id }) ? actsOn(gift) : []
  if (acts.length === 0) return null
  const words = actWords()
  return (
    <RowMenu label={t`Actions for ${name}`} onOpen={() => fetch(gift.id)}>
      {acts.map((act) => (
        <Menu.Item key={act} {...(act === 'reverse' && { color: 'red' })} onClick={() => onAsk({ act, giftId: gift.id })}>
          {words[act]}
        </Menu.Item>
      ))}
    </RowMenu>
  )
}
