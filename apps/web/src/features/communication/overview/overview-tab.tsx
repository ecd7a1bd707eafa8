import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { IconPlus } from '@tabler/icons-react'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { Chart } from '../../../ui/charts/chart.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Stat } from '../../../ui/page/figures.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { MessageStatusBadge } from '../emails/message-rows.tsx'
import classes from '../emails/emails.module.css'

/** What was sent, what came of it, and what waits for somebody. */
export function OverviewTab() {
  const overview = useQuery(useApi().data.communication.messages.overview.queryOptions())
  const { number, percent, month } = useFormats()
  if (overview.isPending)
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={10} />
      </Loading>
    )
  if (overview.isError)
    return <ProblemState problem={overview.error} title={t`The overview could not be loaded`} retry={() => void overview.refetch()} />
  const { months, last30Days, top, waiting } = overview.data
  const share = (part: number) => (last30Days.left === 0 ? undefined : percent(part / last30Days.left))
  const year = months.reduce((sum, { left }) => sum + left, 0)
  return (
    <div className={classes['stack']}>
      <div className={classes['headRow']}>
        <span className={classes['spacer']} />
        <ButtonLink
          to="/communication/{-$tab}"
          params={{ tab: 'emails' }}
          search={{ new: 1 }}
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
        >
          <Trans>New e-mail</Trans>
        </ButtonLink>
      </div>
      <div className={classes['figures']}>
        <Stat label={t`Messages in 30 days`} value={number(last30Days.messages)} />
        <Stat label={t`Mails`} value={number(last30Days.left)} />
        <Stat label={t`Clicked`} value={number(last30Days.clicked)} change={share(last30Days.clicked)} />
        <Stat label={t`Bounced`} value={number(last30Days.bounced)} change={share(last30Days.bounced)} />
        <Stat label={t`Marked as spam`} value={number(last30Days.complaints)} change={share(last30Days.complaints)} />
        <Stat label={t`Unsubscribed`} value={number(last30Days.unsubscribed)} change={share(last30Days.unsubscribed)} />
      </div>
      {waiting.length > 0 && (
        <Section title={t`Waiting`} count={waiting.length}>
          <ul className={classes['rows']}>
            {waiting.map(({ id, name, status, sendAt }) => (
              <li key={id} className={classes['row']}>
                <span className={classes['what']}>
                  <Link to="/communication/{-$tab}" params={{ tab: 'emails' }} search={{ message: id }}>
                    {name}
                  </Link>
                  {sendAt && (
                    <span className={classes['dim']}>
                      <RelativeTime at={sendAt} />
                    </span>
                  )}
                </span>
                <MessageStatusBadge message={{ status, archivedAt: null }} />
              </li>
            ))}
          </ul>
        </Section>
      )}
      {year > 0 ? (
        <Section title={t`In twelve months`}>
          <Chart
            kind="line"
            title={t`${number(year)} mails in twelve months`}
            summary={t`By the month in which sending began.`}
            data={{
              heading: t`Month`,
              series: [
                { key: 'left', label: t`Mails` },
                { key: 'clicked', label: t`Clicked` },
                { key: 'unsubscribed', label: t`Unsubscribed` },
              ],
              rows: months.map((row) => ({
                key: row.month,
                label: month(row.month, 'long'),
                short: month(row.month, 'short'),
                values: { left: row.left, clicked: row.clicked, unsubscribed: row.unsubscribed },
              })),
            }}
            partial
          />
        </Section>
      ) : (
        <EmptyState title={t`Nothing was sent yet`}>
          <Trans>Choose for whom you write, write it, look at it as one of the recipients, and send it.</Trans>
        </EmptyState>
      )}
      {top.length > 0 && (
        <Section title={t`Most clicked in 90 days`}>
          <ul className={classes['rows']}>
            {top.map(({ id, name, startedAt, left, clicked }) => (
              <li key={id} className={classes['row']}>
                <span className={classes['what']}>
                  <Link to="/communication/{-$tab}" params={{ tab: 'emails' }} search={{ message: id }}>
                    {name}
                  </Link>
                  <span className={classes['dim']}>
                    <RelativeTime at={startedAt} />
                  </span>
                </span>
                <span className={classes['numbers']}>{t`${number(clicked)} of ${number(left)} clicked`}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  )
}
