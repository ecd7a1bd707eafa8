import type { Import, ImportChange, ImportKind, ImportOptions, ImportRow, ImportSummary } from '@guildhall/contract/features/imports'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import { useIsTold, useJobs } from '../../platform/api/changes.ts'
import { saveFile } from '../../ui/save-file.ts'

export type { Import, ImportChange, ImportKind, ImportOptions, ImportRow, ImportSummary }

const pollMs = 700
const busy = new Set<ImportSummary['status']>(['checking', 'running', 'undoing'])
export const isBusy = ({ status }: Pick<ImportSummary, 'status'>) => busy.has(status)

/**
 * One import, as it moves on. The server tells whoever started the work how far it is; everybody else, and while it does not,
 * asks again and again.
 */
export function useImport(importId: string) {
  const options = useApi().data.imports.get.queryOptions({ input: { importId } })
  const cache = useQueryClient()
  const isTold = useIsTold()
  useJobs((job) => {
    const { data } = query
    if (!data || !isBusy(data) || (job !== null && job.id !== data.job?.id)) return
    if (job && isUnderWay(job)) cache.setQueryData(options.queryKey, { ...data, job })
    else void query.refetch()
  })
  const query = useQuery({
    ...options,
    refetchInterval: ({ state: { data } }) => (data && isBusy(data) && !(isTold && data.job && isUnderWay(data.job)) ? pollMs : false),
  })
  return query
}

const isUnderWay = ({ status }: NonNullable<Import['job']>) => status === 'queued' || status === 'running'

export function useImports() {
  const { list } = useApi().data.imports
  const cache = useQueryClient()
  useJobs((job) => {
    if (job && !isUnderWay(job) && job.kind.startsWith('import')) void cache.invalidateQueries({ queryKey: list.key() })
  })
  return useInfiniteQuery(pagedOptions(list, { limit: 50 }, { keepsRows: false }))
}

export type RowQuestion = {
  importId: string
  phase: 'check' | 'run' | 'undo'
  outcome?: ImportRow['outcome'] | undefined
  withFindings?: boolean
  kind?: string | undefined
  waiting?: boolean
  doubles?: boolean
  q?: string
}

export const useImportRows = ({ importId, phase, outcome, withFindings, kind, waiting, doubles, q }: RowQuestion) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.imports.rows, {
      importId,
      phase,
      limit: 50,
      ...(outcome && { outcome }),
      ...(withFindings && { withFindings }),
      ...(kind && { kind }),
      ...(waiting && { waiting }),
      ...(doubles && { doubles }),
      ...(q && { q }),
    }),
  )

type Change = {
  format?: Partial<Omit<Import['format'], 'type'>>
  mapping?: string[]
  options?: Partial<ImportOptions>
  saveMappingAs?: string
}

/** Everything that is done to an import. Its answer is the import as it is then, so the page needs no second question. */
export function useImportActs() {
  const api = useApi()
  const cache = useQueryClient()
  const { upload, configure, check, accept, run, cancel, undo } = api.actions.imports
  const keep = (now: Import) => {
    cache.setQueryData(api.data.imports.get.queryKey({ input: { importId: now.id } }), now)
    void cache.invalidateQueries({ queryKey: api.data.imports.list.key() })
    void cache.invalidateQueries({ queryKey: api.data.imports.rows.key() })
  }
  const options = { onSuccess: keep }
  return {
    upload: useMutation({
      mutationFn: (source: { kind: ImportKind; file?: File; text?: string; fileName?: string }) => upload.call(source),
      ...options,
    }),
    configure: useMutation({
      mutationFn: ({ id, version, ...change }: Change & Pick<Import, 'id' | 'version'>) =>
        configure.call({ importId: id, ...change }, { context: { ifMatch: version } }),
      ...options,
    }),
    check: useMutation({ mutationFn: (importId: string) => check.call({ importId }), ...options }),
    accept: useMutation({ mutationFn: (which: { importId: string; lines?: number[] }) => accept.call(which), ...options }),
    run: useMutation({ mutationFn: (importId: string) => run.call({ importId }), ...options }),
    cancel: useMutation({ mutationFn: (importId: string) => cancel.call({ importId }), ...options }),
    undo: useMutation({ mutationFn: (importId: string) => undo.call({ importId }), ...options }),
  }
}

/** Fetches the file of rejected rows. */
export function useErrorFile() {
  const { errors } = useApi().actions.imports
  return async ({ id, fileName }: Pick<Import, 'id' | 'fileName'>) => {
    saveFile(await errors.call({ importId: id }), `${fileName.replace(/\.[a-z]+$/i, '')}-rejected.csv`)
  }
}
