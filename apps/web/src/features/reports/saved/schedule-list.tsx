import { Button, Menu } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { IconDots, IconMail } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportSchedule } from '@guildhall/contract/features/reports'
import { Link } from '@tanstack/react-router'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { failureText } from '../../../platform/api/reason-text.ts'
import { SidePanel } from '../../../ui/dialog/side-panel.tsx'
import { useFormats } from '../../../ui/display/dates.tsx'
import { RelativeTime } from '../../../ui/display/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { EmptyState } from '../../../ui/page/empty-state.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { useReportsChanged, useSavedReport, useSchedules } from '../reports-api.ts'
import classes from '../reports.module.css'
import { cadenceWords, formatWords } from '../words/schedule-words.ts'
import { ScheduleDialog } from './schedule-dialog.tsx'

/** What the reader has mailed, of one report or of all. */
export function SchedulePanel({ reportId, onClose }: { reportId?: string | undefined; onClose: () => void }) {
  const schedules = useSchedules(reportId)
  const [changing, setChanging] = useState<ReportSchedule>()
  return (
    <SidePanel recordKey="schedules" title={t`Mailed reports`} onClose={onClose}>
      {schedules.isPending && (
        <Loading label={t`Loading`}>
          <SkeletonLines count={6} />
        </Loading>
      )}
      {schedules.isError && !schedules.data && (
        <ProblemState problem={schedules.error} title={t`The schedules could not be loaded`} retry={() => void schedules.refetch()} />
      )}
      {schedules.data?.items.length === 0 && (
        <EmptyState level={3} icon={<IconMail size={32} stroke={1.5} />} title={t`Nothing is mailed yet`}>
          <Trans>Open a report and choose Mail to have it sent every week or month.</Trans>
        </EmptyState>
      )}
      {schedules.data && schedules.data.items.length > 0 && (
        <ul className={classes['records']} aria-label={t`Mailed reports`}>
          {schedules.data.items.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} onChange={() => setChanging(schedule)} />
          ))}
        </ul>
      )}
      {changing && <ChangeDialog schedule={changing} onClose={() => setChanging(undefined)} />}
    </SidePanel>
  )
}

function ChangeDialog({ schedule, onClose }: { schedule: ReportSchedule; onClose: () => void }) {
  const saved = useSavedReport(schedule.report.id)
  if (!saved.data) return null
  return <ScheduleDialog opened onClose={onClose} schedule={schedule} of={{ saved: saved.data }} />
}

function ScheduleRow({ schedule, onChange }: { schedule: ReportSchedule; onChange: () => void }) {
  const { report, cadence, formats, recipients, nextOn, lastSentAt, failure, pausedAt } = schedule
  const { day, list } = useFormats()
  const acts = useScheduleActs(schedule)
  const words = formatWords()
  return (
    <li className={classes['record']}>
      <span className={classes['recordWhat']}>
        <Link to="/reports/$reportKey" params={{ reportKey: report.id }}>
          {report.name}
        </Link>
        <span className={classes['note']}>
          {[cadenceWords()[cadence], list(formats.map((format) => words[format])), list(recipients.map(({ name }) => name))].join(' · ')}
        </span>
        <span className={classes['note']}>
          {pausedAt ? <StatusBadge tone="warning">{t`Paused`}</StatusBadge> : t`Next on ${day(nextOn)}`}
          {lastSentAt && (
            <>
              {' · '}
              <Trans>
                sent <RelativeTime at={lastSentAt} />
              </Trans>
            </>
          )}
        </span>
        {failure && <span className={classes['bad']}>{t`Not sent the last time: ${failureText(failure)}`}</span>}
      </span>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="subtle" color="gray" size="compact-sm" aria-label={t`Actions for the schedule of ${report.name}`}>
            <IconDots size={16} aria-hidden />
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onChange}>
            <Trans>Change schedule</Trans>
          </Menu.Item>
          <Menu.Item onClick={acts.send}>
            <Trans>Send now</Trans>
          </Menu.Item>
          <Menu.Item onClick={acts.pause}>{pausedAt ? <Trans>Resume</Trans> : <Trans>Pause</Trans>}</Menu.Item>
          <Menu.Item color="red" onClick={acts.remove}>
            <Trans>Remove schedule</Trans>
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </li>
  )
}

function useScheduleActs(schedule: ReportSchedule) {
  const api = useApi()
  const changed = useReportsChanged()
  const { schedules } = api.data.reports
  const { id: scheduleId, version, report, cadence, formats, recipients, pausedAt } = schedule
  const sent = (ifMatch: number) => ({ context: { ifMatch } })
  const attempt = (failed: string, act: () => Promise<unknown>) => () =>
    void act().catch((problem: unknown) => toast.error(failed, problem))
  const setPaused = async (isPaused: boolean, at: number) => {
    const now = await schedules.update.call({ scheduleId, isPaused }, sent(at))
    await changed()
    return now
  }
  return {
    send: attempt(t`The report could not be sent.`, async () => {
      await api.actions.reports.send.call({ scheduleId }, sent(version))
      await changed()
      toast.success(t`${report.name} is on its way`)
    }),
    pause: attempt(t`The schedule could not be changed.`, async () => {
      const isPaused = pausedAt === null
      const now = await setPaused(isPaused, version)
      toast.undo(isPaused ? t`Mailing of ${report.name} paused` : t`Mailing of ${report.name} resumed`, () =>
        setPaused(!isPaused, now.version),
      )
    }),
    remove: attempt(t`The schedule could not be removed.`, async () => {
      await schedules.remove.call({ scheduleId }, sent(version))
      await changed()
      toast.undo(t`Schedule of ${report.name} removed`, async () => {
        const accountIds = recipients.map(({ accountId }) => accountId)
        const again = await schedules.create.call({ reportId: report.id, cadence, formats, accountIds })
        if (pausedAt !== null) await schedules.update.call({ scheduleId: again.id, isPaused: true }, sent(again.version))
        await changed()
      })
    }),
  }
}
