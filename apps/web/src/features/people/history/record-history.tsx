import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { HistoryEntries } from './history-entries.tsx'

/** Every change ever made to a record that names itself in the audit log: `keep_audit(table, permission, 'id')`. */
export const RecordHistory = ({ recordId }: { recordId: string }) => (
  <HistoryEntries query={useInfiniteQuery(pagedOptions(useApi().data.account.audit.list, { recordId, limit: 50 }))} withoutSubject />
)
