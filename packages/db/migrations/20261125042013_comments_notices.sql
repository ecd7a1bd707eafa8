-- Whom a comment mentions is told by a job, which looks at it as each of them first.

create function app.accounts_of_people(org uuid, people uuid[]) returns table (account_id uuid) language sql stable security definer set search_path = pg_catalog, pg_temp as $$
  select a.id from app.accounts a where a.org_id = org and a.person_id = any (people) and a.status = 'active'
$$;
comment on function app.accounts_of_people(uuid, uuid[]) is 'Active accounts of these people; for the worker, which tells them of something';
select app_private.own_definers();
grant execute on function app.accounts_of_people(uuid, uuid[]) to app_worker;
