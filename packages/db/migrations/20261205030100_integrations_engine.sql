-- Runs of connections by the clock, and what the other side calls its fields.

alter table app.connections add column their_fields jsonb not null default '[]' check (jsonb_typeof(their_fields) = 'array' and octet_length(their_fields::text) <= 200000);
comment on column app.connections.their_fields is 'Fields of the other side as it named them when it was last asked: [{key, label, example, isKey}]';
grant update (their_fields) on app.connections to app_access;
select app_private.hide_in_audit('app.connections', 'their_fields');

alter table app.sync_runs add column retry_error uuid;
comment on column app.sync_runs.retry_error is 'Only this row of those that failed';
grant insert (retry_error) on app.sync_runs to app_access;

alter table app.sync_errors add column key_hash text collate "C" check (char_length(key_hash) = 64);
comment on column app.sync_errors.key_hash is 'Of a row that several of ours fit: by what they do, hashed. None of them is made there while it is open, or it would be taken for that row';
grant insert (key_hash) on app.sync_errors to app_access;
create index sync_errors_by_key on app.sync_errors (org_id, connection_id, key_hash) where state = 'open' and key_hash is not null;

create index sync_errors_by_row on app.sync_errors (org_id, connection_id, row, direction) where state <> 'retried';
create index external_refs_creating on app.external_refs (org_id, connection_id, id) where state = 'creating';

-- The other side of the sandbox ---------------------------------------------------------------------------------------------------------

create table app.sandbox_records (
  org_id uuid not null,
  connection_id uuid not null,
  external_id text collate "C" not null check (char_length(external_id) between 1 and 100),
  held jsonb not null check (jsonb_typeof(held) = 'object' and octet_length(held::text) <= 20000),
  changes int not null default 1,
  is_gone boolean not null default false,
  primary key (org_id, connection_id, external_id),
  foreign key (org_id, connection_id) references app.connections on delete cascade
);
comment on table app.sandbox_records is 'What the sandbox holds that differs from the people it begins with. Not in the audit log: it stands for another system';
comment on column app.sandbox_records.held is 'Values by the names of its fields';
comment on column app.sandbox_records.changes is 'How often it was written, as the version of the record there';
comment on column app.sandbox_records.is_gone is 'It was removed there';
select app_private.protect('app.sandbox_records');
create policy sandbox_records_read on app.sandbox_records for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sandbox_records_add on app.sandbox_records for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sandbox_records_change on app.sandbox_records for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select, insert (org_id, connection_id, external_id, held, is_gone), update (held, changes, is_gone) on app.sandbox_records to app_access;

create function app.start_due_syncs(most int) returns table (org_id uuid, account_id uuid, run_id uuid)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  c app.connections;
  made uuid;
begin
  perform app_private.worker_only();
  for c in select x.* from app.connections x where x.next_run_at <= now() and x.syncs and x.every_minutes is not null and x.state in ('connected', 'degraded')
      order by x.next_run_at, x.org_id, x.id limit most for update skip locked loop
    update app.connections x set next_run_at = now() + make_interval(mins => c.every_minutes) where x.org_id = c.org_id and x.id = c.id;
    if c.owner_account_id is null then
      perform app.note_connection_trouble(c.org_id, c.id, 'error', '{"reason": "sync_owner", "detail": "The account that owned this connection is gone, so that nothing can act for it."}', null);
    end if;
    continue when c.owner_account_id is null or c.dry_run_of is distinct from c.mapping_version
      or exists (select from app.sync_runs r where r.org_id = c.org_id and r.connection_id = c.id and r.state in ('queued', 'running'));
    insert into app.sync_runs as r (org_id, connection_id, trigger, mapping_version, cursor)
      values (c.org_id, c.id, case when c.cursor is null then 'schedule' else 'resume' end, c.mapping_version, c.cursor) returning r.id into made;
    org_id := c.org_id;
    account_id := c.owner_account_id;
    run_id := made;
    return next;
  end loop;
end $$;
comment on function app.start_due_syncs(int) is 'Begins a run of each connection whose time has come, once: of two workers each takes others. Not before a dry run of the mapping has ended. For the worker, in the transaction that queues their jobs';

select app_private.own_definers();
grant execute on function app.start_due_syncs(int) to app_worker;
