import { useInfiniteQuery } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { HistoryEntries } from './history-entries.tsx'

/** A record that names itself in the audit log, `keep_audit(table, permission, 'id')`; a chapter or a group with all that belongs to it. */
type Props = { recordId: string } | { chapterId: string } | { groupId: string }

/** Every change ever made to a record. */
export const RecordHistory = (record: Props) => (
  <HistoryEntries
    query={useInfiniteQuery(pagedOptions(useApi().data.account.audit.list, { ...record, limit: 50 }))}
    withoutSubject={'recordId' in record}
  />
)
