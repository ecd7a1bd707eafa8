import type { NewConnection } from '@guildhall/contract/features/integrations'
import { useApi } from '../../../platform/api/api.tsx'
import { useRecordEditor } from '../../../platform/records/record-editor.tsx'
import { useConnectionSaved } from '../integrations-api.ts'
import type { Connection } from '../integrations-api.ts'

export type ConnectionEdit = Partial<Pick<NewConnection, 'name' | 'settings' | 'everyMinutes' | 'freshHours'> & { ownerAccountId: string }>

/** Fields of a connection, edited in place. */
export function useConnectionEditor(connection: Connection) {
  const { get, update } = useApi().data.integrations
  const saved = useConnectionSaved()
  const { id: connectionId, name, version } = connection
  return useRecordEditor({
    name,
    record: connection,
    version,
    send: (change: ConnectionEdit, sent) => update.call({ connectionId, ...change }, sent),
    read: async () => {
      const now = await get.call({ connectionId })
      return { record: now, version: now.version }
    },
    onSaved: saved,
  })
}
