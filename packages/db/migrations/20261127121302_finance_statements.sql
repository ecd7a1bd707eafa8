-- The account of a person or a chapter over a period: what was invoiced, credited, paid and refunded, and what it comes to.

create function app_private.account_entries(org uuid, person uuid, chapter uuid)
  returns table ("on" date, place int, kind text, currency text, amount bigint, number text, said text, books uuid, record uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  with zone as (select o.timezone as name from app.organisations o where o.org_id = org),
  mine as (select i.* from app.invoices i where i.org_id = org and (i.person_id = person or i.chapter_id = chapter) and i.issued_on is not null),
  -- What somebody paid stands on their own account, except for what pays an invoice of somebody else: that is on the account of whoever owes it.
  paid as (
    select p.*, coalesce(p.received_on, (p.settled_at at time zone z.name)::date) as came_on,
      case when p.person_id = person or p.chapter_id = chapter
        then p.amount - coalesce((select sum(a.amount - a.refunded_amount) from app.payment_allocations a where a.org_id = org and a.payment_id = p.id
          and not exists (select from mine m where m.id = a.invoice_id)), 0)
        else (select sum(a.amount - a.refunded_amount) from app.payment_allocations a join mine m on m.id = a.invoice_id where a.org_id = org and a.payment_id = p.id) end as here,
      coalesce(p.person_id = person or p.chapter_id = chapter, false) as own
    from app.payments p, zone z
    where p.org_id = org and p.counts and p.settled_at is not null
      -- One way after the other, so that each can use its index.
      and p.id in (select x.id from app.payments x where x.org_id = org and x.person_id = person
        union select x.id from app.payments x where x.org_id = org and x.chapter_id = chapter
        union select a.payment_id from app.payment_allocations a join mine m on m.id = a.invoice_id where a.org_id = org and a.amount > a.refunded_amount))
  select m.issued_on, 1, m.kind, m.currency, m.total_amount, coalesce(m.number, m.foreign_number), m.reason, m.books_chapter_id, m.id from mine m
  union all
  select (m.voided_at at time zone z.name)::date, 2, 'void', m.currency, -m.total_amount, coalesce(m.number, m.foreign_number), m.reason, m.books_chapter_id, m.id
    from mine m, zone z where m.state = 'void'
  union all
  select p.came_on, 3, 'payment', p.currency, -p.here::bigint, null, p.method, p.books_chapter_id, p.id from paid p where p.here <> 0
  union all
  select (r.settled_at at time zone z.name)::date, 4, 'refund', r.currency, r.amount, null, r.reason, p.books_chapter_id, p.id
    from paid p join app.refunds r on r.org_id = org and r.payment_id = p.id and r.state = 'settled', zone z where p.own
  union all
  select (p.reversed_at at time zone z.name)::date, 5, 'reversal', p.currency, p.here::bigint, null, coalesce(p.reversal_reason, ''), p.books_chapter_id, p.id
    from paid p, zone z where p.own and p.state = 'reversed'
  union all
  -- The day of a dispute is not kept; a payment in dispute changes no more, so that is when it was last changed.
  select (p.updated_at at time zone z.name)::date, 6, 'dispute', p.currency, (p.here - p.refunded_amount)::bigint, null, '', p.books_chapter_id, p.id
    from paid p, zone z where p.own and p.state = 'disputed'
$$;
comment on function app_private.account_entries(uuid, uuid, uuid) is 'Everything that stands on the account of a person or a chapter: above zero what they owe, below zero what they paid or was credited';

create function app.statement_of(org uuid, owner uuid, since date, until date, wanted text) returns jsonb
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  person constant uuid := (select p.id from app.people p where p.org_id = org and p.id = owner);
  chapter constant uuid := (select c.id from app.chapters c where c.org_id = org and c.id = owner);
  unit constant text := coalesce(wanted, (select o.currency from app.organisations o where o.org_id = org));
  opening bigint;
  entries jsonb;
  closing bigint;
  n int;
begin
  if num_nonnulls(person, chapter) <> 1 then return null; end if;
  if not app_private.sees_books(org, case when person is null then chapter else (select p.home_chapter_id from app.people p where p.org_id = org and p.id = person) end, person) then return null; end if;
  -- Part of an account would look like all of it.
  if exists (select from app_private.account_entries(org, person, chapter) e where not app_private.sees_books(org, e.books, person)) then
    raise exception 'part of this account is in the books of chapters that you do not see' using errcode = '42501', constraint = 'statement_partial';
  end if;
  select coalesce(sum(e.amount) filter (where e."on" < since), 0), coalesce(sum(e.amount) filter (where e."on" <= until), 0), count(*) filter (where e."on" between since and until)
    into opening, closing, n from app_private.account_entries(org, person, chapter) e where e.currency = unit;
  if n > 500 then raise exception 'a statement has at most 500 entries' using errcode = '23514', constraint = 'statement_too_long'; end if;
  select coalesce(jsonb_agg(jsonb_build_object('on', e."on", 'kind', e.kind, 'number', e.number, 'text', e.said, 'amount', e.amount, 'balance', e.balance,
      'invoiceId', case when e.kind in ('invoice', 'credit_note', 'void') then e.record end) order by e."on", e.place, e.record, e.amount), '[]') into entries
    from (select x.*, opening + sum(x.amount) over (order by x."on", x.place, x.record, x.amount rows unbounded preceding) as balance
      from app_private.account_entries(org, person, chapter) x where x.currency = unit and x."on" between since and until) e;
  return jsonb_build_object('currency', unit, 'since', since, 'until', until, 'opening', opening, 'closing', closing, 'entries', entries,
    'currencies', (select coalesce(jsonb_agg(distinct e.currency), '[]') from app_private.account_entries(org, person, chapter) e),
    'billing', app_private.billing_of(org, person, chapter), 'seller', app_private.seller_of(org),
    'mayMail', app_private.keeps_books(org, case when person is null then chapter else (select p.home_chapter_id from app.people p where p.org_id = org and p.id = person) end));
end $$;
comment on function app.statement_of(uuid, uuid, date, date, text) is 'The account of a person or a chapter over a period in one currency, with the balances before and after it; null where the caller does not see it';

create function app.mail_statement(org uuid, owner uuid, since date, until date, wanted text) returns int
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  statement jsonb := app.statement_of(org, owner, since, until, wanted);
  person constant uuid := (select p.id from app.people p where p.org_id = org and p.id = owner);
  address text;
begin
  if statement is null then raise exception 'there is no such account' using errcode = '23503', constraint = 'invoice_gone'; end if;
  if not (statement ->> 'mayMail')::boolean then raise exception 'not allowed' using errcode = '42501'; end if;
  address := case when person is null then (select nullif(c.contact_email, '') from app.chapters c where c.org_id = org and c.id = owner) end;
  if person is null and address is null then return 0; end if;
  return app_private.add_mails(org, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'statement', 'person', person, 'address', address, 'essential', true,
    'params', jsonb_build_object('owedBy', owner, 'since', since, 'until', until, 'currency', statement ->> 'currency'),
    'dedupe_key', concat_ws(':', 'statement', owner, app.uuid7()))));
end $$;
comment on function app.mail_statement(uuid, uuid, date, date, text) is 'Mails a statement to whose account it is; how many mails that makes. For those who keep the books';

select app_private.own_definers();
grant execute on function app.statement_of(uuid, uuid, date, date, text) to app_access, app_worker;
grant execute on function app.mail_statement(uuid, uuid, date, date, text) to app_access;
grant execute on function app_private.account_entries(uuid, uuid, uuid) to app_definer;
