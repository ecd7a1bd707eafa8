import { TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'

export type SearchFieldProps = {
  label: string
  value: string
  /** Called 250 ms after the last key: write it to the address with replace. */
  onChange: (value: string) => void
  delay?: number
}

/** Longer texts, and characters that cannot be typed, are no questions to any list. */
const longest = 200

/** "/" focuses the first one of a page. */
export function SearchField({ label, value, onChange, delay = 250 }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  if (value !== known) {
    // Back, forward or "clear filters" changed it from outside.
    setKnown(value)
    if (value !== text.trim()) setText(value)
  }
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => latest.current(text.trim()), delay)
    return () => clearTimeout(timer)
  }, [text, value, delay])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} stroke={1.5} aria-hidden />}
      value={text}
      maxLength={longest}
      onChange={(event) => setText(event.currentTarget.value.replace(/\p{Cc}/gu, ' '))}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onChange(text.trim())
        if (event.key === 'Escape' && text) {
          event.preventDefault()
          setText('')
          onChange('')
        }
      }}
    />
  )
}
