import { Skeleton } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link, useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import type { ReactNode } from 'react'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { Chart } from '../../ui/charts/chart.tsx'
import { Fact, FactList } from '../../ui/form/fact-list.tsx'
import { Stat } from '../../ui/page/figures.tsx'
import { Section, TwoColumns } from '../../ui/page/page.tsx'
import { useRights } from '../../platform/session/session.ts'
import { ChapterLink, PersonLink } from '../../platform/records/record-links.tsx'
import { PlaceAnnouncements } from '../communication/communication-public.tsx'
import { EventFigures } from '../events/events-public.tsx'
import { FieldSections } from '../fields/fields-public.tsx'
import { TagSection } from '../tags/tags-public.tsx'
import { useChapterFields, useChapterGrowth, useChapterTree } from './chapters-api.ts'
import type { Chapter } from './chapters-api.ts'
import { JoinsAndLeavesChart, MembersOverTimeChart } from './growth-charts.tsx'
import type { ChapterSearch } from './chapters-search.ts'
import { kindOptions } from './chapters-words.tsx'
import classes from './chapters.module.css'
import { mailLink, webLink } from '../../ui/display/contact-links.ts'

const shownBelow = 12

/** What a chapter is at a glance: who belongs to it and to everything below, who leads it, what stands under it. */
export function ChapterOverview({ chapter }: { chapter: Chapter }) {
  const { number } = useFormats()
  const { own, subtree } = chapter.counts
  const fields = useChapterFields(chapter.id)
  return (
    <TwoColumns
      aside={
        <>
          <Facts chapter={chapter} />
          <TagSection recordType="chapter" record={chapter} may={chapter.may.edit && chapter.status !== 'closed'} />
          <FieldSections
            recordType="chapters"
            name={chapter.name}
            record={chapter}
            {...fields}
            may={({ reach }) => chapter.may.edit && chapter.status !== 'closed' && reach !== 'own'}
          />
        </>
      }
    >
      <div className={classes['stack']}>
        <Suspense>
          <PlaceAnnouncements chapterId={chapter.id} />
        </Suspense>
        <div className={classes['figures']}>
          <FigureLink chapter={chapter} tab="members" search={{ kind: 'member', below: 1 }}>
            <Stat
              label={chapter.descendants > 0 ? t`Members, including sub-chapters` : t`Members`}
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
        <Kinds chapter={chapter} />
        <GrowthCharts chapter={chapter} />
        <Section title={t`Events`}>
          <EventFigures chapterId={chapter.id} />
        </Section>
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
        <SubchapterSizes chapter={chapter} />
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

function Kinds({ chapter }: { chapter: Chapter }) {
  const { number, percent } = useFormats()
  const navigate = useNavigate()
  const { subtree } = chapter.counts
  const kinds = kindOptions()
  const total = kinds.reduce((sum, { value }) => sum + subtree[value], 0)
  const [largest] = kinds.toSorted((a, b) => subtree[b.value] - subtree[a.value])
  if (total === 0 || !largest) return null
  const search = (kind: string): ChapterSearch => ({ kind: kinds.find(({ value }) => value === kind)?.value, below: 1 })
  return (
    <Section title={t`People by kind`}>
      <Chart
        kind="share"
        title={t`${largest.label}: ${percent(subtree[largest.value] / total)} of all who belong here`}
        summary={
          chapter.descendants > 0
            ? t`${number(total)} memberships today, with those of all chapters below.`
            : t`${number(total)} memberships today.`
        }
        data={{
          heading: t`Kind`,
          series: [{ key: 'people', label: t`People` }],
          rows: kinds.map(({ value, label }) => ({ key: value, label, values: { people: subtree[value] } })),
        }}
        onSelect={({ key }) =>
          void navigate({
            to: '/chapter/$chapterId/{-$tab}/{-$subtab}',
            params: { chapterId: chapter.id, tab: 'members', subtab: undefined },
            search: search(key),
          })
        }
      />
    </Section>
  )
}

/** For officers; the place is kept for what is still to come. */
function GrowthCharts({ chapter }: { chapter: Chapter }) {
  const can = useRights()
  const { data, isPending } = useChapterGrowth(chapter.id, can('people.contact'))
  const growth = data?.growth
  if (!can('people.contact') || (!growth && !isPending)) return null
  return (
    <>
      <Section title={t`Members over time`}>
        {growth ? <MembersOverTimeChart growth={growth} chapterId={chapter.id} /> : <Skeleton height={chartHeight} />}
      </Section>
      <Section title={t`Joins and leaves`}>
        {growth ? <JoinsAndLeavesChart growth={growth} chapterId={chapter.id} /> : <Skeleton height={chartHeight} />}
      </Section>
    </>
  )
}
const chartHeight = 306

/** The direct children, each with everything below it. */
function SubchapterSizes({ chapter }: { chapter: Chapter }) {
  const { number } = useFormats()
  const navigate = useNavigate()
  const tree = useChapterTree()
  const children = tree.data?.items.filter(({ parentId }) => parentId === chapter.id) ?? []
  const [largest] = children.toSorted((a, b) => b.subtreeMembers - a.subtreeMembers)
  if (children.length < 2 || !largest) return null
  return (
    <Section title={t`Sub-chapters by members`}>
      <Chart
        kind="bars"
        title={t`${largest.name} is the largest, with ${number(largest.subtreeMembers)} members`}
        summary={t`${number(children.length)} chapters directly below, each with everything below it.`}
        data={{
          heading: t`Chapter`,
          series: [{ key: 'members', label: t`Members` }],
          rows: children.map(({ id, name, subtreeMembers }) => ({ key: id, label: name, values: { members: subtreeMembers } })),
        }}
        onSelect={({ key }) =>
          void navigate({
            to: '/chapter/$chapterId/{-$tab}/{-$subtab}',
            params: { chapterId: key, tab: 'members', subtab: undefined },
            search: { kind: 'member', below: 1 },
          })
        }
      />
    </Section>
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
