import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCalendarPlus } from '@tabler/icons-react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import type { Event } from '../events-api.ts'
import classes from './event-body.module.css'

/** Downloads the event as a file that calendar programs open. */
export function AddToCalendar({ event }: { event: Event }) {
  const { events } = useApi().data
  const download = async () => {
    try {
      saveFile(
        await events.calendarFile.call({ eventId: event.id }),
        `${event.title.replaceAll(/[\\/:*?"<>|]/g, ' ').trim() || 'event'}.ics`,
      )
    } catch (failure) {
      toast.error(t`The calendar file could not be downloaded`, failure)
    }
  }
  return (
    <Button
      className={classes['toCalendar'] ?? ''}
      variant="subtle"
      size="compact-sm"
      leftSection={<IconCalendarPlus size={16} stroke={1.5} aria-hidden />}
      onClick={() => void download()}
    >
      <Trans>Add to calendar</Trans>
    </Button>
  )
}
