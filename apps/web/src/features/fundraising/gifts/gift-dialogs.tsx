import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { Suspense } from 'react'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { part } from '../../../ui/page/part.tsx'
import { RefundDialog, ReverseDialog } from '../../payments/payments-public.tsx'
import { useFundraisingChanged, useGift } from '../fundraising-api.ts'
import { donorName } from '../giving-words.tsx'
import type { AskedGift, GiftAct } from './gift-acts.tsx'
import { usePaymentOf } from './gifts-api.ts'

const CorrectDialog = part(async () => (await import('./correct-dialog.tsx')).CorrectDialog)
const ThankDialog = part(async () => (await import('../thanks/thank-dialog.tsx')).ThankDialog)

type Props = { asked: AskedGift | null; onClose: () => void }

/** Whatever is asked for a gift, from its row or its panel. A dialog stays drawn while it fades away. */
export function GiftDialogs({ asked, onClose }: Props) {
  const [last, setLast] = useState(asked)
  if (asked && (asked.act !== last?.act || asked.giftId !== last.giftId)) setLast(asked)
  if (!last) return null
  return <Loaded key={`${last.act} ${last.giftId}`} {...last} opened={asked !== null} onClose={onClose} />
}

type LoadedProps = AskedGift & { opened: boolean; onClose: () => void }

function Loaded({ act, giftId, opened, onClose }: LoadedProps) {
  const gift = useGift(giftId)
  useEffect(() => {
    if (!opened || !gift.isError) return
    toast.error(t`The gift could not be loaded`, gift.error)
    onClose()
  }, [opened, gift.isError, gift.error, onClose])
  if (!gift.data) return null
  return <Chosen act={act} gift={gift.data} opened={opened} onClose={onClose} />
}

type ChosenProps = { act: GiftAct; gift: Gift; opened: boolean; onClose: () => void }

function Chosen({ act, ...props }: ChosenProps) {
  switch (act) {
    case 'refund':
    case 'reverse':
      return <MoneyBack act={act} {...props} />
    case 'correct':
      return <CorrectDialog {...props} />
    case 'thank':
      return <ThankDialog {...props} />
    case 'receipt':
      return <ReceiptDialog {...props} />
  }
}

/** A refund, and a gift that was recorded by mistake: both are the payment’s, in words of gifts. */
function MoneyBack({ act, gift, opened, onClose }: ChosenProps & { act: 'refund' | 'reverse' }) {
  const { data, error } = usePaymentOf(gift.payment?.id)
  const may = act === 'refund' ? gift.may.refund : gift.may.reverse
  const failed = error !== null || gift.payment === null
  useEffect(() => {
    if (!opened || (may && !failed)) return
    if (!may) toast.error(act === 'refund' ? t`This gift cannot be refunded` : t`This gift cannot be reversed`)
    else toast.error(t`The payment of the gift could not be loaded`, error ?? undefined)
    onClose()
  }, [opened, may, failed, act, error, onClose])
  if (!data || !may) return null
  return (
    <Suspense>
      {act === 'refund' ? (
        <RefundDialog
          opened={opened}
          payment={data}
          onClose={onClose}
          title={t`Refund gift of ${donorName(gift)}`}
          follows={[
            t`The totals of the campaign and of its funds go down by as much.`,
            t`The receipt is replaced, or void if nothing is left.`,
          ]}
        />
      ) : (
        <ReverseDialog
          opened={opened}
          payment={data}
          onClose={onClose}
          title={t`Reverse gift`}
          about={t`For gifts recorded by mistake. The gift stays on record but counts for nothing, and its receipt is void. If money was received and is returned, refund it instead.`}
          done={t`Gift reversed`}
        />
      )}
    </Suspense>
  )
}

function ReceiptDialog({ gift, opened, onClose }: Omit<ChosenProps, 'act'>) {
  const { gifts } = useApi().actions.fundraising
  const changed = useFundraisingChanged()
  const number = gift.receipt?.number ?? ''
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t`Mail receipt ${number}?`}
      confirmLabel={t`Mail receipt`}
      onConfirm={async () => {
        const { mails } = await gifts.receipt.call({ giftId: gift.id })
        if (mails === 0)
          throw new Error(t`No address of the donor is known that may be written to. Download the receipt and send it another way.`)
        await changed()
        toast.success(t`Receipt ${number} is on its way`)
      }}
    >
      {gift.receipt?.sentAt ? t`${donorName(gift)} was mailed it before. It goes out once more.` : t`It goes to ${donorName(gift)}.`}
    </ConfirmDialog>
  )
}
