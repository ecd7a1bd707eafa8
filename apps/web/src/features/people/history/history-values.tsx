import { t } from '@lingui/core/macro'
import { StoredValue } from '../../../ui/display/stored-value.tsx'
import { lifecycleWords } from '../../../platform/records/lifecycle-badge.tsx'
import { affiliationWords } from '../people-words.tsx'

/** A stored value as a person reads it. */
export const ValueText = ({ value }: { value: unknown }) => <StoredValue value={value} words={(code) => words()[code]} />

const words = (): Record<string, string> => ({
  ...affiliationWords(),
  ...lifecycleWords(),
  officers: t`officers`,
  members: t`members`,
  leader: t`leader`,
  moderator: t`moderator`,
  requested: t`requested`,
  invited: t`invited`,
  declined: t`declined`,
  removed: t`removed`,
})
