import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import classes from '../giving.module.css'

const only = (field: string, op: string, value: unknown) => JSON.stringify({ and: [{ or: [{ field, op, value }] }] })
const failed = only('status', 'in', ['past_due'])
const overdue = only('overdue', 'is', true)

/** What waits for those who manage gifts; each line leads to where it is done. */
export function GivingWorkCard() {
  const { fundraising } = useApi().data
  const thanks = useQuery(fundraising.gifts.thanks.list.queryOptions({ input: { limit: 1 } }))
  const plans = useQuery(fundraising.plans.list.queryOptions({ input: { limit: 1, filter: failed } }))
  const pledges = useQuery(fundraising.pledges.list.queryOptions({ input: { limit: 1, filter: overdue } }))
  const broken = [thanks, plans, pledges].find(({ isError }) => isError)
  if (broken) {
    const retry = () => void Promise.all([thanks.refetch(), plans.refetch(), pledges.refetch()])
    return <ProblemState problem={broken.error} title={t`The tasks could not be loaded`} retry={retry} />
  }
  if (!thanks.data || !plans.data || !pledges.data) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={3} />
      </Loading>
    )
  }
  const waiting = [
    {
      href: '/fundraising/all/thanks',
      count: thanks.data.total ?? 0,
      text: (count: number) => plural(count, { one: '# donor to thank', other: '# donors to thank' }),
      late: thanks.data.items[0]?.late ?? false,
    },
    {
      href: '/fundraising/all/recurring?view=failed',
      count: plans.data.total ?? 0,
      text: (count: number) => plural(count, { one: '# recurring gift failed', other: '# recurring gifts failed' }),
      late: false,
    },
    {
      href: '/fundraising/all/pledges?view=overdue',
      count: pledges.data.total ?? 0,
      text: (count: number) => plural(count, { one: '# overdue pledge', other: '# overdue pledges' }),
      late: false,
    },
  ].filter(({ count }) => count > 0)
  if (waiting.length === 0) {
    return (
      <p className={classes['dim']}>
        <Trans>Every donor has been thanked, and nothing is overdue.</Trans>
      </p>
    )
  }
  return (
    <ul className={classes['rows']}>
      {waiting.map(({ href, count, text, late }) => (
        <li key={href} className={classes['row']}>
          <span className={classes['what']}>
            <AppLink href={href}>{text(count)}</AppLink>
          </span>
          {late && <StatusBadge tone="bad">{t`Late`}</StatusBadge>}
        </li>
      ))}
    </ul>
  )
}
