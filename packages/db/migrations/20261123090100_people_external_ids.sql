-- Numbers that other systems give people, by which an import knows them again; and member numbers are found in any case.

create table app.person_external_ids (
  org_id uuid not null,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  system text not null check (system ~ '^[a-z0-9_-]{1,40}$'),
  external_id text not null check (char_length(external_id) between 1 and 120 and external_id = btrim(external_id)),
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  constraint person_external_ids_taken unique (org_id, system, external_id),
  constraint person_external_ids_one_each unique (org_id, person_id, system),
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.person_external_ids is 'Ids of people in other systems; for officers only, and assigned by those who see everybody';
comment on column app.person_external_ids.system is 'Which system the id is from, such as "civicrm"; "default" where nobody said';
select app_private.protect('app.person_external_ids');
select app_private.keep_audit('app.person_external_ids', 'people.contact');
-- Like contact data, but neither one's own nor for members or leaders of a group.
create policy person_external_ids_read on app.person_external_ids for select to app_access using (
  org_id = (select app.org_id())
  and ((select app.everywhere('people.sensitive'))
    or exists (select 1 from app.people p where p.org_id = person_external_ids.org_id and p.id = person_external_ids.person_id))
  and ((select app.everywhere('people.contact'))
    or exists (select 1 from app.affiliations a where a.org_id = person_external_ids.org_id and a.person_id = person_external_ids.person_id
      and a.chapter_id = any ((select app.scope('people.contact'))::uuid[])
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));
-- An id that is taken tells that somebody has it: these are looked at before the unique key is.
create policy person_external_ids_add on app.person_external_ids for insert to app_access with check (
  org_id = (select app.org_id()) and (select app.everywhere('people.write')) and (select app.everywhere('people.sensitive')));
create policy person_external_ids_change on app.person_external_ids for update to app_access using (
  org_id = (select app.org_id()) and (select app.everywhere('people.write')) and (select app.everywhere('people.sensitive')))
  with check (org_id = (select app.org_id()));
create policy person_external_ids_remove on app.person_external_ids for delete to app_access using (
  org_id = (select app.org_id()) and (select app.everywhere('people.write')) and (select app.everywhere('people.sensitive')));
grant select, delete, insert (org_id, id, person_id, system, external_id), update (external_id) on app.person_external_ids to app_access;

create policy audit_entries_external_ids on app.audit_entries as restrictive for select to app_access using (
  org_id = (select app.org_id()) and (entity <> 'person_external_ids'
    or (select app.everywhere('audit.read')) or (select app.everywhere('people.contact'))
    or exists (select 1 from app.affiliations a where a.org_id = audit_entries.org_id and a.person_id = audit_entries.person_id
      and a.chapter_id = any ((select app.scope('people.contact'))::uuid[])
      and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))));
comment on policy audit_entries_external_ids on app.audit_entries is 'The right over oneself shows no external ids in the log either';

create trigger person_external_ids_open_insert after insert on app.person_external_ids referencing new table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');
create trigger person_external_ids_open_delete after delete on app.person_external_ids referencing old table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');
create trigger person_external_ids_open_update after update on app.person_external_ids referencing new table as changed
  for each statement execute function app.person_record_guard('erased,merged,deceased');

-- A column of its own: below row-level security no index serves lower(member_no).
alter table app.people add column member_no_key text collate "C" generated always as (lower(member_no)) stored;
comment on column app.people.member_no_key is 'The member number in lower case, by which it is looked up';
create index people_by_member_no on app.people (org_id, member_no_key) where member_no_key is not null;

-- As before, save that the new key is no change to tell of.
create or replace function app_private.audit_append(org uuid, action text, entity text, needs text, rows_before jsonb[], rows_after jsonb[], record text default null) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  hidden constant text[] := array['org_id', 'version', 'updated_at', 'created_at', 'search', 'sort_name', 'address_key', 'member_no_key', 'local_key', 'digits', 'title_key', 'name_key', 'created_by', 'birthday', 'home_chapter_id', 'minor_until', 'depth', 'display_name', 'last_login_at'];
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
