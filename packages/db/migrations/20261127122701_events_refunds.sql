-- Money of registrations: what was paid for a seat that is given back goes back by itself, and what was never paid is owed no more.

alter table app.registrations
  add column refund_state text check (refund_state in ('due', 'by_hand', 'in_progress', 'refunded', 'failed')),
  add column release_at timestamptz,
  add column released_at timestamptz;
comment on column app.registrations.refund_amount is 'What goes back, or went back, since it was paid and the seat is gone';
comment on column app.registrations.refund_state is 'due: a worker is to begin it; by_hand: whoever keeps the books gives it back; failed: the payment provider did not';
comment on column app.registrations.release_at is 'When its open invoice is to be void, since nobody owes it any more';
comment on column app.registrations.released_at is 'When its open invoice was made void, or credited by its share';
create index registrations_refunds on app.registrations (org_id, refund_state, id) where refund_state is not null;
create index registrations_to_release on app.registrations (org_id, release_at) where release_at is not null;

alter table app.refunds add column registration_id uuid, add foreign key (org_id, registration_id) references app.registrations (org_id, id) on delete set null (registration_id);
comment on column app.refunds.registration_id is 'The registration that it was paid for, where the money goes back for a seat';
create index refunds_by_registration on app.refunds (org_id, registration_id) where registration_id is not null;

-- Whoever keeps the books sees for whom money goes back.
create policy registrations_refunds on app.registrations for select to app_access using (org_id = (select app.org_id()) and refund_state is not null
  and ((select app.everywhere('finance.read')) or chapter_id = any ((select app.scope('finance.read'))::uuid[])));

create function app.refund_events() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  everywhere boolean := app.everywhere('finance.read');
  chapters uuid[] := app.scope('finance.read');
begin
  if not everywhere and cardinality(chapters) = 0 then return '{}'; end if;
  return (select coalesce(array_agg(distinct r.event_id), '{}') from app.registrations r where r.org_id = org and r.refund_state is not null and (everywhere or r.chapter_id = any (chapters)));
end $$;
comment on function app.refund_events() is 'Events for which money goes back that the actor keeps the books of';
create policy events_refunds on app.events for select to app_access using (org_id = (select app.org_id()) and id = any ((select app.refund_events())::uuid[]));

create function app_private.registrations_money() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if new.refund_amount = 0 then new.refund_state := null;
  elsif old.refund_amount = 0 then new.refund_state := 'due'; end if;
  if new.price_amount > 0 and new.refund_amount = 0 and (old.refund_amount > 0 or (new.status in ('cancelled', 'rejected') and old.status <> new.status)) then new.release_at := now();
  elsif new.status not in ('cancelled', 'rejected') and old.status in ('cancelled', 'rejected') then new.release_at := null; end if;
  return new;
end $$;
comment on function app_private.registrations_money() is 'A seat that was paid and is gone is to be refunded; one that was not paid is owed no more';
create trigger registrations_money before update on app.registrations for each row execute function app_private.registrations_money();

create function app_private.events_release() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.registrations r set release_at = now() from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where c.status = 'cancelled' and b.status <> 'cancelled' and r.org_id = c.org_id and r.event_id = c.id and r.status in ('confirmed', 'checked_in') and r.price_amount > 0 and r.refund_amount = 0;
  return null;
end $$;
comment on function app_private.events_release() is 'Nobody owes anything for a cancelled event';
-- By its name after events_move_registrations, which knows what was paid.
create trigger events_release after update on app.events referencing old table as before new table as changed for each statement execute function app_private.events_release();

create or replace function app.settle_registration(org uuid, registration uuid, paid boolean) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  r app.registrations;
  e app.events;
  n app.event_counts;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'not allowed' using errcode = '42501'; end if;
  if actor.org_id is null and not pg_has_role(session_user, 'app_worker', 'member') then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.books_open(org);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  if r.id is null then return null; end if;
  n := app_private.hold_event(org, r.event_id);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  select x.* into e from app.events x where x.org_id = org and x.id = r.event_id;
  if paid is distinct from app_private.registration_paid(org, registration) then
    raise exception 'the invoice says otherwise' using errcode = '23514', constraint = 'registration_not_paid';
  end if;
  if r.refund_state is not null then
    -- Money that goes back by itself changes no status; where the payment was taken back in another way, nothing is due any more.
    if not paid and r.refund_state in ('due', 'by_hand', 'failed') then update app.registrations x set refund_amount = 0 where x.org_id = org and x.id = registration; end if;
  elsif paid and r.status = 'pending_payment' then
    update app.registrations x set status = 'confirmed', cause = 'paid', hold_until = null, confirmed_at = now() where x.org_id = org and x.id = registration;
  elsif paid and r.status = 'cancelled' and r.released_at is null then
    -- Paid after its hold was over: the seat, if one is free and nobody waits for it; else the money goes back.
    if e.status = 'published' and e.ends_at > now() and n.waiting = 0 and least(app_private.seats_left(e, n), app_private.tickets_left(org, r.ticket_type_id)) > 0
      and not exists (select from app.registrations x where x.org_id = org and x.event_id = r.event_id and x.person_id = r.person_id and x.status not in ('cancelled', 'rejected')) then
      update app.registrations x set status = 'confirmed', cause = 'paid_late', confirmed_at = now(), cancelled_at = null where x.org_id = org and x.id = registration;
    else
      update app.registrations x set refund_amount = x.price_amount, release_at = null where x.org_id = org and x.id = registration;
    end if;
  elsif not paid and r.status = 'confirmed' and e.status <> 'cancelled' then
    update app.registrations x set status = 'cancelled', cause = 'payment_reversed', cancelled_at = now() where x.org_id = org and x.id = registration;
    perform app_private.offer_seats(org, r.event_id);
  end if;
  return (select x.status from app.registrations x where x.org_id = org and x.id = registration);
end $$;

-- What was never paid ---------------------------------------------------------------------------------------------------------------------

create function app.release_registrations(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  found uuid[];
  ids uuid[];
begin
  perform app_private.worker_only();
  found := (select array_agg(x.id) from (select r.id from app.registrations r where r.org_id = org and r.release_at <= now() order by r.release_at limit most) x);
  if found is null then return 0; end if;
  perform app_private.books_open(org);
  perform app_private.hold_event(org, x.event_id) from (select distinct r.event_id from app.registrations r where r.org_id = org and r.id = any (found) order by r.event_id) x;
  -- Somebody may be paying right now: then it is decided once that is over.
  update app.registrations r set release_at = now() + interval '5 minutes' where r.org_id = org and r.id = any (found) and r.release_at <= now()
    and exists (select from app.invoice_lines l join app.payments p on p.org_id = l.org_id and p.invoice_id = l.invoice_id and p.state = 'pending'
      where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id);
  ids := (select array_agg(r.id) from app.registrations r where r.org_id = org and r.id = any (found) and r.release_at <= now());
  if ids is not null then
    perform app_private.release_subjects(org, 'event_registration', ids, 'Registration cancelled');
    update app.registrations r set release_at = null, released_at = now() where r.org_id = org and r.id = any (ids);
  end if;
  return cardinality(found);
end $$;
comment on function app.release_registrations(uuid, int) is 'Makes the open invoices of so many registrations void that came to nothing, or credits their share; how many were looked at';

create function app_private.payments_refund_void() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids uuid[] := (select array_agg(l.subject_id) from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.state = 'void'
    where l.org_id = new.org_id and l.invoice_id = new.invoice_id and l.subject_type = 'event_registration');
begin
  if ids is null then return null; end if;
  perform app_private.hold_event(new.org_id, x.event_id) from (select distinct r.event_id from app.registrations r where r.org_id = new.org_id and r.id = any (ids) order by r.event_id) x;
  update app.registrations r set refund_amount = r.price_amount where r.org_id = new.org_id and r.id = any (ids) and r.refund_amount = 0;
  return null;
end $$;
comment on function app_private.payments_refund_void() is 'What somebody paid after the invoice of their registration was void goes back';
create trigger payments_refund_void after update on app.payments for each row when (new.state = 'settled' and old.state <> 'settled' and new.invoice_id is not null)
  execute function app_private.payments_refund_void();

-- What was paid ---------------------------------------------------------------------------------------------------------------------------

create function app_private.refund_of(org uuid, registration uuid) returns table (line_id uuid, invoice_id uuid, given bigint) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.id, l.invoice_id, coalesce((select sum(f.amount)::bigint from app.refunds f where f.org_id = org and f.registration_id = registration and f.state <> 'failed'), 0)
    from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.kind = 'invoice' and i.state <> 'draft'
    where l.org_id = org and l.subject_type = 'event_registration' and l.subject_id = registration order by i.id desc limit 1
$$;
comment on function app_private.refund_of(uuid, uuid) is 'The line of the invoice that charged a registration, and what is given back of it or on its way';

-- The share of the invoice is credited once; nothing where the books have credited it already.
create function app_private.credit_registration(org uuid, invoice uuid, line uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices;
  l app.invoice_lines;
begin
  select x.* into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  select x.* into l from app.invoice_lines x where x.org_id = org and x.id = line;
  if i.state = 'void' or i.total_amount - i.credited_amount < l.net_amount + l.tax_amount
    or exists (select from app.invoice_lines c join app.invoices n on n.org_id = c.org_id and n.id = c.invoice_id and n.state not in ('draft', 'void') where c.org_id = org and c.credits_line_id = line) then return; end if;
  perform app_private.write_credit(i, jsonb_build_array(jsonb_build_object('text', l.text, 'amount', -l.net_amount, 'taxBps', l.tax_bps, 'taxNote', l.tax_note,
    'shareChapterId', l.share_chapter_id, 'shareAmount', -l.share_amount, 'creditsLineId', l.id)), 'Registration cancelled');
  perform app_private.recompute_invoice(org, invoice);
end $$;
comment on function app_private.credit_registration(uuid, uuid, uuid) is 'Issues the credit note of a seat that is refunded';

create function app.begin_refunds(org uuid, most int) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.registrations;
  o record;
  p record;
  due bigint;
  take bigint;
  made uuid;
  begun jsonb := '[]';
  seen int := 0;
begin
  perform app_private.worker_only();
  if not exists (select from app.registrations x where x.org_id = org and x.refund_state = 'due') then return jsonb_build_object('seen', 0, 'refunds', begun); end if;
  perform app_private.books_open(org);
  perform app_private.hold_event(org, x.event_id) from (select distinct d.event_id from (select y.event_id from app.registrations y where y.org_id = org and y.refund_state = 'due' order by y.id limit most) d order by d.event_id) x;
  for r in select x.* from app.registrations x where x.org_id = org and x.refund_state = 'due' order by x.id limit most loop
    seen := seen + 1;
    select * into o from app_private.refund_of(org, r.id);
    due := r.refund_amount - coalesce(o.given, 0);
    if o.invoice_id is not null then perform app_private.credit_registration(org, o.invoice_id, o.line_id); end if;
    for p in select x.id, x.currency, least(a.amount, x.amount - (select coalesce(sum(f.amount), 0) from app.refunds f where f.org_id = org and f.payment_id = x.id and f.state <> 'failed')) as room
        from app.payment_allocations a join app.payments x on x.org_id = a.org_id and x.id = a.payment_id
        where a.org_id = org and a.invoice_id = o.invoice_id and x.kind <> 'manual' and x.state in ('settled', 'partly_refunded') and x.provider_ref is not null order by x.id loop
      take := least(due, p.room);
      if take > 0 then
        insert into app.refunds (org_id, payment_id, amount, currency, reason, state, registration_id) values (org, p.id, take, p.currency, 'Registration cancelled', 'pending', r.id) returning id into made;
        begun := begun || jsonb_build_array(made);
        due := due - take;
      end if;
    end loop;
    update app.registrations x set refund_state = case when due < r.refund_amount then 'in_progress'
        when exists (select from app.payment_allocations a join app.payments m on m.org_id = a.org_id and m.id = a.payment_id and m.kind = 'manual' and m.state in ('settled', 'partly_refunded')
          where a.org_id = org and a.invoice_id = o.invoice_id) then 'by_hand' else 'failed' end
      where x.org_id = org and x.id = r.id;
  end loop;
  return jsonb_build_object('seen', seen, 'refunds', begun);
end $$;
comment on function app.begin_refunds(uuid, int) is 'Credits so many seats that are to be refunded and notes the refunds, which the payment provider is asked for next; what was paid by hand is left to those who keep the books';

create function app_private.refunds_of_registrations() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  given bigint;
  waits boolean;
begin
  perform app_private.hold_event(r.org_id, r.event_id) from app.registrations r where r.org_id = new.org_id and r.id = new.registration_id;
  select coalesce(sum(f.amount) filter (where f.state = 'settled'), 0), coalesce(bool_or(f.state = 'pending'), false) into given, waits
    from app.refunds f where f.org_id = new.org_id and f.registration_id = new.registration_id;
  update app.registrations r set refund_state = case when waits then 'in_progress' when given >= r.refund_amount then 'refunded' when new.state = 'failed' then 'failed' else 'by_hand' end
    where r.org_id = new.org_id and r.id = new.registration_id and r.refund_amount > 0;
  return null;
end $$;
comment on function app_private.refunds_of_registrations() is 'How the refund of a seat stands follows from the refunds of its payments';
create trigger refunds_of_registrations after update on app.refunds for each row when (new.registration_id is not null and new.state <> old.state)
  execute function app_private.refunds_of_registrations();

create function app.refund_registration(registration uuid) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  r app.registrations;
  o record;
  p record;
  due bigint;
  made uuid;
begin
  perform app_private.books_open(org);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  select * into o from app_private.refund_of(org, registration);
  if r.id is null or not app_private.keeps_books(org, case when o.invoice_id is null then r.chapter_id else (select i.books_chapter_id from app.invoices i where i.org_id = org and i.id = o.invoice_id) end) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  perform app_private.hold_event(org, r.event_id);
  select x.* into r from app.registrations x where x.org_id = org and x.id = registration;
  if r.refund_state = 'failed' then
    update app.registrations x set refund_state = 'due' where x.org_id = org and x.id = registration;
    return;
  end if;
  if r.refund_state is distinct from 'by_hand' then raise exception 'nothing is left to refund by hand' using errcode = '23P01', constraint = 'refund_not_due'; end if;
  due := r.refund_amount - o.given;
  for p in select x.id, least(a.amount, x.amount - (select coalesce(sum(f.amount), 0) from app.refunds f where f.org_id = org and f.payment_id = x.id and f.state <> 'failed')) as room
      from app.payment_allocations a join app.payments x on x.org_id = a.org_id and x.id = a.payment_id
      where a.org_id = org and a.invoice_id = o.invoice_id and x.kind = 'manual' and x.state in ('settled', 'partly_refunded') order by x.id loop
    if least(due, p.room) > 0 then
      select q.refund into made from app.request_refund(p.id, least(due, p.room)::bigint, 'Registration cancelled') q;
      due := due - least(due, p.room);
      update app.refunds f set registration_id = registration where f.org_id = org and f.id = made;
      return query select app.apply_refund(p.id);
    end if;
  end loop;
  -- What is not covered by these payments was given back before.
  update app.registrations x set refund_state = 'refunded' where x.org_id = org and x.id = registration;
end $$;
comment on function app.refund_registration(uuid) is 'Notes that money paid by hand was given back, or tries a refund again that failed; answers the invoices whose state may have changed';

-- What was to be refunded so far is begun by the worker.
alter table app.registrations disable trigger user;
update app.registrations set refund_state = 'due' where refund_amount > 0 and refund_state is null;
update app.registrations r set release_at = now() where r.status in ('cancelled', 'rejected') and r.price_amount > 0 and r.refund_amount = 0
  and exists (select from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.kind = 'invoice' and i.state in ('issued', 'partly_paid')
    where l.org_id = r.org_id and l.subject_type = 'event_registration' and l.subject_id = r.id);
alter table app.registrations enable trigger user;

select app_private.own_definers();
revoke execute on function app_private.registrations_money() from public;
grant select, insert, update on app.refunds to app_definer;
grant execute on function app_private.refund_of(uuid, uuid), app_private.credit_registration(uuid, uuid, uuid) to app_definer;
grant execute on function app.refund_registration(uuid) to app_access;
grant execute on function app.request_refund(uuid, bigint, text), app.apply_refund(uuid) to app_definer;
grant execute on function app.refund_events() to app_access, app_definer;
grant execute on function app.release_registrations(uuid, int), app.begin_refunds(uuid, int) to app_worker;
