import { t } from '@lingui/core/macro'
import { useApi } from '../../../platform/api.tsx'
import { ApiProblem } from '../../../platform/problem.ts'
import { problemText } from '../../../platform/problem-text.tsx'
import { toast } from '../../../platform/toast.tsx'
import { PlainDate } from '../../../ui/dates.tsx'
import { Fact, FactList } from '../../../ui/fact-list.tsx'
import { Section } from '../../../ui/page.tsx'
import { usePeopleChanged } from '../people-api.ts'
import type { Person } from '../people-api.ts'

/** What only few may see; absent for everybody else. */
export function PersonPrivateSection({ person, startEditing }: { person: Person; startEditing?: string | undefined }) {
  const people = useApi().data.people
  const changed = usePeopleChanged()
  const { may } = person
  if (!may.seeSensitive && !person.private) return null
  const now = person.private ?? { birthDate: null, gender: '', deceasedOn: null, note: '' }
  type Change = Partial<typeof now>
  const send = async (change: Change) => {
    await people.updatePrivate.call({ personId: person.id, ...change })
    await changed()
  }
  const edit = (kind: 'text' | 'date' | 'textarea', label: string, value: string, change: (typed: string) => Change, before: Change) =>
    may.editSensitive
      ? {
          kind,
          value,
          startsOpen: startEditing !== undefined && startEditing in before,
          onSave: async (typed: string) => {
            try {
              await send(change(typed))
            } catch (problem) {
              throw new Error((problem instanceof ApiProblem && problem.errors[0]?.message) || problemText(problem), { cause: problem })
            }
            toast.undo(t`${label} of ${person.displayName} changed`, () => send(before))
          },
        }
      : undefined
  const { birthDate, gender, deceasedOn, note } = now
  return (
    <Section title={t`Private`}>
      <FactList>
        <Fact
          label={t`Born`}
          edit={edit('date', t`Day of birth`, birthDate ?? '', (typed) => ({ birthDate: typed || null }), { birthDate })}
        >
          {birthDate && <PlainDate date={birthDate} />}
        </Fact>
        <Fact label={t`Gender`} edit={edit('text', t`Gender`, gender, (typed) => ({ gender: typed }), { gender })}>
          {gender}
        </Fact>
        <Fact
          label={t`Died`}
          edit={edit('date', t`Day of death`, deceasedOn ?? '', (typed) => ({ deceasedOn: typed || null }), { deceasedOn })}
        >
          {deceasedOn && <PlainDate date={deceasedOn} />}
        </Fact>
        <Fact label={t`Note`} edit={edit('textarea', t`Private note`, note, (typed) => ({ note: typed }), { note })}>
          {note}
        </Fact>
      </FactList>
    </Section>
  )
}
