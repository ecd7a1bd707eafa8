-- What pays a gift is a payment like any other: begun on a page of the provider, charged to a saved card or recorded by hand.

alter table app.payments add column gift_id uuid, add foreign key (org_id, gift_id) references app.gifts (org_id, id),
  add constraint payments_of_gift check (gift_id is null or (invoice_id is null and chapter_id is null and books_chapter_id is null));
comment on column app.payments.gift_id is 'The gift that it pays; such a payment pays no invoice and is in no books of a chapter, where donors would be seen';
create index payments_by_gift on app.payments (org_id, gift_id, id);
create unique index payments_one_of_gift on app.payments (org_id, gift_id, kind) where state = 'pending' and gift_id is not null;
alter table app.receipts add column gift_id uuid, add foreign key (org_id, gift_id) references app.gifts (org_id, id);
comment on column app.receipts.gift_id is 'The gift that it confirms';
create index receipts_by_gift on app.receipts (org_id, gift_id);

drop policy payments_read on app.payments;
create policy payments_read on app.payments for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or books_chapter_id = any ((select app.scope('finance.read'))::uuid[]) or person_id = (select app.person_id())
    -- Whoever sees a gift sees what pays it.
    or (gift_id is not null and ((select app.everywhere('gifts.read')) or exists (select from app.gifts g where g.org_id = payments.org_id and g.id = payments.gift_id)))));
drop policy receipts_read on app.receipts;
create policy receipts_read on app.receipts for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('finance.read')) or books_chapter_id = any ((select app.scope('finance.read'))::uuid[]) or person_id = (select app.person_id())
    or (gift_id is not null and ((select app.everywhere('gifts.read')) or exists (select from app.gifts g where g.org_id = receipts.org_id and g.id = receipts.gift_id)))));
create index payments_by_reference on app.payments (org_id, lower(reference) text_pattern_ops) where reference <> '';
create function app.payments_referring(query text) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if btrim(query) = '' then return; end if;
  return query execute format('select p.id from app.payments p where p.org_id = %L and p.reference <> %L and lower(p.reference) like %L', app.org_id(), '',
    regexp_replace(lower(left(btrim(query), 140)), '([\\%_])', '\\\1', 'g') || '%');
end $$;
comment on function app.payments_referring(text) is 'Payments of the organisation whose reference begins like this, whatever the case: below a policy no index would tell. Who asks sees only those that row-level security shows them';
create index receipts_by_number on app.receipts (org_id, number collate "C");

-- The card of a recurring gift is charged for nothing else, and a recurring gift charges no other card: whoever gives without an account may have typed a name and an
-- address that are somebody else's.
alter table app.payment_methods add column plan_id uuid, add column forgotten_at timestamptz, add foreign key (org_id, plan_id) references app.recurring_plans (org_id, id);
comment on column app.payment_methods.plan_id is 'The recurring gift that it was saved with, which alone it pays';
comment on column app.payment_methods.forgotten_at is 'When the provider was asked to forget the card of a recurring gift that has ended';
create index payment_methods_by_plan on app.payment_methods (org_id, plan_id, id);
create index payment_methods_to_forget on app.payment_methods (org_id, id) where plan_id is not null and removed_at is not null and forgotten_at is null;
drop policy payment_methods_read on app.payment_methods;
create policy payment_methods_read on app.payment_methods for select to app_access using (org_id = (select app.org_id()) and (person_id = (select app.person_id())
  or (plan_id is not null and exists (select from app.recurring_plans r where r.org_id = payment_methods.org_id and r.id = payment_methods.plan_id))));
grant select (plan_id) on app.payment_methods to app_access;
do $$
declare
  f text;
  source text;
  changed text;
begin
  foreach f in array array['app.begin_charge(uuid,uuid,boolean,boolean)', 'app.prefer_payment_method(uuid)', 'app.remind_members(uuid,date,uuid,int)', 'app.renewal_charge(uuid,uuid)',
      'app.renewal_stage_of(uuid,uuid)', 'app.renewals_to_charge(uuid,date,uuid,int)'] loop
    source := pg_get_functiondef(f::regprocedure);
    changed := regexp_replace(source, '(payment_methods (\w)\M.*?\2\.removed_at is null)', '\1 and \2.plan_id is null');
    if changed = source then raise exception '% is written otherwise by now', f; end if;
    execute changed;
  end loop;
end $$;

-- What the log says of a payment that pays a gift is for those who see donors, not for whoever keeps the books of the donor's chapter.
do $$
declare
  source text := pg_get_functiondef('app_private.audit_append(uuid,text,text,text,jsonb[],jsonb[],text)'::regprocedure);
  changed text := replace(source, 'where t.name = l.hangs_on), needs)', 'where t.name = l.hangs_on),
        case when entity in (''payments'', ''receipts'') and l.subject ->> ''gift_id'' is not null then ''gifts.read'' end, needs)');
begin
  if changed = source then raise exception 'app_private.audit_append is written otherwise by now'; end if;
  execute changed;
end $$;

-- Who may -------------------------------------------------------------------------------------------------------------------------------------

create function app_private.keeps_payment(p app.payments) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.keeps_books(p.org_id, p.books_chapter_id)
    or (p.gift_id is not null and app_private.gift_right(p.org_id, (select g.chapter_id from app.gifts g where g.org_id = p.org_id and g.id = p.gift_id), 'gifts.manage'))
$$;
comment on function app_private.keeps_payment(app.payments) is 'Whether the caller may change a payment: who keeps the books, and of gifts also who manages them';

create function app_private.keeps_card(p app.payments) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.person_id is not null and (p.gift_id is null
    or exists (select from app.gifts g where g.org_id = p.org_id and g.id = p.gift_id and (g.plan_id is not null or g.source = 'own')))
$$;
comment on function app_private.keeps_card(app.payments) is 'Whether the card of a payment may be saved: of somebody without an account only for the recurring gift that they give';

do $$
declare
  source text;
  changed text;
  old constant text[][] := array[
    ['app.settle_payment(uuid,uuid,timestamptz)', 'app_private.keeps_books(org, p.books_chapter_id)', 'app_private.keeps_payment(p)'],
    ['app.reverse_payment(uuid,text)', 'app_private.keeps_books(org, p.books_chapter_id)', 'app_private.keeps_payment(p)'],
    ['app.request_refund(uuid,bigint,text)', 'app_private.keeps_books(org, p.books_chapter_id)', 'app_private.keeps_payment(p)'],
    ['app.issue_receipt(uuid,uuid,text)', 'app_private.keeps_books(org, p.books_chapter_id)', 'app_private.keeps_payment(p)'],
    -- A customer whom somebody without an account became at the provider stays apart from the person whose name they typed.
    ['app_private.begin_payment(uuid,uuid,uuid,text,boolean,boolean,boolean)', 'and x.provider_customer is not null', 'and x.provider_customer is not null and x.created_by is not null'],
    ['app.allocate_payment(uuid,jsonb)', $x$  if p.state not in ('pending', 'settled', 'partly_refunded') then$x$, $x$  if p.gift_id is not null then raise exception 'this payment is a gift' using errcode = '23514', constraint = 'payment_of_gift'; end if;
  if p.state not in ('pending', 'settled', 'partly_refunded') then$x$],
    ['app.receipt_paper(uuid,uuid)', 'and app_private.sees_books(org, r.books_chapter_id, r.person_id)', $x$and (app_private.sees_books(org, r.books_chapter_id, r.person_id)
      or (r.gift_id is not null and app_private.gift_right(org, (select g.chapter_id from app.gifts g where g.org_id = org and g.id = r.gift_id), 'gifts.read')))$x$],
    -- An account says what somebody owes; a gift is owed to nobody.
    ['app_private.account_entries(uuid,uuid,uuid)', 'where p.org_id = org and p.counts and p.settled_at is not null', 'where p.org_id = org and p.counts and p.settled_at is not null and p.gift_id is null'],
    ['app.apply_reading(uuid,uuid,int,jsonb)', $x$  if said ->> 'state' = 'settled' then
    if said -> 'saved'$x$, $x$  -- Who gave without an account is known once their gift has settled.
  select x.person_id into p.person_id from app.payments x where x.org_id = org and x.id = payment;
  if said ->> 'state' = 'settled' then
    if said -> 'saved'$x$],
    ['app.apply_reading(uuid,uuid,int,jsonb)', 'p.saves_method and p.person_id is not null', 'p.saves_method and app_private.keeps_card(p)'],
    ['app.apply_reading(uuid,uuid,int,jsonb)', 'provider_method, brand, last4, exp_month, exp_year)', 'provider_method, brand, last4, exp_month, exp_year, plan_id)'],
    ['app.apply_reading(uuid,uuid,int,jsonb)', $x$(said -> 'saved' ->> 'exp_year')::int)$x$, $x$(said -> 'saved' ->> 'exp_year')::int,
          (select g.plan_id from app.gifts g where g.org_id = org and g.id = p.gift_id))$x$]];
begin
  for n in 1 .. array_length(old, 1) loop
    source := pg_get_functiondef(old[n][1]::regprocedure);
    changed := replace(source, old[n][2], old[n][3]);
    if changed = source then raise exception '% is written otherwise by now', old[n][1]; end if;
    execute changed;
  end loop;
end $$;

create or replace function app.hold_payment(payment uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment and x.version = known for update;
  return p.id is not null and app_private.keeps_payment(p);
end $$;

create or replace function app.apply_refund(payment uuid) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.payments;
begin
  perform app_private.books_open(org);
  select x.* into p from app.payments x where x.org_id = org and x.id = payment and x.kind = 'manual' for update;
  if p.id is null then return; end if;
  if not app_private.keeps_payment(p) then raise exception 'not allowed' using errcode = '42501'; end if;
  perform app_private.count_refunds(org, payment);
  update app.payments x set state = app_private.payment_state(x) where x.org_id = org and x.id = payment and x.state in ('settled', 'partly_refunded');
  return query select app_private.apply_payment(org, payment);
end $$;

create or replace function app.payment_to_charge(org uuid, payment uuid) returns table (amount bigint, currency text, number text, customer text, method text)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.amount, p.currency, coalesce(i.number, c.name), m.provider_customer, m.provider_method
    from app.payments p left join app.invoices i on i.org_id = p.org_id and i.id = p.invoice_id
    left join app.gifts g on g.org_id = p.org_id and g.id = p.gift_id
    left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id
    join lateral (select x.* from app.payment_methods x where x.org_id = p.org_id and x.removed_at is null
      and case when p.gift_id is null then x.person_id = p.person_id and x.plan_id is null else x.plan_id = g.plan_id end
      order by x.preferred_at desc nulls last, x.id desc limit 1) m on true
    where p.org_id = org and p.id = payment and p.kind = 'charge' and p.state = 'pending' and p.provider_ref is null and num_nonnulls(p.invoice_id, p.gift_id) > 0
$$;

-- Receipts ------------------------------------------------------------------------------------------------------------------------------------

create function app_private.gift_lines(org uuid, gift uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(jsonb_agg(jsonb_build_object('invoice', null, 'text', concat_ws(': ', c.name, f.name), 'amount', a.settled_amount) order by a.place, a.fund_id), '[]')
    from app.gifts g join app.gift_allocations a on a.org_id = g.org_id and a.gift_id = g.id join app.funds f on f.org_id = a.org_id and f.id = a.fund_id
    left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id
    where g.org_id = org and g.id = gift and a.settled_amount > 0
$$;
comment on function app_private.gift_lines(uuid, uuid) is 'What a receipt says of a gift: a line for each fund';
create function app_private.gift_billing(org uuid, gift uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select case when g.person_id is not null then app_private.billing_of(org, g.person_id, null) when g.donor_name <> '' then jsonb_build_object('name', g.donor_name, 'lines', '[]'::jsonb) end
    from app.gifts g where g.org_id = org and g.id = gift
$$;
comment on function app_private.gift_billing(uuid, uuid) is 'Whom a receipt of a gift is made out to; nobody where no name is known';

do $$
declare
  source text := pg_get_functiondef('app_private.write_receipt(app.payments,app.receipts,text)'::regprocedure);
  changed text := replace(replace(replace(replace(source,
    'insert into app.receipts (org_id, payment_id,', 'insert into app.receipts (org_id, gift_id, payment_id,'),
    'values (org, p.id,', 'values (org, p.gift_id, p.id,'),
    'app_private.billing_of(org, p.person_id, p.chapter_id), app_private.seller_of(org),',
    'case when p.gift_id is not null then app_private.gift_billing(org, p.gift_id) else app_private.billing_of(org, p.person_id, p.chapter_id) end, app_private.seller_of(org),'),
    '(select coalesce(jsonb_agg(jsonb_build_object(''invoice''', 'case when p.gift_id is not null then app_private.gift_lines(org, p.gift_id) else (select coalesce(jsonb_agg(jsonb_build_object(''invoice''');
begin
  changed := replace(changed, 'and a.amount > a.refunded_amount), app.account_id())', 'and a.amount > a.refunded_amount) end, app.account_id())');
  if (select count(*) from regexp_matches(changed, 'p\.gift_id|refunded_amount\) end, app', 'g')) <> 6 then raise exception 'app_private.write_receipt is written otherwise by now'; end if;
  execute changed;
end $$;

create function app_private.mail_gift_receipt(org uuid, receipt uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare g app.gifts;
begin
  select x.* into g from app.receipts r join app.gifts x on x.org_id = r.org_id and x.id = r.gift_id where r.org_id = org and r.id = receipt;
  -- Whom no address is known of fetches it.
  if not g.wants_receipt_mail or (g.person_id is null and g.donor_email = '') then return; end if;
  update app.receipts r set sent_at = now() where r.org_id = org and r.id = receipt;
  perform app_private.add_mails(org, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'gift-receipt', 'person', g.person_id,
    'address', case when g.person_id is null then g.donor_email end, 'essential', true, 'params', jsonb_build_object('receipt', receipt, 'gift', g.id), 'dedupe_key', 'receipt:' || receipt)));
end $$;
comment on function app_private.mail_gift_receipt(uuid, uuid) is 'Mails the receipt of a gift to who gave it, where they want it';

create or replace function app_private.bring_receipt(org uuid, payment uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p app.payments;
  before app.receipts;
  made uuid;
begin
  select * into p from app.payments x where x.org_id = org and x.id = payment;
  select * into before from app.receipts r where r.org_id = org and r.payment_id = payment and r.state = 'issued' for update;
  if p.imported and before.id is null then return; end if;
  if p.counts and p.state in ('settled', 'partly_refunded') and (num_nonnulls(p.person_id, p.chapter_id) > 0 or app_private.gift_billing(org, p.gift_id) is not null) then
    if before.id is not null and before.amount = p.amount - p.refunded_amount then return; end if;
    made := app_private.write_receipt(p, before, case when p.refunded_amount > 0 then 'Refund' end);
    if p.gift_id is not null then
      perform app_private.mail_gift_receipt(org, made);
    -- Whom no address is known of fetches it.
    elsif p.person_id is not null or exists (select from app.chapters c where c.org_id = org and c.id = p.chapter_id and c.contact_email <> '') then
      update app.receipts r set sent_at = now() where r.org_id = org and r.id = made;
      perform app_private.add_mails(org, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'receipt', 'person', p.person_id,
        'address', case when p.person_id is null then (select c.contact_email from app.chapters c where c.org_id = org and c.id = p.chapter_id) end,
        'essential', true, 'params', jsonb_build_object('receipt', made), 'dedupe_key', 'receipt:' || made)));
    end if;
  -- A dispute that is open decides nothing yet.
  elsif before.id is not null and (p.state in ('refunded', 'reversed') or p.dispute_state = 'lost') then
    update app.receipts r set state = 'void' where r.org_id = org and r.id = before.id;
  end if;
end $$;

-- A gift follows its payments --------------------------------------------------------------------------------------------------------------------

create function app_private.person_of_guest(org uuid, called text, mail text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  named constant text := regexp_replace(btrim(called), '\s+', ' ', 'g');
  made uuid;
begin
  -- The name has to fit as well: a family shares an address, and nothing that somebody pays goes to another person.
  select p.id into made from app.person_emails m join app.people p on p.org_id = m.org_id and p.id = m.person_id
    where m.org_id = org and m.address_key = lower(mail) and p.lifecycle not in ('deceased', 'merged', 'erased') and p.deleted_at is null and app.fold(p.display_name) = app.fold(named)
    order by p.id limit 1;
  if made is not null then return made; end if;
  insert into app.people (org_id, given_name, family_name, lifecycle)
    select org, left(case when named like '% %' then regexp_replace(named, ' [^ ]+$', '') else named end, 100), left(case when named like '% %' then regexp_replace(named, '^.* ', '') else '' end, 100), 'prospect'
    returning id into made;
  insert into app.person_emails (org_id, person_id, address, is_primary) values (org, made, mail, true);
  return made;
end $$;
comment on function app_private.person_of_guest(uuid, text, text) is 'Who pays without an account: the person with their address and name, or a new one; called once they have paid or the address is known to be theirs';
create or replace function app_private.guest_payer(r app.registrations) returns uuid language sql security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.person_of_guest(r.org_id, r.name, r.email)
$$;

create function app_private.scale_gift(org uuid, gift uuid, becomes bigint) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  parts app_private.gift_part[] := array(
    select row(gift, x.fund_id, x.part + case when row_number() over (order by x.lost desc, x.place, x.fund_id) <= becomes - sum(x.part) over () then 1 else 0 end)::app_private.gift_part
      from (
        select l.fund_id, l.place, div(l.amount::numeric * becomes, g.amount)::bigint as part, mod(l.amount::numeric * becomes, g.amount) as lost
        from app.gifts g join app.gift_allocations l on l.org_id = g.org_id and l.gift_id = g.id where g.org_id = org and g.id = gift
      ) x);
begin
  -- What comes to nothing has no part of it any more.
  delete from app.gift_allocations a using unnest(parts) s where a.org_id = org and a.gift_id = gift and a.fund_id = s.fund_id and s.gets = 0;
  update app.gift_allocations a set amount = s.gets, settled_amount = least(a.settled_amount, s.gets) from unnest(parts) s where a.org_id = org and a.gift_id = gift and a.fund_id = s.fund_id and s.gets > 0 and a.amount <> s.gets;
  update app.gifts g set amount = becomes, fee_covered = least(g.fee_covered, becomes - 1), share_amount = round(g.share_amount::numeric * becomes / g.amount)::bigint where g.org_id = org and g.id = gift;
end $$;
comment on function app_private.scale_gift(uuid, uuid, bigint) is 'A gift comes to what was paid, where the office has accepted another amount than was asked for';

create function app_private.part_twins(org uuid, gifts uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  p record;
  made uuid;
begin
  for p in
    select x.gift_id, x.id, x.amount, x.is_test, x.counts from (
      select y.*, row_number() over (partition by y.gift_id order by (y.settled_at = g.settled_at) desc nulls last, y.settled_at, y.id) as place
      from unnest(gifts) u (id) cross join lateral (select z.* from app.payments z where z.org_id = org and z.gift_id = u.id and z.settled_at is not null offset 0) y
      cross join lateral (select z.settled_at from app.gifts z where z.org_id = org and z.id = u.id offset 0) g
    ) x where x.place > 1 order by x.id loop
    insert into app.gifts (org_id, campaign_id, chapter_id, person_id, donor_name, donor_email, amount, fee_covered, currency, method, counts, is_test, is_anonymous, tribute_kind, tribute_name, message,
        source, share_chapter_id, share_amount, wants_receipt_mail, twin_of_id, created_by)
      select g.org_id, g.campaign_id, g.chapter_id, g.person_id, g.donor_name, g.donor_email, g.amount, g.fee_covered, g.currency, g.method, p.counts, p.is_test, g.is_anonymous, g.tribute_kind, g.tribute_name,
          g.message, g.source, g.share_chapter_id, g.share_amount, g.wants_receipt_mail, g.id, g.created_by
        from app.gifts g where g.org_id = org and g.id = p.gift_id returning id into made;
    insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount) select a.org_id, made, a.fund_id, a.place, a.amount from app.gift_allocations a where a.org_id = org and a.gift_id = p.gift_id;
    update app.payments x set gift_id = made where x.org_id = org and x.id = p.id;
  end loop;
end $$;
comment on function app_private.part_twins(uuid, uuid[]) is 'What was paid twice is two gifts: each payment that has settled has one of its own';

create type app_private.gift_state as (id uuid, status text, refunded bigint, counts boolean, is_test boolean, settled_at timestamptz, received_on date);
create function app_private.gifts_follow(org uuid, gifts uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  fresh uuid[];
  differ app_private.gift_state[];
  g app.gifts;
  d record;
begin
  perform app_private.part_twins(org, gifts);
  -- One gift after the other by its key, however many there are and whatever is known of the tables.
  fresh := array(select u.id from unnest(gifts) u (id) cross join lateral (select y.settled_at from app.gifts y where y.org_id = org and y.id = u.id offset 0) x
    cross join lateral (select from app.payments p where p.org_id = org and p.gift_id = u.id and p.settled_at is not null limit 1) p where x.settled_at is null);
  for d in select u.id, p.amount from unnest(fresh) u (id) cross join lateral (select y.amount from app.gifts y where y.org_id = org and y.id = u.id offset 0) x
      cross join lateral (select y.amount from app.payments y where y.org_id = org and y.gift_id = u.id and y.settled_at is not null offset 0) p where p.amount <> x.amount loop
    perform app_private.scale_gift(org, d.id, d.amount);
  end loop;
  -- Somebody without an account becomes a person once they have given.
  for g in select x.* from unnest(fresh) u (id) cross join lateral (select z.* from app.gifts z where z.org_id = org and z.id = u.id offset 0) x where x.person_id is null and x.source in ('page', 'own') and x.donor_email <> '' and x.donor_name <> ''
      and exists (select from app.payments p where p.org_id = org and p.gift_id = x.id and p.settled_at is not null and p.counts) order by x.id loop
    g.person_id := app_private.person_of_guest(org, g.donor_name, g.donor_email);
    update app.gifts x set person_id = g.person_id where x.org_id = org and x.id = g.id;
    update app.payments p set person_id = g.person_id where p.org_id = org and p.gift_id = g.id;
  end loop;
  differ := array(
    select row(w.id, w.status, w.refunded, w.counts, w.is_test, w.settled_at, w.received_on)::app_private.gift_state from (
      select y.id, coalesce(p.refunded_amount, 0) as refunded, coalesce(p.counts, y.counts) as counts, coalesce(p.is_test, y.is_test) as is_test, p.settled_at,
        coalesce(p.received_on, (p.settled_at at time zone zone)::date) as received_on,
        case when p.id is not null then p.state
          when a.waits then 'pending'
          -- A charge that failed is tried again, until the plan ends.
          when y.source = 'plan' then case when a.failed >= 4 then 'failed' when l.status in ('cancelled', 'completed', 'paused') or l.next_on > y.due_on then 'cancelled' else 'pending' end
          else coalesce(a.last, 'pending') end as status,
        (y.status, y.refunded_amount, y.counts, y.is_test, y.settled_at, y.received_on) as was
      from unnest(gifts) u (id) cross join lateral (select z.* from app.gifts z where z.org_id = org and z.id = u.id offset 0) y
      left join lateral (select z.status, z.next_on from app.recurring_plans z where z.org_id = y.org_id and z.id = y.plan_id offset 0) l on true
      left join lateral (select z.* from app.payments z where z.org_id = y.org_id and z.gift_id = y.id and z.settled_at is not null offset 0) p on true
      cross join lateral (select coalesce(bool_or(q.state = 'pending'), false) as waits, count(*) filter (where q.kind = 'charge' and q.state in ('failed', 'cancelled')) as failed, (array_agg(q.state order by q.id desc))[1] as last
        from app.payments q where q.org_id = y.org_id and q.gift_id = y.id) a
    ) w where w.was is distinct from (w.status, w.refunded, w.counts, w.is_test, w.settled_at, w.received_on));
  update app.gifts x set status = s.status, refunded_amount = s.refunded, counts = s.counts, is_test = s.is_test, settled_at = s.settled_at, received_on = s.received_on
    from unnest(differ) s where x.org_id = org and x.id = s.id;
  -- What hangs on a gift: an instalment of a pledge, and the plan that it is a part of.
  for g in select x.* from unnest(gifts) u (id) cross join lateral (select z.* from app.gifts z where z.org_id = org and z.id = u.id offset 0) x where x.instalment_id is not null order by x.id loop
    update app.pledge_instalments i set state = case when g.counted_amount > 0 then 'paid' else 'due' end, gift_id = case when g.counted_amount > 0 then g.id end
      where i.org_id = org and i.id = g.instalment_id and case when g.counted_amount > 0 then i.state <> 'paid' else i.gift_id = g.id end;
  end loop;
  for g in select x.* from unnest(gifts) u (id) cross join lateral (select z.* from app.gifts z where z.org_id = org and z.id = u.id offset 0) x where x.plan_id is not null order by x.id loop
    perform app_private.plan_follows(g, g.id = any (fresh));
  end loop;
end $$;
comment on function app_private.gifts_follow(uuid, uuid[]) is 'Brings gifts in line with their payments: what they are worth, who gave them, and what follows from that for pledges and plans';

create function app_private.payments_gifts_new() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, array_agg(distinct c.gift_id) as gifts from changed c where c.gift_id is not null group by c.org_id loop
    perform app_private.gifts_follow(m.org, m.gifts);
  end loop;
  return null;
end $$;
comment on function app_private.payments_gifts_new() is 'Gifts follow payments that are new';
create function app_private.payments_gifts_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, array_agg(distinct c.gift_id) as gifts from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.gift_id is not null and (b.gift_id, b.state, b.settled_at, b.refunded_amount, b.counts, b.is_test, b.amount, b.received_on)
        is distinct from (c.gift_id, c.state, c.settled_at, c.refunded_amount, c.counts, c.is_test, c.amount, c.received_on) group by c.org_id loop
    perform app_private.gifts_follow(m.org, m.gifts);
  end loop;
  return null;
end $$;
comment on function app_private.payments_gifts_changed() is 'Gifts follow payments that have changed';
create trigger payments_gifts_new after insert on app.payments referencing new table as changed for each statement execute function app_private.payments_gifts_new();
create trigger payments_gifts_changed after update on app.payments referencing old table as before new table as changed for each statement execute function app_private.payments_gifts_changed();

-- What is given ------------------------------------------------------------------------------------------------------------------------------------

create function app_private.allocations_of(org uuid, said jsonb, c app.campaigns, total bigint, fee bigint, by_donor boolean) returns table (fund_id uuid, place int, amount bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  wanted jsonb := case when jsonb_array_length(coalesce(nullif(said -> 'allocations', 'null'), '[]')) > 0 then said -> 'allocations'
    else jsonb_build_array(jsonb_build_object('fund_id', coalesce(said ->> 'fund_id', c.fund_id::text), 'amount', total - fee)) end;
  allocated bigint := (select coalesce(sum((x ->> 'amount')::bigint), 0) from jsonb_array_elements(wanted) x);
  f app.funds;
  a record;
begin
  if jsonb_array_length(wanted) > 20 or allocated <> total - fee or exists (select from jsonb_array_elements(wanted) x where (x ->> 'amount')::bigint <= 0)
    or (select count(distinct x ->> 'fund_id') from jsonb_array_elements(wanted) x) < jsonb_array_length(wanted) and (wanted -> 0 ->> 'fund_id') is not null then
    raise exception 'a gift goes to its funds as a whole' using errcode = '23514', constraint = 'gift_allocation', detail = json_build_object('amount', total - fee, 'allocated', allocated)::text;
  end if;
  for a in select x.value, x.place from jsonb_array_elements(wanted) with ordinality x (value, place) loop
    if a.value ->> 'fund_id' is null then raise exception 'choose a fund' using errcode = '23514', constraint = 'gift_fund_needed'; end if;
    select x.* into f from app.funds x where x.org_id = org and x.id = (a.value ->> 'fund_id')::uuid;
    if f.id is null or (by_donor and f.id is distinct from c.fund_id
        and not exists (select from app.campaign_funds k where k.org_id = org and k.campaign_id = c.id and k.fund_id = f.id)) then
      raise exception 'there is no such fund' using errcode = '23503', constraint = 'gift_fund_unknown';
    end if;
    if f.archived_at is not null then raise exception 'this fund is archived' using errcode = '23514', constraint = 'fund_archived'; end if;
    fund_id := f.id;
    place := a.place;
    -- The fee that a donor covers is given with what stands first.
    amount := (a.value ->> 'amount')::bigint + case when a.place = 1 then fee else 0 end;
    return next;
  end loop;
end $$;
comment on function app_private.allocations_of(uuid, jsonb, app.campaigns, bigint, bigint, boolean) is 'What of a gift goes to which fund: as said, or all of it to one; a donor chooses among the funds of the campaign';

create function app_private.open_person(org uuid, person uuid) returns void language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare state text;
begin
  if person is null then return; end if;
  select p.lifecycle into state from app.people p where p.org_id = org and p.id = person and p.deleted_at is null;
  if state is null then raise exception 'there is no such person' using errcode = '23503', constraint = 'gift_person_unknown'; end if;
  -- Of somebody who died gifts still come, such as a bequest.
  if state in ('merged', 'erased') then perform app_private.refuse_closed(state); end if;
end $$;
comment on function app_private.open_person(uuid, uuid) is 'Refuses a person who cannot give any more';

create function app_private.write_note(org uuid, gift uuid, pledge uuid, said text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.giving_notes n where n.org_id = org and (n.gift_id = gift or n.pledge_id = pledge);
  if coalesce(said, '') <> '' then insert into app.giving_notes (org_id, gift_id, pledge_id, note) values (org, gift, pledge, said); end if;
end $$;
comment on function app_private.write_note(uuid, uuid, uuid, text) is 'What the office notes about a gift or a pledge, in place of what it noted before';

create function app_private.campaign_for(org uuid, campaign uuid, wanted_currency text) returns app.campaigns language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare c app.campaigns;
begin
  if campaign is null then return null; end if;
  select x.* into c from app.campaigns x where x.org_id = org and x.id = campaign for share;
  if c.id is null then raise exception 'there is no such campaign' using errcode = '23503', constraint = 'gift_campaign_unknown'; end if;
  if c.status = 'draft' then raise exception 'this campaign has not begun' using errcode = '23514', constraint = 'gift_campaign_closed'; end if;
  if wanted_currency <> c.currency then
    raise exception 'this campaign takes %', c.currency using errcode = '23514', constraint = 'gift_currency', detail = json_build_object('currency', c.currency)::text;
  end if;
  return c;
end $$;
comment on function app_private.campaign_for(uuid, uuid, text) is 'A campaign that gifts can be recorded for, in this currency';
grant update (id) on app.campaigns to app_definer;

create function app_private.record_gift(said jsonb) returns app.gifts language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  g app.gifts;
  c app.campaigns;
  i app.pledge_instalments;
  l app.pledges;
  place jsonb;
  paid uuid;
begin
  perform app_private.books_open(org);
  select x.* into g from app.gifts x where x.org_id = org and x.attempt = (said ->> 'attempt')::uuid;
  if g.id is not null then
    if g.created_by is distinct from app.account_id() then raise exception 'not allowed' using errcode = '42501'; end if;
    return g;
  end if;
  g.amount := (said ->> 'amount')::bigint;
  g.received_on := coalesce((said ->> 'received_on')::date, app.today());
  if g.received_on > app.today() then raise exception 'money that has not come cannot be recorded' using errcode = '23514', constraint = 'payment_in_future'; end if;
  if said ->> 'instalment_id' is not null then
    select x.* into i from app.pledge_instalments x where x.org_id = org and x.id = (said ->> 'instalment_id')::uuid for update;
    select x.* into l from app.pledges x where x.org_id = org and x.id = i.pledge_id;
    -- Whoever records gifts of one chapter pays no pledge of another.
    if i.id is null or not (app_private.gift_right(org, l.chapter_id, 'gifts.record') or app_private.gift_right(org, l.chapter_id, 'gifts.manage')) then
      raise exception 'there is no such instalment' using errcode = '23503', constraint = 'instalment_unknown';
    end if;
    if i.state <> 'due' or l.status = 'cancelled' then raise exception 'this instalment is not due any more' using errcode = '23514', constraint = 'instalment_not_due'; end if;
    if g.amount < i.amount then
      raise exception 'this is less than the instalment' using errcode = '23514', constraint = 'instalment_amount', detail = json_build_object('amount', i.amount, 'currency', l.currency)::text;
    end if;
    said := jsonb_build_object('person_id', l.person_id, 'campaign_id', l.campaign_id, 'fund_id', l.fund_id, 'currency', l.currency) || jsonb_strip_nulls(said);
    if said ->> 'currency' <> l.currency then
      raise exception 'the pledge is in %', l.currency using errcode = '23514', constraint = 'gift_currency', detail = json_build_object('currency', l.currency)::text;
    end if;
  end if;
  c := app_private.campaign_for(org, (said ->> 'campaign_id')::uuid, said ->> 'currency');
  perform app_private.open_person(org, (said ->> 'person_id')::uuid);
  select jsonb_agg(to_jsonb(a) order by a.place) into place from app_private.allocations_of(org, said, c, g.amount, 0, false) a;
  g.chapter_id := case when c.id is not null then c.chapter_id else (select f.chapter_id from app.funds f where f.org_id = org and f.id = (place -> 0 ->> 'fund_id')::uuid) end;
  if not (app_private.gift_right(org, g.chapter_id, 'gifts.record') or app_private.gift_right(org, g.chapter_id, 'gifts.manage')) then raise exception 'not allowed' using errcode = '42501'; end if;
  insert into app.gifts (org_id, campaign_id, chapter_id, person_id, donor_name, donor_email, amount, fee_covered, currency, method, is_anonymous, tribute_kind, tribute_name, message, source, instalment_id,
      share_chapter_id, share_amount, wants_receipt_mail, attempt, batch_id, created_by)
    values (org, c.id, g.chapter_id, (said ->> 'person_id')::uuid, coalesce(said ->> 'donor_name', ''), coalesce(said ->> 'donor_email', ''), g.amount, coalesce((said ->> 'fee_covered')::bigint, 0),
      coalesce(said ->> 'currency', c.currency, (select o.currency from app.organisations o where o.org_id = org)), said ->> 'method', coalesce((said ->> 'is_anonymous')::boolean, false),
      said ->> 'tribute_kind', coalesce(said ->> 'tribute_name', ''), coalesce(said ->> 'message', ''), 'office', i.id,
      c.share_chapter_id, round((g.amount - coalesce((said ->> 'fee_covered')::bigint, 0))::numeric * coalesce(c.share_bps, 0) / 10000)::bigint,
      coalesce((said ->> 'wants_receipt_mail')::boolean, true), (said ->> 'attempt')::uuid, (said ->> 'batch_id')::uuid, app.account_id())
    returning * into g;
  insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount) select org, g.id, (a ->> 'fund_id')::uuid, (a ->> 'place')::int, (a ->> 'amount')::bigint from jsonb_array_elements(place) a;
  perform app_private.write_note(org, g.id, null, said ->> 'note');
  insert into app.payments (org_id, kind, method, amount, currency, person_id, received_on, reference, gift_id, state, settled_at, created_by)
    values (org, 'manual', g.method, g.amount, g.currency, g.person_id, coalesce((said ->> 'received_on')::date, app.today()), coalesce(said ->> 'reference', ''), g.id, 'settled', now(), app.account_id())
    returning id into paid;
  perform app_private.apply_payment(org, paid);
  return g;
end $$;
comment on function app_private.record_gift(jsonb) is 'A gift that came by hand, with the payment that settles it';

create function app.record_gift(said jsonb) returns uuid language sql security definer set search_path = pg_catalog, pg_temp as $$
  select (app_private.record_gift(said)).id
$$;
comment on function app.record_gift(jsonb) is 'Writes down a gift that came by bank, in cash, as a cheque or otherwise; it has settled at once. Sent twice with the same attempt, it is the same gift';
create function app.record_gifts(list jsonb, batch uuid) returns setof uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare one record;
begin
  if jsonb_array_length(list) > 500 then raise exception 'at most 500 gifts are recorded at once' using errcode = '23514', constraint = 'gift_batch_too_long'; end if;
  for one in select x.value from jsonb_array_elements(list) with ordinality x (value, place) order by x.place loop
    return next (app_private.record_gift(one.value || jsonb_build_object('batch_id', batch))).id;
  end loop;
end $$;
comment on function app.record_gifts(jsonb, uuid) is 'Writes down many gifts that came by hand as one batch, all or none; their ids in the order of the list';

-- What is begun online -------------------------------------------------------------------------------------------------------------------------------

create function app_private.begin_gift_payment(g app.gifts, payment_kind text, account uuid, saves boolean, anew boolean, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := g.org_id;
  p app.payments;
  stale text[] := '{}';
  begun app.payment_begun;
begin
  select x.* into p from app.payments x where x.org_id = org and x.gift_id = g.id and x.kind = payment_kind and x.state = 'pending' for update;
  if p.id is not null and payment_kind = 'checkout' and (anew or p.amount <> g.amount or p.expires_at < now() + interval '10 minutes' or p.saves_method <> saves) then
    -- Something else is given by now, or its page is about to end. Should somebody have paid on it, it settles all the same.
    update app.payments x set state = 'cancelled', failure = 'expired' where x.org_id = org and x.id = p.id;
    stale := array_remove(array[p.provider_session], null);
    p := null;
  end if;
  if p.id is null then
    insert into app.payments (org_id, kind, method, amount, currency, gift_id, person_id, provider, provider_customer, saves_method, expires_at, is_test, counts, created_by)
      values (org, payment_kind, 'card', g.amount, g.currency, g.id, g.person_id, 'stripe',
        (select x.provider_customer from app.payments x where x.org_id = org and x.person_id = g.person_id and x.provider_customer is not null and x.created_by is not null and x.is_test <> real_money order by x.id desc limit 1),
        saves, case when payment_kind = 'checkout' then date_trunc('second', now() + interval '2 hours') end, not real_money, counted, account)
      returning * into p;
  end if;
  begun := (p.id, org, p.amount, p.currency,
    coalesce((select c.name from app.campaigns c where c.org_id = org and c.id = g.campaign_id),
      (select f.name from app.gift_allocations a join app.funds f on f.org_id = a.org_id and f.id = a.fund_id where a.org_id = org and a.gift_id = g.id order by a.place limit 1)),
    coalesce((select e.address from app.person_emails e where e.org_id = org and e.person_id = g.person_id and e.is_primary limit 1), nullif(g.donor_email, '')),
    case when account is not null or payment_kind = 'charge' then p.provider_customer end, p.saves_method, p.expires_at, stale);
  return begun;
end $$;
comment on function app_private.begin_gift_payment(app.gifts, text, uuid, boolean, boolean, boolean, boolean) is 'The open attempt to pay a gift; made when there is none. The books are held';

create function app_private.begin_gift(org uuid, c app.campaigns, said jsonb, person uuid, account uuid, came_by text, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  today constant date := app_private.today_in(org);
  base constant bigint := (said ->> 'amount')::bigint;
  every constant text := said ->> 'interval';
  most bigint;
  before app.gifts;
  was app.recurring_plans;
  g app.gifts;
  l app.pledges;
  i app.pledge_instalments;
  fee bigint := 0;
  plan uuid;
  place jsonb;
begin
  perform app_private.books_first(org);
  -- The same form once more: it is the same gift, and becomes what is said now.
  select x.* into before from app.gifts x where x.org_id = org and x.attempt = (said ->> 'attempt')::uuid for update;
  if before.id is not null and (before.created_by is distinct from account or before.source <> came_by) then raise exception 'not allowed' using errcode = '42501'; end if;
  if before.settled_at is not null then raise exception 'this gift has come' using errcode = '23514', constraint = 'gift_done'; end if;
  if base is null or base < 1 then raise exception 'a gift has an amount' using errcode = '23514', constraint = 'gift_too_small', detail = json_build_object('least', 1, 'currency', c.currency)::text; end if;
  if said ->> 'instalment_id' is not null then
    select x.* into i from app.pledge_instalments x where x.org_id = org and x.id = (said ->> 'instalment_id')::uuid for update;
    select x.* into l from app.pledges x where x.org_id = org and x.id = i.pledge_id and x.person_id = person;
    if l.id is null then raise exception 'there is no such instalment' using errcode = '23503', constraint = 'instalment_unknown'; end if;
    if i.state <> 'due' or l.status = 'cancelled' then raise exception 'this instalment is not due any more' using errcode = '23514', constraint = 'instalment_not_due'; end if;
    if base < i.amount then
      raise exception 'this is less than the instalment' using errcode = '23514', constraint = 'instalment_amount', detail = json_build_object('amount', i.amount, 'currency', l.currency)::text;
    end if;
    select x.* into c from app.campaigns x where x.org_id = org and x.id = l.campaign_id;
    -- What was promised goes where it was promised to.
    said := said - 'allocations' - 'interval' || jsonb_build_object('allocations', jsonb_build_array(jsonb_build_object('fund_id', l.fund_id, 'amount', base)));
  elsif c.id is null then raise exception 'there is no such campaign' using errcode = '23503', constraint = 'gift_campaign_unknown';
  elsif c.status <> 'active' or c.archived_at is not null or c.starts_on > today or c.ends_on < today then
    raise exception 'this campaign takes no gifts now' using errcode = '23514', constraint = 'gift_campaign_closed';
  else
    if every is not null and not c.allows_recurring then raise exception 'this campaign takes no recurring gifts' using errcode = '23514', constraint = 'gift_not_recurring'; end if;
    most := least(c.max_amount, app_private.most_at_once(org));
    if base < c.min_amount then
      raise exception 'this is less than the least' using errcode = '23514', constraint = 'gift_too_small', detail = json_build_object('least', c.min_amount, 'currency', c.currency)::text;
    end if;
    if base > most then raise exception 'this is more than the most' using errcode = '23514', constraint = 'gift_too_large', detail = json_build_object('most', most, 'currency', c.currency)::text; end if;
  end if;
  if said ->> 'currency' <> coalesce(l.currency, c.currency) then
    raise exception 'this campaign takes %', coalesce(l.currency, c.currency) using errcode = '23514', constraint = 'gift_currency', detail = json_build_object('currency', coalesce(l.currency, c.currency))::text;
  end if;
  if coalesce((said ->> 'covers_fees')::boolean, false) then
    if c.id is not null and not c.allows_cover_fees then raise exception 'this campaign asks nobody for the fee' using errcode = '23514', constraint = 'gift_fee_not_covered'; end if;
    fee := app_private.gift_fee(org, base);
  end if;
  if person is null and (coalesce(btrim(said ->> 'donor_name'), '') = '' or coalesce(btrim(said ->> 'donor_email'), '') = '') then
    raise exception 'say who gives' using errcode = '23514', constraint = 'gift_donor_needed';
  end if;
  if (said ->> 'ends_on')::date <= today then raise exception 'it ends on a later day' using errcode = '23514', constraint = 'plan_ends'; end if;
  if l.id is not null then
    place := jsonb_build_array(jsonb_build_object('fund_id', l.fund_id, 'place', 1, 'amount', base + fee));
  else
    select jsonb_agg(to_jsonb(a) order by a.place) into place from app_private.allocations_of(org, said, c, base + fee, fee, true) a;
  end if;
  g := before;
  g.campaign_id := c.id;
  g.chapter_id := coalesce(l.chapter_id, c.chapter_id);
  g.person_id := person;
  g.donor_name := coalesce(btrim(said ->> 'donor_name'), '');
  g.donor_email := coalesce(btrim(said ->> 'donor_email'), '');
  g.amount := base + fee;
  g.fee_covered := fee;
  g.currency := coalesce(l.currency, c.currency);
  g.is_anonymous := coalesce((said ->> 'is_anonymous')::boolean, false);
  g.tribute_kind := said ->> 'tribute_kind';
  g.tribute_name := coalesce(said ->> 'tribute_name', '');
  g.message := coalesce(said ->> 'message', '');
  g.share_amount := round(base::numeric * coalesce(c.share_bps, 0) / 10000)::bigint;
  g.wants_receipt_mail := coalesce((said ->> 'wants_receipt_mail')::boolean, true);
  select x.* into was from app.recurring_plans x where x.org_id = org and x.id = before.plan_id for update;
  if every is not null and l.id is null then
    if was.id is null then
      insert into app.recurring_plans (org_id, person_id, donor_name, donor_email, campaign_id, fund_id, chapter_id, amount, fee_covered, currency, interval, ends_on, is_anonymous, is_test, counts, created_by)
        values (org, person, g.donor_name, g.donor_email, c.id, (place -> 0 ->> 'fund_id')::uuid, c.chapter_id, g.amount, fee, g.currency, every, (said ->> 'ends_on')::date, g.is_anonymous, not real_money, counted, account)
        returning id into plan;
    else
      plan := was.id;
      update app.recurring_plans x set donor_name = g.donor_name, donor_email = g.donor_email, campaign_id = c.id, fund_id = (place -> 0 ->> 'fund_id')::uuid, chapter_id = c.chapter_id, amount = g.amount,
          fee_covered = fee, currency = g.currency, interval = every, ends_on = (said ->> 'ends_on')::date, is_anonymous = g.is_anonymous
        where x.org_id = org and x.id = plan;
    end if;
  elsif was.status = 'pending' then
    update app.recurring_plans x set status = 'cancelled', stopped_at = now() where x.org_id = org and x.id = was.id;
  end if;
  if before.id is null then
    insert into app.gifts (org_id, campaign_id, chapter_id, person_id, donor_name, donor_email, amount, fee_covered, currency, method, counts, is_test, is_anonymous, tribute_kind, tribute_name, message, source, plan_id, due_on,
        instalment_id, share_chapter_id, share_amount, wants_receipt_mail, attempt, created_by)
      values (org, g.campaign_id, g.chapter_id, person, g.donor_name, g.donor_email, g.amount, fee, g.currency, 'card', counted, not real_money, g.is_anonymous, g.tribute_kind, g.tribute_name, g.message, came_by, plan,
        case when plan is not null then today end, i.id, c.share_chapter_id, g.share_amount, g.wants_receipt_mail, (said ->> 'attempt')::uuid, account)
      returning * into g;
  else
    update app.gifts x set campaign_id = g.campaign_id, chapter_id = g.chapter_id, donor_name = g.donor_name, donor_email = g.donor_email, amount = g.amount, fee_covered = fee, currency = g.currency,
        is_anonymous = g.is_anonymous, tribute_kind = g.tribute_kind, tribute_name = g.tribute_name, message = g.message, plan_id = plan, due_on = case when plan is not null then today end, instalment_id = i.id,
        share_chapter_id = c.share_chapter_id, share_amount = g.share_amount, wants_receipt_mail = g.wants_receipt_mail
      where x.org_id = org and x.id = before.id returning * into g;
    delete from app.gift_allocations a where a.org_id = org and a.gift_id = g.id;
  end if;
  insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount) select org, g.id, (a ->> 'fund_id')::uuid, (a ->> 'place')::int, (a ->> 'amount')::bigint from jsonb_array_elements(place) a;
  -- A card is saved by its owner only, and where it is charged again.
  return app_private.begin_gift_payment(g, 'checkout', account, plan is not null or (person is not null and coalesce((said ->> 'saves_card')::boolean, false)),
    before.id is not null and (before.amount, before.fee_covered, lower(before.donor_email), was.interval) is distinct from (g.amount, g.fee_covered, lower(g.donor_email), every), real_money, counted);
end $$;
comment on function app_private.begin_gift(uuid, app.campaigns, jsonb, uuid, uuid, text, boolean, boolean) is 'A gift that waits for its payment, with the plan that it is the first of; begun again with the same attempt, it is the same';

create function app.begin_gift(said jsonb, real_money boolean, counted boolean) returns app.payment_begun language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me constant uuid := app.account_id();
  c app.campaigns;
begin
  perform app_private.books_open(org);
  if me is null then raise exception 'not allowed' using errcode = '42501'; end if;
  select x.* into c from app.campaigns x where x.org_id = org and x.id = (said ->> 'campaign_id')::uuid and x.status <> 'draft'
    and (x.visibility in ('public', 'unlisted') or app.everywhere('fundraising.read') or x.chapter_id = any (app.scope('fundraising.read')));
  if app.person_id() is null then
    said := (select jsonb_build_object('donor_name', a.name, 'donor_email', a.email) from app.accounts a where a.org_id = org and a.id = me) || jsonb_strip_nulls(said);
  end if;
  return app_private.begin_gift(org, c, said, app.person_id(), me, 'own', real_money, counted);
end $$;
comment on function app.begin_gift(jsonb, boolean, boolean) is 'Begins a gift of the actor''s own, once, again and again, or for an instalment of their pledge';

create function app.begin_public_gift(idp_org text, slug text, said jsonb, real_money boolean, counted boolean) returns app.payment_begun
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.token_organisation(idp_org);
  c app.campaigns;
begin
  select x.* into c from app.campaigns x where x.org_id = org and x.slug = begin_public_gift.slug and x.visibility in ('public', 'unlisted') and x.status <> 'draft' and x.archived_at is null;
  if c.id is null then return null; end if;
  return app_private.begin_gift(org, c, said - 'instalment_id', null, null, 'page', real_money, counted);
end $$;
comment on function app.begin_public_gift(text, text, jsonb, boolean, boolean) is 'Begins a gift of somebody without an account on the page of a campaign; null where there is no such page';

-- What the office does with a gift --------------------------------------------------------------------------------------------------------------------

create function app_private.gift_to_manage(gift uuid) returns app.gifts language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  g app.gifts;
begin
  perform app_private.books_open(org);
  select x.* into g from app.gifts x where x.org_id = org and x.id = gift for update;
  if g.id is null then raise exception 'there is no such gift' using errcode = '23503', constraint = 'gift_unknown'; end if;
  if not app_private.gift_right(org, g.chapter_id, 'gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  return g;
end $$;
comment on function app_private.gift_to_manage(uuid) is 'A gift that the actor manages; nobody else changes it before this transaction ends';

create function app.hold_gift(gift uuid, known int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  return (app_private.gift_to_manage(gift)).version = known;
end $$;
comment on function app.hold_gift(uuid, int) is 'Locks a gift that somebody is about to change; whether it is still as they know it';

create function app.correct_gift(gift uuid, said jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  before constant app.gifts := app_private.gift_to_manage(gift);
  g app.gifts := before;
  c app.campaigns;
  r app.receipts;
  p app.payments;
  made uuid;
  place jsonb;
  was jsonb := (select jsonb_agg(jsonb_build_object('fund_id', a.fund_id, 'place', a.place, 'amount', a.amount) order by a.place, a.fund_id) from app.gift_allocations a where a.org_id = org and a.gift_id = gift);
begin
  if said ? 'campaign_id' then g.campaign_id := (said ->> 'campaign_id')::uuid; end if;
  if g.campaign_id is distinct from before.campaign_id then
    c := app_private.campaign_for(org, g.campaign_id, g.currency);
    g.share_chapter_id := c.share_chapter_id;
    g.share_amount := round((g.amount - g.fee_covered)::numeric * coalesce(c.share_bps, 0) / 10000)::bigint;
  else
    select x.* into c from app.campaigns x where x.org_id = org and x.id = g.campaign_id;
  end if;
  if said ->> 'fund_id' is not null or said ->> 'allocations' is not null then
    select jsonb_agg(jsonb_build_object('fund_id', a.fund_id, 'place', a.place, 'amount', a.amount) order by a.place, a.fund_id) into place
      from app_private.allocations_of(org, said, c, g.amount, 0, false) a;
  else place := was;
  end if;
  g.chapter_id := case when g.campaign_id is not null then c.chapter_id else (select f.chapter_id from app.funds f where f.org_id = org and f.id = (place -> 0 ->> 'fund_id')::uuid) end;
  if not app_private.gift_right(org, g.chapter_id, 'gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  if said ? 'person_id' then g.person_id := (said ->> 'person_id')::uuid; end if;
  if g.person_id is distinct from before.person_id then perform app_private.open_person(org, g.person_id); end if;
  if said ? 'donor_name' then g.donor_name := coalesce(said ->> 'donor_name', ''); end if;
  if said ? 'donor_email' then g.donor_email := coalesce(said ->> 'donor_email', ''); end if;
  if said ? 'is_anonymous' then g.is_anonymous := (said ->> 'is_anonymous')::boolean; end if;
  if said ? 'tribute_kind' then g.tribute_kind := said ->> 'tribute_kind'; end if;
  if said ? 'tribute_name' then g.tribute_name := coalesce(said ->> 'tribute_name', ''); end if;
  if said ? 'message' then g.message := coalesce(said ->> 'message', ''); end if;
  if said ? 'wants_receipt_mail' then g.wants_receipt_mail := (said ->> 'wants_receipt_mail')::boolean; end if;
  if (g.campaign_id, g.person_id, g.donor_name, g.donor_email) is distinct from (before.campaign_id, before.person_id, before.donor_name, before.donor_email) or place <> was then
    g.reassigned_at := now();
    g.reassigned_by := app.account_id();
  end if;
  if g is distinct from before then
    update app.gifts x set campaign_id = g.campaign_id, chapter_id = g.chapter_id, share_chapter_id = g.share_chapter_id, share_amount = g.share_amount, person_id = g.person_id, donor_name = g.donor_name,
        donor_email = g.donor_email, is_anonymous = g.is_anonymous, tribute_kind = g.tribute_kind, tribute_name = g.tribute_name, message = g.message, wants_receipt_mail = g.wants_receipt_mail,
        reassigned_at = g.reassigned_at, reassigned_by = g.reassigned_by
      where x.org_id = org and x.id = gift;
  end if;
  if said ? 'note' then perform app_private.write_note(org, gift, null, said ->> 'note'); end if;
  if place <> was then
    delete from app.gift_allocations a where a.org_id = org and a.gift_id = gift;
    insert into app.gift_allocations (org_id, gift_id, fund_id, place, amount) select org, gift, (a ->> 'fund_id')::uuid, (a ->> 'place')::int, (a ->> 'amount')::bigint from jsonb_array_elements(place) a;
    perform app_private.audit_append(org, 'update', 'gifts', 'gifts.read', array[jsonb_build_object('id', gift, 'person_id', g.person_id, 'chapter_id', g.chapter_id, 'allocations', was)],
      array[jsonb_build_object('id', gift, 'person_id', g.person_id, 'chapter_id', g.chapter_id, 'allocations', place)], 'id');
  end if;
  if g.person_id is distinct from before.person_id then
    update app.payments x set person_id = g.person_id where x.org_id = org and x.gift_id = gift;
  end if;
  -- A receipt that says something else by now is replaced.
  select x.* into r from app.receipts x where x.org_id = org and x.gift_id = gift and x.state = 'issued' for update;
  if r.id is not null and app_private.gift_billing(org, gift) is not null
    and (r.person_id, r.billing, r.lines) is distinct from (g.person_id, case when (g.person_id, g.donor_name) is distinct from (before.person_id, before.donor_name) then app_private.gift_billing(org, gift) else r.billing end, app_private.gift_lines(org, gift)) then
    select x.* into p from app.payments x where x.org_id = org and x.id = r.payment_id;
    made := app_private.write_receipt(p, r, 'Correction');
    perform app_private.mail_gift_receipt(org, made);
  end if;
end $$;
comment on function app.correct_gift(uuid, jsonb) is 'Corrects what is said of a gift: its campaign, its funds, its donor, its dedication, its note; what is left out stays. A receipt that says something else then is replaced. For those who manage gifts, where it was and where it goes';

create function app.thank_gifts(gifts uuid[], how text) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  n int;
begin
  perform app_private.books_open(org);
  if exists (select from app.gifts g where g.org_id = org and g.id = any (gifts) and not app_private.gift_right(org, g.chapter_id, 'gifts.manage')) then raise exception 'not allowed' using errcode = '42501'; end if;
  update app.gifts g set thanked_at = case when how is not null then now() end, thanked_by = case when how is not null then app.account_id() end, thanked_how = how
    where g.org_id = org and g.id = any (gifts) and (how is null) = (g.thanked_at is not null);
  get diagnostics n = row_count;
  return n;
end $$;
comment on function app.thank_gifts(uuid[], text) is 'Notes how somebody was thanked for gifts; null takes it back. How many changed';

create function app.gift_mail(org uuid, gift uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  -- The plan is told to nobody but the person who gives it, whoever the gift has been assigned to since.
  return (select jsonb_build_object('giftId', g.id, 'amount', g.amount, 'currency', g.currency, 'status', g.status, 'receivedOn', g.received_on, 'campaign', c.name, 'thanks', coalesce(c.thanks, ''), 'donorName',
      coalesce((select x.display_name from app.people x where x.org_id = g.org_id and x.id = g.person_id), g.donor_name), 'tributeKind', g.tribute_kind, 'tributeName', g.tribute_name, 'planId', l.id,
      'planStatus', l.status, 'planAmount', l.amount, 'interval', l.interval, 'nextOn', l.next_on, 'personId', g.person_id, 'donorEmail', g.donor_email, 'slug', c.slug,
      'share', (select jsonb_build_object('chapter', h.name, 'amount', app.gift_share(g)) from app.chapters h where h.org_id = g.org_id and h.id = g.share_chapter_id))
    from app.gifts g left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id left join app.recurring_plans l on l.org_id = g.org_id and l.id = g.plan_id and l.person_id is not distinct from g.person_id where g.org_id = org and g.id = gift);
end $$;
comment on function app.gift_mail(uuid, uuid) is 'What a mail about a gift says, for the worker that writes it';

select app_private.own_definers();
grant execute on function app_private.keeps_payment(app.payments), app_private.keeps_card(app.payments), app_private.gift_lines(uuid, uuid), app_private.gift_billing(uuid, uuid), app_private.mail_gift_receipt(uuid, uuid),
  app_private.person_of_guest(uuid, text, text), app_private.scale_gift(uuid, uuid, bigint), app_private.part_twins(uuid, uuid[]), app_private.gifts_follow(uuid, uuid[]),
  app_private.allocations_of(uuid, jsonb, app.campaigns, bigint, bigint, boolean), app_private.open_person(uuid, uuid), app_private.write_note(uuid, uuid, uuid, text),
  app_private.campaign_for(uuid, uuid, text), app_private.record_gift(jsonb), app_private.begin_gift_payment(app.gifts, text, uuid, boolean, boolean, boolean, boolean),
  app_private.begin_gift(uuid, app.campaigns, jsonb, uuid, uuid, text, boolean, boolean), app_private.gift_to_manage(uuid) to app_definer;
grant execute on function app.payments_referring(text), app.record_gift(jsonb), app.record_gifts(jsonb, uuid), app.begin_gift(jsonb, boolean, boolean), app.begin_public_gift(text, text, jsonb, boolean, boolean),
  app.hold_gift(uuid, int), app.correct_gift(uuid, jsonb), app.thank_gifts(uuid[], text) to app_access;
grant execute on function app.gift_mail(uuid, uuid) to app_worker;
