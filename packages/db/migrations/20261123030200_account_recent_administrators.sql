-- Mail to administrators reaches those who are administrators now. What the provider vouched for is known from the last sign-in: after a month
-- without one nobody can say whether it still holds.

create or replace function app.contact_recipients(org uuid) returns setof text
  language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select distinct mail from (
    select a.email as mail from app.accounts a
      join app.roles r on r.org_id = a.org_id and r.key = any (a.idp_roles)
      join app.role_permissions p on p.org_id = r.org_id and p.role_id = r.id and p.permission = 'organisation.manage'
      where a.org_id = org and a.status = 'active' and a.last_login_at > now() - interval '30 days'
    union
    select a.email from app.accounts a join app.grants g on g.org_id = a.org_id and g.account_id = a.id and g.scope_kind = 'org'
      join app.role_permissions p on p.org_id = g.org_id and p.role_id = g.role_id and p.permission = 'organisation.manage'
      where a.org_id = org and a.status = 'active' and g.starts_on <= current_date and (g.ends_on is null or g.ends_on >= current_date)
    union select o.contact_email from app.organisations o where o.org_id = org
  ) x where mail is not null
$$;
comment on function app.contact_recipients(uuid) is 'Addresses of the organisation''s administrators, for notices: by grants, and by roles that the provider vouched for within 30 days; for the worker only, which writes them';
comment on column app.accounts.idp_roles is 'Organisation-wide roles of the last verified access token that signed in, as of last_login_at; work that runs later acts with them';
