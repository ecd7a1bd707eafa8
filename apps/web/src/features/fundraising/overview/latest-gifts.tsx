import { VisuallyHidden } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { CampaignOverview } from '@guildhall/contract/features/fundraising'
import { Link } from '@tanstack/react-router'
import { IconRepeat } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useMoney } from '../../../ui/display/money.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { Section } from '../../../ui/page/page.tsx'
import type { Campaign } from '../fundraising-api.ts'
import classes from './overview.module.css'

type Latest = CampaignOverview['latest']
const keyOf = ({ id, at, money }: Latest[number]) => id ?? `${at} ${money.amount}`

/** Who has just given: gifts appear while the page is open. */
export function LatestGifts({ campaign, latest }: { campaign: Campaign; latest: Latest }) {
  const money = useMoney()
  // Those that were there when the page was opened are not news.
  const [known] = useState(() => new Set(latest.map(keyOf)))
  const nameOf = ({ name }: Latest[number]) => name ?? t`Anonymous`
  const newest = latest.find((gift) => !known.has(keyOf(gift)))
  const said = useCalmly(newest ? t`New gift: ${money(newest.money.amount, newest.money.currency)} from ${nameOf(newest)}` : '')
  return (
    <Section
      title={t`Latest gifts`}
      actions={
        campaign.may.seeGifts &&
        latest.length > 0 && (
          <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId: campaign.id, tab: 'donations' }}>
            <Trans>All gifts</Trans>
          </Link>
        )
      }
    >
      <VisuallyHidden role="status">{said}</VisuallyHidden>
      {latest.length === 0 ? (
        <p className={classes['dim']}>
          {campaign.status === 'draft'
            ? t`Gifts appear here once the campaign has started.`
            : t`No gifts yet. New ones appear here at once.`}
        </p>
      ) : (
        <ol className={classes['feed']}>
          {latest.map((gift) => (
            <li key={keyOf(gift)} className={classes['gift']} data-new={!known.has(keyOf(gift)) || undefined}>
              <span className={classes['giver']}>
                {gift.id !== null && campaign.may.seeGifts ? (
                  <Link
                    to="/fundraising/$campaignId/{-$tab}"
                    params={{ campaignId: campaign.id, tab: 'donations' }}
                    search={{ open: gift.id }}
                  >
                    {nameOf(gift)}
                  </Link>
                ) : (
                  nameOf(gift)
                )}
                <span className={classes['dim']}>
                  <RelativeTime at={gift.at} />
                </span>
              </span>
              <span className={classes['sum']}>
                {money(gift.money.amount, gift.money.currency)}
                {gift.isRecurring && <IconRepeat size={14} stroke={1.5} aria-label={t`Recurring gift`} />}
              </span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}

const calmMs = 5_000

/** The same words, but not more often than can be listened to. */
function useCalmly(words: string): string {
  const [said, say] = useState('')
  const last = useRef(0)
  useEffect(() => {
    if (words === '') return
    const timer = setTimeout(
      () => {
        last.current = Date.now()
        say(words)
      },
      Math.max(0, last.current + calmMs - Date.now()),
    )
    return () => clearTimeout(timer)
  }, [words])
  return said
}
