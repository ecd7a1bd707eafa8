import { ActionIcon, Button, Menu } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { IconDots, IconMail } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { usePaletteCommands } from '../../../platform/navigation/palette.ts'
import { useCan } from '../../../platform/session/session.ts'
import { useSlot } from '../../../platform/navigation/slots.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { toast } from '../../../platform/activity/toast.tsx'
import { PlainDate, useFormats } from '../../../ui/display/dates.tsx'
import { DetailHeader } from '../../../ui/page/detail-header.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import classes from '../people.module.css'
import { useNeighbours, usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'
import { PictureDialog } from '../../files/files-public.tsx'
import { usePicture } from '../../../platform/records/picture.tsx'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { LifecycleBadge } from '../../../platform/records/lifecycle-badge.tsx'
import { calledName } from '../people-words.tsx'
import { mailLink } from '../../../ui/display/contact-links.ts'

/** Name, state and the few facts one always wants; previous and next follow the list last looked at. */
export function PersonHeader({ person, children }: { person: Person; children: ReactNode }) {
  const navigate = useNavigate()
  const { list, day } = useFormats()
  const neighbours = useNeighbours(person.id, useCan('people.directory')).data
  const go = (to: { id: string } | null | undefined) =>
    to && (() => void navigate({ to: '/person/$personId/{-$tab}', params: { personId: to.id, tab: undefined } }))
  const previous = go(neighbours?.previous) ?? undefined
  const next = go(neighbours?.next) ?? undefined
  const { archive, restore } = useArchive(person)
  useShortcuts([
    { keys: '[', label: t`Previous person`, group: t`Person`, run: () => previous?.() },
    { keys: ']', label: t`Next person`, group: t`Person`, run: () => next?.() },
    { keys: 'e', label: t`Edit`, group: t`Person`, run: editFirst },
  ])
  const picture = usePicture(person.pictureId)
  const [picturing, setPicturing] = useState(false)
  const changed = usePeopleChanged()
  const mayPicture = (person.may.edit || person.may.editSelf) && !person.archivedAt && !['erased', 'merged'].includes(person.lifecycle)
  const mayArchive = person.may.archive && !person.archivedAt
  usePaletteCommands(mayArchive ? [{ id: 'person:archive', label: t`Archive ${person.displayName}`, run: archive }] : [])
  const mail = person.emails[0]?.address
  const acts = useSlot('personActs')
  const writesMessages = useCan('messages.write')
  const offices = person.positions.filter(({ when }) => when === 'current').map(({ title }) => title)
  const called = calledName(person)
  const facts = [
    person.homeChapter && <ChapterLink chapter={person.homeChapter} className={classes['quiet']} />,
    offices.length > 0 && list(offices),
    person.memberNo && t`No. ${person.memberNo}`,
    person.joinedOn && (
      <Trans>
        joined <PlainDate date={person.joinedOn} />
      </Trans>
    ),
  ].filter(Boolean)
  return (
    <>
      <DetailHeader
        name={person.displayName}
        avatarSrc={picture}
        onAvatar={mayPicture ? () => setPicturing(true) : undefined}
        status={
          <>
            {called && <span className={classes['called']}>{called}</span>}
            <LifecycleBadge lifecycle={person.lifecycle} />
            {person.isMinor && <StatusBadge tone="warning">{t`Minor`}</StatusBadge>}
            {person.doNotContact && <StatusBadge tone="warning">{t`Do not contact`}</StatusBadge>}
            {person.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
          </>
        }
        facts={facts.slice(0, 4)}
        actions={
          <>
            <Suspense>
              {acts.map((Act, at) => (
                <Act key={at} person={person} />
              ))}
            </Suspense>
            {mail && !person.doNotContact && !writesMessages && (
              <Button
                component="a"
                href={mailLink(mail)}
                variant="default"
                size="compact-md"
                leftSection={<IconMail size={16} stroke={1.5} aria-hidden />}
              >
                <Trans>Write</Trans>
              </Button>
            )}
            {person.may.archive && (
              <Menu>
                <Menu.Target>
                  <ActionIcon variant="default" size="lg" aria-label={t`More actions`}>
                    <IconDots size={18} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {person.archivedAt ? (
                    <Menu.Item onClick={restore}>
                      <Trans>Restore</Trans>
                    </Menu.Item>
                  ) : (
                    <Menu.Item onClick={archive}>
                      <Trans>Archive</Trans>
                    </Menu.Item>
                  )}
                </Menu.Dropdown>
              </Menu>
            )}
          </>
        }
        onPrevious={previous}
        onNext={next}
      >
        {children}
      </DetailHeader>
      {picturing && (
        <Suspense>
          <PictureDialog
            opened
            onClose={() => setPicturing(false)}
            recordType="person"
            recordId={person.id}
            pictureId={person.pictureId}
            name={person.displayName}
            onChanged={() => changed()}
          />
        </Suspense>
      )}
      {person.archivedAt && (
        <div className={classes['notice']} role="status">
          {person.restorableUntil ? (
            <Trans>Archived, and left out of every list. Can be restored until {day(person.restorableUntil.slice(0, 10))}.</Trans>
          ) : (
            <Trans>Archived, and left out of every list.</Trans>
          )}
          {person.may.archive && (
            <Button variant="default" size="compact-md" onClick={restore}>
              <Trans>Restore</Trans>
            </Button>
          )}
        </div>
      )}
      {person.lifecycle === 'deceased' && (
        <p className={classes['notice']} role="status">
          {person.may.decide ? (
            <Trans>This person is deceased, so the record is read-only. If that is a mistake, change the status.</Trans>
          ) : (
            <Trans>This person is deceased, so the record is read-only.</Trans>
          )}
        </p>
      )}
      {person.lifecycle === 'merged' && (
        <p className={classes['notice']} role="status">
          <Trans>This record was merged into another one and is kept for its history only.</Trans>
        </p>
      )}
    </>
  )
}

function useArchive(person: Person) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const input = { personId: person.id }
  const bringBack = async () => changed(await people.restore.call(input))
  const putAway = async () => {
    await people.archive.call(input)
    await changed()
  }
  const attempt = async (act: () => Promise<unknown>, done: string, undo: () => Promise<unknown>, failed: string) => {
    try {
      await act()
      toast.undo(done, undo)
    } catch (problem) {
      toast.error(failed, problem)
    }
  }
  return {
    archive: () => void attempt(putAway, t`${person.displayName} archived`, bringBack, t`The person could not be archived.`),
    restore: () => void attempt(bringBack, t`${person.displayName} restored`, putAway, t`The person could not be restored.`),
  }
}

/** Opens the first fact that can be edited: the pencils stand in the page's order. */
const editFirst = () => document.querySelector<HTMLButtonElement>('main dl dd button')?.click()
