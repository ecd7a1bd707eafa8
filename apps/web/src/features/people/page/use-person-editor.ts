import type * as z from 'zod'
import type { FieldChange, Field as OwnedField } from '@guildhall/contract/features/fields'
import type { Sent } from '../../../ui/dialog/form-dialog.tsx'
import type { PersonChange } from '@guildhall/contract/features/people'
import { camel } from '../../../platform/activity/history-words.ts'
import { useApi } from '../../../platform/api/api.tsx'
import { useRecordEditor } from '../../../platform/records/record-editor.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

export type Change = z.infer<typeof PersonChange>
export type Field = keyof Change & keyof Person

/** For the facts of a person; the name of who else changed one is in the recent changes. */
export function usePersonEditor(person: Person) {
  const { people } = useApi().data
  const changed = usePeopleChanged()
  const personId = person.id
  return useRecordEditor({
    name: person.displayName,
    record: person,
    version: person.version,
    send: (change: Change, sent) => people.update.call({ personId, ...change }, sent),
    read: async () => {
      const { person: now, recentChanges } = await people.overview.call({ personId })
      const by = (field: string) => {
        const entry = recentChanges.find(({ changes }) => changes.some((one) => camel(one.field) === field))
        return entry && { name: entry.actor?.name, at: entry.at }
      }
      return { record: now, version: now.version, by }
    },
    onSaved: changed,
  })
}

/** Reads and saves fields of the organisation of a person. */
export function usePersonFields(personId: string) {
  const { people } = useApi().data
  const changed = usePeopleChanged()
  return {
    save: async (fields: FieldChange, sent: Sent) => {
      const saved = await people.update.call({ personId, fields }, sent)
      void changed(saved)
      return saved
    },
    read: () => people.get.call({ personId }),
  }
}

/** Which fields of the organisation the reader changes of a person; the database decides. */
export const mayChangeField =
  ({ may }: Pick<Person, 'may'>) =>
  ({ reach, ownEditable, audience, sensitive }: Pick<OwnedField, 'reach' | 'ownEditable' | 'audience' | 'sensitive'>): boolean =>
    (may.edit && reach !== 'own' && (!sensitive || may.seeSensitive) && (!may.editSelf || audience !== 'officers')) ||
    (may.editSelf && ownEditable)
