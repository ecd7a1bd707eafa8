import { t } from '@lingui/core/macro'
import type { PeopleFilterField } from '@guildhall/contract/features/people'
import type { ReactNode } from 'react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { useFormats } from '../../ui/display/dates.tsx'
import { Sparkline, Stat } from '../../ui/page/figures.tsx'
import { JoinsAndLeavesChart, MembersOverTimeChart, membersByMonth } from '../chapters/chapters-public.tsx'
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
          <Sparkline
            values={membersByMonth({ ...members, members: members.current }).slice(-12)}
            label={t`Members over the last twelve months`}
          />
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

/** Home's first paint does not wait for the drawings. */
export const JoinsAndLeaves = ({ home, members }: { home: HomeData; members: Members }) => (
  <HomeCard card="joinsAndLeaves" className={classes['broad']}>
    <JoinsAndLeavesChart growth={{ ...members, members: members.current }} chapterId={home.chapter?.id} />
  </HomeCard>
)

export const MembersOverTime = ({ home, members }: { home: HomeData; members: Members }) => (
  <HomeCard card="membersOverTime" className={classes['broad']}>
    <MembersOverTimeChart growth={{ ...members, members: members.current }} chapterId={home.chapter?.id} />
  </HomeCard>
)

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
