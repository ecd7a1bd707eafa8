import type { MessageReport, MessagesOverview } from '@guildhall/contract/features/communication.messages'
import { sql } from 'kysely'
import { chapterRef, orNull } from '../../../platform/lists/json-refs.ts'
import { statement } from '../../../platform/records/statement.ts'
import { countsOf, joinCounts, leftStates } from './communication.messages.queries.ts'

// Reports read what is counted beside the deliveries, never the deliveries themselves, so that ten million of them take no longer than ten.

const list = (states: readonly string[]) => sql.lit(`{${states.join(',')}}`)
const left = sql`${list(leftStates)}::text[]`
const bounced = sql`'{soft_bounce,hard_bounce}'::text[]`
const total = (alias: string, condition: ReturnType<typeof sql>) =>
  sql`coalesce(sum(${sql.ref(`${alias}.n`)}) filter (where ${condition}), 0)::int`

/** A bounce comes after the mail has left, so an hour counts what left once: as sent, or as unknown. */
export const reportQuery = (id: string) =>
  statement(sql<{ item: MessageReport }>`
    select json_build_object('counts', ${countsOf},
      'skipped', (select coalesce(json_agg(json_build_object('reason', substr(x.what, 9), 'people', x.n) order by x.n desc), '[]') from app.message_counts x
        where x.org_id = m.org_id and x.message_id = m.id and x.what like 'skipped:%' and x.n > 0),
      'countsClicks', coalesce(s.counts_clicks, false), 'countsOpens', coalesce(s.counts_opens, false),
      'hours', (select coalesce(json_agg(json_build_object('hour', h.hour, 'left', h.gone, 'delivered', h.delivered, 'bounced', h.bounced, 'opened', h.opened, 'clicked', h.clicked, 'unsubscribed', h.unsubscribed) order by h.hour), '[]')
        from (select x.hour, ${total('x', sql`x.what in ('sent', 'unknown')`)} as gone, ${total('x', sql`x.what = 'delivered'`)} as delivered, ${total('x', sql`x.what = any (${bounced})`)} as bounced,
            ${total('x', sql`x.what = 'opened'`)} as opened, ${total('x', sql`x.what = 'clicked'`)} as clicked, ${total('x', sql`x.what = 'unsubscribed'`)} as unsubscribed
          from app.message_hours x where x.org_id = m.org_id and x.message_id = m.id and x.hour < coalesce(m.started_at, now()) + interval '14 days' group by x.hour) h),
      'links', (select coalesce(json_agg(json_build_object('url', l.url, 'people', l.people, 'clicks', l.clicks, 'programs', l.programs) order by l.number), '[]')
        from app.message_links l where l.org_id = m.org_id and l.message_id = m.id),
      'chapters', (select coalesce(json_agg(json_build_object('chapter', ${orNull('c', chapterRef)}, 'recipients', h.recipients, 'left', h.gone, 'bounced', h.bounced, 'opened', h.opened, 'clicked', h.clicked,
          'unsubscribed', h.unsubscribed) order by h.recipients desc, h.chapter_id), '[]')
        from (select x.org_id, x.chapter_id, ${total('x', sql`x.what not in ('opened', 'clicked', 'unsubscribed') and x.what not like 'skipped:%'`)} as recipients, ${total('x', sql`x.what = any (${left})`)} as gone,
            ${total('x', sql`x.what = any (${bounced})`)} as bounced, ${total('x', sql`x.what = 'opened'`)} as opened, ${total('x', sql`x.what = 'clicked'`)} as clicked,
            ${total('x', sql`x.what = 'unsubscribed'`)} as unsubscribed
          from app.message_chapters x where x.org_id = m.org_id and x.message_id = m.id group by x.org_id, x.chapter_id order by recipients desc limit 1000) h
        left join app.chapters c on c.org_id = h.org_id and c.id = h.chapter_id)) as item
    from app.messages m ${joinCounts} left join app.communication_settings s on s.org_id = m.org_id where m.id = ${id}`)

export const overviewQuery = () =>
  statement(sql<{ item: MessagesOverview }>`
    with seen as materialized (
      select m.id, m.name, m.started_at, to_char(m.started_at at time zone o.timezone, 'YYYY-MM') as month, k.n from app.messages m join app.organisations o on o.org_id = m.org_id
      cross join lateral (select coalesce(jsonb_object_agg(x.what, x.n), '{}') as n from app.message_counts x where x.org_id = m.org_id and x.message_id = m.id and x.what not like 'skipped:%') k
      where m.started_at >= now() - interval '400 days' and m.automation_id is null),
    counted as materialized (
      select s.*, (select coalesce(sum((s.n ->> x)::int), 0)::int from unnest(${left}) x) as gone, (select coalesce(sum((s.n ->> x)::int), 0)::int from unnest(${bounced}) x) as bounced,
        coalesce((s.n ->> 'complaint')::int, 0) as complaints, coalesce((s.n ->> 'clicked')::int, 0) as clicked, coalesce((s.n ->> 'opened')::int, 0) as opened,
        coalesce((s.n ->> 'unsubscribed')::int, 0) as unsubscribed from seen s)
    select json_build_object(
      'months', (select json_agg(json_build_object('month', d.month, 'messages', coalesce(c.messages, 0), 'left', coalesce(c.gone, 0), 'bounced', coalesce(c.bounced, 0), 'clicked', coalesce(c.clicked, 0),
          'unsubscribed', coalesce(c.unsubscribed, 0)) order by d.month)
        from (select to_char(date_trunc('month', app.today()) - make_interval(months => b), 'YYYY-MM') as month from generate_series(0, 11) b) d
        left join (select x.month, count(*)::int as messages, sum(x.gone)::int as gone, sum(x.bounced)::int as bounced, sum(x.clicked)::int as clicked, sum(x.unsubscribed)::int as unsubscribed
          from counted x group by x.month) c on c.month = d.month),
      'last30Days', (select json_build_object('messages', count(*)::int, 'left', coalesce(sum(x.gone), 0)::int, 'bounced', coalesce(sum(x.bounced), 0)::int, 'complaints', coalesce(sum(x.complaints), 0)::int,
          'clicked', coalesce(sum(x.clicked), 0)::int, 'unsubscribed', coalesce(sum(x.unsubscribed), 0)::int) from counted x where x.started_at >= now() - interval '30 days'),
      'top', (select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'startedAt', x.started_at, 'left', x.gone, 'clicked', x.clicked, 'opened', x.opened)), '[]')
        from (select * from counted y where y.started_at >= now() - interval '90 days' and y.gone > 0 order by y.clicked desc, y.gone desc, y.id limit 5) x),
      'open', (select json_build_object('drafts', count(*) filter (where m.status = 'draft')::int, 'inReview', count(*) filter (where m.status = 'in_review')::int,
          'scheduled', count(*) filter (where m.status = 'scheduled')::int, 'sending', count(*) filter (where m.status in ('sending', 'paused'))::int)
        from app.messages m where m.archived_at is null and m.status in ('draft', 'in_review', 'scheduled', 'sending', 'paused')),
      'waiting', (select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'status', x.status, 'sendAt', x.send_at)), '[]')
        from (select m.id, m.name, m.status, m.send_at from app.messages m where m.archived_at is null and m.status in ('in_review', 'scheduled', 'sending', 'paused') order by m.send_at nulls first, m.id limit 20) x)
    ) as item`)
