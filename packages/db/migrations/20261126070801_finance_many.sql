-- Invoices are drafted and issued many at a time, in a few statements; one at a time is the same with one.

create function app_private.take_numbers(org uuid, kind text, year int, so_many int) returns int language sql set search_path = pg_catalog, pg_temp as $$
  insert into app.number_series as s (org_id, kind, year, last_number) values (org, kind, year, so_many)
    on conflict (org_id, kind, year) do update set last_number = s.last_number + so_many returning s.last_number - so_many + 1
$$;
comment on function app_private.take_numbers(uuid, text, int, int) is 'The first of so many next numbers. Whoever else wants one waits until this transaction ends';

create or replace function app_private.take_number(org uuid, kind text, year int) returns int language sql set search_path = pg_catalog, pg_temp as $$
  select app_private.take_numbers(org, kind, year, 1)
$$;

create function app.draft_invoices(org uuid, wanted jsonb) returns table (place int, invoice uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  own_currency text;
  ids uuid[];
  made uuid[];
  i app.invoices;
begin
  perform app_private.books_open(org);
  own_currency := (select o.currency from app.organisations o where o.org_id = org);
  ids := array(select app.uuid7() from generate_series(1, jsonb_array_length(wanted)) n order by n);
  with drafts as (
    insert into app.invoices (org_id, id, kind, person_id, chapter_id, books_chapter_id, currency, due_on, reason, note, dedupe_key, created_by, total_amount)
      select org, u.id, 'invoice', (u.draft ->> 'personId')::uuid, (u.draft ->> 'chapterId')::uuid, coalesce((u.draft ->> 'chapterId')::uuid, p.home_chapter_id),
        coalesce(u.draft ->> 'currency', own_currency), (u.draft ->> 'dueOn')::date, coalesce(u.draft ->> 'reason', ''), coalesce(u.draft ->> 'note', ''), u.draft ->> 'dedupeKey', app.account_id(),
        coalesce((select sum((l.line ->> 'amount')::bigint + round((l.line ->> 'amount')::numeric * coalesce((l.line ->> 'taxBps')::int, 0) / 10000)::bigint)
          from jsonb_array_elements(u.draft -> 'lines') l (line)), 0)
      from rows from (jsonb_array_elements(wanted), unnest(ids)) with ordinality u (draft, id, place)
      left join app.people p on p.org_id = org and p.id = (u.draft ->> 'personId')::uuid
      order by u.place
      on conflict (org_id, dedupe_key) do nothing
      returning id
  )
  select coalesce(array_agg(d.id), '{}') into made from drafts d;
  insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount, tax_bps, tax_note, share_chapter_id, share_amount, subject_type, subject_id)
    select org, u.id, l.place, l.line ->> 'text', (l.line ->> 'amount')::bigint, coalesce((l.line ->> 'taxBps')::int, 0), coalesce(l.line ->> 'taxNote', ''),
      (l.line ->> 'shareChapterId')::uuid, coalesce((l.line ->> 'shareAmount')::bigint, 0), l.line ->> 'subjectType', (l.line ->> 'subjectId')::uuid
    from rows from (jsonb_array_elements(wanted), unnest(ids)) u (draft, id)
    cross join jsonb_array_elements(u.draft -> 'lines') with ordinality l (line, place)
    where u.id in (select m from unnest(made) m);
  if not app_private.keeps_books(org, null) then
    for i in select x.* from app.invoices x where x.org_id = org and x.id in (select m from unnest(made) m) loop
      if not app_private.keeps_books(org, i.books_chapter_id) and not app_private.orders(org, i) then
        raise exception 'not allowed' using errcode = '42501';
      end if;
    end loop;
  end if;
  return query select u.place::int, coalesce((select x.id from app.invoices x where x.org_id = org and x.dedupe_key = u.draft ->> 'dedupeKey'), u.id)
    from rows from (jsonb_array_elements(wanted), unnest(ids)) with ordinality u (draft, id, place) order by u.place;
end $$;
comment on function app.draft_invoices(uuid, jsonb) is 'Drafts an invoice for each of a list, once under the same dedupeKey: their ids, in the order of the list. For those who manage finance there, and for what somebody orders at its price';

create or replace function app.draft_invoice(org uuid, wanted jsonb) returns uuid language sql security definer set search_path = pg_catalog, pg_temp as $$
  select d.invoice from app.draft_invoices(org, jsonb_build_array(wanted)) d
$$;

create function app.issue_invoices(org uuid, invoices uuid[]) returns table (invoice uuid, number text, state text)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := app_private.today_in(org);
  this_year constant int := extract(year from today)::int;
  issuer jsonb;
  i app.invoices;
  found_here int;
  to_number int;
  first int;
begin
  perform app_private.books_open(org);
  -- Each waits for its turn in the order of their ids, so that two calls with the same invoices never wait in a circle.
  perform from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u) order by x.id for update;
  select count(*), count(*) filter (where x.number is null) into found_here, to_number from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u);
  if found_here < (select count(distinct u) from unnest(invoices) u) then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'invoice_gone'; end if;
  if not app_private.keeps_books(org, null) then
    for i in select x.* from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u) loop
      if not app_private.keeps_books(org, i.books_chapter_id) and not (i.created_by = app.account_id() and app_private.orders(org, i)) then
        raise exception 'not allowed' using errcode = '42501';
      end if;
    end loop;
  end if;
  if to_number > 0 then
    if exists (select from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u) and x.number is null and (x.state <> 'draft' or x.kind <> 'invoice')) then
      raise exception 'only a draft is issued' using errcode = '23514', constraint = 'invoice_not_draft';
    end if;
    if exists (select from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u) and x.number is null
        and not exists (select from app.invoice_lines l where l.org_id = x.org_id and l.invoice_id = x.id)) then
      raise exception 'an invoice without lines is not issued' using errcode = '23514', constraint = 'invoice_empty';
    end if;
    if exists (select from app.invoices x where x.org_id = org and x.id in (select u from unnest(invoices) u) and x.number is null and x.total_amount < 0) then
      raise exception 'an invoice below zero is not issued' using errcode = '23514', constraint = 'invoice_below_zero';
    end if;
    issuer := app_private.seller_of(org);
    first := app_private.take_numbers(org, 'invoice', this_year, to_number);
    update app.invoices x set state = case when x.total_amount = 0 then 'paid' else 'issued' end,
        number = concat(this_year, '-', lpad(n.taken::text, greatest(5, length(n.taken::text)), '0')), number_year = this_year, number_place = n.taken,
        issued_on = today, issued_at = now(), paid_on = case when x.total_amount = 0 then today end, due_on = greatest(coalesce(x.due_on, today + 30), today),
        billing = app_private.billing_of(org, x.person_id, x.chapter_id), seller = issuer
      from (select d.id, (first - 1 + row_number() over (order by min(u.place)))::int as taken from app.invoices d join unnest(invoices) with ordinality u (id, place) on u.id = d.id
        where d.org_id = org and d.number is null group by d.id) n
      where x.org_id = org and x.id = n.id;
  end if;
  return query select x.id, x.number, x.state from unnest(invoices) with ordinality u (id, place) join app.invoices x on x.org_id = org and x.id = u.id order by u.place;
end $$;
comment on function app.issue_invoices(uuid, uuid[]) is 'Gives drafts their numbers, in the order of the list, their day and the address they go to. What was issued before keeps its number';

create or replace function app.issue_invoice(org uuid, invoice uuid) returns text language sql security definer set search_path = pg_catalog, pg_temp as $$
  select i.number from app.issue_invoices(org, array[invoice]) i
$$;

select app_private.own_definers();
grant execute on function app.draft_invoices(uuid, jsonb), app.issue_invoices(uuid, uuid[]) to app_access, app_worker, app_definer;
grant execute on function app_private.take_numbers(uuid, text, int, int) to app_definer;
revoke execute on function app_private.take_numbers(uuid, text, int, int) from public;
