-- What somebody saw of an invoice is compared with what it is, before they change it.

create function app.hold_invoice(org uuid, invoice uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.lock_invoice(org, invoice)
$$;
comment on function app.hold_invoice(uuid, uuid) is 'Keeps others from changing an invoice until this transaction ends';

-- As before, save that an invoice that is in line already stays untouched, with its version.
create or replace function app_private.recompute_invoice(org uuid, invoice uuid) returns app.invoices language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices;
  paid bigint;
  credited bigint;
  last_day date;
  becomes text;
begin
  select * into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  select coalesce(sum(a.amount - a.refunded_amount), 0), max((p.settled_at at time zone o.timezone)::date) into paid, last_day
    from app.payment_allocations a join app.payments p on p.org_id = a.org_id and p.id = a.payment_id join app.organisations o on o.org_id = p.org_id
    where a.org_id = org and a.invoice_id = invoice and p.state in ('settled', 'partly_refunded', 'refunded');
  select coalesce(-sum(c.total_amount), 0) into credited from app.invoices c where c.org_id = org and c.credits_id = invoice and c.state not in ('draft', 'void');
  becomes := case when i.state in ('draft', 'void') then i.state
    when i.total_amount - credited - paid <= 0 then case when paid > 0 or i.total_amount = 0 then 'paid' else 'credited' end
    when paid > 0 then 'partly_paid' else 'issued' end;
  last_day := case when i.total_amount = 0 then i.paid_on when becomes = 'paid' then last_day end;
  if (i.paid_amount, i.credited_amount, i.state) is distinct from (paid, credited, becomes) or i.paid_on is distinct from last_day then
    update app.invoices x set paid_amount = paid, credited_amount = credited, state = becomes, paid_on = last_day
      where x.org_id = org and x.id = invoice returning * into i;
  end if;
  return i;
end $$;

select app_private.own_definers();
grant execute on function app.hold_invoice(uuid, uuid) to app_access, app_worker;
