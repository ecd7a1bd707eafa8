import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { AppLink } from '../../platform/app-link.tsx'
import { useFormats } from '../../ui/dates.tsx'
import { Sparkline, Stat } from '../../ui/figures.tsx'
import type { HomeData } from './home-api.ts'
import { CardMenu, HomeCard } from './home-card.tsx'
import classes from './home.module.css'

type Members = NonNullable<HomeData['members']>

/** An officer's figures; each leads to the people it counts. */
export function MemberFigures({ home, members }: { home: HomeData; members: Members }) {
  const { number, percent } = useFormats()
  const { dataHealth, vacancies } = home
  const change = members.netChange
  return (
    <div className={classes['figures']}>
      <span className={classes['figuresMenu']}>
        <CardMenu card="figures" />
      </span>
      <AppLink href={listOf(home, { field: 'affiliationKind', op: 'in', value: ['member'] })}>
        <Stat
          label={t`Members`}
          value={number(members.current)}
          change={
            change === 0
              ? t`Unchanged in twelve months`
              : change > 0
                ? t`+${number(change)} in twelve months`
                : t`${number(change)} in twelve months`
          }
          tone={change < 0 ? 'bad' : change > 0 ? 'good' : 'neutral'}
        >
          <Sparkline values={running(members)} label={t`Members over the last twelve months`} />
        </Stat>
      </AppLink>
      <AppLink href={listOf(home, { field: 'joinedOn', op: 'after', value: `${home.today.slice(0, 7)}-01` })}>
        <Stat label={t`New this month`} value={number(members.newThisMonth)} />
      </AppLink>
      <AppLink href={listOf(home, { field: 'affiliationKind', op: 'in', value: ['alumni'] })}>
        <Stat label={t`Alumni`} value={number(members.alumni)} />
      </AppLink>
      {vacancies && (
        <Stat label={t`Vacant mandatory offices`} value={number(vacancies.total)} tone={vacancies.total > 0 ? 'bad' : 'good'} />
      )}
      {dataHealth && dataHealth.people > 0 && (
        <AppLink href={listOf(home, { field: 'hasEmail', op: 'is', value: false })}>
          <Stat
            label={t`Reachable by e-mail`}
            value={percent((dataHealth.people - dataHealth.withoutEmail) / dataHealth.people)}
            change={t`${number(dataHealth.withoutEmail)} without an address`}
          />
        </AppLink>
      )}
    </div>
  )
}

/** Members at the end of each month, counted back from today. */
function running(members: Members): number[] {
  const values = [members.current]
  for (const { joins, leaves } of members.months.slice(1).toReversed()) values.unshift((values[0] ?? 0) - joins + leaves)
  return values
}

/** Twelve months of movement, each month as two bars. */
export function JoinsAndLeaves({ members }: { members: Members }) {
  const { i18n } = useLingui()
  const { number } = useFormats()
  const highest = Math.max(1, ...members.months.flatMap(({ joins, leaves }) => [joins, leaves]))
  const nameOf = (month: string, style: 'narrow' | 'long') =>
    new Intl.DateTimeFormat(i18n.locales ?? i18n.locale, { month: style, timeZone: 'UTC' }).format(new Date(`${month}-15T12:00:00Z`))
  const joins = members.months.reduce((sum, month) => sum + month.joins, 0)
  const leaves = members.months.reduce((sum, month) => sum + month.leaves, 0)
  return (
    <HomeCard card="joinsAndLeaves" className={classes['broad']}>
      <figure className={classes['figure']}>
        <div className={classes['bars']} aria-hidden>
          {members.months.map(({ month, joins: joined, leaves: left }) => (
            <div key={month} className={classes['month']}>
              <div className={classes['pair']} title={`${nameOf(month, 'long')}: +${number(joined)} −${number(left)}`}>
                <span style={{ blockSize: `${(joined / highest) * 100}%`, background: 'var(--gh-chart-1)' }} />
                <span style={{ blockSize: `${(left / highest) * 100}%`, background: 'var(--gh-chart-2)' }} />
              </div>
              <span className={classes['monthName']}>{nameOf(month, 'narrow')}</span>
            </div>
          ))}
        </div>
        <figcaption>
          <div className={classes['legend']}>
            <span>
              <span className={classes['dot']} style={{ background: 'var(--gh-chart-1)' }} />
              <Trans>{number(joins)} joined</Trans>
            </span>
            <span>
              <span className={classes['dot']} style={{ background: 'var(--gh-chart-2)' }} />
              <Trans>{number(leaves)} left</Trans>
            </span>
          </div>
        </figcaption>
        <details>
          <summary>
            <Trans>View as table</Trans>
          </summary>
          <table className={classes['table']}>
            <thead>
              <tr>
                <th scope="col">{t`Month`}</th>
                <th scope="col">{t`Joined`}</th>
                <th scope="col">{t`Left`}</th>
              </tr>
            </thead>
            <tbody>
              {members.months.map(({ month, joins: joined, leaves: left }) => (
                <tr key={month}>
                  <th scope="row">{nameOf(month, 'long')}</th>
                  <td>{number(joined)}</td>
                  <td>{number(left)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </figure>
    </HomeCard>
  )
}

type Condition = { field: string; op: string; value: string | boolean | string[] }

/** The members list that shows the people a figure counts. */
function listOf(home: HomeData, condition: Condition): string {
  const conditions = [condition, ...(home.chapter ? [{ field: 'chapter', op: 'in', value: [home.chapter.id] }] : [])]
  return `/members?filter=${encodeURIComponent(JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) }))}`
}
