-- What notes something of a payment waits at the head of the audit log first, as everything does that writes in the books. These four locked the payment
-- first and met the head at the end, in their audit entry: a form that was sent twice ended in a deadlock.

create or replace function app.note_checkout(org uuid, payment uuid, session text, customer text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.books_first(org);
  update app.payments p set provider_session = session, provider_customer = coalesce(customer, p.provider_customer)
    where p.org_id = org and p.id = payment and p.kind = 'checkout' and p.provider_session is null;
end $$;

create or replace function app.note_charge(org uuid, payment uuid, intent text, why text) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.books_first(org);
  update app.payments p set provider_ref = coalesce(p.provider_ref, intent), failure = coalesce(why, p.failure),
      state = case when intent is null then 'failed' else p.state end
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending';
end $$;

create or replace function app.give_up_payment(org uuid, payment uuid) returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.books_first(org);
  update app.payments p set state = 'cancelled', failure = 'expired'
    where p.org_id = org and p.id = payment and p.kind <> 'manual' and p.state = 'pending' and p.provider_session is null and p.provider_ref is null
      and coalesce(p.expires_at, p.created_at + interval '1 day') < now() - interval '1 hour';
end $$;

create or replace function app.fail_refund(org uuid, refund uuid, why text default 'unknown') returns void
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.books_first(org);
  update app.refunds r set state = 'failed', failure = why, updated_at = now() where r.org_id = org and r.id = refund and r.state = 'pending' and r.provider_refund is null;
end $$;

select app_private.own_definers();
