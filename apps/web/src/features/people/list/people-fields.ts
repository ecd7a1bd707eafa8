import { t } from '@lingui/core/macro'
import type { PeopleFilterField } from '@guildhall/contract/features/people'
import { useMemo } from 'react'
import { useRecordSources } from '../../../platform/records/record-sources.ts'
import type { FilterField } from '../../../ui/filter/filter.ts'
import { useTagOptions } from '../../tags/tags-public.tsx'
import { affiliationOptions, lifecycleOptions, lifecycleWords } from '../people-words.tsx'

/** What the list can be filtered by, likeliest first; every field of the contract must be here. Those about contact data only for whom may see it. */
export function usePeopleFields(seesContact: boolean): readonly FilterField[] {
  const options = useTagOptions()
  const { chapters, groups } = useRecordSources()
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
      affiliationKind: { label: t`Membership type`, kind: 'choice', ops: choice, options: affiliationOptions() },
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
      .filter(([id]) => seesContact || !aboutContact.has(id))
      .map(([id, field]): FilterField => ({ id, ...field }))
  }, [options, chapters, groups, seesContact])
}

const aboutContact = new Set<string>(['email', 'hasEmail', 'hasPhone', 'city', 'country'] satisfies PeopleFilterField[])
