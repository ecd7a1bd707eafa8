import { t } from '@lingui/core/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { useRecordEditor } from '../../../platform/records/record-editor.tsx'
import { RecordFact } from '../../../platform/records/record-fact.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { FactList } from '../../../ui/form/fact-list.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

type Kept = { birthDate: string | null; gender: string; deceasedOn: string | null }

/** What the person and few others may see; absent for everybody else. */
export function PersonPrivateSection({ person, startEditing }: { person: Person; startEditing?: string | undefined }) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const { may } = person
  const { birthDate, gender, deceasedOn }: Kept = person.private ?? { birthDate: null, gender: '', deceasedOn: null }
  const editor = useRecordEditor({
    name: person.displayName,
    record: { birthDate, gender, deceasedOn },
    send: (change: Partial<Kept>) => people.updatePrivate.call({ personId: person.id, ...change }),
    onSaved: () => changed(),
  })
  if (!may.seeSensitive && !person.private) return null
  return (
    <Section title={t`Private`}>
      <FactList>
        <RecordFact
          editor={editor}
          may={may.editSensitive}
          label={t`Born`}
          name={t`Day of birth`}
          kind="date"
          value={birthDate ?? ''}
          change={(typed) => ({ birthDate: typed || null })}
          startsOpen={startEditing === 'birthDate'}
        >
          {birthDate && <PlainDate date={birthDate} />}
        </RecordFact>
        <RecordFact
          editor={editor}
          may={may.editSensitive}
          label={t`Gender`}
          value={gender}
          change={(typed) => ({ gender: typed })}
          startsOpen={startEditing === 'gender'}
        />
        {(deceasedOn !== null || may.setDeath) && (
          <RecordFact
            editor={editor}
            may={may.setDeath}
            label={t`Died`}
            name={t`Day of death`}
            kind="date"
            value={deceasedOn ?? ''}
            change={(typed) => ({ deceasedOn: typed || null })}
            startsOpen={startEditing === 'deceasedOn'}
          >
            {deceasedOn && <PlainDate date={deceasedOn} />}
          </RecordFact>
        )}
      </FactList>
    </Section>
  )
}

/** What officers note about somebody else; nobody is shown what is noted about them. */
export function PersonOfficeNote({ person }: { person: Person }) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const { officeNote } = person
  const editor = useRecordEditor({
    name: person.displayName,
    record: { note: officeNote ?? '' },
    send: ({ note }: { note: string }) => people.setOfficeNote.call({ personId: person.id, note }),
    onSaved: () => changed(),
  })
  if (officeNote === null) return null
  return (
    <Section title={t`Office note`}>
      <FactList>
        <RecordFact
          editor={editor}
          may={person.may.editOfficeNote}
          label={t`Note`}
          name={t`Office note`}
          kind="textarea"
          value={officeNote}
          change={(note) => ({ note })}
          hint={t`${person.displayName} cannot see this note.`}
        />
      </FactList>
    </Section>
  )
}
