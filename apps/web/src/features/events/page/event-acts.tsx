import { ActionIcon, Menu, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.css'
import { t } from '@lingui/core/macro'
import { Plural, Trans } from '@lingui/react/macro'
import { useNavigate } from '@tanstack/react-router'
import {
  IconArchive,
  IconChartBar,
  IconCopy,
  IconDots,
  IconLink,
  IconPencil,
  IconRestore,
  IconTemplate,
  IconWorld,
  IconX,
} from '@tabler/icons-react'
import { useState } from 'react'
import { publicEventPath } from '@guildhall/contract/public-paths'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useShortcuts } from '../../../platform/navigation/shortcuts.ts'
import { FormDialog } from '../../../ui/dialog/form-dialog.tsx'
import { useEventChanged } from '../events-api.ts'
import type { Event } from '../events-api.ts'
import classes from './event-acts.module.css'

/** What the reader may do with the event, above its page. */
export function EventActs({ event }: { event: Event }) {
  const { may } = event
  const { events } = useApi().data
  const changed = useEventChanged()
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'cancel' | 'template'>()
  const eventId = event.id
  const edit = () => void navigate({ to: '/event/$eventId/edit', params: { eventId } })
  useShortcuts(may.edit ? [{ keys: 'e', label: t`Edit`, group: event.title, run: edit }] : [])

  const attempt = async (failed: string, act: () => Promise<unknown>) => {
    try {
      await act()
    } catch (problem) {
      toast.error(failed, problem)
    }
  }
  const restore = async (version: number) => changed(await events.restore.call({ eventId }, { context: { ifMatch: version } }))
  const archive = () =>
    attempt(t`${event.title} could not be archived.`, async () => {
      const archived = await events.archive.call({ eventId }, { context: { ifMatch: event.version } })
      await changed(archived)
      toast.undo(t`${event.title} archived`, () => restore(archived.version))
    })
  const copy = (series = false) =>
    attempt(t`${event.title} could not be copied.`, async () => {
      const made = await events.copy.call({ eventId, ...(series && { series }) })
      await changed(made)
      toast.success(t`Copied. Check the date before you publish it.`)
      void navigate({ to: '/event/$eventId/edit', params: { eventId: made.id } })
    })
  const isPublic = event.status === 'published' && (event.visibility === 'public' || event.visibility === 'unlisted')
  const copyLink = (path: string) =>
    attempt(t`The link could not be copied.`, async () => {
      await navigator.clipboard.writeText(location.origin + path)
      toast.success(t`Link copied`)
    })
  return (
    <div className={classes['acts']}>
      {may.publish && (
        <ButtonLink to="/event/$eventId/edit" params={{ eventId }} search={{ publish: 1 }}>
          <Trans>Publish</Trans>
        </ButtonLink>
      )}
      {may.edit && (
        <ButtonLink
          to="/event/$eventId/edit"
          params={{ eventId }}
          variant="default"
          leftSection={<IconPencil size={16} stroke={1.5} aria-hidden />}
        >
          <Trans>Edit</Trans>
        </ButtonLink>
      )}
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t`More actions for ${event.title}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconLink size={16} stroke={1.5} aria-hidden />} onClick={() => void copyLink(`/event/${eventId}`)}>
            <Trans>Copy link</Trans>
          </Menu.Item>
          {isPublic && (
            <Menu.Item
              leftSection={<IconWorld size={16} stroke={1.5} aria-hidden />}
              onClick={() => void copyLink(publicEventPath(eventId))}
            >
              <Trans>Copy public link</Trans>
            </Menu.Item>
          )}
          {may.copy && (
            <>
              <Menu.Item
                leftSection={<IconChartBar size={16} stroke={1.5} aria-hidden />}
                onClick={() => void navigate({ to: '/event/$eventId/analytics', params: { eventId } })}
              >
                <Trans>Analytics</Trans>
              </Menu.Item>
              <Menu.Item leftSection={<IconCopy size={16} stroke={1.5} aria-hidden />} onClick={() => void copy()}>
                <Trans>Copy event</Trans>
              </Menu.Item>
              {event.series && (
                <Menu.Item leftSection={<IconCopy size={16} stroke={1.5} aria-hidden />} onClick={() => void copy(true)}>
                  <Trans>Copy series</Trans>
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconTemplate size={16} stroke={1.5} aria-hidden />} onClick={() => setDialog('template')}>
                <Trans>Save as template</Trans>
              </Menu.Item>
            </>
          )}
          {may.archive && (
            <Menu.Item leftSection={<IconArchive size={16} stroke={1.5} aria-hidden />} onClick={() => void archive()}>
              <Trans>Archive</Trans>
            </Menu.Item>
          )}
          {may.restore && (
            <Menu.Item
              leftSection={<IconRestore size={16} stroke={1.5} aria-hidden />}
              onClick={() => void attempt(t`${event.title} could not be restored.`, () => restore(event.version))}
            >
              <Trans>Restore</Trans>
            </Menu.Item>
          )}
          {may.cancel && (
            <Menu.Item color="red" leftSection={<IconX size={16} stroke={1.5} aria-hidden />} onClick={() => setDialog('cancel')}>
              <Trans>Cancel event</Trans>
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <CancelDialog event={event} opened={dialog === 'cancel'} onClose={() => setDialog(undefined)} />
      <TemplateDialog event={event} opened={dialog === 'template'} onClose={() => setDialog(undefined)} />
    </div>
  )
}

type DialogProps = { event: Event; opened: boolean; onClose: () => void }

function CancelDialog({ event, opened, onClose }: DialogProps) {
  const { events } = useApi().data
  const changed = useEventChanged()
  const taken = event.counts?.taken ?? event.taken
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Cancel ${event.title}`}
      values={{ reason: '', scope: 'this' }}
      rules={{ reason: (value) => (value.trim() ? null : t`Enter the reason. It stands on the page of the event.`) }}
      version={event.version}
      submitLabel={<Trans>Cancel event</Trans>}
      onSubmit={({ reason, scope }, sent) =>
        events.cancel.call({ eventId: event.id, reason: reason.trim(), ...(scope === 'following' && { scope }) }, sent)
      }
      onDone={(cancelled) => {
        toast.success(t`${event.title} is cancelled`)
        void changed(cancelled)
      }}
    >
      {(form) => (
        <>
          <p>
            {taken > 0 && (
              <Plural value={taken} one="# registered person is told the reason." other="# registered people are told the reason." />
            )}{' '}
            <Trans>A cancelled event cannot be published again.</Trans>
          </p>
          {event.series && (
            <Radio.Group label={t`Cancel`} {...form.getInputProps('scope')}>
              <Stack gap="xs" mt="xs">
                <Radio value="this" label={t`Only this event`} />
                <Radio value="following" label={t`This and the following events. The series ends.`} />
              </Stack>
            </Radio.Group>
          )}
          <Textarea label={t`Reason`} data-autofocus autosize minRows={2} maxLength={500} {...form.getInputProps('reason')} />
        </>
      )}
    </FormDialog>
  )
}

function TemplateDialog({ event, opened, onClose }: DialogProps) {
  const { events } = useApi().data
  const changed = useEventChanged()
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={t`Save as template`}
      values={{ templateName: event.title }}
      rules={{ templateName: (value) => (value.trim() ? null : t`Enter a name for the template.`) }}
      submitLabel={<Trans>Save template</Trans>}
      onSubmit={({ templateName }) => events.copy.call({ eventId: event.id, templateName: templateName.trim() })}
      onDone={(made) => {
        toast.success(t`Template ${made.templateName ?? ''} saved`)
        void changed(made)
      }}
    >
      {(form) => (
        <TextInput
          label={t`Name of the template`}
          description={t`Everything but the date and the registrations is kept. Choose it on the page for a new event.`}
          data-autofocus
          maxLength={100}
          {...form.getInputProps('templateName')}
        />
      )}
    </FormDialog>
  )
}
