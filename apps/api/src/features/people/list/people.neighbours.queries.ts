import type { Lifecycle } from '@guildhall/contract/features/people'
import type { PersonRef } from '@guildhall/contract/shapes'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type * as z from 'zod'
import { personRef } from '../../../platform/lists/json-refs.ts'
import { statement } from '../../../platform/records/statement.ts'
import { peopleWhere, sortKey, withoutKey } from './people.list.queries.ts'
import type { PeopleList } from './people.list.queries.ts'
import { walkByField } from '../../fields/fields.public.ts'
import { commonStanding, walkByTermEnd } from '../../membership/membership.people.public.ts'
import { unlessArchived } from '../rights/people.rights.queries.ts'

type Ref = z.infer<typeof PersonRef> | null

/** Who stands before and after a person in a list; the person need not be in it. No row when the person is not there to see. */
export function neighboursQuery(personId: string, list: PeopleList) {
  const { key, nullable } = sortKey(list.order)
  const step = (onward: boolean): RawBuilder<Ref> => {
    const up = onward !== list.order.descending
    const than = up ? sql`>` : sql`<`
    const direction = up ? sql`asc` : sql`desc`
    const where = peopleWhere(list)
    const pick = (condition: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
      sql<Ref>`(select ${personRef('p')} from app.people p where ${where} and ${condition} order by ${order} limit 1)`
    const { field, by } = list.order
    /** The first with a key behind a place, or of all. */
    const next = (behind: boolean) => {
      const walk = { where, after: behind ? ([sql`me.key`, sql`me.id`] as const) : null, descending: !up, limit: 1 }
      const walked = field
        ? walkByField('people', field, { from: sql`app.people`, ...walk })
        : by === 'termEnd' && walkByTermEnd(walk, commonStanding(list.filter)?.where)
      return walked
        ? sql<Ref>`(select ${personRef('w')} from ${walked} o join app.people w on w.id = o.id)`
        : behind
          ? pick(sql`(${key}, p.id) ${than} (me.key, me.id)`, sql`${key} ${direction}, p.id ${direction}`)
          : pick(sql`${key} is not null`, sql`${key} ${direction}, p.id ${direction}`)
    }
    const keyed = next(true)
    if (!nullable) return keyed
    // Those without a key stand last in either direction.
    const missing = withoutKey(list.order)
    const keyless = pick(sql`${missing} and p.id ${than} me.id`, sql`p.id ${direction}`)
    const across = onward ? pick(missing, sql`p.id ${direction}`) : next(false)
    return onward
      ? sql<Ref>`case when me.key is null then ${keyless} else coalesce(${keyed}, ${across}) end`
      : sql<Ref>`case when me.key is null then coalesce(${keyless}, ${across}) else ${keyed} end`
  }
  return statement(sql<{
    lifecycle: Lifecycle
    previous: Ref
    next: Ref
  }>`select me.lifecycle, ${step(false)} as previous, ${step(true)} as next
    from (select p.id, p.lifecycle, ${key} as key from app.people p where p.id = ${personId} and ${unlessArchived}) me`)
}
