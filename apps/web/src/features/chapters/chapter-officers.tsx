import { ActionIcon, Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { getRouteApi } from '@tanstack/react-router'
import { IconDots, IconUserShield } from '@tabler/icons-react'
import { useState } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { ProblemState } from '../../platform/api/problem-state.tsx'
import { useKnownTab } from '../../platform/navigation/tabs.ts'
import { toast } from '../../platform/activity/toast.tsx'
import { PlainDate } from '../../ui/display/dates.tsx'
import { EmptyState } from '../../ui/page/empty-state.tsx'
import { Section } from '../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../ui/page/skeletons.tsx'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { AppointDialog } from './offices/appoint-dialog.tsx'
import { PersonFace } from '../../platform/records/person-face.tsx'
import { Subtabs } from './chapter-subtabs.tsx'
import { useChaptersChanged, useOfficers } from './chapters-api.ts'
import type { Chapter, Officer } from './chapters-api.ts'
import { EndTermDialog } from './offices/end-term-dialog.tsx'
import { OfficeList } from './offices/office-list.tsx'
import { ShowMore } from '../../ui/list/show-more.tsx'
import classes from './chapters.module.css'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')
const subtabs = ['current', 'upcoming', 'history', 'offices'] as const

/** Who leads, will lead and led the chapter, and which offices it has. */
export function ChapterOfficers({ chapter }: { chapter: Chapter }) {
  // The address may be at the next tab while this one is still shown.
  const { tab, subtab } = here.useParams()
  const active = useKnownTab(tab === 'officers' ? subtab : undefined, subtabs, 'subtab')
  const [appointing, setAppointing] = useState<{ positionId?: string } | null>(null)
  return (
    <div className={classes['stack']}>
      <div className={classes['row']}>
        <Subtabs
          chapterId={chapter.id}
          tab="officers"
          label={t`Officers of ${chapter.name}`}
          active={active}
          tabs={[
            { key: 'current', label: t`Current` },
            { key: 'upcoming', label: t`Upcoming` },
            { key: 'history', label: t`History` },
            { key: 'offices', label: t`Offices` },
          ]}
        />
        {chapter.may.appoint && chapter.status !== 'closed' && (
          <Button onClick={() => setAppointing({})}>
            <Trans>Appoint officer</Trans>
          </Button>
        )}
      </div>
      {active === 'offices' ? (
        <OfficeList chapter={chapter} />
      ) : (
        <Terms chapter={chapter} when={active} onAppoint={(positionId) => setAppointing({ positionId })} />
      )}
      <AppointDialog
        chapter={chapter}
        opened={appointing !== null}
        positionId={appointing?.positionId}
        onClose={() => setAppointing(null)}
      />
    </div>
  )
}

type TermsProps = { chapter: Chapter; when: 'current' | 'upcoming' | 'history'; onAppoint: (positionId: string) => void }

function Terms({ chapter, when, onAppoint }: TermsProps) {
  const officers = useOfficers(chapter.id, when)
  const [ending, setEnding] = useState<Officer | null>(null)
  const remove = useRemoveTerm(chapter)
  if (officers.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={6} />
      </Loading>
    )
  }
  if (officers.isError)
    return <ProblemState problem={officers.error} title={t`The officers could not be loaded`} retry={() => void officers.refetch()} />
  const items = officers.data.items
  const vacancies = when === 'current' ? (officers.data.first?.vacancies ?? []) : []
  if (items.length === 0 && vacancies.length === 0) {
    const titles = {
      current: t`Nobody holds an office here today`,
      upcoming: t`No term is planned`,
      history: t`No former officers are recorded`,
    }
    return (
      <EmptyState icon={<IconUserShield size={32} stroke={1.5} />} title={titles[when]}>
        {chapter.may.appoint && when !== 'history' && <Trans>Define an office under Offices, then appoint somebody.</Trans>}
      </EmptyState>
    )
  }
  return (
    <Section
      title={when === 'current' ? t`In office` : when === 'upcoming' ? t`Upcoming terms` : t`Former officers`}
      count={officers.data.total ?? items.length}
    >
      <ul className={classes['list']}>
        {vacancies.map((vacancy) => (
          <li key={vacancy.positionId} className={classes['item']}>
            <span className={classes['words']}>
              {vacancy.title}
              <span className={classes['minor']}>{vacancy.openSeats > 1 ? t`${vacancy.openSeats} open seats` : t`Open seat`}</span>
            </span>
            <span className={classes['end']}>
              {vacancy.mandatory && <StatusBadge tone="bad">{t`Mandatory`}</StatusBadge>}
              {chapter.may.appoint && (
                <Button size="compact-sm" variant="default" onClick={() => onAppoint(vacancy.positionId)}>
                  <Trans>Appoint</Trans>
                </Button>
              )}
            </span>
          </li>
        ))}
        {items.map((officer) => (
          <li key={officer.id} className={classes['item']}>
            <span className={classes['words']}>
              <PersonFace person={officer.person} />
              <span className={classes['minor']}>
                {officer.position.title}
                {officer.note && ` · ${officer.note}`}
              </span>
            </span>
            <span className={classes['end']}>
              <span className={classes['minor']}>
                <PlainDate date={officer.startsOn} /> – {officer.endsOn && <PlainDate date={officer.endsOn} />}
              </span>
              {chapter.may.appoint && (
                <Menu>
                  <Menu.Target>
                    <ActionIcon
                      variant="subtle"
                      color="gray"
                      aria-label={t`Actions for ${officer.person.displayName}, ${officer.position.title}`}
                    >
                      <IconDots size={16} aria-hidden />
                    </ActionIcon>
                  </Menu.Target>
                  <Menu.Dropdown>
                    <Menu.Item onClick={() => setEnding(officer)}>
                      <Trans>Change dates</Trans>
                    </Menu.Item>
                    <Menu.Item color="red" onClick={() => void remove(officer)}>
                      <Trans>Remove, entered by mistake</Trans>
                    </Menu.Item>
                  </Menu.Dropdown>
                </Menu>
              )}
            </span>
          </li>
        ))}
      </ul>
      <ShowMore query={officers} />
      <EndTermDialog chapter={chapter} officer={ending} onClose={() => setEnding(null)} />
    </Section>
  )
}

function useRemoveTerm(chapter: Chapter) {
  const { positions } = useApi().data.chapters
  const changed = useChaptersChanged()
  return async ({ id, position, person, startsOn, endsOn, note }: Officer) => {
    try {
      await positions.removeHolder.call({ chapterId: chapter.id, positionId: position.id, holderId: id })
      await changed()
      toast.undo(t`${person.displayName} removed from ${position.title}`, async () => {
        await positions.appoint.call({ chapterId: chapter.id, positionId: position.id, personId: person.id, startsOn, endsOn, note })
        await changed()
      })
    } catch (failure) {
      toast.error(t`The term could not be removed.`, failure)
    }
  }
}
