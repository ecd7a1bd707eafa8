import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import type { StandardReport } from '@guildhall/contract/features/reports'
import { useRememberRecord } from '../../../platform/activity/recent-records.ts'
import { noSuchRecord, recordId } from '../../../platform/api/no-such-record.ts'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { Page, PageHeader } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { QuestionBuilder } from '../builder/question-builder.tsx'
import { useSavedReport } from '../reports-api.ts'
import type { Saved } from '../reports-api.ts'
import { useAsk, useReportsMove } from '../reports-move.ts'
import { askedOf, isStandard, questionOf, sameQuestion, standardQuestion } from '../reports-question.ts'
import type { Asked } from '../reports-question.ts'
import { standardWords } from '../words/standard-words.ts'
import { StandardFields } from './question-fields.tsx'
import { ReportFrame } from './report-frame.tsx'

export const route = createLazyRoute('/signed-in/reports/$reportKey')({ component: ReportPage })

function ReportPage() {
  const { reportKey } = route.useParams()
  if (isStandard(reportKey)) return <StandardPage key={reportKey} report={reportKey} />
  return <SavedPage key={reportKey} reportId={recordId(reportKey)} />
}

function StandardPage({ report }: { report: StandardReport }) {
  const search = route.useSearch()
  const ask = useAsk()
  const { title, purpose } = standardWords()[report]
  useRememberRecord({ kind: 'report', id: report, label: title, to: `/reports/${report}` })
  return (
    <ReportFrame title={title} description={purpose} question={standardQuestion(report, search)} search={search}>
      <StandardFields report={report} asked={search} onAsk={ask} />
    </ReportFrame>
  )
}

function SavedPage({ reportId }: { reportId: string }) {
  const saved = useSavedReport(reportId)
  if (saved.data) return <OneSaved saved={saved.data} />
  if (saved.error instanceof ApiProblem && saved.error.status === 404) throw noSuchRecord()
  return (
    <Page>
      <PageHeader title={t`Report`} />
      {saved.error ? (
        <ProblemState problem={saved.error} title={t`The report could not be loaded`} retry={() => void saved.refetch()} />
      ) : (
        <Loading label={t`Loading`}>
          <SkeletonLines count={10} />
        </Loading>
      )}
    </Page>
  )
}

function OneSaved({ saved }: { saved: Saved }) {
  const search = route.useSearch()
  const send = useAsk()
  const move = useReportsMove()
  useRememberRecord({ kind: 'report', id: saved.id, label: saved.name, to: `/reports/${saved.id}` })
  const question = questionOf(saved.question, search)
  const isChanged = !sameQuestion(question, saved.question)
  const asked: Asked = search.changed ? search : askedOf(saved.question)
  // From the first change on, the address says all of the question.
  const ask = (change: Partial<Asked>) => send({ ...askedOf(question), filter: asked.filter, ...change }, { changed: 1 })
  return (
    <ReportFrame
      title={saved.name}
      description={descriptionOf(saved)}
      question={question}
      saved={saved}
      isChanged={isChanged}
      search={search}
    >
      {question.kind === 'standard' ? (
        <StandardFields report={question.report} asked={asked} onAsk={ask} />
      ) : (
        <QuestionBuilder
          asked={{ ...asked, subject: question.subject }}
          onAsk={ask}
          onUnfold={search.open === 'edit' ? undefined : () => move({ open: 'edit' })}
        />
      )}
    </ReportFrame>
  )
}

function descriptionOf({ isMine, owner, sharedWith, question }: Saved): string {
  const kind = question.kind === 'standard' ? standardWords()[question.report].title : t`Own question`
  if (!isMine) return owner ? t`${kind}, shared by ${owner}` : t`${kind}, shared with you`
  return sharedWith === 'organisation' ? t`${kind}, shared with the organisation` : t`${kind}, only for you`
}
