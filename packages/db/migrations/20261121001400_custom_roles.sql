-- Roles of the organisation's own: bundles of permissions that an administrator puts together, of what they hold themselves.

alter table app.roles add column custom boolean not null default false;
comment on column app.roles.custom is 'Made by the organisation and changeable; the standard roles are the same everywhere';

create function app.held_everywhere() returns text[] language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select coalesce(array_agg(p.permission), '{}') from app.permissions() p where p.everywhere $$;
comment on function app.held_everywhere() is 'Permissions that the actor holds in the whole organisation';

create function app.changeable_roles() returns uuid[]
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp as $$
declare
  actor app.actor_context := app.actor();
  me uuid := app.person_id();
  held text[] := app.held_everywhere();
begin
  if not 'account.manage' = any (held) then return '{}'; end if;
  return (select coalesce(array_agg(r.id), '{}') from app.roles r
    where r.org_id = actor.org_id and r.custom and not r.key = any (actor.idp_roles)
      and not exists (select from app.role_permissions p where p.org_id = r.org_id and p.role_id = r.id and not p.permission = any (held))
      and not exists (select from app.grants g where g.org_id = r.org_id and g.role_id = r.id and g.account_id = actor.account_id)
      and not exists (select from app.position_holders h join app.positions s on s.org_id = h.org_id and s.id = h.position_id
        where h.org_id = r.org_id and s.role_id = r.id and h.person_id = me));
end $$;
comment on function app.changeable_roles() is 'Nobody changes a standard role, a role they have, had or will have, or one that allows more than they hold';

revoke execute on function app.held_everywhere(), app.changeable_roles() from public;
grant execute on function app.held_everywhere(), app.changeable_roles() to app_access, app_definer;

drop policy roles_add on app.roles;
create policy roles_add on app.roles for insert to app_access
  with check (org_id = (select app.org_id()) and custom and (select app.everywhere('account.manage')));
drop policy roles_change on app.roles;
create policy roles_change on app.roles for update to app_access
  using (org_id = (select app.org_id()) and id = any ((select app.changeable_roles())::uuid[])) with check (org_id = (select app.org_id()));
create policy roles_remove on app.roles for delete to app_access
  using (org_id = (select app.org_id()) and id = any ((select app.changeable_roles())::uuid[]));
grant insert (custom), delete on app.roles to app_access;

create policy role_permissions_add on app.role_permissions for insert to app_access
  with check (org_id = (select app.org_id()) and role_id = any ((select app.changeable_roles())::uuid[])
    and permission = any ((select app.held_everywhere())::text[]));
create policy role_permissions_remove on app.role_permissions for delete to app_access
  using (org_id = (select app.org_id()) and role_id = any ((select app.changeable_roles())::uuid[]));
grant insert (org_id, role_id, permission), delete on app.role_permissions to app_access;
