import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ButtonLink } from '../../platform/links.tsx'
import { toast } from '../../platform/toast.tsx'
import { PlainDate, useFormats } from '../../ui/dates.tsx'
import { Section } from '../../ui/page.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { changeWords } from './change-words.tsx'
import { useAnswerRequest } from './home-api.ts'
import type { HomeData } from './home-api.ts'
import { JoinsAndLeaves } from './home-figures.tsx'
import classes from './home.module.css'

/** The cards below the figures: work that waits first, then what is one's own, then what happened. */
export function HomeLists({ home }: { home: HomeData }) {
  return (
    <div className={classes['cards']}>
      {home.requests.total > 0 && <Requests home={home} />}
      {home.members && <JoinsAndLeaves members={home.members} />}
      {home.me && home.scope === 'me' && <Mine me={home.me} />}
      {home.scope === 'me' && !home.me && (
        <Section title={t`Welcome`}>
          <p className={classes['none']}>
            <Trans>
              Your account is not linked to a member yet. Until the organisation’s office links it, you can look at the groups that are open
              to everybody.
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
      )}
      {home.endingTerms && <EndingTerms terms={home.endingTerms} />}
      {home.vacancies && home.vacancies.total > 0 && <Vacancies vacancies={home.vacancies} />}
      {home.birthdays && home.birthdays.length > 0 && <Birthdays birthdays={home.birthdays} />}
      {home.recentChanges.length > 0 && <Changes changes={home.recentChanges} />}
    </div>
  )
}

const Row = ({ children, minor, end }: { children: ReactNode; minor?: ReactNode; end?: ReactNode }) => (
  <li className={classes['item']}>
    <span className={classes['words']}>
      {children}
      {minor && <span className={classes['minor']}>{minor}</span>}
    </span>
    {end}
  </li>
)

const PersonLink = ({ person }: { person: { id: string; displayName: string } }) => (
  <Link to="/person/$personId/{-$tab}" params={{ personId: person.id, tab: undefined }}>
    {person.displayName}
  </Link>
)

const ChapterLink = ({ chapter }: { chapter: { id: string; name: string } }) => (
  <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: chapter.id, tab: undefined, subtab: undefined }}>
    {chapter.name}
  </Link>
)

function Requests({ home }: { home: HomeData }) {
  const answer = useAnswerRequest()
  const { number } = useFormats()
  const reply = async (request: HomeData['requests']['items'][number], accept: boolean) => {
    try {
      await answer.mutateAsync({ memberId: request.memberId, groupId: request.group.id, accept })
      toast.success(
        accept
          ? t`${request.person.displayName} is now in ${request.group.name}`
          : t`The request of ${request.person.displayName} is declined`,
      )
    } catch (failure) {
      toast.error(t`The request could not be answered.`, failure)
    }
  }
  return (
    <Section title={t`Waiting for you`} count={number(home.requests.total)} className={home.members ? classes['tall'] : undefined}>
      <ul className={classes['list']}>
        {home.requests.items.map((request) => (
          <Row
            key={request.memberId}
            minor={
              <>
                {t`wants to join ${request.group.name}`} · <RelativeTime at={request.askedAt} />
              </>
            }
            end={
              <span className={classes['answers']}>
                <Button size="compact-sm" onClick={() => void reply(request, true)} aria-label={t`Approve ${request.person.displayName}`}>
                  <Trans>Approve</Trans>
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  onClick={() => void reply(request, false)}
                  aria-label={t`Decline ${request.person.displayName}`}
                >
                  <Trans>Decline</Trans>
                </Button>
              </span>
            }
          >
            <PersonLink person={request.person} />
          </Row>
        ))}
      </ul>
    </Section>
  )
}

function Mine({ me }: { me: NonNullable<HomeData['me']> }) {
  return (
    <>
      <Section title={t`My chapters`} count={me.chapters.length}>
        {me.chapters.length === 0 && <p className={classes['none']}>{t`You belong to no chapter yet.`}</p>}
        <ul className={classes['list']}>
          {me.chapters.map((chapter) => (
            <Row key={chapter.id} minor={chapter.isPrimary ? t`Home chapter` : undefined}>
              <ChapterLink chapter={chapter} />
            </Row>
          ))}
        </ul>
      </Section>
      {me.positions.length > 0 && (
        <Section title={t`My offices`} count={me.positions.length}>
          <ul className={classes['list']}>
            {me.positions.map((held) => (
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
        </Section>
      )}
      <Section title={t`My groups`} count={me.groups.length}>
        {me.groups.length === 0 && (
          <p className={classes['none']}>
            <Trans>
              You are in no group yet. <Link to="/groups">Find one</Link>.
            </Trans>
          </p>
        )}
        <ul className={classes['list']}>
          {me.groups.map((group) => (
            <Row
              key={group.id}
              minor={group.status === 'active' ? group.title || undefined : group.status === 'invited' ? t`Invited` : t`Asked to join`}
            >
              <Link to="/groups/$groupId" params={{ groupId: group.id }}>
                {group.name}
              </Link>
            </Row>
          ))}
        </ul>
      </Section>
    </>
  )
}

function EndingTerms({ terms }: { terms: NonNullable<HomeData['endingTerms']> }) {
  return (
    <Section title={t`Terms that end soon`} count={terms.total}>
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
    </Section>
  )
}

function Vacancies({ vacancies }: { vacancies: NonNullable<HomeData['vacancies']> }) {
  return (
    <Section title={t`Vacant offices`} count={vacancies.total}>
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
    </Section>
  )
}

function Birthdays({ birthdays }: { birthdays: NonNullable<HomeData['birthdays']> }) {
  return (
    <Section title={t`Birthdays`} count={birthdays.length}>
      <ul className={classes['list']}>
        {birthdays.map(({ person, on }) => (
          <Row key={person.id} end={<PlainDate date={on} />}>
            <PersonLink person={person} />
          </Row>
        ))}
      </ul>
    </Section>
  )
}

function Changes({ changes }: { changes: HomeData['recentChanges'] }) {
  return (
    <Section title={t`Recent changes`}>
      <ul className={classes['list']}>
        {changes.map((change) => (
          <Row
            key={change.seq}
            minor={
              <>
                {change.actor?.name ?? t`Guildhall`} · <RelativeTime at={change.at} />
              </>
            }
          >
            {changeWords(change)}
          </Row>
        ))}
      </ul>
    </Section>
  )
}
