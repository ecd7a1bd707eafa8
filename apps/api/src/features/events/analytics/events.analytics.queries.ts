import type {
  EventAnalytics,
  EventComparison,
  EventComparisonInput,
  EventFigures,
  EventGrouping,
  EventMoney,
  EventsOverview,
} from '@guildhall/contract/features/events.analytics'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type * as z from 'zod'
import { mayInChapter } from '../../../platform/lists/json-refs.ts'
import { statement } from '../../../platform/records/statement.ts'
import { manages } from '../events.queries.ts'

const seated = sql<SqlBool>`r.status in ('confirmed', 'checked_in')`
const local = (column: RawBuilder<unknown>) => sql`to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS')`
const list = (item: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`coalesce(json_agg(${item} order by ${order}), '[]')`
const attendance = sql`'seats', count(*) filter (where ${seated})::int, 'attended', count(*) filter (where r.status = 'checked_in')::int`
const revenue = (where: RawBuilder<SqlBool>) => sql`(select ${list(
  sql`json_build_object('currency', m.currency, 'charged', m.charged, 'paid', m.paid, 'open', m.open, 'refunded', m.refunded)`,
  sql`m.currency`,
)} from (select v.currency, sum(v.charged)::bigint as charged, sum(v.paid)::bigint as paid, sum(v.open)::bigint as open, sum(v.refunded)::bigint as refunded
  from money v where ${where} group by v.currency) m)`

/** Where the reader finds the invoices of a chapter: whoever keeps all books, at the top of the tree. */
const booksOf = (chapterId: RawBuilder<unknown>) => sql`case
  when (select app.everywhere('finance.read')) then (select c.id from app.chapters c where c.parent_id is null order by c.id limit 1)
  when ${chapterId} = any ((select app.scope('finance.read'))::uuid[]) then ${chapterId} end`

/** Days from a registration to the start of its event, by the clocks of the event. */
const daysBefore = sql`greatest(-31, least(180, e.starts_local::date - (r.created_at at time zone e.timezone)::date))`
const days = (from: RawBuilder<unknown>) => sql`(
  select ${list(sql`json_build_object('days', d.days, 'registered', d.registered, 'seats', d.seats)`, sql`d.days desc`)}
  from (select ${daysBefore} as days, count(*)::int as registered, count(*) filter (where ${seated})::int as seats
    from ${from} group by 1) d)`

/** Each registration of the event is read once, and once more for its answers. */
export const analyticsQuery = (eventId: string, compareTo: string | undefined) =>
  statement(sql<{ item: EventAnalytics }>`
    with ev as materialized (select e.* from app.events e where e.id = ${eventId} and ${manages}),
    regs as materialized (
      select r.id, r.host_id, r.status, r.source, r.ticket_type_id, r.created_at, r.confirmed_at, r.checked_in_at from app.registrations r where r.event_id = ${eventId}),
    money as materialized (select * from app.event_revenue(array[${eventId}::uuid])),
    earlier as materialized (
      select e.* from ev join app.events e on e.org_id = ev.org_id and ${
        compareTo === undefined
          ? sql`e.series_id = ev.series_id and e.starts_at < ev.starts_at and e.published_at is not null and e.cancelled_at is null`
          : sql`e.id = ${compareTo} and e.id <> ev.id`
      } and ${manages} order by e.starts_at desc limit 3),
    given as materialized (
      select q.id as question_id, a.answer -> 'value' as value
      from app.registrations r cross join lateral jsonb_array_elements(r.answers) a (answer)
        join app.event_questions q on q.event_id = ${eventId} and q.id = (a.answer ->> 'questionId')::uuid and q.kind in ('choice', 'choices', 'flag')
      where r.event_id = ${eventId} and ${seated} and r.answers <> '[]'),
    answered as materialized (select g.question_id, count(*)::int as count from given g group by g.question_id),
    picked as materialized (
      select g.question_id, x.value #>> '{}' as value, count(*)::int as count
      from given g cross join lateral jsonb_array_elements(case jsonb_typeof(g.value) when 'array' then g.value else jsonb_build_array(g.value) end) x (value)
      group by 1, 2)
    select (json_build_object(
        'event', json_build_object('id', e.id, 'title', e.title, 'status', e.status, 'startsAt', e.starts_at, 'endsAt', e.ends_at, 'timezone', e.timezone,
          'startsLocal', ${local(sql`e.starts_local`)}, 'capacity', e.capacity, 'seriesId', e.series_id),
        'booksChapterId', ${booksOf(sql`e.chapter_id`)}, 'asOf', now(), 'over', e.ends_at <= now(), 'firstTime', f.first_time, 'newMembers', f.new_members,
        'waitingList', json_build_object('joined', f.joined, 'offered', f.offered, 'accepted', f.accepted, 'declined', f.declined, 'expired', f.expired, 'left', f.gone),
        'days', ${days(sql`regs r`)},
        'earlier', (select ${list(sql`json_build_object('id', x.id, 'title', x.title, 'startsLocal', ${local(sql`x.starts_local`)}, 'seats', x.seats, 'attended', x.attended, 'days', x.days)`, sql`x.starts_at desc`)}
          from (select e.id, e.title, e.starts_at, e.starts_local, n.confirmed + n.checked_in as seats, n.checked_in as attended, ${days(sql`app.registrations r where r.event_id = e.id`)} as days
            from earlier e join app.event_counts n on n.event_id = e.id) x),
        'revenue', ${revenue(sql`true`)})::jsonb
      || (select jsonb_build_object(${attendance},
          'noShows', case when e.ends_at <= now() and count(*) filter (where r.status = 'checked_in') > 0 then count(*) filter (where r.status = 'confirmed')::int end,
          'guests', count(*) filter (where ${seated} and r.host_id is not null)::int, 'pendingApproval', count(*) filter (where r.status = 'pending_approval')::int,
          'pendingPayment', count(*) filter (where r.status = 'pending_payment')::int, 'offered', count(*) filter (where r.status = 'offered')::int,
          'waiting', count(*) filter (where r.status = 'waitlisted')::int, 'cancelled', count(*) filter (where r.status = 'cancelled')::int,
          'rejected', count(*) filter (where r.status = 'rejected')::int,
          'funnel', json_build_object('invited', (select nullif(count(*), 0)::int from app.event_invitations i where i.event_id = e.id), 'registered', count(*)::int,
            'confirmed', count(*) filter (where r.confirmed_at is not null or ${seated})::int, 'attended', count(*) filter (where r.status = 'checked_in')::int)) from regs r)
      || jsonb_build_object(
        'sources', (select ${list(sql`s.item`, sql`s.source`)} from (
          select r.source, json_build_object('source', r.source, 'registered', count(*)::int, ${attendance}) as item from regs r group by r.source) s),
        'ticketTypes', (select ${list(sql`k.item`, sql`k.place nulls last, k.id`)} from (
          select t.place, t.id, json_build_object('id', t.id, 'name', coalesce(t.name, ''), 'quota', t.quota, 'registered', count(r.id)::int, ${attendance},
              'revenue', ${revenue(sql`v.ticket_type_id is not distinct from t.id`)}) as item
          from (select t.id, t.name, t.quota, t.place from app.event_ticket_types t
              where t.event_id = e.id and (t.archived_at is null or exists (select from regs x where x.ticket_type_id = t.id))
            union all select null, null, null, null where exists (select from regs x where x.ticket_type_id is null)) t
          left join regs r on r.ticket_type_id = t.id or (r.ticket_type_id is null and t.id is null) group by t.place, t.id, t.name, t.quota) k),
        'answers', (select ${list(
          sql`json_build_object('questionId', q.id, 'text', q.text, 'kind', q.kind,
            'answered', coalesce((select d.count from answered d where d.question_id = q.id), 0),
            'options', (select ${list(sql`json_build_object('value', o.value, 'count', o.count)`, sql`o.count desc, o.value`)} from (
              select w.value, coalesce(p.count, 0) as count from (
                select unnest(case q.kind when 'flag' then array['true', 'false'] else q.options end) as value union select p.value from picked p where p.question_id = q.id) w
              left join picked p on p.question_id = q.id and p.value = w.value order by 2 desc, w.value limit 60) o))`,
          sql`q.place, q.id`,
        )} from app.event_questions q where q.event_id = e.id and q.kind in ('choice', 'choices', 'flag')
          and (q.archived_at is null or exists (select from answered d where d.question_id = q.id))),
        'arrivals', (select ${list(sql`json_build_object('at', a.at, 'atLocal', ${local(sql`a.at at time zone e.timezone`)}, 'count', a.count)`, sql`a.at`)} from (
          select date_bin('15 minutes', r.checked_in_at, '2000-01-01T00:00:00Z') as at, count(*)::int as count from regs r
          where r.status = 'checked_in' and r.checked_in_at is not null group by 1 order by 1 limit 400) a))) as item
    from ev e cross join app.event_follow_up(${eventId}::uuid) f`)

/** For whoever keeps the books without running the event, who may not even see it: how many, and the money. */
export const revenueQuery = (eventId: string) =>
  statement(sql<{ item: EventMoney }>`
    with ev as materialized (select f.* from app.counted_events(null, null, ${eventId}::uuid) f),
    money as materialized (select * from app.event_revenue(array[${eventId}::uuid]))
    select json_build_object(
      'event', json_build_object('id', e.event_id, 'title', e.title, 'startsLocal', ${local(sql`e.starts_local`)}, 'calledOff', e.called_off),
      'booksChapterId', ${booksOf(sql`e.chapter_id`)}, 'capacity', e.capacity, 'seats', e.seats, 'attended', e.attended, 'revenue', ${revenue(sql`true`)},
      'ticketTypes', (select ${list(
        sql`json_build_object('id', x.ticket_type_id, 'name', coalesce(t.name, ''), 'revenue', ${revenue(sql`v.ticket_type_id is not distinct from x.ticket_type_id`)})`,
        sql`t.place nulls last, x.ticket_type_id`,
      )} from (select distinct v.ticket_type_id from money v) x left join app.counted_tickets(${eventId}::uuid) t on t.ticket_type_id = x.ticket_type_id)) as item
    from ev e`)

// Across events ---------------------------------------------------------------------------------------------------------------------------

const belowChapter = (column: RawBuilder<unknown>, chapterId: string) =>
  sql<SqlBool>`${column} in (select a.chapter_id from app.chapter_ancestors a where a.ancestor_id = ${chapterId}::uuid)`

const keys: Record<EventGrouping, RawBuilder<string>> = {
  event: sql`f.event_id::text`,
  chapter: sql`coalesce(f.chapter_id::text, '')`,
  group: sql`coalesce(f.group_id::text, '')`,
  series: sql`coalesce(f.series_id::text, '')`,
  kind: sql`f.kind`,
  mode: sql`f.mode`,
  month: sql`to_char(f.starts_local, 'YYYY-MM')`,
  weekday: sql`to_char(f.starts_local, 'ID')`,
  hour: sql`to_char(f.starts_local, 'HH24')`,
}
const labels: Partial<Record<EventGrouping, RawBuilder<string>>> = {
  event: sql`k.title`,
  chapter: sql`(select c.name from app.chapters c where c.id = nullif(k.key, '')::uuid)`,
  group: sql`(select g.name from app.groups g where g.id = nullif(k.key, '')::uuid)`,
  series: sql`case when k.key <> '' then k.title end`,
}
const inTheirOrder: readonly EventGrouping[] = ['month', 'weekday', 'hour']

/** Of more seats than these, people and money are not counted: it would take longer than a page waits. */
export const mostSeats = 200_000

type Comparison = z.infer<typeof EventComparisonInput>
export const comparisonQuery = ({ from, to, by, chapterId, groupId, kind, mode, seriesId, weekday, hour }: Comparison) => {
  const where: RawBuilder<SqlBool>[] = [sql`true`]
  if (chapterId) where.push(chapterId === 'none' ? sql`f.chapter_id is null` : belowChapter(sql`f.chapter_id`, chapterId))
  if (groupId) where.push(groupId === 'none' ? sql`f.group_id is null` : sql`f.group_id = ${groupId}::uuid`)
  if (kind) where.push(sql`f.kind = ${kind}`)
  if (mode) where.push(sql`f.mode = ${mode}`)
  if (seriesId) where.push(seriesId === 'none' ? sql`f.series_id is null` : sql`f.series_id = ${seriesId}::uuid`)
  if (weekday) where.push(sql`${keys.weekday} = ${weekday}`)
  if (hour) where.push(sql`${keys.hour} = ${hour}`)
  const figures = sql<EventFigures>`'events', k.events, 'calledOff', k.called_off, 'capacity', k.capacity, 'filled', k.filled, 'seats', k.seats, 'attended', k.attended,
    'expected', k.expected, 'came', k.came, 'cancelled', k.cancelled, 'managed', k.managed, 'people', case when b.known then coalesce(w.people, 0) end, 'repeat', case when b.known then coalesce(w.repeat, 0) end,
    'firstTime', case when b.known then coalesce(w.first_time, 0) end, 'revenue', case when b.fits then coalesce(m.revenue, '[]') end`
  return statement(sql<EventComparison>`
    with ev as materialized (select f.*, ${keys[by]} as key from app.counted_events(${from}::date, ${to}::date) f where ${sql.join(where, sql` and `)}),
    bounds as materialized (
      select x.fits, x.fits and x.managed as known from (
        select coalesce(sum(e.seats + e.cancelled), 0) <= ${sql.lit(mostSeats)} as fits, coalesce(bool_and(e.managed), true) as managed from ev e) x),
    ids as materialized (select coalesce(array_agg(e.event_id) filter (where not e.called_off), '{}') as held, coalesce(array_agg(e.event_id), '{}') as all from ev e, bounds b where b.fits),
    totals as materialized (
      select grouping(e.key) = 1 as everything, e.key, max(e.title) as title, max(e.starts_local) as starts_local, coalesce(bool_and(e.managed), true) as managed, count(*) filter (where not e.called_off)::int as events, count(*) filter (where e.called_off)::int as called_off,
        coalesce(sum(e.capacity) filter (where not e.called_off), 0)::int as capacity, coalesce(sum(e.seats) filter (where e.capacity is not null and not e.called_off), 0)::int as filled,
        coalesce(sum(e.seats) filter (where not e.called_off), 0)::int as seats, coalesce(sum(e.attended) filter (where not e.called_off), 0)::int as attended,
        coalesce(sum(e.seats) filter (where e.over and e.attended > 0 and not e.called_off), 0)::int as expected,
        coalesce(sum(e.attended) filter (where e.over and e.attended > 0 and not e.called_off), 0)::int as came,
        coalesce(sum(e.cancelled) filter (where not e.called_off), 0)::int as cancelled
      from ev e group by grouping sets ((e.key), ())),
    seats as materialized (select s.event_id, s.person_id, s.first from ids cross join lateral app.event_seats(ids.held) s),
    often as materialized (select s.person_id from seats s group by s.person_id having count(*) > 1),
    who as materialized (
      select grouping(e.key) = 1 as everything, e.key, count(distinct s.person_id)::int as people, count(distinct o.person_id)::int as repeat,
        count(distinct s.person_id) filter (where s.first)::int as first_time
      from seats s join ev e on e.event_id = s.event_id left join often o on o.person_id = s.person_id group by grouping sets ((e.key), ())),
    money as materialized (
      select x.everything, x.key, json_agg(json_build_object('currency', x.currency, 'charged', x.charged, 'paid', x.paid, 'open', x.open, 'refunded', x.refunded) order by x.currency) as revenue
      from (select grouping(e.key) = 1 as everything, e.key, v.currency, sum(v.charged)::bigint as charged, sum(v.paid)::bigint as paid, sum(v.open)::bigint as open,
          sum(v.refunded)::bigint as refunded
        from ids cross join lateral app.event_revenue(ids.all) v join ev e on e.event_id = v.event_id group by grouping sets ((e.key, v.currency), (v.currency))) x
      group by x.everything, x.key),
    shown as materialized (
      select * from totals k where not k.everything order by ${inTheirOrder.includes(by) ? sql`k.key` : sql`k.seats desc, k.events desc, k.key`} limit 200)
    select (select json_build_object(${figures}) from totals k cross join bounds b left join who w on w.everything left join money m on m.everything where k.everything) as total,
      (select ${list(
        sql`json_build_object('key', k.key, 'label', coalesce(${labels[by] ?? sql`k.key`}, ''), 'startsOn', ${by === 'event' ? sql`k.starts_local::date` : sql`null`}, ${figures})`,
        inTheirOrder.includes(by) ? sql`k.key` : sql`k.seats desc, k.events desc, k.key`,
      )} from shown k cross join bounds b left join who w on w.key = k.key and not w.everything left join money m on m.key = k.key and not m.everything) as items,
      (select count(*)::int from totals k where not k.everything) as groups,
      ${booksOf(sql`(select c.id from app.chapters c where c.id = any ((select app.scope('finance.read'))::uuid[]) order by c.depth, c.id limit 1)`)} as "booksChapterId"`)
}

// Overviews -------------------------------------------------------------------------------------------------------------------------------

const monthAgo = (months: RawBuilder<unknown>) =>
  sql`(date_trunc('month', (select app.today())::timestamp) - make_interval(months => ${months}))::date`
const twelve = (from: 0 | 12) =>
  sql`(select ${list(
    sql`json_build_object('month', to_char(m.month, 'YYYY-MM'), 'events', coalesce(h.events, 0), 'expected', coalesce(h.expected, 0), 'came', coalesce(h.came, 0))`,
    sql`m.month`,
  )} from (select ${monthAgo(sql`back`)} as month from generate_series(${sql.lit(from)}, ${sql.lit(from + 11)}) back) m left join held h on h.month = m.month)`

export const overviewQuery = ({ chapterId, groupId }: { chapterId?: string | undefined; groupId?: string | undefined }) => {
  const place = (alias: string): RawBuilder<SqlBool> =>
    sql`${chapterId ? belowChapter(sql.ref(`${alias}.chapter_id`), chapterId) : sql`true`} and ${groupId ? sql`${sql.ref(`${alias}.group_id`)} = ${groupId}::uuid` : sql`true`}`
  const may = groupId
    ? sql`exists (select from app.groups g where g.id = ${groupId}::uuid and (${mayInChapter('events.manage', sql`g.chapter_id`)} or g.id = any ((select app.group_scope('events.manage'))::uuid[])))`
    : chapterId
      ? mayInChapter('events.manage', sql`${chapterId}::uuid`)
      : sql`(select app.everywhere('events.manage'))`
  return statement(sql<EventsOverview>`
    with held as materialized (
      select date_trunc('month', f.starts_local)::date as month, count(*)::int as events, coalesce(sum(f.seats) filter (where f.attended > 0), 0)::int as expected,
        sum(f.attended)::int as came
      from app.counted_events(${monthAgo(sql`23`)}, (select app.today())) f where f.managed and f.over and not f.called_off and ${place('f')} group by 1)
    select (select count(*)::int from app.events e where e.status = 'published' and e.starts_at > now() - interval '31 days' and e.ends_at > now() and e.visibility <> 'unlisted'
        and e.template_name is null and ${place('e')}) as upcoming,
      case when ${may} then json_build_object('months', ${twelve(0)}, 'before', ${twelve(12)}) end as attendance`)
}
