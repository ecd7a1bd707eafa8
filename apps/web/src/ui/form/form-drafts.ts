import type { UseFormReturnType } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'

// Kept in memory only: what was typed about people must not stay on the device.
const drafts = new Map<string, object>()

/** On sign-out, so that the next person at this screen finds nothing. */
export const forgetDrafts = () => drafts.clear()

/**
 * Keeps what was typed into a form that was left without saving: with Escape, a click beside the dialog or the browser's back
 * button. The next time the form is opened it continues there. A form without a name keeps it only when there is no network, since
 * then it could not be saved; it is known by its place and what it began with.
 */
export function useFormDraft<Values extends Record<string, unknown>>(form: UseFormReturnType<Values>, name: string | undefined) {
  const [key] = useState(() => name ?? `${location.pathname} ${JSON.stringify(form.getInitialValues())}`)
  const [restored, setRestored] = useState(false)
  const latest = useRef(form)
  const finished = useRef(false)
  useEffect(() => {
    latest.current = form
    // Emptied for the next record: what is typed from now on counts again.
    if (finished.current && !form.isDirty()) finished.current = false
  })
  useEffect(() => {
    const draft = drafts.get(key)
    if (draft) {
      latest.current.setValues(draft)
      setRestored(true)
    }
    return () => {
      const { isDirty, getValues } = latest.current
      if (!finished.current && isDirty() && (name || !navigator.onLine)) drafts.set(key, getValues())
    }
  }, [key, name])
  return {
    restored,
    /** Saved, or given up on purpose. */
    forget: () => {
      finished.current = true
      drafts.delete(key)
    },
    startAnew: () => {
      drafts.delete(key)
      form.reset()
      setRestored(false)
    },
  }
}
