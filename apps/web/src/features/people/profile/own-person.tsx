import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { ProblemState } from '../../../platform/api/problem-state.tsx'
import { Section, TwoColumns } from '../../../ui/page/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/page/skeletons.tsx'
import { FieldSections } from '../../fields/fields-public.tsx'
import { usePersonOverview } from '../people-api.ts'
import type { Person } from '../people-api.ts'
import { PersonContactSection } from '../page/person-contact.tsx'
import { PersonFacts } from '../page/person-facts.tsx'
import { PersonPrivateSection } from '../page/person-private.tsx'
import { partOf } from './profile-completeness.ts'
import type { OwnField, ProfilePart } from './profile-completeness.ts'
import { ProfileMeter } from './profile-meter.tsx'
import { mayChangeField, usePersonEditor, usePersonFields } from '../page/use-person-editor.ts'
import { useWhoSees } from './use-who-sees.ts'
import { ViewAs } from './view-as.tsx'

type Props = { personId: string; part: ProfilePart; onPart: (part: ProfilePart) => void }

/** What a person may keep up to date about themselves, for their profile. */
export function OwnPerson({ personId, part, onPart }: Props) {
  const query = usePersonOverview(personId)
  if (query.isPending) {
    return (
      <Loading label={t`Loading`}>
        <SkeletonLines count={8} />
      </Loading>
    )
  }
  if (query.isError)
    return <ProblemState problem={query.error} title={t`Your data could not be loaded`} retry={() => void query.refetch()} />
  return <Loaded person={query.data.person} part={part} onPart={onPart} />
}

type LoadedProps = Omit<Props, 'personId'> & { person: Person }

function Loaded({ person, part, onPart }: LoadedProps) {
  const [asked, setAsked] = useState<{ field?: OwnField; times: number }>({ times: 0 })
  const [shown, setShown] = useState(part)
  // A field opens when it is asked for, and not again for somebody who comes back to its section later.
  if (shown !== part) {
    setShown(part)
    if (asked.field && partOf(asked.field) === shown) setAsked({ times: asked.times })
  }
  const fill = (field: OwnField) => {
    setAsked({ field, times: asked.times + 1 })
    onPart(partOf(field))
  }
  return (
    <>
      <ProfileMeter person={person} onFill={fill} />
      {part === 'about' ? (
        <About key={asked.times} person={person} editing={asked.field} />
      ) : (
        <Contact key={asked.times} person={person} editing={asked.field} />
      )}
    </>
  )
}

type PartProps = { person: Person; editing: OwnField | undefined }

function About({ person, editing }: PartProps) {
  const editor = usePersonEditor(person)
  return (
    <>
      <Section title={t`About me`}>
        <PersonFacts person={person} editor={editor} startEditing={editing} />
      </Section>
      <FieldSections
        recordType="people"
        name={person.displayName}
        record={person}
        {...usePersonFields(person.id)}
        may={mayChangeField(person)}
        startEditing={editing}
      />
      <PersonPrivateSection person={person} startEditing={editing} />
      {editor.dialog}
    </>
  )
}

function Contact({ person, editing }: PartProps) {
  const whoSees = useWhoSees()
  return (
    <TwoColumns aside={<ViewAs person={person} />}>
      <PersonContactSection person={person} startEditing={editing} whoSees={whoSees} />
    </TwoColumns>
  )
}
