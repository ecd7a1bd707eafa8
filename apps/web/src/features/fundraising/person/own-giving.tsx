import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconGift } from '@tabler/icons-react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useCan } from '../../../platform/session/session.ts'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useGift } from '../fundraising-api.ts'
import { GiftLines } from '../gifts/gift-lines.tsx'
import { GivenNotice } from '../give/given-notice.tsx'
import classes from '../giving.module.css'
import { PersonPlans } from '../plans/plan-rows.tsx'
import { PersonPledges } from '../pledges/person-pledges.tsx'
import { useGiving } from './giving-api.ts'
import { GivingFigures, GivingYears } from './giving-figures.tsx'
import { GivingStatement } from './giving-statement.tsx'

const profile = getRouteApi('/signed-in/profile')

/** Back from paying an instalment. */
function Returned() {
  const { given, cancelled } = profile.useSearch()
  const navigate = profile.useNavigate()
  const gift = useGift(given ?? '', given !== undefined)
  if (given === undefined) return null
  const name = gift.data?.campaign?.name
  return (
    <GivenNotice
      key={given}
      giftId={given}
      campaign={name === undefined ? null : { name, thanks: '' }}
      hasLeft={cancelled === 1}
      onDismiss={() => void navigate({ search: { section: 'giving' }, replace: true })}
    />
  )
}

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
      <Returned />
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
