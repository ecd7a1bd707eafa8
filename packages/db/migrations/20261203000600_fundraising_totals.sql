-- What gifts come to: by campaign and day, by donor and year, by fund, and what chapters have of them. Kept by triggers, so that a page of a campaign never adds up gifts.

create table app.campaign_totals (
  org_id uuid not null references app.organisations on delete cascade,
  campaign_id uuid not null,
  gifts int not null default 0,
  donors int not null default 0,
  settled_amount bigint not null default 0,
  refunded_amount bigint not null default 0,
  counted_amount bigint not null generated always as (settled_amount - refunded_amount) stored,
  pledged_amount bigint not null default 0,
  recurring_amount bigint not null default 0,
  plans int not null default 0,
  last_gift_at timestamptz,
  primary key (org_id, campaign_id),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id) on delete cascade
);
comment on table app.campaign_totals is 'What each campaign comes to; a row for every one. Not in the audit log: it follows from gifts, pledges and plans';
comment on column app.campaign_totals.gifts is 'Gifts that are worth something';
comment on column app.campaign_totals.settled_amount is 'All that came, also what was given back since; disputed and reversed gifts are not here';
comment on column app.campaign_totals.counted_amount is 'What is left of it';
comment on column app.campaign_totals.pledged_amount is 'What was promised and is still to come';
comment on column app.campaign_totals.recurring_amount is 'What recurring gifts that run come to in a month';
create index campaign_totals_by_amount on app.campaign_totals (org_id, counted_amount desc, campaign_id desc);
create index campaign_totals_by_last on app.campaign_totals (org_id, last_gift_at desc, campaign_id desc);

create table app.campaign_days (
  org_id uuid not null references app.organisations on delete cascade,
  campaign_id uuid not null,
  day date not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  gifts int not null default 0,
  amount bigint not null default 0,
  refunded bigint not null default 0,
  donors_new int not null default 0,
  primary key (org_id, campaign_id, day, currency),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id) on delete cascade
);
comment on table app.campaign_days is 'What came for a campaign on a day. Not in the audit log: it follows from gifts';
comment on column app.campaign_days.amount is 'All that came on the day, also what was given back since';
comment on column app.campaign_days.refunded is 'What of it was given back, whenever that was';
comment on column app.campaign_days.donors_new is 'Donors whose first gift to the campaign came on this day';

create table app.campaign_donors (
  org_id uuid not null references app.organisations on delete cascade,
  campaign_id uuid not null,
  donor_key text collate "C" not null,
  person_id uuid,
  gifts int not null,
  amount bigint not null,
  first_on date not null,
  last_on date not null,
  primary key (org_id, campaign_id, donor_key),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id)
);
comment on table app.campaign_donors is 'Who gave to a campaign, and how much that is worth. Not in the audit log: it follows from gifts';
create index campaign_donors_by_person on app.campaign_donors (org_id, person_id, campaign_id);
create index campaign_donors_by_amount on app.campaign_donors (org_id, campaign_id, amount desc, donor_key);
create index campaign_donors_by_last on app.campaign_donors (org_id, campaign_id, last_on desc, donor_key);

create table app.donors (
  org_id uuid not null references app.organisations on delete cascade,
  person_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  gifts int not null,
  lifetime_amount bigint not null,
  largest_amount bigint not null,
  first_on date not null,
  last_on date not null,
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.donors is 'Who gave, and what all of it is worth. Not in the audit log: it follows from gifts';
comment on column app.donors.currency is 'That of the organisation: gifts in others are counted, and not added up';
create index donors_by_lifetime on app.donors (org_id, lifetime_amount desc, person_id desc);
create index donors_by_last on app.donors (org_id, last_on desc, person_id desc);
create index donors_by_first on app.donors (org_id, first_on desc, person_id desc);
create index donors_by_largest on app.donors (org_id, largest_amount desc, person_id desc);

create table app.donor_years (
  org_id uuid not null references app.organisations on delete cascade,
  person_id uuid not null,
  year int not null check (year between 1 and 9999),
  gifts int not null,
  amount bigint not null,
  primary key (org_id, person_id, year),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.donor_years is 'What somebody gave in a year, in the currency of the organisation. Not in the audit log: it follows from gifts';
create index donor_years_by_year on app.donor_years (org_id, year, amount desc, person_id desc);

create table app.fund_totals (
  org_id uuid not null references app.organisations on delete cascade,
  fund_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  gifts int not null default 0,
  amount bigint not null default 0,
  primary key (org_id, fund_id, currency),
  foreign key (org_id, fund_id) references app.funds (org_id, id) on delete cascade
);
comment on table app.fund_totals is 'What a fund has of gifts, less what was given back. Not in the audit log: it follows from gifts';

create table app.chapter_shares (
  org_id uuid not null references app.organisations on delete cascade,
  chapter_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  gifts int not null default 0,
  earned_amount bigint not null default 0,
  paid_amount bigint not null default 0,
  open_amount bigint not null generated always as (earned_amount - paid_amount) stored,
  primary key (org_id, chapter_id, currency),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id) on delete cascade
);
comment on table app.chapter_shares is 'What a chapter has of gifts, and what of it was paid out. Not in the audit log: it follows from gifts and payouts';
comment on column app.chapter_shares.gifts is 'Gifts that it has a share of';
comment on column app.chapter_shares.open_amount is 'What is still to be paid out; below zero where gifts were given back since';

-- Rights: totals of a campaign and of funds are for whoever sees them; donors are for those who see donors.
do $$
declare tab text;
begin
  foreach tab in array array['campaign_totals', 'campaign_days', 'campaign_donors', 'donors', 'donor_years', 'fund_totals', 'chapter_shares'] loop
    perform app_private.protect(('app.' || tab)::regclass);
    execute format('grant select on app.%I to app_access', tab);
    execute format('grant select, insert, update, delete on app.%I to app_definer', tab);
  end loop;
end $$;
create policy campaign_totals_read on app.campaign_totals for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.campaigns c where c.org_id = campaign_totals.org_id and c.id = campaign_totals.campaign_id));
create policy campaign_days_read on app.campaign_days for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.campaigns c where c.org_id = campaign_days.org_id and c.id = campaign_days.campaign_id));
create policy fund_totals_read on app.fund_totals for select to app_access using (org_id = (select app.org_id())
  and exists (select from app.funds f where f.org_id = fund_totals.org_id and f.id = fund_totals.fund_id));
create policy campaign_donors_read on app.campaign_donors for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or exists (select from app.campaigns c where c.org_id = campaign_donors.org_id and c.id = campaign_donors.campaign_id
    and c.chapter_id = any ((select app.scope('gifts.read'))::uuid[]))));
-- They hold what somebody gives anywhere, which is not for whoever sees the gifts of one chapter.
create policy donors_read on app.donors for select to app_access using (org_id = (select app.org_id()) and ((select app.everywhere('gifts.read')) or person_id = (select app.person_id())));
create policy donor_years_read on app.donor_years for select to app_access using (org_id = (select app.org_id()) and ((select app.everywhere('gifts.read')) or person_id = (select app.person_id())));
create policy chapter_shares_read on app.chapter_shares for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or chapter_id = any ((select app.scope('gifts.read'))::uuid[]) or chapter_id = any ((select app.scope('fundraising.manage'))::uuid[])
    or chapter_id = any ((select app.scope('finance.read'))::uuid[])));

-- Counting --------------------------------------------------------------------------------------------------------------------------------------

create type app_private.gift_effect as (sign int, campaign_id uuid, donor_key text, person_id uuid, day date, currency text, gifts int, amount bigint, refunded bigint, settled_at timestamptz,
  share_chapter_id uuid, share bigint);

create function app_private.effect_of(g app.gifts, sign int) returns app_private.gift_effect language sql immutable set search_path = pg_catalog, pg_temp as $$
  select row(sign, g.campaign_id, g.donor_key, g.person_id, g.received_on, g.currency, case when g.counted_amount > 0 then 1 else 0 end,
    case when g.counts and g.status in ('settled', 'partly_refunded', 'refunded') then g.amount else 0 end,
    case when g.counts and g.status in ('settled', 'partly_refunded', 'refunded') then g.refunded_amount else 0 end, case when g.counted_amount > 0 then g.settled_at end,
    g.share_chapter_id, app.gift_share(g))::app_private.gift_effect
$$;
comment on function app_private.effect_of(app.gifts, int) is 'What a gift adds to totals, or with the sign -1 takes from them';

create function app_private.count_donors(org uuid, people uuid[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare unit constant text := (select o.currency from app.organisations o where o.org_id = org);
begin
  delete from app.donors d where d.org_id = org and d.person_id = any (people)
    and not exists (select from app.gifts g where g.org_id = org and g.person_id = d.person_id and g.counted_amount > 0);
  insert into app.donors as d (org_id, person_id, currency, gifts, lifetime_amount, largest_amount, first_on, last_on)
    select org, g.person_id, unit, count(*), coalesce(sum(g.counted_amount) filter (where g.currency = unit), 0), coalesce(max(g.counted_amount) filter (where g.currency = unit), 0), min(g.received_on), max(g.received_on)
      from unnest(people) u (id) cross join lateral (select y.* from app.gifts y where y.org_id = org and y.person_id = u.id and y.counted_amount > 0 offset 0) g group by g.person_id
    on conflict (org_id, person_id) do update set currency = excluded.currency, gifts = excluded.gifts, lifetime_amount = excluded.lifetime_amount, largest_amount = excluded.largest_amount,
      first_on = excluded.first_on, last_on = excluded.last_on
      where (d.currency, d.gifts, d.lifetime_amount, d.largest_amount, d.first_on, d.last_on)
        is distinct from (excluded.currency, excluded.gifts, excluded.lifetime_amount, excluded.largest_amount, excluded.first_on, excluded.last_on);
  delete from app.donor_years y where y.org_id = org and y.person_id = any (people)
    and not exists (select from app.gifts g where g.org_id = org and g.person_id = y.person_id and g.counted_amount > 0 and extract(year from g.received_on) = y.year);
  insert into app.donor_years as y (org_id, person_id, year, gifts, amount)
    select org, g.person_id, extract(year from g.received_on)::int, count(*), coalesce(sum(g.counted_amount) filter (where g.currency = unit), 0)
      from unnest(people) u (id) cross join lateral (select y.* from app.gifts y where y.org_id = org and y.person_id = u.id and y.counted_amount > 0 offset 0) g group by g.person_id, extract(year from g.received_on)::int
    on conflict (org_id, person_id, year) do update set gifts = excluded.gifts, amount = excluded.amount where (y.gifts, y.amount) is distinct from (excluded.gifts, excluded.amount);
end $$;
comment on function app_private.count_donors(uuid, uuid[]) is 'What these people have given, from their gifts';

create function app_private.count_gifts(org uuid, effects app_private.gift_effect[]) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  before app.campaign_donors[];
  after app.campaign_donors[];
begin
  -- Whoever counts in the same books waits here.
  perform app_private.books_first(org);
  insert into app.campaign_totals as t (org_id, campaign_id, gifts, settled_amount, refunded_amount, last_gift_at)
    select org, e.campaign_id, sum(e.sign * e.gifts), sum(e.sign * e.amount), sum(e.sign * e.refunded), max(e.settled_at) filter (where e.sign = 1)
      from unnest(effects) e where e.campaign_id is not null group by e.campaign_id
    on conflict (org_id, campaign_id) do update set gifts = t.gifts + excluded.gifts, settled_amount = t.settled_amount + excluded.settled_amount,
      refunded_amount = t.refunded_amount + excluded.refunded_amount, last_gift_at = greatest(t.last_gift_at, excluded.last_gift_at);
  insert into app.campaign_days as t (org_id, campaign_id, day, currency, gifts, amount, refunded)
    select org, e.campaign_id, e.day, e.currency, sum(e.sign * e.gifts), sum(e.sign * e.amount), sum(e.sign * e.refunded)
      from unnest(effects) e where e.campaign_id is not null and e.day is not null group by e.campaign_id, e.day, e.currency
      having sum(e.sign * e.gifts) <> 0 or sum(e.sign * e.amount) <> 0 or sum(e.sign * e.refunded) <> 0
    on conflict (org_id, campaign_id, day, currency) do update set gifts = t.gifts + excluded.gifts, amount = t.amount + excluded.amount, refunded = t.refunded + excluded.refunded;
  -- The last gift is gone: the one before is found on the last day that has one.
  update app.campaign_totals t set last_gift_at = (select max(g.settled_at) from app.gifts g where g.org_id = org and g.campaign_id = t.campaign_id and g.counted_amount > 0
      and g.received_on = (select d.day from app.campaign_days d where d.org_id = org and d.campaign_id = t.campaign_id and d.gifts > 0 order by d.day desc limit 1))
    where t.org_id = org and t.campaign_id in (select e.campaign_id from unnest(effects) e where e.sign = -1 and e.settled_at >= t.last_gift_at
      and not exists (select from unnest(effects) s where s.sign = 1 and s.campaign_id = e.campaign_id and s.settled_at >= e.settled_at));
  -- Donors of campaigns: those concerned are added up anew, and nobody else.
  before := array(select d from app.campaign_donors d join (select distinct e.campaign_id, e.donor_key from unnest(effects) e) p on p.campaign_id = d.campaign_id and p.donor_key = d.donor_key where d.org_id = org);
  after := array(select row(org, g.campaign_id, g.donor_key, (array_agg(g.person_id))[1], count(*), sum(g.counted_amount), min(g.received_on), max(g.received_on))::app.campaign_donors
    from (select distinct e.campaign_id, e.donor_key from unnest(effects) e where e.campaign_id is not null) p
    cross join lateral (select y.* from app.gifts y where y.org_id = org and y.donor_key = p.donor_key and y.campaign_id = p.campaign_id and y.counted_amount > 0 offset 0) g group by g.campaign_id, g.donor_key);
  if before <> after then
    delete from app.campaign_donors d using unnest(before) b where d.org_id = org and d.campaign_id = b.campaign_id and d.donor_key = b.donor_key
      and not exists (select from unnest(after) a where a.campaign_id = b.campaign_id and a.donor_key = b.donor_key);
    insert into app.campaign_donors as d select a.* from unnest(after) a
      on conflict (org_id, campaign_id, donor_key) do update set person_id = excluded.person_id, gifts = excluded.gifts, amount = excluded.amount, first_on = excluded.first_on, last_on = excluded.last_on
        where (d.person_id, d.gifts, d.amount, d.first_on, d.last_on) is distinct from (excluded.person_id, excluded.gifts, excluded.amount, excluded.first_on, excluded.last_on);
    update app.campaign_totals t set donors = t.donors + n.more
      from (select s.campaign_id, sum(s.sign)::int as more from (select a.campaign_id, 1 as sign from unnest(after) a union all select b.campaign_id, -1 from unnest(before) b) s group by s.campaign_id) n
      where t.org_id = org and t.campaign_id = n.campaign_id and n.more <> 0;
    insert into app.campaign_days as t (org_id, campaign_id, day, currency, donors_new)
      select org, s.campaign_id, s.day, c.currency, sum(s.sign) from (select a.campaign_id, a.first_on as day, 1 as sign from unnest(after) a union all select b.campaign_id, b.first_on, -1 from unnest(before) b) s
        join app.campaigns c on c.org_id = org and c.id = s.campaign_id group by s.campaign_id, s.day, c.currency having sum(s.sign) <> 0
      on conflict (org_id, campaign_id, day, currency) do update set donors_new = t.donors_new + excluded.donors_new;
  end if;
  delete from app.campaign_days t using unnest(effects) e where t.org_id = org and t.campaign_id = e.campaign_id and t.day = e.day and e.sign = -1 and (t.gifts, t.amount, t.refunded, t.donors_new) = (0, 0, 0, 0);
  insert into app.chapter_shares as t (org_id, chapter_id, currency, gifts, earned_amount)
    select org, e.share_chapter_id, e.currency, sum(e.sign * e.gifts), sum(e.sign * e.share) from unnest(effects) e where e.share_chapter_id is not null group by e.share_chapter_id, e.currency
      having sum(e.sign * e.gifts) <> 0 or sum(e.sign * e.share) <> 0
    on conflict (org_id, chapter_id, currency) do update set gifts = t.gifts + excluded.gifts, earned_amount = t.earned_amount + excluded.earned_amount;
  perform app_private.count_donors(org, array(select distinct e.person_id from unnest(effects) e where e.person_id is not null));
end $$;
comment on function app_private.count_gifts(uuid, app_private.gift_effect[]) is 'Adds what gifts came to and takes away what they were before; the donors concerned are added up anew';

create function app_private.gifts_new() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, array_agg(app_private.effect_of(c, 1)) as effects from changed c where c.counts and c.status in ('settled', 'partly_refunded', 'refunded') group by c.org_id loop
    perform app_private.count_gifts(m.org, m.effects);
  end loop;
  return null;
end $$;
comment on function app_private.gifts_new() is 'Totals follow gifts that are new';
create function app_private.gifts_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in
    select s.org_id as org, array_agg(s.effect) as effects from (
      select c.org_id, app_private.effect_of(c, 1) as effect, (b.campaign_id, b.donor_key, b.received_on, b.status, b.counts, b.amount, b.refunded_amount, b.share_chapter_id, b.share_amount, b.settled_at)
          is distinct from (c.campaign_id, c.donor_key, c.received_on, c.status, c.counts, c.amount, c.refunded_amount, c.share_chapter_id, c.share_amount, c.settled_at) as differs
        from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.counts and c.status in ('settled', 'partly_refunded', 'refunded')
      union all
      select b.org_id, app_private.effect_of(b, -1), (b.campaign_id, b.donor_key, b.received_on, b.status, b.counts, b.amount, b.refunded_amount, b.share_chapter_id, b.share_amount, b.settled_at)
          is distinct from (c.campaign_id, c.donor_key, c.received_on, c.status, c.counts, c.amount, c.refunded_amount, c.share_chapter_id, c.share_amount, c.settled_at)
        from changed c join before b on b.org_id = c.org_id and b.id = c.id where b.counts and b.status in ('settled', 'partly_refunded', 'refunded')
    ) s where s.differs group by s.org_id loop
    perform app_private.count_gifts(m.org, m.effects);
  end loop;
  return null;
end $$;
comment on function app_private.gifts_changed() is 'Totals follow gifts that have changed';
create trigger gifts_totals_new after insert on app.gifts referencing new table as changed for each statement execute function app_private.gifts_new();
create trigger gifts_totals_changed after update on app.gifts referencing old table as before new table as changed for each statement execute function app_private.gifts_changed();

create function app_private.count_funds(org uuid, funds uuid[], currencies text[], amounts bigint[], counts int[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.fund_totals as t (org_id, fund_id, currency, amount, gifts)
    select org, u.fund, u.currency, sum(u.amount), sum(u.n) from unnest(funds, currencies, amounts, counts) u (fund, currency, amount, n) group by u.fund, u.currency having sum(u.amount) <> 0 or sum(u.n) <> 0
    on conflict (org_id, fund_id, currency) do update set amount = t.amount + excluded.amount, gifts = t.gifts + excluded.gifts
$$;
comment on function app_private.count_funds(uuid, uuid[], text[], bigint[], int[]) is 'Adds to what funds have';
create function app_private.gift_allocations_new() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.count_funds(s.org_id, array_agg(s.fund_id), array_agg(s.currency), array_agg(s.amount), array_agg(s.n)) from (
    select c.org_id, c.fund_id, g.currency, c.settled_amount as amount, 1 as n from changed c join app.gifts g on g.org_id = c.org_id and g.id = c.gift_id where c.settled_amount > 0) s group by s.org_id;
  return null;
end $$;
comment on function app_private.gift_allocations_new() is 'Funds follow what is allocated to them';
create function app_private.gift_allocations_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.count_funds(s.org_id, array_agg(s.fund_id), array_agg(s.currency), array_agg(s.amount), array_agg(s.n)) from (
    select c.org_id, c.fund_id, g.currency, c.settled_amount as amount, 1 as n from changed c join app.gifts g on g.org_id = c.org_id and g.id = c.gift_id where c.settled_amount > 0
    union all select b.org_id, b.fund_id, g.currency, -b.settled_amount, -1 from before b join app.gifts g on g.org_id = b.org_id and g.id = b.gift_id where b.settled_amount > 0) s group by s.org_id;
  return null;
end $$;
comment on function app_private.gift_allocations_changed() is 'Funds follow what is allocated to them otherwise';
create function app_private.gift_allocations_gone() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.count_funds(s.org_id, array_agg(s.fund_id), array_agg(s.currency), array_agg(s.amount), array_agg(s.n)) from (
    select b.org_id, b.fund_id, g.currency, -b.settled_amount as amount, -1 as n from before b join app.gifts g on g.org_id = b.org_id and g.id = b.gift_id
      where b.settled_amount > 0 and exists (select from app.organisations o where o.org_id = b.org_id)) s group by s.org_id;
  return null;
end $$;
comment on function app_private.gift_allocations_gone() is 'Funds follow what is allocated to them no more';
create trigger gift_allocations_totals_new after insert on app.gift_allocations referencing new table as changed for each statement execute function app_private.gift_allocations_new();
create trigger gift_allocations_totals_changed after update on app.gift_allocations referencing old table as before new table as changed for each statement execute function app_private.gift_allocations_changed();
create trigger gift_allocations_totals_gone after delete on app.gift_allocations referencing old table as before for each statement execute function app_private.gift_allocations_gone();

-- A campaign has its row of totals from the beginning.
create function app_private.campaigns_totals() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.campaign_totals (org_id, campaign_id) select c.org_id, c.id from changed c on conflict do nothing;
  return null;
end $$;
comment on function app_private.campaigns_totals() is 'A row of totals for each campaign';
create trigger campaigns_totals after insert on app.campaigns referencing new table as changed for each statement execute function app_private.campaigns_totals();

create function app_private.add_to_campaigns(org uuid, campaigns uuid[], pledged bigint[], recurring bigint[], plans int[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  insert into app.campaign_totals as t (org_id, campaign_id, pledged_amount, recurring_amount, plans)
    select org, u.campaign, sum(u.pledged), sum(u.recurring), sum(u.plans) from unnest(campaigns, pledged, recurring, plans) u (campaign, pledged, recurring, plans) group by u.campaign
      having sum(u.pledged) <> 0 or sum(u.recurring) <> 0 or sum(u.plans) <> 0
    on conflict (org_id, campaign_id) do update set pledged_amount = t.pledged_amount + excluded.pledged_amount, recurring_amount = t.recurring_amount + excluded.recurring_amount, plans = t.plans + excluded.plans
$$;
comment on function app_private.add_to_campaigns(uuid, uuid[], bigint[], bigint[], int[]) is 'Adds to what is pledged to campaigns and given to them again and again';
create function app_private.pledges_new() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.add_to_campaigns(c.org_id, array_agg(c.campaign_id), array_agg(c.open_amount), array_agg(0::bigint), array_agg(0)) from changed c where c.campaign_id is not null and c.open_amount > 0 group by c.org_id;
  return null;
end $$;
comment on function app_private.pledges_new() is 'Totals follow pledges that are new';
create function app_private.pledges_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.add_to_campaigns(s.org_id, array_agg(s.campaign_id), array_agg(s.amount), array_agg(0::bigint), array_agg(0)) from (
    select c.org_id, c.campaign_id, c.open_amount as amount from changed c union all select b.org_id, b.campaign_id, -b.open_amount from before b) s where s.campaign_id is not null and s.amount <> 0 group by s.org_id;
  return null;
end $$;
comment on function app_private.pledges_changed() is 'Totals follow pledges that have changed';
create trigger pledges_totals_new after insert on app.pledges referencing new table as changed for each statement execute function app_private.pledges_new();
create trigger pledges_totals_changed after update on app.pledges referencing old table as before new table as changed for each statement execute function app_private.pledges_changed();
create function app_private.recurring_plans_new() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.add_to_campaigns(c.org_id, array_agg(c.campaign_id), array_agg(0::bigint), array_agg(c.month_amount), array_agg(case when c.month_amount > 0 then 1 else 0 end)) from changed c
    where c.campaign_id is not null and c.month_amount > 0 group by c.org_id;
  return null;
end $$;
comment on function app_private.recurring_plans_new() is 'Totals follow recurring gifts that are new';
create function app_private.recurring_plans_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.add_to_campaigns(s.org_id, array_agg(s.campaign_id), array_agg(0::bigint), array_agg(s.amount), array_agg(s.n)) from (
    select c.org_id, c.campaign_id, c.month_amount as amount, 1 as n from changed c where c.month_amount > 0
    union all select b.org_id, b.campaign_id, -b.month_amount, -1 from before b where b.month_amount > 0) s where s.campaign_id is not null group by s.org_id;
  return null;
end $$;
comment on function app_private.recurring_plans_changed() is 'Totals follow recurring gifts that have changed';
create trigger recurring_plans_totals_new after insert on app.recurring_plans referencing new table as changed for each statement execute function app_private.recurring_plans_new();
create trigger recurring_plans_totals_changed after update on app.recurring_plans referencing old table as before new table as changed for each statement execute function app_private.recurring_plans_changed();

-- From the beginning -----------------------------------------------------------------------------------------------------------------------------

create function app.refresh_giving(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.spread_gifts(org, array(select g.id from app.gifts g where g.org_id = org));
  perform app_private.count_pledges(org, array(select l.id from app.pledges l where l.org_id = org));
  delete from app.campaign_donors d where d.org_id = org;
  insert into app.campaign_donors (org_id, campaign_id, donor_key, person_id, gifts, amount, first_on, last_on)
    select org, g.campaign_id, g.donor_key, (array_agg(g.person_id))[1], count(*), sum(g.counted_amount), min(g.received_on), max(g.received_on)
      from app.gifts g where g.org_id = org and g.campaign_id is not null and g.counted_amount > 0 group by g.campaign_id, g.donor_key;
  delete from app.campaign_totals t where t.org_id = org;
  insert into app.campaign_totals (org_id, campaign_id, gifts, donors, settled_amount, refunded_amount, pledged_amount, recurring_amount, plans, last_gift_at)
    select org, c.id, coalesce(g.gifts, 0), coalesce(d.donors, 0), coalesce(g.amount, 0), coalesce(g.refunded, 0), coalesce(l.open, 0), coalesce(r.amount, 0), coalesce(r.plans, 0), g.last_at
      from app.campaigns c
      left join (select x.campaign_id, count(*) filter (where x.counted_amount > 0) as gifts, sum(x.amount) as amount, sum(x.refunded_amount) as refunded, max(x.settled_at) filter (where x.counted_amount > 0) as last_at
        from app.gifts x where x.org_id = org and x.counts and x.status in ('settled', 'partly_refunded', 'refunded') group by x.campaign_id) g on g.campaign_id = c.id
      left join (select x.campaign_id, count(*) as donors from app.campaign_donors x where x.org_id = org group by x.campaign_id) d on d.campaign_id = c.id
      left join (select x.campaign_id, sum(x.open_amount) as open from app.pledges x where x.org_id = org group by x.campaign_id) l on l.campaign_id = c.id
      left join (select x.campaign_id, sum(x.month_amount) as amount, count(*) as plans from app.recurring_plans x where x.org_id = org and x.month_amount > 0 group by x.campaign_id) r on r.campaign_id = c.id
      where c.org_id = org;
  delete from app.campaign_days t where t.org_id = org;
  insert into app.campaign_days (org_id, campaign_id, day, currency, gifts, amount, refunded, donors_new)
    select org, s.campaign_id, s.day, s.currency, sum(s.gifts), sum(s.amount), sum(s.refunded), sum(s.donors) from (
      select g.campaign_id, g.received_on as day, g.currency, case when g.counted_amount > 0 then 1 else 0 end as gifts, g.amount, g.refunded_amount as refunded, 0 as donors from app.gifts g
        where g.org_id = org and g.campaign_id is not null and g.counts and g.status in ('settled', 'partly_refunded', 'refunded')
      union all select d.campaign_id, d.first_on, c.currency, 0, 0, 0, 1 from app.campaign_donors d join app.campaigns c on c.org_id = d.org_id and c.id = d.campaign_id where d.org_id = org
    ) s group by s.campaign_id, s.day, s.currency;
  delete from app.fund_totals t where t.org_id = org;
  insert into app.fund_totals (org_id, fund_id, currency, gifts, amount)
    select org, a.fund_id, g.currency, count(*), sum(a.settled_amount) from app.gift_allocations a join app.gifts g on g.org_id = a.org_id and g.id = a.gift_id where a.org_id = org and a.settled_amount > 0
      group by a.fund_id, g.currency;
  delete from app.chapter_shares t where t.org_id = org;
  insert into app.chapter_shares (org_id, chapter_id, currency, gifts, earned_amount, paid_amount)
    select org, s.chapter_id, s.currency, sum(s.n), sum(s.earned), sum(s.paid) from (
      select g.share_chapter_id as chapter_id, g.currency, 1 as n, app.gift_share(g) as earned, 0 as paid from app.gifts g
        where g.org_id = org and g.share_chapter_id is not null and g.counted_amount > 0
      union all select p.chapter_id, p.currency, 0, 0, p.amount from app.chapter_payouts p where p.org_id = org and p.reversed_at is null
    ) s group by s.chapter_id, s.currency having sum(s.earned) <> 0 or sum(s.paid) <> 0;
  delete from app.donors d where d.org_id = org;
  delete from app.donor_years y where y.org_id = org;
  perform app_private.count_donors(org, array(select distinct g.person_id from app.gifts g where g.org_id = org and g.person_id is not null and g.counted_amount > 0));
  perform app_private.refresh_campaign_parts(org);
end $$;
comment on function app.refresh_giving(uuid) is 'Counts everything anew that follows from gifts, pledges and recurring gifts, as after an organisation was filled without its triggers';

create function app_private.organisations_currency() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.count_donors(new.org_id, array(select distinct g.person_id from app.gifts g where g.org_id = new.org_id and g.person_id is not null));
  return null;
end $$;
comment on function app_private.organisations_currency() is 'What people gave is added up in the currency of the organisation';
create trigger organisations_currency_donors after update of currency on app.organisations for each row when (new.currency <> old.currency) execute function app_private.organisations_currency();

-- Public pages -----------------------------------------------------------------------------------------------------------------------------------

create function app_private.public_campaign_facts(c app.campaigns) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('id', c.id, 'orgId', c.org_id, 'name', c.name, 'slug', c.slug, 'kind', c.kind, 'status', c.status, 'visibility', c.visibility, 'summary', c.summary, 'currency', c.currency,
    'today', app_private.today_in(c.org_id), 'organiser', coalesce((select h.name from app.chapters h where h.org_id = c.org_id and h.id = c.chapter_id), (select o.name from app.organisations o where o.org_id = c.org_id)),
    'goalKind', c.goal_kind, 'goalValue', c.goal_value, 'startsOn', c.starts_on, 'endsOn', c.ends_on, 'coverFileId', c.cover_file_id, 'coverAlt', c.cover_alt,
    'chapter', (select jsonb_build_object('id', h.id, 'name', h.name) from app.chapters h where h.org_id = c.org_id and h.id = c.chapter_id),
    'takesGifts', c.status = 'active' and coalesce(c.starts_on <= app_private.today_in(c.org_id), true) and coalesce(c.ends_on >= app_private.today_in(c.org_id), true),
    'gifts', coalesce(t.gifts, 0), 'donors', coalesce(t.donors, 0), 'settledAmount', coalesce(t.settled_amount, 0), 'refundedAmount', coalesce(t.refunded_amount, 0),
    'countedAmount', coalesce(t.counted_amount, 0), 'pledgedAmount', coalesce(t.pledged_amount, 0), 'recurringAmount', coalesce(t.recurring_amount, 0), 'lastGiftAt', t.last_gift_at)
  from (select 1) one left join app.campaign_totals t on t.org_id = c.org_id and t.campaign_id = c.id
$$;
comment on function app_private.public_campaign_facts(app.campaigns) is 'What everybody is told of a campaign, and what it has come to; no donors';

create function app.public_campaign(idp_org text, slug text) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_campaign_facts(c) || jsonb_build_object('story', c.story, 'thanks', c.thanks, 'suggested', c.suggested, 'minAmount', c.min_amount,
      'maxAmount', coalesce(least(c.max_amount, app_private.most_at_once(c.org_id)), 1000000000000), 'allowsRecurring', c.allows_recurring, 'allowsCoverFees', c.allows_cover_fees and coalesce(s.fee_bps + s.fee_fixed > 0, false),
      'feeBps', coalesce(s.fee_bps, 0), 'feeFixed', coalesce(s.fee_fixed, 0), 'shareBps', c.share_bps, 'transfer', app_private.transfer_facts(c.org_id),
      'shareChapter', (select jsonb_build_object('id', h.id, 'name', h.name) from app.chapters h where h.org_id = c.org_id and h.id = c.share_chapter_id),
      'funds', (select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'name', f.name, 'description', f.description) order by f.id <> c.fund_id, k.place, f.sort_name), '[]') from app.funds f
        left join app.campaign_funds k on k.org_id = f.org_id and k.fund_id = f.id and k.campaign_id = c.id
        where f.org_id = c.org_id and f.archived_at is null and (f.id = c.fund_id or k.fund_id is not null)), 'updatedAt', c.updated_at)
    from app.campaigns c left join app.fundraising_settings s on s.org_id = c.org_id
    where c.org_id = app.token_organisation(idp_org) and c.slug = public_campaign.slug and c.visibility in ('public', 'unlisted') and c.status <> 'draft' and c.archived_at is null
$$;
comment on function app.public_campaign(text, text) is 'The page of a campaign for everybody; of an unlisted one for who has its address';
create function app.public_campaigns(idp_org text) returns setof jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app_private.public_campaign_facts(c) from app.campaigns c
    where c.org_id = app.token_organisation(idp_org) and c.visibility = 'public' and c.status in ('active', 'paused') and c.archived_at is null and coalesce(c.ends_on >= app_private.today_in(c.org_id), true)
    order by c.ends_on nulls last, c.id limit 100
$$;
comment on function app.public_campaigns(text) is 'Public campaigns that run, those that end first at the top';
create function app.public_gift(idp_org text, attempt uuid) returns jsonb language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select jsonb_build_object('giftId', g.id, 'status', g.status, 'isTest', g.is_test, 'amount', g.amount, 'feeCovered', g.fee_covered, 'currency', g.currency, 'interval', l.interval, 'nextOn', l.next_on,
      'campaign', c.name, 'slug', c.slug, 'thanks', c.thanks, 'mails', g.wants_receipt_mail,
      'paymentId', (select p.id from app.payments p where p.org_id = g.org_id and p.gift_id = g.id order by p.id desc limit 1), 'orgId', g.org_id)
    -- What was typed, for whoever goes back to the form while the page to pay on is open.
    || jsonb_build_object('typed', case when g.status = 'pending' and g.updated_at > now() - interval '2 hours' then jsonb_build_object('donorName', g.donor_name, 'donorEmail', g.donor_email,
      'amount', g.amount - g.fee_covered, 'coversFees', g.fee_covered > 0, 'interval', l.interval, 'isAnonymous', g.is_anonymous, 'tributeKind', g.tribute_kind, 'tributeName', g.tribute_name, 'message', g.message,
      'fundId', (select a.fund_id from app.gift_allocations a where a.org_id = g.org_id and a.gift_id = g.id order by a.place limit 1)) end)
    from app.gifts g left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id left join app.recurring_plans l on l.org_id = g.org_id and l.id = g.plan_id
    where g.org_id = app.token_organisation(idp_org) and g.attempt = public_gift.attempt and g.source = 'page' and g.created_at > now() - interval '2 days'
$$;
comment on function app.public_gift(text, uuid) is 'What became of a gift, for the form that began it';

-- Who looks at a campaign sees it grow.
create function app.tell_campaign() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'campaign', c.org_id, c.campaign_id)) from (select distinct r.org_id, r.campaign_id from changed r) c;
  return null;
end $$;
comment on function app.tell_campaign() is 'What a campaign comes to has changed';
create trigger campaign_totals_tell after update on app.campaign_totals referencing new table as changed for each statement execute function app.tell_campaign();
create function app.campaign_is_seen(campaign uuid) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.campaigns c where c.id = campaign)
$$;
comment on function app.campaign_is_seen(uuid) is 'Whether the policies of the caller show a campaign';

do $$
declare
  source text := pg_get_functiondef('app.count_attempt(uuid,text,text[])'::regprocedure);
  changed text := replace(source, 'then array[30, 60, 100, 400, 20000] else', 'then array[30, 60, 100, 400, 20000] when ''give'' then array[60, 120, 240, 1000, 20000] else');
begin
  if changed = source then raise exception 'app.count_attempt is written otherwise by now'; end if;
  execute changed;
end $$;
comment on function app.count_attempt(uuid, text, text[]) is 'Whether something that anybody may do, such as writing to the administrators, may be done once more within the hour: 10 times from one address (IPv4) or /64 (IPv6), 15 from a /56, 20 from a /24 or /48, 60 from a /16 or /32, 200 in all; registering for events 30, 60, 100, 400, 20,000 times, giving 60, 120, 240, 1,000, 20,000 times. Places go from narrow to wide, null where there is no such network';

select app_private.own_definers();
revoke execute on function app.campaign_is_seen(uuid) from public;
grant execute on function app.campaign_is_seen(uuid) to app_access;
grant execute on function app_private.public_campaign_facts(app.campaigns) to app_definer;
grant execute on function app.public_campaign(text, text), app.public_campaigns(text), app.public_gift(text, uuid) to app_access;
