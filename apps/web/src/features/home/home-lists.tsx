import { forText } from '../../platform/activity/history-words.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { Fragment, Suspense } from 'react'
import type { ReactNode } from 'react'
import { AnswerQueue } from '../../platform/activity/answer-queue.tsx'
import { useSlot } from '../../platform/navigation/slots.tsx'
import { ButtonLink } from '../../platform/navigation/links.tsx'
import { ChapterLink, GroupLink, PersonLink } from '../../platform/records/record-links.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { RelativeTime } from '../../ui/display/relative-time.tsx'
import { ChangeWords } from './change-words.tsx'
import { useAnswerRequest } from './home-api.ts'
import type { HomeData } from './home-api.ts'
import { HomeCard } from './home-card.tsx'
import { isOwnCard } from './home-cards.ts'
import type { OwnCard } from './home-cards.ts'
import { JoinsAndLeaves, MembersOverTime } from './home-figures.tsx'
import classes from './home.module.css'

/** The cards below the figures: work that waits first, then what is one's own, then what happened. */
export function HomeLists({ home, cards }: { home: HomeData; cards: readonly string[] }) {
  return (
    <div className={classes['cards']}>
      {home.scope === 'me' && !home.me && <Welcome />}
      {cards.map((card) => (
        <Fragment key={card}>{isOwnCard(card) ? cardOf(home, card) : <OtherCard home={home} card={card} />}</Fragment>
      ))}
    </div>
  )
}

function cardOf(home: HomeData, card: OwnCard): ReactNode {
  const { me, members, requests, endingTerms, vacancies, birthdays, recentChanges } = home
  switch (card) {
    case 'requests':
      return <Requests requests={requests} tall={members !== null} />
    case 'joinsAndLeaves':
      return members && <JoinsAndLeaves home={home} members={members} />
    case 'membersOverTime':
      return members && <MembersOverTime home={home} members={members} />
    case 'chapters':
      return me && <MyChapters chapters={me.chapters} />
    case 'offices':
      return me && <MyOffices positions={me.positions} />
    case 'groups':
      return me && <MyGroups groups={me.groups} />
    case 'endingTerms':
      return endingTerms && <EndingTerms terms={endingTerms} />
    case 'vacancies':
      return vacancies && <Vacancies vacancies={vacancies} />
    case 'birthdays':
      return birthdays && <Birthdays birthdays={birthdays} />
    case 'recentChanges':
      return <Changes changes={recentChanges} />
    case 'gettingStarted':
    case 'figures':
      // Above the lists, over the whole width.
      return null
  }
}

/** A card that another area adds. */
function OtherCard({ home, card }: { home: HomeData; card: string }) {
  const slot = useSlot('homeCards').find(({ key }) => key === card)
  if (!slot) return null
  const Content = slot.content
  if (slot.framed) {
    return (
      <Suspense>
        <Content home={home} />
      </Suspense>
    )
  }
  return (
    <HomeCard card={card}>
      <Suspense
        fallback={
          <Loading label={t`Loading`}>
            <SkeletonLines count={4} />
          </Loading>
        }
      >
        <Content home={home} />
      </Suspense>
    </HomeCard>
  )
}

const Welcome = () => (
  <Section title={t`Welcome`}>
    <p className={classes['none']}>
      <Trans>
        Are you a member already? Ask the organisation’s office to link your account. If you are new, you can apply under My membership and
        look at the groups that are open to everybody.
      </Trans>
    </p>
    <div className={classes['ways']}>
      <ButtonLink to="/groups" variant="default" size="compact-md">
        <Trans>See the groups</Trans>
      </ButtonLink>
      <ButtonLink to="/contact" variant="default" size="compact-md">
        <Trans>Write to the office</Trans>
      </ButtonLink>
    </div>
  </Section>
)

type RowProps = { children: ReactNode; minor?: ReactNode; end?: ReactNode }

const Row = (props: RowProps) => (
  <li className={classes['row']}>
    <RowContent {...props} />
  </li>
)

const RowContent = ({ children, minor, end }: RowProps) => (
  <div className={classes['item']}>
    <span className={classes['words']}>
      {children}
      {minor && <span className={classes['minor']}>{minor}</span>}
    </span>
    {end}
  </div>
)

function Requests({ requests, tall }: { requests: HomeData['requests']; tall: boolean }) {
  const answer = useAnswerRequest()
  const navigate = useNavigate()
  const { number } = useFormats()
  return (
    <HomeCard card="requests" count={number(requests.total)} className={tall ? classes['tall'] : undefined}>
      <AnswerQueue
        label={t`Requests`}
        className={classes['list']}
        rows={requests.items}
        rowId={({ memberId }) => memberId}
        onOpen={({ person }) => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: person.id } })}
        answers={({ memberId, group, person: { displayName } }) => [
          {
            label: t`Approve`,
            name: t`Approve ${displayName}`,
            outcome: t`${displayName} approved`,
            run: (context) => answer.mutateAsync({ memberId, groupId: group.id, accept: true, context }),
            failed: t`The request could not be answered.`,
          },
          {
            label: t`Decline`,
            name: t`Decline ${displayName}`,
            outcome: t`${displayName} declined`,
            run: (context) => answer.mutateAsync({ memberId, groupId: group.id, accept: false, context }),
            failed: t`The request could not be answered.`,
          },
        ]}
      >
        {(request, tools) => (
          <RowContent
            minor={
              <>
                {t`wants to join ${request.group.name}`} · <RelativeTime at={request.askedAt} />
              </>
            }
            end={tools}
          >
            <PersonLink person={request.person} />
          </RowContent>
        )}
      </AnswerQueue>
    </HomeCard>
  )
}

type Me = NonNullable<HomeData['me']>

const MyChapters = ({ chapters }: Pick<Me, 'chapters'>) => (
  <HomeCard card="chapters" count={chapters.length}>
    {chapters.length === 0 && <p className={classes['none']}>{t`You belong to no chapter yet.`}</p>}
    <ul className={classes['list']}>
      {chapters.map((chapter) => (
        <Row key={chapter.id} minor={chapter.isPrimary ? t`Home chapter` : undefined}>
          <ChapterLink chapter={chapter} />
        </Row>
      ))}
    </ul>
  </HomeCard>
)

const MyOffices = ({ positions }: Pick<Me, 'positions'>) => (
  <HomeCard card="offices" count={positions.length}>
    <ul className={classes['list']}>
      {positions.map((held) => (
        <Row
          key={held.positionId}
          minor={
            <>
              <ChapterLink chapter={held.chapter} />
              {held.endsOn && (
                <>
                  {' '}
                  · <Trans>until</Trans> <PlainDate date={held.endsOn} />
                </>
              )}
            </>
          }
        >
          {held.title}
        </Row>
      ))}
    </ul>
  </HomeCard>
)

const MyGroups = ({ groups }: Pick<Me, 'groups'>) => (
  <HomeCard card="groups" count={groups.length}>
    {groups.length === 0 && (
      <p className={classes['none']}>
        <Trans>
          You are in no group yet. <Link to="/groups">Find one</Link>.
        </Trans>
      </p>
    )}
    <ul className={classes['list']}>
      {groups.map((group) => (
        <Row
          key={group.id}
          minor={group.status === 'active' ? group.title || undefined : group.status === 'invited' ? t`Invited` : t`Asked to join`}
        >
          <GroupLink group={group} />
        </Row>
      ))}
    </ul>
  </HomeCard>
)

function EndingTerms({ terms }: { terms: NonNullable<HomeData['endingTerms']> }) {
  return (
    <HomeCard card="endingTerms" count={terms.total}>
      {terms.total === 0 && <p className={classes['none']}>{t`No term ends within 60 days.`}</p>}
      <ul className={classes['list']}>
        {terms.items.map((term) => (
          <Row
            key={term.id}
            minor={
              <>
                {term.position.title}, <ChapterLink chapter={term.chapter} />
              </>
            }
            end={term.endsOn && <PlainDate date={term.endsOn} />}
          >
            <PersonLink person={term.person} />
          </Row>
        ))}
      </ul>
    </HomeCard>
  )
}

function Vacancies({ vacancies }: { vacancies: NonNullable<HomeData['vacancies']> }) {
  return (
    <HomeCard card="vacancies" count={vacancies.total}>
      <ul className={classes['list']}>
        {vacancies.items.map((seat) => (
          <Row
            key={seat.positionId}
            minor={<ChapterLink chapter={seat.chapter} />}
            end={seat.openSeats > 1 ? t`${seat.openSeats} seats` : undefined}
          >
            {seat.title}
          </Row>
        ))}
      </ul>
    </HomeCard>
  )
}

function Birthdays({ birthdays }: { birthdays: NonNullable<HomeData['birthdays']> }) {
  return (
    <HomeCard card="birthdays" count={birthdays.length}>
      <ul className={classes['list']}>
        {birthdays.map(({ person, on }) => (
          <Row key={person.id} end={<PlainDate date={on} />}>
            <PersonLink person={person} />
          </Row>
        ))}
      </ul>
    </HomeCard>
  )
}

function Changes({ changes }: { changes: HomeData['recentChanges'] }) {
  return (
    <HomeCard card="recentChanges">
      <ul className={classes['list']}>
        {changes.map((change) => (
          <Row
            key={change.seq}
            minor={
              <>
                {change.actor?.name ?? t`Guildhall`}
                {change.actingFor !== null && ` ${forText(change.actingFor)}`} · <RelativeTime at={change.at} />
              </>
            }
          >
            <ChangeWords change={change} />
          </Row>
        ))}
      </ul>
    </HomeCard>
  )
}
