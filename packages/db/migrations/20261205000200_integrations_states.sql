-- What becomes of a connection: at the end of a run, when it is in trouble, and when it is well again. Its owner is told once.

create function app_private.connection_working(org uuid, connection uuid) returns app.connections language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare c app.connections;
begin
  if app.org_id() is null then perform app_private.worker_only();
  elsif app.org_id() <> org or connection <> all (app.managed_connections()) then raise exception 'not allowed' using errcode = '42501';
  end if;
  select * into c from app.connections x where x.org_id = org and x.id = connection for no key update;
  return c;
end $$;
comment on function app_private.connection_working(uuid, uuid) is 'A connection, locked, for a worker and for who manages it';

create function app_private.tell_connection_owner(c app.connections, note jsonb, once text, trouble text) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if note is null or c.owner_account_id is null then return; end if;
  perform app_private.tell(c.org_id, null, array[c.owner_account_id], note || jsonb_build_object('record', c.id, 'chapter', c.chapter_id,
    'params', jsonb_build_object('title', c.name, 'trouble', trouble), 'dedupe_key', 'connection:' || c.id || ':' || once));
end $$;
comment on function app_private.tell_connection_owner(app.connections, jsonb, text, text) is 'Tells the owner of a connection that something is wrong with it';

create function app.note_run_end(org uuid, run uuid, ended text, failure jsonb, is_fatal boolean, note jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r app.sync_runs;
  c app.connections;
  becomes text;
  failed int;
begin
  select * into r from app.sync_runs x where x.org_id = org and x.id = run;
  if r.id is null then return; end if;
  c := app_private.connection_working(org, r.connection_id);
  update app.sync_runs x set state = ended, failure = note_run_end.failure, finished_at = now(), started_at = coalesce(x.started_at, now()), heartbeat_at = null
    where x.org_id = org and x.id = run and x.state in ('queued', 'running');
  if not found then return; end if;
  failed := case when r.is_dry or ended = 'cancelled' then c.failed_runs when ended = 'failed' then c.failed_runs + 1 else 0 end;
  becomes := case
    when c.state in ('paused', 'disconnected') then c.state
    when ended = 'failed' and is_fatal then 'error'
    when ended = 'failed' and failed >= 3 then 'degraded'
    when ended in ('succeeded', 'partial') and c.state = 'degraded' and r.is_dry then c.state
    when ended in ('succeeded', 'partial') then 'connected'
    else c.state end;
  update app.connections x set state = becomes, failed_runs = failed,
      failure = case when becomes in ('degraded', 'error') then case when ended = 'failed' then note_run_end.failure else x.failure end
        when becomes = 'connecting' then x.failure end,
      last_run_at = now(),
      -- What was read to its end is fresh, also where some rows of it were refused.
      last_success_at = case when not r.is_dry and ended in ('succeeded', 'partial') and r.cursor is null then now() else x.last_success_at end,
      dry_run_of = case when r.is_dry and ended in ('succeeded', 'partial') and r.mapping_version = x.mapping_version then r.mapping_version else x.dry_run_of end,
      next_run_at = case when becomes in ('connected', 'degraded') and x.every_minutes is not null then now() + make_interval(mins => x.every_minutes) end
    where x.org_id = org and x.id = c.id;
  if becomes in ('degraded', 'error') and becomes <> c.state then perform app_private.tell_connection_owner(c, note, 'run:' || run, case becomes when 'error' then 'error' else 'runs' end); end if;
end $$;
comment on function app.note_run_end(uuid, uuid, text, jsonb, boolean, jsonb) is
  'Ends a run, and says what its connection is from now on: the third failure in a row degrades it, one that somebody must repair stops it. For a worker, since the owner may have lost every right, and for who manages it';

create function app.note_connection_trouble(org uuid, connection uuid, becomes text, failure jsonb, note jsonb) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare c app.connections := app_private.connection_working(org, connection);
begin
  if c.id is null or becomes not in ('degraded', 'error') or c.state not in ('connected', 'degraded') or c.state = becomes then return false; end if;
  update app.connections x set state = becomes, failure = note_connection_trouble.failure, next_run_at = case when becomes = 'error' then null else x.next_run_at end
    where x.org_id = org and x.id = c.id;
  perform app_private.tell_connection_owner(c, note, becomes || ':' || c.version, case becomes when 'error' then 'error' else 'runs' end);
  return true;
end $$;
comment on function app.note_connection_trouble(uuid, uuid, text, jsonb, jsonb) is 'Degrades a connection, or stops it, with the cause, and tells its owner; nothing where it is in that state or does not run. Whether it was';

create function app.note_connection_well(org uuid, connection uuid, reason text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare c app.connections := app_private.connection_working(org, connection);
begin
  if c.id is null or c.state <> 'degraded' or c.failure ->> 'reason' is distinct from reason then return false; end if;
  update app.connections x set state = 'connected', failure = null where x.org_id = org and x.id = c.id;
  return true;
end $$;
comment on function app.note_connection_well(uuid, uuid, text) is 'What degraded a connection for this reason is over. Whether it was';

create function app.connections_of(connector text) returns table (org_id uuid, id uuid, chapter_id uuid, state text, settings jsonb, owner_account_id uuid, fresh_hours int, last_success_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  return query select c.org_id, c.id, c.chapter_id, c.state, c.settings, c.owner_account_id, c.fresh_hours, c.last_success_at from app.connections c
    where (connections_of.connector is null or c.connector = connections_of.connector) and c.state in ('connected', 'degraded');
end $$;
comment on function app.connections_of(text) is 'Connections that run, of a connector or of all, for the worker';

create function app.purge_sync(org uuid) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform app_private.worker_only();
  delete from app.sync_changes c where c.org_id = org and c.state in ('planned', 'written') and c.created_at < now() - interval '30 days';
  delete from app.sync_errors e where e.org_id = org and e.created_at < now() - case e.state when 'retried' then interval '30 days' else interval '400 days' end;
  delete from app.sync_runs r where r.org_id = org and r.finished_at < now() - interval '400 days';
end $$;
comment on function app.purge_sync(uuid) is 'Forgets what runs wrote after 30 days, but not what somebody refused, which would be proposed anew; rows that failed and were tried again after 30; runs, and rows that failed and are open or ignored, after 400; for the worker';
create index sync_changes_old on app.sync_changes (org_id, created_at) where state in ('planned', 'written');
create index sync_errors_old on app.sync_errors (org_id, created_at);

select app_private.own_definers();
grant execute on function app.note_run_end(uuid, uuid, text, jsonb, boolean, jsonb), app.note_connection_trouble(uuid, uuid, text, jsonb, jsonb), app.note_connection_well(uuid, uuid, text) to app_access, app_worker;
grant execute on function app.connections_of(text), app.purge_sync(uuid) to app_worker;
