import type pg from 'pg'
import { isoOf, yearOf } from './days.ts'
import { chapterEvents, lectures, organisationEvents } from './event-lists.ts'
import type { EventIdea } from './event-lists.ts'
import { datedId, drawn, drawnId } from './random.ts'
import type { World } from './world.ts'

/** Events of so many chapters and groups, out of so many people at most; the sizes with more are for measuring people. */
const [fromChapters, fromGroups, fromPeople] = [40, 12, 20_000]

const text = (words: string) =>
  `case when ${words} = '' then '{"type": "doc", "content": []}'::jsonb
     else jsonb_build_object('type', 'doc', 'content', jsonb_build_array(jsonb_build_object('type', 'paragraph', 'content', jsonb_build_array(jsonb_build_object('type', 'text', 'text', ${words}))))) end`

/**
 * Two years of events and some months ahead, of the organisation, its chapters and groups, with who came, waits or will come. Triggers are off, so
 * counts and capacity ledger are written from the same lines. Answers how many rows.
 */
export async function addEvents(client: pg.Client, world: World): Promise<number> {
  const today = isoOf(world.today)
  let rows = 0
  const add = async (statement: string, values: unknown[] = [world.orgId]) => {
    rows += (await client.query(statement, values)).rowCount ?? 0
  }
  await planEvents(client, world, today)
  await add(
    `insert into app.event_series (org_id, id, rule, timezone, starts_local, until_on, created_at, updated_at)
     select $1, e.series_id, 'FREQ=WEEKLY;INTERVAL=2', min(e.timezone), min(e.starts_local), max(e.starts_local)::date, min(e.opened_at), min(e.opened_at) from demo_events e where e.series_id is not null group by e.series_id`,
  )
  await add(
    `insert into app.events (org_id, id, chapter_id, group_id, title, summary, description, status, kind, template_name, starts_at, ends_at, timezone, mode, venue_name, venue_address, capacity, visibility,
       needs_approval, guests_per_person, shows_attendees, series_id, cancel_reason, sequence, published_at, cancelled_at, created_by, created_at, updated_at)
     select $1, e.id, e.chapter_id, e.group_id, e.title, e.summary, ${text('e.summary')}, e.status, e.kind, e.template_name, e.starts_at, e.ends_at, e.timezone, e.mode, e.venue_name, e.venue_address, e.capacity,
       e.visibility, e.needs_approval, e.guests, e.attendees, e.series_id, e.reason, case when e.status = 'draft' then 0 else 1 end, case when e.status <> 'draft' then e.opened_at end,
       case when e.status = 'cancelled' then least($2::timestamptz, e.starts_at) - interval '30 hours' end, a.id, e.opened_at - interval '2 days', e.opened_at
     from demo_events e left join app.accounts a on a.org_id = $1 and a.subject = 'events' and e.chapter_id is null`,
    [world.orgId, today],
  )
  await add(
    `insert into app.event_links (org_id, event_id, url, note) select $1, e.id, 'https://meet.example.org/' || left(md5(e.key), 10), '' from demo_events e where e.mode <> 'in_person'`,
  )
  await addParts(add, world)
  await planRegistrations(client, world, today)
  await add(
    `insert into app.registrations (org_id, id, event_id, chapter_id, group_id, person_id, host_id, ticket_type_id, status, cause, name, email, answers, source, payer_id, promo_code_id, reason, waiting_place,
       offer_until, confirmed_at, cancelled_at, checked_in_at, created_by, created_at, updated_at, price_amount, price_currency)
     select $1, r.id, r.event_id, r.chapter_id, r.group_id, r.person_id, r.host_id, r.ticket_id, r.status, r.cause, r.name, r.email, r.answers, 'self', r.payer_id, r.promo_id, r.reason, r.waiting_place,
       r.offer_until, case when r.status in ('confirmed', 'checked_in') then r.confirmed_at end, r.cancelled_at, r.checked_in_at, r.account_id, r.registered_at,
       coalesce(r.checked_in_at, r.cancelled_at, r.confirmed_at, r.registered_at), r.price, 'EUR'
     from demo_registrations r order by r.event_id, r.registered_at`,
  )
  await add(
    `insert into app.check_ins (org_id, id, event_id, registration_id, client_id, device, scanned_at, created_at)
     select $1, ${drawnId("'scan ' || r.id")}, r.event_id, r.id, 'demo-' || r.id, 'Front desk', r.checked_in_at, r.checked_in_at from demo_registrations r where r.checked_in_at is not null`,
  )
  await add(
    `insert into app.event_mail_settings (org_id, event_id, kind, extra) select $1, e.id, m.kind, m.extra from demo_events e
     join (values ('conference%', 'confirmed', 'Your badge is at the desk in the foyer from half past eight.'), ('workshop%', 'reminder', 'Bring a laptop with a free USB port.')) m (keys, kind, extra)
       on e.key like m.keys where e.status = 'published'`,
  )
  // Sent messages; the mails themselves are not kept for so long.
  await add(
    `insert into app.event_messages (org_id, id, event_id, kind, audience, subject, body, once_key, state, send_at, recipients, sent_at, created_by, created_at)
     select $1, ${datedId("concat('message ', e.id, m.subject)", 's.at')}, e.id, m.kind, m.audience, m.subject, ${text('m.body')}, case when m.kind = 'reminder' then 'demo' end, 'sent', s.at, r.count, s.at + interval '1 minute',
       case when m.kind = 'message' then a.id end, s.at - interval '5 minutes'
     from demo_events e
     join (values ('conference%', 'message', 'confirmed', interval '9 days', 'How to find us', 'The main entrance is on the north side. The nearest station has a lift; staff at the desk help with luggage.'),
       ('conference%', 'reminder', 'confirmed', '1 day', '', ''), ('workshop%', 'message', 'confirmed', '6 days', 'What to bring', 'A laptop, a charger and shoes that may get muddy. Lunch is on us.'),
       ('workshop%', 'reminder', 'confirmed', '1 day', '', ''), ('harbour%', 'message', 'waiting', '20 days', 'A second tour', 'So many of you are waiting that we are asking the crew for a second tour. We will write as soon as there is a date.'),
       ('assembly%', 'message', 'checked_in', '-2 days', 'Minutes of the general meeting', 'Thank you for coming. The minutes are among the files of this event.')) m (keys, kind, audience, ahead, subject, body) on e.key like m.keys
     cross join lateral (select e.starts_at - m.ahead as at) s
     cross join lateral (select count(*)::int as count from demo_registrations x where x.event_id = e.id and case m.audience when 'waiting' then x.status in ('waitlisted', 'offered')
       when 'checked_in' then x.status = 'checked_in' else x.status in ('confirmed', 'checked_in') end) r
     left join app.accounts a on a.org_id = $1 and a.subject = 'events'
     where e.status = 'published' and s.at < $2 and e.opened_at < s.at`,
    [world.orgId, today],
  )
  // Every line as the functions of the database would have written it, in the order of time.
  await add(
    `with lines as (
       select r.event_id, r.id, r.ticket_id, r.name, l.*, r.account_id from demo_registrations r cross join lateral (
         select 1 as step, r.registered_at as at, null::text as before, r.first as after, case r.first when 'waitlisted' then 'waiting' else 'registered' end as cause
         union all select 2, r.confirmed_at, r.first, 'confirmed', case r.first when 'pending_payment' then 'paid' else 'approved' end where r.confirmed_at is not null and r.first <> 'confirmed'
         union all select 3, r.cancelled_at, case when r.confirmed_at is null then r.first else 'confirmed' end, r.status, r.cause where r.cancelled_at is not null
         union all select 4, r.checked_in_at, 'confirmed', r.status, 'checked_in' where r.checked_in_at is not null
         union all select 5, r.offered_at, r.first, r.status, 'offered' where r.offered_at is not null) l),
     seats as (
       select l.*, app.takes_seat(l.after)::int - coalesce(app.takes_seat(l.before), false)::int as seats, row_number() over w as entry from lines l window w as (partition by l.event_id order by l.at, l.id, l.step))
     insert into app.event_ledger (org_id, event_id, entry, at, registration_id, ticket_type_id, name, before, after, cause, seats, taken, account_id)
       select $1, s.event_id, s.entry, s.at, s.id, s.ticket_id, s.name, s.before, s.after, s.cause, s.seats, sum(s.seats) over (partition by s.event_id order by s.entry), case when s.step = 1 then s.account_id end from seats s`,
  )
  await add(
    `insert into app.event_counts (org_id, event_id, taken, confirmed, checked_in, pending_approval, offered, waiting, cancelled, last_entry)
     select $1, e.id, coalesce(r.taken, 0), coalesce(r.confirmed, 0), coalesce(r.checked_in, 0), coalesce(r.pending_approval, 0), coalesce(r.offered, 0), coalesce(r.waiting, 0), coalesce(r.cancelled, 0), coalesce(l.entries, 0)
     from demo_events e
     left join (select x.event_id, count(*) filter (where app.takes_seat(x.status)) as taken, count(*) filter (where x.status = 'confirmed') as confirmed, count(*) filter (where x.status = 'checked_in') as checked_in,
       count(*) filter (where x.status = 'pending_approval') as pending_approval, count(*) filter (where x.status = 'offered') as offered, count(*) filter (where x.status = 'waitlisted') as waiting,
       count(*) filter (where x.status in ('cancelled', 'rejected')) as cancelled from demo_registrations x group by x.event_id) r on r.event_id = e.id
     left join (select x.event_id, count(*) as entries from app.event_ledger x where x.org_id = $1 group by x.event_id) l on l.event_id = e.id`,
  )
  await add(
    `insert into app.event_ticket_counts (org_id, ticket_type_id, event_id, taken)
     select $1, t.id, t.event_id, (select count(*) from demo_registrations r where r.ticket_id = t.id and app.takes_seat(r.status)) from app.event_ticket_types t where t.org_id = $1`,
  )
  await addSurveys(add, world, today)
  await client.query('analyze app.events, app.registrations, app.event_ledger, app.event_counts, app.check_ins, app.event_ticket_types')
  return rows
}

/** What takes place when and where. Times are what clocks show there, so summer time moves none. */
async function planEvents(client: pg.Client, world: World, today: string): Promise<void> {
  await client.query(`create temporary table demo_events (key text primary key, id uuid, chapter_id uuid, group_id uuid, title text, summary text, kind text, mode text default 'in_person', venue_name text default '',
    venue_address text default '', starts_local timestamp, minutes int, timezone text default 'Europe/London', starts_at timestamptz, ends_at timestamptz, opened_at timestamptz, capacity int, visibility text default 'members',
    status text default 'published', reason text default '', is_full boolean default false, needs_approval boolean default false, guests int default 0, attendees boolean default false, share int default 0, most int default 1000,
    price bigint, member_price bigint, template_name text, series_id uuid, all_personas boolean default false) on commit drop`)
  const ideas = [...organisationEvents((days) => yearOf(world.today + days)), ...lecturesOf(world)]
  const flat = ideas.map(({ venue, in: days, ...rest }) => ({ ...rest, days, venue_name: venue?.[0], venue_address: venue?.[1] }))
  await client.query(
    `insert into demo_events (key, title, summary, kind, mode, venue_name, venue_address, starts_local, minutes, capacity, visibility, status, reason, is_full, needs_approval, guests, attendees, share, most, price, member_price, template_name, all_personas)
     select x.key, x.title, x.summary, x.kind, coalesce(x.mode, 'in_person'), coalesce(x.venue_name, ''), coalesce(x.venue_address, ''),
       d.day + coalesce((x.weekday - extract(isodow from d.day)::int + 7) % 7, 0) + make_interval(hours => x.hour), x.minutes, x.capacity, coalesce(x.visibility, 'members'), coalesce(x.status, 'published'), coalesce(x.reason, ''),
       coalesce(x."full", false), coalesce(x.approval, false), coalesce(x.guests, 0), coalesce(x.attendees, false), coalesce(x.share, 0), coalesce(x.most, 1000), x.price, x."memberPrice", x.template, x.key = 'conference 150'
     from jsonb_to_recordset($1) x (key text, title text, summary text, kind text, mode text, venue_name text, venue_address text, days int, weekday int, hour int, minutes int, capacity int, visibility text, status text,
       reason text, "full" boolean, approval boolean, guests int, attendees boolean, share int, most int, price bigint, "memberPrice" bigint, template text)
     cross join lateral (select $2::date + x.days as day) d`,
    [JSON.stringify(flat), today],
  )
  await client.query(
    `insert into demo_events (key, chapter_id, title, summary, kind, mode, venue_name, venue_address, starts_local, minutes, timezone, capacity, visibility, status, reason, share)
     select 'chapter ' || c.id || n.nth, c.id, i.title, i.summary, i.kind, i.mode, i.venue, coalesce(c.city, c.name), d.day + make_interval(hours => i.hour), i.minutes, coalesce(c.timezone, 'Europe/London'),
       case when d.n % 3 = 0 then 60 end, case d.n % 4 when 0 then 'public' when 1 then 'chapter' else 'members' end,
       case when n.nth = 1 and d.n % 3 = 1 then 'draft' when d.n % 23 = 4 and d.day < $2::date + 60 then 'cancelled' else 'published' end,
       case when d.n % 23 = 4 then 'The room is not available.' else '' end, 90 + d.n % 130
     from (select x.* from app.chapters x where x.org_id = $1 and x.status = 'active' order by x.depth, x.id limit $3) c
     cross join generate_series(-8, 1) n (nth)
     cross join lateral (select h.n, $2::date + 8 + 91 * n.nth + h.n % 61 as day from (select ${drawn("'day ' || c.id || n.nth")} as n) h) d
     join jsonb_to_recordset($4) i (place int, title text, summary text, kind text, mode text, hour int, minutes int, venue text) on i.place = (d.n + n.nth + 8) % $5`,
    [
      ...[world.orgId, today, fromChapters],
      JSON.stringify(chapterEvents.map((event, place) => ({ ...event, place }))),
      chapterEvents.length,
    ],
  )
  // Meetings of groups; the largest of them meets every other week, as a series.
  await client.query(
    `insert into demo_events (key, chapter_id, group_id, title, summary, kind, mode, starts_local, minutes, visibility, share, series_id)
     select 'group ' || g.id || n.nth, g.chapter_id, g.id, case when g.regular then 'Career coffee' else g.name || ', meeting' end, case when g.regular then 'Half an hour on one question, half an hour on yours.' else '' end,
       case when g.regular then 'social' else 'meeting' end, 'online',
       case when g.regular then d.monday + 3 + 14 * (n.nth - 18) + time '18:00' else d.monday + 1 + 119 * (n.nth - 3) + ${drawn('g.id::text')} % 40 + time '19:30' end,
       60, case when g.regular then 'members' else 'group' end, case when g.regular then 130 else 600 end, case when g.regular then ${drawnId("'series ' || g.id")} end
     from (select x.*, x.name = 'Early Career Network' as regular from app.groups x where x.org_id = $1 and x.archived_at is null and x.visibility <> 'secret' and x.kind <> 'list'
       order by x.name = 'Early Career Network' desc, x.id limit $3) g
     cross join generate_series(0, 25) n (nth) cross join lateral (select $2::date - extract(isodow from $2::date)::int + 1 as monday) d
     where g.regular or n.nth < 5`,
    [world.orgId, today, fromGroups],
  )
  await client.query(
    `update demo_events e set starts_at = e.starts_local at time zone e.timezone, ends_at = (e.starts_local at time zone e.timezone) + e.minutes * interval '1 minute'`,
  )
  await client.query(
    `update demo_events e set opened_at = least(e.starts_at - interval '60 days', $1::timestamptz - interval '12 days'),
       -- An event that is over was held, or never left its draft.
       status = case when e.status = 'draft' and e.template_name is null and e.ends_at < $1 then 'published' else e.status end`,
    [today],
  )
  await client.query(`update demo_events e set id = ${datedId("'event ' || e.key", "(e.opened_at - interval '2 days')")}`)
}

const lecturesOf = (world: World): EventIdea[] =>
  Array.from({ length: 28 }, (_, nth) => ({
    key: `lecture ${nth}`,
    title: lectures[(nth + (world.seed % 12)) % lectures.length] ?? 'Evening lecture',
    summary: 'One speaker, forty minutes, then questions. Online, free and open to everyone.',
    kind: 'meeting',
    mode: 'online',
    in: (nth - 24) * 28 + 5,
    weekday: 3,
    hour: 19,
    minutes: 90,
    visibility: 'public',
    share: 9 + (nth % 7),
    most: 200,
  }))

type Add = (statement: string) => Promise<void>

/** Tickets, codes, questions, programme, staff, and who is invited. */
async function addParts(add: Add, world: World): Promise<void> {
  const person = (subject: string) =>
    `(select a.person_id from app.accounts a where a.org_id = '${world.orgId}' and a.subject = '${subject}')`
  await add(
    `insert into app.event_ticket_types (org_id, id, event_id, place, name, description, price_amount, price_currency, member_price_amount, quota, audience, created_at)
     select $1, ${drawnId('t.name || e.key')}, e.id, t.place, t.name, t.description, t.price, 'EUR', t.member_price, t.quota, t.audience, e.opened_at
     from demo_events e cross join lateral (values (1, case when e.kind = 'conference' then 'Both days' else 'Ticket' end, '', e.price, e.member_price, null::int, 'everyone'),
       (2, 'Students', 'Bring a certificate of enrolment.', e.price / 3, null, null, 'everyone'), (3, 'Speakers', '', 0, null, 30, 'staff')) t (place, name, description, price, member_price, quota, audience)
     where e.price is not null and (t.place = 1 or e.kind = 'conference')`,
  )
  await add(
    `insert into app.event_promo_codes (org_id, id, event_id, code, percent, amount, uses_limit, valid_until, created_at)
     select $1, ${drawnId('c.code || e.key')}, e.id, c.code, c.percent, c.amount, c.uses_limit, c.valid_until, e.opened_at
     from demo_events e cross join lateral (values ('EARLY20', 20, null::bigint, null::int, e.starts_at - interval '30 days'), ('CHAPTER-VISIT', null, 2500, 40, null)) c (code, percent, amount, uses_limit, valid_until)
     where e.kind = 'conference' and e.price is not null and e.status <> 'draft'`,
  )
  await add(
    `insert into app.event_questions (org_id, id, event_id, place, text, kind, required, options, of_guests, created_at)
     select $1, ${drawnId('q.kind || e.key')}, e.id, q.place, q.text, q.kind, q.required, q.options, q.of_guests, e.opened_at
     from demo_events e join (values (1, 'Is there anything you do not eat?', 'line', false, '{}'::text[], true, array['conference', 'fundraiser']),
       (2, 'Which workshop would you like to join?', 'choice', true, array['Laser scanning', 'Open data', 'Sea levels', 'None'], false, array['conference'])) q (place, text, kind, required, options, of_guests, kinds)
       on e.kind = any (q.kinds) where e.chapter_id is null`,
  )
  await add(
    `insert into app.event_questions (org_id, id, event_id, place, text, kind, required, created_at)
     select $1, ${drawnId("'why ' || e.key")}, e.id, 1, 'Why would you like to come?', 'lines', true, e.opened_at from demo_events e where e.needs_approval`,
  )
  await add(
    `insert into app.event_programme (org_id, id, event_id, place, title, starts_at, ends_at, room, speaker, about)
     select $1, ${drawnId('p.place || e.key')}, e.id, p.place, p.title, e.starts_at + p.at, e.starts_at + p.at + p.lasts, p.room, p.speaker, ''
     from demo_events e join (values (1, interval '0', interval '30 minutes', 'Registration and coffee', 'Foyer', ''), (2, '30 minutes', '1 hour', 'Opening', 'Main hall', 'The President'),
       (3, '2 hours', '90 minutes', 'Sea levels: what the gauges say', 'Main hall', 'Dr Ines Marek'), (4, '4 hours', '3 hours', 'Workshops', 'Rooms 1 to 4', ''), (5, '10 hours', '3 hours', 'Dinner', 'Terrace', ''),
       (6, '24 hours', '2 hours', 'Short talks by newcomers', 'Room 2', ''), (7, '27 hours', '3 hours', 'Poster walk', 'Foyer', ''), (8, '31 hours', '1 hour', 'Closing', 'Main hall', 'The President')) p (place, at, lasts, title, room, speaker)
       on e.kind = 'conference' and e.key like 'conference%'`,
  )
  await add(
    `insert into app.event_staff (org_id, id, event_id, person_id, role, created_at)
     select $1, ${drawnId('s.role || e.key')}, e.id, s.person_id, s.role, e.opened_at
     from demo_events e join (values ('manager', ${person('events')}), ('checkin', ${person('leader')}), ('speaker', ${person('chapter')}), ('host', ${person('secretary')})) s (role, person_id) on s.person_id is not null
     where e.key like 'conference%' or (e.key like 'workshop%' and s.role in ('checkin', 'host'))`,
  )
  await add(
    `insert into app.event_invitations (org_id, event_id, person_id, created_at)
     select $1, e.id, a.person_id, e.opened_at from demo_events e join app.accounts a on a.org_id = $1 and a.subject in ('owner', 'secretary', 'finance', 'chapter', 'member') and a.person_id is not null where e.visibility = 'invite'`,
  )
}

/** What people who came to conferences and lectures of the organisation said afterwards. */
async function addSurveys(add: (statement: string, values?: unknown[]) => Promise<void>, { orgId }: World, today: string): Promise<void> {
  const asked = `e.chapter_id is null and e.template_name is null and e.status = 'published' and (e.kind = 'conference' or e.key like 'lecture%')`
  await add(`insert into app.event_surveys (org_id, event_id) select $1, e.id from demo_events e where ${asked}`)
  await add(
    `insert into app.event_survey_questions (org_id, id, event_id, place, text, kind, options)
     select $1, ${drawnId("'survey ' || q.place || e.key")}, e.id, q.place, q.text, q.kind, q.options from demo_events e
     join (values (1, 'How long was it?', 'choice', array['Too short', 'Just right', 'Too long']), (2, 'What should the next one be about?', 'line', '{}'::text[])) q (place, text, kind, options) on true where ${asked}`,
  )
  await add(
    `insert into app.event_survey_answers (org_id, id, event_id, registration_id, rating, again, comment, answers, answered_at)
     select $1, ${datedId("'answer ' || r.id", "(e.ends_at + interval '26 hours')")}, e.id, r.id, case when d.n % 10 = 0 then 2 when d.n % 10 < 3 then 3 when d.n % 10 < 6 then 4 else 5 end,
       case when d.n % 10 = 0 then 'no' when d.n % 10 < 3 then 'maybe' else 'yes' end,
       case d.n % 14 when 1 then 'Well organised, thank you.' when 4 then 'The sound could have been better at the back.' when 9 then 'More time for questions, please.' else '' end,
       (select jsonb_agg(jsonb_build_object('questionId', q.id, 'value', case q.place when 1 then q.options[1 + (d.n % 7 + 2) / 4] else 'Tides and weather' end) order by q.place)
         from app.event_survey_questions q where q.org_id = $1 and q.event_id = e.id and (q.place = 1 or d.n % 9 = 0)), e.ends_at + interval '26 hours'
     from demo_events e join demo_registrations r on r.event_id = e.id and r.status = 'checked_in' and r.host_id is null
     cross join lateral (select ${drawn("r.id || 'survey'")} as n) d where ${asked} and e.ends_at + interval '27 hours' < $2 and d.n % 5 < 2`,
    [orgId, today],
  )
  // Sent already, so that nobody gets it when the worker starts.
  await add(
    `insert into app.event_messages (org_id, id, event_id, kind, audience, once_key, state, send_at, recipients, sent_at, created_at)
     select $1, ${datedId("'survey mail ' || e.key", "(e.ends_at + interval '24 hours')")}, e.id, 'survey', 'checked_in', 'survey', 'sent', e.ends_at + interval '24 hours',
       (select count(*) from demo_registrations r where r.event_id = e.id and r.status = 'checked_in' and r.host_id is null), e.ends_at + interval '24 hours', e.ends_at + interval '24 hours'
     from demo_events e where ${asked} and e.ends_at + interval '24 hours' < $2`,
    [orgId, today],
  )
}

/** Who comes: drawn from the people of the chapter, the group or the organisation who had joined by then; the demo people to much of what lies ahead. */
async function planRegistrations(client: pg.Client, world: World, today: string): Promise<void> {
  await client.query(
    `create temporary table demo_people on commit drop as
     select p.id, p.display_name as name, coalesce(m.address, '') as email, a.id as account_id, p.joined_on, coalesce(a.subject = any ($2), false) as persona,
       exists (select from app.memberships x where x.org_id = p.org_id and x.person_id = p.id and x.status in ('active', 'grace')) as member
     from app.people p left join app.person_emails m on m.org_id = p.org_id and m.person_id = p.id and m.is_primary
     left join app.accounts a on a.org_id = p.org_id and a.person_id = p.id
     where p.org_id = $1 and p.deleted_at is null and p.lifecycle = 'active' and (a.subject = any ($2) or p.id in (select x.id from app.people x where x.org_id = $1 order by x.id limit $3))`,
    [world.orgId, [...world.personas.values()].map(({ demo }) => demo.sub), fromPeople],
  )
  await client.query('create unique index on demo_people (id)')
  const comes = (share: string) =>
    `cross join lateral (select ${drawn('e.key || p.id')} as n) d
     where e.status <> 'draft' and e.share > 0 and p.joined_on < e.starts_local::date and (d.n < ${share} or (p.persona and e.starts_at >= $2 and (e.all_personas or d.n % 3 > 0)))`
  await client.query(
    `create temporary table demo_comers on commit drop as
     select e.id as event_id, p.id as person_id, d.n from demo_events e cross join demo_people p ${comes('e.share')} and e.chapter_id is null and e.group_id is null
       and (e.visibility <> 'invite' or exists (select from app.event_invitations i where i.org_id = $1 and i.event_id = e.id and i.person_id = p.id))
     union all
     select distinct e.id, p.id, d.n from demo_events e join app.affiliations a on a.org_id = $1 and a.chapter_id = e.chapter_id and a.kind = 'member' and a.starts_on <= e.starts_local::date
       and (a.ends_on is null or a.ends_on >= e.starts_local::date) join demo_people p on p.id = a.person_id ${comes('e.share')} and e.chapter_id is not null and e.group_id is null
     union all
     select distinct e.id, p.id, d.n from demo_events e join app.group_members a on a.org_id = $1 and a.group_id = e.group_id and a.status = 'active' and coalesce(a.starts_on, '2000-01-01') <= e.starts_local::date
       join demo_people p on p.id = a.person_id ${comes('e.share')} and e.group_id is not null`,
    [world.orgId, today],
  )
  await client.query(
    `create temporary table demo_registrations on commit drop as
     select k.*, ${datedId("concat('registration ', k.event_id, k.person_id, k.host_id)", 'k.registered_at')} as id from (
       select e.id as event_id, e.chapter_id, e.group_id, p.id as person_id, null::uuid as host_id, t.id as ticket_id, s.status, s.first, p.name, p.email, r.registered_at, p.account_id,
         case s.status when 'checked_in' then 'checked_in' when 'waitlisted' then 'waiting' when 'offered' then 'offered' when 'rejected' then 'rejected' when 'pending_approval' then 'registered'
           when 'cancelled' then case when s.first = 'pending_payment' then 'hold_expired' else 'cancelled' end
           else case s.first when 'pending_payment' then 'paid' when 'pending_approval' then 'approved' else 'registered' end end as cause,
         case when s.status = 'rejected' then 'All places are taken this year.' else '' end as reason,
         case when f.price > 0 then p.id end as payer_id, f.price, f.promo_id,
         case when s.status in ('waitlisted', 'offered') then x.place - e.capacity + 1 end::int as waiting_place,
         case when s.status = 'offered' then $2::timestamptz + interval '44 hours' end as offer_until, case when s.status = 'offered' then $2::timestamptz - interval '3 hours' end as offered_at,
         case when s.status in ('confirmed', 'checked_in') or (s.status = 'cancelled' and s.first = 'confirmed') then r.registered_at + case s.first when 'confirmed' then interval '0' when 'pending_payment' then interval '3 minutes' else interval '20 hours' end end as confirmed_at,
         case when s.status = 'cancelled' and s.first = 'pending_payment' then r.registered_at + interval '15 minutes'
           when s.status in ('cancelled', 'rejected') then r.registered_at + (least(e.starts_at, $2) - r.registered_at) / 2 end as cancelled_at,
         case when s.status = 'checked_in' then e.starts_at + (x.m % 40 - 25) * interval '1 minute' end as checked_in_at,
         coalesce((select jsonb_agg(jsonb_build_object('questionId', q.id, 'value', case when q.kind = 'choice' then q.options[1 + x.m % 4] when q.kind = 'lines' then 'I have just changed jobs and have never held a levelling staff.' else case when x.n % 3 = 0 then 'Vegetarian' else 'No' end end) order by q.place)
           from app.event_questions q where q.org_id = $1 and q.event_id = e.id and (q.required or x.n % 2 = 0)), '[]') as answers
       from (
         select c.*, row_number() over (partition by c.event_id, c.gone order by c.n, c.person_id) as place from (
           select y.*, ${drawn("y.person_id || 'fate' || y.event_id")} as m, not e.is_full and e.status = 'published' and coalesce(e.capacity > e.most + 40, e.capacity is null) and ${drawn("y.person_id || 'fate' || y.event_id")} >= 930 as gone
           from demo_comers y join demo_events e on e.id = y.event_id) c) x
       join demo_events e on e.id = x.event_id join demo_people p on p.id = x.person_id
       -- Students, now and then, and never speakers.
       left join app.event_ticket_types t on t.org_id = $1 and t.event_id = e.id and t.place = case when e.kind = 'conference' and x.m % 6 = 0 then 2 else 1 end
       left join app.event_promo_codes o on o.org_id = $1 and o.event_id = e.id and o.percent is not null and x.m % 7 = 1
       cross join lateral (select coalesce(round(case when p.member then coalesce(t.member_price_amount, t.price_amount) else t.price_amount end * (1 - coalesce(o.percent, 0) / 100.0)), 0)::bigint as price, o.id as promo_id) f
       cross join lateral (select
         -- One seat less is confirmed where one is offered.
         case when e.is_full and x.place = e.capacity then 'offered' when e.is_full and x.place > e.capacity then 'waitlisted' when x.gone then case when e.needs_approval then 'rejected' else 'cancelled' end
           when e.needs_approval and x.m < 300 then 'pending_approval' when e.status = 'published' and e.ends_at < $2 and x.m < 740 then 'checked_in' else 'confirmed' end as status) u
       cross join lateral (select u.status, case when u.status in ('offered', 'waitlisted') then 'waitlisted' when e.needs_approval then 'pending_approval' when f.price > 0 then 'pending_payment' else 'confirmed' end as first) s
       cross join lateral (select e.opened_at + (least(e.starts_at, $2) - interval '1 day' - e.opened_at) * (case when s.first = 'waitlisted' then 900 + x.place else x.n * x.m % 890 end / 1000.0) as registered_at) r
       where x.place <= e.most and (e.is_full or x.place <= coalesce(e.capacity, x.place))) k`,
    [world.orgId, today],
  )
  // Some bring a guest, who pays the full price.
  await client.query(
    `insert into demo_registrations (event_id, chapter_id, group_id, host_id, ticket_id, status, first, name, email, registered_at, account_id, cause, reason, payer_id, price, confirmed_at, checked_in_at, answers, id)
     select r.event_id, r.chapter_id, r.group_id, r.id, r.ticket_id, r.status, r.first, 'Guest of ' || r.name, '', r.registered_at, r.account_id, r.cause, '', r.person_id, t.price_amount, r.confirmed_at, r.checked_in_at, '[]',
       ${datedId("'guest ' || r.id", 'r.registered_at')}
     from demo_registrations r join demo_events e on e.id = r.event_id and e.guests > 0 join app.event_ticket_types t on t.org_id = $1 and t.id = r.ticket_id
     where r.status in ('confirmed', 'checked_in') and ${drawn('r.id::text')} % 4 = 0`,
    [world.orgId],
  )
}
