import type { Duplicate, DuplicateQuery } from '@guildhall/contract/features/people'
import { sql } from 'kysely'
import type * as z from 'zod'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import { statement } from '../../../platform/records/statement.ts'
import { homeChapterJoin } from './people.columns.queries.ts'
import { mayEnter, mayWrite } from '../rights/people.rights.queries.ts'

/**
 * People who may be the same one: by e-mail or telephone that the caller may see, by member number, or by a similar name.
 * Names go through the search, since a similarity operator could not use its index below the policies.
 */
export const duplicatesQuery = ({ givenName = '', familyName = '', email, phone, memberNo, exceptId }: z.infer<typeof DuplicateQuery>) => {
  const name = `${givenName} ${familyName}`.trim()
  const digits = (phone ?? '').replace(/\D/g, '')
  return statement(sql<{ may: boolean; items: z.infer<typeof Duplicate>[] }>`
    with named as materialized (select n.id, n.score from app.similar_people(${givenName}, ${familyName}) n where ${name !== ''}),
    hits as (
      select e.person_id as id, 'email' as reason, 1.0 as score from app.person_emails e where ${email ?? ''} <> '' and e.address_key = lower(${email ?? ''})
      union all select f.person_id, 'phone', 0.9 from app.person_phones f where ${digits.length >= 6} and f.digits = ${digits}
      union all select m.id, 'memberNo', 1.0 from app.people m where ${memberNo ?? ''} <> '' and m.member_no_key = lower(${memberNo ?? ''})
      union all select n.id, 'name', n.score from named n
    ),
    best as (select h.id, json_agg(distinct h.reason) as reasons, max(h.score) as score, count(distinct h.reason) as ways from hits h
      where h.id is distinct from ${exceptId ?? null}::uuid group by h.id)
    select ${mayEnter} as may, coalesce(json_agg(json_build_object('person', json_build_object('id', p.id, 'displayName', p.display_name, 'memberNo', p.member_no, 'lifecycle', p.lifecycle,
        'homeChapter', ${orNull('c', chapterRef)}, 'archived', p.deleted_at is not null), 'reasons', b.reasons, 'score', round(b.score::numeric, 3))
      order by b.ways desc, b.score desc, p.sort_name), '[]') as items
    from (select * from best order by ways desc, score desc limit 10) b join app.people p on p.id = b.id ${homeChapterJoin}
    where p.deleted_at is null or ${mayWrite}`)
}
