import { plural, t } from '@lingui/core/macro'
import type { CampaignOverview } from '@guildhall/contract/features/fundraising'
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useFormats } from '../../../ui/display/dates.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Thermometer } from '../campaigns/thermometer.tsx'
import type { Campaign } from '../fundraising-api.ts'
import classes from './overview.module.css'

/** The goal, how far it is reached, and when each quarter of it was. */
export function GoalSection({ campaign, overview }: { campaign: Campaign; overview: CampaignOverview }) {
  const { day, percent } = useFormats()
  const { milestones, daysLeft } = overview
  const { status, endsOn, totals } = campaign
  const last = endsOn === null || status === 'ended' ? undefined : day(endsOn)
  const days = last && daysLeft !== null && plural(daysLeft, { one: `# day left, until ${last}`, other: `# days left, until ${last}` })
  return (
    <Section title={campaign.goal === null ? t`Raised` : t`Goal`} actions={days && <span className={classes['dim']}>{days}</span>}>
      <Thermometer
        large
        campaign={{ ...campaign, reached: overview.campaign.reached }}
        pledged={totals.pledged}
        marks={milestones
          .filter(({ percent: at }) => at < 100)
          .map(({ percent: at, reachedOn }) => ({ percent: at, reached: reachedOn !== null }))}
      />
      {milestones.length > 0 && (
        <ol className={classes['milestones']} aria-label={t`Milestones`}>
          {milestones.map(({ percent: at, reachedOn }) => (
            <li key={at} data-done={reachedOn !== null || undefined}>
              {reachedOn === null ? (
                <IconCircleDashed size={16} stroke={1.5} aria-hidden />
              ) : (
                <IconCircleCheck size={16} stroke={1.5} aria-hidden />
              )}
              <span>{percent(at / 100)}</span>
              <span className={classes['dim']}>{reachedOn === null ? t`not reached yet` : day(reachedOn)}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
