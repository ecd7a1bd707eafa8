import type { AudienceDefinition } from '@guildhall/contract/features/communication.audiences'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../../platform/api/api.tsx'
import type { Place } from '../place-field.tsx'
import { refusalWords } from '../consent/consent-words.ts'
import { NewMessageDialog } from './new-message-dialog.tsx'

type Props = {
  opened: boolean
  onClose: () => void
  audience?: AudienceDefinition
  place?: Place
  /** Of the one person it goes to: what keeps mail from them is said before anything is written. */
  person?: { id: string; displayName: string }
}

/** Begins an e-mail from the page of those it goes to, and goes on where it is written. */
export function WriteDialog({ opened, onClose, audience, place, person }: Props) {
  const navigate = useNavigate()
  const name = person && t`To ${person.displayName}`.slice(0, 120)
  return (
    <NewMessageDialog
      opened={opened}
      onClose={onClose}
      begins={{ ...place, ...(audience && { audience }), ...(name && { name }) }}
      notice={person && <WhyNot personId={person.id} />}
      onCreated={({ id }) => void navigate({ to: '/communication/{-$tab}', params: { tab: 'emails' }, search: { message: id } })}
    />
  )
}

function WhyNot({ personId }: { personId: string }) {
  const { data } = useQuery(useApi().data.communication.consents.reach.queryOptions({ input: { personId } }))
  if (!data || data.refusal === null) return null
  return (
    <p role="note">
      <strong>{data.essentialToo ? t`No mail reaches this person.` : t`Only essential mail reaches this person.`}</strong>{' '}
      {refusalWords()[data.refusal]}
    </p>
  )
}
