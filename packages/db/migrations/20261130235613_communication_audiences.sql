-- Audiences that are saved under a name: whom messages are for. Who is in one is asked each time, as whoever asks sees people.

create table app.audiences (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  chapter_id uuid,
  group_id uuid,
  name text not null check (char_length(name) between 1 and 100),
  sort_name text collate "C" not null generated always as (app.fold(name)) stored,
  search text collate "C" not null generated always as (app.fold(name)) stored,
  description text not null default '' check (char_length(description) <= 1000),
  definition jsonb not null check (jsonb_typeof(definition -> 'include') = 'array' and jsonb_typeof(definition -> 'exclude') = 'array' and octet_length(definition::text) <= 600000),
  last_used_at timestamptz,
  archived_at timestamptz,
  created_by uuid,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, chapter_id) references app.chapters,
  foreign key (org_id, group_id) references app.groups on delete cascade,
  constraint audience_place check (num_nonnulls(chapter_id, group_id) <= 1)
);
comment on table app.audiences is 'Whom messages are for, under a name';
comment on column app.audiences.chapter_id is 'It reaches this chapter and those below it; with no chapter and no group the whole organisation';
comment on column app.audiences.group_id is 'It reaches the members of this group';
comment on column app.audiences.definition is 'Parts that include and parts that exclude people';
comment on column app.audiences.last_used_at is 'When a message to it was last sent; the row counts as unchanged';
create index audiences_by_name on app.audiences (org_id, sort_name, id);
create index audiences_by_chapter on app.audiences (org_id, chapter_id);
create index audiences_by_group on app.audiences (org_id, group_id);

select app_private.protect('app.audiences');
select app_private.keep_search('app.audiences');
select app_private.keep_audit('app.audiences', 'messages.write', 'id');
-- Other records of communication share the same history.
do $$ begin
  if not exists (select from pg_policies where policyname = 'audit_entries_messages_write') then perform app_private.share_history('messages.write'); end if;
end $$;
create trigger audiences_touch before update of name, description, definition, archived_at on app.audiences for each row execute function app.touch();

do $$
declare
  writes constant text := $p$ (select app.everywhere('messages.write')) or chapter_id = any ((select app.scope('messages.write'))::uuid[])
    or group_id = any ((select app.group_scope('messages.write'))::uuid[]) $p$;
begin
  execute format('create policy audiences_read on app.audiences for select to app_access using (org_id = (select app.org_id()) and (%s))', writes);
  execute format('create policy audiences_add on app.audiences for insert to app_access
    with check (org_id = (select app.org_id()) and created_by = (select app.account_id()) and (%s)
      and (group_id is null or exists (select from app.groups g where g.org_id = audiences.org_id and g.id = audiences.group_id)))', writes);
  execute format('create policy audiences_change on app.audiences for update to app_access
    using (org_id = (select app.org_id()) and (%1$s)) with check (org_id = (select app.org_id()) and (%1$s))', writes);
end $$;
grant select, insert (org_id, chapter_id, group_id, name, description, definition, created_by), update (name, description, definition, last_used_at, archived_at) on app.audiences to app_access;
grant select on app.audiences to app_definer;

-- Cycles --------------------------------------------------------------------------------------------------------------------------------

create function app_private.audiences_in(definition jsonb) returns setof uuid language sql immutable set search_path = pg_catalog, pg_temp as $$
  select (part ->> 'id')::uuid from jsonb_array_elements(definition -> 'include' || (definition -> 'exclude')) part where part ->> 'kind' = 'audience'
$$;
comment on function app_private.audiences_in(jsonb) is 'Saved audiences that the parts of a definition name';

create function app_private.audiences_acyclic() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from app_private.audiences_in(new.definition)) then return null; end if;
  -- Of two audiences that are made to name each other at the same time, the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('audiences ' || new.org_id, 0));
  if exists (
    with recursive reached (id) as (
      select n.id from app_private.audiences_in(new.definition) n (id)
      union select n.id from reached r join app.audiences a on a.org_id = new.org_id and a.id = r.id, app_private.audiences_in(a.definition) n (id))
    select from reached r where r.id = new.id)
  then raise exception 'an audience cannot contain itself' using errcode = '23514', constraint = 'audience_cycle'; end if;
  return null;
end $$;
comment on function app_private.audiences_acyclic() is 'Refuses audiences that contain themselves, directly or through others';
create trigger audiences_acyclic after insert or update of definition on app.audiences for each row execute function app_private.audiences_acyclic();

select app_private.own_definers();
grant execute on function app_private.audiences_in(jsonb) to app_definer;
