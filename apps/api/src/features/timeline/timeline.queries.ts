import { timelineKinds } from '@guildhall/contract/features/timeline'
import type { TimelineCategory, TimelineEntry } from '@guildhall/contract/features/timeline'
import type { Lifecycle } from '@guildhall/contract/features/people'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Position } from '../../platform/lists/keyset.ts'
import { mayWith } from '../../platform/lists/people-rights.ts'
import { statement } from '../../platform/records/statement.ts'
import type { TimelineSource } from '../../platform/records/timeline-source.ts'
import { chaptersTimelineSource } from '../chapters/chapters.timeline.public.ts'
import { commentsTimelineSource } from '../comments/comments.timeline.public.ts'
import { eventsTimelineSource } from '../events/events.timeline.public.ts'
import { groupsTimelineSource } from '../groups/groups.timeline.public.ts'
import { fundraisingTimelineSources } from '../fundraising/fundraising.timeline.public.ts'
import { financeTimelineSources } from '../finance/finance.timeline.public.ts'
import { membershipTimelineSources } from '../membership/membership.timeline.public.ts'
import { notesTimelineSource } from '../notes/notes.timeline.public.ts'
import { peopleTimelineSources } from '../people/people.timeline.public.ts'

/** Whatever tells of people. */
const sources: readonly TimelineSource[] = [
  ...peopleTimelineSources,
  ...membershipTimelineSources,
  ...financeTimelineSources,
  chaptersTimelineSource,
  groupsTimelineSource,
  eventsTimelineSource,
  ...fundraisingTimelineSources,
  commentsTimelineSource,
  notesTimelineSource,
]

const zone = sql`(select o.timezone from app.organisations o where o.org_id = (select app.org_id()))`

/**
 * The newest rows of one source, no more than the page can hold. Where instants are kept, an index in their order serves: a bound on the plain column is
 * written out beside the exact one, since below a policy only comparisons of plain columns may use an index.
 */
function newest(source: TimelineSource, personId: string, after: Position | null, limit: number) {
  const { kinds, from, where, person, when, subject, actor, params } = source
  const dated = 'day' in when
  const column = dated ? when.day : when.at
  const moment = dated ? sql`(${column}::timestamp at time zone ${zone})` : column
  const kind = sql`(${source.kind ?? sql.lit(kinds[0])})::text collate "C"`
  const id = sql`(${source.id})::text collate "C"`
  const [last, lastKind, lastId] = after ?? []
  const latest = dated ? sql`(${last}::timestamptz at time zone ${zone})::date` : sql`${last}::timestamptz`
  const bound = after
    ? sql`and ${column} <= ${latest} and (${moment}, ${kind}, ${id}) < (${last}::timestamptz, ${lastKind}, ${lastId})`
    : sql``
  return sql`(select ${moment} as moment, ${kind} as kind, ${id} as id,
      ${dated ? column : sql`(${column} at time zone ${zone})::date`} as "on", ${dated ? sql`null::timestamptz` : column} as at,
      ${subject ?? sql`null::json`} as subject, ${actor ?? sql`null::json`} as actor, ${params ?? sql`json_build_object()`} as params
    ${from} where ${person} = ${personId} and (${where ?? sql`true`}) and ${column} is not null
      and ${dated ? sql`${column} <= (select app.today())` : sql`true`} ${bound}
    order by ${column} desc, 2 desc, 3 desc limit ${sql.lit(limit)})`
}

type Found = TimelineEntry & { moment: string }

/** One page in one statement: the newest of each source, merged. Whoever does not see the person finds no row. */
export function timelineQuery(personId: string, category: TimelineCategory | undefined, after: Position | null, limit: number) {
  const asked = sources.filter(({ kinds }) => category === undefined || timelineKinds[kinds[0]] === category)
  const entries: RawBuilder<Found[]> = sql`(select coalesce(json_agg(t), '[]') from (
    select * from (${sql.join(
      asked.map((source) => newest(source, personId, after, limit)),
      sql` union all `,
    )}) e order by e.moment desc, e.kind desc, e.id desc limit ${sql.lit(limit)}) t)`
  return statement(
    sql<{ lifecycle: Lifecycle; items: Found[] }>`select p.lifecycle, ${entries} as items from app.people p
      where p.id = ${personId} and (p.deleted_at is null or ${mayWith('people.write')})`,
  )
}
