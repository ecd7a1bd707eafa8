-- The audit log: append-only, one hash chain per organisation, written by triggers so that no code path can forget it.

create table app.audit_entries (
  org_id uuid not null references app.organisations,
  seq bigint not null,
  at timestamptz not null default now(),
  account_id uuid,
  action text not null check (action in ('create', 'update', 'delete', 'export', 'import', 'undo', 'sign_in')),
  entity text not null,
  entity_id uuid,
  person_id uuid,
  chapter_id uuid,
  group_id uuid,
  needs text not null,
  diff jsonb not null,
  request_id text,
  via text,
  prev_hash bytea not null,
  hash bytea not null,
  primary key (org_id, seq)
);
comment on table app.audit_entries is 'Who changed what and when; each entry carries the hash of the one before, so that a change to any is found';
comment on column app.audit_entries.needs is 'Permission over the subject that lets someone read this entry';
comment on column app.audit_entries.diff is 'Of an update column to [before, after]; of anything else the row, which app.audit_changes shows as such pairs';
create index audit_entries_by_person on app.audit_entries (org_id, person_id, seq desc) where person_id is not null;
create index audit_entries_by_chapter on app.audit_entries (org_id, chapter_id, seq desc) where chapter_id is not null;
create index audit_entries_by_group on app.audit_entries (org_id, group_id, seq desc) where group_id is not null;
create index audit_entries_by_account on app.audit_entries (org_id, account_id, seq desc);
create index audit_entries_by_time on app.audit_entries using brin (at);

create table app.audit_heads (
  org_id uuid primary key references app.organisations,
  seq bigint not null default 0,
  hash bytea not null default '\x00'
);
comment on table app.audit_heads is 'Last link of each organisation''s chain; its row lock puts entries in order';

create function app_private.audit_link(prev bytea, org uuid, seq bigint, at timestamptz, account uuid, action text, entity text, entity_id uuid, diff jsonb)
  returns bytea language sql immutable set search_path = pg_catalog, pg_temp as $$
  select sha256(prev || convert_to(concat_ws('|', org, seq, extract(epoch from at), coalesce(account::text, '-'), action, entity, coalesce(entity_id::text, '-'), diff::text), 'UTF8'))
$$;

create function app_private.audit_next(link bytea, head bytea, content bytea) returns bytea language sql immutable parallel safe set search_path = pg_catalog, pg_temp
as 'select sha256(coalesce(link, head) || content)';
create aggregate app_private.audit_chain (head bytea, content bytea) (sfunc = app_private.audit_next, stype = bytea);
comment on aggregate app_private.audit_chain(bytea, bytea) is 'Over entries in their order: the hash of each, which follows from the one before; the first one''s from head';

create function app_private.audit_append(org uuid, action text, entity text, needs text, rows_before jsonb[], rows_after jsonb[]) returns void
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
    insert into app.audit_entries (org_id, seq, at, account_id, action, entity, entity_id, person_id, chapter_id, group_id, needs, diff, request_id, via, prev_hash, hash)
    select org, l.seq, now(), me, action, entity, l.id,
      case when entity = 'people' then l.id else (l.subject ->> 'person_id')::uuid end,
      case when entity = 'chapters' then l.id else (l.subject ->> 'chapter_id')::uuid end,
      case when entity = 'groups' then l.id else (l.subject ->> 'group_id')::uuid end,
      needs, l.diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.via', true), ''),
      lag(l.hash, 1, head.hash) over (order by l.seq), l.hash
    from linked l
    returning audit_entries.seq, audit_entries.hash
  )
  update app.audit_heads h set seq = w.seq, hash = w.hash from (select * from written order by seq desc limit 1) w where h.org_id = org;
end $$;

-- One trigger function for all tables; its argument is the permission that lets someone read the entry.
create function app.audit_insert() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  for org in select distinct r.org_id from changed r loop
    perform app_private.audit_append(org, 'create', tg_table_name, tg_argv[0], null, (select array_agg(to_jsonb(r)) from changed r where r.org_id = org));
  end loop;
  return null;
end $$;
create function app.audit_delete() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  for org in select distinct r.org_id from changed r loop
    perform app_private.audit_append(org, 'delete', tg_table_name, tg_argv[0], (select array_agg(to_jsonb(r)) from changed r where r.org_id = org), null);
  end loop;
  return null;
end $$;
create function app.audit_update() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  -- What triggers themselves update of people (home chapter, majority) follows from other rows, whose entries say it all.
  if tg_table_name = 'people' and pg_trigger_depth() > 1 then return null; end if;
  for org in select distinct r.org_id from changed r loop
    -- Keys never change, so both transition tables pair up by the key column; an equality, so that many rows are hashed instead of compared each with each.
    perform app_private.audit_append(org, 'update', tg_table_name, tg_argv[0], array_agg(b.content), array_agg(a.content))
      from (select to_jsonb(r) as content from before r where r.org_id = org) b
      join (select to_jsonb(r) as content from changed r where r.org_id = org) a
        on coalesce(b.content ->> 'id', b.content ->> 'person_id', b.content ->> 'org_id') = coalesce(a.content ->> 'id', a.content ->> 'person_id', a.content ->> 'org_id');
  end loop;
  return null;
end $$;

do $$
declare
  t record;
begin
  for t in select * from (values
    ('people', 'people.directory'), ('person_emails', 'people.contact'), ('person_phones', 'people.contact'), ('person_contacts', 'people.contact'),
    ('person_private', 'people.sensitive'), ('person_tags', 'people.directory'), ('tags', 'audit.read'),
    ('affiliations', 'people.directory'), ('chapters', 'people.directory'), ('positions', 'people.directory'), ('position_holders', 'people.directory'),
    ('groups', 'people.directory'), ('group_members', 'people.directory'),
    ('organisations', 'audit.read'), ('accounts', 'audit.read'), ('roles', 'audit.read'), ('role_permissions', 'audit.read'), ('grants', 'audit.read')
  ) as v (name, needs) loop
    execute format('create trigger %1$s_audit_insert after insert on app.%1$s referencing new table as changed for each statement execute function app.audit_insert(%2$L)', t.name, t.needs);
    execute format('create trigger %1$s_audit_delete after delete on app.%1$s referencing old table as changed for each statement execute function app.audit_delete(%2$L)', t.name, t.needs);
    if t.name not in ('person_tags', 'role_permissions') then
      execute format('create trigger %1$s_audit_update after update on app.%1$s referencing old table as before new table as changed for each statement execute function app.audit_update(%2$L)', t.name, t.needs);
    end if;
  end loop;
end $$;

create function app.record_audit(action text, entity text, entity_id uuid, diff jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if action not in ('export', 'import', 'undo', 'sign_in') then
    raise exception 'only events without a row of their own are recorded by hand' using errcode = '22023';
  end if;
  if (app.actor()).org_id is null then raise exception 'no actor' using errcode = '28000'; end if;
  perform app_private.audit_append((app.actor()).org_id, action, entity, 'audit.read', null, array[jsonb_build_object('id', entity_id) || diff]);
end $$;
comment on function app.record_audit(text, text, uuid, jsonb) is 'Appends an event that no table change stands for: an export, an import, a sign-in';

create function app.audit_changes(action text, diff jsonb) returns table (field text, before jsonb, after jsonb)
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select d.key, case action when 'update' then d.value -> 0 when 'delete' then d.value end, case action when 'update' then d.value -> 1 when 'delete' then null else d.value end
  from jsonb_each(diff) d where action in ('update', 'delete') or d.value not in ('""'::jsonb, '[]'::jsonb, '{}'::jsonb)
$$;
comment on function app.audit_changes(text, jsonb) is 'What an entry says column by column; null is before there was a value, or after';

create function app.audit_value(action text, diff jsonb, field text) returns text
  language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select case action when 'update' then coalesce(diff -> field ->> 1, diff -> field ->> 0) else diff ->> field end
$$;
comment on function app.audit_value(text, jsonb, text) is 'A column of the record that an entry is about, as it was last';

create function app.account_name(account uuid) returns table (name text, person_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(p.display_name, a.name), a.person_id from app.accounts a left join app.people p on p.org_id = a.org_id and p.id = a.person_id
  where a.org_id = (select app.org_id()) and a.id = account
$$;
comment on function app.account_name(uuid) is 'Name of an account of the actor''s organisation, to say who changed something; accounts themselves are for administrators';

create function app.verify_audit_of(org uuid, out checked bigint, out first_broken bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  prev bytea := '\x00';
  expected bigint := 0;
  e app.audit_entries;
begin
  checked := 0;
  for e in select * from app.audit_entries a where a.org_id = org order by a.seq loop
    expected := expected + 1;
    if e.seq <> expected or e.prev_hash <> prev
      or e.hash <> app_private.audit_link(prev, e.org_id, e.seq, e.at, e.account_id, e.action, e.entity, e.entity_id, e.diff) then
      first_broken := e.seq;
      return;
    end if;
    prev := e.hash;
    checked := checked + 1;
  end loop;
  if exists (select from app.audit_heads h where h.org_id = org and h.hash <> prev) then first_broken := expected + 1; end if;
end $$;
comment on function app.verify_audit_of(uuid) is 'Walks the chain; first_broken is the first entry that was changed, removed or added behind the log''s back; run daily';

create function app.verify_audit(out checked bigint, out first_broken bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not app.everywhere('audit.read') then raise exception 'not allowed' using errcode = '42501'; end if;
  select v.checked, v.first_broken into checked, first_broken from app.verify_audit_of(app.org_id()) v;
end $$;
comment on function app.verify_audit() is 'The same for whoever may read the whole log of their organisation';

grant select, insert on app.audit_entries to app_definer;
grant select, insert, update on app.audit_heads to app_definer;
grant execute on function app_private.audit_link(bytea, uuid, bigint, timestamptz, uuid, text, text, uuid, jsonb) to app_definer;
grant execute on function app_private.audit_next(bytea, bytea, bytea), app_private.audit_chain(bytea, bytea) to app_definer;
grant execute on function app_private.audit_append(uuid, text, text, text, jsonb[], jsonb[]) to app_definer;
grant execute on function app.verify_audit_of(uuid) to app_worker;
grant execute on function app.record_audit(text, text, uuid, jsonb), app.verify_audit(), app.account_name(uuid), app.audit_changes(text, jsonb),
  app.audit_value(text, jsonb, text) to app_access;
