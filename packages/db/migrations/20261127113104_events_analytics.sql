-- Figures of events: what those who run them may count. Each function asks once which events the actor runs and then reads them as a set.

create function app_private.run_of(org uuid, wanted uuid[]) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
begin
  return (select coalesce(array_agg(e.id), '{}') from app.events e where e.org_id = org and e.id = any (wanted)
    and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single)));
end $$;
comment on function app_private.run_of(uuid, uuid[]) is 'Which of these events the actor manages';

create function app.managed_events(first date, last date) returns table (event_id uuid, chapter_id uuid, group_id uuid, series_id uuid, kind text, mode text, title text, starts_local timestamp,
    called_off boolean, over boolean, capacity int, seats int, attended int, waiting int, cancelled int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 5000 as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
begin
  return query
    select e.id, e.chapter_id, e.group_id, e.series_id, e.kind, e.mode, e.title, e.starts_local, e.cancelled_at is not null, e.ends_at <= now(), e.capacity,
      n.confirmed + n.checked_in, n.checked_in, n.waiting, n.cancelled
    from app.events e join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
    where e.org_id = org and e.starts_local >= first and e.starts_local < last + 1 and e.published_at is not null and e.template_name is null
      and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single));
end $$;
comment on function app.managed_events(date, date) is 'Events that were published, began within these days by their own clocks, and are managed by the actor, with how many came';

create function app.event_revenue(events uuid[]) returns table (event_id uuid, ticket_type_id uuid, currency text, charged bigint, paid bigint, open bigint, refunded bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 5000 as $$
declare
  org constant uuid := app.org_id();
  managed constant uuid[] := app_private.run_of(app.org_id(), events);
begin
  return query
    with lines as materialized (
      select r.event_id, r.ticket_type_id, l.invoice_id, sum(l.net_amount + l.tax_amount)::bigint as amount
      from app.registrations r join app.invoice_lines l on l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id
      where r.org_id = org and r.event_id = any (managed) and r.price_amount > 0 group by r.event_id, r.ticket_type_id, l.invoice_id
    ), bills as (
      select l.event_id, l.ticket_type_id, i.id, i.currency, i.total_amount - i.credited_amount as charged, i.paid_amount as paid, greatest(i.balance_amount, 0) as open,
        -- All of nearly every invoice is for one event and one type of ticket; of others, its part.
        case when l.amount = i.total_amount then 1 else l.amount::numeric / nullif(i.total_amount, 0) end as share
      from lines l join app.invoices i on i.org_id = org and i.id = l.invoice_id
      where i.kind = 'invoice' and i.state not in ('draft', 'void')
    ), back as (
      select b.id, sum(least(a.refunded_amount, p.refunded_amount))::bigint as refunded
      from (select distinct x.id from bills x) b join app.payment_allocations a on a.org_id = org and a.invoice_id = b.id
        join app.payments p on p.org_id = org and p.id = a.payment_id and p.refunded_amount > 0 group by b.id
    )
    select b.event_id, b.ticket_type_id, b.currency, sum(round(b.charged * b.share))::bigint, sum(round(b.paid * b.share))::bigint, sum(round(b.open * b.share))::bigint,
      sum(round(coalesce(k.refunded, 0) * b.share))::bigint
    from bills b left join back k on k.id = b.id where b.share is not null group by b.event_id, b.ticket_type_id, b.currency;
end $$;
comment on function app.event_revenue(uuid[]) is 'What was charged for events that the actor manages, paid and not refunded, still open, and given back; the sums only, whose money it is stays in the books';

create function app.event_follow_up(event uuid, out joined int, out offered int, out accepted int, out declined int, out expired int, out gone int, out new_members int, out first_time int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
  began timestamptz;
  began_on date;
begin
  if app_private.run_of(org, array[event]) = '{}' then return; end if;
  select count(*) filter (where l.after = 'waitlisted'), count(*) filter (where l.after = 'offered'),
      count(*) filter (where l.before = 'offered' and l.after in ('confirmed', 'pending_payment')), count(*) filter (where l.cause = 'declined'),
      count(*) filter (where l.cause = 'offer_expired'), count(*) filter (where l.before = 'waitlisted' and l.after = 'cancelled')
    into joined, offered, accepted, declined, expired, gone
    from app.event_ledger l where l.org_id = org and l.event_id = event;
  select e.starts_at, e.starts_local::date into began, began_on from app.events e where e.org_id = org and e.id = event;
  select count(*) into new_members from app.registrations r join app.people p on p.org_id = r.org_id and p.id = r.person_id
    where r.org_id = org and r.event_id = event and r.status = 'checked_in' and p.joined_on between began_on and began_on + 30;
  select count(*) into first_time from app.registrations r
    where r.org_id = org and r.event_id = event and r.status in ('confirmed', 'checked_in') and r.person_id is not null
      and not exists (select from app.registrations o join app.events e on e.org_id = o.org_id and e.id = o.event_id
        where o.org_id = org and o.person_id = r.person_id and o.event_id <> event and o.status in ('confirmed', 'checked_in') and e.starts_at < began and e.cancelled_at is null
          and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single)));
end $$;
comment on function app.event_follow_up(uuid) is 'What became of the waiting list of an event that the actor manages, how many who came joined the organisation within 30 days, and how many people had no seat before at an event that the actor manages';

create function app.event_seats(events uuid[]) returns table (event_id uuid, person_id uuid, first boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 50000 as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
  managed constant uuid[] := app_private.run_of(app.org_id(), events);
begin
  return query
    with seats as materialized (
      select r.event_id, r.person_id from app.registrations r
      where r.org_id = org and r.event_id = any (managed) and r.person_id is not null and r.status in ('confirmed', 'checked_in')
    ), firsts as (
      select distinct on (o.person_id) o.person_id, o.event_id
      from (select distinct s.person_id from seats s) p join app.registrations o on o.org_id = org and o.person_id = p.person_id
        join app.events e on e.org_id = org and e.id = o.event_id
      where o.status in ('confirmed', 'checked_in') and e.cancelled_at is null and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single))
      order by o.person_id, e.starts_at, e.id
    )
    select s.event_id, s.person_id, f.event_id is not null from seats s left join firsts f on f.person_id = s.person_id and f.event_id = s.event_id;
end $$;
comment on function app.event_seats(uuid[]) is 'Which people have a seat at events that the actor manages, and whether it is their first one at any of these';

select app_private.own_definers();
grant execute on function app.managed_events(date, date), app.event_revenue(uuid[]), app.event_follow_up(uuid), app.event_seats(uuid[]) to app_access, app_definer;
