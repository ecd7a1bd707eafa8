import type { Stage } from './stage.ts'

export type EventRows = { largeId: string; earlierId: string }
export type EventAmounts = {
  /** Within a year; five registrations each. */
  events: number
  /** Of one large event. */
  registrations: number
}

/** A year of events, and one large event with tickets, answers, invoices and a waiting list; values are worked out, so that they are the same every time. */
export async function addEvents(
  { admin, orgId }: Stage,
  { events, registrations }: EventAmounts,
  log: (line: string) => void,
): Promise<EventRows> {
  const started = performance.now()
  await admin.query('begin')
  await admin.query('set local session_replication_role = replica')
  await admin.query(
    `create temporary table bench_people as select id, row_number() over (order by hashtext(id::text))::int - 1 as nth from app.people where org_id = $1`,
    [orgId],
  )
  await admin.query('create unique index on bench_people (nth)')
  await admin.query(
    `with places as (select array_agg(c.id order by c.id) as ids from app.chapters c where c.org_id = $1)
     insert into app.events (org_id, chapter_id, title, summary, kind, mode, visibility, capacity, status, published_at, starts_at, ends_at, timezone, venue_name)
     select $1, p.ids[1 + n % cardinality(p.ids)], 'Bench evening ' || n, '', (array['meeting', 'social', 'training', 'conference'])[1 + n % 4], (array['in_person', 'online', 'hybrid'])[1 + n % 3],
       'members', case when n % 2 = 0 then 40 end, 'published', now() - interval '400 days', s.starts_at, s.starts_at + interval '2 hours', 'Europe/Berlin', 'Hall'
     from places p, generate_series(1, $2::int) n cross join lateral (select date_trunc('hour', now()) + make_interval(mins => (n::bigint * 525600 / $2)::int - 480000) as starts_at) s`,
    [orgId, events],
  )
  await admin.query(
    `insert into app.registrations (org_id, event_id, chapter_id, person_id, name, status, cause, price_amount, price_currency, confirmed_at, checked_in_at, created_at)
     select e.org_id, e.id, e.chapter_id, p.id, 'Bench', case when e.ends_at < now() and k < 4 then 'checked_in' else 'confirmed' end, 'registered', 0, 'EUR', e.starts_at - interval '9 days',
       case when e.ends_at < now() and k < 4 then e.starts_at end, e.starts_at - make_interval(days => k * 4)
     from app.events e cross join generate_series(0, 4) k cross join (select count(*)::int as people from bench_people) b
       join bench_people p on p.nth = (abs(hashtext(e.id::text)::bigint) + k * 7) % b.people
     where e.org_id = $1 and e.title like 'Bench evening %'`,
    [orgId],
  )
  const large = async (title: string, days: number) => {
    const { rows } = await admin.query<{ id: string }>(
      `insert into app.events (org_id, title, kind, visibility, status, published_at, starts_at, ends_at, timezone, venue_name)
       values ($1, $2, 'conference', 'members', 'published', now() - interval '600 days', now() - make_interval(days => $3), now() - make_interval(days => $3 - 2), 'Europe/Berlin', 'Hall') returning id`,
      [orgId, title, days],
    )
    const id = rows[0]?.id ?? ''
    await admin.query(
      `insert into app.event_ticket_types (org_id, event_id, place, name, price_amount, price_currency) select $1, $2, n, 'Ticket ' || n, n * 1000, 'EUR' from generate_series(1, 3) n`,
      [orgId, id],
    )
    await admin.query(
      `insert into app.event_questions (org_id, event_id, place, text, kind, options)
       values ($1, $2, 1, 'Diet?', 'choice', '{None,Vegan,Halal}'), ($1, $2, 2, 'Workshops?', 'choices', '{A,B,C,D}'), ($1, $2, 3, 'Bus?', 'flag', '{}')`,
      [orgId, id],
    )
    await admin.query(
      `insert into app.registrations (org_id, event_id, person_id, ticket_type_id, name, email, status, cause, source, answers, payer_id, price_amount, price_currency, waiting_place, confirmed_at, checked_in_at, created_at)
       select $1, $2, p.id, t.ids[1 + n % 3], 'Guest ' || n, '', s.status, 'registered', (array['self', 'organiser', 'public'])[1 + n % 3],
         jsonb_build_array(jsonb_build_object('questionId', q.ids[1], 'value', (array['None', 'Vegan', 'Halal'])[1 + n % 3]),
           jsonb_build_object('questionId', q.ids[2], 'value', to_jsonb(array[(array['A', 'B', 'C', 'D'])[1 + n % 4], (array['A', 'B', 'C', 'D'])[1 + (n + 1) % 4]])),
           jsonb_build_object('questionId', q.ids[3], 'value', n % 2 = 0)),
         p.id, (1 + n % 3) * 1000, 'EUR', case when s.status = 'waitlisted' then n end, case when s.status in ('confirmed', 'checked_in') then now() end,
         case when s.status = 'checked_in' then now() - make_interval(days => $4, secs => - (n * 37 % 14400)) end, now() - make_interval(days => $4 + n * 13 % 120)
       from generate_series(1, $3::int) n cross join lateral (select (array['checked_in', 'checked_in', 'checked_in', 'checked_in', 'confirmed', 'confirmed', 'cancelled', 'waitlisted'])[1 + n % 8] as status) s
         cross join (select array_agg(x.id order by x.place) as ids from app.event_ticket_types x where x.event_id = $2) t
         cross join (select array_agg(x.id order by x.place) as ids from app.event_questions x where x.event_id = $2) q
         left join bench_people p on p.nth = n - 1`,
      [orgId, id, registrations, days],
    )
    await admin.query(
      `insert into app.event_ledger (org_id, event_id, entry, registration_id, ticket_type_id, name, after, cause, seats, taken)
       select r.org_id, r.event_id, row_number() over (order by r.id), r.id, r.ticket_type_id, r.name, case when r.status = 'waitlisted' then 'waitlisted' else 'confirmed' end, 'registered', 0, 0
       from app.registrations r where r.event_id = $1`,
      [id],
    )
    return id
  }
  const [earlierId, largeId] = [await large('Bench congress, earlier', 380), await large('Bench congress', 20)]
  await admin.query(
    `with bills as (select app.uuid7() as id, r.id as registration_id, r.person_id, r.price_amount, row_number() over () as n, app.uuid7() as payment_id
       from app.registrations r where r.event_id = $2 and r.person_id is not null and r.status in ('confirmed', 'checked_in')),
     made as (insert into app.invoices (org_id, id, kind, state, person_id, foreign_number, currency, total_amount, paid_amount, issued_on, due_on, billing)
       select $1, b.id, 'invoice', 'paid', b.person_id, 'bench-' || b.n, 'EUR', b.price_amount, b.price_amount, current_date, current_date, '{}' from bills b),
     listed as (insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount, subject_type, subject_id)
       select $1, b.id, 1, 'Ticket', b.price_amount, 'event_registration', b.registration_id from bills b),
     paid as (insert into app.payments (org_id, id, person_id, method, amount, currency, state, received_on, settled_at)
       select $1, b.payment_id, b.person_id, 'cash', b.price_amount, 'EUR', 'settled', current_date, now() from bills b)
     insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select $1, b.payment_id, b.id, b.price_amount from bills b`,
    [orgId, largeId],
  )
  await admin.query(
    `insert into app.event_counts (org_id, event_id, taken, confirmed, checked_in, waiting, cancelled, last_entry)
     select e.org_id, e.id, count(r.id) filter (where r.status in ('confirmed', 'checked_in')), count(r.id) filter (where r.status = 'confirmed'), count(r.id) filter (where r.status = 'checked_in'),
       count(r.id) filter (where r.status = 'waitlisted'), count(r.id) filter (where r.status = 'cancelled'),
       coalesce((select max(l.entry) from app.event_ledger l where l.org_id = e.org_id and l.event_id = e.id), 0)
     from app.events e left join app.registrations r on r.org_id = e.org_id and r.event_id = e.id where e.org_id = $1 and e.title like 'Bench %' group by e.org_id, e.id`,
    [orgId],
  )
  await admin.query(
    `insert into app.event_ticket_counts (org_id, ticket_type_id, event_id, taken) select t.org_id, t.id, t.event_id, (select count(*) from app.registrations r where r.ticket_type_id = t.id
       and r.status in ('confirmed', 'checked_in')) from app.event_ticket_types t where t.event_id in ($1, $2)`,
    [largeId, earlierId],
  )
  await admin.query('commit')
  await admin.query(
    'vacuum analyze app.events, app.registrations, app.event_counts, app.event_ledger, app.invoices, app.invoice_lines, app.payments, app.payment_allocations',
  )
  log(`${events} events, twice ${registrations} registrations at one event, in ${Math.round((performance.now() - started) / 1_000)} s`)
  return { largeId, earlierId }
}
