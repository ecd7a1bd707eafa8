import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { countLimit } from '../../../platform/lists/keyset.ts'
import { statement } from '../../../platform/records/statement.ts'
import { anybodyFound } from '../../../platform/lists/person-match.ts'
import type { FindPeople } from '../../../platform/lists/person-match.ts'
import type { CallerContext } from '../../../platform/procedures/context.ts'

type Condition = RawBuilder<SqlBool>

/** How far a text reaches: how many people it finds, counted to one more than the count limit, and whether their names alone are looked at. */
export type Reach = { people: number; namesAlone: boolean }

const reachQuery = (words: string) =>
  statement(sql<Reach>`select r.people, r.names_alone as "namesAlone" from app.search_reach(${words}) r`)

/** Asked before a list that is searched by a text: who fits is collected by index when few do, and met along the list when many do. */
export async function reachOf(context: Pick<CallerContext, 'read'>, words: string | undefined): Promise<Reach | undefined> {
  const [reach] = words ? await context.read(reachQuery(words)) : []
  return reach
}

export const isFar = (reach: Reach | undefined): boolean => reach !== undefined && reach.people > countLimit

/** Whether `p`, a row of app.people, fits the words, as app.search_people has it. */
export const fits = (words: string, reach: Reach | undefined): Condition =>
  reach && isFar(reach) ? fitsItself(words, reach) : anybodyFound(words)

/** Looks at each person that it meets instead of collecting everybody who fits; the policies say which addresses it may look at. */
function fitsItself(words: string, { namesAlone }: Reach): Condition {
  const term = (name: string) => sql`(select t.${sql.ref(name)} from app.search_terms(${words}) t)`
  const [names, starts] = [sql`${term('names')}::text[]`, sql`${term('starts')}::text[]`]
  const byName = sql`(p.search like all (${names}) and (${starts} is null or p.sort_name ^@ any (${starts})))`
  if (namesAlone) return sql`${byName}`
  return sql`(${byName}
    or exists (select from app.person_emails e where e.org_id = p.org_id and e.person_id = p.id
      and case when ${term('whole')} then e.address_key else e.local_key end like ${term('email')})
    or exists (select from app.person_phones f where f.org_id = p.org_id and f.person_id = p.id and f.digits like ${term('phone')})
    or (${starts} is null and exists (select from app.people_field_values v where v.org_id = p.org_id and v.person_id = p.id
      and v.field_id = any (array(select f.id from app.fields f where f.record_type = 'people' and f.searchable and f.archived_at is null))
      and v.key like all (${names}))))`
}

/** The same for lists of other features, whose rows have a person. */
export const findPeople: FindPeople = async (context, words) => {
  const reach = await reachOf(context, words)
  return words && reach ? { isFar: isFar(reach), fits: fits(words, reach) } : undefined
}
