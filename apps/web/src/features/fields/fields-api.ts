import type { Field, FieldValues, RecordType } from '@guildhall/contract/features/fields'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'

export type { Field, RecordType }
export type FieldValue = FieldValues[string]

const none: readonly Field[] = []

/** Every field of a kind of record that the reader knows of, archived ones too. */
export const useAllFields = (recordType: RecordType) =>
  useQuery({ ...useApi().data.fields.list.queryOptions({ input: { recordType } }), staleTime: 300_000 })

/** Fields in use. The same list until they change. */
export function useFields(recordType: RecordType): readonly Field[] {
  const { data } = useAllFields(recordType)
  return useMemo(() => data?.items.filter(({ archivedAt }) => archivedAt === null) ?? none, [data])
}

/** Fields that a list can show, sort by and filter by: those of others, not only one's own. */
export function useListFields(recordType: RecordType): readonly Field[] {
  const fields = useFields(recordType)
  return useMemo(() => fields.filter(({ reach }) => reach !== 'own'), [fields])
}

export const useFieldUses = (fieldId: string) =>
  useQuery({ ...useApi().data.fields.uses.queryOptions({ input: { fieldId } }), staleTime: 30_000 })

/** Definitions changed, and with them what every record shows. */
export function useFieldsChanged() {
  const api = useApi()
  const cache = useQueryClient()
  return async () => {
    await cache.invalidateQueries({ queryKey: api.data.fields.key() })
    void cache.invalidateQueries({ queryKey: api.data.people.key() })
    void cache.invalidateQueries({ queryKey: api.data.lists.key() })
  }
}
