-- What hangs on a person goes with them when their record is merged into another: files, comments and notes, and what they wrote themselves.

grant update (record_id) on app.files to app_definer;
grant update (record_id, author_id) on app.notes to app_definer;
grant update (person_id) on app.note_versions to app_definer;
grant update (record_id) on app.comment_withheld to app_definer;
grant update (picture_id) on app.people to app_definer;

create function app.people_records_follow() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare m record;
begin
  for m in select c.org_id as org, c.id as gone, c.merged_into as stays from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where c.merged_into is not null and c.merged_into is distinct from b.merged_into loop
    -- Who stays keeps their own picture; the other one is left where it was.
    update app.files f set record_id = m.stays where f.org_id = m.org and f.record_type = 'person' and f.record_id = m.gone
      and not (f.use = 'picture' and f.removed_at is null and exists (select from app.files k where k.org_id = m.org and k.record_type = 'person'
        and k.record_id = m.stays and k.use = 'picture' and k.removed_at is null));
    update app.people p set picture_id = f.id
      from (select p.id as person, (select f.id from app.files f where f.org_id = m.org and f.record_type = 'person' and f.record_id = p.id and f.use = 'picture' and f.removed_at is null)
        from app.people p where p.org_id = m.org and p.id in (m.gone, m.stays)) f (person, id)
      where p.org_id = m.org and p.id = f.person and p.picture_id is distinct from f.id;
    update app.comment_withheld w set record_id = m.stays where w.org_id = m.org and w.record_type = 'person' and w.record_id = m.gone;
    update app.comments c set record_id = m.stays where c.org_id = m.org and c.record_type = 'person' and c.record_id = m.gone;
    update app.comments c set author_id = m.stays where c.org_id = m.org and c.author_id = m.gone;
    update app.notes n set record_id = m.stays where n.org_id = m.org and n.record_type = 'person' and n.record_id = m.gone;
    update app.note_versions v set person_id = m.stays where v.org_id = m.org and v.person_id = m.gone;
    update app.notes n set author_id = m.stays where n.org_id = m.org and n.author_id = m.gone;
  end loop;
  return null;
end $$;
comment on function app.people_records_follow() is 'Files, comments and notes when people are merged';
create trigger people_records_follow after update on app.people referencing old table as before new table as changed
  for each statement execute function app.people_records_follow();
select app_private.own_definers();
