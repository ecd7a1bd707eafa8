import { useEffect, useState } from 'react'
import type { ReportQuestion } from '@guildhall/contract/features/reports'

const settleMs = 250

/** The question once its maker has paused: several choices in a row are asked once. */
export function useSettled(question: ReportQuestion): ReportQuestion {
  const [settled, setSettled] = useState(question)
  const key = JSON.stringify(question)
  const isSettled = key === JSON.stringify(settled)
  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(() => setSettled(question), settleMs)
    return () => clearTimeout(timer)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the text stands for the question, which is another object each time
  }, [key, isSettled])
  return settled
}
