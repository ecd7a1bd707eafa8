-- A membership is left on a day: today, the end of its term, or one that an officer names. Until then that can be taken back.

alter table app.membership_types add column leaving text not null default 'any_time' check (leaving in ('any_time', 'end_of_term'));
comment on column app.membership_types.leaving is 'When members can leave by themselves; officers end a membership at any time';
grant insert (leaving), update (leaving) on app.membership_types to app_access;

alter table app.memberships add column leaves_on date;
comment on column app.memberships.leaves_on is 'Last day of a membership that was cancelled ahead; it is cancelled on the day after';
create index memberships_leaving on app.memberships (org_id, leaves_on) where leaves_on is not null;
grant update (leaves_on) on app.memberships to app_access;

create or replace function app_private.memberships_guard() returns trigger language plpgsql set search_path = pg_catalog, pg_temp as $$
begin
  if current_user = 'app_definer' or app.org_id() is null then return null; end if;
  if tg_op = 'INSERT' then
    if exists (select from changed c where c.status not in ('awaiting_approval', 'awaiting_payment')) then
      raise exception 'a membership starts with an application or its first invoice' using errcode = '23514', constraint = 'membership_move';
    end if;
    if exists (select from changed c join app.membership_types t on t.org_id = c.org_id and t.id = c.type_id
        where t.archived_at is not null or (not app.decides_membership(c.person_id, c.chapter_id) and (t.open_to = 'officers' or (t.needs_approval and c.status <> 'awaiting_approval')
          or (t.open_to = 'members' and not exists (select from app.memberships o where o.org_id = c.org_id and o.person_id = c.person_id and o.starts_on is not null))))) then
      raise exception 'this type cannot be chosen' using errcode = '42501', constraint = 'membership_type_closed';
    end if;
    if exists (select from changed c where c.status <> 'awaiting_approval' and not app.decides_membership(c.person_id, c.chapter_id) and app.membership_paused(c.person_id)) then
      raise exception 'while a membership is paused, an officer approves another one' using errcode = '42501', constraint = 'membership_paused';
    end if;
    return null;
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where not app.membership_may_become(b.status, c.status)) then
    raise exception 'a membership cannot go from one of these statuses to the other' using errcode = '23514', constraint = 'membership_move';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id
      where ((c.status <> b.status and (c.status not in ('cancelled', 'withdrawn') or 'suspended' in (b.status, b.override_status))) or (c.override_status, c.override_until, c.override_reason, c.type_id, c.chapter_id)
          is distinct from (b.override_status, b.override_until, b.override_reason, b.type_id, b.chapter_id))
        and not app.decides_membership(b.person_id, b.chapter_id)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id join app.membership_types t on t.org_id = b.org_id and t.id = b.type_id
      where (c.leaves_on is distinct from b.leaves_on and 'suspended' in (b.status, b.override_status)
          or t.leaving = 'end_of_term' and b.ends_on >= app.today() and ((c.status = 'cancelled' and b.status <> 'cancelled') or (c.leaves_on <> b.ends_on and c.leaves_on is distinct from b.leaves_on)))
        and not app.decides_membership(b.person_id, b.chapter_id)) then
    raise exception 'a membership of this type is left at the end of its term' using errcode = '42501', constraint = 'membership_leaves_at_end';
  end if;
  if exists (select from changed c join before b on b.org_id = c.org_id and b.id = c.id where c.leaves_on is distinct from b.leaves_on
      and (c.leaves_on < app.today() or (c.leaves_on is not null and c.status not in ('active', 'grace', 'suspended')))) then
    raise exception 'a membership ends on a day to come' using errcode = '23514', constraint = 'membership_leaves_on';
  end if;
  return null;
end $$;

create or replace function app_private.memberships_release() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r record;
begin
  for r in select c.org_id, min(c.status) as status, array_agg(t.id) as terms from changed c join before b on b.org_id = c.org_id and b.id = c.id and (b.status, b.leaves_on) is distinct from (c.status, c.leaves_on)
      join app.membership_terms t on t.org_id = c.org_id and t.membership_id = c.id and t.status = 'open'
      where (c.status in ('cancelled', 'declined', 'withdrawn') and b.status <> c.status) or (c.leaves_on is not null and c.leaves_on <= coalesce(c.ends_on, c.leaves_on)) group by c.org_id loop
    perform app_private.release_subjects(r.org_id, 'membership_term', r.terms, case when r.status in ('declined', 'withdrawn') then 'Application ' || r.status else 'Membership cancelled' end);
    update app.membership_terms t set status = 'void' where t.org_id = r.org_id and t.id = any (r.terms);
  end loop;
  return null;
end $$;
comment on function app_private.memberships_release() is 'The open term of a membership that was cancelled, declined or withdrawn, or that ends with its running term, is void, and its invoice with it';

create function app.end_memberships(org uuid, today date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  ended int;
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  update app.memberships m set status = case when m.status in ('active', 'grace', 'suspended') then 'cancelled' else m.status end, leaves_on = null
    where m.org_id = org and m.leaves_on < today;
  get diagnostics ended = row_count;
  return ended;
end $$;
comment on function app.end_memberships(uuid, date) is 'Cancels memberships whose last day has passed; how many. The second run of a day changes nothing';

create function app.tell_of_end(membership uuid, note jsonb) returns void language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  m app.memberships;
begin
  select x.* into m from app.memberships x where x.org_id = actor.org_id and x.id = membership;
  if m.id is null or not (m.person_id is not distinct from app.person_id() or app.everywhere('memberships.manage') or coalesce(m.chapter_id = any (app.scope('memberships.manage')), false)) then
    raise exception 'only who ended a membership tells of it' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  perform app_private.tell(m.org_id, actor.account_id, array_remove(array(
      select unnest(app_private.deciders_of(m.org_id, m.person_id, m.chapter_id, 'finance.manage'))
      union select a.id from app.accounts a where a.org_id = m.org_id and a.person_id = m.person_id), actor.account_id),
    note || jsonb_strip_nulls(jsonb_build_object('person', m.person_id, 'chapter', m.chapter_id, 'record', m.id,
      'params', jsonb_build_object('on', coalesce(m.leaves_on, app.today())), 'dedupe_key', concat('membership-ended:', m.id, ':', m.version))));
end $$;
comment on function app.tell_of_end(uuid, jsonb) is 'Tells the treasurer, and the person where somebody else did it, that a membership ends';

select app_private.own_definers();
grant execute on function app.end_memberships(uuid, date) to app_access, app_worker;
grant execute on function app.tell_of_end(uuid, jsonb) to app_access;
