import { ActionIcon, Button, Menu } from '@mantine/core'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconBookmarkPlus, IconDots, IconMail, IconStar, IconStarFilled } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { useCan } from '../../../platform/session/session.ts'
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog.tsx'
import { ReportFiles } from '../answer/report-files.tsx'
import type { Saved } from '../reports-api.ts'
import { RenameDialog, SaveDialog } from './save-dialog.tsx'
import { ScheduleDialog } from './schedule-dialog.tsx'
import { useSavedActs } from './use-saved-acts.ts'

export type OpenPart = 'save' | 'mail' | 'rename' | 'delete' | 'schedules' | 'runs' | 'edit'
const parts: readonly OpenPart[] = ['save', 'mail', 'rename', 'delete', 'schedules', 'runs', 'edit']
export const asPart = (text: string | undefined): OpenPart | undefined => parts.find((part) => part === text)

type Props = {
  question: ReportQuestion
  title: string
  saved?: Saved | undefined
  /** The question is another one than was saved. */
  isChanged: boolean
  runId: string | undefined
  open: OpenPart | undefined
  onOpen: (part: OpenPart | undefined) => void
  /** The address says again what was saved. */
  onUnchanged: () => void
}

/** What can be done with a report: save, mail, download, print, and with a saved one the rest. */
export function ReportActs({ question, title, saved, isChanged, runId, open, onOpen, onUnchanged }: Props) {
  const navigate = useNavigate()
  const acts = useSavedActs()
  const toSaved = ({ id }: Saved) => void navigate({ to: '/reports/$reportKey', params: { reportKey: id } })
  const close = () => onOpen(undefined)
  const saves = saved?.may.edit && isChanged
  return (
    <>
      {saved && <Star saved={saved} />}
      {saves && (
        <Button onClick={() => acts.saveChanges(saved, question, onUnchanged)}>
          <Trans>Save changes</Trans>
        </Button>
      )}
      {(!saved || isChanged) && (
        <Button
          variant={saves ? 'default' : 'filled'}
          leftSection={<IconBookmarkPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => onOpen('save')}
        >
          {saved ? <Trans>Save as new</Trans> : <Trans>Save</Trans>}
        </Button>
      )}
      <Button variant="default" leftSection={<IconMail size={16} stroke={1.5} aria-hidden />} onClick={() => onOpen('mail')}>
        <Trans>Mail</Trans>
      </Button>
      <ReportFiles question={question} title={title} runId={runId} />
      <MoreMenu saved={saved} onOpen={onOpen} />
      <SaveDialog
        opened={open === 'save'}
        onClose={close}
        question={question}
        name={saved ? t`Copy of ${saved.name}` : title}
        onSaved={toSaved}
      />
      <ScheduleDialog
        opened={open === 'mail'}
        onClose={close}
        of={saved && !isChanged ? { saved } : { question, name: saved ? t`Copy of ${saved.name}` : title }}
        onSaved={toSaved}
      />
      {saved && <RenameDialog opened={open === 'rename'} onClose={close} saved={saved} />}
      {saved && <DeleteDialog opened={open === 'delete'} onClose={close} saved={saved} />}
    </>
  )
}

function Star({ saved }: { saved: Saved }) {
  const { star } = useSavedActs()
  return (
    <ActionIcon
      variant="default"
      size="input-sm"
      aria-label={t`Star ${saved.name}`}
      aria-pressed={saved.isStarred}
      onClick={() => star(saved)}
    >
      {saved.isStarred ? <IconStarFilled size={16} aria-hidden /> : <IconStar size={16} stroke={1.5} aria-hidden />}
    </ActionIcon>
  )
}

function MoreMenu({ saved, onOpen }: { saved: Saved | undefined; onOpen: Props['onOpen'] }) {
  const navigate = useNavigate()
  const acts = useSavedActs()
  const mayShare = useCan('reports.share')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size="input-sm" aria-label={t`More actions`}>
          <IconDots size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {saved && (
          <Menu.Item onClick={() => acts.toHome(saved)}>
            {saved.isOnHome ? <Trans>Remove from home</Trans> : <Trans>Add to home</Trans>}
          </Menu.Item>
        )}
        <Menu.Item onClick={() => onOpen('schedules')}>
          <Trans>Schedules</Trans>
        </Menu.Item>
        <Menu.Item onClick={() => onOpen('runs')}>
          <Trans>Recent runs</Trans>
        </Menu.Item>
        {saved?.may.edit && (
          <>
            <Menu.Divider />
            {saved.question.kind === 'own' && (
              <Menu.Item onClick={() => onOpen('edit')}>
                <Trans>Edit question</Trans>
              </Menu.Item>
            )}
            <Menu.Item onClick={() => onOpen('rename')}>
              <Trans>Rename</Trans>
            </Menu.Item>
            {mayShare && saved.may.share && (
              <Menu.Item onClick={() => acts.share(saved)}>
                {saved.sharedWith === 'organisation' ? <Trans>Stop sharing</Trans> : <Trans>Share with the organisation</Trans>}
              </Menu.Item>
            )}
            <Menu.Item
              color="red"
              onClick={() =>
                saved.schedules > 0 ? onOpen('delete') : acts.remove(saved, () => void navigate({ to: '/reports', replace: true }))
              }
            >
              <Trans>Delete</Trans>
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

/** Schedules go with a report and no undo brings them back, so this one asks. */
function DeleteDialog({ opened, onClose, saved }: { opened: boolean; onClose: () => void; saved: Saved }) {
  const navigate = useNavigate()
  const { removeForGood } = useSavedActs()
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      danger
      title={t`Delete ${saved.name}?`}
      confirmLabel={t`Delete report`}
      onConfirm={async () => {
        await removeForGood(saved)
        await navigate({ to: '/reports', replace: true })
      }}
    >
      {plural(saved.schedules, {
        one: 'It is mailed on # schedule, which is removed as well.',
        other: 'It is mailed on # schedules, which are removed as well.',
      })}
    </ConfirmDialog>
  )
}
