import { t } from '@lingui/core/macro'
import type { Membership, Person } from '@guildhall/contract/features/people'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import type { Tone } from '../../ui/display/status-badge.tsx'
import type { Option } from '../../ui/filter/filter.ts'

export type Lifecycle = Person['lifecycle']
export type SettableLifecycle = Exclude<Lifecycle, 'merged' | 'erased'>
export type AffiliationKind = Membership['kind']

export const lifecycleWords = (): Record<Lifecycle, string> => ({
  prospect: t`Prospect`,
  active: t`Active`,
  alumni: t`Alumni`,
  former: t`Former`,
  deceased: t`Deceased`,
  merged: t`Merged`,
  erased: t`Erased`,
})

const tones: Record<Lifecycle, Tone> = {
  prospect: 'info',
  active: 'good',
  alumni: 'accent',
  former: 'neutral',
  deceased: 'neutral',
  merged: 'neutral',
  erased: 'neutral',
}

export const LifecycleBadge = ({ lifecycle }: { lifecycle: Lifecycle }) => (
  <StatusBadge tone={tones[lifecycle]}>{lifecycleWords()[lifecycle]}</StatusBadge>
)

export const settable: readonly SettableLifecycle[] = ['prospect', 'active', 'alumni', 'former', 'deceased']
export const isSettable = (value: string): value is SettableLifecycle => settable.some((known) => known === value)
export const lifecycleOptions = (without: readonly string[] = []): Option[] => {
  const words = lifecycleWords()
  return settable.filter((value) => !without.includes(value)).map((value) => ({ value, label: words[value] }))
}

export const affiliationWords = (): Record<AffiliationKind, string> => ({
  member: t`Member`,
  alumni: t`Alumni`,
  advisor: t`Advisor`,
  friend: t`Friend`,
  applicant: t`Applicant`,
})
const affiliationKinds: readonly AffiliationKind[] = ['member', 'alumni', 'advisor', 'friend', 'applicant']
export const isAffiliationKind = (value: string): value is AffiliationKind => affiliationKinds.some((known) => known === value)
export const affiliationOptions = (): Option[] => affiliationKinds.map((value) => ({ value, label: affiliationWords()[value] }))

export const visibleToOptions = () => [
  { value: 'officers' as const, label: t`Officers` },
  { value: 'members' as const, label: t`Members` },
]

/** "Ada (Countess) Byron" where somebody is called otherwise than registered. */
export const calledName = (person: { givenName: string; preferredName: string }) =>
  person.preferredName && person.preferredName !== person.givenName ? person.preferredName : undefined
