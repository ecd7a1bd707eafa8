-- A new area brings its own lists and its own search; neither needs a change to a table of another area.

-- Which lists there are is for the contract to say; the database keeps their names short.
alter table app.saved_views drop constraint saved_views_list_check, add constraint saved_views_list_check check (list ~ '^[a-z_]{2,40}$');
alter table app.exports drop constraint exports_list_check, add constraint exports_list_check check (list ~ '^[a-z_]{2,40}$');

create function app_private.keep_search(tab regclass) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare name constant text := (select c.relname from pg_class c where c.oid = tab);
begin
  execute format('create index %I on %s using gin (search extensions.gin_trgm_ops)', name || '_by_search', tab);
  execute format('grant select (org_id, id, search) on %s to app_definer', tab);
  -- Each word becomes a condition of its own with its value written out, which is what the index answers.
  execute format($f$
    create function app.%1$I(query text) returns setof uuid language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $s$
    declare words text := (select string_agg(format('r.search like %%L', app.like_pattern(t)), ' and ')
      from (select t from regexp_split_to_table(app.fold(left(query, 200)), '\s+') t where t <> '' limit 6) x);
    begin
      if words is not null then return query execute format('select r.id from %2$s r where r.org_id = %%L and %%s', app.org_id(), words); end if;
    end $s$ $f$, 'search_' || name, tab);
  execute format('comment on function app.%I(text) is %L', 'search_' || name,
    'Rows of the organisation that hold every word of the query. Who asks sees only those that row-level security shows them');
  execute format('grant execute on function app.%I(text) to app_access', 'search_' || name);
end $$;
comment on function app_private.keep_search(regclass) is 'An index on the column search and app.search_<table>(query) to use it: below a policy no such index would be. Followed by own_definers()';

create function app_private.kept_by_chapters(tab regclass, reads text, manages text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab);
  reach constant text := '(select app.everywhere(%1$L)) or chapter_id = any ((select app.scope(%1$L))::uuid[])';
begin
  execute format('create policy %I on %s for select to app_access using (org_id = (select app.org_id()) and (%s or %s))',
    name || '_read', tab, format(reach, reads), format(reach, manages));
  execute format('create policy %I on %s for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id()) and (%s))',
    name || '_add', tab, format(reach, manages));
  execute format('create policy %I on %s for update to app_access using (org_id = (select app.org_id()) and (%3$s)) with check (org_id = (select app.org_id()) and (%3$s))',
    name || '_change', tab, format(reach, manages));
end $$;
comment on function app_private.kept_by_chapters(regclass, text, text) is 'Policies of records that belong to a chapter or, without chapter_id, to the whole organisation: who reads them, and who adds and changes them. Nobody deletes one';
revoke execute on function app_private.keep_search(regclass), app_private.kept_by_chapters(regclass, text, text) from public;
