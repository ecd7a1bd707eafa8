-- What connections did, measured: sums per hour and per day, notes on them, and what somebody wants to be told of.

create table app.metric_hours (
  org_id uuid not null,
  connection_id uuid not null,
  type text collate "C" not null check (type ~ '^[a-z][a-z-]{1,29}$'),
  direction text collate "C" not null default '' check (direction in ('', 'in', 'out')),
  hour timestamptz not null,
  total numeric not null,
  measured bigint not null check (measured > 0),
  least numeric not null,
  greatest numeric not null,
  last numeric not null,
  last_at timestamptz not null,
  primary key (org_id, connection_id, type, direction, hour),
  foreign key (org_id, connection_id) references app.connections on delete cascade
);
comment on table app.metric_hours is 'What was measured of a connection, per hour, for 400 days. Not in the audit log: figures that nobody types in';
comment on column app.metric_hours.direction is 'Of what came in or went out; empty where it is not told apart';
comment on column app.metric_hours.hour is 'Its beginning by the clocks of the organisation, which are not everywhere a whole number of hours from UTC';
comment on column app.metric_hours.total is 'Sum of all measurements; how the figure follows from it is the contract''s (metricKinds)';
comment on column app.metric_hours.measured is 'How many measurements';
comment on column app.metric_hours.last is 'The newest measurement, made at last_at';
create index metric_hours_by_age on app.metric_hours (org_id, hour);

create table app.metric_days (
  org_id uuid not null,
  connection_id uuid not null,
  type text collate "C" not null check (type ~ '^[a-z][a-z-]{1,29}$'),
  direction text collate "C" not null default '' check (direction in ('', 'in', 'out')),
  day date not null,
  total numeric not null,
  measured bigint not null check (measured > 0),
  least numeric not null,
  greatest numeric not null,
  last numeric not null,
  last_at timestamptz not null,
  primary key (org_id, connection_id, type, direction, day),
  foreign key (org_id, connection_id) references app.connections on delete cascade
);
comment on table app.metric_days is 'The same per day of the organisation''s calendar, for good. Not in the audit log: as the hours';
comment on column app.metric_days.day is 'By the time zone that the organisation had when it was measured';

create table app.metric_annotations (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  connection_id uuid not null,
  at timestamptz not null default now(),
  text text check (char_length(text) between 1 and 200),
  event text collate "C" check (event in ('connected', 'degraded', 'error', 'paused', 'disconnected', 'mapping')),
  account_id uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint metric_annotations_one check ((text is null) <> (event is null)),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete set null (account_id)
);
comment on table app.metric_annotations is 'What happened to a connection, beside its figures. Not in the audit log: the change of the connection has its entry there, and a note changes nothing';
comment on column app.metric_annotations.text is 'What somebody noted; null of an event';
comment on column app.metric_annotations.event is 'What changed at the connection; null of a note';
create index metric_annotations_by_time on app.metric_annotations (org_id, connection_id, at desc);
create index metric_annotations_by_account on app.metric_annotations (org_id, account_id);

create table app.metric_alerts (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  connection_id uuid not null,
  account_id uuid not null,
  type text collate "C" not null check (type ~ '^[a-z][a-z-]{1,29}$'),
  above numeric check (above between 0 and 1000000000000),
  below numeric check (below between 0 and 1000000000000),
  fired_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint metric_alert_one_limit check ((above is null) <> (below is null)),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade
);
comment on table app.metric_alerts is 'What an account wants to be told of a connection. Not in the audit log: it is theirs alone';
comment on column app.metric_alerts.fired_at is 'Since when the limit is crossed, as its owner was told; null while it is not';
create unique index metric_alert_exists on app.metric_alerts (org_id, connection_id, account_id, type, above, below) nulls not distinct;
create index metric_alerts_by_account on app.metric_alerts (org_id, account_id);

select app_private.protect('app.metric_hours'), app_private.protect('app.metric_days'), app_private.protect('app.metric_annotations'), app_private.protect('app.metric_alerts');
create trigger metric_alerts_touch before update of above, below on app.metric_alerts for each row execute function app.touch();

create policy metric_hours_read on app.metric_hours for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.seen_connections())::uuid[]));
create policy metric_days_read on app.metric_days for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.seen_connections())::uuid[]));
create policy metric_annotations_read on app.metric_annotations for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.seen_connections())::uuid[]));
create policy metric_annotations_add on app.metric_annotations for insert to app_access with check (org_id = (select app.org_id()) and event is null
  and account_id = (select app.account_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy metric_annotations_remove on app.metric_annotations for delete to app_access using (org_id = (select app.org_id()) and event is null
  and connection_id = any ((select app.managed_connections())::uuid[]));
create policy metric_alerts_read on app.metric_alerts for select to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and connection_id = any ((select app.seen_connections())::uuid[]));
create policy metric_alerts_add on app.metric_alerts for insert to app_access with check (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and connection_id = any ((select app.seen_connections())::uuid[]));
create policy metric_alerts_change on app.metric_alerts for update to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id())
    and connection_id = any ((select app.seen_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and account_id = (select app.account_id()));
create policy metric_alerts_remove on app.metric_alerts for delete to app_access using (org_id = (select app.org_id()) and account_id = (select app.account_id())
  and connection_id = any ((select app.seen_connections())::uuid[]));
select app_private.accounts_own('app.metric_alerts');

grant select on app.metric_hours, app.metric_days to app_access;
grant select, delete, insert (org_id, connection_id, at, text, account_id) on app.metric_annotations to app_access;
grant select, delete, insert (org_id, connection_id, account_id, type, above, below), update (fired_at) on app.metric_alerts to app_access;
grant select, insert, update, delete on app.metric_hours, app.metric_days to app_definer;
grant insert on app.metric_annotations to app_definer;
grant select on app.metric_alerts to app_definer;

-- Measuring -----------------------------------------------------------------------------------------------------------------------------

create function app_private.measured_connection(connection uuid, out org uuid, out zone text) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor constant app.actor_context := app.actor();
begin
  if actor.org_id is null then perform app_private.worker_only(); end if;
  select c.org_id, o.timezone into org, zone from app.connections c join app.organisations o on o.org_id = c.org_id
    where c.id = connection and (actor.org_id is null or (c.org_id = actor.org_id and c.id = any (app.managed_connections())));
  if org is null then raise exception 'not allowed' using errcode = '42501'; end if;
end $$;
comment on function app_private.measured_connection(uuid) is 'Whose connection it is and its time zone; for the worker, and for who manages it';
create index connections_by_id on app.connections (id);

create function app_private.add_points(org uuid, zone text, connection uuid, points jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  with p as (
    select x.type, coalesce(x.direction, '') as direction, coalesce(x.at, now()) as at, x.value, coalesce(x.count, 1) as n, x.value / coalesce(x.count, 1) as each, row_number() over () as place
    from jsonb_to_recordset(points) x (type text, direction text, at timestamptz, value numeric, count bigint)
    -- What is no number says nothing, and must not undo the work that was measured.
    where coalesce(x.count, 1) > 0 and x.value > '-Infinity' and x.value < 'Infinity'
  ),
  hours as (
    insert into app.metric_hours as m (org_id, connection_id, type, direction, hour, total, measured, least, greatest, last, last_at)
      select org, connection, p.type, p.direction, date_trunc('hour', p.at, zone), sum(p.value), sum(p.n), min(p.each), max(p.each), (array_agg(p.each order by p.at desc, p.place desc))[1], max(p.at)
      -- In one order, so that two who measure the same wait for each other once.
      from p group by 3, 4, 5 order by 3, 4, 5
    on conflict (org_id, connection_id, type, direction, hour) do update set total = m.total + excluded.total, measured = m.measured + excluded.measured,
      least = least(m.least, excluded.least), greatest = greatest(m.greatest, excluded.greatest),
      last = case when excluded.last_at >= m.last_at then excluded.last else m.last end, last_at = greatest(m.last_at, excluded.last_at)
  )
  insert into app.metric_days as m (org_id, connection_id, type, direction, day, total, measured, least, greatest, last, last_at)
    select org, connection, p.type, p.direction, (p.at at time zone zone)::date, sum(p.value), sum(p.n), min(p.each), max(p.each), (array_agg(p.each order by p.at desc, p.place desc))[1], max(p.at)
    from p group by 3, 4, 5 order by 3, 4, 5
  on conflict (org_id, connection_id, type, direction, day) do update set total = m.total + excluded.total, measured = m.measured + excluded.measured,
    least = least(m.least, excluded.least), greatest = greatest(m.greatest, excluded.greatest),
    last = case when excluded.last_at >= m.last_at then excluded.last else m.last end, last_at = greatest(m.last_at, excluded.last_at);
  perform pg_notify('guildhall', concat_ws(' ', 'connection', org, connection));
end $$;
comment on function app_private.add_points(uuid, text, uuid, jsonb) is 'Adds measurements to their hours and days: [{type, direction, at, value, count}], where the value is the sum of so many';

create function app.add_metric_points(connection uuid, points jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  whose record;
begin
  select * into whose from app_private.measured_connection(connection);
  perform app_private.add_points(whose.org, whose.zone, connection, points);
end $$;
comment on function app.add_metric_points(uuid, jsonb) is 'Adds measurements of a connection; for the worker, and for who manages it';

create function app.set_metric_points(connection uuid, points jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  whose record;
  -- The hours of a day are purged after 400 days: such a day cannot be counted anew.
  oldest constant timestamptz := now() - interval '390 days';
  given jsonb;
begin
  select * into whose from app_private.measured_connection(connection);
  given := (select coalesce(jsonb_agg(jsonb_build_object('type', g.type, 'direction', g.direction, 'hour', g.hour, 'day', (g.hour at time zone whose.zone)::date, 'value', g.value, 'count', g.count)
      order by g.type, g.direction, g.hour), '[]')
    from (select x.type, coalesce(x.direction, '') as direction, date_trunc('hour', x.hour, whose.zone) as hour, sum(x.value) as value, sum(x.count) as count
      from jsonb_to_recordset(points) x (type text, direction text, hour timestamptz, value numeric, count bigint) where x.hour >= oldest and x.value > '-Infinity' and x.value < 'Infinity' group by 1, 2, 3) g);
  delete from app.metric_hours m using jsonb_to_recordset(given) x (type text, direction text, hour timestamptz, count bigint)
    where x.count = 0 and m.org_id = whose.org and m.connection_id = connection and m.type = x.type and m.direction = x.direction and m.hour = x.hour;
  insert into app.metric_hours (org_id, connection_id, type, direction, hour, total, measured, least, greatest, last, last_at)
    select whose.org, connection, x.type, x.direction, x.hour, x.value, x.count, x.value / x.count, x.value / x.count, x.value / x.count, x.hour
    from jsonb_to_recordset(given) x (type text, direction text, hour timestamptz, value numeric, count bigint) where x.count > 0
  on conflict (org_id, connection_id, type, direction, hour) do update set total = excluded.total, measured = excluded.measured,
    least = excluded.least, greatest = excluded.greatest, last = excluded.last, last_at = excluded.last_at;
  -- Whoever adds to such a day at this moment is waited for, so that the sum of its hours is all of them.
  insert into app.metric_days (org_id, connection_id, type, direction, day, total, measured, least, greatest, last, last_at)
    select distinct whose.org, connection, x.type, x.direction, x.day, 0, 1, 0, 0, 0, now() from jsonb_to_recordset(given) x (type text, direction text, day date) order by 3, 4, 5
  on conflict (org_id, connection_id, type, direction, day) do nothing;
  perform from app.metric_days m where m.org_id = whose.org and m.connection_id = connection
    and (m.type, m.direction, m.day) in (select x.type, x.direction, x.day from jsonb_to_recordset(given) x (type text, direction text, day date))
    order by m.type, m.direction, m.day for update;
  update app.metric_days m set total = s.total, measured = s.measured, least = s.least, greatest = s.greatest, last = s.last, last_at = s.last_at
    from (select distinct x.type, x.direction, x.day from jsonb_to_recordset(given) x (type text, direction text, day date)) d
    cross join lateral (select sum(h.total) as total, sum(h.measured) as measured, min(h.least) as least, max(h.greatest) as greatest,
        (array_agg(h.last order by h.last_at desc))[1] as last, max(h.last_at) as last_at
      -- By the calendar: where clocks go back over midnight, a day begins before the moment that is called so.
      from app.metric_hours h where h.org_id = whose.org and h.connection_id = connection and h.type = d.type and h.direction = d.direction
        and h.hour >= (d.day - 1)::timestamp at time zone whose.zone and h.hour < (d.day + 2)::timestamp at time zone whose.zone and (h.hour at time zone whose.zone)::date = d.day) s
    where m.org_id = whose.org and m.connection_id = connection and m.type = d.type and m.direction = d.direction and m.day = d.day and s.total is not null;
  delete from app.metric_days m using jsonb_to_recordset(given) x (type text, direction text, day date)
    where m.org_id = whose.org and m.connection_id = connection and m.type = x.type and m.direction = x.direction and m.day = x.day
      and not exists (select from app.metric_hours h where h.org_id = whose.org and h.connection_id = connection and h.type = x.type and h.direction = x.direction
        and h.hour >= (x.day - 1)::timestamp at time zone whose.zone and h.hour < (x.day + 2)::timestamp at time zone whose.zone and (h.hour at time zone whose.zone)::date = x.day);
  perform pg_notify('guildhall', concat_ws(' ', 'connection', whose.org, connection));
end $$;
comment on function app.set_metric_points(uuid, jsonb) is 'Replaces hours of a connection, and their days with them: [{type, direction, hour, value, count}]; a count of 0 removes one. For figures counted anew from our own tables, by the worker and who manages it';

create function app.purge_metric_hours(org uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.metric_hours h where h.org_id = org and h.hour < now() - interval '400 days'
$$;
comment on function app.purge_metric_hours(uuid) is 'Forgets hours after 400 days; their days stay';

-- What happens to a connection by itself -------------------------------------------------------------------------------------------------

create function app_private.note_connection_change() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if new.state is distinct from old.state and new.state <> 'connecting' then
    insert into app.metric_annotations (org_id, connection_id, event) values (new.org_id, new.id, new.state);
  end if;
  -- Until it is connected, a mapping is made and not changed.
  if new.mapping_version <> old.mapping_version and old.state <> 'connecting' then
    insert into app.metric_annotations (org_id, connection_id, event) values (new.org_id, new.id, 'mapping');
  end if;
  return null;
end $$;
comment on function app_private.note_connection_change() is 'Notes a new state or mapping of a connection beside its figures';
create trigger connections_noted after update on app.connections for each row
  when (new.state is distinct from old.state or new.mapping_version is distinct from old.mapping_version) execute function app_private.note_connection_change();

-- Who looks at a connection sees what happens.
create function app_private.tell_connection() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('guildhall', concat_ws(' ', 'connection', new.org_id, case tg_table_name when 'connections' then to_jsonb(new) ->> 'id' else to_jsonb(new) ->> 'connection_id' end));
  return null;
end $$;
comment on function app_private.tell_connection() is 'A connection, or a run of it, has changed';
create trigger connections_tell after update on app.connections for each row execute function app_private.tell_connection();
create trigger sync_runs_tell after insert or update on app.sync_runs for each row execute function app_private.tell_connection();
create function app.connection_is_seen(connection uuid) returns boolean language sql stable set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.connections c where c.id = connection)
$$;
comment on function app.connection_is_seen(uuid) is 'Whether the policies of the caller show a connection';

create function app.keep_freshness(org uuid, moment timestamptz, connectors text[]) returns table (connection_id uuid, account_id uuid, name text, hours int, since timestamptz)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  zone constant text := (select o.timezone from app.organisations o where o.org_id = org);
  c record;
begin
  for c in
    select k.id, k.state, k.fresh_hours, k.failure ->> 'reason' as reason, round(greatest(0, extract(epoch from moment - coalesce(k.last_success_at, k.created_at))) / 3600, 2) as age
    from app.connections k where k.org_id = org and k.connector = any (connectors) and k.state in ('connected', 'degraded', 'error', 'paused') order by k.id
  loop
    perform app_private.add_points(org, zone, c.id, jsonb_build_array(jsonb_build_object('type', 'freshness', 'at', moment, 'value', c.age)));
    if c.state = 'connected' and c.age > c.fresh_hours then
      update app.connections k set state = 'degraded', failure = jsonb_build_object('reason', 'connection_not_fresh', 'params', jsonb_build_object('hours', c.fresh_hours),
          'detail', format('Data is older than the promised %s hours.', c.fresh_hours))
        where k.org_id = org and k.id = c.id and k.state = 'connected';
    elsif c.state = 'degraded' and c.reason = 'connection_not_fresh' and (c.fresh_hours is null or c.age <= c.fresh_hours) then
      update app.connections k set state = 'connected', failure = null
        where k.org_id = org and k.id = c.id and k.state = 'degraded' and k.failure ->> 'reason' = 'connection_not_fresh';
    end if;
  end loop;
  return query select k.id, k.owner_account_id, k.name, k.fresh_hours, coalesce(k.last_success_at, k.created_at) from app.connections k
    where k.org_id = org and k.state = 'degraded' and k.failure ->> 'reason' = 'connection_not_fresh' and k.fresh_hours is not null order by k.id limit 1000;
end $$;
comment on function app.keep_freshness(uuid, timestamptz, text[]) is 'Measures how old the data of connections of these connectors is, and keeps their promise: whose data is too old is degraded until it is not. Answers those, with whom to tell, and since when; for the worker';

create function app.crossed_alerts(org uuid, moment timestamptz, meanings jsonb, after uuid) returns table (alert_id uuid, account_id uuid, is_crossed boolean, value numeric)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.id, a.account_id, j.crossed, v.value
  from app.metric_alerts a join app.connections c on c.org_id = a.org_id and c.id = a.connection_id
  cross join lateral (select case meanings ->> a.type
    when 'last' then (select h.last from app.metric_hours h where h.org_id = a.org_id and h.connection_id = a.connection_id and h.type = a.type and h.direction = '' order by h.hour desc limit 1)
    when 'sum' then (select coalesce(sum(h.total), 0) from app.metric_hours h where h.org_id = a.org_id and h.connection_id = a.connection_id and h.type = a.type
      and h.hour > moment - interval '24 hours' and h.hour <= moment)
    else (select sum(h.total) / sum(h.measured) from app.metric_hours h where h.org_id = a.org_id and h.connection_id = a.connection_id and h.type = a.type
      and h.hour > moment - interval '24 hours' and h.hour <= moment) end as value) v
  cross join lateral (select coalesce(v.value > a.above, v.value < a.below) as crossed) j
  where a.org_id = org and (after is null or a.id > after) and c.state <> 'disconnected' and j.crossed <> (a.fired_at is not null)
  order by a.id limit 1000
$$;
comment on function app.crossed_alerts(uuid, timestamptz, jsonb, uuid) is 'Alerts whose metric has gone over their limit or came back, with its value: the newest measurement, or the sum or average of the last 24 hours, as the type means it; 1,000 at a time, for the worker';

select app_private.own_definers();
revoke execute on function app.connection_is_seen(uuid) from public;
grant execute on function app.connection_is_seen(uuid), app.add_metric_points(uuid, jsonb), app.set_metric_points(uuid, jsonb) to app_access;
grant execute on function app.add_metric_points(uuid, jsonb), app.set_metric_points(uuid, jsonb), app.purge_metric_hours(uuid), app.keep_freshness(uuid, timestamptz, text[]),
  app.crossed_alerts(uuid, timestamptz, jsonb, uuid) to app_worker;
grant execute on function app_private.measured_connection(uuid), app_private.add_points(uuid, text, uuid, jsonb) to app_definer;
