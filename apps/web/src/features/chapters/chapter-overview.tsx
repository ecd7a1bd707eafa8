import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { Stat, StackedBar } from '../../ui/page/figures.tsx'
import { Section, TwoColumns } from '../../ui/page/page.tsx'
import { ChapterLink, PersonLink } from '../../platform/records/record-links.tsx'
import type { Chapter } from './chapters-api.ts'
import type { ChapterSearch } from './chapters-search.ts'
import { kindOptions } from './chapters-words.tsx'
import classes from './chapters.module.css'
import { mailLink, webLink } from '../../ui/display/contact-links.ts'

const shownBelow = 12

/** What a chapter is at a glance: who belongs to it and to everything below, who leads it, what stands under it. */
export function ChapterOverview({ chapter }: { chapter: Chapter }) {
  const { number } = useFormats()
  const { own, subtree } = chapter.counts
  const kinds = kindOptions()
  return (
    <TwoColumns aside={<Facts chapter={chapter} />}>
      <div className={classes['stack']}>
        <div className={classes['figures']}>
          <FigureLink chapter={chapter} tab="members" search={{ kind: 'member', below: 1 }}>
            <Stat
              label={chapter.descendants > 0 ? t`Members, with all below` : t`Members`}
              value={number(subtree.member)}
              change={chapter.descendants > 0 ? t`${number(own.member)} of the chapter itself` : undefined}
            />
          </FigureLink>
          <FigureLink chapter={chapter} tab="members" search={{ kind: 'alumni', below: 1 }}>
            <Stat label={t`Alumni`} value={number(subtree.alumni)} />
          </FigureLink>
          <FigureLink chapter={chapter} tab="subchapters">
            <Stat label={t`Chapters below`} value={number(chapter.descendants)} />
          </FigureLink>
          <FigureLink chapter={chapter} tab="groups">
            <Stat label={t`Groups`} value={number(chapter.groups)} />
          </FigureLink>
        </div>
        <StackedBar
          label={t`Who belongs here, by kind`}
          parts={kinds.map(({ value, label }) => ({ key: value, label, value: subtree[value] }))}
        />
        {chapter.about && (
          <Section title={t`About`}>
            <p className={classes['about']}>{chapter.about}</p>
          </Section>
        )}
        <Section
          title={t`Officers`}
          count={chapter.officers.length}
          actions={
            <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: chapter.id, tab: 'officers', subtab: undefined }}>
              <Trans>View all</Trans>
            </Link>
          }
        >
          {chapter.officers.length === 0 && chapter.vacancies.length === 0 && (
            <p className={classes['none']}>{t`Nobody holds an office here today.`}</p>
          )}
          <ul className={classes['list']}>
            {chapter.vacancies.map((vacancy) => (
              <li key={vacancy.positionId} className={classes['item']}>
                <span className={classes['words']}>
                  {vacancy.title}
                  <span className={`${classes['minor']} ${classes['warning']}`}>
                    {vacancy.openSeats > 1 ? t`${vacancy.openSeats} mandatory seats are vacant` : t`Mandatory and vacant`}
                  </span>
                </span>
              </li>
            ))}
            {chapter.officers.slice(0, shownBelow).map((officer) => (
              <li key={officer.id} className={classes['item']}>
                <span className={classes['words']}>
                  <PersonLink person={officer.person} />
                  <span className={classes['minor']}>{officer.position.title}</span>
                </span>
                {officer.endsOn && (
                  <span className={classes['minor']}>
                    <Trans>until</Trans> <PlainDate date={officer.endsOn} />
                  </span>
                )}
              </li>
            ))}
          </ul>
        </Section>
        {chapter.subchapters.length > 0 && (
          <Section
            title={t`Sub-chapters`}
            count={chapter.subchapters.length}
            actions={
              <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: chapter.id, tab: 'subchapters', subtab: undefined }}>
                <Trans>View all</Trans>
              </Link>
            }
          >
            <ul className={classes['list']}>
              {chapter.subchapters.slice(0, shownBelow).map((below) => (
                <li key={below.id} className={classes['item']}>
                  <span className={classes['words']}>
                    <ChapterLink chapter={below} />
                    <span className={classes['minor']}>{[below.code, below.city].filter(Boolean).join(' · ')}</span>
                  </span>
                  <span className={classes['end']}>{plural(below.members, { one: '# member', other: '# members' })}</span>
                </li>
              ))}
            </ul>
          </Section>
        )}
      </div>
    </TwoColumns>
  )
}

type FigureProps = { chapter: Chapter; tab: string; search?: ChapterSearch; children: ReactNode }

/** To the list of what a figure counts. */
const FigureLink = ({ chapter, tab, search = {}, children }: FigureProps) => (
  <Link to="/chapter/$chapterId/{-$tab}/{-$subtab}" params={{ chapterId: chapter.id, tab, subtab: undefined }} search={search}>
    {children}
  </Link>
)

const Facts = ({ chapter }: { chapter: Chapter }) => (
  <Section title={t`Facts`}>
    <FactList>
      <Fact label={t`Code`}>{chapter.code}</Fact>
      <Fact label={t`City`}>{chapter.city}</Fact>
      <Fact label={t`Chartered`}>{chapter.charteredOn && <PlainDate date={chapter.charteredOn} />}</Fact>
      {chapter.closedOn && (
        <Fact label={t`Closed`}>
          <PlainDate date={chapter.closedOn} />
        </Fact>
      )}
      <Fact label={t`E-mail`}>{chapter.contactEmail && <a href={mailLink(chapter.contactEmail)}>{chapter.contactEmail}</a>}</Fact>
      <Fact label={t`Website`}>
        {chapter.website && (
          <a href={webLink(chapter.website)} rel="noreferrer" target="_blank">
            {chapter.website.replace(/^https?:\/\//, '')}
          </a>
        )}
      </Fact>
      <Fact label={t`Time zone`}>{chapter.timezone || t`That of the organisation`}</Fact>
    </FactList>
  </Section>
)
