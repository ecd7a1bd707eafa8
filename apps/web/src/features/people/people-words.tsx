import { t } from '@lingui/core/macro'
import type { Membership, Person } from '@guildhall/contract/features/people'
import { lifecycleWords } from '../../platform/records/lifecycle-badge.tsx'
import type { Option } from '../../ui/filter/filter.ts'

export type Lifecycle = Person['lifecycle']
export type SettableLifecycle = Exclude<Lifecycle, 'merged' | 'erased'>
export type AffiliationKind = Membership['kind']

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
