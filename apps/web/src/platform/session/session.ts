import type { Permission } from '@guildhall/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../api/api.tsx'
import { useIsAuthenticated } from '../auth/auth-context.tsx'

/** The signed-in account, its person, organisation and permissions. Rights change rarely, and the server checks each call anyway. */
export function useMe() {
  const signedIn = useIsAuthenticated()
  return useQuery({ ...useApi().data.account.me.queryOptions(), enabled: signedIn, staleTime: 60_000 })
}

/** Which day it is by the organisation's clock, which the server counts by, such as 2026-12-03. */
export function useToday(): string {
  const zone = useMe().data?.organisation.timezone
  return new Intl.DateTimeFormat('sv', zone ? { timeZone: zone } : {}).format(new Date())
}

/** A place that rights can hold in; a record is an event, a campaign or a project. */
export type Scope = { chapterId?: string | undefined; groupId?: string | undefined; recordId?: string | undefined }

export type Can = (permission: Permission, scope?: Scope) => boolean

/** Asks for one permission after another: `const can = useRights(); can('people.write', { chapterId })`. Nothing until the rights are known. */
export function useRights(): Can {
  const { data } = useMe()
  return (permission, scope) => {
    const reach = data?.permissions.find((held) => held.permission === permission)
    if (!reach || reach.everywhere) return reach !== undefined
    if (!scope) return reach.chapters.length + reach.groups.length + reach.records.length > 0
    return (
      reach.chapters.some((id) => id === scope.chapterId) ||
      reach.groups.some((id) => id === scope.groupId) ||
      reach.records.some((id) => id === scope.recordId)
    )
  }
}

/** Whether a permission is held in the whole organisation. */
export const useHoldsEverywhere = (permission: Permission): boolean =>
  useMe().data?.permissions.some((held) => held.permission === permission && held.everywhere) ?? false

/** Hides what a role may not do; it protects nothing, the server does. Without a scope: whether it is held anywhere. */
export const useCan = (permission: Permission, scope?: Scope): boolean => useRights()(permission, scope)
