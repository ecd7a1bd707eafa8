import type { Account, AccountRow, AuditEntry, Grant, Organisation, OutgoingMail, Role } from '@guildhall/contract/features/account'
import type { ContactMessage } from '@guildhall/contract/features/site'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'
import type { AccountSearch } from './account-search.ts'
import type { AuditQuestion } from './audit/audit-search.ts'

export type { Account, AccountRow, AuditEntry, ContactMessage, Grant, Organisation, OutgoingMail, Role }

const withStatus = (status: AccountRow['status']) => JSON.stringify({ and: [{ or: [{ field: 'status', op: 'is', value: status }] }] })

export const useAccounts = (q: string, status: AccountRow['status'] | undefined) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.account.accounts.list, {
      limit: 100,
      ...(q && { q }),
      ...(status && { filter: withStatus(status) }),
    }),
  )

export const useAccount = (accountId: string | undefined) =>
  useQuery({
    ...useApi().data.account.accounts.get.queryOptions({ input: { accountId: accountId ?? '' } }),
    enabled: accountId !== undefined,
  })

export const useRoles = () => useQuery({ ...useApi().data.account.roles.list.queryOptions(), staleTime: 60_000 })

export const useOrganisation = () => useQuery(useApi().data.account.organisation.get.queryOptions())

export const useAudit = ({ by, person, chapter, group, record, action, from, until }: AuditQuestion) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.account.audit.list, {
      limit: 50,
      ...(by && { accountId: by }),
      ...(person && { personId: person }),
      ...(chapter && { chapterId: chapter }),
      ...(group && { groupId: group }),
      ...(record && { entity: record }),
      ...(action && { action }),
      ...(from && { from }),
      ...(until && { until }),
    }),
  )

export const useMails = (asked: Pick<AccountSearch, 'state' | 'mail' | 'to' | 'from' | 'until'>) =>
  useInfiniteQuery(
    pagedOptions(useApi().data.account.mails.list, {
      limit: 50,
      ...(asked.state && { state: asked.state }),
      ...(asked.mail && { kind: asked.mail }),
      ...(asked.to && { address: asked.to }),
      ...(asked.from && { from: asked.from }),
      ...(asked.until && { until: asked.until }),
    }),
  )

export const useMessages = (handled: boolean) =>
  useInfiniteQuery(pagedOptions(useApi().data.site.messages.list, { handled, limit: 50 }, { keepsRows: false }))

/** Rights and accounts hang together: all of it is read again after a change. */
export function useAccountsChanged() {
  const api = useApi()
  const cache = useQueryClient()
  return () =>
    Promise.all([
      cache.invalidateQueries({ queryKey: api.data.account.key() }),
      cache.invalidateQueries({ queryKey: api.data.site.menu.key() }),
    ])
}
