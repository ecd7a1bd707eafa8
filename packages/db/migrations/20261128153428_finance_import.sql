-- Invoices that another system issued. They keep the numbers they had there and take none of ours, and neither do the payments that came with them
-- take a receipt.

alter table app.payments add column imported boolean not null default false;
comment on column app.payments.imported is 'Came with an imported invoice: its receipt, if any, was issued in another system';

do $$
declare
  r record;
  source text;
begin
  for r in select * from (values
    -- An import that is undone takes what it brought, as long as nothing of ours hangs on it.
    ('app_private.invoices_stay()', $s$    raise exception 'invoices are not deleted$s$,
      $s$    if old.foreign_number is not null and old.state <> 'void' and not exists (select from app.invoices c where c.org_id = old.org_id and c.credits_id = old.id)
      and not exists (select from app.payment_allocations a where a.org_id = old.org_id and a.invoice_id = old.id)
      and not exists (select from app.payments p where p.org_id = old.org_id and p.invoice_id = old.id) then return old; end if;
    raise exception 'invoices are not deleted$s$),
    ('app_private.invoice_lines_stay()', $s$  if tg_op = 'UPDATE' and$s$,
      $s$  if tg_op = 'DELETE' and not exists (select from app.invoices i where i.org_id = old.org_id and i.id = old.invoice_id) then return old; end if;
  if tg_op = 'UPDATE' and$s$),
    ('app_private.payments_stay()', $s$  raise exception 'payments are not deleted'$s$,
      $s$  if old.imported and old.state = 'settled' and old.refunded_amount = 0 then return old; end if;
  raise exception 'payments are not deleted'$s$),
    ('app_private.bring_receipt(uuid, uuid)', $s$  if p.counts and$s$, $s$  if p.imported and before.id is null then return; end if;
  if p.counts and$s$),
    -- Whoever was due a reminder before it came here had it there.
    ('app.remind_invoices(uuid, date, uuid, int)', $s$i.kind = 'invoice' and i.balance_amount > 0$s$,
      $s$i.kind = 'invoice' and i.balance_amount > 0
          and (i.foreign_number is null or (i.created_at at time zone zone)::date < i.due_on + s.days)$s$)
  ) v (fn, was, becomes) loop
    source := pg_get_functiondef(r.fn::regprocedure);
    if position(r.was in source) = 0 then raise exception '% does not say %', r.fn, r.was; end if;
    execute replace(source, r.was, r.becomes);
  end loop;
end $$;

create function app.import_invoices(rows jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  one record;
begin
  perform app_private.books_open(org);
  for one in select x.*, coalesce(x.chapter_id, p.home_chapter_id) as books
      from jsonb_to_recordset(rows) x (id uuid, person_id uuid, chapter_id uuid, foreign_number text, issued_on date, due_on date, currency text, reason text, note text,
        lines jsonb, paid bigint, paid_on date, method text)
      left join app.people p on p.org_id = org and p.id = x.person_id loop
    if not app_private.keeps_books(org, one.books) then raise exception 'not allowed' using errcode = '42501'; end if;
    if one.issued_on > app.today() or one.paid_on > app.today() then
      raise exception 'an invoice of another system was issued and paid before today' using errcode = '23514', constraint = 'payment_in_future';
    end if;
    insert into app.invoices (org_id, id, kind, person_id, chapter_id, books_chapter_id, currency, foreign_number, due_on, reason, note, created_by)
      values (org, one.id, 'invoice', one.person_id, one.chapter_id, one.books, one.currency, one.foreign_number, one.due_on, one.reason, one.note, app.account_id());
    perform app_private.write_lines(org, one.id, one.lines);
    update app.invoices i set state = case when i.total_amount = 0 then 'paid' else 'issued' end, issued_on = one.issued_on, paid_on = case when i.total_amount = 0 then one.issued_on end,
        billing = app_private.billing_of(org, one.person_id, one.chapter_id)
      where i.org_id = org and i.id = one.id;
    if one.paid > 0 then
      with p as (
        insert into app.payments (org_id, kind, method, amount, currency, person_id, chapter_id, books_chapter_id, state, received_on, settled_at, reference, created_by, imported)
          values (org, 'manual', one.method, one.paid, one.currency, one.person_id, one.chapter_id, one.books, 'settled', one.paid_on, (one.paid_on + time '12:00') at time zone zone,
            left(one.foreign_number, 140), app.account_id(), true)
          returning id)
      insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) select org, p.id, one.id, one.paid from p;
      if (app_private.recompute_invoice(org, one.id)).balance_amount < 0 then
        raise exception 'more was paid than the invoice asks' using errcode = '23514', constraint = 'invoice_paid_more';
      end if;
    end if;
  end loop;
end $$;
comment on function app.import_invoices(jsonb) is 'Invoices that another system issued, with their numbers there and what was paid of them. For those who keep the books';

create function app.remove_imported_invoices(keys jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  ids constant uuid[] := array(select (k -> 'key' ->> 'id')::uuid from jsonb_array_elements(keys) k);
  payments uuid[];
  removed int;
begin
  perform app_private.books_open(org);
  perform from app.invoices i where i.org_id = org and i.id = any (ids) order by i.id for update;
  if exists (select from app.invoices i where i.org_id = org and i.id = any (ids) and not app_private.keeps_books(org, i.books_chapter_id)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if exists (select from app.payment_allocations a join app.payments p on p.org_id = a.org_id and p.id = a.payment_id
      where a.org_id = org and a.invoice_id = any (ids) and not p.imported) then
    raise exception 'an invoice that was paid or credited is not removed' using errcode = '23514', constraint = 'invoice_has_payments';
  end if;
  payments := array(select a.payment_id from app.payment_allocations a where a.org_id = org and a.invoice_id = any (ids));
  delete from app.payment_allocations a where a.org_id = org and a.invoice_id = any (ids);
  delete from app.payments p where p.org_id = org and p.id = any (payments) and not exists (select from app.payment_allocations a where a.org_id = org and a.payment_id = p.id);
  delete from app.invoices i where i.org_id = org and i.id = any (ids);
  get diagnostics removed = row_count;
  return removed;
end $$;
comment on function app.remove_imported_invoices(jsonb) is 'Removes invoices that an import brought and that nothing of ours hangs on, for its undo; how many';

select app_private.own_definers();
grant execute on function app.import_invoices(jsonb), app.remove_imported_invoices(jsonb) to app_access;
