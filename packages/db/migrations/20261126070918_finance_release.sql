-- What was ordered and came to nothing is owed no more; and a void invoice keeps nobody from drafting it anew.

create or replace function app_private.invoices_stay() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  moving constant text[] := array['state', 'paid_amount', 'credited_amount', 'balance_amount', 'paid_on', 'sent_at', 'void_reason', 'voided_at', 'version', 'updated_at']
    || case when new.state = 'void' and new.dedupe_key is null then 'dedupe_key' end;
begin
  if tg_op = 'DELETE' then
    -- Only together with the whole organisation.
    if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
    raise exception 'invoices are not deleted; void them' using errcode = '23514', constraint = 'invoices_not_deleted';
  end if;
  if old.state = 'draft' then return new; end if;
  if new.state = 'draft' or (old.state = 'void' and to_jsonb(new) - array['version', 'updated_at'] <> to_jsonb(old) - array['version', 'updated_at'])
    or to_jsonb(new) - moving <> to_jsonb(old) - moving then
    raise exception 'an issued invoice stays as it is; credit it and issue another one' using errcode = '23514', constraint = 'invoice_issued';
  end if;
  return new;
end $$;
comment on column app.invoices.dedupe_key is 'Drafted once under the same key; a void invoice has none, so that it can be drafted anew';

create function app_private.void_frees_key() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  new.dedupe_key := null;
  return new;
end $$;
comment on function app_private.void_frees_key() is 'A void invoice keeps no key';
-- Before invoices_stay, which looks at what comes of it.
create trigger invoices_key_freed before update on app.invoices for each row when (new.state = 'void' and old.state <> 'void') execute function app_private.void_frees_key();
alter table app.invoices disable trigger user;
update app.invoices set dedupe_key = null where state = 'void' and dedupe_key is not null;
alter table app.invoices enable trigger user;

create function app_private.write_credit(i app.invoices, lines jsonb, why text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  note app.invoices;
  today constant date := app_private.today_in(i.org_id);
  taken int;
begin
  insert into app.invoices (org_id, kind, person_id, chapter_id, books_chapter_id, currency, credits_id, reason, due_on, created_by)
    values (i.org_id, 'credit_note', i.person_id, i.chapter_id, i.books_chapter_id, i.currency, i.id, coalesce(why, ''), today, app.account_id()) returning * into note;
  perform app_private.write_lines(i.org_id, note.id, lines);
  select * into note from app.invoices x where x.org_id = i.org_id and x.id = note.id;
  if note.total_amount >= 0 then raise exception 'a credit note has an amount' using errcode = '23514', constraint = 'credit_without_amount'; end if;
  if i.credited_amount - note.total_amount > i.total_amount then
    raise exception 'more cannot be credited than was charged' using errcode = '23514', constraint = 'credit_too_high';
  end if;
  taken := app_private.take_number(i.org_id, 'credit_note', extract(year from today)::int);
  update app.invoices x set state = 'issued', number = concat('CN-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')),
      number_year = extract(year from today)::int, number_place = taken, issued_on = today, issued_at = now(), billing = i.billing, seller = app_private.seller_of(i.org_id)
    where x.org_id = i.org_id and x.id = note.id;
  return note.id;
end $$;
comment on function app_private.write_credit(app.invoices, jsonb, text) is 'Issues a credit note with these lines, below zero; its id. Whether the caller may, the caller has asked';

create or replace function app.credit_invoice(org uuid, invoice uuid, lines jsonb, why text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare i app.invoices := app_private.lock_invoice(org, invoice);
begin
  if not app_private.keeps_books(org, i.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if i.kind <> 'invoice' or i.state in ('draft', 'void') then
    raise exception 'only an issued invoice is credited' using errcode = '23514', constraint = 'invoice_not_issued';
  end if;
  return app_private.write_credit(i, coalesce(lines, (select jsonb_agg(jsonb_build_object('text', l.text, 'amount', -l.net_amount, 'taxBps', l.tax_bps, 'taxNote', l.tax_note,
      'shareChapterId', l.share_chapter_id, 'shareAmount', -l.share_amount) order by l.place) from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice)), why);
end $$;

create function app_private.release_subjects(org uuid, kind text, subjects uuid[], why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  ids uuid[] := (select array_agg(distinct l.invoice_id order by l.invoice_id) from app.invoice_lines l where l.org_id = org and l.subject_type = kind and l.subject_id = any (subjects));
  i app.invoices;
  theirs bigint;
  due bigint;
begin
  if ids is null then return; end if;
  -- In the order of app_private.books_open: the organisation first, then its invoices.
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  perform from app.audit_heads h where h.org_id = org for update;
  for i in select x.* from app.invoices x where x.org_id = org and x.id = any (ids) and x.kind = 'invoice' and x.state in ('draft', 'issued', 'partly_paid') order by x.id for update loop
    select sum(l.net_amount + l.tax_amount) into theirs from app.invoice_lines l where l.org_id = org and l.invoice_id = i.id and l.subject_type = kind and l.subject_id = any (subjects);
    due := least(theirs, i.balance_amount);
    if theirs = i.total_amount and i.paid_amount = 0 and i.credited_amount = 0 then
      update app.invoices x set state = 'void', voided_at = now(), void_reason = nullif(why, '') where x.org_id = org and x.id = i.id;
    elsif i.state = 'draft' then
      delete from app.invoice_lines l where l.org_id = org and l.invoice_id = i.id and l.subject_type = kind and l.subject_id = any (subjects);
      update app.invoices x set total_amount = x.total_amount - theirs where x.org_id = org and x.id = i.id;
    elsif due > 0 then
      perform app_private.write_credit(i, (select jsonb_build_array(jsonb_build_object('text', min(l.text), 'amount', -due,
          'shareChapterId', min(l.share_chapter_id::text), 'shareAmount', -round(sum(l.share_amount)::numeric * due / theirs))) from app.invoice_lines l
        where l.org_id = org and l.invoice_id = i.id and l.subject_type = kind and l.subject_id = any (subjects)), why);
      perform app_private.recompute_invoice(org, i.id);
    end if;
  end loop;
end $$;
comment on function app_private.release_subjects(uuid, text, uuid[], text) is 'Of things that came to nothing, nothing is owed any more: their invoices are void, or credited as far as something was paid or other lines stand on them';

select app_private.own_definers();
grant execute on function app_private.write_credit(app.invoices, jsonb, text), app_private.release_subjects(uuid, text, uuid[], text) to app_definer;
revoke execute on function app_private.void_frees_key() from public;
