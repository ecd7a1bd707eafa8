import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../../platform/api/api.tsx'
import { pagedOptions } from '../../platform/api/paged.ts'

/** Name and contact address of the organisation; pages show their text without waiting for it. */
export const usePublicOrganisation = () => useQuery({ ...useApi().data.site.organisation.queryOptions({}), staleTime: 10 * 60_000 })

/** Chapters that everybody may find, a few at a time; former ones stay while another search is answered. */
export const usePublicChapters = (q: string) => useInfiniteQuery(pagedOptions(useApi().data.site.chapters, { ...(q && { q }) }))

export const useSendContactMessage = () => useMutation(useApi().actions.site.contact.mutationOptions())
