-- What the screens of payments need: how to pay by bank transfer, which saved card is charged, and answers to differences.

create table app.payment_settings (
  org_id uuid not null unique references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  account_holder text not null default '' check (char_length(account_holder) <= 140),
  account_number text not null default '' check (char_length(account_number) <= 60),
  bank_code text not null default '' check (char_length(bank_code) <= 60),
  bank_name text not null default '' check (char_length(bank_name) <= 140),
  transfer_note text not null default '' check (char_length(transfer_note) <= 500),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
comment on table app.payment_settings is 'The bank account of an organisation that invoices are paid to by transfer';
comment on column app.payment_settings.account_number is 'IBAN, or the number of the account where there are none';
comment on column app.payment_settings.bank_code is 'BIC, sort code or routing number';
select app_private.protect('app.payment_settings');
select app_private.keep_version('app.payment_settings');
select app_private.keep_audit('app.payment_settings', 'finance.read');
create policy payment_settings_read on app.payment_settings for select to app_access using (org_id = (select app.org_id()));
create policy payment_settings_add on app.payment_settings for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('finance.manage')));
create policy payment_settings_change on app.payment_settings for update to app_access
  using (org_id = (select app.org_id()) and (select app.everywhere('finance.manage'))) with check (org_id = (select app.org_id()) and (select app.everywhere('finance.manage')));
grant select, insert (org_id), update (account_holder, account_number, bank_code, bank_name, transfer_note) on app.payment_settings to app_access;
grant select on app.payment_settings to app_definer;

create function app.transfer_by_link(idp_org text, secret_hash text) returns table (account_holder text, account_number text, bank_code text, bank_name text, transfer_note text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.account_holder, s.account_number, s.bank_code, s.bank_name, s.transfer_note
    from app_private.invoice_by_link(idp_org, secret_hash) l join app.payment_settings s on s.org_id = l.org
    where s.account_number <> ''
$$;
comment on function app.transfer_by_link(text, text) is 'The bank account for whoever has a link for paying';

-- Which saved card is charged ---------------------------------------------------------------------------------------------------------------

alter table app.payment_methods add column preferred_at timestamptz;
comment on column app.payment_methods.preferred_at is 'When its owner chose it for renewals; the card chosen last is charged, otherwise the newest';
grant select (preferred_at) on app.payment_methods to app_access;

create function app.prefer_payment_method(method uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.payment_methods m set preferred_at = now(), updated_at = now()
    where m.org_id = app.org_id() and m.id = method and m.person_id = app.person_id() and m.removed_at is null;
  return found;
end $$;
comment on function app.prefer_payment_method(uuid) is 'Charges this card of the actor''s own from now on';

create or replace function app.payment_to_charge(org uuid, payment uuid) returns table (amount bigint, currency text, number text, customer text, method text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.amount, p.currency, i.number, m.provider_customer, m.provider_method
    from app.payments p join app.invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    join lateral (select x.* from app.payment_methods x where x.org_id = p.org_id and x.person_id = p.person_id and x.removed_at is null
      order by x.preferred_at desc nulls last, x.id desc limit 1) m on true
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending' and p.provider_ref is null
$$;
comment on function app.payment_to_charge(uuid, uuid) is 'What is to be charged to the saved card that its owner chose, or to the newest';

-- Answers to differences ----------------------------------------------------------------------------------------------------------------------

alter table app.payment_differences
  add column answer text check (answer in ('ignored', 'recorded', 'accepted')),
  add column answer_reason text check (char_length(answer_reason) between 1 and 500),
  add column answered_by uuid,
  add column answered_at timestamptz,
  add constraint payment_differences_answer check (num_nonnulls(answer, answer_reason, answered_at) in (0, 3));
comment on column app.payment_differences.answer is 'ignored: it stays as it is; recorded: written down as a payment; accepted: our amount became that of the provider. While both amounts stay the same, it is not listed again';
comment on table app.payment_differences is 'What the nightly comparison with the payment provider found and could not mend, and how it was answered. Not in the audit log: it is found anew every night, and an answer stands in it with who gave it, when and why';
create index payment_differences_answered on app.payment_differences (org_id, kind, provider_ref) where answer is not null;

create function app.answer_difference(difference uuid, said text, reason text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  d app.payment_differences;
begin
  perform app_private.books_open(org);
  if not app.everywhere('finance.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  select x.* into d from app.payment_differences x where x.org_id = org and x.id = difference for update;
  if d.id is null then raise exception 'there is no such difference' using errcode = '23503', constraint = 'difference_unknown'; end if;
  if d.resolved_at is not null then raise exception 'this was answered before' using errcode = '23514', constraint = 'difference_answered'; end if;
  if said = 'recorded' and d.kind <> 'unknown_here' then raise exception 'this payment is known' using errcode = '23514', constraint = 'difference_not_missing'; end if;
  if said = 'accepted' then
    -- Only what has not settled for another amount: the books never change behind an invoice that was paid.
    update app.payments p set amount = d.theirs
      where p.org_id = org and p.id = d.payment_id and d.kind = 'amount' and d.theirs > 0 and d.currency = p.currency and p.state in ('pending', 'failed', 'cancelled');
    if not found then raise exception 'this amount cannot be accepted' using errcode = '23514', constraint = 'difference_not_acceptable'; end if;
  end if;
  update app.payment_differences x set answer = said, answer_reason = reason, answered_by = app.account_id(), answered_at = now(), resolved_at = now()
    where x.org_id = org and x.id = difference;
  return d.payment_id;
end $$;
comment on function app.answer_difference(uuid, text, text) is 'Answers a difference, so that it is listed no more while it stays the same; the payment it is about, to be read again';

create table app.payment_comparisons (
  org_id uuid primary key references app.organisations on delete cascade,
  compared_at timestamptz not null default now()
);
comment on table app.payment_comparisons is 'When payments were last compared with the provider. Not in the audit log: it changes every night';
select app_private.protect('app.payment_comparisons');
create policy payment_comparisons_read on app.payment_comparisons for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('finance.read')));
grant select on app.payment_comparisons to app_access;
grant select, insert, update on app.payment_comparisons to app_definer;

create or replace function app.note_payment_differences(org uuid, theirs jsonb, since timestamptz) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
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
    -- Answered, and still the same.
    where not exists (select from app.payment_differences a where a.org_id = org and a.kind = d.kind and a.provider_ref = d.ref and a.answer is not null
      and (a.ours, a.theirs) is not distinct from (d.ours, d.theirs))
    on conflict (org_id, kind, provider_ref) where resolved_at is null do update set last_seen_at = now(), ours = excluded.ours, theirs = excluded.theirs;
  update app.payment_differences d set resolved_at = now() where d.org_id = org and d.resolved_at is null and d.last_seen_at < now();
  insert into app.payment_comparisons (org_id) values (org) on conflict (org_id) do update set compared_at = now();
  select count(*) into listed from app.payment_differences d where d.org_id = org and d.resolved_at is null;
  return listed;
end $$;
comment on function app.note_payment_differences(uuid, jsonb, timestamptz) is 'Lists what differs between us and the provider and was not answered, and closes what does so no longer; how many are open';

select app_private.own_definers();
grant execute on function app.transfer_by_link(text, text), app.prefer_payment_method(uuid), app.answer_difference(uuid, text, text) to app_access;
