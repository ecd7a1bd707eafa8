import { useEffect, useState } from 'react'
import type { FilterCondition, FilterField } from './filter.ts'

/** Turns the ids an address carries back into names: options are known, records are asked for once. */
export function useOptionNames(fields: readonly FilterField[], conditions: readonly FilterCondition[]) {
  const [names, setNames] = useState<Readonly<Record<string, string>>>({})
  const wanted = conditions.flatMap(({ field, value }) =>
    fields.find(({ id, names: ask }) => id === field && ask) ? [[field, ...idsIn(value)]] : [],
  )
  const question = JSON.stringify(wanted)

  useEffect(() => {
    const abort = new AbortController()
    for (const [fieldId, ...ids] of parse(question)) {
      const ask = fields.find(({ id }) => id === fieldId)?.names
      if (!ask || ids.length === 0) continue
      ask(ids, abort.signal).then(
        (options) =>
          setNames((before) => ({ ...before, ...Object.fromEntries(options.map(({ value, label }) => [`${fieldId} ${value}`, label])) })),
        // Without names the chip says how many; the filter itself works.
        () => undefined,
      )
    }
    return () => abort.abort()
  }, [question, fields])

  return (fieldId: string, value: string): string => {
    const field = fields.find(({ id }) => id === fieldId)
    return field?.options?.find((option) => option.value === value)?.label ?? names[`${fieldId} ${value}`] ?? value
  }
}

const idsIn = (value: FilterCondition['value']) => (Array.isArray(value) ? value.map(String) : value === undefined ? [] : [String(value)])

// The text was written by JSON.stringify above from lists of strings.
const parse = (question: string): string[][] => {
  const lists: unknown = JSON.parse(question)
  return Array.isArray(lists) ? lists.map((list) => (Array.isArray(list) ? list.map(String) : [])) : []
}
