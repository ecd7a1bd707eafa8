-- What every new table and every new permission needs, in one call each. For migrations only: no login role reaches app_private.

create function app_private.protect(tab regclass) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format('alter table %s enable row level security', tab);
  execute format('alter table %s force row level security', tab);
  execute format('create policy %I on %s to app_definer using (org_id is not null) with check (org_id is not null)',
    (select c.relname from pg_class c where c.oid = tab) || '_definer', tab);
end $$;
comment on function app_private.protect(regclass) is 'Row-level security, enabled and forced, with the policy of functions that run as app_definer. Who else may do what is for the table itself to say';

create function app_private.keep_version(tab regclass) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format('create trigger %I before update on %s for each row execute function app.touch()', (select c.relname from pg_class c where c.oid = tab) || '_touch', tab);
end $$;
comment on function app_private.keep_version(regclass) is 'Each change raises version, which If-Match is compared with, and sets updated_at';

create function app_private.own_definers() returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare f regprocedure;
begin
  grant create on schema app, app_private to app_definer;
  for f in select p.oid from pg_proc p where p.pronamespace in ('app'::regnamespace, 'app_private'::regnamespace) and p.prosecdef and p.proowner <> 'app_definer'::regrole loop
    execute format('revoke execute on function %s from public', f);
    execute format('alter function %s owner to app_definer', f);
  end loop;
  revoke create on schema app, app_private from app_definer;
end $$;
comment on function app_private.own_definers() is 'Gives every definer function to the narrow role and takes it from everyone: the last line of a migration that makes one';

-- Histories of any record ------------------------------------------------------------------------------------------------------------
alter table app.audit_entries add column record_id uuid;
comment on column app.audit_entries.record_id is 'Record whose history an entry belongs to where that is no person, chapter or group: the event of a ticket, the campaign of a gift';
create index audit_entries_by_record on app.audit_entries (org_id, record_id, seq desc) where record_id is not null;

create function app_private.keep_audit(tab regclass, needs text, record text default null) returns void
  language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  name constant text := (select c.relname from pg_class c where c.oid = tab);
  rest constant text := format('for each statement execute function app.audit_%%s(%s)', concat_ws(', ', quote_literal(needs), quote_literal(record)));
begin
  execute format('create trigger %I after insert on %s referencing new table as changed ', name || '_audit_insert', tab) || format(rest, 'insert');
  execute format('create trigger %I after update on %s referencing old table as before new table as changed ', name || '_audit_update', tab) || format(rest, 'update');
  execute format('create trigger %I after delete on %s referencing old table as changed ', name || '_audit_delete', tab) || format(rest, 'delete');
end $$;
comment on function app_private.keep_audit(regclass, text, text) is 'Every change of a row becomes an entry of the audit log, for those who hold the permission needs. record names the column with the record whose history it belongs to';

drop function app_private.audit_append(uuid, text, text, text, jsonb[], jsonb[]);
create function app_private.audit_append(org uuid, action text, entity text, needs text, rows_before jsonb[], rows_after jsonb[], record text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden constant text[] := array['org_id', 'version', 'updated_at', 'created_at', 'search', 'sort_name', 'address_key', 'local_key', 'digits', 'title_key', 'name_key', 'created_by', 'birthday', 'home_chapter_id', 'minor_until', 'depth', 'display_name', 'last_login_at'];
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
grant execute on function app_private.audit_append(uuid, text, text, text, jsonb[], jsonb[], text) to app_definer;

create or replace function app.audit_insert() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  for org in select distinct r.org_id from changed r loop
    perform app_private.audit_append(org, 'create', tg_table_name, tg_argv[0], null, (select array_agg(to_jsonb(r)) from changed r where r.org_id = org), tg_argv[1]);
  end loop;
  return null;
end $$;
create or replace function app.audit_delete() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  for org in select distinct r.org_id from changed r loop
    perform app_private.audit_append(org, 'delete', tg_table_name, tg_argv[0], (select array_agg(to_jsonb(r)) from changed r where r.org_id = org), null, tg_argv[1]);
  end loop;
  return null;
end $$;
create or replace function app.audit_update() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  -- What triggers themselves update of people (home chapter, majority) follows from other rows, whose entries say it all.
  if tg_table_name = 'people' and pg_trigger_depth() > 1 then return null; end if;
  for org in select distinct r.org_id from changed r loop
    -- Keys never change, so both transition tables pair up by the key column; an equality, so that many rows are hashed instead of compared each with each.
    perform app_private.audit_append(org, 'update', tg_table_name, tg_argv[0], array_agg(b.content), array_agg(a.content), tg_argv[1])
      from (select to_jsonb(r) - 'preferences' as content from before r where r.org_id = org) b
      join (select to_jsonb(r) - 'preferences' as content from changed r where r.org_id = org) a
        on coalesce(b.content ->> 'id', b.content ->> 'person_id', b.content ->> 'org_id') = coalesce(a.content ->> 'id', a.content ->> 'person_id', a.content ->> 'org_id');
  end loop;
  return null;
end $$;

-- Rights in a single record, beside chapters and groups -----------------------------------------------------------------------------
alter table app.grants drop constraint grants_scope_kind_check;
alter table app.grants add constraint grants_scope_kind_check check (scope_kind in ('org', 'chapter', 'group', 'event', 'campaign', 'project'));
alter table app.grants add column record_id uuid,
  add constraint grants_record check ((scope_kind in ('event', 'campaign', 'project')) = (record_id is not null));
comment on column app.grants.record_id is 'The event, campaign or project that the role is given for';
comment on table app.grants is 'A role given to an account for the organisation, a chapter with everything below it, a group, an event, a campaign or a project, within a window of dates';

create or replace function app_private.by_grant(actor app.actor_context, today date, wanted text) returns table (permission text, scope_kind text, scope_id uuid)
  language sql stable as $$
  select p.permission, g.scope_kind, coalesce(g.chapter_id, g.group_id, g.record_id) from app.grants g
  join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id
  where g.org_id = actor.org_id and g.account_id = actor.account_id and (wanted is null or p.permission = wanted)
    and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today)
$$;

create function app.record_scope(kind text, wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  today date;
begin
  if actor.org_id is null then return '{}'; end if;
  select m.today into today from app_private.me_today(actor) m;
  return (select coalesce(array_agg(distinct x.scope_id), '{}') from app_private.by_grant(actor, today, wanted) x where x.scope_kind = kind);
end $$;
comment on function app.record_scope(text, text) is 'Events, campaigns or projects in which the actor holds a permission';

drop function app.permissions();
create function app.permissions() returns table (permission text, everywhere boolean, chapters uuid[], groups uuid[], records uuid[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid;
  today date;
begin
  if actor.org_id is null then return; end if;
  select m.me, m.today into me, today from app_private.me_today(actor) m;
  return query
    select r.permission, bool_or(r.scope_kind = 'org'),
      coalesce(array_agg(distinct a.chapter_id) filter (where a.chapter_id is not null), '{}'),
      coalesce(array_agg(distinct r.scope_id) filter (where r.scope_kind = 'group'), '{}'),
      coalesce(array_agg(distinct r.scope_id) filter (where r.scope_kind in ('event', 'campaign', 'project')), '{}')
    from (
      select x.permission, 'org' as scope_kind, null::uuid as scope_id from app_private.by_provider(actor, null) x
      union all select x.permission, x.scope_kind, x.scope_id from app_private.by_grant(actor, today, null) x
      union all select x.permission, 'chapter', x.scope_id from app_private.by_office(actor, me, today, null) x
      union all select x.permission, 'group', x.scope_id from app_private.by_leading(actor, me, today, null) x
      union all select x.permission, x.scope_kind, x.scope_id from app_private.by_membership(actor, me, today, null) x
    ) r
    left join app.chapter_ancestors a on r.scope_kind = 'chapter' and a.org_id = actor.org_id and a.ancestor_id = r.scope_id
    group by r.permission;
end $$;
comment on function app.permissions() is 'Every permission of the actor with its reach, for screens to know what to offer';
grant execute on function app.record_scope(text, text), app.permissions() to app_access, app_definer;

create or replace function app.role_within_reach(role uuid, kind text, scope uuid) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  return not exists (
    select from app.role_permissions p where p.org_id = (select app.org_id()) and p.role_id = role
      and not app.everywhere(p.permission)
      and not (kind = 'chapter' and scope = any (app.scope(p.permission)))
      and not (kind = 'group' and scope = any (app.group_scope(p.permission)))
      and not (kind in ('event', 'campaign', 'project') and scope = any (app.record_scope(kind, p.permission)))
  );
end $$;

create function app_private.grants_follow() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.grants g using gone r where g.org_id = r.org_id and g.record_id = r.id and g.scope_kind = tg_argv[0];
  return null;
end $$;
create function app_private.scoped_by(tab regclass, kind text) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format('create trigger %I after delete on %s referencing old table as gone for each statement execute function app_private.grants_follow(%L)',
    (select c.relname from pg_class c where c.oid = tab) || '_grants', tab, kind);
end $$;
comment on function app_private.scoped_by(regclass, text) is 'Rows of this table are what grants of the kind are given for; a row that goes takes its grants along';
grant delete on app.grants to app_definer;

-- Who may read which entries of the log ----------------------------------------------------------------------------------------------
create function app_private.share_history(wanted text, kind text default null) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  execute format($p$
    create policy %1$I on app.audit_entries for select to app_access using (
      org_id = (select app.org_id()) and needs = %2$L
      and ((select app.everywhere(%2$L))
        or chapter_id = any ((select app.scope(%2$L))::uuid[])
        or group_id = any ((select app.group_scope(%2$L))::uuid[])
        %3$s
        or exists (select 1 from app.affiliations a where a.org_id = audit_entries.org_id and a.person_id = audit_entries.person_id
          and a.chapter_id = any ((select app.scope(%2$L))::uuid[])
          and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today()))))
      -- Who or what stays hidden from the reader has no history for them either.
      and (person_id is null or exists (select 1 from app.people p where p.org_id = audit_entries.org_id and p.id = audit_entries.person_id))
      and (group_id is null or exists (select 1 from app.groups g where g.org_id = audit_entries.org_id and g.id = audit_entries.group_id)))
  $p$, 'audit_entries_' || replace(wanted, '.', '_'), wanted,
    case when kind is not null then format('or record_id = any ((select app.record_scope(%L, %L))::uuid[])', kind, wanted) else '' end);
end $$;
comment on function app_private.share_history(text, text) is 'Whoever holds the permission, in whatever scope, reads the entries that need it about what lies in that scope; kind names the records it can be granted for';
select app_private.share_history('people.sensitive');

-- Permissions that come with a new area ----------------------------------------------------------------------------------------------
create table app_private.standard_permissions (
  role_key text not null,
  permission text not null check (permission ~ '^[a-z]+\.[a-z]+$'),
  primary key (role_key, permission)
);
comment on table app_private.standard_permissions is 'What the standard roles allow beyond app_private.standard_roles(): permissions of areas that came later';
grant select on app_private.standard_permissions to app_definer;

create function app_private.add_permission(wanted text, variadic role_keys text[]) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
declare unknown text := (select string_agg(k, ', ') from unnest(role_keys) k where k not in (select s.key from app_private.standard_roles() s));
begin
  if unknown is not null then raise exception 'no standard role is called %', unknown; end if;
  insert into app_private.standard_permissions select k, wanted from unnest(role_keys) k;
  insert into app.role_permissions (org_id, role_id, permission)
    select r.org_id, r.id, wanted from app.roles r where r.key = any (role_keys) and not r.custom
    on conflict do nothing;
end $$;
comment on function app_private.add_permission(text, text[]) is 'Gives a new permission to standard roles, in every organisation there is and will be';

create or replace function app.found_organisation(slug text, name text, idp_org text, owner_email text) returns uuid
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid;
  r record;
  role uuid;
begin
  insert into app.organisations (slug, name, idp_org_id) values (slug, name, idp_org) returning organisations.org_id into org;
  for r in select * from app_private.standard_roles() loop
    insert into app.roles (org_id, key, name, description) values (org, r.key, r.name, r.description) returning id into role;
    insert into app.role_permissions (org_id, role_id, permission)
      select org, role, p from unnest(r.permissions) p
      union select org, role, s.permission from app_private.standard_permissions s where s.role_key = r.key;
  end loop;
  if owner_email is not null then
    insert into app.accounts (org_id, email, status) values (org, owner_email, 'invited') returning id into role;
    insert into app.grants (org_id, account_id, role_id, scope_kind, reason)
      select org, role, ro.id, 'org', 'founder' from app.roles ro where ro.org_id = org and ro.key = 'org-owner';
  end if;
  return org;
end $$;

-- Tables without audit entries say why; a rule of the catalogue asks every other one for its triggers.
do $$
declare t record;
begin
  for t in select * from (values
    ('bulk_effects', 'the rows that a bulk change wrote have entries of their own'),
    ('contact_messages', 'a message of a visitor is not the organisation''s data'),
    ('exports', 'each export is recorded once, with its reason'),
    ('idempotency_keys', 'they remember answers for a day'),
    ('import_mappings', 'they are how somebody likes to read their files'),
    ('import_rows', 'the rows that an import wrote have entries of their own'),
    ('imports', 'each run and undo is recorded once, with its counts'),
    ('job_progress', 'it says how far a job is'),
    ('recording_parts', 'recordings are deleted after two weeks'),
    ('saved_views', 'they are how somebody likes to see a list')
  ) as v (name, why) loop
    execute format('comment on table app.%I is %L', t.name,
      concat_ws('. ', rtrim(obj_description(format('app.%I', t.name)::regclass, 'pg_class'), '.'), 'Not in the audit log: ' || t.why));
  end loop;
end $$;

select app_private.own_definers();
do $$
declare f regprocedure;
begin
  -- Only migrations call these.
  for f in select p.oid from pg_proc p where p.pronamespace = 'app_private'::regnamespace
    and p.proname in ('protect', 'keep_version', 'own_definers', 'keep_audit', 'scoped_by', 'share_history', 'add_permission') loop
    execute format('revoke execute on function %s from public', f);
  end loop;
end $$;
