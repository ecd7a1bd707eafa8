-- What a campaign looks like for everybody who sees it, and what gifts came to in a period: added up beforehand, and never with the name of a donor. Then how donors are thanked.

-- Counters ------------------------------------------------------------------------------------------------------------------------------------

create table app.campaign_sizes (
  org_id uuid not null references app.organisations on delete cascade,
  campaign_id uuid not null,
  from_amount bigint not null,
  gifts int not null default 0,
  primary key (org_id, campaign_id, from_amount),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id) on delete cascade
);
comment on table app.campaign_sizes is 'How many gifts of a campaign are how large. Not in the audit log: it follows from gifts';
comment on column app.campaign_sizes.from_amount is 'The smallest amount of these gifts: 1, 2 or 5 and zeros. The next such number is larger than all of them';

create table app.campaign_fund_totals (
  org_id uuid not null references app.organisations on delete cascade,
  campaign_id uuid not null,
  fund_id uuid not null,
  amount bigint not null default 0,
  primary key (org_id, campaign_id, fund_id),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, fund_id) references app.funds (org_id, id) on delete cascade
);
comment on table app.campaign_fund_totals is 'What funds have of the gifts to a campaign, less what was given back. Not in the audit log: it follows from gifts';
create index campaign_fund_totals_by_fund on app.campaign_fund_totals (org_id, fund_id);

do $$
declare tab text;
begin
  foreach tab in array array['campaign_sizes', 'campaign_fund_totals'] loop
    perform app_private.protect(('app.' || tab)::regclass);
    execute format('grant select on app.%I to app_access', tab);
    execute format('grant select, insert, update, delete on app.%I to app_definer', tab);
    execute format('create policy %1$I on app.%2$I for select to app_access using (org_id = (select app.org_id())
      and exists (select from app.campaigns c where c.org_id = %2$I.org_id and c.id = %2$I.campaign_id))', tab || '_read', tab);
  end loop;
end $$;

create function app_private.size_of(amount bigint) returns bigint language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case left(amount::text, 1) when '1' then 1 when '2' then 2 when '3' then 2 when '4' then 2 else 5 end * (10::numeric ^ (length(amount::text) - 1))::bigint
$$;
comment on function app_private.size_of(bigint) is 'The largest of 1, 2, 5, 10, 20, 50 … that is not larger than an amount';
create function app_private.count_sizes(org uuid, campaigns uuid[], sizes bigint[], counts int[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.campaign_sizes as t (org_id, campaign_id, from_amount, gifts)
    select org, x.campaign, x.size, sum(x.n) from unnest(campaigns, sizes, counts) x (campaign, size, n) group by x.campaign, x.size having sum(x.n) <> 0
    on conflict (org_id, campaign_id, from_amount) do update set gifts = t.gifts + excluded.gifts;
  delete from app.campaign_sizes t where t.org_id = org and t.campaign_id = any (campaigns) and t.gifts = 0;
end $$;
comment on function app_private.count_sizes(uuid, uuid[], bigint[], int[]) is 'Adds gifts of a size to campaigns, or takes them away';
create function app_private.count_campaign_funds(org uuid, campaigns uuid[], funds uuid[], amounts bigint[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.campaign_fund_totals as t (org_id, campaign_id, fund_id, amount)
    select org, x.campaign, x.fund, sum(x.amount) from unnest(campaigns, funds, amounts) x (campaign, fund, amount) group by x.campaign, x.fund having sum(x.amount) <> 0
    on conflict (org_id, campaign_id, fund_id) do update set amount = t.amount + excluded.amount;
  delete from app.campaign_fund_totals t where t.org_id = org and t.campaign_id = any (campaigns) and t.amount = 0;
end $$;
comment on function app_private.count_campaign_funds(uuid, uuid[], uuid[], bigint[]) is 'Adds to what funds have of campaigns, or takes from it';

create function app_private.gifts_sized() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform app_private.count_sizes(s.org_id, array_agg(s.campaign_id), array_agg(app_private.size_of(s.amount)), array_agg(1))
      from changed s where s.campaign_id is not null and s.counted_amount > 0 group by s.org_id;
  elsif tg_op = 'DELETE' then
    perform app_private.count_sizes(s.org_id, array_agg(s.campaign_id), array_agg(app_private.size_of(s.amount)), array_agg(-1))
      from before s where s.campaign_id is not null and s.counted_amount > 0 and exists (select from app.organisations o where o.org_id = s.org_id) group by s.org_id;
  else
    perform app_private.count_sizes(s.org_id, array_agg(s.campaign_id), array_agg(app_private.size_of(s.amount)), array_agg(s.n)) from (
      select c.org_id, c.campaign_id, c.amount, 1 as n from changed c where c.campaign_id is not null and c.counted_amount > 0
      union all select b.org_id, b.campaign_id, b.amount, -1 from before b where b.campaign_id is not null and b.counted_amount > 0) s group by s.org_id;
  end if;
  return null;
end $$;
comment on function app_private.gifts_sized() is 'Sizes of gifts follow the gifts';
create trigger gifts_sizes_new after insert on app.gifts referencing new table as changed for each statement execute function app_private.gifts_sized();
create trigger gifts_sizes_changed after update on app.gifts referencing old table as before new table as changed for each statement execute function app_private.gifts_sized();
create trigger gifts_sizes_gone after delete on app.gifts referencing old table as before for each statement execute function app_private.gifts_sized();

create function app_private.gifts_moved() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.count_campaign_funds(s.org_id, array_agg(s.campaign_id), array_agg(s.fund_id), array_agg(s.amount)) from (
    select c.org_id, m.campaign_id, a.fund_id, m.sign * a.settled_amount as amount
      from changed c join before b on b.org_id = c.org_id and b.id = c.id and b.campaign_id is distinct from c.campaign_id
      join app.gift_allocations a on a.org_id = c.org_id and a.gift_id = c.id and a.settled_amount > 0
      cross join lateral (values (c.campaign_id, 1), (b.campaign_id, -1)) m (campaign_id, sign) where m.campaign_id is not null) s group by s.org_id;
  return null;
end $$;
comment on function app_private.gifts_moved() is 'What funds have of a campaign goes with a gift to another campaign';
-- Before gifts_spread, whose changes are counted where the gift is by then.
create trigger gifts_campaign_moved after update on app.gifts referencing old table as before new table as changed for each statement execute function app_private.gifts_moved();

create function app_private.gift_allocations_of_campaigns() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform app_private.count_campaign_funds(g.org_id, array_agg(g.campaign_id), array_agg(c.fund_id), array_agg(c.settled_amount))
      from changed c join app.gifts g on g.org_id = c.org_id and g.id = c.gift_id and g.campaign_id is not null where c.settled_amount > 0 group by g.org_id;
  elsif tg_op = 'DELETE' then
    perform app_private.count_campaign_funds(g.org_id, array_agg(g.campaign_id), array_agg(b.fund_id), array_agg(-b.settled_amount))
      from before b join app.gifts g on g.org_id = b.org_id and g.id = b.gift_id and g.campaign_id is not null
      where b.settled_amount > 0 and exists (select from app.organisations o where o.org_id = b.org_id) group by g.org_id;
  else
    perform app_private.count_campaign_funds(g.org_id, array_agg(g.campaign_id), array_agg(s.fund_id), array_agg(s.amount)) from (
      select c.org_id, c.gift_id, c.fund_id, c.settled_amount as amount from changed c
      union all select b.org_id, b.gift_id, b.fund_id, -b.settled_amount from before b) s
      join app.gifts g on g.org_id = s.org_id and g.id = s.gift_id and g.campaign_id is not null where s.amount <> 0 group by g.org_id;
  end if;
  return null;
end $$;
comment on function app_private.gift_allocations_of_campaigns() is 'What funds have of campaigns follows how gifts are allocated';
create trigger gift_allocations_campaigns_new after insert on app.gift_allocations referencing new table as changed for each statement execute function app_private.gift_allocations_of_campaigns();
create trigger gift_allocations_campaigns_changed after update on app.gift_allocations referencing old table as before new table as changed for each statement execute function app_private.gift_allocations_of_campaigns();
create trigger gift_allocations_campaigns_gone after delete on app.gift_allocations referencing old table as before for each statement execute function app_private.gift_allocations_of_campaigns();

create function app_private.refresh_campaign_parts(org uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.campaign_sizes t where t.org_id = org;
  insert into app.campaign_sizes (org_id, campaign_id, from_amount, gifts)
    select org, g.campaign_id, app_private.size_of(g.amount), count(*) from app.gifts g where g.org_id = org and g.campaign_id is not null and g.counted_amount > 0 group by 2, 3;
  delete from app.campaign_fund_totals t where t.org_id = org;
  insert into app.campaign_fund_totals (org_id, campaign_id, fund_id, amount)
    select org, g.campaign_id, a.fund_id, sum(a.settled_amount) from app.gift_allocations a join app.gifts g on g.org_id = a.org_id and g.id = a.gift_id
      where a.org_id = org and g.campaign_id is not null and a.settled_amount > 0 group by 2, 3;
$$;
comment on function app_private.refresh_campaign_parts(uuid) is 'Counts sizes and funds of campaigns anew';

-- What everybody who sees a campaign may know -----------------------------------------------------------------------------------------------------

create function app.campaign_latest(campaign uuid) returns table (place int, gift_id uuid, name text, amount bigint, currency text, at timestamptz, is_recurring boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  c app.campaigns;
  names boolean;
begin
  select x.* into c from app.campaigns x where x.org_id = org and x.id = campaign;
  if not (app_private.gift_right(org, c.chapter_id, 'fundraising.manage') or (c.status <> 'draft' and app_private.gift_right(org, c.chapter_id, 'fundraising.read'))) then return; end if;
  names := app_private.gift_right(org, c.chapter_id, 'gifts.read');
  return query
    select g.place::int, case when names then g.id end,
      case when names and not g.is_anonymous then nullif(coalesce((select p.display_name from app.people p where p.org_id = org and p.id = g.person_id and p.lifecycle <> 'erased'), g.donor_name), '') end,
      g.amount, g.currency, g.settled_at, g.plan_id is not null
    from (select x.*, row_number() over (order by x.id desc) as place from app.gifts x where x.org_id = org and x.campaign_id = campaign and x.counted_amount > 0 order by x.id desc limit 20) g
    order by g.place;
end $$;
comment on function app.campaign_latest(uuid) is 'The latest gifts to a campaign; who gave them is for those who see donors, and of anonymous ones for nobody here';

-- Figures -------------------------------------------------------------------------------------------------------------------------------------

create function app_private.gift_figures(org uuid, since date, until date, within uuid[], unit text) returns table (gifts int, donors int, settled bigint, refunded bigint, raised bigint)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select count(*) filter (where g.counted_amount > 0)::int, count(distinct g.donor_key) filter (where g.counted_amount > 0)::int, coalesce(sum(g.amount), 0)::bigint, coalesce(sum(g.refunded_amount), 0)::bigint,
      coalesce(sum(g.counted_amount), 0)::bigint
    from app.gifts g where g.org_id = org and g.received_on between since and until and g.currency = unit and g.counts and g.status in ('settled', 'partly_refunded', 'refunded')
      and (within is null or g.chapter_id = any (within))
$$;
comment on function app_private.gift_figures(uuid, date, date, uuid[], text) is 'What gifts came to from one day to another, in these chapters, or anywhere';

create function app_private.retained_donors(org uuid, year int, until date, within uuid[]) returns float8 language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  -- Both years in one pass: to look each donor up would take four times as long.
  select count(*) filter (where d.again)::float8 / nullif(count(*), 0)
    from (select bool_or(g.received_on >= make_date(year, 1, 1)) as again from app.gifts g
      where g.org_id = org and g.received_on between make_date(year - 1, 1, 1) and until and g.counted_amount > 0 and (within is null or g.chapter_id = any (within))
      group by g.donor_key having bool_or(g.received_on < make_date(year, 1, 1))) d
$$;
comment on function app_private.retained_donors(uuid, int, date, uuid[]) is 'Which part of the donors of the year before gave again; null where there were none';

create function app.fundraising_figures(since date, until date, chapter uuid) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  today constant date := app.today();
  last constant date := coalesce(until, today);
  first constant date := coalesce(since, make_date(extract(year from last)::int, 1, 1));
  -- As many days, or as many years where the period is whole years so far.
  before_until constant date := case when first = make_date(extract(year from first)::int, 1, 1) and last < first + 366 then (last - interval '1 year')::date else first - 1 end;
  before_since constant date := case when first = make_date(extract(year from first)::int, 1, 1) and last < first + 366 then (first - interval '1 year')::date else first - (last - first + 1) end;
  reaches constant boolean := app.everywhere('fundraising.read');
  unit constant text := (select o.currency from app.organisations o where o.org_id = org);
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  within uuid[];
  year constant int := extract(year from last)::int;
  now_ record;
  then_ record;
begin
  if not reaches and app.scope('fundraising.read') = '{}' then return null; end if;
  if last < first then return null; end if;
  if chapter is not null then
    within := array(select a.chapter_id from app.chapter_ancestors a where a.org_id = org and a.ancestor_id = chapter and (reaches or a.chapter_id = any (app.scope('fundraising.read'))));
  elsif not reaches then within := app.scope('fundraising.read');
  end if;
  select * into now_ from app_private.gift_figures(org, first, last, within, unit);
  select * into then_ from app_private.gift_figures(org, before_since, before_until, within, unit);
  return jsonb_build_object('currency', unit, 'raised', now_.raised, 'settled', now_.settled, 'refunded', now_.refunded, 'gifts', now_.gifts, 'donors', now_.donors,
    'averageGift', case when now_.gifts > 0 then round(now_.raised::numeric / now_.gifts)::bigint end,
    'pledged', (select coalesce(sum(l.open_amount), 0) from app.pledges l where l.org_id = org and l.status = 'open' and l.currency = unit and (within is null or l.chapter_id = any (within))),
    'recurring', (select coalesce(sum(p.month_amount), 0) from app.recurring_plans p where p.org_id = org and p.month_amount > 0 and p.currency = unit and (within is null or p.chapter_id = any (within))),
    'retained', app_private.retained_donors(org, year, last, within),
    'before', jsonb_build_object('raised', then_.raised, 'gifts', then_.gifts, 'donors', then_.donors,
      'recurring', (select coalesce(sum(round(p.amount::numeric / app_private.plan_months(p.interval))), 0)::bigint from app.recurring_plans p
        where p.org_id = org and p.counts and p.currency = unit and p.started_on < first and (p.stopped_at is null or (p.stopped_at at time zone zone)::date >= first)
          and coalesce(p.ends_on >= first, true) and (within is null or p.chapter_id = any (within))),
      'retained', app_private.retained_donors(org, year - 1, make_date(year - 1, 12, 31), within)));
end $$;
comment on function app.fundraising_figures(date, date, uuid) is 'What gifts came to in a period and in the one before it, as far as fundraising.read reaches, in the currency of the organisation; null for who may not see it';

-- Thanks --------------------------------------------------------------------------------------------------------------------------------------

create function app_private.donor_mailable(g app.gifts) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  m app.mail_messages;
  found_ record;
begin
  if g.person_id is null and g.donor_email = '' then return false; end if;
  if exists (select from app.people p where p.org_id = g.org_id and p.id = g.person_id and p.do_not_contact) then return false; end if;
  m.org_id := g.org_id;
  m.person_id := g.person_id;
  m.address := case when g.person_id is null then g.donor_email end;
  m.essential := true;
  m.to_administrators := false;
  select * into found_ from app_private.mail_recipient(m);
  return found_.refusal is null;
end $$;
comment on function app_private.donor_mailable(app.gifts) is 'Whether a donor can be written to, and did not ask to be left alone';

create function app.can_mail_donor(gift uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare g app.gifts;
begin
  select x.* into g from app.gifts x where x.org_id = app.org_id() and x.id = gift;
  return g.id is not null and app_private.gift_right(g.org_id, g.chapter_id, 'gifts.manage') and app_private.donor_mailable(g);
end $$;
comment on function app.can_mail_donor(uuid) is 'Whether the donor of a gift can be mailed; for those who manage gifts';

create function app.mail_thanks(gift uuid, subject text, body text) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  g app.gifts := app_private.gift_to_manage(gift);
  mails int;
begin
  if not app_private.donor_mailable(g) then return 0; end if;
  mails := app_private.add_mails(org, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'gift-thanks', 'person', g.person_id, 'address', case when g.person_id is null then g.donor_email end,
    'essential', true, 'params', jsonb_build_object('subject', subject, 'body', body))));
  perform app.thank_gifts(array[gift], 'mail');
  return mails;
end $$;
comment on function app.mail_thanks(uuid, text, text) is 'Mails thanks to the donor of a gift and notes them; none where the donor cannot be mailed. For those who manage gifts';

create function app.mail_gift_receipt(gift uuid) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  g app.gifts := app_private.gift_to_manage(gift);
  r app.receipts;
begin
  select x.* into r from app.receipts x where x.org_id = org and x.gift_id = gift and x.state = 'issued' order by x.id desc limit 1;
  if r.id is null or (g.person_id is null and g.donor_email = '') then return 0; end if;
  update app.receipts x set sent_at = now() where x.org_id = org and x.id = r.id;
  return app_private.add_mails(org, app.account_id(), jsonb_build_array(jsonb_build_object('template', 'gift-receipt', 'person', g.person_id, 'address', case when g.person_id is null then g.donor_email end,
    'essential', true, 'params', jsonb_build_object('receipt', r.id, 'gift', gift))));
end $$;
comment on function app.mail_gift_receipt(uuid) is 'Mails the receipt of a gift once more; none where there is no receipt or no address. For those who manage gifts';

select app_private.own_definers();
revoke execute on function app_private.size_of(bigint) from public;
grant execute on function app_private.size_of(bigint), app_private.count_sizes(uuid, uuid[], bigint[], int[]), app_private.count_campaign_funds(uuid, uuid[], uuid[], bigint[]),
  app_private.refresh_campaign_parts(uuid), app_private.gift_figures(uuid, date, date, uuid[], text), app_private.retained_donors(uuid, int, date, uuid[]), app_private.donor_mailable(app.gifts) to app_definer;
grant execute on function app.campaign_latest(uuid), app.fundraising_figures(date, date, uuid), app.can_mail_donor(uuid), app.mail_thanks(uuid, text, text), app.mail_gift_receipt(uuid) to app_access;
