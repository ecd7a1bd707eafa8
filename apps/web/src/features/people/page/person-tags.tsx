import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '../../../platform/api/api.tsx'
import { RecordTags } from '../../tags/tags-public.tsx'
import type { TagRef } from '../../tags/tags-public.tsx'
import { showPerson, usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

/** A person's tags, which stand on the page before they are saved. */
export function PersonTags({ person }: { person: Person }) {
  const api = useApi()
  const cache = useQueryClient()
  const changed = usePeopleChanged()
  const save = async (next: readonly TagRef[]) => {
    showPerson(cache, api, { ...person, tags: [...next] })
    try {
      const { tags } = await api.data.people.setTags.call({ personId: person.id, tagIds: next.map(({ id }) => id) })
      showPerson(cache, api, { ...person, tags })
      await changed()
    } catch (problem) {
      showPerson(cache, api, person)
      throw problem
    }
  }
  return <RecordTags name={person.displayName} tags={person.tags} may={person.may.edit} save={save} />
}
