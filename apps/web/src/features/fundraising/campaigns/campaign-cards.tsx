import { plural, t } from '@lingui/core/macro'
import type { CampaignRow } from '@guildhall/contract/features/fundraising'
import { IconHeartHandshake } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { usePicture } from '../../../platform/records/picture.tsx'
import { useToday } from '../../../platform/session/session.ts'
import { CampaignStatusBadge, daysLeftText } from '../fundraising-words.tsx'
import classes from './campaign-list.module.css'
import { Thermometer } from './thermometer.tsx'

/** Campaigns with their pictures, and how near each is to its goal. */
export const CampaignCards = ({ campaigns }: { campaigns: readonly CampaignRow[] }) => (
  <ul className={classes['cards']} aria-label={t`Campaigns`}>
    {campaigns.map((campaign) => (
      <Card key={campaign.id} campaign={campaign} />
    ))}
  </ul>
)

function Card({ campaign }: { campaign: CampaignRow }) {
  const today = useToday()
  const { totals } = campaign
  const facts = [
    daysLeftText(campaign, today),
    totals.gifts > 0 && plural(totals.gifts, { one: '# gift', other: '# gifts' }),
    totals.donors > 0 && plural(totals.donors, { one: '# donor', other: '# donors' }),
  ].filter(Boolean)
  return (
    <li className={classes['card']}>
      <Cover pictureId={campaign.coverFileId} alt={campaign.coverAlt} />
      <div className={classes['cardBody']}>
        <div className={classes['cardHead']}>
          <CampaignLink campaign={campaign} className={classes['cardName']} />
          <CampaignStatusBadge campaign={campaign} />
        </div>
        {campaign.summary && <p className={classes['summary']}>{campaign.summary}</p>}
        <div className={classes['cardEnd']}>
          <Thermometer campaign={campaign} />
          <p className={classes['facts']}>
            <span>{campaign.chapter?.name ?? t`Whole organisation`}</span>
            <span>{facts.join(' · ')}</span>
          </p>
        </div>
      </div>
    </li>
  )
}

/** Its place is kept while the picture is fetched. */
function Cover({ pictureId, alt }: { pictureId: string | null; alt: string }) {
  const picture = usePicture(pictureId)
  return (
    <div className={classes['cover']}>
      {picture ? <img src={picture} alt={alt} loading="lazy" /> : <IconHeartHandshake size={32} stroke={1.5} aria-hidden />}
    </div>
  )
}

type LinkProps = { campaign: Pick<CampaignRow, 'id' | 'name'>; className?: string | undefined }

/** A campaign's name, which leads to its page. */
export const CampaignLink = ({ campaign: { id, name }, className = '' }: LinkProps) => (
  <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId: id, tab: undefined }} className={className}>
    {name}
  </Link>
)
