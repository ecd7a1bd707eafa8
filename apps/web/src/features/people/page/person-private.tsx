import { t } from '@lingui/core/macro'
import { useApi } from '../../../platform/api/api.tsx'
import { ApiProblem } from '../../../platform/api/problem.ts'
import { problemText } from '../../../platform/api/problem-text.tsx'
import { toast } from '../../../platform/activity/toast.tsx'
import { PlainDate } from '../../../ui/display/dates.tsx'
import { Fact, FactList } from '../../../ui/form/fact-list.tsx'
import type { FactEdit } from '../../../ui/form/fact-editor.tsx'
import { Section } from '../../../ui/page/page.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

type Kept = { birthDate: string | null; gender: string; deceasedOn: string | null }

/** What the person and few others may see; absent for everybody else. */
export function PersonPrivateSection({ person, startEditing }: { person: Person; startEditing?: string | undefined }) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const { may } = person
  if (!may.seeSensitive && !person.private) return null
  const now: Kept = person.private ?? { birthDate: null, gender: '', deceasedOn: null }
  type Change = Partial<Kept>
  const send = async (change: Change) => {
    await people.updatePrivate.call({ personId: person.id, ...change })
    await changed()
  }
  const edit = (
    allowed: boolean,
    kind: 'text' | 'date',
    label: string,
    value: string,
    change: (typed: string) => Change,
    before: Change,
  ) =>
    allowed
      ? {
          kind,
          value,
          startsOpen: startEditing !== undefined && startEditing in before,
          onSave: async (typed: string) => {
            await saying(() => send(change(typed)))
            toast.undo(t`${label} of ${person.displayName} changed`, () => send(before))
          },
        }
      : undefined
  const { birthDate, gender, deceasedOn } = now
  const sensitive = may.editSensitive
  return (
    <Section title={t`Private`}>
      <FactList>
        <Fact
          label={t`Born`}
          edit={edit(sensitive, 'date', t`Day of birth`, birthDate ?? '', (typed) => ({ birthDate: typed || null }), { birthDate })}
        >
          {birthDate && <PlainDate date={birthDate} />}
        </Fact>
        <Fact label={t`Gender`} edit={edit(sensitive, 'text', t`Gender`, gender, (typed) => ({ gender: typed }), { gender })}>
          {gender}
        </Fact>
        {(deceasedOn !== null || may.setDeath) && (
          <Fact
            label={t`Died`}
            edit={edit(may.setDeath, 'date', t`Day of death`, deceasedOn ?? '', (typed) => ({ deceasedOn: typed || null }), { deceasedOn })}
          >
            {deceasedOn && <PlainDate date={deceasedOn} />}
          </Fact>
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
  if (officeNote === null) return null
  const send = async (note: string) => {
    await people.setOfficeNote.call({ personId: person.id, note })
    await changed()
  }
  const edit: FactEdit | undefined = person.may.editOfficeNote
    ? {
        kind: 'textarea',
        value: officeNote,
        onSave: async (typed) => {
          await saying(() => send(typed))
          toast.undo(t`Office note on ${person.displayName} changed`, () => send(officeNote))
        },
      }
    : undefined
  return (
    <Section title={t`Office note`}>
      <FactList>
        <Fact label={t`Note`} edit={edit} hint={t`${person.displayName} cannot see this note.`}>
          {officeNote}
        </Fact>
      </FactList>
    </Section>
  )
}

/** A field shows what the server says about it. */
async function saying(act: () => Promise<unknown>) {
  try {
    await act()
  } catch (problem) {
    throw new Error((problem instanceof ApiProblem && problem.errors[0]?.message) || problemText(problem), { cause: problem })
  }
}
