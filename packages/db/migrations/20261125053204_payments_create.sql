-- Payments: money that came in or was tried to be paid, what it pays, refunds, and what the payment provider told us.
-- A payment pays an invoice only once it has settled; nothing is ever deleted, and whatever the provider says is read from the provider anew.

alter table app.payments drop constraint payments_state_check;
alter table app.payments add constraint payments_state_check
  check (state in ('pending', 'settled', 'failed', 'cancelled', 'partly_refunded', 'refunded', 'disputed', 'reversed'));
alter table app.payments
  add column kind text not null default 'manual' check (kind in ('manual', 'checkout', 'charge')),
  add column failure text check (failure in ('declined', 'confirmation_needed', 'expired')),
  add column invoice_id uuid,
  add column reference text not null default '' check (char_length(reference) <= 140),
  add column provider_session text check (char_length(provider_session) between 1 and 255),
  add column provider_customer text check (char_length(provider_customer) between 1 and 255),
  add column saves_method boolean not null default false,
  add column expires_at timestamptz,
  add column dispute_id text check (char_length(dispute_id) between 1 and 255),
  add column dispute_state text check (dispute_state in ('open', 'won', 'lost')),
  add column is_test boolean not null default false,
  add column counts boolean not null default true,
  add column reversed_at timestamptz,
  add column reversed_by uuid,
  add column reversal_reason text check (char_length(reversal_reason) between 1 and 500),
  add foreign key (org_id, invoice_id) references app.invoices (org_id, id),
  add constraint payments_kind check ((kind = 'manual') = (provider = 'manual')),
  add constraint payments_reversal check ((state = 'reversed') = (reversed_at is not null) and (reversed_at is null) = (reversal_reason is null)),
  add constraint payments_dispute check ((dispute_id is null) = (dispute_state is null));
comment on column app.payments.kind is 'manual: recorded by hand; checkout: on a page of the provider; charge: of a saved card while its owner is away';
comment on column app.payments.provider_ref is 'The provider''s id of it';
comment on column app.payments.invoice_id is 'What it is meant for; null for money recorded by hand that pays several invoices, or none yet';
comment on column app.payments.received_on is 'Day on which the money came, of a payment recorded by hand';
comment on column app.payments.is_test is 'No money moved';
comment on column app.payments.counts is 'Whether it pays invoices; a test payment in production does not';
comment on column app.payment_allocations.amount is 'What it was meant to pay';
comment on column app.payment_allocations.refunded_amount is 'What of it pays nothing: it was given back, is disputed, or is more than the invoice was open';
create unique index payments_by_session on app.payments (org_id, provider_session) where provider_session is not null;
-- One open attempt per invoice and payer: who clicks twice pays on the same page.
create unique index payments_one_checkout on app.payments (org_id, invoice_id, coalesce(created_by, '00000000-0000-0000-0000-000000000000')) where state = 'pending' and kind = 'checkout';
create unique index payments_one_charge on app.payments (org_id, invoice_id) where state = 'pending' and kind = 'charge';
create index payments_by_invoice on app.payments (org_id, invoice_id, id);
create index payments_waiting on app.payments (org_id, created_at) where state = 'pending' and kind <> 'manual';
create index payments_by_age on app.payments (org_id, id desc);

create table app.payment_readings (
  org_id uuid not null references app.organisations on delete cascade,
  payment_id uuid not null,
  reads int not null default 1,
  read_at timestamptz not null default now(),
  primary key (org_id, payment_id),
  foreign key (org_id, payment_id) references app.payments (org_id, id)
);
comment on table app.payment_readings is 'How often a payment was read at the provider, and when: an older answer never replaces a newer one. Not in the audit log: what a reading changes is';

create table app.refunds (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  payment_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'settled', 'failed')),
  amount bigint not null check (amount between 1 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reason text not null check (char_length(reason) <= 500),
  provider_refund text check (char_length(provider_refund) <= 255),
  settled_at timestamptz,
  created_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, payment_id) references app.payments (org_id, id)
);
comment on table app.refunds is 'Money given back of a payment; asked for first, settled once the provider says so';
create unique index refunds_by_provider on app.refunds (org_id, provider_refund) where provider_refund is not null;
create index refunds_by_payment on app.refunds (org_id, payment_id, id);

create table app.payment_events (
  org_id uuid not null references app.organisations on delete cascade,
  event_id text not null check (char_length(event_id) between 1 and 255),
  type text not null check (char_length(type) between 1 and 100),
  payment_id uuid not null,
  received_at timestamptz not null default now(),
  processed_at timestamptz,
  primary key (org_id, event_id),
  foreign key (org_id, payment_id) references app.payments (org_id, id)
);
comment on table app.payment_events is 'Events of the payment provider, each once; they say that something happened, and the payment is read anew. Not in the audit log: the payment it changes is';
create index payment_events_by_payment on app.payment_events (org_id, payment_id);

create table app.payment_methods (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  provider text not null default 'stripe' check (provider = 'stripe'),
  provider_customer text not null check (char_length(provider_customer) <= 255),
  provider_method text not null check (char_length(provider_method) <= 255),
  brand text not null check (char_length(brand) <= 40),
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month int not null check (exp_month between 1 and 12),
  exp_year int not null check (exp_year between 2000 and 2200),
  removed_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider_method),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.payment_methods is 'Saved cards; the number is at the provider only';
create index payment_methods_of_person on app.payment_methods (org_id, person_id, id);

create table app.payment_differences (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  kind text not null check (kind in ('unknown_here', 'unknown_there', 'amount', 'refunds')),
  provider_ref text not null check (char_length(provider_ref) between 1 and 255),
  payment_id uuid,
  ours bigint,
  theirs bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  found_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  resolved_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, payment_id) references app.payments (org_id, id)
);
comment on table app.payment_differences is 'What the nightly comparison with the payment provider found and could not mend. Not in the audit log: it is found anew every night';
create unique index payment_differences_open on app.payment_differences (org_id, kind, provider_ref) where resolved_at is null;
create index payment_differences_by_payment on app.payment_differences (org_id, payment_id);

-- Rights: whoever sees a payment sees its refunds; a card is its owner's.
do $$
declare tab text;
begin
  foreach tab in array array['payment_readings', 'refunds', 'payment_events', 'payment_methods', 'payment_differences'] loop
    perform app_private.protect(('app.' || tab)::regclass);
    execute format('grant select, insert, update on app.%I to app_definer', tab);
  end loop;
end $$;
select app_private.keep_audit('app.refunds', 'finance.read', 'payment_id');
select app_private.keep_audit('app.payment_methods', 'finance.read', 'person_id');
create policy refunds_read on app.refunds for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.payments p where p.org_id = refunds.org_id and p.id = refunds.payment_id));
create policy payment_methods_read on app.payment_methods for select to app_access using (org_id = (select app.org_id()) and person_id = (select app.person_id()));
create policy payment_differences_read on app.payment_differences for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('finance.read')));
grant select on app.refunds, app.payment_differences to app_access;
grant select (org_id, id, person_id, brand, last4, exp_month, exp_year, removed_at, created_at) on app.payment_methods to app_access;

create function app_private.books_first(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'not allowed' using errcode = '42501'; end if;
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  perform from app.audit_heads h where h.org_id = org for update;
end $$;
comment on function app_private.books_first(uuid) is 'What writes in the books of an organisation waits for each other here, before anything else is locked; an actor only in their own';

-- What a payment pays -----------------------------------------------------------------------------------------------------------------

create function app_private.apply_payment(org uuid, payment uuid) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p app.payments;
  a record;
  free bigint;
  room bigint;
  gets bigint;
begin
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  -- In the order of their ids, so that two payments of the same invoices wait for each other and never in a circle.
  perform from app.invoices i where i.org_id = org and i.id in (select l.invoice_id from app.payment_allocations l where l.org_id = org and l.payment_id = payment)
    order by i.id for update;
  free := case when p.counts and p.state in ('settled', 'partly_refunded') then p.amount - p.refunded_amount else 0 end;
  for a in select l.id, l.invoice_id, l.amount, l.amount - l.refunded_amount as pays from app.payment_allocations l where l.org_id = org and l.payment_id = payment order by l.id loop
    select greatest(0, i.total_amount - i.credited_amount
        - coalesce((select sum(o.amount - o.refunded_amount) from app.payment_allocations o where o.org_id = org and o.invoice_id = i.id and o.id <> a.id), 0))
      into room from app.invoices i where i.org_id = org and i.id = a.invoice_id and i.currency = p.currency and i.state not in ('draft', 'void');
    gets := least(a.amount, free, coalesce(room, 0));
    free := free - gets;
    if gets <> a.pays then
      update app.payment_allocations l set refunded_amount = a.amount - gets where l.org_id = org and l.id = a.id;
    end if;
    return next a.invoice_id;
  end loop;
end $$;
comment on function app_private.apply_payment(uuid, uuid) is 'Brings what a payment pays in line with its state, under locks of its invoices; answers the invoices that changed';

create function app_private.payment_state(p app.payments) returns text language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case when p.dispute_state in ('open', 'lost') then 'disputed'
    when p.refunded_amount >= p.amount then 'refunded'
    when p.refunded_amount > 0 then 'partly_refunded'
    else 'settled' end
$$;
comment on function app_private.payment_state(app.payments) is 'State of a payment that has settled, by its refunds and its dispute';

create function app_private.count_refunds(org uuid, payment uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.payments p set refunded_amount = (select coalesce(sum(r.amount), 0) from app.refunds r where r.org_id = org and r.payment_id = payment and r.state = 'settled')
    where p.org_id = org and p.id = payment and p.refunded_amount
      is distinct from (select coalesce(sum(r.amount), 0) from app.refunds r where r.org_id = org and r.payment_id = payment and r.state = 'settled')
$$;
comment on function app_private.count_refunds(uuid, uuid) is 'Adds up what was given back of a payment';

create function app.settle_payment(org uuid, payment uuid, at timestamptz) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  -- An actor settles what was recorded by hand; what a provider charged settles when the provider says so.
  if (app.actor()).org_id is not null and (p.kind <> 'manual' or not app_private.keeps_books(org, p.books_chapter_id)) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  if p.state in ('pending', 'failed', 'cancelled') then
    update app.payments x set state = 'settled', failure = null, settled_at = at where x.org_id = org and x.id = payment;
    if p.invoice_id is not null then
      insert into app.payment_allocations (org_id, payment_id, invoice_id, amount, refunded_amount) values (org, payment, p.invoice_id, p.amount, p.amount)
        on conflict (org_id, payment_id, invoice_id) do nothing;
    end if;
  end if;
  return query select app_private.apply_payment(org, payment);
end $$;
comment on function app.settle_payment(uuid, uuid, timestamptz) is 'A payment has settled: it pays what it was meant for; a second time changes nothing. Answers the invoices whose state may have changed';

-- Money that came by hand ---------------------------------------------------------------------------------------------------------------

create function app.record_payment(said jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  first app.invoices;
  person uuid := (said ->> 'person_id')::uuid;
  chapter uuid := (said ->> 'chapter_id')::uuid;
  made app.payments;
begin
  perform app_private.books_open(org);
  if (said ->> 'received_on')::date > app.today() then
    raise exception 'money that has not come cannot be recorded' using errcode = '23514', constraint = 'payment_in_future';
  end if;
  -- Whoever owes the first invoice paid, unless somebody else is named.
  select i.* into first from app.invoices i where i.org_id = org and i.id = (said -> 'allocations' -> 0 ->> 'invoice_id')::uuid;
  if person is null and chapter is null then person := first.person_id; chapter := first.chapter_id; end if;
  insert into app.payments (org_id, kind, method, amount, currency, person_id, chapter_id, books_chapter_id, received_on, reference, note, created_by)
    values (org, 'manual', said ->> 'method', (said ->> 'amount')::bigint, said ->> 'currency', person, chapter,
      coalesce(first.books_chapter_id, chapter, (select p.home_chapter_id from app.people p where p.org_id = org and p.id = person)),
      (said ->> 'received_on')::date, coalesce(said ->> 'reference', ''), coalesce(said ->> 'note', ''), app.account_id())
    returning * into made;
  if not app_private.keeps_books(org, made.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app.allocate_payment(made.id, coalesce(said -> 'allocations', '[]'));
  return made.id;
end $$;
comment on function app.record_payment(jsonb) is 'Writes down money that came by bank, in cash or as a cheque, and what it is for; app.settle_payment lets it pay';

create function app.allocate_payment(payment uuid, allocations jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.payments;
  i app.invoices;
  a record;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  if not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.state not in ('pending', 'settled', 'partly_refunded') then
    raise exception 'this payment pays nothing any more' using errcode = '23514', constraint = 'payment_over';
  end if;
  for a in select (x ->> 'invoice_id')::uuid as invoice_id, (x ->> 'amount')::bigint as amount from jsonb_array_elements(allocations) x order by 1 loop
    select x.* into i from app.invoices x where x.org_id = org and x.id = a.invoice_id for update;
    if i.id is null or i.kind <> 'invoice' then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'payment_invoice_unknown'; end if;
    if i.state not in ('issued', 'partly_paid') then
      raise exception 'this invoice cannot be paid' using errcode = '23514', constraint = 'payment_invoice_closed';
    end if;
    if i.currency <> p.currency then
      raise exception 'this invoice is in another currency' using errcode = '23514', constraint = 'payment_currency';
    end if;
    insert into app.payment_allocations (org_id, payment_id, invoice_id, amount) values (org, payment, a.invoice_id, a.amount)
      on conflict (org_id, payment_id, invoice_id) do update set amount = app.payment_allocations.amount - app.payment_allocations.refunded_amount + excluded.amount, refunded_amount = 0;
    if not app_private.keeps_books(org, i.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  end loop;
  if (select sum(l.amount - l.refunded_amount) from app.payment_allocations l where l.org_id = org and l.payment_id = payment) > p.amount - p.refunded_amount then
    raise exception 'more was allocated than the payment has' using errcode = '23514', constraint = 'payment_too_small';
  end if;
  -- It pays once it has settled.
  if p.state = 'pending' then update app.payment_allocations l set refunded_amount = l.amount where l.org_id = org and l.payment_id = payment; end if;
  update app.payments x set updated_at = now() where x.org_id = org and x.id = payment;
end $$;
comment on function app.allocate_payment(uuid, jsonb) is 'Says which invoices a payment is for; app.settle_payment lets it pay them';

create function app.hold_payment(payment uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  books uuid;
begin
  perform app_private.books_open(org);
  select p.books_chapter_id into books from app.payments p where p.org_id = org and p.id = payment and p.version = known for update;
  return found and app_private.keeps_books(org, books);
end $$;
comment on function app.hold_payment(uuid, int) is 'Locks a payment that somebody is about to change, if it is still as they know it';

create function app.reverse_payment(payment uuid, reason text) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  if not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.kind <> 'manual' then raise exception 'give the money back instead' using errcode = '23514', constraint = 'payment_not_manual'; end if;
  if p.state <> 'settled' then raise exception 'this payment was reversed or refunded' using errcode = '23514', constraint = 'payment_over'; end if;
  update app.payments x set state = 'reversed', reversed_at = now(), reversed_by = app.account_id(), reversal_reason = reason where x.org_id = org and x.id = payment;
  return query select app_private.apply_payment(org, payment);
end $$;
comment on function app.reverse_payment(uuid, text) is 'Takes back what was recorded by mistake: it stays on record and pays nothing';

create function app.request_refund(payment uuid, amount bigint, reason text, out refund uuid, out by_hand boolean) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment for update;
  if p.id is null then raise exception 'there is no such payment' using errcode = '23503', constraint = 'payment_unknown'; end if;
  if not app_private.keeps_books(org, p.books_chapter_id) then raise exception 'not allowed' using errcode = '42501'; end if;
  if p.state not in ('settled', 'partly_refunded') then raise exception 'there is nothing to refund' using errcode = '23514', constraint = 'payment_over'; end if;
  if amount > p.amount - (select coalesce(sum(r.amount), 0) from app.refunds r where r.org_id = org and r.payment_id = payment and r.state <> 'failed') then
    raise exception 'so much is not left' using errcode = '23514', constraint = 'refund_too_large';
  end if;
  by_hand := p.kind = 'manual';
  insert into app.refunds (org_id, payment_id, amount, currency, reason, state, settled_at, created_by)
    values (org, payment, amount, p.currency, reason, case when by_hand then 'settled' else 'pending' end, case when by_hand then now() end, app.account_id())
    returning id into refund;
  update app.payments x set updated_at = now() where x.org_id = org and x.id = payment;
end $$;
comment on function app.request_refund(uuid, bigint, text) is 'Notes money to be given back; what was charged by the provider goes back through it, other money by hand';

create function app.apply_refund(payment uuid) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  books uuid;
begin
  perform app_private.books_open(org);
  select p.books_chapter_id into books from app.payments p where p.org_id = org and p.id = payment and p.kind = 'manual' for update;
  if not found then return; end if;
  if not app_private.keeps_books(org, books) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.count_refunds(org, payment);
  update app.payments p set state = app_private.payment_state(p) where p.org_id = org and p.id = payment and p.state in ('settled', 'partly_refunded');
  return query select app_private.apply_payment(org, payment);
end $$;
comment on function app.apply_refund(uuid) is 'What was given back by hand pays nothing any more; answers the invoices whose state may have changed';

-- Payments through the provider ---------------------------------------------------------------------------------------------------------

create type app.payment_begun as (payment_id uuid, org_id uuid, amount bigint, currency text, number text, email text, customer text, saves boolean,
  expires_at timestamptz, stale_sessions text[]);

create function app_private.begin_payment(org uuid, invoice uuid, account uuid, payment_kind text, saves boolean, real_money boolean, counted boolean)
  returns app.payment_begun language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  i app.invoices;
  p app.payments;
  open bigint;
  stale text[] := '{}';
  begun app.payment_begun;
begin
  perform app_private.books_first(org);
  select x.* into i from app.invoices x where x.org_id = org and x.id = invoice for update;
  if i.id is null or i.kind <> 'invoice' then raise exception 'there is no such invoice' using errcode = '23503', constraint = 'payment_invoice_unknown'; end if;
  if i.state not in ('issued', 'partly_paid') then
    raise exception 'this invoice cannot be paid' using errcode = '23514', constraint = 'payment_invoice_closed';
  end if;
  open := i.total_amount - i.credited_amount - coalesce((select sum(l.amount - l.refunded_amount) from app.payment_allocations l where l.org_id = org and l.invoice_id = invoice), 0);
  if open <= 0 then raise exception 'this invoice is paid' using errcode = '23514', constraint = 'payment_invoice_closed'; end if;
  select x.* into p from app.payments x where x.org_id = org and x.invoice_id = invoice and x.kind = payment_kind and x.state = 'pending'
    and (payment_kind = 'charge' or x.created_by is not distinct from account);
  if p.id is not null and (p.amount <> open or p.expires_at < now() + interval '10 minutes' or p.saves_method <> saves) and payment_kind = 'checkout' then
    -- Another amount is open, or the page is about to end. Should somebody have paid on it, it settles all the same.
    update app.payments x set state = 'cancelled', failure = 'expired' where x.org_id = org and x.id = p.id;
    stale := array_remove(array[p.provider_session], null);
    p := null;
  end if;
  if p.id is null then
    insert into app.payments (org_id, kind, method, amount, currency, invoice_id, person_id, chapter_id, books_chapter_id, provider, provider_customer, saves_method, expires_at,
        is_test, counts, created_by)
      values (org, payment_kind, 'card', open, i.currency, invoice, i.person_id, i.chapter_id, i.books_chapter_id, 'stripe',
        (select x.provider_customer from app.payments x where x.org_id = org and x.person_id = i.person_id and x.provider_customer is not null and x.is_test <> real_money
          order by x.id desc limit 1),
        saves, case when payment_kind = 'checkout' then date_trunc('second', now() + interval '2 hours') end, not real_money, counted, account)
      returning * into p;
  end if;
  begun := (p.id, org, p.amount, p.currency, i.number,
    (select e.address from app.person_emails e where e.org_id = org and e.person_id = i.person_id and e.is_primary limit 1), p.provider_customer, p.saves_method, p.expires_at, stale);
  return begun;
end $$;
comment on function app_private.begin_payment(uuid, uuid, uuid, text, boolean, boolean, boolean) is 'The open attempt to pay what an invoice still owes; made under a lock of the invoice when there is none';

create function app.begin_checkout(invoice uuid, saves boolean, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  perform app_private.books_open(org);
  if not exists (select from app.invoices i where i.org_id = org and i.id = invoice
      and (i.person_id = app.person_id() or i.chapter_id = any (app.scope('finance.read')) or app_private.keeps_books(org, i.books_chapter_id))) then
    raise exception 'not allowed' using errcode = '42501';
  end if;
  -- A card is saved by its owner only.
  return app_private.begin_payment(org, invoice, app.account_id(), 'checkout',
    saves and exists (select from app.invoices i where i.org_id = org and i.id = invoice and i.person_id = app.person_id()), real_money, counted);
end $$;
comment on function app.begin_checkout(uuid, boolean, boolean, boolean) is 'Begins to pay an invoice of the actor''s own, or one of a chapter whose dues they read';

create function app_private.invoice_by_link(idp_org text, secret_hash text, out org uuid, out invoice uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.org_id, l.subject_id from app.open_link(idp_org, 'pay', secret_hash) l where l.subject_type = 'invoice'
$$;
comment on function app_private.invoice_by_link(text, text) is 'The invoice that a link for paying is about';
create function app.begin_checkout_by_link(idp_org text, secret_hash text, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare l record;
begin
  select * into l from app_private.invoice_by_link(idp_org, secret_hash);
  if l.invoice is null then return null; end if;
  return app_private.begin_payment(l.org, l.invoice, null, 'checkout', false, real_money, counted);
end $$;
comment on function app.begin_checkout_by_link(text, text, boolean, boolean) is 'Begins to pay the invoice that a link is about, for whoever has the link';

create function app.begin_charge(org uuid, invoice uuid, real_money boolean, counted boolean) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from app.payment_methods m join app.invoices i on i.org_id = m.org_id and i.person_id = m.person_id
      where m.org_id = org and i.id = invoice and m.removed_at is null) then return null; end if;
  return (app_private.begin_payment(org, invoice, null, 'charge', false, real_money, counted)).payment_id;
end $$;
comment on function app.begin_charge(uuid, uuid, boolean, boolean) is 'An attempt to charge the saved card of whoever owes an invoice; null without one';

create function app.note_checkout(org uuid, payment uuid, session text, customer text) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.payments p set provider_session = session, provider_customer = coalesce(customer, p.provider_customer)
    where p.org_id = org and p.id = payment and p.kind = 'checkout' and p.provider_session is null
$$;
comment on function app.note_checkout(uuid, uuid, text, text) is 'The page of the provider on which a payment is to be made';

create function app.payment_to_charge(org uuid, payment uuid) returns table (amount bigint, currency text, number text, customer text, method text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.amount, p.currency, i.number, m.provider_customer, m.provider_method
    from app.payments p join app.invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    join lateral (select x.* from app.payment_methods x where x.org_id = p.org_id and x.person_id = p.person_id and x.removed_at is null order by x.id desc limit 1) m on true
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending' and p.provider_ref is null
$$;
comment on function app.payment_to_charge(uuid, uuid) is 'What is to be charged to the newest saved card';

create function app.note_charge(org uuid, payment uuid, intent text, why text) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.payments p set provider_ref = coalesce(p.provider_ref, intent), failure = coalesce(why, p.failure),
      state = case when intent is null then 'failed' else p.state end
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending'
$$;
comment on function app.note_charge(uuid, uuid, text, text) is 'The provider''s id of a charge, or why there is none';

create function app.note_payment_event(event text, event_type text, org uuid, payment uuid, session text, intent text, out noted_org uuid, out noted_payment uuid, out fresh boolean)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  fresh := false;
  select p.org_id, p.id into noted_org, noted_payment from app.payments p
    where p.kind <> 'manual' and ((p.org_id = org and p.id = payment) or p.provider_session = session or p.provider_ref = intent) limit 1;
  if noted_payment is null then return; end if;
  insert into app.payment_events (org_id, event_id, type, payment_id) values (noted_org, event, event_type, noted_payment) on conflict (org_id, event_id) do nothing;
  fresh := found;
end $$;
comment on function app.note_payment_event(text, text, uuid, uuid, text, text) is 'Notes an event of the provider, once; null where it is about no payment of ours';

create function app.payment_to_read(org uuid, payment uuid) returns table (session text, intent text, reads int)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.provider_session, p.provider_ref, coalesce(r.reads, 0) from app.payments p
    left join app.payment_readings r on r.org_id = p.org_id and r.payment_id = p.id
    where p.org_id = org and p.id = payment and p.kind <> 'manual'
$$;
comment on function app.payment_to_read(uuid, uuid) is 'By which ids a payment is asked for at the provider, and how often that was done';

create function app.apply_reading(org uuid, payment uuid, known_reads int, said jsonb) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p app.payments;
  q app.payments;
  before text;
  r jsonb;
  after text;
  changed uuid[];
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment and x.kind <> 'manual' for update;
  -- Somebody has read it meanwhile, and may know more than this answer does.
  if p.id is null or coalesce((select r.reads from app.payment_readings r where r.org_id = org and r.payment_id = payment), 0) <> known_reads then return null; end if;
  insert into app.payment_readings (org_id, payment_id) values (org, payment)
    on conflict (org_id, payment_id) do update set reads = app.payment_readings.reads + 1, read_at = now();
  before := p.state;
  -- What was given up here may still be open there; it comes back only when somebody has paid.
  after := case when said ->> 'state' = 'pending' and p.state in ('cancelled', 'failed') then p.state else said ->> 'state' end;
  if after = 'settled' and ((said ->> 'amount')::bigint <> p.amount or said ->> 'currency' <> p.currency) then
    insert into app.payment_differences (org_id, kind, provider_ref, payment_id, ours, theirs, currency)
      values (org, 'amount', said ->> 'intent', payment, p.amount, (said ->> 'amount')::bigint, said ->> 'currency')
      on conflict (org_id, kind, provider_ref) where resolved_at is null do update set last_seen_at = now(), theirs = excluded.theirs;
    update app.payments x set provider_ref = said ->> 'intent' where x.org_id = org and x.id = payment and x.provider_ref is null;
    return jsonb_build_object('before', before, 'after', before, 'kind', p.kind, 'person', p.person_id, 'invoices', '[]'::jsonb);
  end if;
  for r in select x from jsonb_array_elements(coalesce(said -> 'refunds', '[]')) x loop
    update app.refunds f set provider_refund = r ->> 'id', state = r ->> 'state', updated_at = now(),
        settled_at = case when r ->> 'state' = 'settled' then coalesce(f.settled_at, now()) end
      where f.org_id = org and f.payment_id = payment and (f.provider_refund = r ->> 'id' or f.id::text = r ->> 'refund')
        and (f.provider_refund, f.state) is distinct from (r ->> 'id', r ->> 'state');
    -- Given at the provider itself.
    insert into app.refunds (org_id, payment_id, amount, currency, reason, state, provider_refund, settled_at)
      select org, payment, (r ->> 'amount')::bigint, p.currency, '', r ->> 'state', r ->> 'id', case when r ->> 'state' = 'settled' then now() end
      where not exists (select from app.refunds f where f.org_id = org and f.provider_refund = r ->> 'id');
  end loop;
  perform app_private.count_refunds(org, payment);
  -- As it is to be; written only where something changes, so that a reading alone makes no new version.
  select x.* into q from app.payments x where x.org_id = org and x.id = payment;
  q.provider_ref := coalesce(q.provider_ref, said ->> 'intent');
  q.provider_customer := coalesce(q.provider_customer, said ->> 'customer');
  q.dispute_id := said ->> 'dispute';
  q.dispute_state := said ->> 'dispute_state';
  q.is_test := not (said ->> 'is_live')::boolean;
  q.counts := (said ->> 'counts')::boolean;
  if after = 'settled' then
    q.settled_at := coalesce(q.settled_at, (said ->> 'settled_at')::timestamptz);
    q.failure := null;
    after := app_private.payment_state(q);
  elsif after = 'pending' then q.failure := said ->> 'failure';
  else q.failure := coalesce(said ->> 'failure', q.failure);
  end if;
  q.state := after;
  update app.payments x set provider_ref = q.provider_ref, provider_customer = q.provider_customer, dispute_id = q.dispute_id, dispute_state = q.dispute_state,
      is_test = q.is_test, counts = q.counts, settled_at = q.settled_at, failure = q.failure, state = q.state
    where x.org_id = org and x.id = payment
      and (x.provider_ref, x.provider_customer, x.dispute_id, x.dispute_state, x.is_test, x.counts, x.settled_at, x.failure, x.state)
        is distinct from (q.provider_ref, q.provider_customer, q.dispute_id, q.dispute_state, q.is_test, q.counts, q.settled_at, q.failure, q.state);
  if said ->> 'state' = 'settled' then
    if said -> 'saved' ->> 'method' is not null and p.saves_method and p.person_id is not null then
      insert into app.payment_methods (org_id, person_id, provider_customer, provider_method, brand, last4, exp_month, exp_year)
        values (org, p.person_id, said ->> 'customer', said -> 'saved' ->> 'method', said -> 'saved' ->> 'brand', said -> 'saved' ->> 'last4',
          (said -> 'saved' ->> 'exp_month')::int, (said -> 'saved' ->> 'exp_year')::int)
        on conflict (org_id, provider_method) do nothing;
    end if;
    insert into app.payment_allocations (org_id, payment_id, invoice_id, amount, refunded_amount) select org, payment, p.invoice_id, p.amount, p.amount where p.invoice_id is not null
      on conflict (org_id, payment_id, invoice_id) do nothing;
  end if;
  select coalesce(array_agg(c), '{}') into changed from app_private.apply_payment(org, payment) c;
  update app.payment_events e set processed_at = now() where e.org_id = org and e.payment_id = payment and e.processed_at is null;
  return jsonb_build_object('before', before, 'after', after, 'kind', p.kind, 'person', p.person_id, 'invoices', to_jsonb(changed));
end $$;
comment on function app.apply_reading(uuid, uuid, int, jsonb) is 'Brings a payment in line with what the provider says of it now; null when it was read again meanwhile. Answers the invoices whose state may have changed';

create function app.refund_to_give(org uuid, refund uuid) returns table (payment_id uuid, intent text, amount bigint, currency text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.id, p.provider_ref, r.amount, r.currency from app.refunds r join app.payments p on p.org_id = r.org_id and p.id = r.payment_id
    where r.org_id = org and r.id = refund and r.state = 'pending' and p.provider_ref is not null
$$;
comment on function app.refund_to_give(uuid, uuid) is 'A refund that the provider is still to be asked for, or to be asked about';
create function app.fail_refund(org uuid, refund uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.refunds r set state = 'failed', updated_at = now() where r.org_id = org and r.id = refund and r.state = 'pending' and r.provider_refund is null
$$;
comment on function app.fail_refund(uuid, uuid) is 'The provider does not give this refund';

create function app.remove_payment_method(method uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.payment_methods m set removed_at = now(), updated_at = now()
    where m.org_id = app.org_id() and m.id = method and m.person_id = app.person_id() and m.removed_at is null;
  return found;
end $$;
comment on function app.remove_payment_method(uuid) is 'Forgets a saved card of the actor''s own';
create function app.removed_payment_method(org uuid, method uuid) returns text language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select m.provider_method from app.payment_methods m where m.org_id = org and m.id = method and m.removed_at is not null
$$;
comment on function app.removed_payment_method(uuid, uuid) is 'The provider''s id of a card that was removed here';

-- What is told ---------------------------------------------------------------------------------------------------------------------------

create function app.failed_charge(org uuid, payment uuid) returns table (invoice uuid, number text, amount bigint, currency text, failure text, person uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select i.id, coalesce(i.number, i.foreign_number), i.balance_amount, i.currency, coalesce(p.failure, 'declined'), p.person_id
    from app.payments p join app.invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'failed' and i.state in ('issued', 'partly_paid')
$$;
comment on function app.failed_charge(uuid, uuid) is 'A charge of a saved card that failed, while its invoice is still to be paid; for the worker that mails it';

create function app.invoice_to_pay(idp_org text, secret_hash text) returns table (number text, reason text, due_on date, state text, open_amount bigint, currency text, is_waiting boolean)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(i.number, i.foreign_number), i.reason, i.due_on, i.state, i.balance_amount, i.currency,
      exists (select from app.payments p where p.org_id = i.org_id and p.invoice_id = i.id and p.state = 'pending' and p.created_at > now() - interval '1 hour')
    from app_private.invoice_by_link(idp_org, secret_hash) l join app.invoices i on i.org_id = l.org and i.id = l.invoice
    where i.state not in ('draft') and i.kind = 'invoice'
$$;
comment on function app.invoice_to_pay(text, text) is 'What whoever has a link for paying is shown of the invoice';

-- Comparison ----------------------------------------------------------------------------------------------------------------------------

create function app.give_up_payment(org uuid, payment uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.payments p set state = 'cancelled', failure = 'expired'
    where p.org_id = org and p.id = payment and p.kind <> 'manual' and p.state = 'pending' and p.provider_session is null and p.provider_ref is null
      and coalesce(p.expires_at, p.created_at + interval '1 day') < now() - interval '1 hour'
$$;
comment on function app.give_up_payment(uuid, uuid) is 'Ends an attempt that the provider never heard of; should it be paid there all the same, the comparison finds it';
create function app.payments_to_look_after(most int) returns table (org_id uuid, payment_id uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.org_id, p.id from app.payments p left join app.payment_readings r on r.org_id = p.org_id and r.payment_id = p.id
    where p.state = 'pending' and p.kind <> 'manual' and p.created_at < now() - interval '5 minutes'
      and coalesce(r.read_at, p.created_at) < now() - least(interval '6 hours', greatest(interval '5 minutes', (now() - p.created_at) / 4))
    order by r.read_at nulls first, p.id limit most
$$;
comment on function app.payments_to_look_after(int) is 'Payments of which nothing was heard for a while, for the worker';

create function app.compare_payments(org uuid, theirs jsonb) returns table (payment_id uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  -- Known here, and otherwise there: a fresh reading mends it.
  select p.id from jsonb_to_recordset(theirs) t (payment uuid, intent text, state text, amount bigint, refunded bigint, disputed boolean)
    join app.payments p on p.org_id = org and p.kind <> 'manual' and (p.id = t.payment or p.provider_ref = t.intent)
    where (t.state = 'settled') is distinct from (p.state in ('settled', 'partly_refunded', 'refunded', 'disputed')) or t.refunded <> p.refunded_amount
      or (t.disputed and coalesce(p.dispute_state, 'open') = 'open')
$$;
comment on function app.compare_payments(uuid, jsonb) is 'Payments of ours of which the provider says something else';

create function app.note_payment_differences(org uuid, theirs jsonb, since timestamptz) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  listed int;
begin
  insert into app.payment_differences (org_id, kind, provider_ref, payment_id, ours, theirs, currency)
    select org, d.kind, d.ref, d.payment, d.ours, d.theirs, d.currency from (
      select 'unknown_here' as kind, t.intent as ref, null::uuid as payment, null::bigint as ours, t.amount as theirs, t.currency
        from jsonb_to_recordset(theirs) t (payment uuid, intent text, state text, amount bigint, refunded bigint, currency text)
        where t.state = 'settled' and not exists (select from app.payments p where p.org_id = org and (p.id = t.payment or p.provider_ref = t.intent))
      union all
      select case when t.amount <> p.amount then 'amount' else 'refunds' end, t.intent, p.id,
          case when t.amount <> p.amount then p.amount else p.refunded_amount end, case when t.amount <> p.amount then t.amount else t.refunded end, t.currency
        from jsonb_to_recordset(theirs) t (payment uuid, intent text, state text, amount bigint, refunded bigint, currency text)
        join app.payments p on p.org_id = org and (p.id = t.payment or p.provider_ref = t.intent)
        where t.state = 'settled' and (t.amount <> p.amount or t.refunded <> p.refunded_amount or t.currency <> p.currency)
      union all
      select 'unknown_there', p.provider_ref, p.id, p.amount, null, p.currency from app.payments p
        where p.org_id = org and p.provider_ref is not null and p.settled_at is not null and p.created_at >= since
          and not exists (select from jsonb_to_recordset(theirs) t (intent text) where t.intent = p.provider_ref)
    ) d
    on conflict (org_id, kind, provider_ref) where resolved_at is null do update set last_seen_at = now(), ours = excluded.ours, theirs = excluded.theirs;
  update app.payment_differences d set resolved_at = now() where d.org_id = org and d.resolved_at is null and d.last_seen_at < now();
  select count(*) into listed from app.payment_differences d where d.org_id = org and d.resolved_at is null;
  return listed;
end $$;
comment on function app.note_payment_differences(uuid, jsonb, timestamptz) is 'Lists what differs between us and the provider, and closes what does so no longer; how many are open';

select app_private.own_definers();
grant execute on function app_private.payment_state(app.payments) to app_definer;
grant execute on function app.settle_payment(uuid, uuid, timestamptz) to app_access, app_worker;
grant execute on function app.record_payment(jsonb), app.allocate_payment(uuid, jsonb), app.hold_payment(uuid, int), app.reverse_payment(uuid, text), app.request_refund(uuid, bigint, text), app.apply_refund(uuid),
  app.begin_checkout(uuid, boolean, boolean, boolean), app.begin_checkout_by_link(text, text, boolean, boolean), app.note_checkout(uuid, uuid, text, text),
  app.note_payment_event(text, text, uuid, uuid, text, text), app.remove_payment_method(uuid), app.invoice_to_pay(text, text) to app_access;
grant execute on function app.begin_charge(uuid, uuid, boolean, boolean), app.payment_to_charge(uuid, uuid), app.note_charge(uuid, uuid, text, text), app.payment_to_read(uuid, uuid),
  app.apply_reading(uuid, uuid, int, jsonb), app.refund_to_give(uuid, uuid), app.fail_refund(uuid, uuid), app.removed_payment_method(uuid, uuid), app.failed_charge(uuid, uuid),
  app.give_up_payment(uuid, uuid), app.payments_to_look_after(int), app.compare_payments(uuid, jsonb), app.note_payment_differences(uuid, jsonb, timestamptz) to app_worker;
