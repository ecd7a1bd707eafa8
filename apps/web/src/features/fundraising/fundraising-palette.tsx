import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { usePaletteCommands, usePaletteRecords } from '../../platform/navigation/palette.ts'
import { useCan } from '../../platform/session/session.ts'
import { useMoney } from '../../ui/display/money.tsx'

const RecordGiftDialog = lazy(async () => ({ default: (await import('./gifts/record-gift-dialog.tsx')).RecordGiftDialog }))

/** Lets the palette find campaigns and gifts, record a gift wherever the reader is, and go to the donors to thank. */
export function FundraisingPaletteSource() {
  const [seesCampaigns, seesGifts] = [useCan('fundraising.read'), useCan('gifts.read')]
  const [records, manages] = [useCan('gifts.record'), useCan('gifts.manage')]
  return (
    <>
      {seesCampaigns && <Campaigns />}
      {seesGifts && <Gifts />}
      {records && <RecordGift />}
      {manages && <ThankDonors />}
    </>
  )
}

const offered = 5

function Campaigns() {
  const { list } = useApi().data.fundraising
  usePaletteRecords({
    group: t`Campaigns`,
    search: async (q, signal) => {
      const { items } = await list.call({ q, sort: 'match', limit: offered }, { signal })
      return items.map(({ id, name, chapter }) => ({
        id: `campaign:${id}`,
        label: name,
        ...(chapter && { hint: chapter.name }),
        to: `/fundraising/${id}`,
      }))
    },
  })
  return null
}

/** By the donor, who may be nobody in the directory, the number of a receipt or of a cheque. */
function Gifts() {
  const { gifts } = useApi().data.fundraising
  const money = useMoney()
  usePaletteRecords({
    group: t`Gifts`,
    search: async (q, signal) => {
      if (q.trim().length < 3) return []
      const { items } = await gifts.list.call({ q, limit: offered }, { signal })
      return items.map(({ id, donor, donorName, money: { amount, currency }, receipt, campaign }) => ({
        id: `gift:${id}`,
        label: [money(amount, currency), donor?.displayName ?? donorName].filter(Boolean).join(' · '),
        hint: [receipt?.number, campaign?.name].filter(Boolean).join(' · '),
        to: `/fundraising/all/donations?open=${id}`,
      }))
    },
  })
  return null
}

function RecordGift() {
  const [opened, setOpened] = useState<boolean | null>(null)
  usePaletteCommands([{ id: 'fundraising:record', label: t`Record a gift`, hint: t`Fundraising`, run: () => setOpened(true) }])
  if (opened === null) return null
  return (
    <Suspense>
      <RecordGiftDialog opened={opened} onClose={() => setOpened(false)} />
    </Suspense>
  )
}

function ThankDonors() {
  const navigate = useNavigate()
  usePaletteCommands([
    {
      id: 'fundraising:thank',
      label: t`Thank donors`,
      hint: t`Fundraising`,
      run: () => void navigate({ to: '/fundraising/$campaignId/{-$tab}', params: { campaignId: 'all', tab: 'thanks' } }),
    },
  ])
  return null
}
