-- Roles of the identity provider count where they were granted: for that, one must know which organisation there is ours.

create function app.token_binding(idp_org text)
  returns table (org_id uuid, idp_org_id text, alone boolean)
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select o.org_id, o.idp_org_id, not exists (select from app.organisations x where x.org_id <> o.org_id)
  from app.organisations o where o.org_id = app.token_organisation(idp_org)
$$;
comment on function app.token_binding(text) is 'Organisation that a token of this provider organisation belongs to, its id at the provider, and whether it is the only one here';
comment on column app.organisations.idp_org_id is 'Id of this organisation at the identity provider, whose people it takes and whose roles count here; null takes tokens that name no organisation, where it is the only one';

grant create on schema app to app_definer;
alter function app.token_binding(text) owner to app_definer;
revoke create on schema app from app_definer;
revoke execute on function app.token_binding(text) from public;
grant execute on function app.token_binding(text) to app_access;
