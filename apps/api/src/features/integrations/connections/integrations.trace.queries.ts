import type { ValueTrace } from '@guildhall/contract/features/integrations'
import { sql } from 'kysely'
import { statement } from '../../../platform/records/statement.ts'
import { seesField } from './integrations.values.queries.ts'

/** Of consent, connections keep by whom it was said and what was asked for; told is what came of it. */
const shown = sql`case when f.key <> 'subscribed' then f.value ->> 'value'
  when f.value ->> 'value' in ('yes', 'there') then 'yes' when f.value ->> 'value' in ('no', 'withheld', 'declined') then 'no' end`

/**
 * What connections that the caller sees hold of a person whom they see, by field: what both sides last agreed on, when, and in which run. Nothing of fields
 * that the caller does not see of this person, and no row at all where there is no such person.
 */
export const traceQuery = (personId: string) =>
  statement(sql<ValueTrace>`
    select coalesce((select json_agg(json_build_object('field', f.key, 'connection', json_build_object('id', c.id, 'name', c.name, 'connector', c.connector),
        'direction', f.value ->> 'direction', 'value', ${shown}, 'externalId', r.external_id, 'at', f.value ->> 'at', 'runId', f.value ->> 'run')
        order by lower(c.name), c.id, f.key)
      from app.external_refs r
      join app.connections c on c.org_id = r.org_id and c.id = r.connection_id
      cross join lateral jsonb_each(r.agreed) f
      where r.org_id = p.org_id and r.person_id = p.id and r.external_id is not null and jsonb_typeof(f.value) = 'object'
        and f.value ->> 'at' is not null and f.value ->> 'direction' in ('in', 'out') and ${seesField(sql`f.key`)}), '[]') as fields
    from app.people p where p.id = ${personId}`)
