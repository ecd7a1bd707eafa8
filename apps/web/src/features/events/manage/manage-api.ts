import type { Registration, RegistrationsInput } from '@guildhall/contract/features/events'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type * as z from 'zod'
import { useApi } from '../../../platform/api/api.tsx'
import { pagedOptions } from '../../../platform/api/paged.ts'
import { listInput } from '../../lists/lists-public.tsx'
import type { Look } from '../../lists/lists-public.tsx'

export type { Registration }

export const useRegistrationList = (eventId: string, { q, filter, sort }: Look, enabled: boolean) =>
  useInfiniteQuery({
    ...pagedOptions(useApi().data.events.registrations.list, { eventId, ...listInput({ q, filter, sort }) }),
    enabled,
  })

type Question = Omit<z.input<typeof RegistrationsInput>, 'cursor'>
export const useRegistrations = (question: Question, enabled = true) =>
  useInfiniteQuery({ ...pagedOptions(useApi().data.events.registrations.list, question), enabled })

export const useRegistration = (registrationId: string) =>
  useQuery(useApi().data.events.registrations.get.queryOptions({ input: { registrationId } }))

export const useLedger = (eventId: string, registrationId?: string) =>
  useInfiniteQuery(pagedOptions(useApi().data.events.capacity, { eventId, ...(registrationId && { registrationId }), limit: 50 }))

/** After any change of who comes: lists, counts and seats are asked anew. */
export function useRegistrationsChanged() {
  const { events, home } = useApi().data
  const cache = useQueryClient()
  return () => Promise.all([events.key(), home.key()].map((queryKey) => cache.invalidateQueries({ queryKey })))
}
