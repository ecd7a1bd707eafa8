import type { Permission } from '@guildhall/contract/permissions'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'

/** Whether `p`, a row of app.people, belongs today to a chapter in which the caller holds the permission. */
export const isWithin = (permission: Permission): RawBuilder<boolean> =>
  sql`exists (select from app.people_within(${sql.lit(permission)}) w where w.org_id = p.org_id and w.person_id = p.id)`

/** Whether the caller holds the permission over `p`: everywhere, or in a chapter that the person belongs to today. */
export const mayWith = (permission: Permission): RawBuilder<boolean> =>
  sql`((select app.everywhere(${sql.lit(permission)})) or ${isWithin(permission)})`
