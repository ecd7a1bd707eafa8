-- Figures of events for those who keep the books of their chapter: counts and money, no people. And the lists behind the figures.

create function app_private.counted_of(org uuid, wanted uuid[]) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
  all_books constant boolean := app.everywhere('finance.read');
  books constant uuid[] := app.scope('finance.read');
begin
  return (select coalesce(array_agg(e.id), '{}') from app.events e where e.org_id = org and e.id = any (wanted)
    and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single)
      or (e.published_at is not null and (all_books or e.chapter_id = any (books)))));
end $$;
comment on function app_private.counted_of(uuid, uuid[]) is 'Which of these events the actor manages, or keeps the books of the chapter of';

create function app.counted_events(first date, last date, single_event uuid default null) returns table (event_id uuid, chapter_id uuid, group_id uuid, series_id uuid, kind text, mode text, title text, starts_local timestamp,
    called_off boolean, over boolean, capacity int, seats int, attended int, waiting int, cancelled int, managed boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 5000 as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
  all_books constant boolean := app.everywhere('finance.read');
  books constant uuid[] := app.scope('finance.read');
begin
  return query
    select e.id, e.chapter_id, e.group_id, e.series_id, e.kind, e.mode, e.title, e.starts_local, e.cancelled_at is not null, e.ends_at <= now(), e.capacity,
      n.confirmed + n.checked_in, n.checked_in, n.waiting, n.cancelled,
      everywhere or coalesce(e.chapter_id = any (chapters), false) or coalesce(e.group_id = any (groups), false) or e.id = any (single)
    from app.events e join app.event_counts n on n.org_id = e.org_id and n.event_id = e.id
    where e.org_id = org and e.published_at is not null and e.template_name is null
      and (case when single_event is null then e.starts_local >= first and e.starts_local < last + 1 else e.id = single_event end)
      and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single) or all_books or e.chapter_id = any (books));
end $$;
comment on function app.counted_events(date, date, uuid) is 'Events that were published and began within these days by their own clocks, or one of them, that the actor manages or keeps the books of the chapter of';

create or replace function app.event_revenue(events uuid[]) returns table (event_id uuid, ticket_type_id uuid, currency text, charged bigint, paid bigint, open bigint, refunded bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan rows 5000 as $$
declare
  org constant uuid := app.org_id();
  counted constant uuid[] := app_private.counted_of(app.org_id(), events);
begin
  return query
    with lines as materialized (
      select r.event_id, r.ticket_type_id, l.invoice_id, sum(l.net_amount + l.tax_amount)::bigint as amount
      from app.registrations r join app.invoice_lines l on l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id
      where r.org_id = org and r.event_id = any (counted) and r.price_amount > 0 group by r.event_id, r.ticket_type_id, l.invoice_id
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
comment on function app.event_revenue(uuid[]) is 'What was charged for events that the actor manages or keeps the books of the chapter of, paid and not refunded, still open, and given back; the sums only, whose money it is stays in the books';

create function app.counted_tickets(event uuid) returns table (ticket_type_id uuid, name text, place int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app_private.counted_of(app.org_id(), array[event]) = '{}' then return; end if;
  return query select t.id, t.name, t.place::int from app.event_ticket_types t where t.org_id = app.org_id() and t.event_id = event;
end $$;
comment on function app.counted_tickets(uuid) is 'What the tickets of an event are called, for those who read its revenue';

create function app.event_invoices(events uuid[]) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 500 as $$
declare
  counted constant uuid[] := app_private.counted_of(app.org_id(), events);
begin
  return query select distinct l.invoice_id from app.registrations r join app.invoice_lines l on l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id
    where r.org_id = app.org_id() and r.event_id = any (counted) and r.price_amount > 0;
end $$;
comment on function app.event_invoices(uuid[]) is 'Invoices for registrations of events that the actor manages or keeps the books of the chapter of; which of them the actor sees, policies say';

create function app.billed_registrations(event uuid, states text[]) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 500 as $$
begin
  if app_private.counted_of(app.org_id(), array[event]) = '{}' then return; end if;
  return query select r.id from app.registrations r join app.invoice_lines l on l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id
      join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
    where r.org_id = app.org_id() and r.event_id = event and r.price_amount > 0 and i.kind = 'invoice' and i.state = any (states);
end $$;
comment on function app.billed_registrations(uuid, text[]) is 'Registrations of an event whose invoice is in one of these states, for those who read its revenue';

create function app.first_registrations(event uuid) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 500 as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('events.manage');
  chapters constant uuid[] := app.scope('events.manage');
  groups constant uuid[] := app.group_scope('events.manage');
  single constant uuid[] := app.event_scope('events.manage');
begin
  if app_private.run_of(org, array[event]) = '{}' then return; end if;
  return query select r.id from app.registrations r join app.events began on began.org_id = r.org_id and began.id = r.event_id
    where r.org_id = org and r.event_id = event and r.status in ('confirmed', 'checked_in') and r.person_id is not null
      and not exists (select from app.registrations o join app.events e on e.org_id = o.org_id and e.id = o.event_id
        where o.org_id = org and o.person_id = r.person_id and o.event_id <> event and o.status in ('confirmed', 'checked_in') and e.starts_at < began.starts_at and e.cancelled_at is null
          and (everywhere or e.chapter_id = any (chapters) or e.group_id = any (groups) or e.id = any (single)));
end $$;
comment on function app.first_registrations(uuid) is 'Seats of people who had none before at an event that the actor manages';

create function app.joining_registrations(event uuid) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
declare
  org constant uuid := app.org_id();
begin
  if app_private.run_of(org, array[event]) = '{}' then return; end if;
  return query select r.id from app.registrations r join app.events e on e.org_id = r.org_id and e.id = r.event_id join app.people p on p.org_id = r.org_id and p.id = r.person_id
    where r.org_id = org and r.event_id = event and r.status = 'checked_in' and p.joined_on between e.starts_local::date and e.starts_local::date + 30;
end $$;
comment on function app.joining_registrations(uuid) is 'Who came to an event that the actor manages, and joined the organisation within 30 days';

create function app.waiting_registrations(event uuid, what text) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp rows 100 as $$
begin
  if app_private.run_of(app.org_id(), array[event]) = '{}' then return; end if;
  return query select distinct l.registration_id from app.event_ledger l where l.org_id = app.org_id() and l.event_id = event and case what
    when 'joined' then l.after = 'waitlisted' when 'offered' then l.after = 'offered' when 'accepted' then l.before = 'offered' and l.after in ('confirmed', 'pending_payment')
    when 'declined' then l.cause = 'declined' when 'expired' then l.cause = 'offer_expired' when 'left' then l.before = 'waitlisted' and l.after = 'cancelled' end;
end $$;
comment on function app.waiting_registrations(uuid, text) is 'Registrations of an event that the actor manages that joined, were offered, accepted, declined, expired or left on its waiting list';

-- The same, counted where they are listed.
create or replace function app.event_follow_up(event uuid, out joined int, out offered int, out accepted int, out declined int, out expired int, out gone int, out new_members int, out first_time int)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if app_private.run_of(app.org_id(), array[event]) = '{}' then return; end if;
  select count(distinct l.registration_id) filter (where l.after = 'waitlisted'), count(distinct l.registration_id) filter (where l.after = 'offered'),
      count(distinct l.registration_id) filter (where l.before = 'offered' and l.after in ('confirmed', 'pending_payment')), count(distinct l.registration_id) filter (where l.cause = 'declined'),
      count(distinct l.registration_id) filter (where l.cause = 'offer_expired'), count(distinct l.registration_id) filter (where l.before = 'waitlisted' and l.after = 'cancelled')
    into joined, offered, accepted, declined, expired, gone
    from app.event_ledger l where l.org_id = app.org_id() and l.event_id = event;
  new_members := (select count(*) from app.joining_registrations(event));
  first_time := (select count(*) from app.first_registrations(event));
end $$;

drop function app.managed_events(date, date);
select app_private.own_definers();
grant execute on function app.counted_events(date, date, uuid), app.counted_tickets(uuid), app.event_invoices(uuid[]), app.billed_registrations(uuid, text[]), app.first_registrations(uuid),
  app.joining_registrations(uuid), app.waiting_registrations(uuid, text) to app_access, app_definer;
