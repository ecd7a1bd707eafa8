import type { Schema } from '@guildhall/db'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { kindOf } from '../../platform/notify.ts'

export const endDueRelationships = (db: Kysely<Schema>, org: string, today: string) =>
  sql`select app.end_due_relationships(${org}, ${today})`.execute(db)

export const warnOfMajority = (db: Kysely<Schema>, org: string, today: string) =>
  sql`select app.warn_of_majority(${org}, ${today}, ${JSON.stringify(kindOf('relationship-majority'))}::jsonb)`.execute(db)
