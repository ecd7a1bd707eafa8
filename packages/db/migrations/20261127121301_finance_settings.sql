-- How an organisation numbers its invoices, credit notes and receipts, when they are due, when it reminds of them, and what stands on them.

create table app.finance_settings (
  org_id uuid not null unique references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  invoice_format text not null default '{year}-{number:5}',
  credit_note_format text not null default 'CN-{year}-{number:5}',
  receipt_format text not null default 'R-{year}-{number:5}',
  invoice_start int not null default 1 check (invoice_start between 1 and 1000000),
  credit_note_start int not null default 1 check (credit_note_start between 1 and 1000000),
  receipt_start int not null default 1 check (receipt_start between 1 and 1000000),
  start_year int not null default 0 check (start_year between 0 and 9999),
  due_days int not null default 30 check (due_days between 0 and 365),
  reminder_days int[] not null default '{3,14,30}' check (cardinality(reminder_days) <= 5 and 1 <= all (reminder_days) and 120 >= all (reminder_days)),
  legal_name text not null default '' check (char_length(legal_name) <= 140),
  address text not null default '' check (char_length(address) <= 500),
  tax_id text not null default '' check (char_length(tax_id) <= 60),
  invoice_footer text not null default '' check (char_length(invoice_footer) <= 500),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  -- Without digits of its own, and with the number last, no two numbers of a kind are ever the same, whatever format each was given in.
  constraint not_a_number_format check (invoice_format ~ '^[A-Z ._/#-]{0,20}\{(year|yy)\}[A-Z ._/#-]{1,10}\{number(:[1-9])?\}$'
    and credit_note_format ~ '^[A-Z ._/#-]{0,20}\{(year|yy)\}[A-Z ._/#-]{1,10}\{number(:[1-9])?\}$'
    and receipt_format ~ '^[A-Z ._/#-]{0,20}\{(year|yy)\}[A-Z ._/#-]{1,10}\{number(:[1-9])?\}$')
);
comment on table app.finance_settings is 'How an organisation numbers its invoices, credit notes and receipts, when they are due, when it reminds of them, and what stands on them. Without a row, as the defaults say';
comment on column app.finance_settings.invoice_format is 'Text without digits, {year} or {yy}, and last {number}, or {number:5} with at least five digits';
comment on column app.finance_settings.invoice_start is 'The first number in start_year; in other years it is 1';
comment on column app.finance_settings.reminder_days is 'Days after the due date on which who owes an invoice is reminded';
comment on column app.finance_settings.legal_name is 'Name of the issuer where it is another one than that of the organisation';
comment on column app.finance_settings.invoice_footer is 'Text at the foot of invoices and credit notes';
select app_private.protect('app.finance_settings');
select app_private.keep_version('app.finance_settings');
select app_private.keep_audit('app.finance_settings', 'finance.read');
create policy finance_settings_read on app.finance_settings for select to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('finance.read')) or (select app.scope('finance.read'))::uuid[] <> '{}'));
create policy finance_settings_add on app.finance_settings for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('finance.manage')));
create policy finance_settings_change on app.finance_settings for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('finance.manage'))) with check (org_id = (select app.org_id()) and (select app.everywhere('finance.manage')));
grant select, insert (org_id), update (invoice_format, credit_note_format, receipt_format, invoice_start, credit_note_start, receipt_start, due_days, reminder_days, legal_name, address, tax_id,
  invoice_footer) on app.finance_settings to app_access;
grant select on app.finance_settings to app_definer;

-- Numbers --------------------------------------------------------------------------------------------------------------------------

create function app_private.number_format(org uuid, kind text) returns text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select case kind when 'invoice' then s.invoice_format when 'credit_note' then s.credit_note_format else s.receipt_format end from app.finance_settings s where s.org_id = org),
    case kind when 'invoice' then '{year}-{number:5}' when 'credit_note' then 'CN-{year}-{number:5}' else 'R-{year}-{number:5}' end)
$$;
comment on function app_private.number_format(uuid, text) is 'The format that an organisation gives numbers of this kind';

create function app_private.number_text(format text, year int, place int) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select regexp_replace(replace(replace(format, '{year}', year::text), '{yy}', lpad((year % 100)::text, 2, '0')), '\{number(:[1-9])?\}',
    lpad(place::text, greatest(length(place::text), coalesce((regexp_match(format, '\{number:([1-9])\}'))[1]::int, 1)), '0'))
$$;
comment on function app_private.number_text(text, int, int) is 'A number in its format. The contract says the same for previews: numberOf';

create function app_private.first_number(org uuid, kind text, year int) returns int language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select case kind when 'invoice' then s.invoice_start when 'credit_note' then s.credit_note_start else s.receipt_start end
    from app.finance_settings s where s.org_id = org and s.start_year = year), 1)
$$;
comment on function app_private.first_number(uuid, text, int) is 'The first number of a kind in a year';

create or replace function app_private.take_numbers(org uuid, kind text, year int, so_many int) returns int language sql set search_path = pg_catalog, pg_temp as $$
  insert into app.number_series as s (org_id, kind, year, last_number) values (org, kind, year, app_private.first_number(org, kind, year) - 1 + so_many)
    on conflict (org_id, kind, year) do update set last_number = s.last_number + so_many returning s.last_number - so_many + 1
$$;

create function app.next_numbers() returns table (year int, invoice int, credit_note int, receipt int, began text[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  this_year constant int := extract(year from app_private.today_in(org))::int;
begin
  if org is null or not (app.everywhere('finance.read') or app.scope('finance.read') <> '{}') then raise exception 'not allowed' using errcode = '42501'; end if;
  return query select this_year, max(n.next) filter (where n.kind = 'invoice'), max(n.next) filter (where n.kind = 'credit_note'), max(n.next) filter (where n.kind = 'receipt'),
      coalesce(array_agg(n.kind order by n.kind) filter (where n.has_begun), '{}')
    from (select k.kind, s.last_number is not null as has_begun, coalesce(s.last_number + 1, app_private.first_number(org, k.kind, this_year)) as next
      from unnest(array['invoice', 'credit_note', 'receipt']) k (kind) left join app.number_series s on s.org_id = org and s.kind = k.kind and s.year = this_year) n;
end $$;
comment on function app.next_numbers() is 'The next number of each kind in this year, and the kinds of which one was given already; for those who read finance. Takes none';

create function app_private.finance_settings_kept() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  this_year constant int := extract(year from app_private.today_in(new.org_id))::int;
begin
  if (select count(distinct regexp_replace(f, '\{[^}]*\}', '', 'g')) from unnest(array[new.invoice_format, new.credit_note_format, new.receipt_format]) f) < 3 then
    raise exception 'the formats of invoices, credit notes and receipts differ' using errcode = '23514', constraint = 'number_formats_alike';
  end if;
  if (new.invoice_start, new.credit_note_start, new.receipt_start) is not distinct from (old.invoice_start, old.credit_note_start, old.receipt_start) then return new; end if;
  -- A start is only for a year in which no number was given yet: later it would leave a gap, or give a number twice. Whoever takes the first number
  -- meanwhile waits, or has taken it.
  perform app_private.books_open(new.org_id);
  if exists (select from app.number_series s where s.org_id = new.org_id and s.year = this_year
      and ((s.kind = 'invoice' and new.invoice_start <> old.invoice_start) or (s.kind = 'credit_note' and new.credit_note_start <> old.credit_note_start)
        or (s.kind = 'receipt' and new.receipt_start <> old.receipt_start))) then
    raise exception 'numbers of this year were given already' using errcode = '23514', constraint = 'number_series_begun';
  end if;
  -- What was said for a year that is over is over with it.
  if old.start_year <> this_year then
    if new.invoice_start = old.invoice_start then new.invoice_start := 1; end if;
    if new.credit_note_start = old.credit_note_start then new.credit_note_start := 1; end if;
    if new.receipt_start = old.receipt_start then new.receipt_start := 1; end if;
  end if;
  new.start_year := this_year;
  return new;
end $$;
comment on function app_private.finance_settings_kept() is 'Refuses formats that are alike, and another first number once one was given in this year';
create trigger finance_settings_kept before update on app.finance_settings for each row execute function app_private.finance_settings_kept();

-- Who issues, and what stands on it ------------------------------------------------------------------------------------------------------

create or replace function app_private.seller_of(org uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_strip_nulls(jsonb_build_object('name', coalesce(nullif(s.legal_name, ''), o.name), 'email', o.contact_email, 'address', nullif(s.address, ''), 'taxId', nullif(s.tax_id, ''),
    'footer', nullif(s.invoice_footer, '')))
    from app.organisations o left join app.finance_settings s on s.org_id = o.org_id where o.org_id = org
$$;

do $$
declare
  source text;
  changed text;
  old constant text[][] := array[
    ['app.issue_invoices(uuid,uuid[])', $x$concat(this_year, '-', lpad(n.taken::text, greatest(5, length(n.taken::text)), '0'))$x$, $x$app_private.number_text(format, this_year, n.taken)$x$],
    ['app.issue_invoices(uuid,uuid[])', $x$greatest(coalesce(x.due_on, today + 30), today)$x$,
      $x$greatest(coalesce(x.due_on, today + coalesce((select s.due_days from app.finance_settings s where s.org_id = org), 30)), today)$x$],
    ['app.issue_invoices(uuid,uuid[])', $x$  issuer jsonb;$x$, $x$  issuer jsonb;
  format constant text := app_private.number_format(org, 'invoice');$x$],
    ['app_private.write_credit(app.invoices,jsonb,text)', $x$concat('CN-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0'))$x$,
      $x$app_private.number_text(app_private.number_format(i.org_id, 'credit_note'), extract(year from today)::int, taken)$x$],
    ['app_private.write_receipt(app.payments,app.receipts,text)', $x$concat('R-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0'))$x$,
      $x$app_private.number_text(app_private.number_format(org, 'receipt'), extract(year from today)::int, taken)$x$],
    ['app.invoice_paper(uuid,uuid)', $x$'balance', i.balance_amount,$x$, $x$'balance', i.balance_amount, 'account', case when i.kind = 'invoice' and i.state in ('issued', 'partly_paid') then
        (select jsonb_build_object('holder', a.account_holder, 'number', a.account_number, 'code', a.bank_code, 'bank', a.bank_name, 'note', a.transfer_note)
          from app.payment_settings a where a.org_id = org and a.account_number <> '') end,$x$]];
begin
  for n in 1 .. array_length(old, 1) loop
    source := pg_get_functiondef(old[n][1]::regprocedure);
    changed := replace(source, old[n][2], old[n][3]);
    if changed = source then raise exception '% is written otherwise by now', old[n][1]; end if;
    execute changed;
  end loop;
end $$;

-- Reminders ------------------------------------------------------------------------------------------------------------------------------

alter table app.invoices add column reminded_at timestamptz;
comment on column app.invoices.reminded_at is 'When who owes it was last reminded, by the calendar or by hand';
select app_private.hide_in_audit('app.invoices', 'reminded_at');

do $$
declare source text := pg_get_functiondef('app_private.invoices_stay()'::regprocedure);
begin
  if source !~ '''sent_at'',' then raise exception 'app_private.invoices_stay is written otherwise by now'; end if;
  execute replace(source, '''sent_at'',', '''sent_at'', ''reminded_at'',');
end $$;

create or replace function app.remind_invoices(org uuid, today date, after uuid, most int) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  wanted constant int[] := coalesce((select s.reminder_days from app.finance_settings s where s.org_id = org), '{3,14,30}');
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  mails jsonb;
  last uuid;
  seen int;
begin
  if cardinality(wanted) = 0 then return jsonb_build_object('mails', 0, 'after', null, 'isLast', true); end if;
  perform app_private.books_open(org);
  select count(*), (array_agg(d.id order by d.id desc))[1], jsonb_agg(jsonb_build_object('template', 'invoice-reminder', 'person', d.person_id, 'address', d.address, 'essential', true,
      'params', jsonb_build_object('invoice', d.id), 'dedupe_key', d.key) order by d.id) into seen, last, mails
    from (
      select i.id, i.person_id, case when i.person_id is null then c.contact_email end as address, concat_ws(':', 'overdue', i.id, s.days) as key from app.invoices i
        left join app.chapters c on c.org_id = i.org_id and c.id = i.chapter_id
        cross join lateral (select max(n) as days from unnest(wanted) n where i.due_on + n <= today) s
        where i.org_id = org and i.id > coalesce(after, '00000000-0000-0000-0000-000000000000') and i.state in ('issued', 'partly_paid') and i.kind = 'invoice' and i.balance_amount > 0
          and i.due_on between today - 30 - (select max(n) from unnest(wanted) n) and today - (select min(n) from unnest(wanted) n) and (i.person_id is not null or c.contact_email <> '')
          -- Somebody who reminded them by hand since then, or for other days that were set before, has done it.
          and (i.reminded_at is null or (i.reminded_at at time zone zone)::date < i.due_on + s.days)
          -- Renewals have reminders of their own.
          and not exists (select from app.invoice_lines l join app.membership_terms t on t.org_id = l.org_id and t.id = l.subject_id
            join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.starts_on is not null
            where l.org_id = i.org_id and l.invoice_id = i.id and l.subject_type = 'membership_term')
          and not exists (select from app.mail_messages x where x.org_id = i.org_id and x.dedupe_key = concat_ws(':', 'overdue', i.id, s.days))
        order by i.id limit most) d;
  if mails is not null then
    update app.invoices i set reminded_at = now() where i.org_id = org and i.id in (select (m -> 'params' ->> 'invoice')::uuid from jsonb_array_elements(mails) m);
    perform app_private.add_mails(org, null, mails);
  end if;
  return jsonb_build_object('mails', seen, 'after', last, 'isLast', seen < most);
end $$;
comment on function app.remind_invoices(uuid, date, uuid, int) is 'Mails who owes an invoice that is overdue for as many days as the settings say (3, 14 and 30 at first), each once; for renewals see app.remind_members';

-- The bank account -----------------------------------------------------------------------------------------------------------------------

-- Whoever can change where the money goes can steal it. All others who keep the books are told, and so is the account that did it, which may be in wrong hands.
create function app_private.tell_of_account() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
begin
  perform app_private.tell(new.org_id, actor.account_id,
    app_private.deciders_of(new.org_id, '00000000-0000-0000-0000-000000000000', null, 'finance.manage') || coalesce(actor.account_id, '00000000-0000-0000-0000-000000000000'),
    jsonb_build_object('kind', 'bank-account-changed', 'essential', true, 'mail', 'instant',
      'person', (select a.person_id from app.accounts a where a.org_id = new.org_id and a.id = actor.account_id)));
  return null;
end $$;
comment on function app_private.tell_of_account() is 'Tells those who manage the organisation''s finance that the bank account for transfers is another one';
create trigger payment_settings_told after update on app.payment_settings for each row
  when ((old.account_holder, old.account_number, old.bank_code, old.bank_name, old.transfer_note) is distinct from
    (new.account_holder, new.account_number, new.bank_code, new.bank_name, new.transfer_note))
  execute function app_private.tell_of_account();

select app_private.own_definers();
grant execute on function app.next_numbers() to app_access;
grant execute on function app_private.number_format(uuid, text), app_private.number_text(text, int, int), app_private.first_number(uuid, text, int), app_private.deciders_of(uuid, uuid, uuid, text) to app_definer;
revoke execute on function app_private.number_text(text, int, int), app_private.finance_settings_kept(), app_private.tell_of_account() from public;
