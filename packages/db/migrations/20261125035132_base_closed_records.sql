-- Record types say when a record is closed and who looks after it, and tables whose rows hang on records may be read more narrowly than the record.

alter table app_private.record_types add column manage text, add column closed text;
comment on column app_private.record_types.manage is 'The permission of those who look after such a record';
comment on column app_private.record_types.closed is 'Condition on a row r of the table: nothing more is added to the record';
alter table app_private.record_followers add column reads text not null default 'see';

-- As before, and manage is one more way.
create or replace function app_private.record_condition(tab text, ways text) returns text language plpgsql stable set search_path = pg_catalog, pg_temp as $$
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
        when way = 'manage' and kind.manage is null then 'false'
        when way = 'manage' then format('(select app.everywhere(%L)) or %s', kind.manage, format(kind.reach, kind.manage))
        when way ~ '^[a-z]+\.[a-z]+$' then format('(select app.everywhere(%L)) or %s', way, format(kind.reach, way))
      end;
      if allowed[cardinality(allowed)] is null then raise exception 'rows are read and written by see, change, author, manage or a permission, not by %', way; end if;
    end loop;
    branches := branches || format('(%1$I.record_type = %2$L and %3$sexists (select from app.%4$I r where r.org_id = %1$I.org_id and r.id = %1$I.record_id%5$s)%6$s)',
      tab, kind.name, case when ways = 'see' and kind.sees_all <> 'false' then '(' || kind.sees_all || ' or ' else '' end, kind.tab,
      case when 'true' = any (allowed) then '' else ' and (' || array_to_string(allowed, ' or ') || ')' end,
      case when ways = 'see' and kind.sees_all <> 'false' then ')' else '' end);
  end loop;
  return format('%I.org_id = (select app.org_id()) and (%s)', tab, array_to_string(branches, ' or '));
end $$;
comment on function app_private.record_condition(text, text) is 'Condition on a row that hangs on a record: the actor sees the record, and may read or write the row in one of the ways';

create or replace function app_private.rewrite_follower(f app_private.record_followers) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  reads constant text := app_private.record_condition(f.tab, f.reads);
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

drop function app_private.register_record(text, regclass, text, text, text);
create function app_private.register_record(kind text, tab regclass, history text,
  reach text default 'r.chapter_id = any ((select app.scope(%1$L))::uuid[])', sees_all text default 'false', manage text default null, closed text default null) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab and c.relnamespace = 'app'::regnamespace);
  f app_private.record_followers;
begin
  insert into app_private.record_types (name, tab, history, reach, sees_all, manage, closed) values (kind, name, history, reach, sees_all, manage, closed);
  execute format('create trigger %I after delete on %s referencing old table as gone for each statement execute function app_private.record_gone(%L)', name || '_gone', tab, kind);
  -- Definer functions look the record up and lock it.
  execute format('grant select, update (id) on %s to app_definer', tab);
  for f in select * from app_private.record_followers loop perform app_private.rewrite_follower(f); end loop;
end $$;
comment on function app_private.register_record(text, regclass, text, text, text, text, text) is
  'Rows of this table are records on which others can hang: files, comments, tags. history is the permission that reads in their history, reach where a permission holds (by default in their chapter), manage the permission of those who look after them, closed the condition on a row r that nothing more is added to it';

drop function app_private.follow_record(regclass, text, text, text);
create function app_private.follow_record(tab regclass, adds text, changes text default null, removes text default null, reads text default 'see') returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab and c.relnamespace = 'app'::regnamespace);
  f app_private.record_followers;
begin
  insert into app_private.record_followers (tab, adds, changes, removes, reads) values (name, adds, changes, removes, reads) returning * into f;
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
comment on function app_private.follow_record(regclass, text, text, text, text) is
  'Rows with org_id, record_type and record_id hang on any record: who sees the record sees them, and they go with it. adds, changes and removes say who of these writes them: see, change (the record), author (created_by), manage (the permission of its type), a permission that holds for the record, or several joined by or; null is nobody. reads narrows in the same words who of those who see the record reads them';

update app_private.record_types set
  manage = case name when 'person' then 'people.write' when 'chapter' then 'chapters.edit' when 'group' then 'groups.manage' end,
  closed = case name when 'person' then 'r.deleted_at is not null' when 'chapter' then 'r.status = ''closed''' when 'group' then 'r.archived_at is not null' end
  where name in ('person', 'chapter', 'group');

create function app_private.record_open() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  kind app_private.record_types;
  shut boolean;
begin
  select * into kind from app_private.record_types t where t.name = new.record_type;
  if kind.closed is null or (app.actor()).org_id is null then return null; end if;
  execute format('select %s from app.%I r where r.org_id = $1 and r.id = $2', kind.closed, kind.tab) into shut using new.org_id, new.record_id;
  if shut then raise exception 'this record is archived or closed' using errcode = '23514', constraint = 'record_closed'; end if;
  return null;
end $$;
comment on function app_private.record_open() is 'Refuses what is added to a record that is closed; after the policies, so that it tells nothing of hidden records';

create function app_private.while_open(tab regclass, variadic columns text[]) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare name constant text := (select c.relname from pg_class c where c.oid = tab);
begin
  execute format('create trigger %I after insert on %s for each row execute function app_private.record_open()', name || '_open_insert', tab);
  execute format('create trigger %I after update of %s on %s for each row execute function app_private.record_open()',
    name || '_open_update', (select string_agg(quote_ident(c), ', ') from unnest(columns) c), tab);
end $$;
comment on function app_private.while_open(regclass, text[]) is 'Rows that hang on a record are added, and these columns changed, only while the record is open';

select app_private.own_definers();
grant execute on function app_private.record_open() to app_definer;
do $$
declare f regprocedure;
begin
  -- Only migrations call these.
  for f in select p.oid from pg_proc p where p.pronamespace = 'app_private'::regnamespace and p.proname in ('register_record', 'follow_record', 'while_open') loop
    execute format('revoke execute on function %s from public', f);
  end loop;
end $$;
