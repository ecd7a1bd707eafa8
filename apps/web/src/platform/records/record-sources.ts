import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Option } from '../../ui/filter/filter.ts'
import { useApi } from '../api/api.tsx'
import { ApiProblem } from '../api/problem.ts'

/** How records of one kind are found by typing, and what the ids of an address are called. */
type RecordSource = {
  search: (query: string, signal: AbortSignal) => Promise<Option[]>
  names: (ids: string[]) => Promise<Option[]>
}

const shown = 20
const kept = 300_000

/** For pickers and filters of any feature; the references never change. */
export function useRecordSources(): Record<'people' | 'chapters' | 'groups' | 'events', RecordSource> {
  const { data } = useApi()
  const cache = useQueryClient()
  return useMemo(() => {
    const asked = (q: string) => ({ ...(q && { q }), limit: shown })
    return {
      people: {
        search: async (q, signal) => {
          const { items } = await data.people.list.call({ ...asked(q), ...(q && { sort: 'match' }) }, { signal })
          return items.map(({ id, displayName, homeChapter }) => ({ value: id, label: displayName, hint: homeChapter?.name }))
        },
        names: named(async (personId) => {
          const person = await cache.query({ ...data.people.get.queryOptions({ input: { personId } }), staleTime: kept })
          return person.displayName
        }),
      },
      chapters: {
        search: async (q, signal) => {
          const { items } = await data.chapters.list.call(asked(q), { signal })
          return items.map(({ id, name, code }) => ({ value: id, label: name, hint: code }))
        },
        names: named(async (chapterId) => {
          const chapter = await cache.query({ ...data.chapters.get.queryOptions({ input: { chapterId } }), staleTime: kept })
          return chapter.name
        }),
      },
      groups: {
        search: async (q, signal) => {
          const { items } = await data.groups.list.call(asked(q), { signal })
          return items.map(({ id, name, chapter }) => ({ value: id, label: name, hint: chapter?.name }))
        },
        names: named(async (groupId) => {
          const group = await cache.query({ ...data.groups.get.queryOptions({ input: { groupId } }), staleTime: kept })
          return group.name
        }),
      },
      events: {
        search: async (q, signal) => {
          const { items } = await data.events.list.call({ ...asked(q), sort: q ? 'match' : '-startsAt' }, { signal })
          return items.map(({ id, title, startsLocal }) => ({ value: id, label: title, hint: startsLocal.slice(0, 10) }))
        },
        names: named(async (eventId) => {
          const event = await cache.query({ ...data.events.get.queryOptions({ input: { eventId } }), staleTime: kept })
          return event.title
        }),
      },
    }
  }, [data, cache])
}

/** Asks for each; one that is gone or not to be seen does not keep the others without a name. */
export const named =
  (nameOf: (id: string) => Promise<string>) =>
  (ids: string[]): Promise<Option[]> =>
    Promise.all(
      ids.map(async (value) => {
        const label = await nameOf(value).catch((problem: unknown) => {
          if (problem instanceof ApiProblem && [403, 404, 410].includes(problem.status)) return t`Not found`
          throw problem
        })
        return { value, label }
      }),
    )

/** What a picker's field begins with. */
export const noRecord: string | null = null
