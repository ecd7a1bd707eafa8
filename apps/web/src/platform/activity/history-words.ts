import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react'
import { useSlot } from '../navigation/slots.tsx'

/** What the features call their records and fields, for any page that shows changes. */
export function useHistoryWords() {
  const { i18n } = useLingui()
  const tables = useSlot('historyWords')
  const entities = tables.flatMap((table) => Object.entries(table.entities))
  const fields = new Map(tables.flatMap((table) => Object.entries(table.fields ?? {})))
  const values = new Map(tables.flatMap((table) => Object.entries(table.values ?? {})))
  const lists = new Map(tables.flatMap((table) => Object.entries(table.lists ?? {})))
  const nouns = new Map(entities.map(([entity, { noun }]) => [entity, i18n._(noun)]))
  const onPerson = new Map(entities.flatMap(([entity, word]) => (word.onPerson ? [[entity, i18n._(word.onPerson)]] : [])))
  return {
    /** Every kind of record there is a word for. */
    nouns,
    /** Those that a person's own history tells of, as it calls them. */
    onPerson,
    /** The word for a value of a column, where its feature has one. */
    value: (entity: string, field: string, value: unknown): string | undefined => {
      const word = typeof value === 'string' ? values.get(`${entity}.${field}`)?.[value] : undefined
      return word && i18n._(word)
    },
    list: (name: string): string | undefined => {
      const word = lists.get(name)
      return word && i18n._(word)
    },
    field: (name: string): string => {
      const known = fields.get(camel(name))
      if (known) return i18n._(known)
      return camel(name)
        .replace(/([A-Z])/g, ' $1')
        .toLowerCase()
    },
  }
}

/** For whom somebody acted; without a name where the reader may not see them. */
export const forText = (name: string) => (name ? t`for ${name}` : t`for somebody else`)

/** Fields are named as columns in the log, and as on the wire in answers. */
export const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
