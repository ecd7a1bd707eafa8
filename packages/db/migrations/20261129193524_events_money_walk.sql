-- What a random walk over refunds, void invoices, transfers and prices found.
--
-- A refund changes no status: money given back for another reason than a cancelled seat used to take the seat away. And what was paid in part for a seat that is gone
-- stayed with the organisation without anybody being told: it goes back as what was paid in full does.

do $$
declare
  source text := pg_get_functiondef('app.settle_registration(uuid, uuid, boolean)'::regprocedure);
  changed text := replace(source, 'elsif not paid and r.status = ''confirmed'' and e.status <> ''cancelled'' then',
    'elsif not paid and r.status = ''confirmed'' and e.status <> ''cancelled'' and not app_private.short_by_refunds(org, registration) then');
begin
  if changed = source then raise exception 'app.settle_registration is written otherwise by now'; end if;
  execute changed;
end $$;

create function app_private.short_by_refunds(org uuid, registration uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(bool_or(i.balance_amount <= (select coalesce(sum(least(a.refunded_amount, p.refunded_amount)), 0) from app.payment_allocations a
      join app.payments p on p.org_id = a.org_id and p.id = a.payment_id and p.state in ('partly_refunded', 'refunded') where a.org_id = org and a.invoice_id = i.id)), false)
    from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.kind = 'invoice' and i.state in ('issued', 'partly_paid')
    where l.org_id = org and l.subject_type = 'event_registration' and l.subject_id = registration
$$;
comment on function app_private.short_by_refunds(uuid, uuid) is 'Whether all that is open of the invoice of a registration was paid and given back, so that nobody owes it';
revoke all on function app_private.short_by_refunds(uuid, uuid) from public;

do $$
declare
  source text := pg_get_functiondef('app.release_registrations(uuid, int)'::regprocedure);
  changed text := replace(source, '  if ids is not null then
    perform app_private.release_subjects', '  -- What was paid in part goes back, to those who registered first where several stand on an invoice; their share is credited with it.
  with gone as (
    select r.id, r.price_amount, i.id as invoice, i.paid_amount - (i.total_amount - i.credited_amount - sum(r.price_amount) over (partition by i.id)) as excess,
      sum(r.price_amount) over (partition by i.id order by r.id) - r.price_amount as before
    from app.registrations r join app.invoice_lines l on l.org_id = r.org_id and l.subject_type = ''event_registration'' and l.subject_id = r.id
      join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id and i.kind = ''invoice'' and i.state = ''partly_paid''
    where r.org_id = org and r.id = any (ids)
  ), owed as (
    update app.registrations r set refund_amount = least(g.price_amount, g.excess - g.before), release_at = null, released_at = now() from gone g
      where r.org_id = org and r.id = g.id and g.excess > g.before returning r.id
  )
  select array_agg(x.id) into ids from unnest(ids) x (id) where x.id not in (select o.id from owed o);
  if ids is not null then
    perform app_private.release_subjects');
begin
  if changed = source then raise exception 'app.release_registrations is written otherwise by now'; end if;
  execute changed;
end $$;

-- What was given back for another reason before is not given back again: then the rest is all there is.
do $$
declare
  source text := pg_get_functiondef('app_private.refunds_of_registrations()'::regprocedure);
  changed text := replace(source, 'then ''failed'' else ''by_hand'' end', 'then ''failed'' when app_private.left_to_refund(new.org_id, new.registration_id) then ''by_hand'' else ''refunded'' end');
begin
  if changed = source then raise exception 'app_private.refunds_of_registrations is written otherwise by now'; end if;
  execute changed;
end $$;

do $$
declare
  source text := pg_get_functiondef('app.begin_refunds(uuid, int)'::regprocedure);
  changed text := replace(source, 'case when due < r.refund_amount then ''in_progress''',
    'case when due < r.refund_amount - coalesce(o.given, 0) then ''in_progress'' when o.given > 0 and not app_private.left_to_refund(org, r.id) then ''refunded''');
begin
  if changed = source then raise exception 'app.begin_refunds is written otherwise by now'; end if;
  execute changed;
end $$;

-- Nobody is told to give back what is gone already, by a refund of the payment itself or because it was reversed.
create function app_private.payments_nothing_left() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids uuid[] := (select array_agg(r.id) from app.payment_allocations a
      join app.invoice_lines l on l.org_id = a.org_id and l.invoice_id = a.invoice_id and l.subject_type = 'event_registration'
      join app.registrations r on r.org_id = l.org_id and r.id = l.subject_id and r.refund_state in ('due', 'by_hand', 'failed')
    where a.org_id = new.org_id and a.payment_id = new.id and not app_private.left_to_refund(r.org_id, r.id));
begin
  if ids is null then return null; end if;
  perform app_private.hold_event(new.org_id, x.event_id) from (select distinct r.event_id from app.registrations r where r.org_id = new.org_id and r.id = any (ids) order by r.event_id) x;
  update app.registrations r set refund_state = case when g.given then 'refunded' else r.refund_state end, refund_amount = case when g.given then r.refund_amount else 0 end
    from (select x.id, exists (select from app.refunds f where f.org_id = new.org_id and f.registration_id = x.id and f.state = 'settled') as given from unnest(ids) x (id)) g
    where r.org_id = new.org_id and r.id = g.id and r.refund_state in ('due', 'by_hand', 'failed');
  return null;
end $$;
comment on function app_private.payments_nothing_left() is 'What is to be refunded ends with the money that it would be given from';
revoke all on function app_private.payments_nothing_left() from public;
create trigger payments_nothing_left after update on app.payments for each row
  when (new.refunded_amount > old.refunded_amount or (new.state <> old.state and new.refunded_amount = old.refunded_amount)) execute function app_private.payments_nothing_left();

select app_private.own_definers();
