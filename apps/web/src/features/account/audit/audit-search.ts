import { getRouteApi } from '@tanstack/react-router'
import type { AccountSearch } from '../account-search.ts'
import { useAuditWords } from './audit-words.ts'

const here = getRouteApi('/signed-in/account-management/{-$tab}')

export type AuditQuestion = Pick<AccountSearch, 'by' | 'person' | 'chapter' | 'group' | 'record' | 'action' | 'from' | 'until'>

/** What the address asks of the log. */
export function useAuditSearch() {
  const { by, person, chapter, group, record, action, from, until } = here.useSearch()
  const navigate = here.useNavigate()
  const known = useAuditWords().kinds.find(({ value }) => value === record)?.value
  const question: AuditQuestion = { by, person, chapter, group, record: known, action, from, until }
  const put = (change: AuditQuestion) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return {
    question,
    narrowed: Object.values(question).some((part) => part !== undefined),
    put,
    clear: () =>
      put({
        by: undefined,
        person: undefined,
        chapter: undefined,
        group: undefined,
        record: undefined,
        action: undefined,
        from: undefined,
        until: undefined,
      }),
  }
}
