import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconBuildingBank, IconPlus } from '@tabler/icons-react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useRights } from '../../../platform/session/session.ts'
import classes from '../giving.module.css'
import { useGivingPlace } from '../use-giving-place.ts'
import { PayoutDialog } from './payout-dialog.tsx'
import { PayoutList } from './payout-list.tsx'
import { useShares } from './payouts-api.ts'
import { ShareTable } from './share-table.tsx'

/** What chapters have of gifts, what they were paid, and what is left. Shares are set for each campaign, whichever is open. */
export function PayoutsTab(_: { campaignId?: string | undefined }) {
  const { search, go } = useGivingPlace()
  const shares = useShares()
  const seesGifts = useRights()('gifts.read')
  if (shares.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (shares.isError)
    return <ProblemState problem={shares.error} title={t`The shares of chapters could not be loaded`} retry={() => void shares.refetch()} />
  const { items, may } = shares.data
  return (
    <div className={classes['stack']}>
      {items.length === 0 ? (
        <EmptyState icon={<IconBuildingBank size={32} stroke={1.5} />} title={t`No chapter has a share of gifts`}>
          <Trans>A campaign can give a chapter a share of each gift, in its settings. What it comes to is listed here.</Trans>
        </EmptyState>
      ) : (
        <Section
          title={t`Chapter shares`}
          actions={
            may.pay && (
              <Button leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />} onClick={() => go({ new: 1 })}>
                <Trans>Record payout</Trans>
              </Button>
            )
          }
        >
          <ShareTable shares={items} seesGifts={seesGifts} />
        </Section>
      )}
      <PayoutList />
      <PayoutDialog shares={items} opened={search.new === 1 && may.pay} onClose={() => go({ new: undefined }, { replace: true })} />
    </div>
  )
}
