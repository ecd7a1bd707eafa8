-- A pause is ended by an officer, not by its member; what is cancelled is owed no more and does not come back; minors' memberships follow their records.

create function app_private.minor_reached(org uuid, person uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select app.everywhere('people.sensitive') or not exists (select from app.people p where p.org_id = org and p.id = person and p.minor_until > app.today()
    and not exists (select from app.people_within('people.sensitive') w where w.org_id = p.org_id and w.person_id = p.id))
$$;
comment on function app_private.minor_reached(uuid, uuid) is 'Whether the actor may see the records of a person as far as that depends on whether the person is a minor';

create function app.membership_paused(person uuid) returns boolean language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select exists (select from app.memberships m where m.org_id = app.org_id() and m.person_id = person and (m.status = 'suspended' or m.override_status = 'suspended'))
$$;
comment on function app.membership_paused(uuid) is 'Whether a membership of a person is paused, so that they get no other one without an officer';

create or replace function app_private.decides_for(org uuid, requester uuid, chapter uuid) returns boolean language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  reach uuid[];
begin
  if requester = app.person_id() or not app_private.minor_reached(org, requester) then return false; end if;
  if app.everywhere('memberships.manage') then return true; end if;
  reach := app.scope('memberships.manage');
  -- Of an officer who decides there, the tier above decides.
  return coalesce(chapter = any (reach), false) and not exists (
    select from app.position_holders h
    join app.positions p on p.org_id = h.org_id and p.id = h.position_id
    join app.role_permissions r on r.org_id = p.org_id and r.role_id = p.role_id and r.permission = 'memberships.manage'
    join app.chapter_ancestors a on a.org_id = p.org_id and a.chapter_id = chapter and a.ancestor_id = p.chapter_id
    join app.chapters c on c.org_id = p.org_id and c.id = p.chapter_id
    where h.org_id = org and h.person_id = requester and h.starts_on <= app.today() and (h.ends_on is null or h.ends_on >= app.today())
      and not coalesce(c.parent_id = any (reach), false));
end $$;

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
  return null;
end $$;

create or replace function app.open_membership_term(membership uuid) returns table (term uuid, amount bigint, currency text, settled boolean)
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
  today date := app.today();
  m app.memberships;
  t app.membership_types;
  made app.membership_terms;
  runs boolean;
begin
  select x.* into m from app.memberships x where x.org_id = org and x.id = membership
    and (x.person_id = app.person_id() or app.everywhere('memberships.manage') or x.chapter_id = any (app.scope('memberships.manage'))) for update;
  if m.person_id is distinct from app.person_id() and not app_private.minor_reached(org, m.person_id) then m := null; end if;
  if m.id is null then raise exception 'this membership is not yours to renew' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select x.* into t from app.membership_types x where x.org_id = org and x.id = m.type_id;
  runs := app.everywhere('memberships.manage') or coalesce(m.chapter_id = any (app.scope('memberships.manage')), false);
  if m.status not in ('awaiting_payment', 'active', 'grace', 'lapsed') and not (m.status = 'cancelled' and runs) then
    raise exception 'a membership that is % has no next term', m.status using errcode = '23514', constraint = 'membership_no_renewal';
  end if;
  if m.starts_on is not null and m.ends_on is null then
    raise exception 'this membership has no end' using errcode = '23514', constraint = 'membership_lifetime';
  end if;
  if not runs and app.membership_paused(m.person_id) then
    raise exception 'while a membership is paused, an officer renews another one' using errcode = '42501', constraint = 'membership_paused';
  end if;
  if t.archived_at is not null then
    raise exception 'this type is archived. Change the type first' using errcode = '23514', constraint = 'membership_type_archived';
  end if;
  if not runs and m.ends_on - t.renewal_days > today then
    raise exception 'this membership cannot be renewed yet' using errcode = '23514', constraint = 'membership_too_early', detail = json_build_object('on', m.ends_on - t.renewal_days)::text;
  end if;
  select x.* into made from app.membership_terms x where x.org_id = org and x.membership_id = m.id and x.status = 'open';
  if made.id is null then
    insert into app.membership_terms (org_id, membership_id, person_id, period, months, starts_month, starts_day, rollover_days, grace_days, chapter_share_bps,
        price_amount, price_currency, created_by)
      values (org, m.id, m.person_id, t.period, t.months, t.starts_month, t.starts_day, case when m.status in ('active', 'grace') then 0 else t.rollover_days end,
        t.grace_days, t.chapter_share_bps, t.price_amount, t.price_currency, app.account_id())
      returning * into made;
  end if;
  return query select made.id, made.price_amount, made.price_currency, made.price_amount = 0 and app.settle_membership_term(org, made.id, today);
end $$;

-- Nothing is owed for what was cancelled, declined or withdrawn ------------------------------------------------------------------------------------------

create function app_private.memberships_release() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  r record;
begin
  for r in select c.org_id, min(c.status) as status, array_agg(t.id) as terms from changed c join before b on b.org_id = c.org_id and b.id = c.id and b.status <> c.status
      join app.membership_terms t on t.org_id = c.org_id and t.membership_id = c.id and t.status = 'open'
      where c.status in ('cancelled', 'declined', 'withdrawn') group by c.org_id loop
    perform app_private.release_subjects(r.org_id, 'membership_term', r.terms, case r.status when 'cancelled' then 'Membership cancelled' else 'Application ' || r.status end);
    update app.membership_terms t set status = 'void' where t.org_id = r.org_id and t.id = any (r.terms);
  end loop;
  return null;
end $$;
comment on function app_private.memberships_release() is 'The open term of a membership that was cancelled, declined or withdrawn is void, and its invoice with it';
create trigger memberships_release after update on app.memberships referencing old table as before new table as changed for each statement execute function app_private.memberships_release();

create or replace function app.unsettle_membership_term(org uuid, term uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  held uuid;
begin
  if actor.org_id is not null and actor.org_id <> org then raise exception 'this term belongs to another organisation' using errcode = '42501', constraint = 'membership_decided_above'; end if;
  select t.membership_id into held from app.membership_terms t where t.org_id = org and t.id = term;
  perform from app.memberships m where m.org_id = org and m.id = held for update;
  if app_private.term_paid(org, term) then
    raise exception 'this term is paid' using errcode = '23514', constraint = 'membership_paid';
  end if;
  -- Where a renewal is open already, the term is void and that one is what can be paid; and what was cancelled does not come back.
  update app.membership_terms t set settled_on = null, starts_on = null, ends_on = null,
      status = case when exists (select from app.membership_terms o where o.org_id = org and o.membership_id = held and o.status = 'open')
        or exists (select from app.memberships m where m.org_id = org and m.id = held and m.status in ('cancelled', 'declined', 'withdrawn')) then 'void' else 'open' end
    where t.org_id = org and t.id = term and t.status = 'settled';
  if not found then return false; end if;
  perform app_private.refresh_memberships(org, array[held], app_private.today_of(org), false);
  return true;
end $$;

create or replace function app.charge_membership_terms(org uuid, most int) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  r record;
  made int := 0;
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  for r in select t.id, t.person_id, t.price_amount, t.price_currency, t.chapter_share_bps, m.chapter_id, y.name, m.ends_on
      from app.membership_terms t
      join app.memberships m on m.org_id = t.org_id and m.id = t.membership_id and m.status in ('awaiting_payment', 'active', 'grace')
      join app.membership_types y on y.org_id = m.org_id and y.id = m.type_id
      where t.org_id = org and t.status = 'open' and t.price_amount > 0
        -- One that was voided by hand is not charged again by the calendar; a renewal that somebody asks for is.
        and not exists (select from app.invoice_lines l where l.org_id = t.org_id and l.subject_type = 'membership_term' and l.subject_id = t.id)
      order by t.id limit most loop
    perform app.issue_invoice(org, app.draft_invoice(org, jsonb_build_object('personId', r.person_id, 'currency', r.price_currency, 'reason', r.name,
      'dedupeKey', 'membership_term:' || r.id,
      'dueOn', case when r.ends_on >= app_private.today_of(org) then r.ends_on end,
      'lines', jsonb_build_array(jsonb_build_object('text', r.name, 'amount', r.price_amount, 'subjectType', 'membership_term', 'subjectId', r.id)
        || case when r.chapter_id is null or r.chapter_share_bps = 0 then '{}'
          else jsonb_build_object('shareChapterId', r.chapter_id, 'shareAmount', round(r.price_amount::numeric * r.chapter_share_bps / 10000)) end))));
    made := made + 1;
  end loop;
  return made;
end $$;

do $$
declare r record;
begin
  for r in select m.org_id, array_agg(t.id) as terms from app.memberships m join app.membership_terms t on t.org_id = m.org_id and t.membership_id = m.id and t.status = 'open'
      where m.status in ('cancelled', 'declined', 'withdrawn') group by m.org_id loop
    perform app_private.release_subjects(r.org_id, 'membership_term', r.terms, 'Membership cancelled');
    update app.membership_terms t set status = 'void' where t.org_id = r.org_id and t.id = any (r.terms);
  end loop;
end $$;

-- Who sees a person sees their memberships; of minors these are few ---------------------------------------------------------------------------------------

do $$
declare
  seen constant text := 'org_id = (select app.org_id()) and ((select app.everywhere(''people.sensitive'')) or person_id = (select app.person_id())
    or exists (select from app.people p where p.org_id = %1$s.org_id and p.id = %1$s.person_id))';
  t text;
begin
  foreach t in array array['memberships', 'lifecycle_overrides'] loop
    execute format('create policy %1$s_of_seen on app.%1$s as restrictive for select to app_access using (' || seen || ')', t);
  end loop;
  execute format('create policy memberships_add_of_seen on app.memberships as restrictive for insert to app_access with check (' || seen || ')', 'memberships');
  execute format('create policy memberships_change_of_seen on app.memberships as restrictive for update to app_access using (' || seen || ') with check (' || seen || ')', 'memberships');
end $$;

select app_private.own_definers();
grant execute on function app.membership_paused(uuid) to app_access, app_definer;
grant execute on function app_private.minor_reached(uuid, uuid) to app_definer;
