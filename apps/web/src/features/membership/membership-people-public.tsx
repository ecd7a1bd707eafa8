import { plural, t } from '@lingui/core/macro'
import { MembershipStanding } from '@guildhall/contract/features/membership'
import type { MembershipOfRow } from '@guildhall/contract/features/membership'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useApi } from '../../platform/api/api.tsx'
import { PlainDate, useFormats } from '../../ui/display/dates.tsx'
import { useMoney } from '../../ui/display/money.tsx'
import type { FilterField, Option } from '../../ui/filter/filter.ts'
import type { TableColumn } from '../../ui/list/data-table.tsx'
import { MembershipBadge, statusWords } from './membership-words.tsx'

// What lists of people show of the membership that counts, for those who may read memberships.

type Row = { membership?: MembershipOfRow | null | undefined }

/** All of them come with the column `membership` of the server. */
export const membershipColumns = <Person extends Row>(): TableColumn<Person>[] => [
  { id: 'membershipType', label: t`Membership type`, width: 150, priority: 3, cell: ({ membership }) => membership?.type.name },
  {
    id: 'membershipStatus',
    label: t`Membership`,
    width: 132,
    priority: 3,
    cell: ({ membership }) => membership && <MembershipBadge status={membership.status} />,
  },
  {
    id: 'termStart',
    label: t`Term start`,
    width: 118,
    priority: 3,
    cell: ({ membership }) => membership?.startsOn && <PlainDate date={membership.startsOn} />,
  },
  {
    id: 'termEnd',
    label: t`Term end`,
    width: 118,
    priority: 2,
    sortable: true,
    cell: ({ membership }) => membership?.endsOn && <PlainDate date={membership.endsOn} />,
  },
  {
    id: 'autoRenew',
    label: t`Auto-renewal`,
    width: 118,
    priority: 3,
    cell: ({ membership }) => membership && (membership.autoRenew ? t`On` : t`Off`),
  },
]

/** "Full member until 3 Dec 2026" */
export function useMembershipLine() {
  const { day } = useFormats()
  return ({ type, endsOn }: MembershipOfRow) => {
    const end = endsOn && day(endsOn)
    return end ? t`${type.name} until ${end}` : type.name
  }
}

/** What renewing many people costs each of them, and who is left out. */
export function useRenewalNote(enabled: boolean): string {
  const { data } = useQuery({ ...useApi().data.membership.types.list.queryOptions({ input: {} }), enabled })
  const { list } = useFormats()
  const money = useMoney()
  const priced = data?.items.filter(({ price, period }) => price.amount > 0 && period !== 'lifetime') ?? []
  const prices = list(priced.map(({ name, price }) => `${name} ${money(price.amount, price.currency)}`))
  const each = priced.length > 0 ? t`Each is invoiced the price of their type today: ${prices}.` : ''
  return `${each} ${t`Undo voids what is not paid.`}`.trim()
}

/** Why people get no renewal invoice. */
export function whyNotRenewed(reason: string, people: number): string {
  switch (reason) {
    case 'no_membership':
      return plural(people, { one: '# person has no membership.', other: '# people have no membership.' })
    case 'awaiting':
      return plural(people, {
        one: '# application is not approved or not paid yet.',
        other: '# applications are not approved or not paid yet.',
      })
    case 'paused':
      return plural(people, { one: '# membership is paused.', other: '# memberships are paused.' })
    case 'cancelled':
      return plural(people, { one: '# membership is cancelled.', other: '# memberships are cancelled.' })
    case 'leaving':
      return plural(people, { one: '# membership is cancelled for a later day.', other: '# memberships are cancelled for a later day.' })
    case 'lifetime':
      return plural(people, { one: '# membership has no next term.', other: '# memberships have no next term.' })
    case 'type_archived':
      return plural(people, { one: '# person has an archived membership type.', other: '# people have an archived membership type.' })
    case 'free':
      return plural(people, { one: '# person has a free membership.', other: '# people have a free membership.' })
    case 'invoiced':
      return plural(people, {
        one: '# person has an invoice for the next term already.',
        other: '# people have an invoice for the next term already.',
      })
    default:
      return plural(people, { one: '# person is left out.', other: '# people are left out.' })
  }
}

type Fields = Record<'membershipType' | 'membershipStatus' | 'termStart' | 'termEnd' | 'autoRenew', Omit<FilterField, 'id'>>

/** The reference never changes. */
export function useMembershipFields(): Fields {
  const api = useApi()
  const cache = useQueryClient()
  return useMemo(() => {
    const types = async (): Promise<Option[]> => {
      const { items } = await cache.query({
        ...api.data.membership.types.list.queryOptions({ input: { archived: true } }),
        staleTime: 60_000,
      })
      return items.map(({ id, name, archivedAt }) => ({ value: id, label: name, ...(archivedAt && { hint: t`Archived` }) }))
    }
    return {
      membershipType: {
        label: t`Membership type`,
        kind: 'record',
        search: async (q) => (await types()).filter(({ label }) => label.toLocaleLowerCase().includes(q.trim().toLocaleLowerCase())),
        names: async (ids) => {
          const known = await types()
          return ids.map((id) => known.find(({ value }) => value === id) ?? { value: id, label: t`a type that no longer exists` })
        },
      },
      membershipStatus: {
        label: t`Membership`,
        kind: 'choice',
        ops: ['in', 'notIn'],
        options: MembershipStanding.options
          .filter((status) => status !== 'applied')
          .map((status) => ({ value: status, label: statusWords()[status] })),
      },
      termStart: { label: t`Term start`, kind: 'date' },
      termEnd: { label: t`Term end`, kind: 'date' },
      autoRenew: { label: t`Auto-renewal`, kind: 'yesNo' },
    }
  }, [api, cache])
}
