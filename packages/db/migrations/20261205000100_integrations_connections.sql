-- Connections to other systems: what is connected, which of our records is which of theirs, what each run did, and what it could not do.
-- A run acts as the account that owns the connection, so that everything it reads and writes of people is decided by the policies of people.

select app_private.add_permission('integrations.read', 'org-owner', 'org-admin', 'chapter-admin', 'finance', 'communications');
select app_private.add_permission('integrations.manage', 'org-owner', 'org-admin', 'chapter-admin');

-- Connections -----------------------------------------------------------------------------------------------------------------------------

create table app.connections (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  connector text collate "C" not null check (connector ~ '^[a-z][a-z0-9-]{1,39}$'),
  category text collate "C" not null check (category in ('email', 'payments', 'calendar', 'crm', 'identity', 'chat')),
  slug text collate "C" not null,
  name text not null check (char_length(name) between 1 and 100),
  chapter_id uuid,
  state text not null default 'connecting' check (state in ('connecting', 'connected', 'degraded', 'paused', 'error', 'disconnected')),
  failure jsonb check (octet_length(failure::text) <= 4000),
  settings jsonb not null default '{}' check (jsonb_typeof(settings) = 'object' and octet_length(settings::text) <= 30000),
  settings_at timestamptz not null default now(),
  owner_account_id uuid,
  is_single boolean not null default false,
  syncs boolean not null default false,
  every_minutes int check (every_minutes between 15 and 10080),
  fresh_hours int check (fresh_hours between 1 and 8760),
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_success_at timestamptz,
  failed_runs int not null default 0 check (failed_runs >= 0),
  mapping jsonb not null default '[]' check (jsonb_typeof(mapping) = 'array' and octet_length(mapping::text) <= 60000),
  match_by text check (char_length(match_by) <= 80),
  on_missing text not null default 'leave' check (on_missing in ('leave', 'ask')),
  mapping_version int not null default 1,
  dry_run_of int,
  cursor jsonb check (octet_length(cursor::text) <= 100000),
  mark text check (char_length(mark) <= 2000),
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, owner_account_id) references app.accounts (org_id, id) on delete set null (owner_account_id),
  constraint connection_slug check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60)
);
comment on table app.connections is 'Other systems that the organisation or a chapter is connected to';
comment on column app.connections.slug is 'Its name in addresses; never changes';
comment on column app.connections.chapter_id is 'Whose it is, and whose people it reaches; null for the whole organisation';
comment on column app.connections.state is 'degraded: three runs failed, or data is older than promised; error: it cannot go on before somebody repairs it';
comment on column app.connections.failure is 'Why it is degraded, in error or not yet connected, as the contract has failures';
comment on column app.connections.settings_at is 'When settings or secrets changed last: the audit log says that they did, and not what they are, since an address can be a secret';
comment on column app.connections.owner_account_id is 'The account that runs act as, with the rights that it has at that time: who connected it, took it over, or last changed its settings, secrets or mapping';
comment on column app.connections.is_single is 'The organisation has one of this connector at most';
comment on column app.connections.syncs is 'It has runs; others only hand on what happens';
comment on column app.connections.fresh_hours is 'Promise: data is never older than this';
comment on column app.connections.failed_runs is 'Runs that failed since the last one that did not';
comment on column app.connections.mapping is 'Fields with direction and rule, as the contract has them';
comment on column app.connections.mapping_version is 'Raised when anything changes that decides what a run writes';
comment on column app.connections.dry_run_of is 'The mapping version of the last dry run that ended; a run that writes needs one of the present version';
comment on column app.connections.cursor is 'Where the next run goes on; null for the beginning';
comment on column app.connections.mark is 'What the other side said of its data after the last whole run, such as a tag or a moment, by which it tells what is new';
create unique index connection_slug_taken on app.connections (org_id, slug);
create unique index connection_single on app.connections (org_id, connector) where is_single and state <> 'disconnected';
create index connections_by_chapter on app.connections (org_id, chapter_id);
create index connections_by_owner on app.connections (org_id, owner_account_id);
create index connections_by_connector on app.connections (connector, org_id);
create index connections_due on app.connections (next_run_at) where next_run_at is not null;

-- Who may do what with which: asked once by every statement, also on the tables that hang on a connection.

create function app.managed_connections() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  everywhere constant boolean := app.everywhere('integrations.manage');
  reach constant uuid[] := case when everywhere then '{}' else app.scope('integrations.manage') end;
begin
  return (select coalesce(array_agg(c.id), '{}') from app.connections c where c.org_id = org and (everywhere or c.chapter_id = any (reach)));
end $$;
comment on function app.managed_connections() is 'Connections that the actor manages: all, or those of their chapters';

create function app.seen_connections() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org constant uuid := app.org_id();
  reads constant boolean := app.everywhere('integrations.read');
  read_in constant uuid[] := app.scope('integrations.read');
  managed constant uuid[] := app.managed_connections();
  -- Asked once, not for each row.
  finance boolean;
  finance_in uuid[];
  mail boolean;
  mail_in uuid[];
begin
  if not reads and read_in = '{}' then return managed; end if;
  finance := app.everywhere('finance.read');
  finance_in := app.scope('finance.read');
  mail := app.everywhere('messages.write');
  mail_in := app.scope('messages.write');
  return (select coalesce(array_agg(c.id), '{}') from app.connections c where c.org_id = org and (c.id = any (managed) or (
    (reads or c.chapter_id = any (read_in)) and case c.category
      when 'payments' then finance or c.chapter_id = any (finance_in)
      when 'email' then mail or c.chapter_id = any (mail_in)
      else false end)));
end $$;
comment on function app.seen_connections() is 'Connections that the actor sees: those they manage, and with integrations.read those of payments for who reads finance, and of e-mail for who writes messages';

select app_private.protect('app.connections');
-- What runs note of themselves is no change that somebody else's open form could undo.
create trigger connections_touch before update on app.connections for each row
  when ((old.name, old.state, old.failure, old.settings, old.settings_at, old.owner_account_id, old.every_minutes, old.fresh_hours, old.mapping, old.match_by, old.on_missing) is distinct from (new.name, new.state, new.failure, new.settings, new.settings_at, new.owner_account_id, new.every_minutes, new.fresh_hours, new.mapping, new.match_by, new.on_missing)) execute function app.touch();
select app_private.keep_audit('app.connections', 'integrations.manage', 'id');
select app_private.hide_in_audit('app.connections', 'settings', 'next_run_at', 'last_run_at', 'last_success_at', 'failed_runs', 'dry_run_of', 'cursor', 'mark');
create policy connections_read on app.connections for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('integrations.manage')) or chapter_id = any ((select app.scope('integrations.manage'))::uuid[]) or id = any ((select app.seen_connections())::uuid[])));
create policy connections_add on app.connections for insert to app_access with check (org_id = (select app.org_id()) and owner_account_id = (select app.account_id())
  and ((select app.everywhere('integrations.manage')) or chapter_id = any ((select app.scope('integrations.manage'))::uuid[])));
create policy connections_change on app.connections for update to app_access
  using (org_id = (select app.org_id()) and ((select app.everywhere('integrations.manage')) or chapter_id = any ((select app.scope('integrations.manage'))::uuid[])))
  with check (org_id = (select app.org_id()) and ((select app.everywhere('integrations.manage')) or chapter_id = any ((select app.scope('integrations.manage'))::uuid[])));
grant select, insert (org_id, connector, category, slug, name, chapter_id, state, failure, settings, owner_account_id, is_single, syncs, every_minutes, fresh_hours, match_by, mapping, created_by),
  update (name, state, failure, settings, settings_at, owner_account_id, every_minutes, fresh_hours, next_run_at, last_run_at, last_success_at, failed_runs, mapping, match_by, on_missing, dry_run_of, cursor, mark)
  on app.connections to app_access;
grant select, insert, update on app.connections to app_definer;

create policy audit_entries_connections on app.audit_entries for select to app_access using (org_id = (select app.org_id()) and needs = 'integrations.manage'
  and ((select app.everywhere('integrations.manage')) or chapter_id = any ((select app.scope('integrations.manage'))::uuid[]) or record_id = any ((select app.managed_connections())::uuid[])));

create function app_private.connection_slug_of(org uuid, called text) returns text language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  named constant text := btrim(left(regexp_replace(app.fold(called), '[^a-z0-9]+', '-', 'g'), 50), '-');
  -- Nothing that could be an id: ids stand in addresses too.
  plain constant text := case when named = '' then 'connection' when named ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then 'connection-' || named else named end;
  free text := plain;
  n int := 1;
begin
  while exists (select from app.connections c where c.org_id = org and c.slug = free) loop
    n := n + 1;
    free := plain || '-' || n;
  end loop;
  return free;
end $$;
comment on function app_private.connection_slug_of(uuid, text) is 'A name in addresses that no connection of the organisation has yet';

create function app_private.connections_kept() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- Said only to whoever may have one at all: this comes before the policies.
  if new.is_single and new.state <> 'disconnected' and (tg_op = 'INSERT' or old.state = 'disconnected') and new.org_id = app.org_id() and app.everywhere('integrations.manage')
    and exists (select from app.connections c where c.org_id = new.org_id and c.connector = new.connector and c.state <> 'disconnected' and c.id <> new.id) then
    raise exception 'the organisation has such a connection already' using errcode = '23505', constraint = 'connection_single';
  end if;
  if tg_op = 'INSERT' then
    -- One after the other: two of the same name would find the same address free.
    perform pg_advisory_xact_lock(hashtextextended('connections ' || new.org_id, 0));
    if new.slug is null then new.slug := app_private.connection_slug_of(new.org_id, new.name); end if;
    return new;
  end if;
  if new.settings is distinct from old.settings then new.settings_at := now(); end if;
  if (new.mapping, new.match_by, new.on_missing, new.settings) is distinct from (old.mapping, old.match_by, old.on_missing, old.settings) then
    new.mapping_version := old.mapping_version + 1;
    new.cursor := null;
    new.mark := null;
  end if;
  if app.account_id() is null then return new; end if;
  -- Nobody reads through a connection what they may not see: who says where data go, or which, is the one whose rights count from then on.
  if new.settings_at <> old.settings_at or new.mapping_version <> old.mapping_version then new.owner_account_id := app.account_id(); end if;
  if new.owner_account_id is distinct from old.owner_account_id and new.owner_account_id is distinct from app.account_id() then
    raise exception 'an account takes over a connection itself' using errcode = '23514', constraint = 'connection_owner';
  end if;
  return new;
end $$;
comment on function app_private.connections_kept() is 'Gives a connection its name in addresses, counts what decides what a run writes, and makes those its owner who change it';
create trigger connections_kept before insert or update on app.connections for each row execute function app_private.connections_kept();

-- Secrets -----------------------------------------------------------------------------------------------------------------------------------

create table app.connection_secrets (
  org_id uuid not null,
  connection_id uuid not null,
  name text collate "C" not null check (name ~ '^[a-zA-Z][a-zA-Z0-9-]{0,39}$'),
  sealed bytea not null check (octet_length(sealed) between 1 and 20000),
  set_at timestamptz not null default now(),
  primary key (org_id, connection_id, name),
  foreign key (org_id, connection_id) references app.connections on delete cascade
);
comment on table app.connection_secrets is 'Tokens and keys of connections, sealed with a key that only the servers have';
comment on column app.connection_secrets.sealed is 'Read only by app.connection_secrets_sealed, for who manages the connection';
select app_private.protect('app.connection_secrets');
select app_private.keep_audit('app.connection_secrets', 'integrations.manage', 'connection_id');
select app_private.hide_in_audit('app.connection_secrets', 'sealed');
create policy connection_secrets_read on app.connection_secrets for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy connection_secrets_add on app.connection_secrets for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy connection_secrets_change on app.connection_secrets for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy connection_secrets_remove on app.connection_secrets for delete to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select (org_id, connection_id, name, set_at), delete, insert (org_id, connection_id, name, sealed, set_at), update (sealed, set_at) on app.connection_secrets to app_access;
grant select, delete on app.connection_secrets to app_definer;

create function app.connection_secrets_sealed(connection uuid) returns table (name text, sealed bytea) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return query select s.name, s.sealed from app.connection_secrets s
    where s.org_id = app.org_id() and s.connection_id = connection and connection = any (app.managed_connections());
end $$;
comment on function app.connection_secrets_sealed(uuid) is 'Sealed secrets of a connection that the actor manages';

-- What is tied ------------------------------------------------------------------------------------------------------------------------------

create table app.external_refs (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  connection_id uuid not null,
  entity text collate "C" not null check (entity in ('person', 'event', 'account')),
  person_id uuid,
  event_id uuid,
  account_id uuid,
  record_id uuid not null generated always as (coalesce(person_id, event_id, account_id)) stored,
  external_id text collate "C" check (char_length(external_id) between 1 and 500),
  agreed jsonb not null default '{}' check (jsonb_typeof(agreed) = 'object' and octet_length(agreed::text) <= 400000),
  agreed_at timestamptz not null default now(),
  agreed_in uuid,
  theirs_version text check (char_length(theirs_version) <= 500),
  seen_in_run uuid,
  state text not null default 'tied' check (state in ('creating', 'tied', 'gone')),
  erased_at timestamptz,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade,
  constraint external_refs_of_one check (case entity when 'person' then person_id is not null and event_id is null and account_id is null
    when 'event' then event_id is not null and person_id is null and account_id is null else account_id is not null and person_id is null and event_id is null end),
  constraint external_refs_known check (external_id is not null or state = 'creating')
);
comment on table app.external_refs is 'Which of our records is which of theirs. Not in the audit log: runs write them, and list what they did';
comment on column app.external_refs.record_id is 'The person, event or account';
comment on column app.external_refs.external_id is 'Its name on the other side; null while it is being made there';
comment on column app.external_refs.agreed is 'By our field, what both sides last held: what changed since is told by it, so nothing comes back as an echo. {field: {value, at, run, direction}} or {field: value}';
comment on column app.external_refs.agreed_in is 'The run in which that was';
comment on column app.external_refs.theirs_version is 'What the other side calls the state that was last seen';
comment on column app.external_refs.seen_in_run is 'The last run in which the other side still had it';
comment on column app.external_refs.state is 'creating: it may have been made there, and a lost answer must not make it twice; gone: the other side has it no more';
comment on column app.external_refs.erased_at is 'When the person was erased here: nothing comes from there any more, and what is there is removed';
create unique index external_ref_taken on app.external_refs (org_id, connection_id, entity, external_id) where external_id is not null;
create unique index external_ref_record on app.external_refs (org_id, connection_id, record_id);
create index external_refs_by_person on app.external_refs (org_id, person_id);
create index external_refs_by_event on app.external_refs (org_id, event_id);
create index external_refs_by_account on app.external_refs (org_id, account_id);
create index external_refs_by_connection on app.external_refs (org_id, connection_id, id);
select app_private.protect('app.external_refs');
create policy external_refs_read on app.external_refs for select to app_access using (org_id = (select app.org_id())
  and (connection_id = any ((select app.managed_connections())::uuid[]) or (connection_id = any ((select app.seen_connections())::uuid[])
    and entity = 'person' and exists (select from app.people p where p.org_id = external_refs.org_id and p.id = external_refs.person_id))));
create policy external_refs_add on app.external_refs for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy external_refs_change on app.external_refs for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy external_refs_remove on app.external_refs for delete to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select, delete, insert (org_id, connection_id, entity, person_id, event_id, account_id, external_id, agreed, agreed_at, agreed_in, theirs_version, seen_in_run, state),
  update (external_id, agreed, agreed_at, agreed_in, theirs_version, seen_in_run, state) on app.external_refs to app_access;
grant select, update, delete on app.external_refs to app_definer;

-- Runs ----------------------------------------------------------------------------------------------------------------------------------------

create table app.sync_runs (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  connection_id uuid not null,
  is_dry boolean not null default false,
  trigger text collate "C" not null check (trigger in ('manual', 'schedule', 'retry', 'resume')),
  state text collate "C" not null default 'queued' check (state in ('queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled')),
  mapping_version int not null,
  counts_in jsonb not null default '{}' check (jsonb_typeof(counts_in) = 'object' and octet_length(counts_in::text) <= 2000),
  counts_out jsonb not null default '{}' check (jsonb_typeof(counts_out) = 'object' and octet_length(counts_out::text) <= 2000),
  done int not null default 0 check (done >= 0),
  total int check (total >= 0),
  cursor jsonb check (octet_length(cursor::text) <= 100000),
  failure jsonb check (octet_length(failure::text) <= 4000),
  retry_of uuid,
  account_id uuid,
  heartbeat_at timestamptz,
  started_at timestamptz,
  finished_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete set null (account_id),
  constraint sync_run_ended check ((state in ('queued', 'running')) = (finished_at is null))
);
comment on table app.sync_runs is 'Runs of connections: what came, what went, and how far the present one is. Not in the audit log: it is such a log itself';
comment on column app.sync_runs.mapping_version is 'Version of the mapping that it works by';
comment on column app.sync_runs.retry_of is 'Only the rows that failed in this run';
comment on column app.sync_runs.account_id is 'Who started it; null for the schedule';
comment on column app.sync_runs.heartbeat_at is 'When its worker was last heard of';
create index sync_runs_by_connection on app.sync_runs (org_id, connection_id, id desc);
create index sync_runs_by_day on app.sync_runs (org_id, connection_id, created_at) where not is_dry;
create index sync_runs_by_account on app.sync_runs (org_id, account_id);
create index sync_runs_open on app.sync_runs (state, heartbeat_at) where state in ('queued', 'running');
create unique index sync_run_under_way on app.sync_runs (org_id, connection_id) where state in ('queued', 'running');
select app_private.protect('app.sync_runs');
select app_private.keep_version('app.sync_runs');
create policy sync_runs_read on app.sync_runs for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.seen_connections())::uuid[]));
create policy sync_runs_add on app.sync_runs for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sync_runs_change on app.sync_runs for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select, insert (org_id, connection_id, is_dry, trigger, mapping_version, retry_of, account_id, cursor, total),
  update (state, counts_in, counts_out, done, total, cursor, failure, heartbeat_at, started_at, finished_at) on app.sync_runs to app_access;
grant select, insert, update, delete on app.sync_runs to app_definer;

create table app.sync_changes (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  connection_id uuid not null,
  run_id uuid not null,
  direction text collate "C" not null check (direction in ('in', 'out')),
  kind text collate "C" not null check (kind in ('create', 'update', 'conflict', 'remove')),
  state text collate "C" not null check (state in ('planned', 'waiting', 'written', 'refused')),
  entity text collate "C" not null check (entity in ('person', 'event', 'account')),
  person_id uuid,
  event_id uuid,
  account_id uuid,
  record_id uuid generated always as (coalesce(person_id, event_id, account_id)) stored,
  external_id text collate "C" check (char_length(external_id) between 1 and 500),
  name text not null default '' check (char_length(name) <= 300),
  fields jsonb not null default '[]' check (jsonb_typeof(fields) = 'array' and octet_length(fields::text) <= 400000),
  decided_by uuid,
  decided_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, run_id) references app.sync_runs on delete cascade,
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, event_id) references app.events (org_id, id) on delete cascade,
  foreign key (org_id, account_id) references app.accounts (org_id, id) on delete cascade
);
comment on table app.sync_changes is 'What runs wrote, would write, or leave for somebody to decide. Not in the audit log: what was written to a record has its entry there';
comment on column app.sync_changes.record_id is 'Ours; null where there is none yet';
comment on column app.sync_changes.fields is '[{field, before, after}], by our field: of a conflict ours and theirs';
create index sync_changes_by_run on app.sync_changes (org_id, run_id, id);
create index sync_changes_waiting on app.sync_changes (org_id, connection_id, id) where state = 'waiting';
create index sync_changes_decided on app.sync_changes (org_id, connection_id, external_id) where state in ('waiting', 'refused');
create unique index sync_change_waits on app.sync_changes (org_id, connection_id, direction, external_id, kind) where state = 'waiting' and external_id is not null;
create index sync_changes_by_connection on app.sync_changes (org_id, connection_id, id);
create index sync_changes_by_person on app.sync_changes (org_id, person_id);
create index sync_changes_by_event on app.sync_changes (org_id, event_id);
create index sync_changes_by_account on app.sync_changes (org_id, account_id);
select app_private.protect('app.sync_changes');
select app_private.keep_version('app.sync_changes');
create policy sync_changes_read on app.sync_changes for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[])
  and (person_id is null or exists (select from app.people p where p.org_id = sync_changes.org_id and p.id = sync_changes.person_id)));
create policy sync_changes_add on app.sync_changes for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sync_changes_change on app.sync_changes for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sync_changes_remove on app.sync_changes for delete to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select, delete, insert (org_id, connection_id, run_id, direction, kind, state, entity, person_id, event_id, account_id, external_id, name, fields),
  update (run_id, state, person_id, event_id, account_id, external_id, name, fields, decided_by, decided_at) on app.sync_changes to app_access;
grant select, update, delete on app.sync_changes to app_definer;

create table app.sync_errors (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  connection_id uuid not null,
  run_id uuid not null,
  direction text collate "C" not null check (direction in ('in', 'out')),
  row text not null check (char_length(row) between 1 and 300),
  external_id text collate "C" check (char_length(external_id) between 1 and 500),
  record_id uuid,
  code text collate "C" not null check (char_length(code) between 1 and 60),
  message text not null check (char_length(message) <= 1000),
  state text collate "C" not null default 'open' check (state in ('open', 'retried', 'ignored')),
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, connection_id) references app.connections on delete cascade,
  foreign key (org_id, run_id) references app.sync_runs on delete cascade
);
comment on table app.sync_errors is 'Rows that a run could not write, until they are repaired or ignored. Not in the audit log: it is such a log itself';
comment on column app.sync_errors.row is 'Line, id or name by which it is found on the other side';
comment on column app.sync_errors.record_id is 'Ours, of what was to go out';
create index sync_errors_by_connection on app.sync_errors (org_id, connection_id, id desc);
create index sync_errors_by_run on app.sync_errors (org_id, run_id, id desc);
create index sync_errors_open on app.sync_errors (org_id, connection_id, code) where state = 'open';
select app_private.protect('app.sync_errors');
select app_private.keep_version('app.sync_errors');
create policy sync_errors_read on app.sync_errors for select to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sync_errors_add on app.sync_errors for insert to app_access with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
create policy sync_errors_change on app.sync_errors for update to app_access using (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]))
  with check (org_id = (select app.org_id()) and connection_id = any ((select app.managed_connections())::uuid[]));
grant select, insert (org_id, connection_id, run_id, direction, row, external_id, record_id, code, message), update (state) on app.sync_errors to app_access;
grant select, update, delete on app.sync_errors to app_definer;

-- Merged and erased -----------------------------------------------------------------------------------------------------------------------------

insert into app_private.person_references (tab) values ('external_refs'), ('sync_changes');

create function app_private.people_leave_connections() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  -- The tie itself stays: by it the next run removes them there, and knows them where they come again.
  delete from app.sync_errors e using app.external_refs r where r.org_id = new.org_id and r.person_id = new.id
    and e.org_id = r.org_id and e.connection_id = r.connection_id and (e.external_id = r.external_id or e.record_id = r.person_id);
  update app.external_refs r set agreed = '{}', theirs_version = null, erased_at = now() where r.org_id = new.org_id and r.person_id = new.id;
  delete from app.sync_changes c where c.org_id = new.org_id and c.person_id = new.id;
  return null;
end $$;
comment on function app_private.people_leave_connections() is 'Of somebody who was erased no value stays with the connections';
create trigger people_leave_connections after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.people_leave_connections();

select app_private.own_definers();
grant execute on function app.managed_connections(), app.seen_connections(), app.connection_secrets_sealed(uuid) to app_access;
