import type { FilterField } from '../../ui/filter/filter.ts'
import { useRights } from '../../platform/session/session.ts'
import { useListWithFields } from '../fields/fields-public.tsx'
import { usePeopleFields } from './list/people-fields.ts'

const noColumns: never[] = []

/** What the list of people can be filtered by, for whoever chooses people elsewhere. */
export function usePeopleFilterFields(): readonly FilterField[] {
  const can = useRights()
  const fields = usePeopleFields({
    contact: can('people.contact'),
    memberships: can('memberships.read'),
    dues: can('finance.read'),
    giving: can('gifts.read'),
  })
  return useListWithFields('people', { columns: noColumns, fields }).fields
}
