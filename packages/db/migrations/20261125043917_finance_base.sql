-- Dues, invoices and credit notes with numbers without gaps, receipts, and the payments that settle them. Nothing here is written by statement:
-- functions draft, issue, void and credit, and what was issued stays as it is.

select app_private.add_permission('finance.read', 'org-owner', 'org-admin', 'finance', 'chapter-admin');
select app_private.add_permission('finance.manage', 'org-owner', 'org-admin', 'finance');

-- Numbers --------------------------------------------------------------------------------------------------------------------------

create table app.number_series (
  org_id uuid not null references app.organisations on delete cascade,
  kind text not null check (kind in ('invoice', 'credit_note', 'receipt')),
  year int not null check (year between 1900 and 9999),
  last_number int not null check (last_number > 0),
  primary key (org_id, kind, year)
);
comment on table app.number_series is 'The last number given of each kind and year. A number is taken in the transaction that uses it, so one that is rolled back leaves no gap';
select app_private.protect('app.number_series');
grant select, insert, update on app.number_series to app_definer;

create function app_private.take_number(org uuid, kind text, year int) returns int language sql set search_path = pg_catalog, pg_temp as $$
  insert into app.number_series as s (org_id, kind, year, last_number) values (org, kind, year, 1)
    on conflict (org_id, kind, year) do update set last_number = s.last_number + 1 returning s.last_number
$$;
comment on function app_private.take_number(uuid, text, int) is 'The next number. Whoever else wants one waits until this transaction ends';

-- Dues -----------------------------------------------------------------------------------------------------------------------------

create table app.dues_rates (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  overrides_id uuid,
  name text not null check (char_length(name) between 1 and 100),
  charged_to text not null check (charged_to in ('person', 'chapter', 'chapter_per_member')),
  member_kind text not null default 'member' check (member_kind in ('member', 'alumni', 'advisor', 'friend')),
  period text not null check (period in ('month', 'quarter', 'half_year', 'year', 'once')),
  due_days int not null default 30 check (due_days between 0 and 365),
  tax_bps int not null default 0 check (tax_bps between 0 and 10000),
  tax_note text not null default '' check (char_length(tax_note) <= 200),
  chapter_share_bps int not null default 0 check (chapter_share_bps between 0 and 10000),
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, overrides_id) references app.dues_rates (org_id, id),
  check (overrides_id is null or chapter_id is not null),
  check (overrides_id <> id)
);
select app_private.add_money('app.dues_rates', 'price', 0);
comment on table app.dues_rates is 'What is charged, from whom and how often. Without chapter_id it is charged in the whole organisation; with it, in the chapter and everything below it';
comment on column app.dues_rates.overrides_id is 'The rate that this one stands in for in its chapter and below; the nearest chapter above somebody counts';
comment on column app.dues_rates.charged_to is 'Each member pays, each chapter pays the amount once, or each chapter pays it for every member';
comment on column app.dues_rates.chapter_share_bps is 'What the chapter has of the amount, in hundredths of a percent';
create unique index dues_rates_override on app.dues_rates (org_id, overrides_id, chapter_id) where overrides_id is not null and archived_at is null;
create index dues_rates_by_chapter on app.dues_rates (org_id, chapter_id);
create index dues_rates_by_override on app.dues_rates (org_id, overrides_id);
select app_private.protect('app.dues_rates');
select app_private.keep_version('app.dues_rates');
select app_private.keep_audit('app.dues_rates', 'finance.read', 'id');
-- Rates of the whole organisation are read by all who read finance anywhere.
create policy dues_rates_read on app.dues_rates for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or chapter_id = any ((select app.scope('finance.read'))::uuid[])
    or (chapter_id is null and (select app.scope('finance.read'))::uuid[] <> '{}')));
create policy dues_rates_add on app.dues_rates for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id())
  and ((select app.everywhere('finance.manage')) or chapter_id = any ((select app.scope('finance.manage'))::uuid[])));
create policy dues_rates_change on app.dues_rates for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('finance.manage')) or chapter_id = any ((select app.scope('finance.manage'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('finance.manage')) or chapter_id = any ((select app.scope('finance.manage'))::uuid[])));
grant select, insert (org_id, chapter_id, overrides_id, name, charged_to, member_kind, period, due_days, tax_bps, tax_note, chapter_share_bps, price_amount, price_currency, created_by),
  update (name, charged_to, member_kind, period, due_days, tax_bps, tax_note, chapter_share_bps, price_amount, price_currency, archived_at) on app.dues_rates to app_access;
grant select on app.dues_rates to app_definer;

-- Invoices and credit notes -----------------------------------------------------------------------------------------------------------

create table app.invoices (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  kind text not null check (kind in ('invoice', 'credit_note')),
  state text not null default 'draft' check (state in ('draft', 'issued', 'partly_paid', 'paid', 'credited', 'void')),
  person_id uuid,
  chapter_id uuid,
  books_chapter_id uuid,
  number text check (char_length(number) between 1 and 40),
  number_year int,
  number_place int,
  foreign_number text check (char_length(foreign_number) between 1 and 60),
  credits_id uuid,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total_amount bigint not null default 0 check (total_amount between -9007199254740991 and 9007199254740991),
  paid_amount bigint not null default 0,
  credited_amount bigint not null default 0,
  balance_amount bigint generated always as (case when state in ('issued', 'partly_paid', 'paid', 'credited') and kind = 'invoice' then total_amount - credited_amount - paid_amount else 0 end) stored,
  issued_on date,
  issued_at timestamptz,
  due_on date,
  paid_on date,
  billing jsonb check (jsonb_typeof(billing) = 'object' and octet_length(billing::text) <= 4000),
  seller jsonb check (jsonb_typeof(seller) = 'object' and octet_length(seller::text) <= 4000),
  reason text not null default '' check (char_length(reason) <= 200),
  note text not null default '' check (char_length(note) <= 1000),
  dedupe_key text check (char_length(dedupe_key) between 1 and 200),
  sent_at timestamptz,
  void_reason text check (char_length(void_reason) between 1 and 500),
  voided_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, kind, number_year, number_place),
  unique (org_id, dedupe_key),
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, books_chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, credits_id) references app.invoices (org_id, id),
  constraint invoices_one_owes check (num_nonnulls(person_id, chapter_id) = 1),
  constraint invoices_credit check ((kind = 'credit_note') = (credits_id is not null)),
  constraint invoices_sign check (state in ('draft', 'void') or (kind = 'invoice' and total_amount >= 0) or (kind = 'credit_note' and total_amount < 0)),
  constraint invoices_numbered check (state in ('draft', 'void') or (num_nonnulls(number, foreign_number) = 1 and issued_on is not null and due_on is not null and billing is not null)),
  constraint invoices_number_whole check (num_nonnulls(number, number_year, number_place) in (0, 3)),
  constraint invoices_voided check ((state = 'void') = (voided_at is not null))
);
comment on table app.invoices is 'What somebody owes, or, as a credit note, owes no more. From issuing on only what was paid, credited or sent changes, and nothing is ever deleted';
comment on column app.invoices.books_chapter_id is 'Chapter in whose books it stands: the one that owes it, or the home chapter of the person when it was drafted';
comment on column app.invoices.foreign_number is 'Number that another system gave an imported invoice; the own series does not know it';
comment on column app.invoices.credits_id is 'The invoice that a credit note corrects';
comment on column app.invoices.balance_amount is 'What is still to be paid; below zero where more was paid than is owed by now';
comment on column app.invoices.billing is 'Name and address of who owes it, as they were on the day of issue';
comment on column app.invoices.seller is 'Name and contact of the organisation, as they were on the day of issue';
comment on column app.invoices.reason is 'What it was drafted for, in a few words';
comment on column app.invoices.dedupe_key is 'Drafted once under the same key';
create unique index invoices_foreign on app.invoices (org_id, foreign_number) where foreign_number is not null;
create index invoices_by_age on app.invoices (org_id, id desc);
create index invoices_by_person on app.invoices (org_id, person_id, id desc);
create index invoices_by_chapter on app.invoices (org_id, chapter_id, id desc);
create index invoices_by_books on app.invoices (org_id, books_chapter_id, id desc);
create index invoices_by_credit on app.invoices (org_id, credits_id);
create index invoices_due on app.invoices (org_id, due_on, id) where state in ('issued', 'partly_paid');
select app_private.protect('app.invoices');
select app_private.keep_version('app.invoices');
select app_private.keep_audit('app.invoices', 'finance.read', 'id');
select app_private.hide_in_audit('app.invoices', 'billing', 'seller', 'balance_amount', 'number_year', 'number_place', 'dedupe_key', 'issued_at');
select app_private.share_history('finance.read');
create policy invoices_read on app.invoices for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or books_chapter_id = any ((select app.scope('finance.read'))::uuid[])
    -- Drafts are the office's own until they are issued.
    or (person_id = (select app.person_id()) and state <> 'draft' and issued_on is not null)));
grant select on app.invoices to app_access;
grant select, insert, update, delete on app.invoices to app_definer;

create table app.invoice_lines (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  invoice_id uuid not null,
  place int not null check (place between 1 and 100),
  text text not null check (char_length(text) between 1 and 300),
  net_amount bigint not null check (net_amount between -90071992547409 and 90071992547409),
  tax_bps int not null default 0 check (tax_bps between 0 and 10000),
  tax_note text not null default '' check (char_length(tax_note) <= 200),
  tax_amount bigint not null generated always as (round(net_amount::numeric * tax_bps / 10000)::bigint) stored,
  share_chapter_id uuid,
  share_amount bigint not null default 0,
  subject_type text check (subject_type ~ '^[a-z][a-z_]{1,39}$'),
  subject_id uuid,
  primary key (org_id, id),
  unique (org_id, invoice_id, place),
  foreign key (org_id, invoice_id) references app.invoices (org_id, id) on delete cascade,
  foreign key (org_id, share_chapter_id) references app.chapters (org_id, id),
  check ((subject_type is null) = (subject_id is null)),
  check (share_chapter_id is not null or share_amount = 0),
  check (abs(share_amount) <= abs(net_amount) and share_amount::numeric * net_amount >= 0)
);
comment on table app.invoice_lines is 'What is charged. Tax comes on top and is rounded line by line, so that lines always add up to the total. Not in the audit log: lines change while their invoice is a draft, and the invoice has entries with its total';
comment on column app.invoice_lines.subject_id is 'What the line pays for, such as a term of a membership';
comment on column app.invoice_lines.share_amount is 'What the chapter has of the net amount';
create index invoice_lines_by_subject on app.invoice_lines (org_id, subject_type, subject_id) where subject_id is not null;
create index invoice_lines_by_share on app.invoice_lines (org_id, share_chapter_id);
select app_private.protect('app.invoice_lines');
create policy invoice_lines_read on app.invoice_lines for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.invoices i where i.org_id = invoice_lines.org_id and i.id = invoice_lines.invoice_id));
grant select on app.invoice_lines to app_access;
grant select, insert, update, delete on app.invoice_lines to app_definer;

-- What was issued stays as it is. As whoever writes: this holds for functions and for the owner of the tables alike.
create function app_private.invoices_stay() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  moving constant text[] := array['state', 'paid_amount', 'credited_amount', 'balance_amount', 'paid_on', 'sent_at', 'void_reason', 'voided_at', 'version', 'updated_at'];
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
comment on function app_private.invoices_stay() is 'Refuses to change what was issued and to delete any invoice';
create trigger invoices_stay before update or delete on app.invoices for each row execute function app_private.invoices_stay();

create function app_private.invoice_lines_stay() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
declare row app.invoice_lines := case when tg_op = 'DELETE' then old else new end;
begin
  if not exists (select from app.organisations o where o.org_id = row.org_id) then return old; end if;
  if tg_op = 'UPDATE' and (old.org_id, old.invoice_id) is distinct from (new.org_id, new.invoice_id)
    or not exists (select from app.invoices i where i.org_id = row.org_id and i.id = row.invoice_id and i.state = 'draft') then
    raise exception 'an issued invoice stays as it is; credit it and issue another one' using errcode = '23514', constraint = 'invoice_issued';
  end if;
  return row;
end $$;
comment on function app_private.invoice_lines_stay() is 'Refuses to change lines of anything but drafts';
create trigger invoice_lines_stay before insert or update or delete on app.invoice_lines for each row execute function app_private.invoice_lines_stay();

-- Payments: the least that invoices need to know what was paid ---------------------------------------------------------------------------

create table app.payments (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid,
  chapter_id uuid,
  books_chapter_id uuid,
  method text not null check (method ~ '^[a-z][a-z_]{1,39}$'),
  provider text not null default 'manual' check (provider ~ '^[a-z][a-z_]{1,39}$'),
  provider_ref text check (char_length(provider_ref) between 1 and 255),
  amount bigint not null check (amount between 1 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  refunded_amount bigint not null default 0,
  state text not null default 'pending' check (state in ('pending', 'settled', 'failed', 'cancelled', 'partly_refunded', 'refunded', 'disputed')),
  received_on date,
  settled_at timestamptz,
  note text not null default '' check (char_length(note) <= 500),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider, provider_ref),
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, books_chapter_id) references app.chapters (org_id, id),
  check (refunded_amount between 0 and amount)
);
comment on table app.payments is 'Money that came in, or an attempt at it; never deleted';
create index payments_by_person on app.payments (org_id, person_id, id desc);
create index payments_by_chapter on app.payments (org_id, chapter_id, id desc);
create index payments_by_books on app.payments (org_id, books_chapter_id, id desc);
select app_private.protect('app.payments');
select app_private.keep_version('app.payments');
select app_private.keep_audit('app.payments', 'finance.read', 'id');
create policy payments_read on app.payments for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or books_chapter_id = any ((select app.scope('finance.read'))::uuid[]) or person_id = (select app.person_id())));
grant select on app.payments to app_access;
grant select, insert, update, delete on app.payments to app_definer;

create table app.payment_allocations (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  payment_id uuid not null,
  invoice_id uuid not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  refunded_amount bigint not null default 0,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, payment_id, invoice_id),
  foreign key (org_id, payment_id) references app.payments (org_id, id) on delete cascade,
  foreign key (org_id, invoice_id) references app.invoices (org_id, id) on delete cascade,
  check (refunded_amount between 0 and amount)
);
comment on table app.payment_allocations is 'Which part of a payment is for which invoice. Not in the audit log: payment and invoice have entries of their own';
comment on column app.payment_allocations.refunded_amount is 'What of it went back';
create index payment_allocations_by_invoice on app.payment_allocations (org_id, invoice_id);
select app_private.protect('app.payment_allocations');
create policy payment_allocations_read on app.payment_allocations for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.invoices i where i.org_id = payment_allocations.org_id and i.id = payment_allocations.invoice_id));
grant select on app.payment_allocations to app_access;
grant select, insert, update, delete on app.payment_allocations to app_definer;

-- Receipts -------------------------------------------------------------------------------------------------------------------------

create table app.receipts (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  payment_id uuid not null,
  person_id uuid,
  chapter_id uuid,
  books_chapter_id uuid,
  number text not null check (char_length(number) between 1 and 40),
  number_year int not null,
  number_place int not null,
  state text not null default 'issued' check (state in ('issued', 'replaced', 'void')),
  replaces_id uuid,
  reason text not null default '' check (char_length(reason) <= 500),
  amount bigint not null check (amount between 1 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  issued_on date not null,
  received_on date not null,
  billing jsonb not null check (jsonb_typeof(billing) = 'object' and octet_length(billing::text) <= 4000),
  seller jsonb not null check (jsonb_typeof(seller) = 'object' and octet_length(seller::text) <= 4000),
  lines jsonb not null check (jsonb_typeof(lines) = 'array' and octet_length(lines::text) <= 40000),
  sent_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, number_year, number_place),
  foreign key (org_id, payment_id) references app.payments (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, books_chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, replaces_id) references app.receipts (org_id, id)
);
comment on table app.receipts is 'Confirms a settled payment, in the words of the day it was issued; corrected by another one that replaces it';
create unique index receipts_by_payment on app.receipts (org_id, payment_id) where state = 'issued';
create index receipts_of_payment on app.receipts (org_id, payment_id);
create index receipts_by_person on app.receipts (org_id, person_id, id desc);
create index receipts_by_chapter on app.receipts (org_id, chapter_id);
create index receipts_by_books on app.receipts (org_id, books_chapter_id);
create index receipts_by_replaced on app.receipts (org_id, replaces_id);
select app_private.protect('app.receipts');
select app_private.keep_audit('app.receipts', 'finance.read', 'id');
select app_private.hide_in_audit('app.receipts', 'billing', 'seller', 'lines', 'number_year', 'number_place');
create policy receipts_read on app.receipts for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or books_chapter_id = any ((select app.scope('finance.read'))::uuid[]) or person_id = (select app.person_id())));
grant select on app.receipts to app_access;
grant select, insert, update, delete on app.receipts to app_definer;

create function app_private.receipts_stay() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
  if tg_op = 'DELETE' or old.state <> 'issued' and new.state is distinct from old.state
    or to_jsonb(new) - array['state', 'sent_at'] <> to_jsonb(old) - array['state', 'sent_at'] then
    raise exception 'a receipt stays as it is; issue one that replaces it' using errcode = '23514', constraint = 'receipt_issued';
  end if;
  return new;
end $$;
comment on function app_private.receipts_stay() is 'Refuses to change and to delete receipts';
create trigger receipts_stay before update or delete on app.receipts for each row execute function app_private.receipts_stay();

create function app_private.payments_stay() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from app.organisations o where o.org_id = old.org_id) then return old; end if;
  raise exception 'payments are not deleted' using errcode = '23514', constraint = 'payments_not_deleted';
end $$;
comment on function app_private.payments_stay() is 'Refuses to delete payments';
create trigger payments_stay before delete on app.payments for each row execute function app_private.payments_stay();

-- What lines can pay for -----------------------------------------------------------------------------------------------------------------

create table app_private.invoice_subjects (
  name text primary key check (name ~ '^[a-z][a-z_]{1,39}$'),
  owed text not null,
  manages text not null check (manages ~ '^[a-z]+\.[a-z]+$')
);
comment on table app_private.invoice_subjects is 'What invoices are drafted for without the right to manage finance: whoever may order it owes just its price';
comment on column app_private.invoice_subjects.owed is 'Query with $1 organisation and $2 subject: person_id, chapter_id, amount and currency of what is owed for it';
comment on column app_private.invoice_subjects.manages is 'Permission of those who order it for others';
grant select on app_private.invoice_subjects to app_definer;

create function app_private.register_invoice_subject(name text, manages text, owed text) returns void language sql set search_path = pg_catalog, pg_temp as $$
  insert into app_private.invoice_subjects (name, owed, manages) values (name, owed, manages)
$$;
comment on function app_private.register_invoice_subject(text, text, text) is 'Lets people order such a thing, at its price, for themselves, and those with a permission for others; for migrations';
revoke execute on function app_private.register_invoice_subject(text, text, text) from public;

-- Who may --------------------------------------------------------------------------------------------------------------------------------

create function app_private.books_open(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then
    -- Jobs and events of providers come without an actor, but only to a worker.
    if not pg_has_role(session_user, 'app_worker', 'member') then
      raise exception 'not allowed' using errcode = '42501';
    end if;
  elsif actor.org_id <> org then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  -- Changes of one organisation that are audited wait for each other here in any case; first, so that nobody waits in a circle.
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  perform from app.audit_heads h where h.org_id = org for update;
end $$;
comment on function app_private.books_open(uuid) is 'The caller belongs to the organisation, or is a worker; whoever else writes in its books waits';

create function app_private.keeps_books(org uuid, books_chapter uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  return actor.org_id is null or app.everywhere('finance.manage') or coalesce(books_chapter = any (app.scope('finance.manage')), false);
end $$;
comment on function app_private.keeps_books(uuid, uuid) is 'Whether the caller may write in the books of a chapter; null for those of the whole organisation';

create function app_private.orders(org uuid, wanted app.invoices) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  line app.invoice_lines;
  kind app_private.invoice_subjects;
  owed record;
begin
  for line in select * from app.invoice_lines l where l.org_id = org and l.invoice_id = wanted.id loop
    select * into kind from app_private.invoice_subjects s where s.name = line.subject_type;
    if not found then return false; end if;
    execute format('select o.person_id, o.chapter_id, o.amount, o.currency from (%s) o (person_id, chapter_id, amount, currency)', kind.owed) into owed using org, line.subject_id;
    if owed is null or owed.person_id is distinct from wanted.person_id or owed.amount <> line.net_amount or owed.currency <> wanted.currency then return false; end if;
    if not (owed.person_id = app.person_id() or app.everywhere(kind.manages) or coalesce(owed.chapter_id = any (app.scope(kind.manages)), false)) then return false; end if;
  end loop;
  return true;
end $$;
comment on function app_private.orders(uuid, app.invoices) is 'Whether each line pays the price of something that the caller may order for who owes the invoice';

create function app_private.today_in(org uuid) returns date language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select (now() at time zone o.timezone)::date from app.organisations o where o.org_id = org
$$;
comment on function app_private.today_in(uuid) is 'The calendar day of an organisation, also for what no actor does';

create function app_private.billing_of(org uuid, person uuid, chapter uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when person is not null then
    (select jsonb_build_object('name', p.display_name, 'lines', to_jsonb(array_remove(array[nullif(c.street, ''), nullif(concat_ws(' ', nullif(c.postal_code, ''), nullif(c.city, '')), ''), nullif(c.region, ''), nullif(c.country, '')], null)))
      from app.people p left join app.person_contacts c on c.org_id = p.org_id and c.person_id = p.id where p.org_id = org and p.id = person)
    else (select jsonb_build_object('name', c.name, 'lines', to_jsonb(array_remove(array[nullif(c.city, '')], null))) from app.chapters c where c.org_id = org and c.id = chapter) end
$$;
grant select (org_id, person_id, street, city, region, postal_code, country) on app.person_contacts to app_definer;
comment on function app_private.billing_of(uuid, uuid, uuid) is 'Name and address of who owes an invoice';
create function app_private.seller_of(org uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_strip_nulls(jsonb_build_object('name', o.name, 'email', o.contact_email)) from app.organisations o where o.org_id = org
$$;
comment on function app_private.seller_of(uuid) is 'Name and contact of the organisation';

-- What happens to an invoice ------------------------------------------------------------------------------------------------------------------

create function app.draft_invoice(org uuid, wanted jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices;
  books uuid;
begin
  perform app_private.books_open(org);
  if wanted ->> 'dedupeKey' is not null then
    select * into i from app.invoices x where x.org_id = org and x.dedupe_key = wanted ->> 'dedupeKey';
    if found then return i.id; end if;
  end if;
  books := coalesce((wanted ->> 'chapterId')::uuid,
    (select p.home_chapter_id from app.people p where p.org_id = org and p.id = (wanted ->> 'personId')::uuid));
  insert into app.invoices (org_id, kind, person_id, chapter_id, books_chapter_id, currency, due_on, reason, note, dedupe_key, created_by)
    values (org, 'invoice', (wanted ->> 'personId')::uuid, (wanted ->> 'chapterId')::uuid, books,
      coalesce(wanted ->> 'currency', (select o.currency from app.organisations o where o.org_id = org)), (wanted ->> 'dueOn')::date,
      coalesce(wanted ->> 'reason', ''), coalesce(wanted ->> 'note', ''), wanted ->> 'dedupeKey', app.account_id())
    returning * into i;
  perform app_private.write_lines(org, i.id, wanted -> 'lines');
  if not app_private.keeps_books(org, books) and not app_private.orders(org, i) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return i.id;
end $$;
comment on function app.draft_invoice(uuid, jsonb) is 'Drafts an invoice for a person or a chapter, once under the same dedupeKey; its id. For those who manage finance there, and for what somebody orders at its price';

create function app_private.write_lines(org uuid, invoice uuid, lines jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice;
  insert into app.invoice_lines (org_id, invoice_id, place, text, net_amount, tax_bps, tax_note, share_chapter_id, share_amount, subject_type, subject_id)
    select org, invoice, u.place, u.line ->> 'text', (u.line ->> 'amount')::bigint, coalesce((u.line ->> 'taxBps')::int, 0), coalesce(u.line ->> 'taxNote', ''),
      (u.line ->> 'shareChapterId')::uuid, coalesce((u.line ->> 'shareAmount')::bigint, 0), u.line ->> 'subjectType', (u.line ->> 'subjectId')::uuid
    from jsonb_array_elements(lines) with ordinality u (line, place);
  update app.invoices i set total_amount = coalesce((select sum(l.net_amount + l.tax_amount) from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice), 0)
    where i.org_id = org and i.id = invoice;
end $$;
comment on function app_private.write_lines(uuid, uuid, jsonb) is 'Gives a draft these lines and their total';

create function app_private.lock_invoice(org uuid, invoice uuid) returns app.invoices language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare i app.invoices;
begin
  perform app_private.books_open(org);
  select * into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  if not found then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'invoice_gone'; end if;
  return i;
end $$;
comment on function app_private.lock_invoice(uuid, uuid) is 'The invoice, which nobody else changes before this transaction ends';

create function app.issue_invoice(org uuid, invoice uuid) returns text language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices := app_private.lock_invoice(org, invoice);
  today constant date := app_private.today_in(org);
  taken int;
begin
  if not app_private.keeps_books(org, i.books_chapter_id) and not (i.created_by = app.account_id() and app_private.orders(org, i)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if i.number is not null then return i.number; end if;
  if i.state <> 'draft' or i.kind <> 'invoice' then raise exception 'only a draft is issued' using errcode = '23514', constraint = 'invoice_not_draft'; end if;
  if not exists (select from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice) then
    raise exception 'an invoice without lines is not issued' using errcode = '23514', constraint = 'invoice_empty';
  end if;
  if i.total_amount < 0 then raise exception 'an invoice below zero is not issued' using errcode = '23514', constraint = 'invoice_below_zero'; end if;
  taken := app_private.take_number(org, 'invoice', extract(year from today)::int);
  update app.invoices x set state = case when i.total_amount = 0 then 'paid' else 'issued' end, number = concat(extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')),
      number_year = extract(year from today)::int, number_place = taken, issued_on = today, issued_at = now(), paid_on = case when i.total_amount = 0 then today end,
      due_on = greatest(coalesce(i.due_on, today + 30), today), billing = app_private.billing_of(org, i.person_id, i.chapter_id), seller = app_private.seller_of(org)
    where x.org_id = org and x.id = invoice returning x.number into i.number;
  return i.number;
end $$;
comment on function app.issue_invoice(uuid, uuid) is 'Gives a draft its number, its day and the address it goes to; the number. Once issued, the same number again';

create function app.void_invoice(org uuid, invoice uuid, why text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare i app.invoices := app_private.lock_invoice(org, invoice);
begin
  if not app_private.keeps_books(org, i.books_chapter_id) and not app_private.orders(org, i) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if i.state = 'void' then return; end if;
  if i.kind <> 'invoice' then raise exception 'a credit note stays' using errcode = '23514', constraint = 'credit_note_stays'; end if;
  if i.paid_amount <> 0 or i.credited_amount <> 0 or i.state not in ('draft', 'issued') then
    raise exception 'an invoice that was paid or credited is not voided' using errcode = '23514', constraint = 'invoice_has_payments';
  end if;
  update app.invoices x set state = 'void', voided_at = now(), void_reason = nullif(why, '') where x.org_id = org and x.id = invoice;
end $$;
comment on function app.void_invoice(uuid, uuid, text) is 'Nothing is owed any more; an issued invoice keeps its number. Not once something was paid or credited';

create function app_private.recompute_invoice(org uuid, invoice uuid) returns app.invoices language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices;
  paid bigint;
  credited bigint;
  last_day date;
begin
  select coalesce(sum(a.amount - a.refunded_amount), 0), max((p.settled_at at time zone o.timezone)::date) into paid, last_day
    from app.payment_allocations a join app.payments p on p.org_id = a.org_id and p.id = a.payment_id join app.organisations o on o.org_id = p.org_id
    where a.org_id = org and a.invoice_id = invoice and p.state in ('settled', 'partly_refunded', 'refunded');
  select coalesce(-sum(c.total_amount), 0) into credited from app.invoices c where c.org_id = org and c.credits_id = invoice and c.state not in ('draft', 'void');
  update app.invoices x set paid_amount = paid, credited_amount = credited,
      state = case when x.state in ('draft', 'void') then x.state
        when x.total_amount - credited - paid <= 0 then case when paid > 0 or x.total_amount = 0 then 'paid' else 'credited' end
        when paid > 0 then 'partly_paid' else 'issued' end,
      paid_on = case when x.total_amount = 0 then x.paid_on when x.state not in ('draft', 'void') and x.total_amount - credited - paid <= 0 and paid > 0 then last_day end
    where x.org_id = org and x.id = invoice returning * into i;
  return i;
end $$;
comment on function app_private.recompute_invoice(uuid, uuid) is 'Brings an invoice in line with its settled payments and its credit notes';

create function app.invoice_settled(org uuid, invoice uuid) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before constant app.invoices := app_private.lock_invoice(org, invoice);
  i app.invoices := app_private.recompute_invoice(org, invoice);
begin
  return jsonb_build_object('before', before.state, 'state', i.state, 'paidOn', i.paid_on, 'subjects', (
    select coalesce(jsonb_agg(jsonb_build_object('type', l.subject_type, 'id', l.subject_id) order by l.place), '[]')
    from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice and l.subject_id is not null));
end $$;
comment on function app.invoice_settled(uuid, uuid) is 'Brings an invoice in line with its settled payments: its state before and after, and what its lines pay for';

create function app.credit_invoice(org uuid, invoice uuid, lines jsonb, why text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices := app_private.lock_invoice(org, invoice);
  note app.invoices;
  today constant date := app_private.today_in(org);
  taken int;
begin
  if not app_private.keeps_books(org, i.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if i.kind <> 'invoice' or i.state in ('draft', 'void') then
    raise exception 'only an issued invoice is credited' using errcode = '23514', constraint = 'invoice_not_issued';
  end if;
  insert into app.invoices (org_id, kind, person_id, chapter_id, books_chapter_id, currency, credits_id, reason, due_on, created_by)
    values (org, 'credit_note', i.person_id, i.chapter_id, i.books_chapter_id, i.currency, i.id, coalesce(why, ''), today, app.account_id()) returning * into note;
  perform app_private.write_lines(org, note.id, coalesce(lines, (select jsonb_agg(jsonb_build_object('text', l.text, 'amount', -l.net_amount, 'taxBps', l.tax_bps, 'taxNote', l.tax_note,
      'shareChapterId', l.share_chapter_id, 'shareAmount', -l.share_amount) order by l.place) from app.invoice_lines l where l.org_id = org and l.invoice_id = invoice)));
  select * into note from app.invoices x where x.org_id = org and x.id = note.id;
  if note.total_amount >= 0 then raise exception 'a credit note has an amount' using errcode = '23514', constraint = 'credit_without_amount'; end if;
  if i.credited_amount - note.total_amount > i.total_amount then
    raise exception 'more cannot be credited than was charged' using errcode = '23514', constraint = 'credit_too_high';
  end if;
  taken := app_private.take_number(org, 'credit_note', extract(year from today)::int);
  update app.invoices x set state = 'issued', number = concat('CN-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')),
      number_year = extract(year from today)::int, number_place = taken, issued_on = today, issued_at = now(), billing = i.billing, seller = app_private.seller_of(org)
    where x.org_id = org and x.id = note.id;
  return note.id;
end $$;
comment on function app.credit_invoice(uuid, uuid, jsonb, text) is 'Issues a credit note over an invoice, all of it unless lines (below zero) say what; its id. invoice_settled brings the invoice in line';

create function app.invoice_of(org uuid, subject_kind text, subject uuid) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is distinct from org and not (actor.org_id is null and pg_has_role(session_user, 'app_worker', 'member')) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  return (select jsonb_build_object('id', i.id, 'state', i.state, 'number', i.number, 'dueOn', i.due_on, 'paidOn', i.paid_on,
      'total', jsonb_build_object('amount', i.total_amount, 'currency', i.currency), 'balance', jsonb_build_object('amount', i.balance_amount, 'currency', i.currency))
    from app.invoice_lines l join app.invoices i on i.org_id = l.org_id and i.id = l.invoice_id
    where l.org_id = org and l.subject_type = subject_kind and l.subject_id = subject and i.kind = 'invoice' and i.state <> 'void'
    order by i.id desc limit 1);
end $$;
comment on function app.invoice_of(uuid, text, uuid) is 'The newest invoice that charges something and is not void';

-- Receipts ---------------------------------------------------------------------------------------------------------------------------------------

create function app.issue_receipt(org uuid, payment uuid, why text default null) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p app.payments;
  before app.receipts;
  today constant date := app_private.today_in(org);
  taken int;
  made uuid;
begin
  perform app_private.books_open(org);
  select * into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null or p.state not in ('settled', 'partly_refunded') then
    raise exception 'receipts are for settled payments' using errcode = '23514', constraint = 'payment_not_settled';
  end if;
  select * into before from app.receipts r where r.org_id = org and r.payment_id = payment and r.state = 'issued' for update;
  -- Once, whoever settles; a correction is asked for with its reason, by those who keep the books.
  if before.id is not null and why is null then return before.id; end if;
  if why is not null and not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if before.id is not null then update app.receipts r set state = 'replaced' where r.org_id = org and r.id = before.id; end if;
  taken := app_private.take_number(org, 'receipt', extract(year from today)::int);
  insert into app.receipts (org_id, payment_id, person_id, chapter_id, books_chapter_id, number, number_year, number_place, replaces_id, reason, amount, currency, issued_on, received_on, billing, seller, lines, created_by)
    values (org, payment, p.person_id, p.chapter_id, p.books_chapter_id, concat('R-', extract(year from today), '-', lpad(taken::text, greatest(5, length(taken::text)), '0')), extract(year from today)::int, taken,
      before.id, coalesce(why, ''), p.amount - p.refunded_amount, p.currency, today, coalesce(p.received_on, (p.settled_at at time zone 'UTC')::date, today),
      app_private.billing_of(org, p.person_id, p.chapter_id), app_private.seller_of(org),
      (select coalesce(jsonb_agg(jsonb_build_object('invoice', coalesce(i.number, i.foreign_number), 'text', i.reason, 'amount', a.amount - a.refunded_amount) order by i.id), '[]')
        from app.payment_allocations a join app.invoices i on i.org_id = a.org_id and i.id = a.invoice_id where a.org_id = org and a.payment_id = payment), app.account_id())
    returning id into made;
  return made;
end $$;
comment on function app.issue_receipt(uuid, uuid, text) is 'The receipt of a settled payment, issued once; with a reason, another one that replaces it';

select app_private.own_definers();
grant execute on function app.draft_invoice(uuid, jsonb), app.issue_invoice(uuid, uuid), app.void_invoice(uuid, uuid, text), app.invoice_settled(uuid, uuid),
  app.credit_invoice(uuid, uuid, jsonb, text), app.invoice_of(uuid, text, uuid), app.issue_receipt(uuid, uuid, text) to app_access, app_worker, app_definer;
grant execute on function app_private.books_open(uuid), app_private.keeps_books(uuid, uuid), app_private.orders(uuid, app.invoices), app_private.today_in(uuid),
  app_private.billing_of(uuid, uuid, uuid), app_private.seller_of(uuid), app_private.write_lines(uuid, uuid, jsonb), app_private.lock_invoice(uuid, uuid),
  app_private.recompute_invoice(uuid, uuid), app_private.take_number(uuid, text, int) to app_definer;
revoke execute on function app_private.take_number(uuid, text, int), app_private.invoices_stay(), app_private.invoice_lines_stay(), app_private.receipts_stay(), app_private.payments_stay() from public;
