import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconGift } from '@tabler/icons-react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { GiftLines } from '../gifts/gift-lines.tsx'
import classes from '../giving.module.css'
import { PersonPlans } from '../plans/plan-rows.tsx'
import { PersonPledges } from '../pledges/person-pledges.tsx'
import { useGiving } from './giving-api.ts'
import { GivingFigures, GivingYears } from './giving-figures.tsx'
import { GivingStatement } from './giving-statement.tsx'

/** One’s own gifts with their receipts, recurring gifts to change or stop, pledges, and the statement for the tax return. */
export function OwnGiving({ personId }: { personId: string }) {
  const giving = useGiving(personId)
  const seesCampaigns = useCan('fundraising.read')
  if (giving.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (giving.isError)
    return <ProblemState problem={giving.error} title={t`Your giving could not be loaded`} retry={() => void giving.refetch()} />
  const { gifts, pledged, years } = giving.data
  return (
    <div className={classes['stack']}>
      {gifts === 0 && pledged.length === 0 ? (
        <EmptyState
          icon={<IconGift size={32} stroke={1.5} />}
          title={t`You have not given yet`}
          action={
            seesCampaigns && (
              <ButtonLink to="/fundraising" variant="default">
                <Trans>See the campaigns</Trans>
              </ButtonLink>
            )
          }
        >
          <Trans>Your gifts and their receipts stand here.</Trans>
        </EmptyState>
      ) : (
        <>
          <GivingFigures giving={giving.data} />
          <GivingYears years={years} />
        </>
      )}
      <PersonPlans personId={personId} />
      <PersonPledges personId={personId} />
      {gifts > 0 && (
        <>
          <Section title={t`Gifts`} count={gifts}>
            <GiftLines question={{ personId }} withDonor={false} />
          </Section>
          <GivingStatement personId={personId} />
        </>
      )}
    </div>
  )
}
