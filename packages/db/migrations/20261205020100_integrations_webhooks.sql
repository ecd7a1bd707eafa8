-- Webhooks: where the organisation wants to be told of what happens, what there is to tell, and what became of each time it was told.
-- Triggers write events in the transaction of the change; the worker makes deliveries of them and sends these, each endpoint in a lane of its own.

create table app.webhook_endpoints (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  name text not null check (char_length(name) between 1 and 100),
  url text not null check (char_length(url) <= 2000 and url ~ '^https?://'),
  host text not null generated always as (coalesce(substring(url from '^https?://([^/?#]*)'), '')) stored,
  event_types text[] not null check (cardinality(event_types) between 1 and 40),
  state text collate "C" not null default 'active' check (state in ('active', 'paused', 'failing', 'removed')),
  paused_at timestamptz,
  secret_changed_at timestamptz not null default now(),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, created_by) references app.accounts (org_id, id) on delete set null (created_by),
  constraint webhook_endpoints_paused check ((state = 'active') = (paused_at is null))
);
comment on table app.webhook_endpoints is 'Addresses of other systems that are told of what happens';
comment on column app.webhook_endpoints.host is 'Of the address, for the audit log: the rest of an address can be a secret';
comment on column app.webhook_endpoints.state is 'failing: paused by itself after three days without a success; removed: its deliveries are being deleted';
comment on column app.webhook_endpoints.paused_at is 'What waits then, and what is added later, waits for three days';
create index webhook_endpoints_by_creator on app.webhook_endpoints (org_id, created_by);
select app_private.protect('app.webhook_endpoints');
select app_private.keep_version('app.webhook_endpoints');
select app_private.keep_audit('app.webhook_endpoints', 'integrations.manage', 'id');
select app_private.hide_in_audit('app.webhook_endpoints', 'url');
create policy webhook_endpoints_read on app.webhook_endpoints for select to app_access
  using (org_id = (select app.org_id()) and state <> 'removed' and (select app.everywhere('integrations.manage')));
create policy webhook_endpoints_add on app.webhook_endpoints for insert to app_access
  with check (org_id = (select app.org_id()) and state = 'active' and created_by = (select app.account_id()) and (select app.everywhere('integrations.manage')));
create policy webhook_endpoints_change on app.webhook_endpoints for update to app_access
  using (org_id = (select app.org_id()) and state <> 'removed' and (select app.everywhere('integrations.manage')))
  with check (org_id = (select app.org_id()) and state <> 'removed' and (select app.everywhere('integrations.manage')));
grant select, insert (org_id, id, name, url, event_types, created_by), update (name, url, event_types, state, secret_changed_at) on app.webhook_endpoints to app_access;
grant select, update, delete on app.webhook_endpoints to app_definer;

create table app.webhook_secrets (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  endpoint_id uuid not null,
  sealed bytea not null check (octet_length(sealed) <= 500),
  hint text not null check (char_length(hint) = 4),
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, endpoint_id) references app.webhook_endpoints on delete cascade
);
comment on table app.webhook_secrets is 'What deliveries are signed with, sealed with a key that only the servers have. Not in the audit log: that of the endpoint says when there is a new one';
comment on column app.webhook_secrets.hint is 'Last four characters';
comment on column app.webhook_secrets.expires_at is 'Signs until then, beside the one that followed it; null for the one in use';
create unique index webhook_secrets_in_use on app.webhook_secrets (org_id, endpoint_id) where expires_at is null;
create index webhook_secrets_by_endpoint on app.webhook_secrets (org_id, endpoint_id, id);
select app_private.protect('app.webhook_secrets');
create policy webhook_secrets_read on app.webhook_secrets for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
create policy webhook_secrets_add on app.webhook_secrets for insert to app_access with check (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage'))
  and exists (select from app.webhook_endpoints e where e.org_id = webhook_secrets.org_id and e.id = webhook_secrets.endpoint_id));
create policy webhook_secrets_change on app.webhook_secrets for update to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')))
  with check (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
create policy webhook_secrets_remove on app.webhook_secrets for delete to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select (org_id, id, endpoint_id, hint, expires_at, created_at), delete, insert (org_id, endpoint_id, sealed, hint), update (expires_at) on app.webhook_secrets to app_access;
grant select, delete on app.webhook_secrets to app_definer;

create table app.webhook_health (
  org_id uuid not null,
  endpoint_id uuid not null,
  failing_since timestamptz,
  failures int not null default 0,
  typical_ms int not null default 0,
  last_delivered_at timestamptz,
  lane uuid,
  lane_until timestamptz,
  turn_at timestamptz not null default '-infinity',
  primary key (org_id, endpoint_id),
  foreign key (org_id, endpoint_id) references app.webhook_endpoints on delete cascade
);
comment on table app.webhook_health is 'How an endpoint answers, and which worker is at it. Not in the audit log: it changes with each delivery';
comment on column app.webhook_health.failing_since is 'The first try that failed since the last success';
comment on column app.webhook_health.failures is 'Tries that failed since the last success';
comment on column app.webhook_health.typical_ms is 'How long it took to answer in the last round';
comment on column app.webhook_health.lane is 'Names the worker that has the endpoint until lane_until, and nobody else has it';
comment on column app.webhook_health.turn_at is 'When a worker last began with it: the one that waited longest is next';
select app_private.protect('app.webhook_health');
create policy webhook_health_read on app.webhook_health for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select on app.webhook_health to app_access;
grant select, insert, update on app.webhook_health to app_definer;

create table app.webhook_events (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  type text collate "C" not null check (char_length(type) <= 60),
  record_id uuid not null,
  record_version int not null,
  data jsonb not null check (jsonb_typeof(data) = 'object' and octet_length(data::text) <= 2000),
  occurred_at timestamptz not null default now(),
  fanned_at timestamptz,
  primary key (org_id, id),
  constraint webhook_events_once unique (org_id, record_id, type, record_version, occurred_at)
);
comment on table app.webhook_events is 'What happened that some endpoint wants to know, written with the change itself. Not in the audit log: it has the change';
comment on column app.webhook_events.record_version is 'Version of the record after it: of two events about one record the higher one is newer';
comment on column app.webhook_events.data is 'What is told: ids, versions, states and dates, never names, addresses or what somebody wrote';
comment on column app.webhook_events.fanned_at is 'When it became deliveries';
create index webhook_events_waiting on app.webhook_events (id) where fanned_at is null;
create index webhook_events_by_age on app.webhook_events (occurred_at);
select app_private.protect('app.webhook_events');
create policy webhook_events_read on app.webhook_events for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select on app.webhook_events to app_access;
grant select, insert, update, delete on app.webhook_events to app_definer;

create table app.webhook_deliveries (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  endpoint_id uuid not null,
  event_id uuid not null,
  event_type text collate "C" not null,
  state text collate "C" not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
  attempts int not null default 0,
  tried int not null default 0,
  begun int not null default 0,
  status int,
  failure text collate "C" check (char_length(failure) <= 40),
  queued_at timestamptz not null default now(),
  next_attempt_at timestamptz not null default now(),
  tried_at timestamptz,
  held_by uuid,
  delivered_at timestamptz,
  given_up_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint webhook_deliveries_given_up check ((state = 'dead') = (given_up_at is not null)),
  foreign key (org_id, endpoint_id) references app.webhook_endpoints on delete cascade,
  foreign key (org_id, event_id) references app.webhook_events on delete cascade
);
comment on table app.webhook_deliveries is 'One event for one endpoint; its id is the webhook-id of every try. Not in the audit log: it is a log itself';
comment on column app.webhook_deliveries.attempts is 'Tries so far';
comment on column app.webhook_deliveries.tried is 'Tries that ended since it was last queued: the eighth is the last';
comment on column app.webhook_deliveries.begun is 'Tries that began since; a worker that dies does not end what it began';
comment on column app.webhook_deliveries.queued_at is 'When it was made, or last sent again by hand';
comment on column app.webhook_deliveries.held_by is 'The lane that has it in hand';
create index webhook_deliveries_by_endpoint on app.webhook_deliveries (org_id, endpoint_id, id);
create index webhook_deliveries_by_type on app.webhook_deliveries (org_id, endpoint_id, event_type, id);
create index webhook_deliveries_by_event on app.webhook_deliveries (org_id, event_id);
create index webhook_deliveries_due on app.webhook_deliveries (org_id, endpoint_id, next_attempt_at, id) where state = 'waiting';
create index webhook_deliveries_pings on app.webhook_deliveries (org_id, endpoint_id) where state = 'waiting' and event_type = 'ping';
create index webhook_deliveries_dead on app.webhook_deliveries (org_id, endpoint_id, id) where state = 'dead';
select app_private.protect('app.webhook_deliveries');
create policy webhook_deliveries_read on app.webhook_deliveries for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select on app.webhook_deliveries to app_access;
grant select, insert, update, delete on app.webhook_deliveries to app_definer;

create table app.webhook_attempts (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  delivery_id uuid not null,
  at timestamptz not null,
  status int,
  failure text collate "C" check (char_length(failure) <= 40),
  milliseconds int not null,
  answer text not null default '' check (char_length(answer) <= 1000),
  primary key (org_id, id),
  foreign key (org_id, delivery_id) references app.webhook_deliveries on delete cascade
);
comment on table app.webhook_attempts is 'Each try of a delivery with what came back. Not in the audit log: it is a log itself';
create index webhook_attempts_by_delivery on app.webhook_attempts (org_id, delivery_id, id);
select app_private.protect('app.webhook_attempts');
create policy webhook_attempts_read on app.webhook_attempts for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select on app.webhook_attempts to app_access;
grant select, insert on app.webhook_attempts to app_definer;

create table app.webhook_days (
  org_id uuid not null,
  endpoint_id uuid not null,
  day date not null,
  delivered int not null default 0,
  failed int not null default 0,
  dead int not null default 0,
  milliseconds bigint not null default 0,
  primary key (org_id, endpoint_id, day),
  foreign key (org_id, endpoint_id) references app.webhook_endpoints on delete cascade
);
comment on table app.webhook_days is 'Tries of each endpoint by day of the organisation''s calendar. Not in the audit log: it is counted';
comment on column app.webhook_days.failed is 'Tries that failed, those that are tried again included';
comment on column app.webhook_days.milliseconds is 'How long all tries took together';
select app_private.protect('app.webhook_days');
create policy webhook_days_read on app.webhook_days for select to app_access using (org_id = (select app.org_id()) and (select app.everywhere('integrations.manage')));
grant select on app.webhook_days to app_access;
grant select, insert, update, delete on app.webhook_days to app_definer;

-- Changes by people -----------------------------------------------------------------------------------------------------------------------

create function app_private.webhook_endpoints_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtextextended('webhooks ' || new.org_id, 0));
    if (select count(*) from app.webhook_endpoints e where e.org_id = new.org_id and e.state <> 'removed' and e.connection_id is null) > 50 then
      raise exception 'an organisation has at most 50 webhooks' using errcode = '23P01', constraint = 'webhook_limit';
    end if;
    insert into app.webhook_health (org_id, endpoint_id) values (new.org_id, new.id);
    return new;
  end if;
  new.paused_at := case when new.state = 'active' then null else coalesce(old.paused_at, now()) end;
  if new.state = 'active' and old.state <> 'active' then
    update app.webhook_health h set failing_since = null, failures = 0 where h.org_id = new.org_id and h.endpoint_id = new.id;
  end if;
  return new;
end $$;
comment on function app_private.webhook_endpoints_guard() is 'At most 50 endpoints; what is resumed has three days again';
create trigger webhook_endpoints_new after insert on app.webhook_endpoints for each row execute function app_private.webhook_endpoints_guard();
create trigger webhook_endpoints_state before update on app.webhook_endpoints for each row when (new.state <> old.state) execute function app_private.webhook_endpoints_guard();

create function app.remove_webhook_endpoint(endpoint uuid, seen int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.everywhere('integrations.manage') then return false; end if;
  update app.webhook_endpoints e set state = 'removed' where e.org_id = app.org_id() and e.id = endpoint and e.version = seen and e.state <> 'removed' and e.connection_id is null;
  if not found then return false; end if;
  delete from app.webhook_secrets s where s.org_id = app.org_id() and s.endpoint_id = endpoint;
  return true;
end $$;
comment on function app.remove_webhook_endpoint(uuid, int) is 'Nothing is sent to an endpoint any more, and nobody sees it; the worker deletes its deliveries, of which there can be many';

create function app.ping_webhook(endpoint uuid) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  event uuid;
  delivery uuid;
begin
  if not app.everywhere('integrations.manage') or not exists (select from app.webhook_endpoints e where e.org_id = app.org_id() and e.id = endpoint and e.state <> 'removed' and e.connection_id is null) then return null; end if;
  insert into app.webhook_events (org_id, type, record_id, record_version, data, fanned_at)
    values (app.org_id(), 'ping', app.uuid7(), 1, jsonb_build_object('endpointId', endpoint), now()) returning id into event;
  insert into app.webhook_deliveries (org_id, endpoint_id, event_id, event_type) values (app.org_id(), endpoint, event, 'ping') returning id into delivery;
  return delivery;
end $$;
comment on function app.ping_webhook(uuid) is 'A test event for one endpoint, also for one that is paused; the id of its delivery';

create function app.replay_webhooks(endpoint uuid, deliveries uuid[], dead_since timestamptz) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare again int;
begin
  if not app.everywhere('integrations.manage') or not exists (select from app.webhook_endpoints e where e.org_id = app.org_id() and e.id = endpoint and e.state <> 'removed' and e.connection_id is null) then return 0; end if;
  with wanted as (
    select d.id from app.webhook_deliveries d
      where deliveries is null and d.org_id = app.org_id() and d.endpoint_id = endpoint and d.state = 'dead' and d.event_type <> 'ping' and d.given_up_at >= dead_since order by d.id limit 50000)
  update app.webhook_deliveries d set state = 'waiting', given_up_at = null, tried = 0, begun = 0, queued_at = now(), next_attempt_at = now(), held_by = null
    where d.org_id = app.org_id() and d.endpoint_id = endpoint and d.id = any (coalesce(deliveries, array(select w.id from wanted w)))
      -- What a worker has in hand is sent already.
      and (d.state <> 'waiting' or d.held_by is null);
  get diagnostics again = row_count;
  return again;
end $$;
comment on function app.replay_webhooks(uuid, uuid[], timestamptz) is 'Sends deliveries again under their old ids: those named, or all that were given up since, the oldest 50,000 at a time';

-- Work of the worker ----------------------------------------------------------------------------------------------------------------------

create function app.fan_out_webhooks(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare seen int;
begin
  perform app_private.worker_only();
  with due as (
    -- An organisation has 50 endpoints at most.
    select e.org_id, e.id, e.type from app.webhook_events e where e.fanned_at is null order by e.id limit greatest(most / 50, 1) for update skip locked),
  made as (
    insert into app.webhook_deliveries (org_id, endpoint_id, event_id, event_type)
      select d.org_id, w.id, d.id, d.type from due d
        join app.webhook_endpoints w on w.org_id = d.org_id and d.type = any (w.event_types) and w.state <> 'removed'
        order by d.id)
  update app.webhook_events e set fanned_at = now() from due d where e.org_id = d.org_id and e.id = d.id;
  get diagnostics seen = row_count;
  return seen;
end $$;
comment on function app.fan_out_webhooks(int) is 'Makes deliveries of events, one for each endpoint that wants them, so many at most. Of how many events';

create function app.take_webhook_lanes(most int, lease interval) returns table (org_id uuid, endpoint_id uuid, lane uuid, at_once int)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return query
    with free as (
      select h.org_id, h.endpoint_id, h.failures, h.typical_ms from app.webhook_health h join app.webhook_endpoints e on e.org_id = h.org_id and e.id = h.endpoint_id
        where (h.lane_until is null or h.lane_until < now()) and e.state <> 'removed'
          and case when e.state = 'active'
            then exists (select from app.webhook_deliveries d where d.org_id = h.org_id and d.endpoint_id = h.endpoint_id and d.state = 'waiting' and d.next_attempt_at <= now())
            -- All that waits for a paused one is not looked through for its test events.
            else exists (select from app.webhook_deliveries d where d.org_id = h.org_id and d.endpoint_id = h.endpoint_id and d.state = 'waiting' and d.event_type = 'ping'
              and d.next_attempt_at <= now()) end
        order by h.turn_at limit most for update of h skip locked)
    update app.webhook_health h set lane = app.uuid7(), lane_until = now() + lease, turn_at = now() from free f
      where h.org_id = f.org_id and h.endpoint_id = f.endpoint_id
      -- Who does not answer, or slowly, gets fewer requests at a time.
      returning h.org_id, h.endpoint_id, h.lane, case when f.failures >= 3 then 1 when f.typical_ms > 2000 then 2 else 8 end;
end $$;
comment on function app.take_webhook_lanes(int, interval) is 'Endpoints for which something is due, for one worker until its lease ends, and how many requests each gets at a time';

create function app.take_webhooks(org uuid, endpoint uuid, mine uuid, most int, lease interval)
  returns table (id uuid, attempt int, url text, type text, occurred_at timestamptz, data jsonb, secrets text[]) language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare e app.webhook_endpoints;
begin
  perform app_private.worker_only();
  update app.webhook_health h set lane_until = now() + lease where h.org_id = org and h.endpoint_id = endpoint and h.lane = mine;
  if not found then return; end if;
  select x.* into e from app.webhook_endpoints x where x.org_id = org and x.id = endpoint and x.state <> 'removed';
  if e.id is null then return; end if;
  return query
    with due as (
      -- Many workers died with it in hand, perhaps because of it.
      select d.id, d.begun - d.tried >= 20 as is_hopeless from app.webhook_deliveries d
        where d.org_id = org and d.endpoint_id = endpoint and d.state = 'waiting' and d.next_attempt_at <= now() and d.held_by is distinct from mine
          and (e.state = 'active' or d.event_type = 'ping')
        order by d.next_attempt_at, d.id limit most for update skip locked),
    hopeless as (
      update app.webhook_deliveries d set state = 'dead', given_up_at = now(), failure = 'interrupted', held_by = null from due where due.is_hopeless and d.org_id = org and d.id = due.id)
    update app.webhook_deliveries d set attempts = d.attempts + 1, begun = d.begun + 1, held_by = mine, tried_at = now()
      from due, app.webhook_events v where not due.is_hopeless and d.org_id = org and d.id = due.id and v.org_id = org and v.id = d.event_id
      returning d.id, d.attempts, e.url, v.type, v.occurred_at, v.data,
        array(select encode(s.sealed, 'base64') from app.webhook_secrets s where s.org_id = org and s.endpoint_id = endpoint and (s.expires_at is null or s.expires_at > now()) order by s.expires_at desc nulls first);
end $$;
comment on function app.take_webhooks(uuid, uuid, uuid, int, interval) is 'Deliveries that are due, for the worker that has the lane of the endpoint. What workers died with 20 times is given up, so that it stops none for ever';

create function app.settle_webhooks(org uuid, endpoint uuid, mine uuid, results jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  n record;
  e app.webhook_endpoints;
  since timestamptz;
begin
  perform app_private.worker_only();
  with r as (
    select * from jsonb_to_recordset(results) x (id uuid, attempt int, at timestamptz, status int, failure text, milliseconds int, answer text)),
  settled as (
    update app.webhook_deliveries d set
        tried = d.tried + 1,
        state = case when r.failure is null then 'delivered' when d.tried + 1 >= case d.event_type when 'ping' then 1 else 8 end then 'dead' else 'waiting' end,
        given_up_at = case when r.failure is not null and d.tried + 1 >= case d.event_type when 'ping' then 1 else 8 end then now() end,
        status = r.status, failure = r.failure, held_by = null, delivered_at = case when r.failure is null then now() else d.delivered_at end,
        next_attempt_at = now() + make_interval(secs => (array[60, 300, 1800, 7200, 18000, 36000, 86400])[least(d.tried + 1, 7)] * (0.9 + 0.2 * random()))
      from r where d.org_id = org and d.endpoint_id = endpoint and d.id = r.id and d.attempts = r.attempt and d.held_by = mine and d.state = 'waiting'
      returning d.id, d.event_type, d.state, r.at, r.status, r.failure, r.milliseconds, r.answer),
  noted as (
    insert into app.webhook_attempts (org_id, delivery_id, at, status, failure, milliseconds, answer)
      select org, s.id, s.at, s.status, s.failure, s.milliseconds, s.answer from settled s)
  select count(*) filter (where s.failure is null)::int as good, count(*) filter (where s.failure is not null and s.event_type <> 'ping')::int as bad,
      count(*) filter (where s.failure is null and s.event_type <> 'ping')::int as delivered, count(*) filter (where s.state = 'dead' and s.event_type <> 'ping')::int as dead,
      coalesce(sum(s.milliseconds) filter (where s.event_type <> 'ping'), 0)::bigint as ms, coalesce(avg(s.milliseconds), 0)::int as typical, count(*)::int as total
    into n from settled s;
  if n.total = 0 then return; end if;
  update app.webhook_health h set
      failing_since = case when n.good > 0 then null when n.bad > 0 then coalesce(h.failing_since, now()) else h.failing_since end,
      failures = case when n.good > 0 then 0 else h.failures + n.bad end,
      last_delivered_at = case when n.good > 0 then now() else h.last_delivered_at end, typical_ms = n.typical
    where h.org_id = org and h.endpoint_id = endpoint returning h.failing_since into since;
  if n.delivered + n.bad > 0 then
    insert into app.webhook_days as w (org_id, endpoint_id, day, delivered, failed, dead, milliseconds) values (org, endpoint, app_private.today_of(org), n.delivered, n.bad, n.dead, n.ms)
      on conflict on constraint webhook_days_pkey do update set delivered = w.delivered + excluded.delivered, failed = w.failed + excluded.failed, dead = w.dead + excluded.dead,
        milliseconds = w.milliseconds + excluded.milliseconds;
  end if;
  if since >= now() - interval '3 days' then return; end if;
  update app.webhook_endpoints x set state = 'failing' where x.org_id = org and x.id = endpoint and x.state = 'active' and since is not null returning x.* into e;
  -- That of a connection is told by the connection.
  if e.id is null or e.connection_id is not null then return; end if;
  perform app_private.tell(org, null, app_private.deciders_of(org, '00000000-0000-0000-0000-000000000000', null, 'integrations.manage'),
    jsonb_build_object('kind', 'webhook-failing', 'essential', true, 'mail', 'instant', 'record', e.id, 'params', jsonb_build_object('title', e.name),
      'dedupe_key', concat('webhook-failing:', e.id, ':', e.version)));
end $$;
comment on function app.settle_webhooks(uuid, uuid, uuid, jsonb) is 'Notes what became of tries: delivered, tried again between a minute and a day later, or given up after the eighth. Without a success for three days the endpoint is paused, and those who manage it are told';

create function app.leave_webhook_lane(org uuid, endpoint uuid, mine uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  -- What is still in hand was not begun.
  update app.webhook_deliveries d set held_by = null, attempts = d.attempts - 1, begun = d.begun - 1
    where d.org_id = org and d.endpoint_id = endpoint and d.state = 'waiting' and d.held_by = mine;
  update app.webhook_health h set lane = null, lane_until = null where h.org_id = org and h.endpoint_id = endpoint and h.lane = mine;
end $$;
comment on function app.leave_webhook_lane(uuid, uuid, uuid) is 'Leaves an endpoint to the next worker, with what was taken and not begun';

create function app.sweep_webhooks(most int) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  with late as (
    select d.org_id, d.id from app.webhook_endpoints e join app.webhook_deliveries d on d.org_id = e.org_id and d.endpoint_id = e.id and d.state = 'waiting'
      where e.state in ('paused', 'failing') and e.paused_at < now() - interval '3 days' and d.queued_at < now() - interval '3 days' limit most for update of d skip locked),
  given_up as (
    update app.webhook_deliveries d set state = 'dead', given_up_at = now(), failure = 'paused', held_by = null from late l where d.org_id = l.org_id and d.id = l.id returning d.org_id, d.endpoint_id)
  insert into app.webhook_days as w (org_id, endpoint_id, day, dead) select g.org_id, g.endpoint_id, app_private.today_of(g.org_id), count(*) from given_up g group by g.org_id, g.endpoint_id
    on conflict on constraint webhook_days_pkey do update set dead = w.dead + excluded.dead;
  delete from app.webhook_deliveries d using (
    select x.org_id, x.id from app.webhook_endpoints e join app.webhook_deliveries x on x.org_id = e.org_id and x.endpoint_id = e.id where e.state = 'removed' limit most) o
    where d.org_id = o.org_id and d.id = o.id;
  delete from app.webhook_endpoints e where e.state = 'removed' and not exists (select from app.webhook_deliveries d where d.org_id = e.org_id and d.endpoint_id = e.id);
  delete from app.webhook_secrets s where s.expires_at < now();
end $$;
comment on function app.sweep_webhooks(int) is 'Gives up what waited three days for a paused endpoint, deletes removed ones with their deliveries, and forgets secrets that sign no more';

create function app.purge_webhooks(most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare gone int;
begin
  perform app_private.worker_only();
  delete from app.webhook_events e using (select x.org_id, x.id from app.webhook_events x where x.occurred_at < now() - interval '30 days' limit most) o where e.org_id = o.org_id and e.id = o.id;
  get diagnostics gone = row_count;
  delete from app.webhook_days w where w.day < current_date - 400;
  return gone;
end $$;
comment on function app.purge_webhooks(int) is 'Forgets events with their deliveries after 30 days, and what was counted after 400. How many events';

create function app.hold_webhooks(before timestamptz) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare held int;
begin
  perform app_private.worker_only();
  update app.webhook_deliveries d set state = 'dead', given_up_at = now(), failure = 'restored', held_by = null where d.state = 'waiting' and d.queued_at <= before;
  get diagnostics held = row_count;
  -- What was no delivery yet becomes one, which can be sent by hand.
  with late as (update app.webhook_events e set fanned_at = now() where e.fanned_at is null and e.occurred_at <= before returning e.org_id, e.id, e.type),
  made as (
    insert into app.webhook_deliveries (org_id, endpoint_id, event_id, event_type, state, given_up_at, failure)
      select l.org_id, w.id, l.id, l.type, 'dead', now(), 'restored' from late l join app.webhook_endpoints w on w.org_id = l.org_id and l.type = any (w.event_types) and w.state <> 'removed'
      returning 1)
  select held + count(*)::int into held from made;
  return held;
end $$;
comment on function app.hold_webhooks(timestamptz) is 'Sends nothing of the time before a backup that was restored: it may have been sent then. How many deliveries';

select app_private.own_definers();
grant execute on function app.remove_webhook_endpoint(uuid, int), app.ping_webhook(uuid), app.replay_webhooks(uuid, uuid[], timestamptz) to app_access;
grant execute on function app.fan_out_webhooks(int), app.take_webhook_lanes(int, interval), app.take_webhooks(uuid, uuid, uuid, int, interval), app.settle_webhooks(uuid, uuid, uuid, jsonb),
  app.leave_webhook_lane(uuid, uuid, uuid), app.sweep_webhooks(int), app.purge_webhooks(int), app.hold_webhooks(timestamptz) to app_worker;
