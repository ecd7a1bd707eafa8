import { Button } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconCalendarPlus } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { Dialog } from '../../../ui/dialog/dialog.tsx'
import type { Calendar } from './feeds-api.ts'

const SubscribeDialog = lazy(async () => ({ default: (await import('./subscribe-dialog.tsx')).SubscribeDialog }))

/** Opens the addresses under which calendar programs follow these calendars; the first one is shown. */
export function Subscribe({ calendars }: { calendars: readonly [Calendar, ...Calendar[]] }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCalendarPlus size={16} stroke={1.5} aria-hidden />}
        onClick={() => setOpened(true)}
        aria-haspopup="dialog"
      >
        <Trans>Subscribe</Trans>
      </Button>
      <Dialog opened={opened} onClose={() => setOpened(false)} title={t`Subscribe to calendar`} size="lg">
        {opened && <SubscribeDialog calendars={calendars} />}
      </Dialog>
    </>
  )
}
