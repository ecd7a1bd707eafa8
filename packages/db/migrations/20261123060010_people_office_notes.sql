-- What officers note about a person is no part of what the person sees of themselves: it moves to a table of its own. And what is a right over
-- oneself ends where others decide: one's own day of death, and whether one counts as a minor.

create function app.my_records() returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  me uuid := app.person_id();
begin
  if me is null then return '{}'; end if;
  return array(
    with recursive upwards (id) as (
      select me union select p.merged_into from upwards u join app.people p on p.org_id = org and p.id = u.id where p.merged_into is not null),
    mine (id) as (
      select u.id from upwards u union select p.id from mine m join app.people p on p.org_id = org and p.merged_into = m.id)
    select m.id from mine m);
end $$;
comment on function app.my_records() is 'Records that are the actor: their person, and what was merged into it or it was merged into';
grant create on schema app to app_definer;
alter function app.my_records() owner to app_definer;
revoke execute on function app.my_records() from public;
grant execute on function app.my_records() to app_access, app_definer;

create table app.person_office_notes (
  org_id uuid not null,
  person_id uuid not null,
  note text not null default '' check (char_length(note) <= 5000),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people on delete cascade
);
comment on table app.person_office_notes is 'What officers note about a person; never seen by that person, whatever rights they have';
alter table app.person_office_notes enable row level security;
alter table app.person_office_notes force row level security;
create policy person_office_notes_definer on app.person_office_notes to app_definer using (org_id is not null) with check (org_id is not null);

insert into app.person_office_notes (org_id, person_id, note) select v.org_id, v.person_id, v.note from app.person_private v where v.note <> '';
alter table app.person_private drop column note;
comment on table app.person_private is 'What only the person and people with the right to sensitive data see';

-- Imports that can still be undone remember the note where it is now.
update app.import_rows r set effects = (
    select jsonb_agg(part.effect order by e.place, part.place)
    from jsonb_array_elements(r.effects) with ordinality e (effect, place)
    cross join lateral (
      select e.effect, 1 as place where not (e.effect ->> 'table' = 'person_private' and coalesce(e.effect -> 'after', '{}') ? 'note')
      union all
      select e.effect || jsonb_build_object('after', (e.effect -> 'after') - 'note',
          'before', case jsonb_typeof(e.effect -> 'before') when 'object' then (e.effect -> 'before') - 'note' else 'null' end), 1
        where e.effect ->> 'table' = 'person_private' and e.effect -> 'after' ? 'note' and (e.effect -> 'after') - 'note' <> '{}'
      union all
      select e.effect || jsonb_build_object('table', 'person_office_notes', 'after', jsonb_build_object('note', e.effect -> 'after' -> 'note'),
          'before', case jsonb_typeof(e.effect -> 'before') when 'object' then jsonb_build_object('note', e.effect -> 'before' -> 'note') else 'null' end), 2
        where e.effect ->> 'table' = 'person_private' and e.effect -> 'after' ? 'note'
    ) part)
  where r.outcome = 'update' and jsonb_path_exists(r.effects, '$[*] ? (@.table == "person_private" && exists (@.after.note))');

do $$
declare
  -- As for person_private, save that nobody reaches their own.
  reachable constant text := $p$ org_id = (select app.org_id()) and person_id <> all ((select app.my_records())::uuid[])
    and ((select app.everywhere('people.sensitive'))
      or exists (select 1 from app.affiliations a where a.org_id = person_office_notes.org_id and a.person_id = person_office_notes.person_id
        and a.chapter_id = any ((select app.scope('people.sensitive'))::uuid[])
        and a.starts_on <= (select app.today()) and (a.ends_on is null or a.ends_on >= (select app.today())))) $p$;
begin
  execute format('create policy person_office_notes_read on app.person_office_notes for select to app_access using (%s)', reachable);
  execute format('create policy person_office_notes_add on app.person_office_notes for insert to app_access with check (%s)', reachable);
  execute format('create policy person_office_notes_change on app.person_office_notes for update to app_access using (%1$s) with check (%1$s)', reachable);
  execute format('create policy person_office_notes_remove on app.person_office_notes for delete to app_access using (%s)', reachable);
end $$;
grant select, delete, insert (org_id, person_id, note), update (note) on app.person_office_notes to app_access;
create trigger person_office_notes_audit_insert after insert on app.person_office_notes referencing new table as changed
  for each statement execute function app.audit_insert('people.sensitive');
create trigger person_office_notes_audit_update after update on app.person_office_notes referencing old table as before new table as changed
  for each statement execute function app.audit_update('people.sensitive');
create trigger person_office_notes_audit_delete after delete on app.person_office_notes referencing old table as changed
  for each statement execute function app.audit_delete('people.sensitive');

-- Entries from before this migration hold notes among the private data; the log cannot be rewritten, so such an entry is hidden as a whole.
create policy audit_entries_notes on app.audit_entries as restrictive for select to app_access using (
  org_id = (select app.org_id())
  and (entity not in ('person_office_notes', 'person_private') or person_id <> all ((select app.my_records())::uuid[])
    or (entity = 'person_private' and coalesce(diff ->> 'note', '') = '')));
comment on policy audit_entries_notes on app.audit_entries is 'Nobody reads in the log what officers note about them';

create function app.person_private_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mine uuid[];
  own_death boolean;
begin
  if pg_trigger_depth() > 1 or (app.actor()).org_id is null then return null; end if;
  mine := app.my_records();
  if not exists (select from changed c where c.person_id = any (mine)) then return null; end if;
  if tg_op = 'INSERT' then
    own_death := exists (select from changed c where c.person_id = any (mine) and c.deceased_on is not null);
  else
    own_death := exists (select from changed c join before b on b.org_id = c.org_id and b.person_id = c.person_id
      where c.person_id = any (mine) and c.deceased_on is distinct from b.deceased_on);
  end if;
  if own_death then
    raise exception 'nobody changes their own day of death' using errcode = '42501', constraint = 'person_own_death';
  end if;
  -- Whoever is a minor stays one at least as long as before: else a birth date that makes them of age tomorrow would do.
  if exists (select from changed c join app.organisations o on o.org_id = c.org_id join app.people p on p.org_id = c.org_id and p.id = c.person_id
      cross join lateral (select case when p.minor_until > current_date then p.minor_until end as was, app_private.minor_until(c.birth_date, o.majority_age) as becomes) m
      where c.person_id = any (mine) and ((m.was is null) <> (m.becomes is null) or m.becomes < m.was)) then
    raise exception 'only an officer changes whether someone is a minor' using errcode = '42501', constraint = 'person_own_majority';
  end if;
  return null;
end $$;
comment on function app.person_private_guard() is 'What the right over oneself does not reach: whether one counts as a minor, and one''s own day of death';
alter function app.person_private_guard() owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.person_private_guard() from public;
-- Triggers run in the order of their names: before person_private_derive, after which people.minor_until is no longer what it was.
create trigger person_private_by_oneself_insert after insert on app.person_private referencing new table as changed
  for each statement execute function app.person_private_guard();
create trigger person_private_by_oneself_update after update on app.person_private referencing old table as before new table as changed
  for each statement execute function app.person_private_guard();
