import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from '../../../platform/activity/toast.tsx'
import { useApi } from '../../../platform/api/api.tsx'
import { staleVersion } from '../../../ui/form/record-form.tsx'
import { useIntegrationsChanged } from '../integrations-api.ts'
import type { Connection, ConnectionMapping } from '../integrations-api.ts'
import { draftOf, isChanged, sentRows } from './mapping-draft.ts'
import type { Draft } from './mapping-draft.ts'

/** Saves a mapping. A run that ended in between changes the connection too: only another mapping is a reason to stop. */
export function useMappingSave(connection: Connection, base: ConnectionMapping, onSaved: (mapping: ConnectionMapping) => void) {
  const { mapping: read, setMapping } = useApi().data.integrations
  const cache = useQueryClient()
  const changed = useIntegrationsChanged()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const [newer, setNewer] = useState<number>()
  const { id: connectionId, name } = connection

  const send = async ({ rows, matchBy, onMissing }: Draft, ifMatch: number): Promise<ConnectionMapping> =>
    setMapping.call({ connectionId, mapping: sentRows(rows), matchBy, onMissing }, { context: { ifMatch } })

  const settled = async (draft: Draft): Promise<ConnectionMapping> => {
    try {
      return await send(draft, newer ?? base.version)
    } catch (problem) {
      if (staleVersion(problem) === undefined) throw problem
      const now = await read.call({ connectionId })
      if (!isChanged(draftOf(now), base)) return send(draft, now.version)
      setNewer(now.version)
      throw new Error(t`Somebody else has changed this. Save again to replace their changes with yours.`, { cause: problem })
    }
  }
  const save = async (draft: Draft) => {
    setBusy(true)
    setFailure(undefined)
    try {
      const now = await settled(draft)
      setNewer(undefined)
      cache.setQueryData(read.queryKey({ input: { connectionId } }), now)
      onSaved(now)
      await changed()
      toast.success(t`Mapping of ${name} saved`)
    } catch (problem) {
      setFailure(problem)
    }
    setBusy(false)
  }
  return { save, busy, failure }
}
