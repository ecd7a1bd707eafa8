import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconGift, IconTable } from '@tabler/icons-react'
import { useCallback, useState } from 'react'
import type { GiftRow, GiftTotals } from '@guildhall/contract/features/fundraising.gifts'
import { useRights } from '../../../platform/session/session.ts'
import { useFormats } from '../../../ui/display/dates.tsx'
import { useMoney } from '../../../ui/display/money.tsx'
import { useListView } from '../../lists/lists-public.tsx'
import type { ListSearch } from '../../lists/list-search-public.ts'
import { RecordCard, RecordListBeside } from '../../lists/record-list-public.tsx'
import { donorName, GiftBadges, giftDay } from '../giving-words.tsx'
import classes from '../giving.module.css'
import { useGivingPlace, useWithinCampaign } from '../use-giving-place.ts'
import { useChosenCampaign } from './campaign-field.tsx'
import { GiftMenu, useGiftName } from './gift-acts.tsx'
import type { AskedGift } from './gift-acts.tsx'
import { useGiftColumns, useGiftFields, useGiftViews, usualGifts } from './gift-columns.tsx'
import { GiftDialogs } from './gift-dialogs.tsx'
import { GiftPanel } from './gift-panel.tsx'
import { useGiftList, useGiftTotals } from './gifts-api.ts'
import { RecordGiftDialog } from './record-gift-dialog.tsx'

/** All that the list shows is in the address, with what its filter comes to above. */
export function GiftList({ campaignId }: { campaignId: string | undefined }) {
  const { search, go } = useGivingPlace()
  const can = useRights()
  const money = useMoney()
  const { day } = useFormats()
  const nameOf = useGiftName()
  const [asked, setAsked] = useState<AskedGift | null>(null)
  const within = useWithinCampaign(campaignId)
  const view = useListView({
    list: 'gifts',
    builtIn: useGiftViews(),
    usual: usualGifts,
    search,
    onSearch: useCallback((next: ListSearch, how: { replace: boolean }) => go(next, how), [go]),
  })
  const totals = useGiftTotals(view.look, within, view.ready)
  const campaign = useChosenCampaign(campaignId ?? null).data
  const mayRecord = can('gifts.record')
  const open = (giftId: string | undefined) => go({ open: giftId })
  const menu = useCallback((gift: GiftRow) => <GiftMenu gift={gift} onAsk={setAsked} />, [])
  return (
    <>
      <RecordListBeside
        fill
        {...(can('gifts.read') && { list: 'gifts' as const })}
        view={view}
        records={useGiftList(view.look, within, view.ready)}
        within={within}
        columns={useGiftColumns()}
        fields={useGiftFields(campaignId === undefined)}
        nameColumn="donor"
        rowLabel={(gift) => `${nameOf(gift)}, ${day(giftDay(gift))}`}
        rowMenu={can('gifts.manage') ? menu : undefined}
        icon={IconGift}
        words={{
          title: t`Gifts`,
          search: t`Search gifts`,
          noMatch: t`No gift matches`,
          none: t`No gifts yet`,
          about: t`Gifts by card and those you record are listed here.`,
          failed: t`The gifts could not be loaded`,
          create: t`Record gift`,
        }}
        onOpen={({ id }) => open(id)}
        activeId={search.open}
        onNew={mayRecord ? () => go({ new: 1 }) : undefined}
        actions={
          mayRecord && (
            <Button
              variant="default"
              leftSection={<IconTable size={16} stroke={1.5} aria-hidden />}
              onClick={() => go({ batch: 1, open: undefined })}
            >
              <Trans>Enter a batch</Trans>
            </Button>
          )
        }
        renderCard={(gift) => (
          <RecordCard
            name={donorName(gift)}
            onOpen={() => open(gift.id)}
            end={money(gift.money.amount, gift.money.currency)}
            facts={[day(giftDay(gift)), gift.campaign?.name].filter(Boolean).join(' · ')}
            badge={<GiftBadges gift={gift} />}
          />
        )}
        figures={totals.data && totals.data.items.length > 0 && <Totals items={totals.data.items} />}
        panel={search.open && <GiftPanel giftId={search.open} onClose={() => open(undefined)} />}
      />
      <GiftDialogs asked={asked} onClose={() => setAsked(null)} />
      <RecordGiftDialog
        opened={search.new === 1 && mayRecord}
        campaign={campaign}
        onClose={() => go({ new: undefined }, { replace: true })}
        onRecorded={({ id }) => open(id)}
      />
    </>
  )
}

/** What all gifts of the filter come to, not only the rows that are loaded. */
function Totals({ items }: { items: readonly GiftTotals[] }) {
  const money = useMoney()
  const { number } = useFormats()
  return (
    <div className={classes['totals']}>
      {items.map(({ currency, gifts, settled, refunded, raised }) => (
        <dl key={currency} className={classes['totalsOf']} aria-label={t`Totals`}>
          <Total label={t`Raised`} value={money(raised, currency)} />
          {refunded > 0 && (
            <>
              <Total label={t`Received`} value={money(settled, currency)} />
              <Total label={t`Refunded`} value={money(refunded, currency)} />
            </>
          )}
          <Total label={t`Gifts`} value={number(gifts)} />
        </dl>
      ))}
    </div>
  )
}

const Total = ({ label, value }: { label: string; value: string }) => (
  <div className={classes['totalOne']}>
    <dt className={classes['dim']}>{label}</dt>
    <dd>{value}</dd>
  </div>
)
