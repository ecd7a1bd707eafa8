-- Belonging to a chapter or a group lets its officers or leaders see and change more. So a tie is made, renewed or prolonged only by somebody
-- who holds that right over the person already, or who the person let in; and nobody makes themselves a member or a leader for what it opens.

create or replace function app.affiliations_reach() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  me uuid := app.account_id();
  myself uuid := app.person_id();
  today date;
  mine uuid[];
begin
  if me is null or app.everywhere('people.write') then return null; end if;
  today := app.today();
  mine := app.scope('people.write');
  -- What opens nothing new stays possible: ends that come sooner, corrections of what is over. The kind opens nothing to officers.
  if tg_op = 'INSERT' then
    if exists (select from changed c
        where not exists (select from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.created_by = me and p.created_at = now())
          and not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
            and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today) and not exists (select from changed n where n.id = a.id))) then
      raise exception 'this person does not belong to a chapter of yours today. Ask an administrator to add them' using errcode = '42501', constraint = 'affiliations_reach';
    end if;
  elsif exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.person_id, c.chapter_id) is distinct from (b.person_id, b.chapter_id)
          or greatest(c.starts_on, today) < greatest(b.starts_on, today) or coalesce(c.ends_on, 'infinity') > coalesce(b.ends_on, 'infinity'))
        and (c.ends_on is null or c.ends_on >= today)
        and not exists (select from app.people p where p.org_id = c.org_id and p.id = c.person_id and p.created_by = me and p.created_at = now())
        and not exists (select from before a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
          and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today))
        and not exists (select from app.affiliations a where a.org_id = c.org_id and a.person_id = c.person_id and a.chapter_id = any (mine)
          and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today) and not exists (select from changed n where n.id = a.id))) then
    raise exception 'this person does not belong to a chapter of yours today. Ask an administrator to renew the membership' using errcode = '42501', constraint = 'affiliations_reach';
  end if;
  if myself is null or not exists (select from changed c where c.person_id = myself) then return null; end if;
  -- A membership gives the one who has it what every member may do: that is for others to decide, as long as they have none.
  if not exists (select from app.affiliations a where a.org_id = app.org_id() and a.person_id = myself and a.kind in ('member', 'alumni', 'advisor')
        and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today) and not exists (select from changed n where n.id = a.id))
    and exists (select from changed c where c.person_id = myself and c.kind in ('member', 'alumni', 'advisor') and (c.ends_on is null or c.ends_on >= today)) then
    if tg_op = 'UPDATE' then
      if exists (select from before a where a.person_id = myself and a.kind in ('member', 'alumni', 'advisor')
          and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)) then return null; end if;
    end if;
    raise exception 'nobody makes themselves a member. Ask another officer or an administrator' using errcode = '42501', constraint = 'affiliations_own';
  end if;
  return null;
end $$;
comment on function app.affiliations_reach() is 'A tie to a chapter is made or renewed with a right over the person today that does not come from this very tie; a person entered in this transaction is free';
create trigger affiliations_reach_update after update on app.affiliations referencing old table as before new table as changed
  for each statement execute function app.affiliations_reach();

create or replace function app.group_members_consent() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare today date;
begin
  -- Asking counts like joining: who could ask in another's name could also accept.
  if (app.actor()).org_id is null or new.status not in ('active', 'requested') or new.person_id = app.person_id() then return new; end if;
  today := app.today();
  if tg_op = 'UPDATE' and (new.person_id, new.group_id) is not distinct from (old.person_id, old.group_id) then
    -- What the person agreed to: a request that still waits, a membership that still runs. One that ends today may be ended by the person.
    if old.status = 'requested' and old.ends_on is null then return new; end if;
    if old.status = 'active' and new.status = 'active' and (old.ends_on is null or (old.ends_on > today and coalesce(old.starts_on, today) <= today)
      or (coalesce(new.ends_on, 'infinity') <= old.ends_on and (new.ends_on < today or new.starts_on is not distinct from old.starts_on or new.starts_on > old.starts_on)))
      then return new; end if;
  end if;
  if not app.everywhere('groups.manage') and not app.everywhere('people.contact')
    and not exists (select from app.affiliations a where a.org_id = new.org_id and a.person_id = new.person_id and a.chapter_id = any (app.scope('people.contact'))
      and a.starts_on <= today and (a.ends_on is null or a.ends_on >= today)) then
    raise exception 'invite this person; joining is for them to decide' using errcode = '42501', constraint = 'group_members_consent';
  end if;
  return new;
end $$;
drop trigger group_members_consent on app.group_members;
create trigger group_members_consent before insert or update of status, starts_on, ends_on, person_id, group_id on app.group_members
  for each row execute function app.group_members_consent();

create function app.group_members_own_lead() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if (app.actor()).org_id is null or new.role <> 'leader' or new.status not in ('active', 'requested', 'invited') or new.person_id is distinct from app.person_id()
    or (tg_op = 'UPDATE' and old.role = 'leader' and old.ends_on is null and new.group_id = old.group_id)
    or app.everywhere('groups.manage') or app.everywhere('people.contact') or new.group_id = any (app.group_scope('people.contact'))
    -- Somebody else's group is no question of this one: the policies refuse.
    or not app_private.manages_group(new.org_id, new.group_id) then return new; end if;
  if exists (select from app.group_members m where m.org_id = new.org_id and m.group_id = new.group_id and m.person_id <> new.person_id
      and m.status = 'active' and m.ends_on is null
      and not exists (select from app.affiliations a where a.org_id = m.org_id and a.person_id = m.person_id and a.chapter_id = any (app.scope('people.contact'))
        and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today()))) then
    raise exception 'nobody makes themselves leader of people whose contact data they may not see. Ask another leader or an administrator' using errcode = '42501', constraint = 'group_members_own_lead';
  end if;
  return new;
end $$;
comment on function app.group_members_own_lead() is 'Leading opens the contact data of the members: nobody takes that for themselves beyond what they see already';
create trigger group_members_own_lead before insert or update of role, status, starts_on, ends_on, person_id, group_id on app.group_members
  for each row execute function app.group_members_own_lead();

-- Leaders look after the text of their group and its members. Where it belongs and who else sees it is decided by those who manage groups there.
create function app.groups_reach() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  mine uuid[];
  widths constant text[] := array['secret', 'private', 'members', 'public'];
begin
  if (app.actor()).org_id is null or pg_trigger_depth() > 1 or app.everywhere('groups.manage') then return new; end if;
  mine := app.scope('groups.manage');
  if tg_op = 'UPDATE' then
    if ((new.chapter_id, new.parent_id, new.code) is distinct from (old.chapter_id, old.parent_id, old.code)
        or array_position(widths, new.visibility) > array_position(widths, old.visibility))
      and (old.chapter_id = any (mine) and new.chapter_id = any (mine)) is not true then
      raise exception 'chapter, parent group and code of a group, and letting more people see it, are for those who manage groups in its chapter. Ask an officer there or an administrator'
        using errcode = '42501', constraint = 'groups_reach';
    end if;
    if new.parent_id is not distinct from old.parent_id then return new; end if;
  end if;
  if exists (select from app.groups g where g.org_id = new.org_id and g.id in (new.parent_id, old.parent_id)
      and not coalesce(g.chapter_id = any (mine), false) and not g.id = any (app.group_scope('groups.manage'))) then
    raise exception 'you do not manage the parent group. Ask its leaders or an administrator' using errcode = '42501', constraint = 'groups_reach_parent';
  end if;
  return new;
end $$;
comment on function app.groups_reach() is 'A group moves only between places that the actor manages by more than leading the group';
create trigger groups_reach before insert or update of chapter_id, parent_id, code, visibility on app.groups for each row execute function app.groups_reach();

do $$
declare f text;
begin
  grant create on schema app to app_definer;
  foreach f in array array['app.group_members_own_lead()', 'app.groups_reach()'] loop
    execute format('alter function %s owner to app_definer', f);
    execute format('revoke execute on function %s from public', f);
  end loop;
  revoke create on schema app from app_definer;
end $$;
