import { useEffect, useState } from 'react'
import type { Option } from './filter.ts'

const delay = 120

/** Answers arrive in any order; only that of the newest question is kept. */
export function useOptionSearch(search: (query: string, signal: AbortSignal) => Promise<Option[]>, query: string, active: boolean) {
  const [options, setOptions] = useState<Option[]>([])
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle')
  useEffect(() => {
    if (!active) return
    const abort = new AbortController()
    const timer = setTimeout(() => {
      setState('loading')
      search(query.trim(), abort.signal).then(
        (found) => {
          if (abort.signal.aborted) return
          setOptions(found)
          setState('idle')
        },
        () => {
          if (abort.signal.aborted) return
          setOptions([])
          setState('failed')
        },
      )
    }, delay)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [search, query, active])
  return { options, state }
}
