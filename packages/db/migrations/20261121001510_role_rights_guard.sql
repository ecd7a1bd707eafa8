-- What a role allows is part of the rights of everybody who has it: changed by one administrator at a time, like accounts and grants.

create function app.role_permissions_guard() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if coalesce(current_setting('app.actor', true), '') <> '' then
    perform app_private.hold_account_rights(coalesce(new.org_id, old.org_id));
  end if;
  return coalesce(new, old);
end $$;
comment on function app.role_permissions_guard() is 'Who waited for another administrator sees what that one decided: two who empty each other''s roles do not both succeed';
grant create on schema app to app_definer;
alter function app.role_permissions_guard() owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.role_permissions_guard() from public;
create trigger role_permissions_guard before insert or delete on app.role_permissions for each row execute function app.role_permissions_guard();
