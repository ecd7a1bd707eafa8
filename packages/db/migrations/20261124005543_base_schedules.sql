-- What each organisation has done by the clock of its own time zone, each moment once.

create table app.schedule_runs (
  org_id uuid not null references app.organisations on delete cascade,
  schedule text not null check (schedule ~ '^[a-z][a-z-]{1,59}$'),
  due_on date not null,
  due_at timestamptz not null,
  state text not null check (state in ('due', 'done', 'seen', 'skipped')),
  finished_at timestamptz,
  primary key (org_id, schedule, due_on),
  check ((state = 'done') = (finished_at is not null))
);
comment on table app.schedule_runs is 'Moments of schedules that have come. Written by the worker alone';
comment on column app.schedule_runs.due_on is 'Day by the calendar of the organisation. Part of the key instead of the instant: an organisation that changes its time zone has no day twice';
comment on column app.schedule_runs.state is 'due: its job is there; done; seen: the moment before the schedule was first known; skipped: missed for too long';
select app_private.protect('app.schedule_runs');
grant select, insert, update, delete on app.schedule_runs to app_definer;

create function app.schedule_states() returns table (org_id uuid, timezone text, last_days jsonb)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.org_id, o.timezone, (
    select jsonb_object_agg(r.schedule, r.last) from (
      select r.schedule, max(r.due_on) as last from app.schedule_runs r where r.org_id = o.org_id group by r.schedule) r)
  from app.organisations o
$$;
comment on function app.schedule_states() is 'Every organisation with its time zone and the newest day of each of its schedules; for the worker';

create function app.add_run(org uuid, schedule text, due_on date, due_at timestamptz, state text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare added int;
begin
  insert into app.schedule_runs (org_id, schedule, due_on, due_at, state) values (org, add_run.schedule, add_run.due_on, add_run.due_at, add_run.state)
    on conflict do nothing;
  get diagnostics added = row_count;
  return added > 0;
end $$;
comment on function app.add_run(uuid, text, date, timestamptz, text) is 'Notes a moment; false when it is noted already. Of two at once the second waits for the first';

create function app.finish_run(org uuid, schedule text, due_on date) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare finished int;
begin
  update app.schedule_runs r set state = 'done', finished_at = now()
  where r.org_id = org and r.schedule = finish_run.schedule and r.due_on = finish_run.due_on and r.state = 'due';
  get diagnostics finished = row_count;
  return finished > 0;
end $$;
comment on function app.finish_run(uuid, text, date) is 'Whether this transaction is the first to do the run; its end is noted with the work';

create function app.purge_runs() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.schedule_runs r where r.due_at < now() - interval '90 days'
    and exists (select from app.schedule_runs newer where newer.org_id = r.org_id and newer.schedule = r.schedule and newer.due_on > r.due_on)
$$;
comment on function app.purge_runs() is 'Forgets runs of more than 90 days ago, except for the newest of each schedule; for the worker';

select app_private.own_definers();
grant execute on function app.schedule_states(), app.add_run(uuid, text, date, timestamptz, text), app.finish_run(uuid, text, date), app.purge_runs() to app_worker;
