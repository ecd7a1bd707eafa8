import { t } from '@lingui/core/macro'
import { ProblemState } from '../../../platform/problem-state.tsx'
import { Section } from '../../../ui/page.tsx'
import { Loading, SkeletonLines } from '../../../ui/skeletons.tsx'
import { usePersonOverview } from '../people-api.ts'
import type { Person } from '../people-api.ts'
import { PersonContactSection } from './person-contact.tsx'
import { PersonFacts } from './person-facts.tsx'
import { PersonPrivateSection } from './person-private.tsx'
import { usePersonSave } from './use-person-save.tsx'

type Props = { personId: string; part: 'about' | 'contact' }

/** What a person may keep up to date about themselves, for their profile. */
export function OwnPerson({ personId, part }: Props) {
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
  const { person } = query.data
  return part === 'about' ? <About person={person} /> : <PersonContactSection person={person} />
}

function About({ person }: { person: Person }) {
  const { save, dialog } = usePersonSave(person)
  return (
    <>
      <Section title={t`About me`}>
        <PersonFacts person={person} save={save} />
      </Section>
      <PersonPrivateSection person={person} />
      {dialog}
    </>
  )
}
