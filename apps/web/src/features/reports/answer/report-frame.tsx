import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { usePageTitle } from '../../../platform/navigation/page-title.ts'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import type { Saved } from '../reports-api.ts'
import { useReportsMove } from '../reports-move.ts'
import classes from '../reports.module.css'
import type { ReportsSearch } from '../reports-search.ts'
import { asPart, ReportActs } from '../saved/report-acts.tsx'
import { SchedulePanel } from '../saved/schedule-list.tsx'
import { AnswerView } from './answer-view.tsx'
import { BehindPanel } from './behind-panel.tsx'
import { RunsPanel } from './runs-panel.tsx'
import { useReportAnswer } from './use-report-answer.ts'
import { useSettled } from './use-settled.ts'

type Props = {
  title: string
  description?: ReactNode
  /** What it is called where it leaves the page; its title unless stated. */
  name?: string
  question: ReportQuestion
  saved?: Saved | undefined
  isChanged?: boolean
  search: ReportsSearch
  /** The fields that the question is asked with. */
  children: ReactNode
}

/** The page around a question: what it is asked with, its answer, what can be done with it, and the list behind a figure. */
export function ReportFrame({ title, description, name = title, question, saved, isChanged = false, search, children }: Props) {
  usePageTitle(title, t`Reports`)
  const move = useReportsMove()
  const { run, keys, of, shown } = search
  const open = asPart(search.open)
  const asked = useReportAnswer(useSettled(question), {
    title: name,
    runId: run,
    onRun: (runId) => move({ run: runId }, { replace: true }),
  })
  const closePanel = () => move({ open: undefined, keys: undefined, of: undefined }, { replace: true })
  const panel =
    open === 'schedules' ? (
      <SchedulePanel reportId={saved?.id} onClose={closePanel} />
    ) : open === 'runs' ? (
      <RunsPanel onClose={closePanel} />
    ) : of ? (
      <BehindPanel question={question} answer={asked.answered?.answer} keys={keys ?? []} measure={of} onClose={closePanel} />
    ) : undefined
  return (
    <Page panel={panel}>
      <PageHeader
        title={title}
        description={description}
        actions={
          <ReportActs
            question={question}
            title={name}
            saved={saved}
            isChanged={isChanged}
            runId={run}
            open={open}
            onOpen={(part) => move({ open: part, keys: undefined, of: undefined }, { replace: part === undefined })}
            onUnchanged={() => move({ changed: undefined, open: undefined }, { replace: true })}
          />
        }
      />
      <div className={classes['report']}>
        {children}
        <AnswerView
          title={name}
          asked={asked}
          shown={shown}
          onShown={(measure) => move({ shown: measure }, { replace: true })}
          onOpen={(row, measure) => {
            // Figures of the former question have no list here.
            if (!asked.isStale) move({ keys: row, of: measure, open: open === 'edit' ? open : undefined })
          }}
        />
      </div>
    </Page>
  )
}
