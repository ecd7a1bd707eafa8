import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import type { PeopleFilterField } from '@guildhall/contract/features/people'
import type { ReactNode } from 'react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Sparkline, Stat } from '../../ui/page/figures.tsx'
import type { HomeData } from './home-api.ts'
import { CardMenu, HomeCard } from './home-card.tsx'
import classes from './home.module.css'

type Members = NonNullable<HomeData['members']>

/** An officer's figures; each leads to the people it counts. */
export function MemberFigures({ home, members }: { home: HomeData; members: Members }) {
  const { number } = useFormats()
  const { dataHealth, vacancies } = home
  const change = members.netChange
  return (
    <div className={classes['figures']}>
      <span className={classes['figuresMenu']}>
        <CardMenu card="figures" />
      </span>
      <RosterLink home={home} kind="member">
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
      </RosterLink>
      <AppLink href={listOf(home, { field: 'joinedOn', op: 'after', value: dayBefore(`${home.today.slice(0, 7)}-01`) })}>
        <Stat label={t`New this month`} value={number(members.newThisMonth)} />
      </AppLink>
      <RosterLink home={home} kind="alumni">
        <Stat label={t`Alumni`} value={number(members.alumni)} />
      </RosterLink>
      {vacancies && (
        <Stat label={t`Vacant mandatory offices`} value={number(vacancies.total)} tone={vacancies.total > 0 ? 'bad' : 'good'} />
      )}
      {dataHealth && dataHealth.people > 0 && <Reachable home={home} health={dataHealth} />}
    </div>
  )
}

type Health = NonNullable<HomeData['dataHealth']>

/** A chapter counts by home chapter, also people whose addresses its officers may no longer see: no list of theirs shows the same people. */
function Reachable({ home, health: { people, withoutEmail } }: { home: HomeData; health: Health }) {
  const { number, percent } = useFormats()
  const figure = (
    <Stat
      label={t`Reachable by e-mail`}
      value={percent((people - withoutEmail) / people)}
      change={t`${number(withoutEmail)} without an address`}
    />
  )
  if (home.chapter) return <div>{figure}</div>
  const without: Condition[] = [
    { field: 'hasEmail', op: 'is', value: false },
    { field: 'lifecycle', op: 'notIn', value: ['deceased', 'merged', 'erased'] },
  ]
  return <AppLink href={listOf(home, ...without)}>{figure}</AppLink>
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

type RosterProps = { home: HomeData; kind: 'member' | 'alumni'; children: ReactNode }

/** To the roster whose memberships a figure counts; with several chapters at the top there is no such roster. */
function RosterLink({ home, kind, children }: RosterProps) {
  const chapter = home.chapter ?? home.top
  return chapter ? <AppLink href={`/chapter/${chapter.id}/members?kind=${kind}&below=1`}>{children}</AppLink> : <div>{children}</div>
}

type Condition = { field: PeopleFilterField; op: string; value: string | boolean | string[] }

/** The list of the people a figure counts. */
function listOf(home: HomeData, ...counted: Condition[]): string {
  const conditions: Condition[] = [...counted, ...(home.chapter ? [{ field: 'chapter' as const, op: 'in', value: [home.chapter.id] }] : [])]
  return `/members?filter=${encodeURIComponent(JSON.stringify({ and: conditions.map((one) => ({ or: [one] })) }))}`
}

const dayBefore = (day: string) => new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10)
