import { ActionIcon, Indicator, Popover } from '@mantine/core'
import '@mantine/core/styles/Indicator.css'
import { t } from '@lingui/core/macro'
import { IconProgress } from '@tabler/icons-react'
import { AppLink } from '../../platform/navigation/app-link.tsx'
import { dismissProgress, useProgress } from '../../platform/activity/progress.ts'
import { ProgressTray } from '../../ui/page/progress-tray.tsx'

/** Absent while there is no long work, so that the header stays quiet. */
export function ProgressButton() {
  const jobs = useProgress()
  const running = jobs.filter(({ state }) => state === 'running').length
  if (jobs.length === 0) return null
  return (
    <Popover position="bottom-end" width={340}>
      <Indicator disabled={running === 0} processing color="brand" size={8} offset={6}>
        <Popover.Target>
          <ActionIcon variant="subtle" color="gray" size="lg" aria-label={running > 0 ? t`Work in progress: ${running}` : t`Finished work`}>
            <IconProgress size={20} stroke={1.5} aria-hidden />
          </ActionIcon>
        </Popover.Target>
      </Indicator>
      <Popover.Dropdown>
        <ProgressTray jobs={jobs} onDismiss={dismissProgress} renderLink={(to, text) => <AppLink href={to}>{text}</AppLink>} />
      </Popover.Dropdown>
    </Popover>
  )
}
