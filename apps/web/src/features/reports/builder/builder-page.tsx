import { t } from '@lingui/core/macro'
import { createLazyRoute } from '@tanstack/react-router'
import { ReportFrame } from '../answer/report-frame.tsx'
import { useAsk } from '../reports-move.ts'
import { ownQuestion } from '../reports-question.ts'
import { questionName } from '../words/question-name.ts'
import { QuestionBuilder } from './question-builder.tsx'

export const route = createLazyRoute('/signed-in/reports/new')({ component: BuilderPage })

function BuilderPage() {
  const search = route.useSearch()
  const ask = useAsk()
  const question = ownQuestion(search)
  return (
    <ReportFrame
      title={t`New report`}
      description={t`Choose what to count and how to group it. The answer follows at once.`}
      name={questionName(question)}
      question={question}
      search={search}
    >
      <QuestionBuilder asked={search} onAsk={ask} />
    </ReportFrame>
  )
}
