import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { useRouter } from '@tanstack/react-router'
import { askedOf } from './reports-question.ts'

/** Where a question is asked, as plain text: the address says all of it, and which run has answered it. */
export function useQuestionAddress() {
  const router = useRouter()
  return (question: ReportQuestion, run?: string) => {
    const search = { ...askedOf(question), ...(run && { run }) }
    return question.kind === 'standard'
      ? router.buildLocation({ to: '/reports/$reportKey', params: { reportKey: question.report }, search }).href
      : router.buildLocation({ to: '/reports/new', search }).href
  }
}
