-- A number or code that is taken tells that somebody has it. So numbers are given by those who see everybody, and a group's code is compared with
-- the groups that whoever sets it sees.

alter policy people_add on app.people with check (
  org_id = (select app.org_id()) and created_by = (select app.account_id())
  -- Looked at before the unique key is.
  and (member_no is null or ((select app.everywhere('people.write')) and (select app.everywhere('people.sensitive'))))
  and ((select app.everywhere('people.write'))
    or ((select app.scope('people.write')) <> '{}' and (home_chapter_id is null or home_chapter_id = any ((select app.scope('people.write'))::uuid[])))));

create function app.people_member_no() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is not null and not (app.everywhere('people.write') and app.everywhere('people.sensitive')) then
    raise exception 'the office assigns member numbers' using errcode = '42501', constraint = 'people_member_no_office';
  end if;
  return new;
end $$;
comment on function app.people_member_no() is 'Member numbers are for those who see everybody; asked before the unique key is looked at';
create trigger people_member_no before update of member_no on app.people for each row when (new.member_no is distinct from old.member_no)
  execute function app.people_member_no();

alter table app.groups drop constraint groups_org_id_code_key;
create index groups_by_code on app.groups (org_id, code) where code is not null;
comment on column app.groups.code is 'Unique among the groups that whoever sets it sees; a secret group of others may have the same';

-- With the rights of whoever writes: what they do not see does not count.
create function app.groups_code() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  -- Of two who take a code at once, the second sees the first.
  perform pg_advisory_xact_lock(hashtextextended('group code:' || new.org_id || ':' || new.code, 0));
  if exists (select from app.groups g where g.org_id = new.org_id and g.code = new.code and g.id <> new.id) then
    raise exception 'another group has this code' using errcode = '23505', constraint = 'groups_code_taken';
  end if;
  return null;
end $$;
comment on function app.groups_code() is 'Keeps the code of a group unique among the groups that the actor sees';
create trigger groups_code_insert after insert on app.groups for each row when (new.code is not null) execute function app.groups_code();
create trigger groups_code_update after update of code, visibility on app.groups for each row
  when (new.code is not null and (new.code, new.visibility) is distinct from (old.code, old.visibility)) execute function app.groups_code();

grant create on schema app to app_definer;
alter function app.people_member_no() owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.people_member_no(), app.groups_code() from public;
