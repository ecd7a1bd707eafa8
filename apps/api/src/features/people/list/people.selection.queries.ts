import type { Filter } from '@guildhall/contract/shapes'
import type { ActorDb } from '@guildhall/db'
import type { RawBuilder, SqlBool } from 'kysely'
import { fieldsOfFilter } from '../../fields/fields.public.ts'
import { peopleWhere } from './people.list.queries.ts'

/** Whom filters and words of the people list find, as a condition on `p`, a row of app.people; what the list refuses is refused here as well. */
export async function peopleSelection(
  db: ActorDb,
  { q, filter }: { q?: string | undefined; filter?: Filter | undefined },
): Promise<RawBuilder<SqlBool>> {
  return peopleWhere({ q, filter, fields: await fieldsOfFilter(db, 'people', filter) })
}
