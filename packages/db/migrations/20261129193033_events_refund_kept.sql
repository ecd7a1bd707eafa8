-- A refund that the payment provider did not give was forgotten as soon as its payment was read again: the credited invoice was not paid any more, and a seat whose
-- invoice is not paid had nothing to be given back. It has, as long as a payment is left to give it from.

create function app_private.left_to_refund(org uuid, registration uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.invoice_lines l join app.payment_allocations a on a.org_id = l.org_id and a.invoice_id = l.invoice_id
      join app.payments p on p.org_id = a.org_id and p.id = a.payment_id and p.state in ('settled', 'partly_refunded')
    where l.org_id = org and l.subject_type = 'event_registration' and l.subject_id = registration
      and p.amount > coalesce((select sum(f.amount) from app.refunds f where f.org_id = org and f.payment_id = p.id and f.state <> 'failed'), 0))
$$;
comment on function app_private.left_to_refund(uuid, uuid) is 'Whether something is left of the payments of a registration that can be given back';
revoke all on function app_private.left_to_refund(uuid, uuid) from public;

do $$
declare
  source text := pg_get_functiondef('app.settle_registration(uuid, uuid, boolean)'::regprocedure);
  changed text := replace(source, 'if not paid and r.refund_state in (''due'', ''by_hand'', ''failed'') then',
    'if not paid and r.refund_state in (''due'', ''by_hand'', ''failed'') and not app_private.left_to_refund(org, registration) then');
begin
  if changed = source then raise exception 'app.settle_registration is written otherwise by now'; end if;
  execute changed;
end $$;

select app_private.own_definers();
