-- A lifecycle that was set by hand is ended by hand as well, before its day.

create function app.end_lifecycle_override(person uuid) returns boolean language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  org uuid := app.org_id();
begin
  if person is not distinct from app.person_id() or not app_private.minor_reached(org, person)
      or not (app.everywhere('memberships.manage') or exists (select from app.people_within('memberships.manage') w where w.org_id = org and w.person_id = person)) then
    raise exception 'this is decided by another officer, or by the chapter above' using errcode = '42501', constraint = 'membership_decided_above';
  end if;
  perform from app.people p where p.org_id = org and p.id = person for update;
  delete from app.lifecycle_overrides o where o.org_id = org and o.person_id = person;
  if not found then return false; end if;
  perform set_config('app.lifecycle_derived', '1', true);
  perform app_private.derive_lifecycle(org, array[person]);
  perform set_config('app.lifecycle_derived', '', true);
  return true;
end $$;
comment on function app.end_lifecycle_override(uuid) is 'Ends a lifecycle that was set by hand, by whoever manages the memberships of the person; memberships decide again. False when there was none';

select app_private.own_definers();
grant execute on function app.end_lifecycle_override(uuid) to app_access;
