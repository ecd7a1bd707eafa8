-- What officers write down about a person, for themselves, for each other, or for all who look after people. The person never sees any of it.

create table app.notes (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  record_type text not null check (record_type = 'person'),
  record_id uuid not null,
  visibility text not null check (visibility in ('self', 'officers', 'organisation')),
  body jsonb not null check (app.formatted_text(body, 10000)),
  pinned boolean not null default false,
  author_id uuid,
  created_by uuid not null,
  edited_at timestamptz,
  deleted_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, author_id) references app.people on delete set null (author_id),
  foreign key (org_id, created_by) references app.accounts on delete cascade
);
comment on table app.notes is 'What officers note about a person; never seen by that person, whatever rights they have';
comment on column app.notes.visibility is 'self: the author. officers: whoever sees sensitive data of the person. organisation: whoever may change people or sees sensitive data anywhere, and sees the person';
comment on column app.notes.author_id is 'The person who wrote it; how they are called is for each reader to be told by their rights';
comment on column app.notes.deleted_at is 'The author and officers can restore it for 30 days';
create index notes_by_record on app.notes (org_id, record_type, record_id, created_at desc, id desc);
create index notes_by_author on app.notes (org_id, author_id);
create index notes_by_account on app.notes (org_id, created_by);
create index notes_deleted on app.notes (deleted_at) where deleted_at is not null;

create table app.note_versions (
  org_id uuid not null,
  note_id uuid not null,
  number int not null,
  person_id uuid not null,
  created_by uuid not null,
  visibility text not null,
  body jsonb not null,
  replaced_at timestamptz not null default now(),
  primary key (org_id, note_id, number),
  foreign key (org_id, note_id) references app.notes on delete cascade,
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.note_versions is 'What a note said before it was changed, for those for whom it was written then. Not in the audit log: nobody writes here, and the log tells of the change';
create index note_versions_by_person on app.note_versions (org_id, person_id);

select app_private.protect('app.notes');
select app_private.protect('app.note_versions');
select app_private.follow_record('app.notes', adds => 'see', changes => 'see');
select app_private.keep_version('app.notes');
select app_private.keep_audit('app.notes', 'record', 'record_id');
select app_private.hide_in_audit('app.notes', 'body');

do $$
declare
  -- %1$s is the table, %2$s its column with the person.
  ours constant text := '%1$s.org_id = (select app.org_id())';
  others constant text := '%1$s.%2$s <> all ((select app.my_records())::uuid[])';
  looks_after constant text := $p$((select app.everywhere('people.write')) or (select app.scope('people.write')) <> '{}'
    or (select app.everywhere('people.sensitive')) or (select app.scope('people.sensitive')) <> '{}')$p$;
  officer constant text := $p$((select app.everywhere('people.sensitive'))
    or exists (select from app.people_within('people.sensitive') w where w.org_id = %1$s.org_id and w.person_id = %1$s.%2$s))$p$;
  mine constant text := '%1$s.created_by = (select app.account_id())';
  reads constant text := concat_ws(' and ', ours, others, looks_after,
    format('(%%1$s.visibility = ''organisation'' or %%1$s.visibility = ''self'' and %s or %%1$s.visibility = ''officers'' and %s)', mine, officer));
  on_notes constant text[] := array['notes', 'record_id'];
begin
  execute format(format('create policy notes_read_whom on app.notes as restrictive for select to app_access using (%s and (deleted_at is null or %s or %s))', reads, mine, officer), variadic on_notes);
  execute format(format('create policy notes_add_own on app.notes as restrictive for insert to app_access with check (%s and %s
    and author_id is not distinct from (select app.person_id()))', reads, mine), variadic on_notes);
  execute format(format('create policy notes_change_whose on app.notes as restrictive for update to app_access using (%1$s and (%2$s or %3$s)) with check (%1$s and (%2$s or %3$s))', reads, mine, officer), variadic on_notes);
  execute format(format('create policy note_versions_read on app.note_versions for select to app_access using (%s
    and exists (select from app.notes n where n.org_id = note_versions.org_id and n.id = note_versions.note_id))', reads), 'note_versions', 'person_id');
  execute format(format('create policy audit_entries_noted on app.audit_entries as restrictive for select to app_access using (%s and (entity <> ''notes'' or (%s
    and (account_id = (select app.account_id()) or %s))))', ours, others, officer), 'audit_entries', 'person_id');
end $$;
comment on policy audit_entries_noted on app.audit_entries is 'That something was noted about a person, whoever sees sensitive data of the person reads, and whoever did it; what it says is not in the log';

create function app_private.notes_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null and pg_trigger_depth() = 1 then
    if old.created_by <> app.account_id() and (new.body, new.visibility, new.edited_at) is distinct from (old.body, old.visibility, old.edited_at) then
      raise exception 'a note is changed by its author only' using errcode = '42501', constraint = 'notes_author';
    end if;
    if old.deleted_at is not null and new.deleted_at is null and old.deleted_at < now() - interval '30 days' then
      raise exception 'this note was deleted more than 30 days ago' using errcode = '23514', constraint = 'note_purged';
    end if;
  end if;
  if (new.body, new.visibility) is distinct from (old.body, old.visibility) then
    insert into app.note_versions (org_id, note_id, number, person_id, created_by, visibility, body)
      values (old.org_id, old.id, old.version, old.record_id, old.created_by, old.visibility, old.body);
  end if;
  return new;
end $$;
comment on function app_private.notes_guard() is 'The author changes what a note says and who sees it, and what it said before is kept; officers pin and delete it';
create trigger notes_guard before update on app.notes for each row execute function app_private.notes_guard();

create function app_private.notes_erased() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  delete from app.notes n where n.org_id = new.org_id and n.author_id = new.id and n.visibility = 'self';
  return null;
end $$;
comment on function app_private.notes_erased() is 'What an erased person noted for themselves is gone; notes about them go as everything does that hangs on them';
create trigger people_notes_erased after update of lifecycle on app.people for each row when (new.lifecycle = 'erased' and old.lifecycle <> 'erased')
  execute function app_private.notes_erased();

create function app.purge_notes() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.notes n where n.deleted_at < now() - interval '30 days'
$$;
comment on function app.purge_notes() is 'Forgets notes that were deleted 30 days ago; for the worker';

grant select, insert (org_id, record_type, record_id, visibility, body, pinned, author_id, created_by),
  update (visibility, body, pinned, edited_at, deleted_at) on app.notes to app_access;
grant select on app.note_versions to app_access;
grant select, delete on app.notes to app_definer;
grant select, insert, delete on app.note_versions to app_definer;
select app_private.own_definers();
grant execute on function app.purge_notes() to app_worker;
