import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Gift } from '@guildhall/contract/features/fundraising.gifts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { Label } from '../../../ui/display/status-badge.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { RecordHistory } from '../../people/history/history-public.ts'
import { useGift } from '../fundraising-api.ts'
import { GiftBadges, isReceived } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { actWords } from './gift-acts.tsx'
import type { AskedGift, GiftAct } from './gift-acts.tsx'
import { GiftDialogs } from './gift-dialogs.tsx'
import { GiftFacts } from './gift-facts.tsx'

/** A gift beside its list. */
export function GiftPanel({ giftId, onClose }: { giftId: string; onClose: () => void }) {
  const gift = useGift(giftId)
  const money = useMoney()
  const amount = gift.data ? money(gift.data.money.amount, gift.data.money.currency) : ''
  return (
    <SidePanel title={amount ? t`Gift of ${amount}` : t`Gift`} onClose={onClose} recordKey={giftId}>
      {gift.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {gift.isError && <ProblemState problem={gift.error} title={t`The gift could not be loaded`} retry={() => void gift.refetch()} />}
      {gift.data && <Body key={giftId} gift={gift.data} />}
    </SidePanel>
  )
}

function Body({ gift }: { gift: Gift }) {
  const [asked, setAsked] = useState<AskedGift | null>(null)
  const { may } = gift
  const words = actWords()
  const open: Record<GiftAct, boolean> = {
    thank: may.thank && gift.thanked === null && isReceived(gift),
    refund: may.refund,
    correct: may.edit,
    receipt: may.edit && gift.receipt !== null,
    reverse: may.reverse,
  }
  const acts = (['thank', 'refund', 'correct', 'receipt', 'reverse'] as const).filter((act) => open[act])
  const ask = (act: GiftAct) => setAsked({ act, giftId: gift.id })
  const keys = [
    { keys: 'r', act: 'refund' },
    { keys: 'e', act: 'correct' },
    { keys: 't', act: 'thank' },
  ] as const
  useShortcuts(
    keys
      .filter(({ act }) => open[act])
      .map(({ keys: key, act }) => ({ keys: key, label: words[act], group: t`Gift`, run: () => ask(act) })),
  )
  return (
    <div className={classes['stack']}>
      <div>
        <GiftBadges gift={gift} /> {gift.isAnonymous && <Label color="gray">{t`Anonymous`}</Label>}
      </div>
      {acts.length > 0 && (
        <div className={classes['tools']}>
          {acts.map((act) => (
            <Button
              key={act}
              size="compact-md"
              variant={act === 'thank' ? 'filled' : 'default'}
              {...(act === 'reverse' && { color: 'red' })}
              onClick={() => ask(act)}
            >
              {words[act]}
            </Button>
          ))}
        </div>
      )}
      <GiftFacts gift={gift} />
      {may.edit && (
        <Section title={t`History`}>
          <RecordHistory recordId={gift.id} />
        </Section>
      )}
      <GiftDialogs asked={asked} onClose={() => setAsked(null)} />
    </div>
  )
}
