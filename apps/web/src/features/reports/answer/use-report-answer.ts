import type { ReportQuestion } from '@guildhall/contract/features/reports'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { useAnswer, useRun } from '../reports-api.ts'
import type { Answered } from '../reports-api.ts'
import { useQuestionAddress } from '../reports-links.ts'
import { followRun, isUnderWay } from './run-progress.ts'

type Options = {
  title: string
  /** The run whose answer is shown in place of asking. */
  runId: string | undefined
  onRun: (runId: string | undefined) => void
}

/** Asks a question; one that takes longer than a page waits for becomes a run, whose progress and answer stand in the same place. */
export function useReportAnswer(question: ReportQuestion, { title, runId, onRun }: Options) {
  const api = useApi()
  const cache = useQueryClient()
  const address = useQuestionAddress()
  const asked = useAnswer(question, { enabled: runId === undefined })
  const run = useRun(runId)
  const takesLong = runId === undefined && asked.error instanceof ApiProblem && asked.error.reason === 'report_takes_long'
  const key = JSON.stringify(question)
  const [refused, setRefused] = useState<{ key: string; problem: unknown }>()
  const [attempt, setAttempt] = useState(0)

  const latest = useRef({ question, onRun, title, address })
  useEffect(() => {
    latest.current = { question, onRun, title, address }
  })

  const started = useRef('')
  useEffect(() => {
    const begun = `${attempt} ${key}`
    if (!takesLong || started.current === begun) return
    started.current = begun
    api.actions.reports.run.call({ question: latest.current.question }).then(
      (made) => {
        // Somebody who asks something else by now finds it among their recent runs.
        if (JSON.stringify(latest.current.question) === key) latest.current.onRun(made.id)
      },
      (problem: unknown) => setRefused({ key, problem }),
    )
  }, [api, takesLong, key, attempt])

  const works = runId !== undefined && (run.data ? isUnderWay(run.data) : !run.isError)
  useEffect(() => {
    if (!works) return
    const { question: of, title: shown, address: addressOf } = latest.current
    void followRun(api, cache, { runId, title: shown, to: addressOf(of, runId) })
  }, [api, cache, works, runId])

  const ofRun: Answered | undefined = run.data?.answer ? { question: run.data.question, answer: run.data.answer } : undefined
  const answered = runId === undefined ? asked.data : ofRun
  const startFailed = takesLong && refused?.key === key ? refused.problem : undefined
  return {
    answered,
    /** Of the former question. */
    isStale: runId === undefined && asked.isPlaceholderData,
    /** Nothing to show yet but how far it is. */
    run: works || (takesLong && !startFailed) ? { done: run.data?.done ?? 0, total: run.data?.total ?? 0 } : undefined,
    failure: run.data?.state === 'failed' ? run.data.error : undefined,
    problem: runId === undefined ? (takesLong ? startFailed : asked.error) : run.error,
    again: () => {
      setRefused(undefined)
      setAttempt(attempt + 1)
      if (runId === undefined) void asked.refetch()
      else onRun(undefined)
    },
  }
}
