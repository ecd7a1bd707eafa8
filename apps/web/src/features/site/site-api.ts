import { useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api.tsx'

/** Name and contact address of the organisation; pages show their text without waiting for it. */
export const usePublicOrganisation = () => useQuery({ ...useApi().data.site.organisation.queryOptions({}), staleTime: 10 * 60_000 })

export const useSendContactMessage = () => useMutation(useApi().actions.site.contact.mutationOptions())
