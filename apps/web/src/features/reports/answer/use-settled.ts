import { useEffect, useEffectEvent, useState } from 'react'
import type { ReportQuestion } from '@guildhall/contract/features/reports'

const settleMs = 250

/** The question once its maker has paused: several choices in a row are asked once. */
export function useSettled(question: ReportQuestion): ReportQuestion {
  const [settled, setSettled] = useState(question)
  // The text stands for the question, which is another object each time.
  const text = JSON.stringify(question)
  const isSettled = text === JSON.stringify(settled)
  const settle = useEffectEvent(() => setSettled(question))
  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(settle, settleMs)
    return () => clearTimeout(timer)
  }, [text, isSettled])
  return settled
}
