-- What the payment provider keeps of payments, and what it pays out to the bank account.

create table app.payment_fees (
  org_id uuid not null references app.organisations on delete cascade,
  transaction_id text not null check (char_length(transaction_id) between 1 and 255),
  payment_id uuid not null,
  kind text not null check (kind in ('charge', 'refund', 'dispute')),
  amount bigint not null check (amount between -9007199254740991 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  charged_at timestamptz not null,
  noted_at timestamptz not null default now(),
  primary key (org_id, transaction_id),
  foreign key (org_id, payment_id) references app.payments (org_id, id)
);
comment on table app.payment_fees is 'What the payment provider kept of each movement of money, in the currency of its account. Not in the audit log: it is the word of the provider, and nobody changes it';
comment on column app.payment_fees.transaction_id is 'The provider''s id of the movement, which never changes there';
comment on column app.payment_fees.kind is 'What moved: the payment itself, a refund of it, or money that a dispute took or gave back';
comment on column app.payment_fees.amount is 'Below zero: a fee that was given back; 0: the provider kept nothing';
create index payment_fees_by_payment on app.payment_fees (org_id, payment_id);
create index payment_fees_by_time on app.payment_fees (org_id, charged_at);
create index payment_fees_by_noted on app.payment_fees (org_id, noted_at);

create table app.provider_payouts (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  provider text not null check (provider = 'stripe'),
  provider_ref text not null check (char_length(provider_ref) between 1 and 255),
  state text not null check (state in ('pending', 'in_transit', 'paid', 'failed', 'cancelled')),
  amount bigint not null check (amount between -9007199254740991 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  arrives_on date not null,
  made_at timestamptz not null,
  counts boolean not null,
  noted_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, provider, provider_ref)
);
comment on table app.provider_payouts is 'Money that the payment provider paid out to the bank account of the organisation. Not in the audit log: it is the word of the provider, and nobody changes it';
comment on column app.provider_payouts.amount is 'Below zero: the provider collected what was missing in its account';
comment on column app.provider_payouts.arrives_on is 'Day on which the bank has it, or is expected to';
comment on column app.provider_payouts.made_at is 'When the provider began it';
comment on column app.provider_payouts.counts is 'False of one that moved no money, in production';
create index provider_payouts_by_arrival on app.provider_payouts (org_id, arrives_on);
create index provider_payouts_by_change on app.provider_payouts (org_id, changed_at);
create index provider_payouts_by_time on app.provider_payouts (org_id, provider, made_at);

-- Rights: who keeps the finances. A payer sees the payment, and not what the provider keeps of it.
select app_private.protect('app.payment_fees');
select app_private.protect('app.provider_payouts');
create policy payment_fees_read on app.payment_fees for select to app_access using (org_id = (select app.org_id()) and ((select app.everywhere('finance.read'))
  or exists (select from app.payments p where p.org_id = payment_fees.org_id and p.id = payment_fees.payment_id and p.books_chapter_id = any ((select app.scope('finance.read'))::uuid[]))));
create policy provider_payouts_read on app.provider_payouts for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('finance.read')));
grant select on app.payment_fees, app.provider_payouts to app_access;
grant select, insert, update on app.payment_fees, app.provider_payouts to app_definer;

-- Fees ----------------------------------------------------------------------------------------------------------------------------------

alter table app.payment_readings add column fee_due_at timestamptz;
comment on column app.payment_readings.fee_due_at is 'When the provider is asked again what it keeps of a payment that has settled; null once that is known, or is waited for no longer';
create index payment_readings_fee_due on app.payment_readings (fee_due_at) where fee_due_at is not null;

create function app.note_payment_fees(org uuid, payment uuid, fees jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  settled timestamptz;
  due timestamptz;
begin
  perform app_private.worker_only();
  insert into app.payment_fees (org_id, transaction_id, payment_id, kind, amount, currency, charged_at)
    select org, f.transaction, payment, f.kind, f.amount, f.currency, f.at from jsonb_to_recordset(fees) f (transaction text, kind text, amount bigint, currency text, at timestamptz)
    where f.currency ~ '^[A-Z]{3}$' on conflict (org_id, transaction_id) do nothing;
  select p.settled_at into settled from app.payments p where p.org_id = org and p.id = payment and p.kind <> 'manual';
  if settled > now() - interval '35 days' and not exists (select from app.payment_fees f where f.org_id = org and f.payment_id = payment and f.kind = 'charge') then
    due := now() + least(interval '1 day', greatest(interval '5 minutes', (now() - settled) / 4));
  end if;
  insert into app.payment_readings as r (org_id, payment_id, fee_due_at) select org, payment, due where settled is not null
    on conflict (org_id, payment_id) do update set fee_due_at = excluded.fee_due_at where r.fee_due_at is distinct from excluded.fee_due_at;
end $$;
comment on function app.note_payment_fees(uuid, uuid, jsonb) is 'Writes down what the provider keeps of a payment, each movement once, and when to ask again where it has not said so yet; for the worker';

-- Of payments that have settled before: each is asked about once more.
insert into app.payment_readings as r (org_id, payment_id, fee_due_at)
  select p.org_id, p.id, now() from app.payments p where p.kind <> 'manual' and p.provider_ref is not null and p.settled_at > now() - interval '390 days'
  on conflict (org_id, payment_id) do update set fee_due_at = excluded.fee_due_at;

create or replace function app.payments_to_look_after(most int) returns table (org_id uuid, payment_id uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  (select p.org_id, p.id from app.payments p left join app.payment_readings r on r.org_id = p.org_id and r.payment_id = p.id
    where p.state = 'pending' and p.kind <> 'manual' and p.created_at < now() - interval '5 minutes'
      and coalesce(r.read_at, p.created_at) < now() - least(interval '6 hours', greatest(interval '5 minutes', (now() - p.created_at) / 4))
    order by r.read_at nulls first, p.id limit most)
  union
  -- Fees are known up to an hour after the money has come. They wait behind payments that nobody knows the end of.
  (select r.org_id, r.payment_id from app.payment_readings r where r.fee_due_at <= now() order by r.fee_due_at, r.payment_id limit greatest(1, most / 5))
$$;
comment on function app.payments_to_look_after(int) is 'Payments of which nothing was heard for a while, and some of those whose fee is not known yet, for the worker';

-- Payouts -------------------------------------------------------------------------------------------------------------------------------

create function app.payouts_to_read(idp_org text, provider text) returns table (org_id uuid, since timestamptz) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return query
    select o.org_id, coalesce(least(now() - interval '35 days', (select max(p.made_at) from app.provider_payouts p where p.org_id = o.org_id and p.provider = payouts_to_read.provider)), now() - interval '390 days')
    from app.organisations o where case when idp_org is null then not exists (select from app.organisations x where x.org_id <> o.org_id) else o.idp_org_id = idp_org end;
end $$;
comment on function app.payouts_to_read(text, text) is 'The organisation whose account at the provider it is, the one named or the only one there is, and since when its payouts are to be read: one that failed later is told of again';

create function app.note_payouts(org uuid, provider_name text, said jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  -- An answer that comes late never takes a state back: a payout that failed was paid before, and none that failed is paid.
  insert into app.provider_payouts as p (org_id, provider, provider_ref, state, amount, currency, arrives_on, made_at, counts)
    select distinct on (x.ref) org, provider_name, x.ref, x.state, x.amount, x.currency, x.arrives_on, x.made_at, x.counts
    from jsonb_to_recordset(said) x (ref text, state text, amount bigint, currency text, arrives_on date, made_at timestamptz, counts boolean)
    where x.currency ~ '^[A-Z]{3}$' order by x.ref
    on conflict (org_id, provider, provider_ref) do update set state = excluded.state, arrives_on = excluded.arrives_on, changed_at = now()
    where (p.state, p.arrives_on) is distinct from (excluded.state, excluded.arrives_on) and (
      p.state in ('pending', 'in_transit') and array_position(array['pending', 'in_transit', 'paid', 'failed', 'cancelled'], excluded.state)
        >= array_position(array['pending', 'in_transit', 'paid', 'failed', 'cancelled'], p.state)
      or p.state = 'paid' and excluded.state in ('failed', 'cancelled'));
end $$;
comment on function app.note_payouts(uuid, text, jsonb) is 'Writes down payouts as the provider lists them, each once, and their states as they go on; for the worker';

-- Figures -------------------------------------------------------------------------------------------------------------------------------

-- Fees by the moment of the movement, payouts by the day on which they arrived. Both may be heard of long afterwards: hours before `since` of which something was
-- noted since then are counted anew too.
create function app.payment_figures(org uuid, provider text, since timestamptz, whole boolean) returns table (type text, hour timestamptz, value numeric, count bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  money constant text := (select o.currency from app.organisations o where o.org_id = org);
  first_hour constant timestamptz := date_trunc('hour', since, zone);
begin
  perform app_private.worker_only();
  return query
    with payouts as (
      select x.arrives_on::timestamp at time zone zone as at, x.amount, x.changed_at, x.state from app.provider_payouts x
        where x.org_id = org and x.currency = money and x.provider = payment_figures.provider and x.counts and x.arrives_on <= (now() at time zone zone)::date),
    late as (
      select 'fees' as type, date_trunc('hour', f.charged_at, zone) as hour from app.payment_fees f where whole and f.org_id = org and f.noted_at >= first_hour and f.charged_at < first_hour
      union select 'payouts', date_trunc('hour', x.at, zone) from payouts x where whole and x.changed_at >= first_hour and x.at < first_hour),
    found as (
      select 'volume' as type, p.settled_at as at, p.amount::numeric as value from app.payments p
        where p.org_id = org and p.provider = payment_figures.provider and p.settled_at >= first_hour and p.counts and p.currency = money
      union all
      -- Of what was begun in an hour, how much came to money: late settlements change it.
      select 'success-rate', p.created_at, case when p.settled_at is not null then 100 else 0 end from app.payments p
        where p.org_id = org and p.provider = payment_figures.provider and p.kind <> 'manual' and p.created_at >= first_hour and p.counts and (p.settled_at is not null or p.state in ('failed', 'cancelled'))
      union all
      select 'refunds', r.settled_at, r.amount from app.refunds r join app.payments p on p.org_id = r.org_id and p.id = r.payment_id
        where r.org_id = org and r.settled_at >= first_hour and r.state = 'settled' and r.currency = money and p.provider = payment_figures.provider and p.counts
      union all
      select 'disputes', min(e.received_at), 1 from app.payment_events e join app.payments p on p.org_id = e.org_id and p.id = e.payment_id
        where e.org_id = org and e.type = 'charge.dispute.created' and p.counts group by e.payment_id having min(e.received_at) >= first_hour
      union all
      select 'fees', f.charged_at, f.amount from (select first_hour, 'infinity'::timestamptz union all select l.hour, l.hour + interval '1 hour' from late l where l.type = 'fees') w (begins, ends)
        join app.payment_fees f on f.org_id = org and f.charged_at >= w.begins and f.charged_at < w.ends join app.payments p on p.org_id = f.org_id and p.id = f.payment_id
        where f.currency = money and p.provider = payment_figures.provider and p.counts
      union all
      select 'payouts', x.at, x.amount from payouts x where x.state = 'paid' and (x.at >= first_hour or date_trunc('hour', x.at, zone) in (select l.hour from late l where l.type = 'payouts'))
      union all
      select 'errors', p.created_at, 1 from app.payments p
        where p.org_id = org and p.provider = payment_figures.provider and p.failure is not null and p.created_at >= first_hour and p.counts
      union all
      select 'errors', r.created_at, 1 from app.refunds r join app.payments p on p.org_id = r.org_id and p.id = r.payment_id
        where r.org_id = org and r.state = 'failed' and r.created_at >= first_hour and p.provider = payment_figures.provider and p.counts),
    summed as (select f.type, date_trunc('hour', f.at, zone) as hour, sum(f.value) as value, pg_catalog.count(*) as count from found f group by 1, 2),
    wanted as (
      select t.type, h.hour from unnest(array['volume', 'success-rate', 'refunds', 'disputes', 'fees', 'payouts', 'errors']) t (type)
        cross join generate_series(first_hour, now(), interval '1 hour') h (hour)
      union select l.type, l.hour from late l)
    select w.type, w.hour, coalesce(s.value, 0), coalesce(s.count, 0) from wanted w left join summed s on s.type = w.type and s.hour = w.hour where whole
    union all select s.type, s.hour, s.value, s.count from summed s where not whole;
end $$;
comment on function app.payment_figures(uuid, text, timestamptz, boolean) is 'What a payment provider moved, by hour, in the currency of the organisation; for the worker';

select app_private.own_definers();
grant execute on function app.note_payment_fees(uuid, uuid, jsonb), app.payouts_to_read(text, text), app.note_payouts(uuid, text, jsonb),
  app.payment_figures(uuid, text, timestamptz, boolean) to app_worker;
