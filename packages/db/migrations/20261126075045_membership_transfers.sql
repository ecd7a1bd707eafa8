-- A member moves from one chapter to another once the officers of both have agreed, on a day that was chosen.

create table app.transfers (
  org_id uuid not null references app.organisations on delete cascade,
  id uuid not null default app.uuid7(),
  person_id uuid not null,
  from_chapter_id uuid not null,
  to_chapter_id uuid not null,
  state text not null default 'requested' check (state in ('requested', 'source_ok', 'target_ok', 'approved', 'completed', 'rejected', 'withdrawn')),
  moves_on date not null,
  note text not null default '' check (char_length(note) <= 1000),
  requested_by uuid,
  source_by uuid,
  source_at timestamptz,
  target_by uuid,
  target_at timestamptz,
  ended_by uuid,
  ended_at timestamptz,
  reason text not null default '' check (char_length(reason) <= 500),
  completed_on date,
  version int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade,
  foreign key (org_id, from_chapter_id) references app.chapters (org_id, id),
  foreign key (org_id, to_chapter_id) references app.chapters (org_id, id),
  constraint transfers_elsewhere check (from_chapter_id <> to_chapter_id),
  constraint transfers_agreed check (case when state in ('source_ok', 'approved', 'completed') then source_at is not null when state in ('requested', 'target_ok') then source_at is null else true end
    and case when state in ('target_ok', 'approved', 'completed') then target_at is not null when state in ('requested', 'source_ok') then target_at is null else true end),
  constraint transfers_completed check ((state = 'completed') = (completed_on is not null))
);
comment on table app.transfers is 'Requests of members to move to another chapter, with what both chapters said; kept when they are over';
comment on column app.transfers.state is 'source_ok, target_ok: one chapter has agreed; approved: both have, and the day is still to come';
comment on column app.transfers.moves_on is 'First day in the new chapter that was asked for; agreed to later, the move is on that later day';
comment on column app.transfers.reason is 'Why it was rejected';
create unique index transfers_open on app.transfers (org_id, person_id) where state in ('requested', 'source_ok', 'target_ok', 'approved');
create index transfers_by_person on app.transfers (org_id, person_id, id desc);
create index transfers_from on app.transfers (org_id, from_chapter_id, state, id desc);
create index transfers_to on app.transfers (org_id, to_chapter_id, state, id desc);
create index transfers_by_state on app.transfers (org_id, state, id desc);
create index transfers_due on app.transfers (org_id, moves_on) where state = 'approved';
select app_private.protect('app.transfers');
select app_private.keep_version('app.transfers');
select app_private.keep_audit('app.transfers', 'memberships.read');
grant select, insert, update on app.transfers to app_definer;
grant select on app.transfers to app_access;

-- Who may decide -----------------------------------------------------------------------------------------------------------------------------------------

create function app_private.officer_in(org uuid, person uuid, wanted text) returns setof uuid language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select s.chapter_id from app.position_holders h
    join app.positions s on s.org_id = h.org_id and s.id = h.position_id
    join app.role_permissions p on p.org_id = s.org_id and p.role_id = s.role_id and p.permission = wanted
    where h.org_id = org and h.person_id = person and h.starts_on <= app_private.today_of(org) and (h.ends_on is null or h.ends_on >= app_private.today_of(org))
  union
  select g.chapter_id from app.accounts a
    join app.grants g on g.org_id = a.org_id and g.account_id = a.id and g.scope_kind = 'chapter'
    join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = wanted
    where a.org_id = org and a.person_id = person and g.starts_on <= app_private.today_of(org) and (g.ends_on is null or g.ends_on >= app_private.today_of(org))
$$;
comment on function app_private.officer_in(uuid, uuid, text) is 'Chapters in which a person holds a permission by an office or a grant of their own';

-- As before; an officer by a grant is one as well.
create or replace function app_private.decides_for(org uuid, requester uuid, chapter uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  reach uuid[];
begin
  if requester = app.person_id() or not app_private.minor_reached(org, requester) then return false; end if;
  if app.everywhere('memberships.manage') then return true; end if;
  reach := app.scope('memberships.manage');
  -- Of an officer who decides there, the tier above decides.
  return coalesce(chapter = any (reach), false) and not exists (
    select from app_private.officer_in(org, requester, 'memberships.manage') o (chapter_id)
    join app.chapter_ancestors a on a.org_id = org and a.chapter_id = chapter and a.ancestor_id = o.chapter_id
    join app.chapters c on c.org_id = org and c.id = o.chapter_id
    where not coalesce(c.parent_id = any (reach), false));
end $$;

create function app_private.deciders_of(org uuid, person uuid, chapter uuid, wanted text) returns uuid[] language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  tier uuid;
  ids uuid[];
  today constant date := app_private.today_of(org);
begin
  for tier in select a.ancestor_id from app.chapter_ancestors a where a.org_id = org and a.chapter_id = chapter order by a.distance loop
    -- What an officer of this tier asks for goes to the next one.
    continue when tier in (select app_private.officer_in(org, person, wanted));
    select array_agg(distinct a.id) into ids from app.accounts a
      where a.org_id = org and a.status = 'active' and a.person_id is distinct from person and (
        exists (select from app.grants g join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = wanted
          where g.org_id = a.org_id and g.account_id = a.id and g.scope_kind = 'chapter' and g.chapter_id = tier and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today))
        or a.person_id in (select h.person_id from app.positions s join app.position_holders h on h.org_id = s.org_id and h.position_id = s.id
          join app.role_permissions p on p.org_id = s.org_id and p.role_id = s.role_id and p.permission = wanted
          where s.org_id = org and s.chapter_id = tier and h.starts_on <= today and (h.ends_on is null or h.ends_on >= today)));
    if ids is not null then return ids; end if;
  end loop;
  return (select coalesce(array_agg(a.id), '{}') from app.accounts a where a.org_id = org and a.status = 'active' and a.person_id is distinct from person and (
    exists (select from app.roles r join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id and p.permission = wanted where r.org_id = org and r.key = any (a.idp_roles))
    or exists (select from app.grants g join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = wanted
      where g.org_id = a.org_id and g.account_id = a.id and g.scope_kind = 'org' and g.starts_on <= today and (g.ends_on is null or g.ends_on >= today))));
end $$;
comment on function app_private.deciders_of(uuid, uuid, uuid, text) is 'Accounts of those who decide about a person in a chapter: its own officers, else the nearest tier above that has some, else administrators';

create function app.transfer_people() returns table (person_id uuid, display_name text) language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  reach uuid[] := app.scope('memberships.manage');
begin
  if reach = '{}' then return; end if;
  return query select t.person_id, p.display_name from app.transfers t join app.people p on p.org_id = t.org_id and p.id = t.person_id
    where t.org_id = org and t.state in ('requested', 'source_ok', 'target_ok', 'approved') and (t.from_chapter_id = any (reach) or t.to_chapter_id = any (reach))
      and p.deleted_at is null and app_private.minor_reached(org, p.id);
end $$;
comment on function app.transfer_people() is 'Who asks to leave or to come to the chapters of the actor: their name is seen until that is answered, also from a chapter that sees nothing else of them';

create function app.transfer_people_ids() returns uuid[] language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select coalesce(array_agg(s.person_id), '{}') from app.transfer_people() s
$$;
comment on function app.transfer_people_ids() is 'Those of app.transfer_people, for policies';

create policy transfers_read on app.transfers for select to app_access using (org_id = (select app.org_id()) and (
  person_id = (select app.person_id())
  or (((select app.everywhere('memberships.read')) or from_chapter_id = any ((select app.scope('memberships.read'))::uuid[]) or to_chapter_id = any ((select app.scope('memberships.read'))::uuid[]))
    and ((select app.everywhere('people.sensitive')) or exists (select from app.people p where p.org_id = transfers.org_id and p.id = transfers.person_id)
      or (state in ('requested', 'source_ok', 'target_ok', 'approved') and person_id = any ((select app.transfer_people_ids())::uuid[]))))));

-- Asking and answering -----------------------------------------------------------------------------------------------------------------------------------

create function app.request_transfer(person uuid, target uuid, moves_on date, note text) returns uuid language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  p app.people;
  source uuid;
  mine boolean := person is not distinct from app.person_id();
  leaves boolean;
  comes boolean;
  made uuid;
begin
  select x.* into p from app.people x where x.org_id = org and x.id = person for update;
  select a.chapter_id into source from app.affiliations a where a.org_id = org and a.person_id = person and a.kind = 'member'
    and a.starts_on <= app.today() and (a.ends_on is null or a.ends_on >= app.today()) order by a.is_primary desc, a.starts_on, a.id limit 1;
  leaves := app.decides_membership(person, source);
  comes := app.decides_membership(person, target);
  if p.id is null or not (mine or leaves or comes) then
    raise exception 'this person is moved by others' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if p.lifecycle in ('deceased', 'merged', 'erased') then perform app_private.refuse_closed(p.lifecycle); end if;
  if source is null then raise exception 'only a member of a chapter moves to another' using errcode = '23514', constraint = 'transfers_no_chapter'; end if;
  if target = source or exists (select from app.affiliations a where a.org_id = org and a.person_id = person and a.chapter_id = target and a.kind = 'member'
      and (a.ends_on is null or a.ends_on >= app.today())) then
    raise exception 'this person is a member there already' using errcode = '23514', constraint = 'transfers_elsewhere';
  end if;
  if exists (select from app.chapters c where c.org_id = org and c.id = target and c.status = 'closed') then
    raise exception 'this chapter is closed' using errcode = '23514', constraint = 'chapter_closed';
  end if;
  if exists (select from app.transfers t where t.org_id = org and t.person_id = person and t.state in ('requested', 'source_ok', 'target_ok', 'approved')) then
    raise exception 'a transfer is under way already' using errcode = '23P01', constraint = 'transfers_open';
  end if;
  if moves_on not between app.today() and app.today() + 366 then
    raise exception 'a move is on a day from today to a year from now' using errcode = '23514', constraint = 'transfers_day';
  end if;
  insert into app.transfers (org_id, person_id, from_chapter_id, to_chapter_id, moves_on, note, requested_by, state, source_by, source_at, target_by, target_at)
    values (org, person, source, target, moves_on, note, app.account_id(),
      case when leaves and comes then 'approved' when leaves then 'source_ok' when comes then 'target_ok' else 'requested' end,
      case when leaves then app.account_id() end, case when leaves then now() end, case when comes then app.account_id() end, case when comes then now() end)
    returning id into made;
  perform app_private.complete_transfers(org, array[made], app.today());
  return made;
end $$;
comment on function app.request_transfer(uuid, uuid, date, text) is 'Asks for the move of a member from their home chapter to another; whoever decides for a chapter has agreed for it. For members themselves and for officers of either chapter';

create function app.answer_transfer(transfer uuid, agreed boolean, why text, seen int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  t app.transfers;
  source boolean;
  target boolean;
begin
  select x.* into t from app.transfers x where x.org_id = org and x.id = transfer for update;
  if t.id is null or t.version <> seen then return false; end if;
  source := app.decides_membership(t.person_id, t.from_chapter_id);
  target := app.decides_membership(t.person_id, t.to_chapter_id);
  if not (source or target) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if t.state not in ('requested', 'source_ok', 'target_ok', 'approved') then
    raise exception 'this transfer is over' using errcode = '23P01', constraint = 'transfers_over';
  end if;
  if not agreed then
    if btrim(why) = '' then raise exception 'a rejection has a reason' using errcode = '23514', constraint = 'transfers_reason'; end if;
    update app.transfers x set state = 'rejected', reason = why, ended_by = app.account_id(), ended_at = now() where x.org_id = org and x.id = t.id;
    return true;
  end if;
  source := source and t.source_at is null;
  target := target and t.target_at is null;
  if not (source or target) then
    raise exception 'your chapter has agreed already' using errcode = '23P01', constraint = 'transfers_answered';
  end if;
  update app.transfers x set
      state = case when (source or t.source_at is not null) and (target or t.target_at is not null) then 'approved' when source or t.source_at is not null then 'source_ok' else 'target_ok' end,
      source_by = case when source then app.account_id() else t.source_by end, source_at = case when source then now() else t.source_at end,
      target_by = case when target then app.account_id() else t.target_by end, target_at = case when target then now() else t.target_at end
    where x.org_id = org and x.id = t.id;
  perform app_private.complete_transfers(org, array[t.id], app.today());
  return true;
end $$;
comment on function app.answer_transfer(uuid, boolean, text, int) is 'Agrees to a transfer for each chapter that the actor decides for, or rejects it with a reason, also once it is approved; false when it has changed since it was seen';

create function app.withdraw_transfer(transfer uuid, seen int) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  t app.transfers;
begin
  select x.* into t from app.transfers x where x.org_id = org and x.id = transfer for update;
  if t.id is null or t.version <> seen then return false; end if;
  if t.person_id is distinct from app.person_id() and t.requested_by is distinct from app.account_id() then
    raise exception 'only who asked for it withdraws it' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if t.state not in ('requested', 'source_ok', 'target_ok', 'approved') then
    raise exception 'this transfer is over' using errcode = '23P01', constraint = 'transfers_over';
  end if;
  update app.transfers x set state = 'withdrawn', ended_by = app.account_id(), ended_at = now() where x.org_id = org and x.id = t.id;
  return true;
end $$;
comment on function app.withdraw_transfer(uuid, int) is 'Withdraws a transfer that has not taken place; false when it has changed since it was seen';

-- Moving -------------------------------------------------------------------------------------------------------------------------------------------------

create function app_private.complete_transfers(org uuid, ids uuid[], today date) returns uuid[] language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  moved uuid[];
begin
  -- The trigger does the rest, as what the database does by itself.
  with done as (
    update app.transfers t set state = 'completed', completed_on = today, ended_at = now() where t.org_id = org and t.id = any (ids) and t.state = 'approved' and t.moves_on <= today
      and exists (select from app.people p where p.org_id = t.org_id and p.id = t.person_id and p.deleted_at is null and p.lifecycle not in ('deceased', 'merged', 'erased'))
      and exists (select from app.chapters c where c.org_id = t.org_id and c.id = t.to_chapter_id and c.status <> 'closed')
    returning t.id)
  select coalesce(array_agg(d.id), '{}') into moved from done d;
  return moved;
end $$;
comment on function app_private.complete_transfers(uuid, uuid[], date) is 'Carries out approved transfers whose day has come; which';

create function app_private.transfers_move() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t app.transfers;
  was_home boolean;
begin
  for t in select c.* from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.state = 'completed' and b.state <> 'completed' loop
    was_home := exists (select from app.affiliations a where a.org_id = t.org_id and a.person_id = t.person_id and a.chapter_id = t.from_chapter_id and a.is_primary and a.ends_on is null)
      or not exists (select from app.affiliations a where a.org_id = t.org_id and a.person_id = t.person_id and a.is_primary and a.ends_on is null);
    update app.affiliations a set ends_on = greatest(a.starts_on, t.completed_on - 1), is_primary = false
      where a.org_id = t.org_id and a.person_id = t.person_id and a.chapter_id = t.from_chapter_id and a.kind = 'member' and (a.ends_on is null or a.ends_on >= t.completed_on);
    update app.affiliations a set ends_on = greatest(a.starts_on, t.completed_on - 1), is_primary = false
      where a.org_id = t.org_id and a.person_id = t.person_id and a.chapter_id = t.to_chapter_id and a.kind = 'applicant' and a.ends_on is null;
    insert into app.affiliations (org_id, person_id, chapter_id, kind, starts_on, is_primary) values (t.org_id, t.person_id, t.to_chapter_id, 'member', t.completed_on, was_home)
      on conflict (org_id, person_id, starts_on, chapter_id, kind) do update set ends_on = null, is_primary = excluded.is_primary;
    -- Terms and issued invoices stay as they are; what is charged from now on has the share of the new chapter.
    update app.memberships m set chapter_id = t.to_chapter_id
      where m.org_id = t.org_id and m.person_id = t.person_id and m.chapter_id = t.from_chapter_id and m.status not in ('declined', 'withdrawn', 'cancelled');
  end loop;
  return null;
end $$;
comment on function app_private.transfers_move() is 'A completed transfer ends the membership in one chapter and begins it in the other, and the paid membership runs through the new one';
create trigger transfers_move after update on app.transfers referencing old table as before new table as changed for each statement execute function app_private.transfers_move();
grant update (is_primary) on app.affiliations to app_definer;

create function app_private.tell_of_transfer(org uuid, by uuid, transfer uuid, note jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  t app.transfers;
  member uuid[];
  officers uuid[];
begin
  select x.* into t from app.transfers x where x.org_id = org and x.id = transfer;
  member := array(select a.id from app.accounts a where a.org_id = org and a.person_id = t.person_id union select t.requested_by where t.requested_by is not null);
  officers := array(select unnest(app_private.deciders_of(org, t.person_id, t.from_chapter_id, 'memberships.manage')) union select unnest(app_private.deciders_of(org, t.person_id, t.to_chapter_id, 'memberships.manage')));
  note := note || jsonb_build_object('person', t.person_id, 'chapter', t.to_chapter_id, 'record', t.id,
    'params', jsonb_strip_nulls(jsonb_build_object('outcome', case t.state when 'requested' then null when 'source_ok' then null when 'target_ok' then null else t.state end, 'on', coalesce(t.completed_on, t.moves_on))));
  perform app_private.tell(org, by, array_remove(case t.state
    when 'source_ok' then app_private.deciders_of(org, t.person_id, t.to_chapter_id, 'memberships.manage')
    when 'target_ok' then app_private.deciders_of(org, t.person_id, t.from_chapter_id, 'memberships.manage')
    when 'requested' then officers
    else array(select unnest(officers) union select unnest(member)) end, by),
    note || jsonb_build_object('dedupe_key', concat('transfer:', t.id, ':', t.state)));
end $$;
comment on function app_private.tell_of_transfer(uuid, uuid, uuid, jsonb) is 'Tells those who have to answer a transfer, and all whom it concerns of how it ended';

create function app.tell_of_transfer(transfer uuid, note jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare actor app.actor_context := app.actor();
begin
  if not exists (select from app.transfers t where t.org_id = actor.org_id and t.id = transfer
      and (t.person_id = app.person_id() or actor.account_id in (t.requested_by, t.source_by, t.target_by, t.ended_by))) then
    raise exception 'only who acted on a transfer tells of it' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  perform app_private.tell_of_transfer(actor.org_id, actor.account_id, transfer, note);
end $$;
comment on function app.tell_of_transfer(uuid, jsonb) is 'Tells of what the actor did with a transfer; note says how its kind is told';

create function app.run_transfers(org uuid, today date, note jsonb) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  moved uuid[];
  over uuid[];
  one uuid;
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  -- What cannot take place any more is over.
  with gone as (
    update app.transfers t set state = 'withdrawn', ended_at = now() where t.org_id = org and t.state in ('requested', 'source_ok', 'target_ok', 'approved')
      and (exists (select from app.people p where p.org_id = t.org_id and p.id = t.person_id and (p.deleted_at is not null or p.lifecycle in ('deceased', 'merged', 'erased')))
        or exists (select from app.chapters c where c.org_id = t.org_id and c.id = t.to_chapter_id and c.status = 'closed'))
    returning t.id)
  select coalesce(array_agg(g.id), '{}') into over from gone g;
  moved := app_private.complete_transfers(org, array(select t.id from app.transfers t where t.org_id = org and t.state = 'approved' and t.moves_on <= today), today);
  foreach one in array moved || over loop
    perform app_private.tell_of_transfer(org, actor.account_id, one, note);
  end loop;
  return cardinality(moved);
end $$;
comment on function app.run_transfers(uuid, date, jsonb) is 'Carries out approved transfers whose day has come, and tells everyone; how many. The second run of a day changes nothing';

select app_private.own_definers();
grant execute on function app.transfer_people(), app.transfer_people_ids(), app.request_transfer(uuid, uuid, date, text), app.answer_transfer(uuid, boolean, text, int), app.withdraw_transfer(uuid, int),
  app.tell_of_transfer(uuid, jsonb) to app_access;
grant execute on function app.run_transfers(uuid, date, jsonb) to app_access, app_worker;
grant execute on function app_private.officer_in(uuid, uuid, text), app_private.deciders_of(uuid, uuid, uuid, text), app_private.complete_transfers(uuid, uuid[], date),
  app_private.tell_of_transfer(uuid, uuid, uuid, jsonb), app.transfer_people(), app.decides_membership(uuid, uuid), app.person_id(), app.account_id(), app.today() to app_definer;
