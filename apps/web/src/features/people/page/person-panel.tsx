import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { Trans } from '@lingui/react/macro'
import { t } from '@lingui/core/macro'
import { IconArrowsMaximize, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { AppLink } from '../../../platform/navigation/app-link.tsx'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { PersonAvatar } from '../../../platform/records/picture.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import classes from '../people.module.css'
import { usePersonOverview } from '../people-api.ts'
import type { Person, PersonRow } from '../people-api.ts'
import { ChapterLink } from '../../../platform/records/record-links.tsx'
import { PersonFacts } from './person-facts.tsx'
import { PersonTags } from './person-tags.tsx'
import { usePersonEditor } from './use-person-editor.ts'
import { callLink, mailLink } from '../../../ui/display/contact-links.ts'

type Props = {
  personId: string
  /** Of the list, in order: previous and next. */
  rows: readonly PersonRow[]
  startEditing: boolean
  /** Another person, or none any more. */
  onShow: (id: string | undefined) => void
}

/** A person beside the list: enough to decide whether to open the page, and to correct a fact. */
export const PersonPanel = memo(function PersonPanel({ personId, rows, startEditing, onShow }: Props) {
  const { data, isPending, error, refetch } = usePersonOverview(personId)
  const at = rows.findIndex(({ id }) => id === personId)
  const previous = rows[at - 1]?.id
  const next = at >= 0 ? rows[at + 1]?.id : undefined
  useShortcuts([
    { keys: '[', label: t`Previous person`, group: t`Members`, run: () => previous && onShow(previous) },
    { keys: ']', label: t`Next person`, group: t`Members`, run: () => next && onShow(next) },
  ])
  const person = data?.person
  return (
    <SidePanel
      title={person?.displayName ?? t`Person`}
      recordKey={personId}
      onClose={() => onShow(undefined)}
      actions={
        <>
          <Step label={t`Previous`} icon={<IconChevronLeft size={18} aria-hidden />} onClick={previous && (() => onShow(previous))} />
          <Step label={t`Next`} icon={<IconChevronRight size={18} aria-hidden />} onClick={next && (() => onShow(next))} />
          <Tooltip label={t`Open the whole page`}>
            <ActionIcon component={AppLink} href={`/person/${personId}`} variant="subtle" color="gray" aria-label={t`Open the whole page`}>
              <IconArrowsMaximize size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        </>
      }
      footer={
        person && (
          <Button component={AppLink} href={`/person/${personId}`} variant="default" fullWidth>
            <Trans>Open {person.displayName}</Trans>
          </Button>
        )
      }
    >
      {isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={8} />
        </Loading>
      )}
      {error && !person && <ProblemState problem={error} title={t`This person could not be loaded`} retry={() => void refetch()} />}
      {person && <Overview key={person.id} person={person} startEditing={startEditing} />}
    </SidePanel>
  )
})

function Overview({ person, startEditing }: { person: Person; startEditing: boolean }) {
  const editor = usePersonEditor(person)
  const { list } = useFormats()
  const offices = person.positions.filter(({ when }) => when === 'current')
  const chapters = person.memberships.filter(({ when }) => when === 'current')
  const groups = person.groups.filter(({ when, status }) => when === 'current' && status === 'active')
  const mail = person.emails[0]
  const phone = person.phones[0]
  return (
    <div className={classes['stack']}>
      <div className={classes['wrap']}>
        <PersonAvatar person={person} size={40} />
        <div>
          {person.homeChapter && <ChapterLink chapter={person.homeChapter} className={classes['quiet']} />}
          {offices.length > 0 && (
            <div className={classes['dim']}>{list(offices.map(({ title, chapter }) => `${title}, ${chapter.name}`))}</div>
          )}
        </div>
        {person.archivedAt && <StatusBadge>{t`Archived`}</StatusBadge>}
      </div>
      {(mail ?? phone) && (
        <div className={classes['tight']}>
          {mail && <a href={mailLink(mail.address)}>{mail.address}</a>}
          {phone && <a href={callLink(phone.number)}>{phone.number}</a>}
        </div>
      )}
      <PersonTags person={person} />
      <PersonFacts key={String(startEditing)} person={person} editor={editor} brief startEditing={startEditing} />
      {chapters.length > 0 && (
        <div className={classes['tight']}>
          <h3 className={classes['subTitle']}>{t`Chapters`}</h3>
          <div>{list(chapters.map(({ chapter }) => chapter.name))}</div>
        </div>
      )}
      {groups.length > 0 && (
        <div className={classes['tight']}>
          <h3 className={classes['subTitle']}>{t`Groups`}</h3>
          <div>{list(groups.map(({ group, title }) => (title ? `${group.name} (${title})` : group.name)))}</div>
        </div>
      )}
      {editor.dialog}
    </div>
  )
}

const Step = ({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: (() => void) | '' | undefined }) => (
  <Tooltip label={label}>
    <ActionIcon variant="subtle" color="gray" aria-label={label} disabled={!onClick} onClick={onClick || undefined}>
      {icon}
    </ActionIcon>
  </Tooltip>
)
