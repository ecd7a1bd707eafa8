import { sql } from 'kysely'
import { chapterOf, choice, day, differentPeople, isThere, on, record, recordOf, yesNo } from './reports.sources.queries.ts'
import type { Condition, Sources } from './reports.sources.queries.ts'

/** What ran on a day, whatever became of it since. A day that is not known is long ago. */
const ranOn = (asOf: string): Condition =>
  sql`(a.state in ('active', 'ended') and (a.starts_on is null or a.starts_on <= ${on(asOf)}) and (a.ends_on is null or a.ends_on >= ${on(asOf)}))`

export const relationshipSources: Sources<'relationships'> = {
  relationships: ({ asOf }) => {
    const state = asOf ? sql`'active'::text` : sql`a.state`
    return {
      // `p` is the second of the two: child, little, mentee, recruit. Both have to be people whom the reader sees.
      from: sql`from app.relationships a join app.people p on p.org_id = a.org_id and p.id = a.to_person_id
        join app.people f on f.org_id = a.org_id and f.id = a.from_person_id and f.deleted_at is null and f.lifecycle not in ('merged', 'erased')`,
      where: [isThere, ...(asOf ? [ranOn(asOf)] : [])],
      id: sql`a.id`,
      chapter: sql`p.home_chapter_id`,
      person: sql`a.to_person_id`,
      day: sql`a.starts_on`,
      fields: {
        type: record('relationshipType', sql`a.type_id`),
        state: choice('relationships', 'state', state),
        chapter: chapterOf(sql`p.home_chapter_id`),
        isVerified: yesNo(sql`(a.verified_at is not null)`),
        startsOn: day(sql`a.starts_on`),
      },
      measures: { relationships: { of: 'rows' }, people: differentPeople(sql`a.to_person_id`) },
      joins: sql`left join app.chapters h on h.org_id = p.org_id and h.id = p.home_chapter_id`,
      record: recordOf({
        kind: 'relationship',
        id: sql`a.id`,
        personId: sql`a.to_person_id`,
        name: sql`f.display_name || ' – ' || p.display_name`,
        chapter: 'h',
        detail: sql`(select y.name from app.relationship_types y where y.org_id = a.org_id and y.id = a.type_id)`,
        on: sql`a.starts_on`,
      }),
    }
  },
}
