-- What chapters are paid of gifts, and statements of a year's gifts for who gave them.

create table app.chapter_payouts (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid not null,
  amount bigint not null check (amount between 1 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  paid_on date not null,
  reference text not null default '' check (char_length(reference) <= 140),
  note text not null default '' check (char_length(note) <= 500),
  reversed_at timestamptz,
  reversed_by uuid,
  reversal_reason text check (char_length(reversal_reason) between 1 and 500),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  constraint chapter_payouts_reversed check ((reversed_at is null) = (reversal_reason is null))
);
comment on table app.chapter_payouts is 'Money that a chapter was paid of what it has of gifts; never deleted';
create index chapter_payouts_by_chapter on app.chapter_payouts (org_id, chapter_id, id desc);
create index chapter_payouts_by_day on app.chapter_payouts (org_id, paid_on desc, id desc);
select app_private.protect('app.chapter_payouts');
select app_private.keep_version('app.chapter_payouts');
select app_private.keep_audit('app.chapter_payouts', 'fundraising.manage', 'id');
create policy chapter_payouts_read on app.chapter_payouts for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or chapter_id = any ((select app.scope('gifts.read'))::uuid[]) or chapter_id = any ((select app.scope('fundraising.manage'))::uuid[])
    or chapter_id = any ((select app.scope('finance.read'))::uuid[])));
grant select on app.chapter_payouts to app_access;
grant select, insert, update on app.chapter_payouts to app_definer;

create table app.giving_runs (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  since date not null,
  until date not null,
  state text not null default 'started' check (state in ('started', 'done')),
  people int not null default 0,
  mailed int not null default 0,
  without_address int not null default 0,
  job_id uuid,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint giving_runs_period check (until >= since and until < since + 366 * 2)
);
comment on table app.giving_runs is 'Statements of what people gave in a period, mailed to all of them';
comment on column app.giving_runs.people is 'Who gave in the period';
comment on column app.giving_runs.without_address is 'Whom no mail reaches';
select app_private.protect('app.giving_runs');
select app_private.keep_version('app.giving_runs');
select app_private.keep_audit('app.giving_runs', 'gifts.read', 'id');
select app_private.hide_in_audit('app.giving_runs', 'mailed', 'without_address', 'job_id');
create policy giving_runs_read on app.giving_runs for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('gifts.read')));
grant select on app.giving_runs to app_access;
grant select, insert, update on app.giving_runs to app_definer;

create table app.giving_run_items (
  org_id uuid not null references app.organisations on delete cascade,
  run_id uuid not null,
  person_id uuid not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  amount bigint not null check (amount > 0),
  gifts int not null,
  mailed_at timestamptz,
  skipped text check (skipped in ('no_address')),
  primary key (org_id, run_id, person_id, currency),
  foreign key (org_id, run_id) references app.giving_runs (org_id, id) on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id)
);
comment on table app.giving_run_items is 'Whom a run mails a statement, and what they gave. Not in the audit log: the run is';
create index giving_run_items_by_person on app.giving_run_items (org_id, person_id, run_id);
create index giving_run_items_waiting on app.giving_run_items (org_id, run_id, person_id) where mailed_at is null and skipped is null;
select app_private.protect('app.giving_run_items');
create policy giving_run_items_read on app.giving_run_items for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('gifts.read')) or person_id = (select app.person_id())));
grant select on app.giving_run_items to app_access;
grant select, insert, update on app.giving_run_items to app_definer;

-- Payouts ------------------------------------------------------------------------------------------------------------------------------------------

create function app.record_payout(said jsonb) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  money text;
  left_over bigint;
  made uuid;
begin
  perform app_private.books_open(org);
  if not app.everywhere('gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  if coalesce((said ->> 'paid_on')::date, app.today()) > app.today() then raise exception 'money that was not paid cannot be recorded' using errcode = '23514', constraint = 'payment_in_future'; end if;
  money := coalesce(said ->> 'currency', (select o.currency from app.organisations o where o.org_id = org));
  select s.open_amount into left_over from app.chapter_shares s where s.org_id = org and s.chapter_id = (said ->> 'chapter_id')::uuid and s.currency = money for update;
  if (said ->> 'amount')::bigint > coalesce(left_over, 0) then
    raise exception 'so much is not left' using errcode = '23514', constraint = 'payout_too_large', detail = json_build_object('left', greatest(coalesce(left_over, 0), 0), 'currency', money)::text;
  end if;
  insert into app.chapter_payouts (org_id, chapter_id, amount, currency, paid_on, reference, note, created_by)
    values (org, (said ->> 'chapter_id')::uuid, (said ->> 'amount')::bigint, money, coalesce((said ->> 'paid_on')::date, app.today()), coalesce(said ->> 'reference', ''), coalesce(said ->> 'note', ''), app.account_id())
    returning id into made;
  return made;
end $$;
comment on function app.record_payout(jsonb) is 'Writes down what a chapter was paid of what it has of gifts; for those who manage gifts in the whole organisation';

create function app.reverse_payout(payout uuid, known int, reason text) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.chapter_payouts;
begin
  perform app_private.books_open(org);
  if not app.everywhere('gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  select x.* into p from app.chapter_payouts x where x.org_id = org and x.id = payout for update;
  if p.id is null then raise exception 'there is no such payout' using errcode = '23503', constraint = 'payout_unknown'; end if;
  if p.version <> known then return false; end if;
  if p.reversed_at is not null then raise exception 'this payout was reversed' using errcode = '23514', constraint = 'payout_reversed'; end if;
  update app.chapter_payouts x set reversed_at = now(), reversed_by = app.account_id(), reversal_reason = reason where x.org_id = org and x.id = payout;
  return true;
end $$;
comment on function app.reverse_payout(uuid, int, text) is 'Takes back a payout that was recorded by mistake; false where it is not as the actor knows it';

create function app_private.payouts_new() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.chapter_shares as t (org_id, chapter_id, currency, paid_amount)
    select c.org_id, c.chapter_id, c.currency, sum(c.amount) from changed c where c.reversed_at is null group by c.org_id, c.chapter_id, c.currency
    on conflict (org_id, chapter_id, currency) do update set paid_amount = t.paid_amount + excluded.paid_amount;
  return null;
end $$;
comment on function app_private.payouts_new() is 'What was paid out follows payouts that are new';
create function app_private.payouts_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.chapter_shares t set paid_amount = t.paid_amount + s.more from (
    select x.org_id, x.chapter_id, x.currency, sum(x.amount) as more from (
      select c.org_id, c.chapter_id, c.currency, c.amount from changed c where c.reversed_at is null
      union all select b.org_id, b.chapter_id, b.currency, -b.amount from before b where b.reversed_at is null) x group by x.org_id, x.chapter_id, x.currency) s
    where t.org_id = s.org_id and t.chapter_id = s.chapter_id and t.currency = s.currency and s.more <> 0;
  return null;
end $$;
comment on function app_private.payouts_changed() is 'What was paid out follows payouts that were taken back';
create trigger chapter_payouts_totals_new after insert on app.chapter_payouts referencing new table as changed for each statement execute function app_private.payouts_new();
create trigger chapter_payouts_totals_changed after update on app.chapter_payouts referencing old table as before new table as changed for each statement execute function app_private.payouts_changed();

-- Statements -----------------------------------------------------------------------------------------------------------------------------------------

create function app.giving_statement(org uuid, person uuid, since date, until date) returns jsonb language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if actor.org_id is null then perform app_private.worker_only();
  -- A part of what somebody gave would look like all of it.
  elsif actor.org_id <> org or not (person is not distinct from app.person_id() or app.everywhere('gifts.read')) then return null;
  end if;
  if (select count(*) from app.gifts g where g.org_id = org and g.person_id = person and g.received_on between since and until and g.counted_amount > 0) > 500 then
    raise exception 'a statement has at most 500 entries' using errcode = '23514', constraint = 'statement_too_long';
  end if;
  return (select jsonb_build_object('personId', x.id, 'since', since, 'until', until, 'billing', app_private.billing_of(org, x.id, null), 'seller', app_private.seller_of(org),
      'totals', (select coalesce(jsonb_agg(jsonb_build_object('currency', t.currency, 'amount', t.amount, 'gifts', t.gifts) order by t.currency), '[]') from (
        select g.currency, sum(g.counted_amount) as amount, count(*) as gifts from app.gifts g
          where g.org_id = org and g.person_id = person and g.received_on between since and until and g.counted_amount > 0 group by g.currency) t),
      'gifts', (select coalesce(jsonb_agg(jsonb_build_object('giftId', g.id, 'on', g.received_on, 'amount', g.counted_amount, 'currency', g.currency, 'method', g.method, 'campaign', c.name,
          'funds', (select string_agg(f.name, ', ' order by a.place, f.name) from app.gift_allocations a join app.funds f on f.org_id = a.org_id and f.id = a.fund_id
            where a.org_id = g.org_id and a.gift_id = g.id and a.settled_amount > 0),
          'receipt', (select r.number from app.receipts r where r.org_id = g.org_id and r.gift_id = g.id and r.state = 'issued' order by r.id desc limit 1)) order by g.received_on, g.id), '[]')
        from app.gifts g left join app.campaigns c on c.org_id = g.org_id and c.id = g.campaign_id
        where g.org_id = org and g.person_id = person and g.received_on between since and until and g.counted_amount > 0))
    from app.people x where x.org_id = org and x.id = person);
end $$;
comment on function app.giving_statement(uuid, uuid, date, date) is 'What somebody gave in a period, for themselves, for those who see all gifts, and for the worker that mails it; null for others';

create function app.start_giving_run(since date, until date, people uuid[] default null) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  made uuid;
begin
  perform app_private.books_open(org);
  if not app.everywhere('gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  if until < since or until > app.today() or until >= since + 366 * 2 then raise exception 'choose a period that is over' using errcode = '23514', constraint = 'giving_period'; end if;
  insert into app.giving_runs (org_id, since, until, created_by) values (org, since, until, app.account_id()) returning id into made;
  insert into app.giving_run_items (org_id, run_id, person_id, currency, amount, gifts)
    select org, made, g.person_id, g.currency, sum(g.counted_amount), count(*) from app.gifts g
      join app.people p on p.org_id = g.org_id and p.id = g.person_id and p.lifecycle not in ('deceased', 'merged', 'erased') and p.deleted_at is null
      where g.org_id = org and g.received_on between start_giving_run.since and start_giving_run.until and g.counted_amount > 0 and (people is null or g.person_id = any (people))
      group by g.person_id, g.currency;
  update app.giving_runs r set people = (select count(distinct i.person_id) from app.giving_run_items i where i.org_id = org and i.run_id = made) where r.org_id = org and r.id = made;
  if not exists (select from app.giving_run_items i where i.org_id = org and i.run_id = made) then
    raise exception 'nobody gave in this period' using errcode = '23514', constraint = 'giving_nobody';
  end if;
  return made;
end $$;
comment on function app.start_giving_run(date, date, uuid[]) is 'Writes down whom statements of a period go to, all who gave or some of them; app.mail_giving_run mails them';

create function app.mail_giving_run(org uuid, run uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.giving_runs;
  next_people uuid[];
  reached uuid[];
begin
  perform app_private.books_open(org);
  if (app.actor()).org_id is not null and not app.everywhere('gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  select x.* into r from app.giving_runs x where x.org_id = org and x.id = run and x.state = 'started' for update;
  if r.id is null then return 0; end if;
  next_people := array(select distinct i.person_id from app.giving_run_items i where i.org_id = org and i.run_id = run and i.mailed_at is null and i.skipped is null order by i.person_id limit most);
  reached := array(select p from unnest(next_people) p where app_private.person_mailable(org, p));
  update app.giving_run_items i set mailed_at = case when i.person_id = any (reached) then now() end, skipped = case when i.person_id <> all (reached) then 'no_address' end where i.org_id = org and i.run_id = run and i.person_id = any (next_people);
  if cardinality(reached) > 0 then
    perform app_private.add_mails(org, r.created_by, (select jsonb_agg(jsonb_build_object('template', 'giving-statement', 'person', p, 'essential', true, 'params', jsonb_build_object('run', run, 'person', p, 'since', r.since, 'until', r.until),
      'dedupe_key', concat_ws(':', 'giving-statement', run, p))) from unnest(reached) p));
  end if;
  update app.giving_runs x set mailed = x.mailed + cardinality(reached), without_address = x.without_address + cardinality(next_people) - cardinality(reached),
      state = case when exists (select from app.giving_run_items i where i.org_id = org and i.run_id = run and i.mailed_at is null and i.skipped is null) then 'started' else 'done' end
    where x.org_id = org and x.id = run;
  return cardinality(next_people);
end $$;
comment on function app.mail_giving_run(uuid, uuid, int) is 'Mails the next statements of a run, each once; how many people. With the last one the run is done. For the worker, and for those who manage gifts in the whole organisation';
create function app.giving_run_preview(since date, until date, out people int, out without_address int) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid := app.org_id();
begin
  if not app.everywhere('gifts.manage') then raise exception 'not allowed' using errcode = '42501'; end if;
  select count(*), count(*) filter (where not app_private.person_mailable(org, d.person_id)) into people, without_address
    from (select distinct g.person_id from app.gifts g join app.people p on p.org_id = g.org_id and p.id = g.person_id and p.lifecycle not in ('deceased', 'merged', 'erased') and p.deleted_at is null
      where g.org_id = org and g.received_on between giving_run_preview.since and giving_run_preview.until and g.counted_amount > 0) d;
end $$;
comment on function app.giving_run_preview(date, date) is 'Whom statements of a period would go to, and whom of them no mail reaches; for those who manage gifts in the whole organisation';

create function app.note_giving_job(run uuid, job uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.giving_runs r set job_id = job where r.org_id = app.org_id() and r.id = run and app.everywhere('gifts.manage')
$$;
comment on function app.note_giving_job(uuid, uuid) is 'The job that mails the statements of a run';

select app_private.own_definers();
revoke execute on function app_private.effect_of(app.gifts, int) from public;
grant usage on type app_private.gift_effect to app_definer;
grant execute on function app_private.effect_of(app.gifts, int), app_private.count_donors(uuid, uuid[]), app_private.count_gifts(uuid, app_private.gift_effect[]),
  app_private.count_funds(uuid, uuid[], text[], bigint[], int[]), app_private.add_to_campaigns(uuid, uuid[], bigint[], bigint[], int[]) to app_definer;
grant execute on function app.record_payout(jsonb), app.reverse_payout(uuid, int, text), app.giving_statement(uuid, uuid, date, date), app.start_giving_run(date, date, uuid[]),
  app.note_giving_job(uuid, uuid), app.giving_run_preview(date, date), app.mail_giving_run(uuid, uuid, int) to app_access;
grant execute on function app.giving_statement(uuid, uuid, date, date), app.mail_giving_run(uuid, uuid, int) to app_worker;
