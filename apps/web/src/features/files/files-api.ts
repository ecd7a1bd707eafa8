import type { FiledRecord, StoredFile } from '@guildhall/contract/features/files'
import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { toast } from '../../platform/activity/toast.tsx'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

export type { StoredFile } from '@guildhall/contract/features/files'
export type OfRecord = { recordType: FiledRecord; recordId: string }

export const useFiles = (record: OfRecord) => useInfiniteQuery(pagedOptions(useApi().data.files.list, { ...record, limit: 100 }))

export function useFileActs() {
  const { data, actions } = useApi()
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: data.files.key() })
  const restore = async (fileId: string) => {
    await data.files.restore.call({ fileId })
    await changed()
  }
  return {
    changed,
    upload: (record: OfRecord, file: File, onProgress: (share: number) => void, signal: AbortSignal) =>
      actions.files.upload.call({ ...record, file }, { context: { onProgress }, signal }),
    rename: async ({ id }: StoredFile, name: string, context: { ifMatch: number | undefined }) => {
      const renamed = await data.files.update.call({ fileId: id, name }, { context })
      await changed()
      return renamed
    },
    remove: async ({ id, name }: StoredFile) => {
      try {
        await data.files.remove.call({ fileId: id })
        await changed()
        toast.undo(t`${name} removed`, () => restore(id))
      } catch (problem) {
        toast.error(t`${name} could not be removed.`, problem)
      }
    },
    download: async ({ id, name }: StoredFile) => {
      try {
        const { url } = await actions.files.link.call({ fileId: id })
        // The answer says that it is saved, so the page stays.
        location.assign(url)
      } catch (problem) {
        toast.error(t`${name} could not be downloaded.`, problem)
      }
    },
  }
}
