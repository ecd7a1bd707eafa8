import { TextInput } from '@mantine/core'
import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import type { ReactNode } from 'react'
import { MergeMenu } from './merge-menu.tsx'

type Props = {
  label: string
  description?: ReactNode
  error?: ReactNode
  value: string
  maxLength: number
  onChange: (value: string) => void
}

/** A line of text that may have merge fields. */
export function MergedInput({ label, value, onChange, ...input }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const insert = (words: string) => {
    const at = field.current?.selectionStart ?? value.length
    const end = field.current?.selectionEnd ?? at
    onChange(value.slice(0, at) + words + value.slice(end))
    // Once the value is there, the cursor goes behind what was put in.
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(at + words.length, at + words.length)
    })
  }
  return (
    <TextInput
      ref={field}
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      rightSection={<MergeMenu label={t`Merge field for ${label}`} onInsert={insert} />}
      {...input}
    />
  )
}
