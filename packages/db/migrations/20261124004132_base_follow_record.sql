-- Tables that hang on any record: files, comments, tags. Which records there are is data, which each area adds to with one call.

create table app_private.record_types (
  name text primary key check (name ~ '^[a-z]+(_[a-z]+)*$'),
  tab text not null unique,
  history text not null,
  reach text not null,
  sees_all text not null
);
comment on table app_private.record_types is 'Records that other rows can hang on';
comment on column app_private.record_types.history is 'The permission that reads in the history of such a record';
comment on column app_private.record_types.reach is 'Condition on a row r of the table: it lies where the actor holds the permission %1$L';
comment on column app_private.record_types.sees_all is 'Condition that spares the look at the record: whoever meets it sees every one of the organisation';

create table app_private.record_followers (
  tab text primary key,
  adds text,
  changes text,
  removes text
);
comment on table app_private.record_followers is 'Tables whose rows hang on records, and who writes them';
grant select on app_private.record_types, app_private.record_followers to app_definer;

create function app_private.record_condition(tab text, ways text) returns text language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  kind app_private.record_types;
  way text;
  allowed text[];
  branches text[] := '{}';
begin
  for kind in select * from app_private.record_types t order by t.name loop
    allowed := '{}';
    foreach way in array string_to_array(ways, ' or ') loop
      allowed := allowed || case
        when way = 'see' then 'true'
        -- Locked as it would be for a change, the record is found only if its own policies allow one.
        when way = 'change' then format('exists (select from app.%1$I c where c.org_id = r.org_id and c.id = r.id for key share)', kind.tab)
        when way = 'author' then format('%I.created_by = (select app.account_id())', tab)
        when way ~ '^[a-z]+\.[a-z]+$' then format('(select app.everywhere(%L)) or %s', way, format(kind.reach, way))
      end;
      if allowed[cardinality(allowed)] is null then raise exception 'rows are written by see, change, author or a permission, not by %', way; end if;
    end loop;
    branches := branches || format('(%1$I.record_type = %2$L and %3$sexists (select from app.%4$I r where r.org_id = %1$I.org_id and r.id = %1$I.record_id%5$s)%6$s)',
      tab, kind.name, case when ways = 'see' and kind.sees_all <> 'false' then '(' || kind.sees_all || ' or ' else '' end, kind.tab,
      case when 'true' = any (allowed) then '' else ' and (' || array_to_string(allowed, ' or ') || ')' end,
      case when ways = 'see' and kind.sees_all <> 'false' then ')' else '' end);
  end loop;
  return format('%I.org_id = (select app.org_id()) and (%s)', tab, array_to_string(branches, ' or '));
end $$;
comment on function app_private.record_condition(text, text) is 'Condition on a row that hangs on a record: the actor sees the record, and may write the row in one of the ways';

create function app_private.rewrite_follower(f app_private.record_followers) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reads constant text := app_private.record_condition(f.tab, 'see');
begin
  execute format('drop policy if exists %1$I on app.%5$I; drop policy if exists %2$I on app.%5$I; drop policy if exists %3$I on app.%5$I; drop policy if exists %4$I on app.%5$I',
    f.tab || '_read', f.tab || '_add', f.tab || '_change', f.tab || '_remove', f.tab);
  execute format('create policy %I on app.%I for select to app_access using (%s)', f.tab || '_read', f.tab, reads);
  if f.adds is not null then
    execute format('create policy %I on app.%I for insert to app_access with check (%s)', f.tab || '_add', f.tab, app_private.record_condition(f.tab, f.adds));
  end if;
  if f.changes is not null then
    execute format('create policy %I on app.%I for update to app_access using (%3$s) with check (%3$s)', f.tab || '_change', f.tab, app_private.record_condition(f.tab, f.changes));
  end if;
  if f.removes is not null then
    execute format('create policy %I on app.%I for delete to app_access using (%s)', f.tab || '_remove', f.tab, app_private.record_condition(f.tab, f.removes));
  end if;
end $$;
comment on function app_private.rewrite_follower(app_private.record_followers) is 'Makes the policies of a table whose rows hang on records, with one branch for each type of record';

-- What a foreign key would do, if one could lead to several tables: the record is there, and cannot go before this transaction has ended.
create function app_private.follow_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kind text;
  target text;
  missing boolean;
  state text;
begin
  if tg_op = 'DELETE' and pg_trigger_depth() > 1 then return null; end if;
  for kind in select distinct c.record_type from changed c loop
    select t.tab into target from app_private.record_types t where t.name = kind;
    if target is null then raise exception 'nothing can hang on records of the type %', kind using errcode = '23514', constraint = 'record_type'; end if;
    if tg_op <> 'DELETE' then
      execute format('with wanted as (select distinct c.org_id, c.record_id from changed c where c.record_type = $1),
          there as (select r.id from app.%I r join wanted w on w.org_id = r.org_id and w.record_id = r.id for key share of r)
        select (select count(*) from there) < (select count(*) from wanted)', target) into missing using kind;
      if missing then raise exception 'the record is no longer there' using errcode = '23503', constraint = 'record_gone'; end if;
    end if;
    if kind = 'person' and (app.actor()).org_id is not null and pg_trigger_depth() = 1 then
      select p.lifecycle into state from changed c join app.people p on p.org_id = c.org_id and p.id = c.record_id
        where c.record_type = 'person' and p.lifecycle in ('erased', 'merged') order by p.lifecycle limit 1;
      if state is not null then perform app_private.refuse_closed(state); end if;
    end if;
  end loop;
  return null;
end $$;
comment on function app_private.follow_guard() is 'Rows hang on records that are there, and nothing is hung on a person who was erased or merged into another';

create function app_private.record_gone() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare follower text;
begin
  for follower in select f.tab from app_private.record_followers f loop
    execute format('delete from app.%I f using gone g where f.org_id = g.org_id and f.record_type = $1 and f.record_id = g.id', follower) using tg_argv[0];
  end loop;
  return null;
end $$;
comment on function app_private.record_gone() is 'What hangs on a record goes with it';

create function app_private.record_erased() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare follower text;
begin
  for follower in select f.tab from app_private.record_followers f loop
    execute format('delete from app.%I f where f.org_id = $1 and f.record_type = $2 and f.record_id = $3', follower) using new.org_id, tg_argv[0], new.id;
  end loop;
  return null;
end $$;
comment on function app_private.record_erased() is 'What hangs on a record goes when the record is emptied';
create trigger people_erased after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.record_erased('person');

create function app_private.register_record(kind text, tab regclass, history text,
  reach text default 'r.chapter_id = any ((select app.scope(%1$L))::uuid[])', sees_all text default 'false') returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab and c.relnamespace = 'app'::regnamespace);
  f app_private.record_followers;
begin
  insert into app_private.record_types values (kind, name, history, reach, sees_all);
  execute format('create trigger %I after delete on %s referencing old table as gone for each statement execute function app_private.record_gone(%L)', name || '_gone', tab, kind);
  -- Definer functions look the record up and lock it.
  execute format('grant select, update (id) on %s to app_definer', tab);
  for f in select * from app_private.record_followers loop perform app_private.rewrite_follower(f); end loop;
end $$;
comment on function app_private.register_record(text, regclass, text, text, text) is 'Rows of this table are records on which others can hang: files, comments, tags. history is the permission that reads in their history, reach where a permission holds (by default in their chapter)';

create function app_private.follow_record(tab regclass, adds text, changes text default null, removes text default null) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab and c.relnamespace = 'app'::regnamespace);
  f app_private.record_followers;
begin
  insert into app_private.record_followers values (name, adds, changes, removes) returning * into f;
  perform app_private.rewrite_follower(f);
  if not exists (select from pg_index i where i.indrelid = tab and i.indpred is null
      and (select array_agg(a.attname::text order by n.place) from unnest(i.indkey::int2[]) with ordinality n (number, place)
        join pg_attribute a on a.attrelid = tab and a.attnum = n.number where n.place <= 3) = array['org_id', 'record_type', 'record_id']) then
    execute format('create index %I on %s (org_id, record_type, record_id)', name || '_by_record', tab);
  end if;
  execute format('create trigger %I after insert on %s referencing new table as changed for each statement execute function app_private.follow_guard()', name || '_follow_insert', tab);
  execute format('create trigger %I after update on %s referencing new table as changed for each statement execute function app_private.follow_guard()', name || '_follow_update', tab);
  execute format('create trigger %I after delete on %s referencing old table as changed for each statement execute function app_private.follow_guard()', name || '_follow_delete', tab);
  execute format('grant select, delete on %s to app_definer', tab);
end $$;
comment on function app_private.follow_record(regclass, text, text, text) is
  'Rows with org_id, record_type and record_id hang on any record: who sees the record sees them, and they go with it. adds, changes and removes say who of these writes them: see, change (the record), author (created_by), a permission that holds for the record, or several joined by or; null is nobody';

select app_private.register_record('person', 'app.people', 'people.directory',
  'exists (select from app.people_within(%1$L) w where w.org_id = r.org_id and w.person_id = r.id)', '(select app.everywhere(''people.sensitive''))');
select app_private.register_record('chapter', 'app.chapters', 'people.directory', 'r.id = any ((select app.scope(%1$L))::uuid[])');
select app_private.register_record('group', 'app.groups', 'people.directory',
  'r.chapter_id = any ((select app.scope(%1$L))::uuid[]) or r.id = any ((select app.group_scope(%1$L))::uuid[])', '(select app.everywhere(''groups.manage''))');

-- The history of a record tells of what hangs on it: keep_audit(table, 'record', 'record_id').
create function app_private.record_chapter(kind text, org uuid, id uuid) returns uuid language plpgsql stable set search_path = pg_catalog, pg_temp as $$
declare
  target constant text := (select t.tab from app_private.record_types t where t.name = kind);
  found_in uuid;
begin
  if target is null then return null; end if;
  if exists (select from pg_attribute a where a.attrelid = format('app.%I', target)::regclass and a.attname = 'chapter_id' and not a.attisdropped) then
    execute format('select r.chapter_id from app.%I r where r.org_id = $1 and r.id = $2', target) into found_in using org, id;
  end if;
  return found_in;
end $$;
comment on function app_private.record_chapter(text, uuid, uuid) is 'Chapter of a record, if such records belong to one';
grant execute on function app_private.record_chapter(text, uuid, uuid) to app_definer;

-- As before, save that an entry about what hangs on a record stands where those of the record stand, and is read by whoever reads them.
create or replace function app_private.audit_append(org uuid, action text, entity text, needs text, rows_before jsonb[], rows_after jsonb[], record text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden constant text[] := (select array_agg(h.name) from app_private.audit_hidden h where h.entity in ('*', audit_append.entity));
  me constant uuid := (app.actor()).account_id;
  head app.audit_heads;
begin
  -- Nothing to say is found out before the lock, for which others may be waiting.
  if rows_before is not null and rows_after is not null
    and not exists (select from unnest(rows_before, rows_after) u (old_row, new_row) where u.old_row - hidden <> u.new_row - hidden) then
    return;
  end if;
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  select * into head from app.audit_heads h where h.org_id = org for update;
  -- One statement for all entries; their content is what audit_link hashes, written out because calling it for each would take longer than the rest.
  with differences as (
    select u.place, coalesce(u.new_row, u.old_row) as subject,
      case
        -- As it is: taking the many rows of an import apart would take longer than writing them.
        when u.old_row is null then jsonb_strip_nulls(u.new_row - hidden)
        when u.new_row is null then jsonb_strip_nulls(u.old_row - hidden)
        else (select jsonb_object_agg(n.key, jsonb_build_array(u.old_row -> n.key, n.value)) from jsonb_each(u.new_row - hidden) n
          where (u.old_row -> n.key) is distinct from n.value)
      end as diff
    from unnest(rows_before, rows_after) with ordinality u (old_row, new_row, place)
  ),
  entries as (
    select head.seq + row_number() over (order by d.place) as seq, d.subject, (d.subject ->> 'id')::uuid as id, d.diff
    from differences d where d.diff is not null
  ),
  linked as (
    select e.seq, e.subject, e.id, e.diff, case when needs = 'record' then e.subject ->> 'record_type' end as hangs_on,
      case when needs = 'record' then (e.subject ->> 'record_id')::uuid end as on_id, app_private.audit_chain(head.hash, convert_to(concat_ws('|', org, e.seq, extract(epoch from now()),
      coalesce(me::text, '-'), action, entity, coalesce(e.id::text, '-'), e.diff::text), 'UTF8')) over (order by e.seq rows unbounded preceding) as hash
    from entries e
  ),
  written as (
    insert into app.audit_entries (org_id, seq, at, account_id, action, entity, entity_id, person_id, chapter_id, group_id, record_id, needs, diff, request_id, via, prev_hash, hash)
    select org, l.seq, now(), me, action, entity, l.id,
      case when entity = 'people' then l.id when l.hangs_on = 'person' then l.on_id else (l.subject ->> 'person_id')::uuid end,
      case when entity = 'chapters' then l.id when l.hangs_on = 'chapter' then l.on_id when l.hangs_on is not null then app_private.record_chapter(l.hangs_on, org, l.on_id)
        else (l.subject ->> 'chapter_id')::uuid end,
      case when entity = 'groups' then l.id when l.hangs_on = 'group' then l.on_id else (l.subject ->> 'group_id')::uuid end,
      case when record is not null then (l.subject ->> record)::uuid end,
      coalesce((select t.history from app_private.record_types t where t.name = l.hangs_on), needs), l.diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.via', true), ''),
      lag(l.hash, 1, head.hash) over (order by l.seq), l.hash
    from linked l
    returning audit_entries.seq, audit_entries.hash
  )
  update app.audit_heads h set seq = w.seq, hash = w.hash from (select * from written order by seq desc limit 1) w where h.org_id = org;
end $$;

comment on function app_private.keep_audit(regclass, text, text) is 'Every change of a row becomes an entry of the audit log, for those who hold the permission needs; record, for a row that hangs on one, stands for whatever the history of that record needs. record names the column with the record whose history it belongs to';

select app_private.own_definers();
grant execute on function app_private.follow_guard(), app_private.record_gone(), app_private.record_erased() to app_definer;
do $$
declare f regprocedure;
begin
  -- Only migrations call these.
  for f in select p.oid from pg_proc p where p.pronamespace = 'app_private'::regnamespace
    and p.proname in ('record_condition', 'rewrite_follower', 'register_record', 'follow_record', 'record_chapter') loop
    execute format('revoke execute on function %s from public', f);
  end loop;
end $$;
