import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../platform/navigation/links.tsx'
import { useMe } from '../../platform/session/session.ts'
import { PlainDate } from '../../ui/display/dates.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { OwnOpenInvoices } from '../payments/payments-public.tsx'
import { MembershipBadge } from './membership-words.tsx'
import classes from './membership.module.css'

/** The reader's memberships in a line each with what is to be paid, or the way to apply. */
export function MyMembershipCard() {
  const person = useMe().data?.person
  const mine = useQuery(useApi().data.membership.mine.queryOptions())
  if (mine.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={2} />
      </Loading>
    )
  }
  if (mine.isError)
    return <ProblemState problem={mine.error} title={t`Your memberships could not be loaded`} retry={() => void mine.refetch()} />
  const { items, types } = mine.data
  const shown = items.filter(({ status }) => status !== 'declined' && status !== 'withdrawn' && status !== 'cancelled')
  return (
    <div className={classes['stack']}>
      {shown.length === 0 && <p className={classes['dim']}>{t`You have no membership yet.`}</p>}
      <ul className={classes['list']}>
        {shown.map((held) => (
          <li key={held.id} className={classes['heldHead']}>
            <span>{held.type.name}</span>
            <MembershipBadge status={held.counts} />
            {held.endsOn && (
              <span className={classes['minor']}>
                <Trans>Ends</Trans> <PlainDate date={held.endsOn} />
              </span>
            )}
          </li>
        ))}
      </ul>
      {person && (
        <Suspense>
          <OwnOpenInvoices personId={person.id} />
        </Suspense>
      )}
      <div className={classes['tools']}>
        {shown.length > 0 && (
          <ButtonLink to="/profile" search={{ section: 'membership' }} variant="default" size="compact-md">
            {shown.some(({ may }) => may.renew) ? <Trans>Renew</Trans> : <Trans>My membership</Trans>}
          </ButtonLink>
        )}
        {shown.length === 0 && types.length > 0 && (
          <ButtonLink to="/profile" search={{ section: 'membership', join: 1 }} size="compact-md">
            <Trans>Apply for membership</Trans>
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
