import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { IconAlertCircle, IconCircleCheck, IconCircleDashed } from '@tabler/icons-react'
import { useToday } from '../../../platform/session/session.ts'
import { Section } from '../../../ui/page/page.tsx'
import type { Campaign } from '../fundraising-api.ts'
import { useGivingPlace } from '../use-giving-place.ts'
import classes from './readiness.module.css'
import { adviceOf, missingOf } from './readiness.ts'
import type { Finding } from './readiness.ts'

/** Of a draft: what is missing before it can start, and what would make its page better; each leads to its field. */
export function Readiness({ campaign }: { campaign: Campaign }) {
  const today = useToday()
  const { go } = useGivingPlace()
  const missing = missingOf(campaign, today)
  const advice = adviceOf(campaign)
  return (
    <Section
      title={missing.length > 0 ? t`Before it can start` : t`Ready to start`}
      actions={
        missing.length === 0 && (
          <Button size="compact-md" onClick={() => go({ start: 1 })}>
            <Trans>Start campaign</Trans>
          </Button>
        )
      }
    >
      {missing.length > 0 && <Steps campaignId={campaign.id} findings={missing} kind="missing" />}
      {missing.length === 0 && advice.length === 0 && (
        <p className={classes['step']} data-kind="done">
          <IconCircleCheck size={18} stroke={1.5} aria-hidden />
          <Trans>Everything is there.</Trans>
        </p>
      )}
      {advice.length > 0 && (
        <>
          <h3 className={classes['worth']}>
            <Trans>Worth adding</Trans>
          </h3>
          <Steps campaignId={campaign.id} findings={advice} kind="advice" />
        </>
      )}
    </Section>
  )
}

type StepsProps = { campaignId: string; findings: readonly Finding[]; kind: 'missing' | 'advice' }

const Steps = ({ campaignId, findings, kind }: StepsProps) => (
  <ul className={classes['steps']}>
    {findings.map(({ field, text }) => (
      <li key={field} className={classes['step']} data-kind={kind}>
        {kind === 'missing' ? (
          <IconAlertCircle size={18} stroke={1.5} aria-label={t`Needed`} />
        ) : (
          <IconCircleDashed size={18} stroke={1.5} aria-hidden />
        )}
        <Link to="/fundraising/$campaignId/{-$tab}" params={{ campaignId, tab: 'form' }} search={{ field }}>
          {text}
        </Link>
      </li>
    ))}
  </ul>
)
