-- Files that hang on records, and the picture of a person or of the organisation. What they hold lies in the file store; here stands what they are.

-- The organisation is a record too: its logo hangs on it.
alter table app.organisations add column id uuid not null generated always as (org_id) stored;
comment on column app.organisations.id is 'The organisation as a record on which others hang';
select app_private.hide_in_audit('app.organisations', 'id');
select app_private.register_record('organisation', 'app.organisations', 'audit.read', 'false', 'true');

create table app.files (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  record_type text not null,
  record_id uuid not null,
  use text not null check (use in ('attachment', 'picture')),
  name text not null check (char_length(name) between 1 and 200),
  type text not null check (type ~ '^[a-z]+/[a-z0-9.+-]{1,100}$'),
  bytes bigint not null check (bytes > 0),
  added_by uuid,
  removed_at timestamptz,
  created_by uuid not null,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
comment on table app.files is 'Files of records, and pictures of people and of the organisation; the content lies in the file store under files/{org_id}/{id}';
comment on column app.files.use is 'attachment: listed with its record; picture: the one face of it';
comment on column app.files.type is 'Media type, found from the content';
comment on column app.files.added_by is 'The person who added it';
comment on column app.files.removed_at is 'Since when it is gone from its record; it can be restored for 7 days';
create index files_of_record on app.files (org_id, record_type, record_id, created_at, id);
create unique index files_one_picture on app.files (org_id, record_type, record_id) where use = 'picture' and removed_at is null;
create index files_by_account on app.files (org_id, created_by, created_at);

select app_private.protect('app.files');
select app_private.keep_version('app.files');
select app_private.follow_record('app.files', 'change', 'change');
select app_private.keep_audit('app.files', 'record', 'record_id');
-- Whose account it was stands in the entry itself.
select app_private.hide_in_audit('app.files', 'added_by');
create policy files_own on app.files as restrictive for insert to app_access
  with check (org_id = (select app.org_id()) and created_by = (select app.account_id()) and added_by is not distinct from (select app.person_id()));
grant select, insert (org_id, id, record_type, record_id, use, name, type, bytes, added_by, created_by), update (name, removed_at) on app.files to app_access;

-- The picture stands with the person, so that lists have it without a look elsewhere.
alter table app.people add column picture_id uuid;
comment on column app.people.picture_id is 'File with the picture; kept by a trigger of files';
select app_private.hide_in_audit('app.people', 'picture_id');
grant update (picture_id) on app.people to app_definer;
create function app_private.files_show_picture() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare f app.files := case tg_op when 'DELETE' then old else new end;
begin
  update app.people p set picture_id = s.id
    from (select (select n.id from app.files n where n.org_id = f.org_id and n.record_type = 'person' and n.record_id = f.record_id
      and n.use = 'picture' and n.removed_at is null) as id) s
    where p.org_id = f.org_id and p.id = f.record_id and p.picture_id is distinct from s.id;
  return null;
end $$;
comment on function app_private.files_show_picture() is 'Keeps the picture that stands with a person';
create trigger files_picture_new after insert or update of removed_at on app.files for each row when (new.use = 'picture' and new.record_type = 'person')
  execute function app_private.files_show_picture();
create trigger files_picture_gone after delete on app.files for each row when (old.use = 'picture' and old.record_type = 'person')
  execute function app_private.files_show_picture();

-- What lies in the store without a row: uploads under way, and files whose row is gone. A sweep removes it when it is due, so that a server that
-- is killed in the middle leaves nothing for ever.
create table app.loose_files (
  org_id uuid not null references app.organisations on delete cascade,
  file_id uuid not null,
  created_by uuid,
  due_at timestamptz not null default now() + interval '2 hours',
  primary key (org_id, file_id)
);
comment on table app.loose_files is 'Files in the store that no row names: uploads under way and removed ones, until they are swept. Not in the audit log: it says what is left to do';
create index loose_files_due on app.loose_files (due_at);
select app_private.protect('app.loose_files');
create policy loose_files_read on app.loose_files for select to app_access using (org_id = (select app.org_id()) and created_by = (select app.account_id()));
create policy loose_files_add on app.loose_files for insert to app_access with check (org_id = (select app.org_id()) and created_by = (select app.account_id()));
create policy loose_files_remove on app.loose_files for delete to app_access using (org_id = (select app.org_id()) and created_by = (select app.account_id()));
grant select, delete, insert (org_id, file_id, created_by) on app.loose_files to app_access;
grant select, insert, update, delete on app.loose_files to app_definer;

create function app_private.files_gone() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  insert into app.loose_files (org_id, file_id, due_at) select g.org_id, g.id, now() from gone g
    on conflict (org_id, file_id) do update set due_at = excluded.due_at;
  return null;
end $$;
comment on function app_private.files_gone() is 'The content of a file that is gone is due to be swept';
create trigger files_sweep after delete on app.files referencing old table as gone for each statement execute function app_private.files_gone();

create function app.upload_use(out bytes_today bigint, out under_way int) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce((select sum(f.bytes) from app.files f where f.org_id = app.org_id() and f.created_by = app.account_id() and f.created_at > now() - interval '1 day'), 0),
    (select count(*)::int from app.loose_files l where l.org_id = app.org_id() and l.created_by = app.account_id() and l.due_at > now())
$$;
comment on function app.upload_use() is 'What the account has stored within a day, and how many uploads of it are under way';
grant execute on function app.upload_use() to app_access;

create function app.due_files() returns table (org_id uuid, file_id uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select l.org_id, l.file_id from app.loose_files l
    where l.due_at <= now() and not exists (select from app.files f where f.org_id = l.org_id and f.id = l.file_id)
    order by l.due_at limit 500
$$;
comment on function app.due_files() is 'Contents in the store that are to be removed, for the worker';
create function app.swept_file(org uuid, file uuid) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.loose_files l where l.org_id = org and l.file_id = file
$$;
comment on function app.swept_file(uuid, uuid) is 'The content of this file was removed from the store';
create function app.purge_files() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.files f where f.removed_at < now() - interval '7 days';
  delete from app.loose_files l using app.files f where l.due_at <= now() and f.org_id = l.org_id and f.id = l.file_id
$$;
comment on function app.purge_files() is 'Forgets files that were removed 7 days ago; for the worker';
grant execute on function app.due_files(), app.swept_file(uuid, uuid), app.purge_files() to app_worker;

select app_private.own_definers();
