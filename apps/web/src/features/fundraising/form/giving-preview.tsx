import { t } from '@lingui/core/macro'
import { IconHeartHandshake } from '@tabler/icons-react'
import { memo, useState } from 'react'
import { FormattedText } from '../../../platform/formatted-text/formatted-text.tsx'
import { usePicture } from '../../../platform/records/picture.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { Thermometer } from '../campaigns/thermometer.tsx'
import { useFunds, useFundraisingSettings } from '../fundraising-api.ts'
import type { Campaign } from '../fundraising-api.ts'
import { daysLeftText } from '../fundraising-words.tsx'
import { GiveFields } from '../give/give-fields.tsx'
import { firstValues, noFees } from '../give/give-values.ts'
import type { Fees, Offer } from '../give/give-values.ts'
import classes from './form.module.css'
import type { PageValues } from './page-values.ts'

type Props = { campaign: Campaign; values: PageValues }

/** The giving page as it will look, drawn when there is time for it. */
export const GivingPreview = memo(function GivingPreview({ campaign, values }: Props) {
  const today = useToday()
  const settings = useFundraisingSettings()
  const funds = useFunds()
  const { coverFileId, coverAlt, endsOn, goal, goalKind } = values
  const picture = usePicture(coverFileId, 'large')
  const offer = offerOf(campaign, values, funds.data?.items ?? [])
  // What is reached was counted by another measure where that has just been changed.
  const reached = goalKind === campaign.goalKind ? campaign.reached : 0
  const days = daysLeftText({ status: campaign.status, endsOn: endsOn || null }, today)
  return (
    <div className={classes['page']}>
      <div className={classes['pageCover']} data-plain={!picture || undefined}>
        {picture ? <img src={picture} alt={coverAlt} /> : <IconHeartHandshake size={40} stroke={1.5} aria-hidden />}
      </div>
      <div className={classes['pageBody']}>
        <p className={classes['pageName']}>{values.name || t`Name of the campaign`}</p>
        {values.summary && <p className={classes['note']}>{values.summary}</p>}
        <Thermometer campaign={{ goalKind, goal: goal ?? null, reached, currency: campaign.currency }} />
        {days && <p className={classes['note']}>{days}</p>}
        {/* To be looked at: nobody gives here. */}
        <div inert className={classes['fields']}>
          <Form key={JSON.stringify(offer.suggested)} offer={offer} fees={settings.data ?? noFees} />
        </div>
        {values.story.content.length > 0 && <FormattedText document={values.story} />}
      </div>
    </div>
  )
})

function Form({ offer, fees }: { offer: Offer; fees: Fees }) {
  const [values] = useState(() => firstValues(offer))
  return (
    <>
      <GiveFields offer={offer} fees={fees} values={values} onChange={nothing} />
      <span className={classes['pageButton']}>{t`Give`}</span>
    </>
  )
}
const nothing = () => undefined

/** What donors will be offered, as far as it can be read. */
function offerOf(campaign: Campaign, values: PageValues, known: readonly { id: string; name: string }[]): Offer {
  const named = [...known, ...campaign.funds, ...(campaign.fund ? [campaign.fund] : [])]
  const fund = named.find(({ id }) => id === values.fundId)
  return {
    currency: campaign.currency,
    suggested: values.suggested.flatMap(({ amount, words }) => (amount ? [{ amount, words }] : [])),
    minAmount: values.minAmount ?? 1,
    maxAmount: values.maxAmount ?? null,
    allowsRecurring: values.allowsRecurring,
    allowsCoverFees: values.allowsCoverFees,
    fund: fund ?? null,
    funds: values.fundIds.flatMap((id) => named.find((one) => one.id === id) ?? []),
    share: campaign.share,
  }
}
