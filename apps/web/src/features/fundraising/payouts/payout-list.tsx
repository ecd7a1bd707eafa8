import { Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Payout } from '@guildhall/contract/features/fundraising.donors'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { ShowMore } from '../../../ui/list/show-more.tsx'
import { Section } from '../../../ui/page/page.tsx'
import classes from '../giving.module.css'
import { RowMenu } from '../row-menu.tsx'
import { ReversePayoutDialog } from './reverse-payout-dialog.tsx'
import { usePayouts } from './payouts-api.ts'

/** What was paid out, the newest first; nothing where nothing was. */
export function PayoutList({ chapterId }: { chapterId?: string }) {
  const payouts = usePayouts(chapterId)
  const money = useMoney()
  const [reversing, setReversing] = useState<Payout | null>(null)
  if (payouts.isError)
    return <ProblemState problem={payouts.error} title={t`The payouts could not be loaded`} retry={() => void payouts.refetch()} />
  const items = payouts.data?.items ?? []
  if (items.length === 0) return null
  return (
    <Section title={t`Payouts`}>
      <ul className={classes['rows']} aria-label={t`Payouts`}>
        {items.map((payout) => {
          const { id, chapter, paidOn, reference, note, by, reversal, may } = payout
          const sum = money(payout.money.amount, payout.money.currency)
          return (
            <li key={id} className={classes['row']}>
              <span className={classes['what']}>
                <span className={classes['name']}>{chapterId ? <PlainDate date={paidOn} /> : <ChapterLink chapter={chapter} />}</span>
                <span className={classes['dim']}>
                  {!chapterId && <PlainDate date={paidOn} />}
                  {[reference, by].filter(Boolean).map((text) => ` · ${text}`)}
                </span>
                {note && <span className={classes['dim']}>{note}</span>}
                {reversal && <span className={classes['dim']}>{t`Reversed: ${reversal.reason}`}</span>}
              </span>
              {reversal && <StatusBadge>{t`Reversed`}</StatusBadge>}
              <span className={classes['sum']}>{sum}</span>
              {may.reverse && (
                <RowMenu label={t`Actions for payout of ${sum} to ${chapter.name}`}>
                  <Menu.Item color="red" onClick={() => setReversing(payout)}>
                    <Trans>Reverse</Trans>
                  </Menu.Item>
                </RowMenu>
              )}
            </li>
          )
        })}
      </ul>
      <ShowMore query={payouts} />
      <ReversePayoutDialog payout={reversing} onClose={() => setReversing(null)} />
    </Section>
  )
}
