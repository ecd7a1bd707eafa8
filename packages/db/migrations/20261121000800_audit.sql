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
comment on column app.audit_entries.diff is 'Column to [before, after]';
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

create function app_private.audit_append(org uuid, action text, entity text, needs text, rows_before jsonb[], rows_after jsonb[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden constant text[] := array['org_id', 'version', 'updated_at', 'created_at', 'search', 'sort_name', 'address_key', 'local_key', 'digits', 'title_key', 'name_key', 'created_by', 'birthday', 'home_chapter_id', 'minor_until', 'depth', 'display_name', 'last_login_at'];
  head app.audit_heads;
  me uuid;
  subjects jsonb[];
  diffs jsonb[];
  contents bytea[];
  content bytea;
  links bytea[];
  first_seq bigint;
begin
  -- All differences in one statement; only the links need the one before them.
  select array_agg(x.subject order by x.place), array_agg(x.diff order by x.place) into subjects, diffs
    from (
      select u.place, coalesce(u.new_row, u.old_row) as subject,
        case
          when u.old_row is null then (select jsonb_object_agg(n.key, jsonb_build_array(null, n.value)) from jsonb_each(u.new_row - hidden) n
            where n.value not in ('""'::jsonb, 'null'::jsonb, '[]'::jsonb, '{}'::jsonb))
          when u.new_row is null then (select jsonb_object_agg(o.key, jsonb_build_array(o.value, null)) from jsonb_each(u.old_row - hidden) o)
          else (select jsonb_object_agg(n.key, jsonb_build_array(u.old_row -> n.key, n.value)) from jsonb_each(u.new_row - hidden) n
            where (u.old_row -> n.key) is distinct from n.value)
        end as diff
      from unnest(rows_before, rows_after) with ordinality u (old_row, new_row, place)
    ) x where x.diff is not null;
  if subjects is null then return; end if;
  me := (app.actor()).account_id;
  insert into app.audit_heads (org_id) values (org) on conflict do nothing;
  select * into head from app.audit_heads h where h.org_id = org for update;
  first_seq := head.seq;
  -- What audit_link hashes, written out once for all entries: calling it for each would take longer than everything else.
  select array_agg(convert_to(concat_ws('|', org, first_seq + x.place, extract(epoch from now()), coalesce(me::text, '-'), action, entity,
      coalesce(x.subject ->> 'id', '-'), x.diff::text), 'UTF8') order by x.place) into contents
    from unnest(subjects, diffs) with ordinality x (subject, diff, place);
  links := array[head.hash];
  foreach content in array contents loop
    head.hash := sha256(head.hash || content);
    links := links || head.hash;
  end loop;
  head.seq := first_seq + cardinality(subjects);
  insert into app.audit_entries (org_id, seq, at, account_id, action, entity, entity_id, person_id, chapter_id, group_id, needs, diff, request_id, via, prev_hash, hash)
    select org, first_seq + x.place, now(), me, action, entity, (x.subject ->> 'id')::uuid,
      case when entity = 'people' then (x.subject ->> 'id')::uuid else (x.subject ->> 'person_id')::uuid end,
      case when entity = 'chapters' then (x.subject ->> 'id')::uuid else (x.subject ->> 'chapter_id')::uuid end,
      case when entity = 'groups' then (x.subject ->> 'id')::uuid else (x.subject ->> 'group_id')::uuid end,
      needs, x.diff, nullif(current_setting('app.request_id', true), ''), nullif(current_setting('app.via', true), ''), x.prev_hash, x.hash
    from unnest(subjects, diffs, links[:cardinality(subjects)], links[2:]) with ordinality x (subject, diff, prev_hash, hash, place);
  update app.audit_heads h set seq = head.seq, hash = head.hash where h.org_id = org;
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

create function app.account_name(account uuid) returns table (name text, person_id uuid)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(p.display_name, a.name), a.person_id from app.accounts a left join app.people p on p.org_id = a.org_id and p.id = a.person_id
  where a.org_id = (select app.org_id()) and a.id = account
$$;
comment on function app.account_name(uuid) is 'Name of an account of the actor''s organisation, to say who changed something; accounts themselves are for administrators';

create function app.verify_audit(out checked bigint, out first_broken bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  prev bytea := '\x00';
  expected bigint := 0;
  e app.audit_entries;
begin
  if not app.everywhere('audit.read') then raise exception 'not allowed' using errcode = '42501'; end if;
  checked := 0;
  for e in select * from app.audit_entries a where a.org_id = app.org_id() order by a.seq loop
    expected := expected + 1;
    if e.seq <> expected or e.prev_hash <> prev
      or e.hash <> app_private.audit_link(prev, e.org_id, e.seq, e.at, e.account_id, e.action, e.entity, e.entity_id, e.diff) then
      first_broken := e.seq;
      return;
    end if;
    prev := e.hash;
    checked := checked + 1;
  end loop;
  if exists (select from app.audit_heads h where h.org_id = app.org_id() and h.hash <> prev) then first_broken := expected + 1; end if;
end $$;
comment on function app.verify_audit() is 'Walks the chain; first_broken is the first entry that was changed, removed or added behind the log''s back';

grant select, insert on app.audit_entries to app_definer;
grant select, insert, update on app.audit_heads to app_definer;
grant execute on function app_private.audit_link(bytea, uuid, bigint, timestamptz, uuid, text, text, uuid, jsonb) to app_definer;
grant execute on function app_private.audit_append(uuid, text, text, text, jsonb[], jsonb[]) to app_definer;
grant execute on function app.record_audit(text, text, uuid, jsonb), app.verify_audit(), app.account_name(uuid) to app_access;
