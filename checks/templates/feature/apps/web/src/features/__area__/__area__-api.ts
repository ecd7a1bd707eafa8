import type { __Record__, __Record__Change } from '@guildhall/contract/features/__area__'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { useRecordEditor } from '../../platform/records/record-editor.tsx'
import { listInput } from '../lists/lists-public.tsx'
import type { Look } from '../lists/lists-public.tsx'

export const use__Records__ = (look: Look, enabled: boolean) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.__area__.list, listInput(look)), enabled })

export const use__Record__ = (__record__Id: string) => useQuery(useApi().data.__area__.get.queryOptions({ input: { __record__Id } }))

export function use__Area__Changed() {
  const { __area__, account } = useApi().data
  const cache = useQueryClient()
  return () => Promise.all([__area__, account.audit].map((part) => cache.invalidateQueries({ queryKey: part.key() })))
}

export function use__Record__Editor(record: __Record__) {
  const { get, update } = useApi().data.__area__
  const changed = use__Area__Changed()
  const __record__Id = record.id
  return useRecordEditor({
    name: record.name,
    record,
    version: record.version,
    send: (change: __Record__Change, sent) => update.call({ __record__Id, ...change }, sent),
    read: async () => {
      const now = await get.call({ __record__Id })
      return { record: now, version: now.version }
    },
    onSaved: changed,
  })
}

export function useArchive__Record__(__record__Id: string) {
  const { archive, restore } = useApi().data.__area__
  const changed = use__Area__Changed()
  const put = (call: typeof archive.call) => async (version: number) => {
    const record = await call({ __record__Id }, { context: { ifMatch: version } })
    await changed()
    return record
  }
  return { archive: put(archive.call), restore: put(restore.call) }
}
