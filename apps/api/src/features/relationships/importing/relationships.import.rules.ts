import { error, headerOf } from '../../imports/imports.plan.public.ts'
import type { Draft, Mapped } from '../../imports/imports.plan.public.ts'
import type { Broken } from './relationships.import.queries.ts'

/** Says of a row which rule refuses it. */
export function refuse(draft: Draft, mapped: Mapped, { rule, params }: Broken): void {
  switch (rule) {
    case 'relationship_cycle':
      return error(
        draft,
        'relationship_cycle',
        `This would form a circle: ${params['path'] ?? ''}.`,
        'Leave out one of these rows, or turn it around.',
        {
          params: { path: params['path'] ?? '' },
        },
      )
    case 'relationship_max_parents':
      return error(
        draft,
        'relationship_max_parents',
        `The second person has as many as are allowed at a time: ${params['max'] ?? ''}.`,
        'Give each a first and a last day, or leave this row out.',
        {
          params: { max: params['max'] ?? 0 },
        },
      )
    case 'relationship_minors_only':
      return error(
        draft,
        'relationship_minors_only',
        'This relationship is for minors, and the second person is none or has no birth date.',
        'Import the birth date first, or leave this row out.',
      )
    case 'relationship_under_age':
      return error(draft, 'relationship_under_age', 'The first person is under age.', 'Correct the row, or the birth date of the person.')
    case 'relationship_manager_managed':
      return error(
        draft,
        'relationship_manager_managed',
        'Someone who manages a record cannot have their own record managed.',
        'Leave out one of these rows.',
      )
    case 'relationship_taken':
      return error(
        draft,
        'relationship_taken',
        'These two have this relationship already, or another row of this file says so.',
        'Keep one of the rows, or give each its last day.',
      )
    case 'relationship_not_yours':
      return error(draft, 'not_allowed', 'Relationships of these two are recorded by others.', 'Ask an administrator to import this row.')
    case 'person_deceased':
      return error(
        draft,
        'person_deceased',
        'One of the two is deceased, so the record is read-only.',
        'Change the status first if that is a mistake, or leave this row out.',
      )
    case 'person_merged':
    case 'person_erased':
      return error(draft, rule, 'The record of one of the two is closed.', 'Leave this row out.')
    default:
      return error(draft, 'refused', 'A rule of the organisation refuses this row.', 'Correct the row.', {
        column: headerOf(mapped, 'relationshipType'),
        params: { rule },
      })
  }
}
