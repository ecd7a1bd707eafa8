-- The lifecycle of people who hold a membership follows from it; who never held one keeps what was set by hand.

create table app.lifecycle_overrides (
  org_id uuid not null references app.organisations on delete cascade,
  person_id uuid not null,
  lifecycle text not null check (lifecycle in ('prospect', 'active', 'alumni', 'former')),
  until date not null,
  reason text not null check (char_length(reason) between 1 and 500),
  set_by uuid,
  created_at timestamptz not null default now(),
  primary key (org_id, person_id),
  foreign key (org_id, person_id) references app.people (org_id, id) on delete cascade
);
comment on table app.lifecycle_overrides is 'A lifecycle that was set by hand for somebody whose memberships say otherwise, until a day';
create index lifecycle_overrides_by_end on app.lifecycle_overrides (org_id, until);
select app_private.protect('app.lifecycle_overrides');
select app_private.keep_audit('app.lifecycle_overrides', 'memberships.read');
create policy lifecycle_overrides_read on app.lifecycle_overrides for select to app_access using (org_id = (select app.org_id())
  and ((select app.everywhere('memberships.read')) or exists (select from app.people_within('memberships.read') w where w.org_id = lifecycle_overrides.org_id and w.person_id = lifecycle_overrides.person_id)));
grant select on app.lifecycle_overrides to app_access;
grant select, insert, update, delete on app.lifecycle_overrides to app_definer;
grant update (lifecycle) on app.people to app_definer;

create function app_private.membership_counted(status text) returns boolean language sql immutable as $$
  select status in ('active', 'grace', 'lapsed', 'cancelled', 'suspended')
$$;
comment on function app_private.membership_counted(text) is 'Whether a membership counts or has counted; applications do not';

create function app_private.derived_lifecycle(org uuid, ids uuid[]) returns table (person uuid, derived text) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select p.id, coalesce((select o.lifecycle from app.lifecycle_overrides o where o.org_id = p.org_id and o.person_id = p.id and o.until >= d.today), case
      when h.now then 'active'
      when not coalesce(h.ever, false) then 'prospect'
      when p.lifecycle = 'alumni' or exists (select from app.affiliations a where a.org_id = p.org_id and a.person_id = p.id and a.kind = 'alumni'
        and (a.ends_on is null or a.ends_on >= d.today)) then 'alumni'
      else 'former' end)
  from app.people p
  cross join (select app_private.today_of(org) as today) d
  cross join lateral (select bool_or(coalesce(m.override_status, m.status) in ('active', 'grace')) as now, bool_or(app_private.membership_counted(m.status)) as ever
    from app.memberships m where m.org_id = p.org_id and m.person_id = p.id and (app_private.membership_counted(m.status) or m.override_status is not null)) h
  where p.org_id = org and p.id = any (ids) and p.lifecycle in ('prospect', 'active', 'alumni', 'former')
$$;
comment on function app_private.derived_lifecycle(uuid, uuid[]) is 'The lifecycle that memberships, affiliations and an override give';

create function app_private.derive_lifecycle(org uuid, ids uuid[]) returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
  update app.people p set lifecycle = l.derived from app_private.derived_lifecycle(org, ids) l
    where p.org_id = org and p.id = l.person and p.lifecycle <> l.derived
$$;
comment on function app_private.derive_lifecycle(uuid, uuid[]) is 'Brings the lifecycle of people in line with their memberships';

create function app_private.memberships_lifecycle() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  if tg_op = 'UPDATE' then
    for org in select distinct c.org_id from changed c loop
      perform app_private.derive_lifecycle(org, (select array_agg(distinct c.person_id) from changed c join before b on b.org_id = c.org_id and b.id = c.id
        where c.org_id = org and (c.status, c.override_status) is distinct from (b.status, b.override_status)
          and (app_private.membership_counted(c.status) or app_private.membership_counted(b.status) or c.override_status is distinct from b.override_status)));
    end loop;
  else
    for org in select distinct c.org_id from changed c loop
      perform app_private.derive_lifecycle(org, (select array_agg(distinct c.person_id) from changed c where c.org_id = org and app_private.membership_counted(c.status)));
    end loop;
  end if;
  return null;
end $$;
comment on function app_private.memberships_lifecycle() is 'The lifecycle of people follows their memberships';
create trigger memberships_lifecycle_insert after insert on app.memberships referencing new table as changed for each statement execute function app_private.memberships_lifecycle();
create trigger memberships_lifecycle_update after update on app.memberships referencing old table as before new table as changed for each statement execute function app_private.memberships_lifecycle();

create function app_private.affiliations_lifecycle() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare org uuid;
begin
  for org in select distinct c.org_id from changed c where c.kind = 'alumni' loop
    perform app_private.derive_lifecycle(org, (select array_agg(distinct c.person_id) from changed c where c.org_id = org and c.kind = 'alumni'
      and exists (select from app.memberships m where m.org_id = c.org_id and m.person_id = c.person_id and app_private.membership_counted(m.status))));
  end loop;
  return null;
end $$;
comment on function app_private.affiliations_lifecycle() is 'Whoever held a membership is an alumnus while a chapter has them as one';
create trigger affiliations_lifecycle_insert after insert on app.affiliations referencing new table as changed for each statement execute function app_private.affiliations_lifecycle();
create trigger affiliations_lifecycle_update after update on app.affiliations referencing new table as changed for each statement execute function app_private.affiliations_lifecycle();

create function app_private.people_lifecycle_by_hand() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if pg_trigger_depth() > 1 or current_setting('app.lifecycle_derived', true) = '1' then return null; end if;
  with set_by_hand as (
    select c.org_id, c.id, c.lifecycle, app_private.today_of(c.org_id) as today from changed c join before b on b.org_id = c.org_id and b.id = c.id
    where c.lifecycle <> b.lifecycle and c.lifecycle in ('prospect', 'active', 'alumni', 'former')
      and exists (select from app.memberships m where m.org_id = c.org_id and m.person_id = c.id and app_private.membership_counted(m.status))
  ),
  -- What memberships say anyhow needs no override.
  gone as (
    delete from app.lifecycle_overrides o using set_by_hand s where o.org_id = s.org_id and o.person_id = s.id and o.lifecycle <> s.lifecycle
      and s.lifecycle = case when exists (select from app.memberships m where m.org_id = s.org_id and m.person_id = s.id and coalesce(m.override_status, m.status) in ('active', 'grace')) then 'active' else 'former' end
    returning o.org_id, o.person_id
  )
  insert into app.lifecycle_overrides (org_id, person_id, lifecycle, until, reason, set_by)
    select s.org_id, s.id, s.lifecycle, s.today + 365, coalesce(nullif(current_setting('app.lifecycle_reason', true), ''), 'Set by hand'), app.account_id()
    from set_by_hand s where not exists (select from gone g where g.org_id = s.org_id and g.person_id = s.id)
      and s.lifecycle <> case when exists (select from app.memberships m where m.org_id = s.org_id and m.person_id = s.id and coalesce(m.override_status, m.status) in ('active', 'grace')) then 'active' else 'former' end
    on conflict (org_id, person_id) do update set lifecycle = excluded.lifecycle, until = excluded.until, reason = excluded.reason, set_by = excluded.set_by, created_at = now();
  return null;
end $$;
comment on function app_private.people_lifecycle_by_hand() is 'A lifecycle that is set by hand against the memberships holds for a year, and has a reason';
create trigger people_lifecycle_by_hand after update on app.people referencing old table as before new table as changed for each statement execute function app_private.people_lifecycle_by_hand();

create function app.end_lifecycle_overrides(org uuid, today date) returns int language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  ended uuid[];
begin
  if actor.org_id is not null and (actor.org_id <> org or not app.everywhere('memberships.manage')) then
    raise exception 'memberships are run by administrators' using errcode = '42501', constraint = 'memberships_administrators';
  end if;
  with gone as (delete from app.lifecycle_overrides o where o.org_id = org and o.until < today returning o.person_id)
    select coalesce(array_agg(g.person_id), '{}') into ended from gone g;
  perform set_config('app.lifecycle_derived', '1', true);
  perform app_private.derive_lifecycle(org, ended);
  perform set_config('app.lifecycle_derived', '', true);
  return cardinality(ended);
end $$;
comment on function app.end_lifecycle_overrides(uuid, date) is 'Ends lifecycles that were set by hand until a day; memberships decide again';

select app_private.own_definers();
grant execute on function app.end_lifecycle_overrides(uuid, date) to app_access, app_worker;
grant execute on function app_private.membership_counted(text), app_private.derived_lifecycle(uuid, uuid[]), app_private.derive_lifecycle(uuid, uuid[]) to app_definer;
