import { msg, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useLingui } from '@lingui/react'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { Chapter } from '@guildhall/contract/features/chapters'
import type { StandardReport } from '@guildhall/contract/features/reports'
import { openTo } from '../../../platform/navigation/sections.tsx'
import type { ChapterTab } from '../../../platform/navigation/slots.tsx'
import { useKnownTab } from '../../../platform/navigation/tabs.ts'
import { ButtonLink } from '../../../platform/navigation/links.tsx'
import { useRights } from '../../../platform/session/session.ts'
import { Subtabs } from '../../chapters/chapters-public.tsx'
import { AnswerView } from '../answer/answer-view.tsx'
import { useReportAnswer } from '../answer/use-report-answer.ts'
import { nothingAsked, standardQuestion } from '../reports-question.ts'
import classes from '../reports.module.css'
import { standardWords } from '../words/standard-words.ts'
import { ChapterLineage } from './chapter-lineage.tsx'

const here = getRouteApi('/signed-in/chapter/$chapterId/{-$tab}/{-$subtab}')

const own: readonly ChapterTab[] = [
  { key: 'growth', label: msg`Growth`, order: 10, content: Growth },
  { key: 'retention', label: msg`Retention`, order: 20, may: (_, can) => can('memberships.read'), content: Retention },
  { key: 'lineage', label: msg`Lineage`, order: 30, may: (_, can) => can('relationships.read'), content: ChapterLineage },
]

/** How a chapter and those below it are doing, by the same reports as everywhere. */
export function ChapterReports({ chapter }: { chapter: Chapter }) {
  // The address may be at the next tab while this one is still shown.
  const { tab, subtab } = here.useParams()
  const { i18n } = useLingui()
  const tabs = openTo(own, { chapter }, useRights())
  const active = useKnownTab(tab === 'reports' ? subtab : undefined, ['growth', ...tabs.map(({ key }) => key)], 'subtab')
  const Content = tabs.find(({ key }) => key === active)?.content
  return (
    <div className={classes['stack']}>
      <Subtabs
        chapterId={chapter.id}
        tab="reports"
        label={t`Reports of ${chapter.name}`}
        active={active}
        tabs={tabs.map(({ key, label }) => ({ key, label: i18n._(label) }))}
      />
      {Content && <Content key={chapter.id} chapter={chapter} />}
    </div>
  )
}

function Growth({ chapter }: { chapter: Chapter }) {
  return (
    <>
      <ChapterReport chapter={chapter} report="joins-and-leaves" compare />
      <ChapterReport chapter={chapter} report="members-by-chapter" compare />
    </>
  )
}

function Retention({ chapter }: { chapter: Chapter }) {
  return <ChapterReport chapter={chapter} report="retention" />
}

/** A report of one chapter; whatever else can be done with it is on its own page. */
function ChapterReport({ chapter, report, compare = false }: { chapter: Chapter; report: StandardReport; compare?: boolean }) {
  const [runId, setRunId] = useState<string>()
  const [shown, setShown] = useState<string>()
  const { title } = standardWords()[report]
  const asked = { chapter: chapter.id, ...(compare && { compare: 1 as const }) }
  const answer = useReportAnswer(standardQuestion(report, { ...nothingAsked, ...asked }), { title, runId, onRun: setRunId })
  return (
    <section className={classes['shelf']}>
      <div className={classes['row']}>
        <h2 className={classes['shelfTitle']}>{title}</h2>
        <ButtonLink to="/reports/$reportKey" params={{ reportKey: report }} search={asked} variant="default" size="compact-md">
          <Trans>Open report</Trans>
        </ButtonLink>
      </div>
      <AnswerView title={title} asked={answer} shown={shown} onShown={setShown} />
    </section>
  )
}
