-- Which columns the audit log leaves out is data, which a migration adds to with one call.

create table app_private.audit_hidden (
  entity text not null,
  name text not null,
  primary key (entity, name)
);
comment on table app_private.audit_hidden is 'Columns that the audit log leaves out: they follow from others, count versions or are nobody else''s business. The entity * stands for every table';
grant select on app_private.audit_hidden to app_definer;

create function app_private.hide_in_audit(tab regclass, variadic columns text[]) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare missing text;
begin
  select c into missing from unnest(columns) c
    where not exists (select from pg_attribute a where a.attrelid = tab and a.attname = c and a.attnum > 0 and not a.attisdropped) limit 1;
  if missing is not null then raise exception '% has no column %', tab, missing using errcode = '42703'; end if;
  insert into app_private.audit_hidden (entity, name) select t.relname, c from pg_class t, unnest(columns) c where t.oid = tab on conflict do nothing;
end $$;
comment on function app_private.hide_in_audit(regclass, text[]) is 'The audit log leaves these columns of the table out: a change of nothing else makes no entry';
revoke execute on function app_private.hide_in_audit(regclass, text[]) from public;

insert into app_private.audit_hidden (entity, name) select '*', unnest(array['org_id', 'version', 'updated_at', 'created_at', 'created_by']);
select app_private.hide_in_audit('app.people', 'search', 'sort_name', 'display_name', 'member_no_key', 'home_chapter_id', 'minor_until');
select app_private.hide_in_audit('app.person_emails', 'address_key', 'local_key');
select app_private.hide_in_audit('app.person_phones', 'digits');
select app_private.hide_in_audit('app.person_private', 'birthday');
select app_private.hide_in_audit('app.tags', 'name_key');
select app_private.hide_in_audit('app.accounts', 'sort_name', 'last_login_at', 'preferences');
select app_private.hide_in_audit('app.chapters', 'search', 'depth');
select app_private.hide_in_audit('app.positions', 'title_key');
select app_private.hide_in_audit('app.groups', 'search', 'sort_name');

-- As before, save that what is hidden is looked up, and that it says what accounts keep for themselves as well.
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
    select e.seq, e.subject, e.id, e.diff, app_private.audit_chain(head.hash, convert_to(concat_ws('|', org, e.seq, extract(epoch from now()),
      coalesce(me::text, '-'), action, entity, coalesce(e.id::text, '-'), e.diff::text), 'UTF8')) over (order by e.seq rows unbounded preceding) as hash
    from entries e
  ),
  written as (
    insert into app.audit_entries (org_id, seq, at, account_id, action, entity, entity_id, person_id, chapter_id, group_id, record_id, needs, diff, request_id, via, prev_hash, hash)
    select org, l.seq, now(), me, action, entity, l.id,
      case when entity = 'people' then l.id else (l.subject ->> 'person_id')::uuid end,
      case when entity = 'chapters' then l.id else (l.subject ->> 'chapter_id')::uuid end,
      case when entity = 'groups' then l.id else (l.subject ->> 'group_id')::uuid end,
      case when record is not null then (l.subject ->> record)::uuid end,
      needs, l.diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.via', true), ''),
      lag(l.hash, 1, head.hash) over (order by l.seq), l.hash
    from linked l
    returning audit_entries.seq, audit_entries.hash
  )
  update app.audit_heads h set seq = w.seq, hash = w.hash from (select * from written order by seq desc limit 1) w where h.org_id = org;
end $$;
create or replace function app.audit_update() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  -- What triggers themselves update of people (home chapter, majority) follows from other rows, whose entries say it all.
  if tg_table_name = 'people' and pg_trigger_depth() > 1 then return null; end if;
  for org in select distinct r.org_id from changed r loop
    -- Keys never change, so both transition tables pair up by the key column; an equality, so that many rows are hashed instead of compared each with each.
    perform app_private.audit_append(org, 'update', tg_table_name, tg_argv[0], array_agg(b.content), array_agg(a.content), tg_argv[1])
      from (select to_jsonb(r) as content from before r where r.org_id = org) b
      join (select to_jsonb(r) as content from changed r where r.org_id = org) a
        on coalesce(b.content ->> 'id', b.content ->> 'person_id', b.content ->> 'org_id') = coalesce(a.content ->> 'id', a.content ->> 'person_id', a.content ->> 'org_id');
  end loop;
  return null;
end $$;
