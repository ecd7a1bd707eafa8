-- The cover of an event is a picture of its own, in the sizes that pictures have, with words for who does not see it. Copies and the events of a
-- series share the picture of the event they come from, so who sees one of them sees it.
alter table app.events add column cover_alt text not null default '' check (char_length(cover_alt) <= 300);
comment on column app.events.cover_alt is 'What its picture shows, for who does not see it';
grant insert (cover_alt), update (cover_alt) on app.events to app_access;

-- An event has its cover and whatever was uploaded and not chosen yet.
drop index app.files_one_picture;
create unique index files_one_picture on app.files (org_id, record_type, record_id) where use = 'picture' and removed_at is null and record_type <> 'event';
comment on column app.files.use is 'attachment: listed with its record; picture: its face, or the cover of an event';

-- Files of an event could be named as its cover by programs; they are in no size that a page shows. They stay among its files.
update app.events e set cover_file_id = null
  where exists (select from app.files f where f.org_id = e.org_id and f.id = e.cover_file_id and f.use <> 'picture');

create policy files_covers on app.files for select to app_access
  using (use = 'picture' and record_type = 'event' and exists (select from app.events e where e.org_id = files.org_id and e.cover_file_id = files.id));

-- Runs as whoever changes the event: a picture that they do not see is none.
create function app_private.events_cover() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if not exists (select from app.files f where f.org_id = new.org_id and f.id = new.cover_file_id and f.use = 'picture' and f.record_type = 'event') then
    raise exception 'the cover of an event is a picture of an event' using errcode = '23514', constraint = 'event_cover';
  end if;
  return new;
end $$;
comment on function app_private.events_cover() is 'A cover is a picture of an event that whoever chooses it sees';
create trigger events_cover_new before insert on app.events for each row when (new.cover_file_id is not null) execute function app_private.events_cover();
create trigger events_cover_change before update of cover_file_id on app.events for each row
  when (new.cover_file_id is not null and new.cover_file_id is distinct from old.cover_file_id) execute function app_private.events_cover();

grant update (removed_at) on app.files to app_definer;
-- A picture that no event shows any more is removed, and comes back with the event that shows it again.
create function app_private.events_cover_changed() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  update app.files f set removed_at = case when f.id = new.cover_file_id then null else now() end
    where f.org_id = new.org_id and f.use = 'picture' and (f.id = new.cover_file_id and f.removed_at is not null
      or f.id = old.cover_file_id and f.removed_at is null and not exists (select from app.events e where e.org_id = f.org_id and e.cover_file_id = f.id));
  return null;
end $$;
comment on function app_private.events_cover_changed() is 'Removes the picture that no event shows any more';
create trigger events_cover_changed after update of cover_file_id on app.events for each row when (new.cover_file_id is distinct from old.cover_file_id)
  execute function app_private.events_cover_changed();

create or replace function app.purge_files() returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  delete from app.files f where f.removed_at < now() - interval '7 days';
  delete from app.files f where f.use = 'picture' and f.record_type = 'event' and f.created_at < now() - interval '7 days'
    and not exists (select from app.events e where e.org_id = f.org_id and e.cover_file_id = f.id);
  delete from app.loose_files l using app.files f where l.due_at <= now() and f.org_id = l.org_id and f.id = l.file_id
$$;
comment on function app.purge_files() is 'Forgets files that were removed 7 days ago, and pictures that no event has shown since; for the worker';
create index files_event_pictures on app.files (created_at) where use = 'picture' and record_type = 'event';

-- The words go where the picture goes: to the next events of a series, and to the public page.
do $$
declare
  series constant text := pg_get_functiondef('app_private.grow_series(uuid, uuid, date[], date)'::regprocedure);
  page constant text := pg_get_functiondef('app.public_event(text, uuid)'::regprocedure);
begin
  if strpos(series, 'e.cover_file_id, series') = 0 or strpos(page, '''coverFileId'', e.cover_file_id') = 0 then
    raise exception 'the functions that hand covers on have changed';
  end if;
  execute replace(replace(series, 'cover_file_id, series_id', 'cover_file_id, cover_alt, series_id'), 'e.cover_file_id, series', 'e.cover_file_id, e.cover_alt, series');
  execute replace(page, '''coverFileId'', e.cover_file_id', '''coverFileId'', e.cover_file_id, ''coverAlt'', e.cover_alt');
end $$;

select app_private.own_definers();
