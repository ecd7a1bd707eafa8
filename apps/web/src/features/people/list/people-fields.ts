import { t } from '@lingui/core/macro'
import type { PeopleFilterField } from '@guildhall/contract/features/people'
import { useMemo } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import { useGivingFields } from './people-giving.tsx'
import { useMembershipFields } from '../../membership/membership-people-public.tsx'
import { useTagOptions } from '../../tags/tags-public.tsx'
import { lifecycleWords } from '../../../platform/records/lifecycle-badge.tsx'
import { affiliationOptions, lifecycleOptions } from '../people-words.tsx'
import { duesField } from './people-dues.tsx'

/** What the reader may read of people beside the directory. */
export type Sees = { contact: boolean; memberships: boolean; dues: boolean; giving: boolean }

/** What the list can be filtered by, likeliest first; every field of the contract must be here. Those about what the reader may not see are left out. */
export function usePeopleFields({ contact, memberships, dues, giving }: Sees): readonly FilterField[] {
  const options = useTagOptions()
  const { chapters, groups } = useRecordSources()
  const membership = useMembershipFields()
  const given = useGivingFields()
  return useMemo(() => {
    const tags = { search: options.tags, names: options.tagNames }
    const choice = ['in', 'notIn'] as const
    const fields: Record<PeopleFilterField, Omit<FilterField, 'id'>> = {
      lifecycle: {
        label: t`Status`,
        kind: 'choice',
        ops: choice,
        options: [
          ...lifecycleOptions(),
          { value: 'merged', label: lifecycleWords().merged },
          { value: 'erased', label: lifecycleWords().erased },
        ],
      },
      chapter: { label: t`Chapter and below`, kind: 'record', ...chapters },
      homeChapter: { label: t`Home chapter`, kind: 'record', ...chapters },
      affiliationKind: { label: t`Affiliation`, kind: 'choice', ops: choice, options: affiliationOptions() },
      ...membership,
      dues: duesField(),
      ...given,
      tag: { label: t`Tag`, kind: 'record', ...tags },
      position: { label: t`Office held today`, kind: 'text' },
      positionEver: { label: t`Office ever held`, kind: 'text' },
      group: { label: t`Group`, kind: 'record', ...groups },
      groupTitle: { label: t`Title in a group`, kind: 'text' },
      name: { label: t`Name`, kind: 'text' },
      memberNo: { label: t`Member number`, kind: 'text' },
      employer: { label: t`Employer`, kind: 'text' },
      jobTitle: { label: t`Job title`, kind: 'text' },
      joinedOn: { label: t`Joined`, kind: 'date' },
      gradYear: { label: t`Graduation year`, kind: 'number' },
      email: { label: t`E-mail address`, kind: 'text' },
      hasEmail: { label: t`Has an e-mail address`, kind: 'yesNo' },
      hasPhone: { label: t`Has a telephone number`, kind: 'yesNo' },
      city: { label: t`City`, kind: 'text' },
      country: { label: t`Country`, kind: 'text' },
      doNotContact: { label: t`Do not contact`, kind: 'yesNo' },
      createdAt: { label: t`Entered`, kind: 'date' },
      updatedAt: { label: t`Last changed`, kind: 'date' },
      archived: { label: t`Archived`, kind: 'yesNo' },
    }
    return Object.entries(fields)
      .filter(
        ([id]) =>
          (contact || !aboutContact.has(id)) &&
          (memberships || !Object.hasOwn(membership, id)) &&
          (dues || id !== 'dues') &&
          (giving || !Object.hasOwn(given, id)),
      )
      .map(([id, field]): FilterField => ({ id, ...field }))
  }, [options, chapters, groups, membership, given, contact, memberships, dues, giving])
}

const aboutContact = new Set<string>(['email', 'hasEmail', 'hasPhone', 'city', 'country'] satisfies PeopleFilterField[])
