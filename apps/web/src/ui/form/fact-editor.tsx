import { NativeSelect, Textarea, TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { IconCheck, IconPencil } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent, ReactNode } from 'react'
import classes from './fact-list.module.css'
import type { Option } from '../filter/filter.ts'
import { isSenselessDate, noSuchDate } from './typed-dates.ts'

export type FactEdit = {
  kind: 'text' | 'email' | 'tel' | 'url' | 'date' | 'number' | 'textarea' | 'select'
  value: string
  /** For select; an empty value is offered when the list holds one. */
  options?: readonly Option[]
  /** Rejects with an Error whose message can be shown; the typed text then stays. */
  onSave: (value: string) => Promise<unknown>
  /** A sentence that says what is wrong and how to fix it, or nothing. */
  validate?: (value: string) => string | undefined
  /** Open for editing from the start, when the reader asked to edit before it was there. */
  startsOpen?: boolean
  /** Said below the field while it is typed in. */
  preview?: (typed: string) => string | undefined
}

const tickMs = 2000

/** Pencil on hover and focus; Enter or leaving saves, Escape gives up. The new value shows at once and a tick confirms it. */
export function FactEditor({ label, edit, children }: { label: string; edit: FactEdit; children: ReactNode }) {
  const [draft, setDraft] = useState<string | undefined>(edit.startsOpen ? edit.value : undefined)
  const [pending, setPending] = useState<{ text: string; over: string } | undefined>()
  const [saved, setSaved] = useState(false)
  const [error, setError] = useState<string | undefined>()
  const pencil = useRef<HTMLButtonElement>(null)

  // What was typed stands in for the value until another one arrives, which may be a little after it is saved.
  if (pending && pending.over !== edit.value) setPending(undefined)

  useEffect(() => {
    if (!saved) return
    const timer = setTimeout(() => {
      setSaved(false)
      setPending(undefined)
    }, tickMs)
    return () => clearTimeout(timer)
  }, [saved])

  const stop = () => {
    setDraft(undefined)
    setError(undefined)
    // After the field is gone the focus would otherwise fall to the top of the page.
    setTimeout(() => pencil.current?.focus(), 0)
  }

  async function save(value: string, field: EventTarget) {
    if (field instanceof HTMLInputElement && isSenselessDate(field)) return setError(noSuchDate())
    const text = value.trim()
    if (text === edit.value) return stop()
    const wrong = edit.validate?.(text)
    if (wrong) return setError(wrong)
    setPending({ text, over: edit.value })
    stop()
    try {
      await edit.onSave(text)
      setSaved(true)
    } catch (failure) {
      setPending(undefined)
      setDraft(value)
      setError(failure instanceof Error ? failure.message : String(failure))
    }
  }

  if (draft === undefined) {
    return (
      <div className={classes['read']}>
        <div className={classes['shown']} onDoubleClick={() => setDraft(edit.value)}>
          {pending === undefined ? children : (edit.options?.find(({ value }) => value === pending.text)?.label ?? (pending.text || '–'))}
        </div>
        <span role="status" className={classes['tick']}>
          {saved && <IconCheck size={16} aria-label={t`Saved`} />}
        </span>
        <button ref={pencil} type="button" className={classes['pencil']} aria-label={t`Edit ${label}`} onClick={() => setDraft(edit.value)}>
          <IconPencil size={14} aria-hidden />
        </button>
      </div>
    )
  }

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      stop()
    }
    if (event.key === 'Enter' && (edit.kind !== 'textarea' || event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      void save(draft, event.currentTarget)
    }
  }
  const onBlur = (event: FocusEvent) => void save(draft, event.currentTarget)
  const shared = { 'aria-label': label, description: edit.preview?.(draft), value: draft, error, autoFocus: true, onKeyDown, onBlur }
  if (edit.kind === 'select') {
    return (
      <NativeSelect
        {...shared}
        data={(edit.options ?? []).map(({ value, label: text }) => ({ value, label: text }))}
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
    )
  }
  if (edit.kind === 'textarea')
    return <Textarea {...shared} autosize minRows={3} onChange={(event) => setDraft(event.currentTarget.value)} />
  return <TextInput {...shared} type={edit.kind} onChange={(event) => setDraft(event.currentTarget.value)} />
}
