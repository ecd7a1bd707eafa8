-- Tags on any record. People keep a table of their own, by which their list is filtered among a million; the tags are the same.

-- Rows that hang on a record and of which some are for fewer than see it.
alter table app_private.record_followers add column open_when text, add column kept_for text;
comment on column app_private.record_followers.open_when is 'Condition on a row that everyone reads who sees its record';
comment on column app_private.record_followers.kept_for is 'Permissions, joined by or, of which one has to hold for the record to read any other row';

create or replace function app_private.rewrite_follower(f app_private.record_followers) returns void language plpgsql set search_path = pg_catalog, pg_temp as $$
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
  execute format('drop policy if exists %I on app.%I', f.tab || '_kept', f.tab);
  if f.kept_for is not null then
    execute format('create policy %I on app.%I as restrictive for select to app_access using ((%s) or (%s))',
      f.tab || '_kept', f.tab, f.open_when, app_private.record_condition(f.tab, f.kept_for));
  end if;
end $$;

create table app.record_tags (
  org_id uuid not null,
  record_type text not null check (record_type <> 'person'),
  record_id uuid not null,
  tag_id uuid not null,
  created_at timestamptz not null default now(),
  primary key (org_id, record_type, record_id, tag_id),
  foreign key (org_id, tag_id) references app.tags on delete cascade
);
comment on table app.record_tags is 'Which record other than a person carries which tag';
create index record_tags_by_tag on app.record_tags (org_id, tag_id, record_type, record_id);

select app_private.protect('app.record_tags');
select app_private.follow_record('app.record_tags', adds => 'change', removes => 'change');
-- Officers' tags are read where one may change people or see what is sensitive about them, as on people.
update app_private.record_followers set open_when = 'tag_id = any ((select app.member_tags())::uuid[])', kept_for = 'people.write or people.sensitive'
  where tab = 'record_tags';
select app_private.rewrite_follower(f) from app_private.record_followers f where f.tab = 'record_tags';
create policy record_tags_known on app.record_tags as restrictive for insert to app_access
  with check (exists (select from app.tags t where t.org_id = record_tags.org_id and t.id = record_tags.tag_id));
comment on policy record_tags_known on app.record_tags is 'A record is marked with tags that its editor sees';
select app_private.keep_audit('app.record_tags', 'record', 'record_id');
grant select, delete, insert (org_id, record_type, record_id, tag_id) on app.record_tags to app_access;

comment on table app.tags is 'Words that records are marked with, for officers or for every member';

-- The log says no more than the tags themselves do.
alter policy audit_entries_tags on app.audit_entries using (
  entity not in ('tags', 'person_tags', 'record_tags') or (org_id = (select app.org_id()) and (
    (select app.everywhere('people.write')) or (select app.everywhere('people.sensitive'))
    or (entity = 'tags' and ((select app.scope('people.write')) <> '{}' or (select app.scope('people.sensitive')) <> '{}'))
    or (entity in ('person_tags', 'record_tags') and (diff ->> 'tag_id')::uuid = any ((select app.member_tags())::uuid[]))
    or (entity = 'person_tags' and (
      exists (select from app.people_within('people.write') w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id)
      or exists (select from app.people_within('people.sensitive') w where w.org_id = audit_entries.org_id and w.person_id = audit_entries.person_id)))
    or (entity = 'record_tags' and (
      chapter_id = any ((select app.scope('people.write'))::uuid[]) or chapter_id = any ((select app.scope('people.sensitive'))::uuid[])
      or group_id = any ((select app.group_scope('people.write'))::uuid[]) or group_id = any ((select app.group_scope('people.sensitive'))::uuid[]))))));

select app_private.own_definers();
