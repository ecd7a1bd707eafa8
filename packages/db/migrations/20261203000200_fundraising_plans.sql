-- Recurring gifts: what somebody gives every month, quarter or year, until it ends, is paused or is stopped.

create table app.recurring_plans (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid,
  donor_name text not null default '' check (char_length(donor_name) <= 150),
  donor_email text not null default '' check (char_length(donor_email) <= 254),
  campaign_id uuid,
  fund_id uuid not null,
  chapter_id uuid,
  amount bigint not null check (amount between 1 and 9007199254740991),
  fee_covered bigint not null default 0,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  interval text not null check (interval in ('month', 'quarter', 'year')),
  status text not null default 'pending' check (status in ('pending', 'active', 'past_due', 'paused', 'cancelled', 'completed')),
  started_on date,
  next_on date,
  retry_on date,
  failures int not null default 0 check (failures between 0 and 4),
  first_failed_on date,
  ends_on date,
  paused_until date,
  stopped_at timestamptz,
  stopped_by text check (stopped_by in ('donor', 'office', 'failures')),
  stop_reason text not null default '' check (char_length(stop_reason) <= 500),
  is_anonymous boolean not null default false,
  is_test boolean not null default false,
  counts boolean not null default true,
  month_amount bigint not null generated always as (case when counts and status in ('active', 'past_due')
    then round(amount::numeric / case interval when 'month' then 1 when 'quarter' then 3 else 12 end)::bigint else 0 end) stored,
  search text collate "C" not null generated always as (app.fold(donor_name || ' ' || donor_email)) stored,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id),
  foreign key (org_id, campaign_id) references app.campaigns (org_id, id),
  foreign key (org_id, fund_id) references app.funds (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  constraint recurring_plans_fee check (fee_covered between 0 and amount - 1),
  constraint recurring_plans_runs check (status not in ('active', 'past_due', 'paused') or (started_on is not null and next_on is not null and person_id is not null)),
  constraint recurring_plans_failing check ((status = 'past_due') = (retry_on is not null)),
  constraint recurring_plans_stopped check (stopped_by is null or (status = 'cancelled' and stopped_at is not null)),
  constraint recurring_plans_paused check (paused_until is null or status = 'paused')
);
comment on table app.recurring_plans is 'What somebody gives again and again; each time is a gift of its own';
comment on column app.recurring_plans.status is 'pending: the first time is yet to be paid; past_due: a charge failed and is tried again; completed: its last day has come';
comment on column app.recurring_plans.started_on is 'Day of the first gift. All others are reckoned from it, so that one of 31 January comes on 28 February and on 31 March';
comment on column app.recurring_plans.next_on is 'Day of the next gift';
comment on column app.recurring_plans.retry_on is 'Day on which a charge that failed is tried again';
comment on column app.recurring_plans.ends_on is 'No gift is charged after this day';
comment on column app.recurring_plans.paused_until is 'Day on which it goes on by itself; without one, only when somebody says so';
comment on column app.recurring_plans.stopped_by is 'Who ended it; failures: four charges failed within 14 days';
comment on column app.recurring_plans.month_amount is 'What it comes to in a month while it runs';
create index recurring_plans_by_person on app.recurring_plans (org_id, person_id, id desc);
create index recurring_plans_by_campaign on app.recurring_plans (org_id, campaign_id, id desc);
create index recurring_plans_by_chapter on app.recurring_plans (org_id, chapter_id, id desc);
create index recurring_plans_by_fund on app.recurring_plans (org_id, fund_id);
create index recurring_plans_by_status on app.recurring_plans (org_id, status, id desc);
create index recurring_plans_by_amount on app.recurring_plans (org_id, amount desc, id desc);
create index recurring_plans_by_next on app.recurring_plans (org_id, next_on, id);
create index recurring_plans_due on app.recurring_plans (org_id, (coalesce(retry_on, next_on)), id) where status in ('active', 'past_due');
select app_private.protect('app.recurring_plans');
select app_private.keep_version('app.recurring_plans');
select app_private.keep_search('app.recurring_plans');
select app_private.keep_audit('app.recurring_plans', 'gifts.read', 'id');
select app_private.hide_in_audit('app.recurring_plans', 'donor_name', 'donor_email', 'stop_reason', 'month_amount', 'search');
create policy recurring_plans_read on app.recurring_plans for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or chapter_id = any ((select app.scope('gifts.read'))::uuid[]) or person_id = (select app.person_id())));
grant select on app.recurring_plans to app_access;
grant select, insert, update on app.recurring_plans to app_definer;

alter table app.gifts add foreign key (org_id, plan_id) references app.recurring_plans (org_id, id);

create function app_private.plan_months(every text) returns int language sql immutable set search_path = pg_catalog, pg_temp as $$
  select case every when 'month' then 1 when 'quarter' then 3 else 12 end
$$;
comment on function app_private.plan_months(text) is 'How many months lie between two gifts';
create function app_private.plan_day_after(started_on date, every text, after date) returns date language sql immutable set search_path = pg_catalog, pg_temp as $$
  -- From the first day on, and not from the last: a month that is too short shortens only itself.
  select min(d.day) from (select (started_on + make_interval(months => n * app_private.plan_months(every)))::date as day
    from generate_series(greatest(0, (extract(year from after)::int * 12 + extract(month from after)::int - extract(year from started_on)::int * 12 - extract(month from started_on)::int) / app_private.plan_months(every) - 1),
      greatest(0, (extract(year from after)::int * 12 + extract(month from after)::int - extract(year from started_on)::int * 12 - extract(month from started_on)::int) / app_private.plan_months(every)) + 1) n) d
    where d.day > after
$$;
comment on function app_private.plan_day_after(date, text, date) is 'The first day of a recurring gift after another day';

select app_private.own_definers();
revoke execute on function app_private.plan_months(text), app_private.plan_day_after(date, text, date) from public;
grant execute on function app_private.plan_months(text), app_private.plan_day_after(date, text, date) to app_definer;
